"""Do the fast engines do what the rule says? State by state where they draw the same pairs, else by the exact law."""

from __future__ import annotations

from math import inf, sqrt
from statistics import fmean, stdev
from typing import Any

from princeps.api.checking.cases import Case
from princeps.api.checking.report import NOT_TRIED, OK, WRONG, Finding, Findings
from princeps.api.exact import exact
from princeps.api.run import run, trials
from princeps.api.session import session
from princeps.engines.registry import ENGINES, REFERENCE, refusal
from princeps.errors import PrincepsError
from princeps.model.protocol import PopulationProtocol

SAME_PAIRS = "agents"  # it draws the pairs that the reference draws
LOOKS = (1, 10, 200)  # steps after which configurations are compared
MAX_STEPS = 20_000
SAMPLE = 1_000  # runs of an engine that draws otherwise
FARTHEST = 5.0  # standard errors; a right engine is farther off in one check of two million
LIMIT = 200_000  # configurations


def engines(cls: type[PopulationProtocol], tried: list[Case]) -> Findings:
    try:
        _advanced(tried[0], SAME_PAIRS, 1)
    except PrincepsError as error:
        text = f"the rule runs in plain Python only ({error}), a thousand times slower."
        yield Finding("engines", NOT_TRIED, text)
        return
    yield _state_by_state(tried)
    for name in ENGINES:
        if name not in (REFERENCE, SAME_PAIRS):
            yield from _by_law(cls, name, tried)


def _state_by_state(tried: list[Case]) -> Finding:
    for case in tried:
        for steps in LOOKS:
            plain, compiled = (_advanced(case, engine, steps) for engine in (REFERENCE, SAME_PAIRS))
            if plain != compiled:
                text = f"after {steps} steps with {case} the configuration is not the reference's: please report it."
                return Finding("engine agents", WRONG, text, case.run(engine=SAME_PAIRS).command)
        results = [
            run(case.cls, case.n, **case.options, engine=engine, max_steps=MAX_STEPS)
            for engine in (REFERENCE, SAME_PAIRS)
        ]
        seen = [(result.steps, result.converged, result.leaders, result.events) for result in results]
        if seen[0] != seen[1]:
            text = f"with {case} it ends with {seen[1]}, the reference with {seen[0]}: please report it."
            return Finding("engine agents", WRONG, text, results[1].command)
    return Finding("engine agents", OK, f"equal to plain Python, state by state, in {len(tried)} runs.")


def _advanced(case: Case, engine: str, steps: int) -> dict[str, Any]:
    """The configuration after so many steps; what the rule does wrong is an answer as well."""
    held = session(case.cls, case.n, **case.options, engine=engine)
    held.step(steps)
    return {name: values.tolist() for name, values in held.configuration.items()}


def _by_law(cls: type[PopulationProtocol], engine: str, tried: list[Case]) -> Findings:
    """The mean of many runs beside the exact expectation, at the largest size that fits."""
    takes = [case for case in tried if refusal(engine, case.run(engine=engine)) is None]
    if not takes:
        yield Finding(f"engine {engine}", NOT_TRIED, "it takes none of these runs.")
        return
    small = [case for case in takes if case.n <= 5 and case.start == cls.default_start]
    for case in sorted(small, key=lambda case: -case.n):
        try:
            law = exact(cls, case.n, start=case.start, graph=case.graph, target=cls.default_goal, limit=LIMIT)
        except PrincepsError:
            continue
        if not 0 < law.mean < inf:
            continue
        found = [result.steps for result in trials(cls, case.n, count=SAMPLE, engine=engine, **case.options)]
        off, error = fmean(found) - law.mean, stdev(found) / sqrt(SAMPLE)
        if abs(off) > FARTHEST * error + 1e-9 * law.mean:
            text = f"with {case} the mean of {SAMPLE} runs is {fmean(found):.4g}, exactly {law.mean:.4g}: please report it."
            yield Finding(f"engine {engine}", WRONG, text)
        else:
            text = f"{case}: mean of {SAMPLE:,} runs {fmean(found):.4g}, exactly {law.mean:.4g}."
            yield Finding(f"engine {engine}", OK, text)
        return
    yield Finding(f"engine {engine}", NOT_TRIED, "no run of it is small enough for the exact law.")
