"""One run from beginning to end, by the engine that it asks for."""

from __future__ import annotations

from princeps.engines.conduct import Observer, conduct
from princeps.engines.population import Population
from princeps.model.result import Result
from princeps.model.run import Run


def make_population(run: Run) -> Population:
    """`auto` is agents, except for checked runs. Both draw the same schedule from the same seed."""
    if run.check or run.engine == "reference":
        from princeps.engines.checks import Checker
        from princeps.engines.reference import Reference

        return Reference(run, [Checker(run)] if run.check else [])
    from princeps.engines.agents import Agents

    return Agents(run)


def simulate(run: Run, observer: Observer | None = None) -> Result:
    return conduct(run, make_population(run), observer)
