"""One run from beginning to end, by the engine that it asks for."""

from __future__ import annotations

from dataclasses import replace

from princeps.engines.choice import choose
from princeps.engines.conduct import Observer, conduct
from princeps.engines.population import Population
from princeps.model.result import Result
from princeps.model.run import Run


def make_population(run: Run) -> Population:
    """The population on the engine that the run asks for, or on the one that suits it."""
    name, why = choose(run)
    population = _population(run, name)
    population.why = why
    return population


def _population(run: Run, name: str) -> Population:
    if name == "reference":
        from princeps.engines.checks import Checker
        from princeps.engines.reference import Reference

        if not run.check:
            return Reference(run)
        checker = Checker(run)
        population = Reference(run, [checker])
        checker.look(population)
        return population
    if name == "events":
        from princeps.engines.events import Events

        return Events(run)
    if name == "counts":
        from princeps.engines.counts import Counts

        return Counts(run)
    from princeps.engines.agents import Agents

    return Agents(run)


def simulate(run: Run, observer: Observer | None = None) -> Result:
    result = conduct(run, make_population(run), observer)
    for name, verdict in type(run.protocol).verdicts.items():
        if (
            verdict.at != run.until and result.engine != "counts"
        ):  # the same seed gives the same run: go through it again, to the goal that matters
            again = replace(run, until=verdict.at, max_steps=result.total_steps, hold=False, record=(), check=False)
            judged = conduct(again, make_population(again)).verdicts[name]
            result = replace(result, verdicts={**result.verdicts, name: judged})
    return result
