"""Do the fast engines do what the rule says? State by state where they draw the same pairs, else by the exact law."""

from __future__ import annotations

from math import inf, sqrt
from statistics import fmean, stdev
from typing import Any

from princeps.api.checking.cases import Case, columns
from princeps.api.checking.report import NOT_TRIED, OK, UNUSUAL, WRONG, Finding, Findings, Stages, unseen
from princeps.api.exact import exact
from princeps.api.run import run, trials
from princeps.api.session import session
from princeps.engines.registry import ENGINES, REFERENCE, refusal
from princeps.errors import NotCompiled, PrincepsError
from princeps.lowering.kernels import kernels_of
from princeps.model.formatting import counted
from princeps.model.protocol import PopulationProtocol

LOOKS = (1, 10, 200)  # steps after which configurations are compared
MAX_STEPS = 20_000
SAMPLE = 1_000  # runs of an engine that draws otherwise
FARTHEST = 5.0  # standard errors; a right engine is farther off in one check of two million
LARGEST_EXACT = 5  # agents
LIMIT = 200_000  # configurations


def language(tried: list[Case]) -> Findings:
    """What only Python executes is told before it is executed: such a rule may have a loop that never ends."""
    for case in tried[:1]:
        try:
            kernels_of(case.run().protocol)
        except NotCompiled as error:
            yield Finding("engines", UNUSUAL, f"only plain Python takes it, a thousand times slower. {error}")
        except PrincepsError:  # Python refuses it, too, and is asked next
            return


def engines(cls: type[PopulationProtocol], tried: list[Case], at: Stages = unseen) -> Findings:
    for engine in ENGINES.values():
        at(f"engine {engine.name}")
        if engine.name == REFERENCE:
            continue
        takes = [case for case in tried if refusal(engine.name, case.run(engine=engine.name)) is None]
        if not takes:
            yield Finding(f"engine {engine.name}", NOT_TRIED, "it takes none of these runs.")
        elif engine.draws_as_reference:
            try:
                configuration_after(takes[0], engine.name, 1)
            except PrincepsError as error:
                text = f"the rule runs in plain Python only ({error}), a thousand times slower."
                yield Finding("engines", NOT_TRIED, text)
                return
            yield state_by_state(engine.name, takes, at)
        else:
            yield by_law(cls, engine.name, takes)


def state_by_state(engine: str, takes: list[Case], at: Stages = unseen) -> Finding:
    about = f"engine {engine}"
    for case in takes:
        at(f"{about}, {case}")
        for steps in LOOKS:
            plain, compiled = (configuration_after(case, name, steps) for name in (REFERENCE, engine))
            if plain != compiled:
                text = f"after {counted(steps, 'steps', 'd')} with {case} the configuration is not the reference's: please report it."
                return Finding(about, WRONG, text, case.run(engine=engine).command())
        results: list[Any] = [
            run(case.cls, case.n, **case.options, engine=name, max_steps=MAX_STEPS) for name in (REFERENCE, engine)
        ]
        seen = [(result.steps, result.converged, result.leaders, result.events) for result in results]
        if seen[0] != seen[1]:
            text = f"with {case} it ends with {seen[1]}, the reference with {seen[0]}: please report it."
            return Finding(about, WRONG, text, results[1].command)
    return Finding(about, OK, f"equal to plain Python, state by state, in {counted(len(takes), 'runs', 'd')}.")


def configuration_after(case: Case, engine: str, steps: int) -> dict[str, list[int]]:
    held = session(case.cls, case.n, **case.options, engine=engine)
    held.step(steps)
    return columns(held)


def by_law(cls: type[PopulationProtocol], engine: str, takes: list[Case]) -> Finding:
    """The mean of many runs beside the exact expectation, at the largest size that fits."""
    about = f"engine {engine}"
    small = [case for case in takes if case.n <= LARGEST_EXACT and case.start == cls.default_start]
    for case in sorted(small, key=lambda case: -case.n):
        try:
            law: Any = exact(cls, case.n, start=case.start, graph=case.graph, target=cls.default_goal, limit=LIMIT)
        except PrincepsError:
            continue
        if not 0 < law.mean < inf:
            continue
        found = [result.steps for result in trials(cls, case.n, trials=SAMPLE, engine=engine, **case.options)]
        off, error = fmean(found) - law.mean, stdev(found) / sqrt(SAMPLE)
        text = f"{case}: mean of {SAMPLE:,} runs {fmean(found):.4g}, exactly {law.mean:.4g}"
        if abs(off) > FARTHEST * error + 1e-9 * law.mean:
            return Finding(about, WRONG, f"{text}: please report it.")
        return Finding(about, OK, f"{text}.")
    return Finding(about, NOT_TRIED, "no run of it is small enough for the exact law.")
