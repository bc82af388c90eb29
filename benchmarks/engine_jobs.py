"""The measurements of benchmarks/engines.py, each in a process of its own that prints JSON lines.

`python benchmarks/engine_jobs.py '{"kind": "run", ...}'`
"""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from given_words import begin_with

from princeps.engines import registry, starting
from princeps.engines.agents import Agents
from princeps.engines.events import Events
from princeps.engines.population import Population, Stop, StopCondition
from princeps.engines.simulate import make_population
from princeps.errors import PrincepsError
from princeps.model.reading import make_run
from princeps.model.run import Run

SEED = 1
SLICE = 2 * 10**7  # steps of agents from which its time is extrapolated
WARM = 2000  # steps that every engine does before it is measured
TOTAL_SECONDS = 2.0  # seconds of a row's runs together, where they are short
MAX_RUNS = 20
LONG_SECONDS = 5.0  # a run of auto that takes longer is measured once
EARLY_SECONDS = 10.0  # after which a run that will not end in time is cut
STOP_FACTOR = 1.5  # an engine is stopped after this multiple of what auto took, and
STOP_SECONDS = 0.5  # more
REFERENCE_N = 1000  # agents up to which plain Python is tried
REFERENCE_LIMIT = 2.0
REFERENCE_PORTION = 1 << 12
ENGINES = sorted(registry.ENGINES, key=registry.REFERENCE.__eq__)  # in its order, the slowest last


class TimeLimit(BaseException):
    """The alarm: not an Exception, so that nobody swallows it."""


class AgentsFrom(Agents):
    """The agents engine, from a given configuration in packed words."""

    def __init__(self, run: Run, words: Any) -> None:
        super().__init__(run)
        begin_with(self, words)


def alarm(*_: object) -> None:
    raise TimeLimit


def warm(run: Run) -> None:
    """Everything that will be needed is compiled, in both forms of the agents and in both ways of events."""
    starting.IN_PYTHON = 0  # small populations too
    population = make_population(run)
    population.holds()
    population.advance(WARM, StopCondition.GOAL)
    if isinstance(population, Agents):
        population.pack()
        population._count()
        population.holds()
        population.advance(WARM, StopCondition.NOTHING)
    if isinstance(population, Events):
        population._judge()
        population.skipping = True
        population._list_active()
        population.advance(WARM, StopCondition.NOTHING)
    population.leader()


def drive(run: Run, until: int | None, limit: float) -> dict[str, Any]:
    """Builds the population and advances it to `until` steps, or to the goal, or for `limit` seconds."""
    began = time.process_time()
    population = make_population(run)
    met, early, spent = population.holds(), None, 0.0
    while not (met if until is None else population.steps >= until) and spent <= limit:
        most = portion(population)
        budget = most if until is None else min(most, until - population.steps)
        stop = population.advance(budget, StopCondition.NOTHING if met else StopCondition.GOAL)
        met = met or stop is Stop.FULFILLED
        spent = time.process_time() - began
        if population.silent and until is None:
            break  # the goal will never be met
        if early is None and spent >= EARLY_SECONDS:
            early = (population.steps, spent)
            limit = 0.0 if until is None and hopeless(population, spent, limit) else limit
    done = met if until is None else population.steps >= until
    spent = time.process_time() - began
    facts = {"seconds": spent, "steps": population.steps, "events": population.events}
    return {**facts, "engine": population.engine, "done": done, "early": early}


def hopeless(population: Population, spent: float, limit: float) -> bool:
    """An engine that does one step after the other would take more than twice the limit to the goal."""
    run = population.run
    expected = run.protocol.expected_steps(run.n, run.protocol.constants) or 0
    return population.engine == "agents" and spent * expected > 2 * limit * population.steps


def portion(population: Population) -> int:
    return REFERENCE_PORTION if population.engine == "reference" else population.portion()


def report(**facts: Any) -> None:
    print(json.dumps(facts), flush=True)


def job_run(name: str, n: int | None, engine: str, **options: Any) -> None:
    """One run to its goal; what making it took (the graph) apart."""
    began = time.process_time()
    run = make_run(name, n, engine=engine, seed=SEED, **options)
    made = time.process_time() - began
    warm(run)
    report(made=made, n=run.n, arcs=run.topology.arc_count, **drive(run, None, float("inf")))


def job_skipping(n: int, start: str) -> None:
    """P_RL with events to the goal, and agents on two slices."""
    run = make_run("p_rl", n, start=start, engine="events", seed=SEED)
    warm(run)
    warm(replace(run, engine="agents"))
    began = time.process_time()
    population = make_population(run)
    assert isinstance(population, Events)
    while population.advance(population.portion(), StopCondition.GOAL) is not Stop.FULFILLED:
        pass
    facts = {"seconds": time.process_time() - began, "steps": population.steps, "events": population.events}
    report(**facts, slices=[slice_of(run, None), slice_of(run, population.form.words())])


def slice_of(run: Run, words: Any) -> float:
    """Nanoseconds a step of agents from the run's start or from given words."""
    plain = replace(run, engine="agents")
    population = Agents(plain) if words is None else AgentsFrom(plain, words)
    began = time.process_time()
    population.advance(SLICE, StopCondition.NOTHING)
    return (time.process_time() - began) / SLICE * 1e9


def job_auto(name: str, n: int, limit: float, graph: str | None) -> None:
    """The measurements of a row of the table of `auto`, each reported as soon as it is done."""
    signal.signal(signal.SIGALRM, alarm)
    run = make_run(name, n, seed=SEED, graph=graph)
    warm(run)
    engines = applicable(run)
    pilot = drive(run, None, limit)
    chosen = pilot["engine"]
    if not pilot["done"]:
        steps, seconds = pilot["early"] or (pilot["steps"], pilot["seconds"])
        report(mode="slice", steps=steps, runs=1, chosen=chosen)
        turns(run, [engine for engine in engines if engine != chosen], steps, 1, seconds)
    elif pilot["seconds"] > LONG_SECONDS:
        steps, seconds = pilot["steps"], pilot["seconds"]
        report(mode="goal", steps=steps, runs=1, chosen=chosen)
        turns(run, [engine for engine in engines if engine != chosen], steps, 1, seconds)
    else:
        runs = max(1, min(MAX_RUNS, int(TOTAL_SECONDS / max(pilot["seconds"], 1e-3))))
        lengths = [pilot["steps"]]
        lengths += [drive(replace(run, trial=k), None, limit)["steps"] for k in range(1, runs)]
        steps = round(sum(lengths) / runs)
        report(mode="goal", steps=steps, runs=runs, chosen=chosen)
        turns(run, ["auto", *engines], steps, runs, None)


def applicable(run: Run) -> list[str]:
    """The engines that take this run."""
    fit = [engine for engine in ENGINES if registry.refusal(engine, run) is None]
    return [engine for engine in fit if engine != "reference" or run.n <= REFERENCE_N]


def turns(run: Run, engines: list[str], steps: int, runs: int, auto: float | None) -> None:
    """All engines, one trial after the other; one that is stopped or fails is left out from then on."""
    if auto is not None:
        report(engine="auto", seconds=auto, steps=steps, done=True)
    failed: set[str] = set()
    for trial in range(runs):
        for engine in engines:
            if engine in failed or (engine == "reference" and trial > 0):
                continue
            asked = replace(run, engine=engine, trial=trial)
            limit = (
                REFERENCE_LIMIT
                if engine == "reference"
                else STOP_FACTOR * auto + STOP_SECONDS
                if auto
                else float("inf")
            )
            found = attempt(asked, steps, limit, first=trial == 0)
            report(**{**found, "engine": engine})
            if engine == "auto":
                auto = max(auto or 0.0, found["seconds"])
            if not found["done"]:
                failed.add(engine)


def attempt(run: Run, steps: int, limit: float, first: bool) -> dict[str, Any]:
    """A run that is stopped wherever it is when the time is far over."""
    began = time.process_time()
    try:
        if limit < float("inf"):
            signal.setitimer(signal.ITIMER_REAL, 3 * limit + 10)  # one of processor time would make its clock coarse
        if first and run.engine != "auto":
            warm(run)
        began = time.process_time()
        return drive(run, steps, limit)
    except TimeLimit:
        return {"seconds": time.process_time() - began, "done": False, "outcome": "stopped while it was being built"}
    except PrincepsError as error:
        return {"seconds": time.process_time() - began, "done": False, "outcome": f"refused: {error}", "refused": True}
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


JOBS: dict[str, Callable[..., None]] = {"run": job_run, "skipping": job_skipping, "auto": job_auto}


if __name__ == "__main__":
    asked = json.loads(sys.argv[1])
    JOBS[asked.pop("kind")](**asked)
