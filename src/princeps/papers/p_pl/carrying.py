"""What virtual agents carry, and to whom: Lemma 6 and Corollary 8."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, exp, log
from typing import Any

import numpy as np

from princeps.engines.simulate import make_population
from princeps.model.reading import make_run
from princeps.papers.answers import Measurement, law_of
from princeps.papers.claims import Planted
from princeps.papers.judging import number, probability_at_least, probability_at_most
from princeps.papers.judging_growth import grows_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.measures import go
from princeps.papers.p_pl.laws import Sizes, log_sum, log_unfinished, log_virtual
from princeps.papers.p_pl.paper import paper
from princeps.papers.p_pl.rule import carried, carries, established, proved
from princeps.papers.p_pl.spreading import thresholds
from princeps.papers.p_pl.windows import compared
from princeps.papers.verdicts import SUPPORTED, Outcome, together


def faintest(
    part: int, seed: int, *, protocol: str, cases: Sequence[tuple[int, int]], trials: int
) -> list[tuple[int, int]]:
    """n and steps: t_virus and the smallest virus of all agents then, from one agent with a new virus."""
    n, steps = cases[part]
    found = []
    for trial in range(trials):
        run = make_run(protocol, n, start="one_virus", seed=seed, trial=part * trials + trial)
        population = make_population(run)
        go(population, steps)
        virus = list(run.protocol.fields).index("virus")
        full = run.protocol.constants.as_dict()["t_virus"]
        found.append((full, min(population.state(agent)[virus] for agent in range(n))))
    return found


def carried_far(part: int, seed: int, *, sizes: Sequence[int]) -> list[Any]:
    """Lemma 6 in numbers, where it says something: claimed and certain, as logarithms."""
    found = []
    for n in sizes:
        for multiple in (1.2, 1.5, 2, 3, 6, 12):
            t = ceil(multiple * n * log(n))
            missed = log_unfinished(n, 2 * t)
            for most, claimed in thresholds(n, 2 * t):
                together_claimed = log(n) + log_sum(claimed, -t / n)
                if together_claimed < 0:
                    worn = log(n) + log_virtual(n, 2 * t, most)
                    found.append((together_claimed, log_sum(missed, worn), f"n = {n}, t = {t}"))
    return found


def spread(lab: Lab) -> tuple[list[int], Measurement]:
    """4 n ln n steps after one agent got a new virus."""
    sizes = lab.pick([64, 256, 1024, 4096, 16384], [64, 128, 256, 512, 1024, 4096, 16384], [64, 128, 256])
    cases = [(n, 2 * ceil(2 * n * log(n))) for n in sizes]
    return sizes, lab.measure(faintest, parts=len(cases), protocol="p_pl", cases=cases, trials=lab.pick(12, 60, 6))


@paper.claim(
    "004.L6",
    "a value reaches everybody within O(n log n) steps at a loss of O(log n), with the constants of the lemma",
    kind="P, X, S",
    recorded=SUPPORTED,
    proved_by=proved(carries),
    planted=Planted(
        "a virus loses half its value in a meeting (line 4)",
        ("p_pl", "max(a0.virus - 1, a1.virus - 1, 0)", "max(a0.virus, a1.virus) // 2"),
    ),
)
def propagation(lab: Lab) -> Outcome:
    certain = lab.measure(carried_far, sizes=[55, 64, 256, 1024, 10**4])
    walked, facts = carried(lab), established(lab, carries)
    n, t = 64, ceil(1.6 * 64 * log(64))
    trials = lab.pick(120, 2000, 60)
    cases = [(n, 2 * t)] * 2
    drops = lab.measure(faintest, parts=2, protocol="p_pl", cases=cases, trials=trials)
    sizes, wide = spread(lab)
    most, claimed = thresholds(n, 2 * t)[1]
    low = [full - least for part in drops.parts for full, least in part]
    chance = exp(log(n) + log_sum(claimed, -t / n))
    what = f"n = {n}, t = {t}: somebody's virus has lost {number(most)} or more after 2t steps"
    parts = [probability_at_most(sum(drop >= most for drop in low), len(low), chance, what)]
    parts.append(compared(certain.only, "misses and worn values by their laws", "cases (n, t, d)"))
    parts += [walked, *facts]
    losses = [[full - least for full, least in part] for part in wide.parts]
    fit = law_of(sizes, losses)
    parts.append(grows_at_most(fit, 0, 1, "the largest loss 4 n ln n steps after one agent got a new virus"))
    means = [float(np.mean(loss)) / log(n) for n, loss in zip(sizes, losses, strict=True)]
    ours = [
        f"4 n ln n steps later the largest loss is {number(means[0])} ln n at n = {sizes[0]} and {number(means[-1])} "
        f"ln n at n = {sizes[-1]:,}, where the lemma allows {number(most / log(64))} ln n"
    ]
    return together(parts, ours)


@paper.claim(
    "004.C8",
    "a new virus is with everybody after 4 n ceil(ln N) steps with probability 1 - 2/n",
    kind="X, S",
    recorded=SUPPORTED,
    planted=Planted(
        "viruses live for 2 ceil(ln N) meetings",
        ("p_pl", "virus_factor = Param(min=1, default=60", "virus_factor = Param(min=1, default=2"),
    ),
)
def everyone_infected(lab: Lab) -> Outcome:
    sizes = lab.pick([64], [64, 128, 256], [64])
    cases = [(n, 4 * n * Sizes(n, n).ln) for n in sizes for _ in range(SHARES)]
    found = lab.measure(faintest, parts=len(cases), protocol="p_pl", cases=cases, trials=lab.pick(130, 500, 10))
    certain = lab.measure(virus_numbers, sizes=[55, 64, 256, 1024, 10**4, 10**6])
    parts = [compared(certain.only, "misses and worn viruses by their laws", "sizes n = N")]
    for k, n in enumerate(sizes):
        values = [least for part in found.parts[SHARES * k : SHARES * (k + 1)] for _, least in part]
        what = f"n = N = {n}: everybody infected after {4 * n * Sizes(n, n).ln:,} steps"
        parts.append(probability_at_least(sum(value > 0 for value in values), len(values), 1 - 2 / n, what))
    least = min(value for part in found.parts[:SHARES] for _, value in part)
    ours = [f"at n = 64 the faintest of all viruses then still has {least} of its {found.parts[0][0][0]} meetings"]
    return together(parts, ours)


SHARES = 4  # parts into which the trials of one size are split


def virus_numbers(part: int, seed: int, *, sizes: Sequence[int]) -> list[Any]:
    found = []
    for n in sizes:
        one = Sizes(n, n)
        steps = 4 * n * one.ln
        logs = log_unfinished(n, steps), log(n) + log_virtual(n, steps, one.t_virus)
        found.append((log(2 / n), log_sum(*logs), f"n = N = {n}"))
    return found
