"""Runs of `numbered` that are looked at where they are decided: at the first declaration, or when all follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import log
from typing import Any

from princeps.engines.population import Population, Stop, StopCondition
from princeps.engines.simulate import make_population
from princeps.errors import RunError
from princeps.model.predicates import read_predicates
from princeps.model.reading import make_run

NEVER = {"min_interactions": 2**31}  # nobody declares
STEP_LIMIT_FACTOR = 1000  # times n ln n steps, of which a run takes one to five
Case = tuple[int, int, int]  # n, the first trial, how many


def in_parts(n: int, trials: int, each: int) -> list[Case]:
    """This many trials, in parts that take a few seconds."""
    return [(n, first, min(each, trials - first)) for first in range(0, trials, each)]


def ended(protocol: str, case: Case, until: str, params: Mapping[str, int], seed: int) -> Iterator[Population]:
    """Each trial of a case at its goal. Agent n - 1 has the largest identifier: the order is of no account here."""
    n, first, trials = case
    run = make_run(protocol, n, seed=seed, until=until, ids=list(range(1, n + 1)), params=params)
    for trial in range(first, first + trials):
        population = make_population(replace(run, trial=trial))
        if population.advance_exactly(int(STEP_LIMIT_FACTOR * n * log(n)), StopCondition.GOAL) is not Stop.FULFILLED:
            raise RunError(f"trial {trial} of seed {seed} is not {until} after {population.steps} steps, n = {n}.")
        yield population


def at_completion(part: int, seed: int, *, protocol: str, cases: Sequence[Case]) -> list[tuple[int, int]]:
    """Of each trial: conversions of the agent with the largest identifier, and followers met, when all follow it."""
    return [_counted(population) for population in ended(protocol, cases[part], "complete", NEVER, seed)]


def _counted(population: Population) -> tuple[int, int]:
    run = population.run
    agent: Any = run.protocol.agent(population.state(run.n - 1))  # type: ignore[call-arg]
    return agent.conversions, agent.metFollowers


def settled(part: int, seed: int, *, protocol: str, cases: Sequence[Case], m: int) -> dict[str, Any]:
    """How often the agent with the largest identifier, or another, declares before all follow the largest.

    Of those who declare, the first is meant: a trial that is complete before any declaration ends correctly, because
    nobody but the largest is its own leader any more. `steps` are those of the trials that were complete.
    """
    early, others, steps = 0, 0, []
    for population in ended(protocol, cases[part], "settled", {"m": m}, seed):
        done, right = population.census(
            list(read_predicates(population.run.protocol, ["done", "true_leaders"]).values())
        )
        early += int(done > 0 and right == 1)
        others += int(done > 0 and right == 0)
        if done == 0:
            steps.append(population.steps)
    return {"n": cases[part][0], "trials": cases[part][2], "early": early, "others": others, "steps": steps}
