"""Claim 3 in the proof of Lemma 13: how soon the leaders of C_NI become fewer by a twelfth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from princeps.engines.population import Stop, StopCondition
from princeps.engines.simulate import make_population
from princeps.model.reading import make_run
from princeps.papers.answers import law_of
from princeps.papers.claims import Planted
from princeps.papers.judging import mean_at_most, number
from princeps.papers.judging_growth import grows_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.p_rl.paper import paper
from princeps.papers.verdicts import BY_STRENGTH, HOLDS, INCONCLUSIVE, SUPPORTED, Outcome, Part, together

BOUND = 4  # of n^2 / s, s being the number of leaders: the paper gives the order, the constant is ours
CAP = 10 * BOUND  # trials are given up after this multiple: their mean is larger than it seems
FEWEST = 16  # leaders: of fewer than 12, a twelfth is less than one
GAP = 8  # between leaders that are many: side by side they fall sooner
EXECUTION = "an execution from all leaders"

Case = tuple[str, int, Sequence[int]]  # how the start looks, n, and numbers of leaders, the first of which it has


def states_of(kind: str, n: int, leaders: int) -> str:
    """A configuration of C_NI: leaders in even distances, side by side, or in even distances and all shielded."""
    places = set(range(leaders)) if kind == "side by side" else {i * n // leaders for i in range(leaders)}
    leader = "1,0,1,0,0" if kind == "shielded" else "1,0,0,0,0"
    return ";".join(leader if i in places else "0,0,0,0,0" for i in range(n))


def falls(part: int, seed: int, *, protocol: str, cases: Sequence[Case], trials: int) -> list[list[int]]:
    """For each number s of leaders of a case: steps from at most s to at most 11 s / 12 of them, in each trial.

    A trial that is given up counts with the steps until then, and not for the smaller numbers.
    """
    kind, n, counts = cases[part]
    start = f"states:{states_of(kind, n, counts[0])}"
    found: list[list[int]] = [[] for _ in counts]
    run = make_run(protocol, n, start=start, seed=seed)
    for trial in range(part * trials, (part + 1) * trials):
        population = make_population(replace(run, trial=trial))
        for at, s in enumerate(counts):
            if not _until(population, s, CAP * n * n // s):
                break
            began = population.steps
            fell = _until(population, 11 * s // 12, CAP * n * n // s)
            found[at].append(population.steps - began)
            if not fell:
                break
    return found


def _until(population: Any, leaders: int, budget: int) -> bool:
    """Goes on until there are at most so many leaders; False if that takes more than the budget."""
    end = population.steps + budget
    while population.leaders > leaders and population.steps < end:
        if population.advance(end - population.steps, StopCondition.OUTPUT) is Stop.SILENT:
            population.pass_time(end - population.steps)
    return bool(population.leaders <= leaders)


def halvings(n: int) -> list[int]:
    """n, n/2, n/4, ..."""
    return [n >> k for k in range(n.bit_length()) if n >> k >= FEWEST]


def cases_of(lab: Lab) -> list[Case]:
    """Executions from all leaders, seen whenever these are halved; and starts with few leaders or with many."""
    sizes = lab.pick((64, 128, 256, 512, 1024), (64, 128, 256, 512, 1024, 2048), (64,))
    wide = lab.pick((128, 256, 512, 1024), (128, 256, 512, 1024, 2048), (64,))
    few: list[Case] = [(kind, n, [FEWEST]) for kind in ("even", "shielded") for n in wide]
    many: list[Case] = [("even", n, [n // GAP]) for n in wide if n // GAP > FEWEST]
    side: list[Case] = [("side by side", n, [n // 4]) for n in wide[:2]]
    return [*(("even", n, halvings(n)) for n in sizes), *few, *many, *side]


def held(kind: str, n: int, s: int, values: Sequence[int]) -> Part:
    """The mean against the bound; trials that were given up keep it from being supported."""
    part = mean_at_most(values, BOUND * n * n / s, f"{kind}, n = {n:,}, s = {s:,}, against {BOUND}n^2/s")
    given_up = sum(value >= CAP * n * n // s for value in values)
    if given_up and part.verdict in HOLDS:
        return replace(part, verdict=INCONCLUSIVE, says=f"{part.says}; {given_up} trials were given up", power="")
    return part


@paper.claim(
    "000.claim3",
    "in C_NI the number s of leaders falls by the factor 12/11 within O(n^2 / s) expected steps",
    kind="S",
    recorded=SUPPORTED,
    planted=Planted(
        "a leader that fires a dummy keeps its shield (line 9)",
        ("p_rl", "r.bullet, r.shield, r.signal = DUMMY, 0, 0", "r.bullet, r.signal = DUMMY, 0"),
    ),
)
def falling(lab: Lab) -> Outcome:
    """Along executions from all leaders, and from chosen starts: even distances, all shielded, side by side."""
    cases, trials = cases_of(lab), lab.pick(40, 120, 30)
    found = lab.measure(falls, parts=len(cases), protocol="p_rl", cases=cases, trials=trials).parts
    rows = [
        (EXECUTION if len(counts) > 1 else kind, n, s, values)
        for (kind, n, counts), answer in zip(cases, found, strict=True)
        for s, values in zip(counts, answer, strict=True)
        if len(values) > 1
    ]
    parts = []
    for kind in dict.fromkeys(kind for kind, *_ in rows):
        judged = [(held(kind, n, s, values), multiple(n, s, values)) for of, n, s, values in rows if of == kind]
        nearest, _ = max(judged, key=lambda one: (BY_STRENGTH.index(one[0].verdict), one[1]))
        parts.append(replace(nearest, says=f"of {len(judged)} cases the one nearest to the bound: {nearest.says}"))
    for kind in (EXECUTION, "even", "shielded"):
        few = [(n * n / s, values) for of, n, s, values in rows if of == kind and s == FEWEST]
        parts += growth(few, f"{kind}, {FEWEST} leaders, n grows, x = n^2 / s")
    many = [(n * n / s, values) for of, n, s, values in rows if of == "even" and n == GAP * s]
    parts += growth(many, f"even, n / {GAP} leaders, n grows, x = n^2 / s")
    return together(parts, [multiples(rows)])


def growth(rows: Sequence[tuple[float, Sequence[int]]], what: str) -> list[Part]:
    """Too few sizes show no law."""
    if len(rows) < 4:
        return []
    return [grows_at_most(law_of([x for x, _ in rows], [values for _, values in rows]), 1, 0, what)]


def multiple(n: int, s: int, values: Sequence[int]) -> float:
    """The mean as a multiple of n^2 / s."""
    return sum(values) / len(values) * s / n**2


def multiples(rows: Sequence[tuple[str, int, int, Sequence[int]]]) -> str:
    found = [(multiple(n, s, values), kind, n, s) for kind, n, s, values in rows]
    (least, *_), (most, kind, n, s) = min(found), max(found)
    return f"the multiple of n^2 / s is {number(least)} to {number(most)}, the largest for {kind}, n = {n:,}, s = {s:,}"
