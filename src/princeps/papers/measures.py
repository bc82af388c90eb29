"""Measurements that many claims share: the exact analysis, and a census at given steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from princeps.analysis.analysis import analyse, prepare
from princeps.analysis.options import AnalysisOptions
from princeps.engines.population import Population
from princeps.engines.simulate import make_population
from princeps.model.predicates import read_predicates
from princeps.model.reading import make_run


def exactly(
    part: int,
    seed: int,
    *,
    protocol: str,
    sizes: Sequence[tuple[int, Mapping[str, int]]],
    target: str | None = None,
    start: str | None = None,
    lemmas: bool = False,
    leaders: bool = False,
    distribution: bool = False,
) -> dict[str, Any]:
    """`princeps exact` at one of these sizes (n with its parameters): the keys of its JSON."""
    n, params = sizes[part]
    run, which = prepare(protocol, n, start=start, params=params)
    options = AnalysisOptions(lemmas=lemmas, leaders=leaders, distribution=distribution)
    return analyse(run, which, target, options)[0].as_json()


def exact_command(name: str, n: int, params: Mapping[str, int], *words: str) -> str:
    return " ".join(
        ["princeps exact", name, f"-n {n}", *(f"-p {key}={value}" for key, value in params.items()), *words]
    )


def census(
    part: int,
    seed: int,
    *,
    protocol: str,
    n: int,
    at: Sequence[int],
    count: Mapping[str, str],
    trials: int,
    start: str | None = None,
    params: Mapping[str, int] | None = None,
    engine: str = "auto",
) -> list[list[list[int]]]:
    """How many agents satisfy each predicate after each of these numbers of steps: for each trial, each time, each of `count`.

    Part k has the trials k * trials .. (k + 1) * trials - 1 of the seed.
    """
    found = []
    for trial in range(part * trials, (part + 1) * trials):
        run = make_run(protocol, n, start=start, seed=seed, trial=trial, engine=engine, params=params or {})
        predicates = list(read_predicates(run.protocol, dict(count)).values())
        population = make_population(run)
        rows = []
        for step in at:
            go(population, step - population.steps)
            rows.append([int(number) for number in population.census(predicates)])
        found.append(rows)
    return found


def go(population: Population, steps: int) -> None:
    """`steps` interactions, whatever they do."""
    population.advance_exactly(steps)
