"""How an epidemic spreads, and what its virtual agents take part in: Lemmas 4 and 5."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, log
from typing import Any

import numpy as np

from princeps.papers.claims import Planted
from princeps.papers.judging import exhaustive, fair, mean_is, number
from princeps.papers.laboratory import Lab
from princeps.papers.p_pl.laws import log_sum, log_virtual, unfinished, virtual_law
from princeps.papers.p_pl.paper import paper
from princeps.papers.p_pl.windows import compared, power_of_ten
from princeps.papers.verdicts import SUPPORTED, Outcome, together


def harmonic(n: int) -> float:
    return sum(1 / k for k in range(1, n + 1))


# -- epidemics ---------------------------------------------------------------------------------------------------------


def epidemic_cases(part: int, seed: int, *, sizes: Sequence[int]) -> list[Any]:
    """For all t up to where the bound is 10^-9: how many, those above the bound, the worst; steps to miss with 1/n."""
    n = sizes[part]
    last = ceil(n * log(n * 1e9))
    chance = unfinished(n, 2 * last)[2::2]
    bound = n * np.exp(-np.arange(1, last + 1) / n)
    ratios = chance / np.minimum(bound, 1)
    worst = int(ratios.argmax())
    needed = 2 * (int(np.argmax(chance <= 1 / n)) + 1)
    return [last, int((chance > bound).sum()), [worst + 1, float(chance[worst]), float(bound[worst])], needed]


@paper.claim(
    "004.L4",
    "an epidemic has not reached everybody after 2t steps with probability at most n e^(-t/n)",
    kind="X, S",
    recorded=SUPPORTED,
    planted=Planted(
        "only the initiator infects",
        ("epidemic", "            a.infected = 1", "            a.infected = 0"),
    ),
)
def epidemic(lab: Lab) -> Outcome:
    sizes = lab.pick([*range(2, 65), 128, 256, 512], [*range(2, 129), 256, 512, 1024], [4, 64])
    found = lab.measure(epidemic_cases, parts=len(sizes), sizes=sizes)
    n, trials = 64, lab.pick(2000, 20_000, 1500)
    sampled = lab.sweep("epidemic", n, trials=trials, until="complete")
    cases, above = sum(row[0] for row in found.parts), sum(row[1] for row in found.parts)
    breach = next((f"n = {size}, t = {row[2][0]}" for size, row in zip(sizes, found.parts, strict=True) if row[1]), "")
    what = f"the exact probability, n = {sizes[0]}..{sizes[-1]}"
    parts = [exhaustive(above, cases, what, "pairs (n, t)", breach=breach)]
    steps, commands = sampled.only.steps, (sampled.command,)
    exact = unfinished(n, 400)[-1]
    late = int((steps > 400).sum())
    parts.append(fair(late, trials, float(exact), 0.1, f"unfinished after 400 steps, n = {n}", commands=commands))
    expected = (n - 1) * harmonic(n - 1)
    parts.append(mean_is(steps, expected, 0.06, f"steps at n = {n}, expected (n-1) H(n-1)", commands=commands))
    n, needed = sizes[-1], found.parts[-1][3]
    allowed = 2 * ceil(2 * n * log(n))
    ours = [
        f"at n = {n} a chance of 1/n to miss somebody is left after {needed:,} steps, exactly; the bound needs "
        f"{allowed:,}: {number(allowed / needed)} times as many"
    ]
    return together(parts, ours)


# -- virtual agents ----------------------------------------------------------------------------------------------------


def wear(pairs: Iterable[tuple[int, int]], root: int) -> dict[int, int]:
    """Interactions of the virtual agents of all whom an epidemic from the root has reached after these pairs.

    A virtual agent is at its agent's ancestors before, so that whoever is infected takes over what its parent has.
    """
    worn = {root: 0}
    for i, j in pairs:
        known = [k for k in (i, j) if k in worn]
        if known:
            after = {k: worn[k if k in worn else known[0]] + 1 for k in (i, j)}
            worn.update(after)
    return worn


def virtual_runs(part: int, seed: int, *, n: int, t: int, trials: int) -> list[int]:
    """Of agent 1, the root being agent 0: its virtual agent's interactions in t steps, where all are infected then."""
    rng = np.random.default_rng((seed, part))
    rows = np.arange(trials)
    worn = np.full((trials, n), -1)  # not infected
    worn[:, 0] = 0
    for _ in range(t):
        i, j = rng.integers(0, n, trials), rng.integers(0, n - 1, trials)
        j += j >= i
        a, b = worn[rows, i], worn[rows, j]
        either = (a >= 0) | (b >= 0)
        worn[rows, i] = np.where(either, np.where(a >= 0, a, b) + 1, -1)
        worn[rows, j] = np.where(either, np.where(b >= 0, b, a) + 1, -1)
    found: list[int] = worn[(worn >= 0).all(axis=1), 1].tolist()
    return found


FACTORS = ((3, 3, 6), (3, 5, 6), (5, 3, 7), (6, 6, 8))  # d, d', d''


def thresholds(n: int, t: int, scale: float = 1.0) -> list[tuple[float, float]]:
    """Lemma 5: the number of interactions, with at most this probability (as a logarithm), for both inequalities."""
    found = []
    for d, d1, d2 in FACTORS:
        most = 4 * d * ceil(log(n, 2)) + 2 * d1 * harmonic(n)
        chances = -d * log(n), -d1 * log(n)
        found.append((scale * (most + 4 * d2 * t / n), log_sum(*chances, -2 * d2 * t / n)))
        found.append((scale * (most + 8 * t / n), log_sum(*chances, -4 * t / (3 * n))))
    return found


def virtual_cases(part: int, seed: int, *, cases: Sequence[tuple[int, int]], scale: float) -> list[Any]:
    """Exactly, at n and t: each claim of Lemma 5 with the probability itself, both as logarithms; the mean."""
    n, t = cases[part]
    law, _ = virtual_law(n, t)
    tails = np.append(law[::-1].cumsum()[::-1], 0.0)
    found = []
    for most, claimed in thresholds(n, t, scale):
        tail = float(tails[min(ceil(most), t + 1)])
        found.append((claimed, log(tail) if tail > 0 else -1e9))
    return [found, float(law @ np.arange(t + 1))]


def virtual_bounds(part: int, seed: int, *, cases: Sequence[tuple[int, int]]) -> list[Any]:
    """As virtual_cases, with a bound that is certain in place of the probability."""
    return [
        (claimed, log_virtual(n, t, most), f"n = {n}, t = {t}") for n, t in cases for most, claimed in thresholds(n, t)
    ]


@paper.claim(
    "004.L5",
    "a virtual agent takes part in O(log n) interactions while t is O(n log n), both tails with their constants",
    kind="X, S",
    recorded=SUPPORTED,
    planted=Planted("the bounds are an eighth of what they are", scale=1 / 8),
)
def virtual_agents(lab: Lab, scale: float = 1.0) -> Outcome:
    times: Any = lambda n: [n - 1, ceil(n * log(n)), ceil(3 * n * log(n))]  # noqa: E731
    small = [(n, t) for n in lab.pick([3, 8, 16, 32, 64], [3, 8, 16, 32, 64, 128], [8, 16]) for t in times(n)]
    large = [(n, k * t) for n in (55, 256, 1024, 10**4, 10**5) for t in times(n) for k in (1, 4)]
    n, t = 32, ceil(3 * 32 * log(32))
    exact = lab.measure(virtual_cases, parts=len(small), cases=small, scale=scale)
    certain = lab.measure(virtual_bounds, cases=large)
    runs = lab.measure(virtual_runs, parts=2, n=n, t=t, trials=lab.pick(4000, 40_000, 2000))
    law = lab.measure(virtual_cases, cases=[(n, t)], scale=1.0)
    judged = [(claimed, found) for claims, _ in exact.parts for claimed, found in claims]
    above = sum(found > claimed for claimed, found in judged)
    parts = [
        exhaustive(above, len(judged), f"the exact tail is below the bound, n <= {small[-1][0]}", "cases (n, t, d)")
    ]
    parts.append(compared(certain.only, "larger n", "cases (n, t, d)"))
    values = [value for part in runs.parts for value in part]
    parts.append(mean_is(values, law.only[1], 0.02, f"interactions of a virtual agent, n = {n}, t = {t}, exact law"))
    (n, t), (claims, mean) = small[-1], exact.parts[-1]
    most = thresholds(n, t)[1][0]
    claimed, found = map(power_of_ten, claims[1])
    ours = [
        "given when the infections happen, the number of interactions is a sum of independent coins: 2/(m+1) at the "
        "infection that follows m, (m-1)/(C(m,2) + C(n-m,2)) at a step that infects nobody; so its law is known",
        f"at n = {n}, t = {t}: {number(mean)} interactions in the mean, and the second bound with d = d' = 3 is "
        f"{number(most)}; beyond it lies {found}, where {claimed} is claimed",
    ]
    return together(parts, ours)
