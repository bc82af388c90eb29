"""Lemma 1: how long an epidemic in a part of the population takes."""

from __future__ import annotations

from math import ceil, comb, log
from typing import Any

import numpy as np

from princeps.model.reading import make_run
from princeps.papers.claims import Planted
from princeps.papers.judging import exhaustive, fair, number, probability_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.p_ll.laws import ROUNDING, epidemic_bound, epidemic_tails
from princeps.papers.p_ll.paper import paper
from princeps.papers.verdicts import AS_PRINTED, Outcome, Part, readings

MAX_EXPONENT = 16  # the bound is followed from 1 down to e^-16


def factor(n: int, part: int, scaled: bool, times: int = 2) -> int:
    """How many steps the lemma allows for each unit of t; as printed, ceil(n'/n) is 1 for every n' <= n."""
    return times * (ceil(n / part) if scaled else ceil(part / n))


def compared(part: int, seed: int, *, sizes: list[int], scaled: bool, times: int) -> dict[str, Any]:
    """One n, all n' <= n, all t from where the bound is below 1: how often the exact tail is above it, and by how much."""
    n = sizes[part]
    cases = breaches = 0
    worst: tuple[float, int, int] = (0.0, 0, 0)
    for own in range(2, n + 1):
        t = np.arange(1, ceil(n * (log(own) + MAX_EXPONENT)) + 1)
        bound = epidemic_bound(n, own, t)
        tails = epidemic_tails(n, own, len(t), factor(n, own, scaled, times))
        ratios = np.where(bound < 1, tails / bound, 0)
        cases += int((bound < 1).sum())
        breaches += int((ratios > 1 + ROUNDING).sum())
        k = int(ratios.argmax())
        worst = max(worst, (float(ratios[k]), own, k + 1))
    return {"cases": cases, "breaches": breaches, "worst": worst}


def spread(part: int, seed: int, *, protocol: str, n: int, own: int, steps: int, trials: int) -> int:
    """In how many trials an epidemic among `own` of n agents is not complete after this number of steps of the scheduler."""
    run = make_run(protocol, n, seed=seed, trial=part)
    pairs = run.meetings()
    unfinished = 0
    for _ in range(trials):
        infected = [True] + [False] * (own - 1)
        missing, left = own - 1, steps
        while missing and left:
            left -= 1
            i, j = next(pairs)
            if i < own and j < own and infected[i] != infected[j]:
                infected[i] = infected[j] = True
                missing -= 1
        unfinished += missing > 0
    return unfinished


@paper.claim(
    "003.L1",
    "an epidemic in n' of n agents is unfinished after 2 ceil(n/n') t steps with probability at most n' e^(-t/n)",
    kind="X, S",
    recorded=AS_PRINTED,
    planted=Planted("the number of steps does not depend on n' in the repaired reading either", scaled=False),
)
def epidemic(lab: Lab, scaled: bool = True) -> Outcome:
    sizes = lab.pick([*range(2, 33), 48, 64], [*range(2, 65), 80, 96, 128], [2, 3, 4, 5, 8, 16])
    mended = lab.measure(compared, parts=len(sizes), sizes=sizes, scaled=scaled, times=2)
    printed = lab.measure(compared, parts=len(sizes), sizes=sizes, scaled=False, times=2)
    halved = lab.measure(compared, parts=len(sizes), sizes=sizes, scaled=scaled, times=1)
    trials = lab.pick(1500, 8000, 400)
    sampled = {}
    for n, own in ((24, 24), (24, 12), (24, 5)):
        t = ceil(n * (log(own) + 1))
        half = epidemic_half(n, own)
        sampled[n, own, t, half] = [
            lab.measure(spread, parts=2, protocol="epidemic", n=n, own=own, steps=steps, trials=trials // 2)
            for steps in (factor(n, own, scaled) * t, half)
        ]
    parts = [judged(mended.parts, sizes, "with 2 ceil(n/n') t steps")]
    for (n, own, t, half), (at_bound, at_half) in sampled.items():
        bound = float(epidemic_bound(n, own, t))
        total = 2 * (trials // 2)
        parts.append(probability_at_most(sum(at_bound.parts), total, bound, f"n = {n}, n' = {own}, t = {t}, sampled"))
        tail = float(epidemic_tails(n, own, 1, half)[0])
        parts.append(fair(sum(at_half.parts), total, tail, 0.15, f"n = {n}, n' = {own}, unfinished after {half} steps"))
    ours = [f"the exact tail is at most {greatest(mended.parts, sizes)}"]
    if not any(answer["breaches"] for answer in halved.parts):
        ours.append(
            f"half the steps would do at all these sizes: the tail is then at most {greatest(halved.parts, sizes)}"
        )
    return readings([judged(printed.parts, sizes, "with 2 ceil(n'/n) t = 2t steps")], parts, ours)


def greatest(answers: list[dict[str, Any]], sizes: list[int]) -> str:
    (ratio, own, t), n = max((answer["worst"], n) for answer, n in zip(answers, sizes, strict=True))
    return f"{number(ratio)} of the bound, at n = {n}, n' = {own}, t = {t}"


def judged(answers: list[dict[str, Any]], sizes: list[int], what: str) -> Part:
    total = sum(answer["cases"] for answer in answers)
    broken = sum(answer["breaches"] for answer in answers)
    breach = ""
    if broken:
        n, answer = next((n, answer) for n, answer in zip(sizes, answers, strict=True) if answer["breaches"])
        ratio, own, t = answer["worst"]
        breach = f"{number(ratio)} times the bound at n = {n}, n' = {own}, t = {t}"
    span = f"n = {sizes[0]}..{sizes[-1]}, every n', every t with a bound from 1 to e^-{MAX_EXPONENT}"
    return exhaustive(broken, total, f"{what}, {span}", "triples", breach=breach)


def epidemic_half(n: int, own: int) -> int:
    """About the mean number of steps of the whole epidemic: there a wrong tail is seen best."""
    return ceil(sum(comb(n, 2) / (k * (own - k)) for k in range(1, own)))
