"""How often agents meet, how long rounds last, how many states there are: Lemmas 9, 12 and 19, Corollary 13, space."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, log
from typing import Any

import numpy as np

from princeps.model import registry
from princeps.papers.claims import Planted
from princeps.papers.judging import exhaustive, mean_is, number, probability_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.p_pl.laws import Sizes, log_at_least, log_at_most, log_rounds, round_mean
from princeps.papers.p_pl.paper import paper
from princeps.papers.p_pl.windows import SIZES, compared, power_of_ten, rarely
from princeps.papers.verdicts import NOT_TESTABLE, PROVED, SUPPORTED, Outcome, Part, together

MANY_N = (*range(55, 1097), 10**4, 10**6, 10**9)  # all N with ceil(ln N) = 5, 6 and 7, and some larger ones


# -- real interactions -------------------------------------------------------------------------------------------------


def meetings(part: int, seed: int, *, bounds: Sequence[int], within: float, often: bool) -> list[Any]:
    """Over many n, N and c: n P(an agent interacts t_emit / 2 times, or at most t_emit times, within a multiple of tau).

    Exactly, but for the sum over the agents. How many were looked at, those above the claim, and the nearest one, with
    its logarithm and that of the claim.
    """
    found = []
    for N in bounds:
        for n in sorted({55, min(N, 10**4)}):
            for c in (1, 2, 4):
                one = Sizes(n, N, c)
                steps = round(within * one.tau)
                if often:
                    chance, claim = log_at_least(steps, 2 / n, one.t_emit // 2), (1 - 30 * c) * log(N)
                else:
                    chance, claim = log_at_most(steps, 2 / n, one.t_emit), (1 - 900 * c) * log(N)
                found.append((claim - log(n) - chance, log(n) + chance, claim, [n, N, c]))
    above = [where for margin, *_, where in found if margin < 0]
    return [len(found), len(above), min(found)[1:]]


def all_meetings(lab: Lab, within: float, often: bool, what: str) -> tuple[Part, str]:
    bounds = lab.pick(MANY_N, MANY_N, MANY_N[:20])
    cases, above, (chance, claim, (n, N, c)) = lab.measure(meetings, bounds=bounds, within=within, often=often).only
    text = f"at most {power_of_ten(chance)}, claimed {power_of_ten(claim)}, at n = {n}, N = {N}, c = {c}"
    breach = f"{power_of_ten(chance)} instead of {power_of_ten(claim)} at n = {n}, N = {N}, c = {c}"
    return exhaustive(above, cases, what, "sizes (n, N, c)", breach=breach), text


@paper.claim(
    "004.L9",
    "somebody interacts t_emit / 2 times within tau with probability less than N^(-30c+1)",
    kind="X",
    recorded=PROVED,
    planted=Planted("the claim is about 1.3 tau", within=1.3),
)
def not_too_often(lab: Lab, within: float = 1.0) -> Outcome:
    part, nearest = all_meetings(lab, within, True, "n times the exact binomial tail is below the claim")
    return together([part], [f"nearest to the claim: {nearest}"])


@paper.claim(
    "004.L19",
    "somebody interacts at most t_emit times within 5 tau with probability less than N^(-900c+1)",
    kind="X",
    recorded=PROVED,
    planted=Planted("the claim is about 3 tau", within=3.0),
)
def often_enough(lab: Lab, within: float = 5.0) -> Outcome:
    part, nearest = all_meetings(lab, within, False, "n times the exact binomial tail is below the claim")
    return together([part], [f"nearest to the claim: {nearest}"])


# -- rounds ------------------------------------------------------------------------------------------------------------


def ends_of_rounds(pairs: Iterable[tuple[int, int]], n: int, rounds: int) -> list[int]:
    """After how many interactions each of the first rounds is over: in each of them everybody interacts."""
    ends: list[int] = []
    waiting = set(range(n))
    for step, (i, j) in enumerate(pairs, 1):
        waiting.discard(i)
        waiting.discard(j)
        if not waiting:
            ends.append(step)
            if len(ends) == rounds:
                break
            waiting = set(range(n))
    return ends


def round_times(part: int, seed: int, *, n: int, rounds: int, trials: int) -> list[int]:
    """When a number of rounds is over, under the scheduler of the model."""
    rng = np.random.default_rng((seed, part))

    def pairs() -> Iterable[tuple[int, int]]:
        while True:
            first, second = rng.integers(0, n, 4096), rng.integers(0, n - 1, 4096)
            yield from zip(first.tolist(), (second + (second >= first)).tolist(), strict=True)

    return [ends_of_rounds(pairs(), n, rounds)[-1] for _ in range(trials)]


def round_bounds(part: int, seed: int, *, sizes: Sequence[int], longest: int) -> list[Any]:
    """For i = 1..longest rounds: what Lemma 12 claims, and what is certain, as logarithms; the mean of a round."""
    n = sizes[part]
    steps = 2 * n * (1 + ceil(log(n)))
    counts = sorted({*range(1, 20), *range(20, longest + 1, 20)})
    return [round_mean(n), [(i, log(n) - i / 4, log_rounds(n, i, i * steps)) for i in counts]]


@paper.claim(
    "004.L12",
    "i rounds take 2 i n (1 + ceil(ln n)) steps with probability at most n e^(-i/4)",
    kind="X, S",
    recorded=SUPPORTED,
    planted=Planted("the claim is 0.4 i n (1 + ceil(ln n)) steps", factor=0.4),
)
def rounds_end(lab: Lab, factor: float = 2.0) -> Outcome:
    sizes = lab.pick([3, 5, 10, 55, 64, 256, 1024], [*range(3, 65), 128, 256, 1024, 4096], [5, 64])
    certain = lab.measure(round_bounds, parts=len(sizes), sizes=sizes, longest=lab.pick(200, 400, 40))
    n, i = 64, 32
    times = lab.measure(round_times, parts=2, n=n, rounds=i, trials=lab.pick(600, 2500, 100))
    rows = [
        (min(0.0, claimed), found, f"n = {size}, i = {rounds}")
        for size, (_, cases) in zip(sizes, certain.parts, strict=True)
        for rounds, claimed, found in cases
    ]
    parts = [compared(rows, "by the exact law of a round", "pairs (n, i)")]
    values = [value for part in times.parts for value in part]
    limit = factor * i * n * (1 + ceil(log(n)))
    slow = sum(value >= limit for value in values)
    what = f"n = {n}, {i} rounds take {number(limit)} steps"
    parts.append(probability_at_most(slow, len(values), n * np.exp(-i / 4), what))
    parts.append(mean_is(values, i * round_mean(n), 0.02, f"{i} rounds of n = {n} by their exact law"))
    means = [
        (size, mean) for size, (mean, _) in zip(sizes, certain.parts, strict=True) if size in (64, 256, 1024, 4096)
    ]
    ours = [
        "a round takes "
        + ", ".join(f"{number(mean / (size * log(size)))} n ln n steps at n = {size}" for size, mean in means)
        + " in the mean, exactly: a quarter of what the bound allows it, or less"
    ]
    return together(parts, ours)


@paper.claim(
    "004.C13",
    "t_virus rounds take tau steps with probability at most N^(-15c+1)",
    kind="X, S",
    recorded=NOT_TESTABLE,
    planted=Planted("the claim is about a sixth of tau", share=6),
)
def virus_rounds(lab: Lab, share: int = 1) -> Outcome:
    sizes = lab.pick(SIZES, SIZES, SIZES[:4])
    certain = lab.measure(slow_viruses, sizes=sizes, share=share).only
    one = Sizes(64, 64)
    times = lab.measure(round_times, parts=2, n=one.n, rounds=one.t_virus, trials=lab.pick(30, 300, 10))
    rows = [(claimed, found, Sizes(*size)) for claimed, found, size in certain]
    values = [value for part in times.parts for value in part]
    slow = sum(value >= one.tau / share for value in values)
    what = f"{one.t_virus} rounds of n = N = 64 take {number(one.tau / share)} steps"
    breach = f"one of {max(values):,} steps" if slow else ""
    parts = [rarely(slow, len(values), (1 - 15 * one.c) * log(one.N), what, breach)]
    if share == 1:
        parts.append(compared(rows, "by the exact law of a round"))
    mean = one.t_virus * round_mean(one.n)
    ours = [f"t_virus rounds take {number(mean / one.tau)} tau in the mean at n = N = 64, exactly"]
    return together(parts, ours)


def slow_viruses(part: int, seed: int, *, sizes: Sequence[Sequence[int]], share: int) -> list[Any]:
    found = []
    for size in sizes:
        one = Sizes(*size)
        found.append(((1 - 15 * one.c) * log(one.N), log_rounds(one.n, one.t_virus, one.tau // share), list(size)))
    return found


# -- space -------------------------------------------------------------------------------------------------------------


@paper.claim(
    "004.space",
    "4 (t_virus + 1)(t_max + 1)(t_emit + 1) states, O(log log N) bits",
    kind="C",
    recorded=PROVED,
    planted=Planted(
        "timerI counts to t_emit squared",
        ("p_pl", "timerI = Range(lambda p: p.t_emit + 1)", "timerI = Range(lambda p: p.t_emit * p.t_emit + 1)"),
    ),
)
def space(lab: Lab) -> Outcome:
    bounds = [*range(55, 2000), *(10**k for k in range(4, 16))]
    rows = [tuple(row) for row in lab.measure(counted_states, protocol="p_pl", bounds=bounds).only]
    wrong = [(N, c, count) for N, c, count in rows if count != _states(Sizes(55, N, c))]
    breach = "{2:,} states at N = {0}, c = {1}".format(*wrong[0]) if wrong else ""
    counted = exhaustive(len(wrong), len(rows), "the number of states as claimed", "pairs (N, c)", breach=breach)
    beyond = [(log(count, 2) - 5 * log(Sizes(55, N).ln, 2) - 2 * log(c, 2), N, c) for N, c, count in rows]
    most, N, c = max(beyond)
    many = sum(bits > 28 for bits, _, _ in beyond)
    what = "at most 5 log2 ceil(ln N) + 2 log2 c + 28 bits"
    breach = f"{most - 28:.1f} bits more at N = {N}, c = {c}"
    logarithmic = exhaustive(many, len(rows), what, "pairs (N, c)", breach=breach)
    needed = log(rows[-1][2], 2)
    ours = [f"5 log2 ceil(ln N) + 2 log2 c + {most:.2f} bits are enough: {needed:.1f} of them at N = 10^15, c = 8"]
    return together([counted, logarithmic], ours)


def _states(one: Sizes) -> int:
    return 4 * (one.t_virus + 1) * (one.t_emit + 1) ** 2


def counted_states(part: int, seed: int, *, protocol: str, bounds: Sequence[int]) -> list[tuple[int, int, int]]:
    cls: Any = registry.find(protocol)
    return [(N, c, cls(N=N, c=c).state_count) for N in bounds for c in (1, 2, 8)]
