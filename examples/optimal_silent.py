"""Optimal-Silent-SSR is in the library by now: `princeps run optimal_silent -n 100`. This is how a file builds upon it.

princeps run examples/optimal_silent.py -n 100
"""

from princeps.protocols import optimal_silent


class OptimalSilent(optimal_silent.OptimalSilent):
    """The same rule, starts and goals; what is declared here would be added or replaced."""
