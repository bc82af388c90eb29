"""Lemma 10: the Tournament, as printed and as repaired."""

from __future__ import annotations

from math import log

from princeps.papers.answers import PointTrials, SweepTrials
from princeps.papers.claims import Planted
from princeps.papers.judging import number, probability_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.p_ll.laws import lg_up, several_left, winners_limit
from princeps.papers.p_ll.paper import paper
from princeps.papers.verdicts import AS_PRINTED, Outcome, Part, readings

REST = 10  # what the proof leaves for the clock, a lottery or an epidemic that fails, in multiples of 1/n


def nonces(m: int) -> int:
    """2^ceil(lg m)."""
    return 1 << lg_up(m)


def decided(lab: Lab, printed: int) -> list[SweepTrials]:
    """Each run to one leader or to the first agent in epoch 3: its leaders there are those whom the Tournament left."""
    quick = {1: {1024: 500, 2048: 3000}, 0: {256: 600, 1024: 800, 4096: 300}}
    wide = {64: 2000, 256: 2000, 1024: 2000, 2048: 2000, 4096: 2000, 16384: 800, 65536: 300}
    plan = lab.pick(quick[printed], wide, {256: 300})
    more = lab.pick({}, {}, {"m": 32})  # a larger m means a smaller bound: a broken Tournament shows at once
    return [lab.sweep("p_ll", n, trials=trials, until="decided", printed=printed, **more) for n, trials in plan.items()]


def left(found: PointTrials) -> int:
    """Trials in which several lead when somebody enters epoch 3."""
    return int((found.leaders > 1).sum())


def judged(runs: list[SweepTrials]) -> list[Part]:
    parts = []
    for run in runs:
        found = run.only
        m = int(found.point.params.get("m") or lg_up(found.n))
        bound = 3 / nonces(m) + REST / found.n
        what = f"n = {found.n:,}: several leaders at epoch 3"
        parts.append(probability_at_most(left(found), found.trials, bound, what, commands=(run.command,)))
    return parts


def shares(runs: list[SweepTrials]) -> str:
    rows = [(run.only.n, left(run.only) / run.only.trials) for run in runs]
    return ", ".join(f"{number(share)} ({number(share * log(n, 2))} / lg n) at n = {n:,}" for n, share in rows)


@paper.claim(
    "003.L10",
    "one leader before anybody enters epoch 3 with probability 1 - O(1/log n): the proof leaves "
    "sum over i >= 2 of i 2^(1-i) / 2^ceil(lg m) = 3 / 2^ceil(lg m), and O(1/n)",
    recorded=AS_PRINTED,
    planted=Planted(
        "nonces are never compared (line 46)",
        ("p_ll", "if a.rand < b.rand:", "if a.rand < b.rand and a.rand < 0:"),
    ),
)
def unique(lab: Lab) -> Outcome:
    mended, printed = decided(lab, 0), decided(lab, 1)
    alone = 1 - winners_limit(1)
    law = {v: several_left(v) for v in (8, 16, 32)}
    ours = [
        f"repaired: {shares(mended)}",
        f"as printed: {shares(printed)}; without a Tournament it would be 1 - 1/(2 ln 2) = {number(alone)}, to which it tends: "
        "two leaders must meet in person, and in epoch 2 they do so with a probability of order log n / n only",
        "sharper than the proof: with v nonces several are left with probability sum P(i winners) P(the largest of i "
        f"nonces is not unique), {', '.join(f'{number(p)} for v = {v}' for v, p in law.items())}, or "
        f"{number(min(p * v for v, p in law.items()))} to {number(max(p * v for v, p in law.items()))} / v instead of 3 / v",
    ]
    return readings(judged(printed), judged(mended), ours)
