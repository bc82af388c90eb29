"""Silent ranking is in the library by now: `princeps run silent_ranking -n 100`. This is how a file builds upon it.

princeps run examples/silent_ranking.py -n 100
"""

from princeps.protocols import silent_ranking


class SilentRanking(silent_ranking.SilentRanking):
    """The same rule, starts and goals; what is declared here would be added or replaced."""
