"""Claims about QuickElimination: the lottery, and who survives it."""

from __future__ import annotations

from fractions import Fraction
from math import floor, log
from typing import Any

import numpy as np

from princeps.engines.population import StopCondition
from princeps.engines.simulate import make_population
from princeps.model.reading import trials_of
from princeps.papers.answers import Measurement
from princeps.papers.claims import Planted
from princeps.papers.judging import exhaustive, fair, number, probability_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.p_ll.laws import ROUNDING, winners, winners_exactly, winners_limit
from princeps.papers.p_ll.paper import paper
from princeps.papers.verdicts import SUPPORTED, Outcome, together

MAX_SURVIVORS = 8  # survivors, one by one; more of them are too rare for a sample
MIN_ALLOWED_TRIALS = 45  # trials that the bound allows: fewer cannot tell the truth from it, at whatever seed


def played(part: int, seed: int, *, n: int, trials: int, head: float) -> list[int]:
    """How many of n players win, in each trial: coins are tossed by numpy's generator."""
    rng = np.random.default_rng((seed, part))
    found = []
    for _ in range(trials):
        tosses = rng.geometric(1 - head, n)  # up to and with the first tail
        found.append(int((tosses == tosses.max()).sum()))
    return found


@paper.claim(
    "003.game",
    "exactly i >= 2 players win the lottery with probability at most 2^(1-i)",
    kind="X, S",
    recorded=SUPPORTED,
    planted=Planted("the coin shows head with probability 1/5", head="1/5"),
)
def game(lab: Lab, head: str = "1/2") -> Outcome:
    coin = Fraction(head)
    n, trials = 1000, lab.pick(10_000, 100_000, 2000)
    sample = lab.measure(played, parts=2, n=n, trials=trials // 2, head=float(coin))
    small, large = lab.pick(48, 100, 20), lab.pick((200, 500, 1000), (200, 500, 1000, 2000, 5000), (200,))
    law = winners_exactly(small, coin)
    pairs = [(own, i) for own in range(2, small + 1) for i in range(2, own + 1)]
    wrong = [(own, i) for own, i in pairs if law[own][i] > Fraction(2) ** (1 - i)]
    breach = (
        f"{number(float(law[wrong[0][0]][wrong[0][1]]))} for i = {wrong[0][1]} of n = {wrong[0][0]}" if wrong else ""
    )
    parts = [exhaustive(len(wrong), len(pairs), f"n = 2..{small}, every i, in fractions", "pairs n, i", breach=breach)]
    more = [(own, i, winners(own, i, float(coin))) for own in large for i in range(2, 41)]
    over = [row for row in more if row[2] * (1 + ROUNDING) > 2.0 ** (1 - row[1])]
    what = f"n = {', '.join(map(str, large))}, i = 2..40, summed"
    breach = f"{number(over[0][2])} for i = {over[0][1]} of n = {over[0][0]}" if over else ""
    parts.append(exhaustive(len(over), len(more), what, "pairs n, i", breach=breach))
    won = together_of(sample)
    for i in range(2, 6):
        parts.append(
            probability_at_most(int((won == i).sum()), len(won), 2.0 ** (1 - i), f"n = {n}, {i} winners, tossed")
        )
    alone = int((won == 1).sum())
    parts.append(fair(alone, len(won), winners(n, 1, float(coin)), 0.05, f"n = {n}, one winner, against the exact law"))
    ours = []
    sharp = all(law[own][i] * (2**i - 1) <= 1 for own, i in pairs)
    if sharp:
        ours.append(
            f"1/(2^i - 1) is a bound, too, for all n <= {small}, and it is met where n = i: the best bound for all n"
        )
        last = large[-1]
        text = ", ".join(f"{number(winners(last, i))} for i = {i}" for i in (1, 2, 3, 4))
        ours.append(f"for many players the law swings about 1/(i 2^i ln 2), by about 1e-5: at n = {last:,}, {text}")
    return together(parts, ours)


def left_after(part: int, seed: int, *, protocol: str, n: int, steps: int, trials: int) -> list[int]:
    """Leaders after this number of steps; where one is left before that, it is left then."""
    run = trials_of(protocol, n, seed=seed, until="leader")
    found = []
    for k in range(part * trials, (part + 1) * trials):
        population = make_population(run(k))
        population.advance_exactly(steps, StopCondition.GOAL)
        found.append(population.leaders)
    return found


def survivors(lab: Lab) -> dict[int, Measurement]:
    """Of QuickElimination, for each n."""
    plan = lab.pick({64: 6000, 256: 4000, 1024: 2000}, {64: 40_000, 256: 30_000, 1024: 20_000, 4096: 8000}, {256: 1000})
    return {
        n: lab.measure(left_after, parts=4, protocol="p_ll", n=n, steps=floor(21 * n * log(n)), trials=trials // 4)
        for n, trials in plan.items()
    }


def together_of(measured: Measurement) -> Any:
    return np.array([value for answer in measured.parts for value in answer])


@paper.claim(
    "003.L9",
    "after floor(21 n ln n) steps exactly i >= 2 lead with probability below 2^(1-i) + eps_i, the eps_i together O(1/n)",
    recorded=SUPPORTED,
    planted=Planted(
        "nobody relays the largest level (line 41)", ("p_ll", "a.levelQ = b.levelQ  # 41", "a.levelQ = a.levelQ  # 41")
    ),
)
def eliminated(lab: Lab) -> Outcome:
    runs = survivors(lab)
    parts = []
    for n, run in runs.items():
        leaders = together_of(run)
        for i in range(2, MAX_SURVIVORS + 1):
            if len(leaders) * 2.0 ** (1 - i) < MIN_ALLOWED_TRIALS:
                break
            events = int((leaders == i).sum())
            what = f"n = {n:,}, {i} survivors, with eps = 0"
            parts.append(probability_at_most(events, len(leaders), 2.0 ** (1 - i), what))
        alone = int((leaders == 1).sum())
        parts.append(fair(alone, len(leaders), winners_limit(1), 0.08, f"n = {n:,}, one survivor, against 1/(2 ln 2)"))
    shares = ", ".join(f"{number(float((leaders == i).mean()))} for i = {i}" for i in (1, 2, 3, 4))
    exact = ", ".join(number(winners_limit(i)) for i in (1, 2, 3, 4))
    ours = [f"at n = {n:,}: {shares}; the lottery's limit 1/(i 2^i ln 2) is {exact}: eps is not needed"]
    return together(parts, ours)
