"""How long the leader is kept: Theorem 23's second half.

No run with the printed constants can see the end of it. What can be had: a bound that is certain, from the laws of all
that must go wrong; runs in which nothing ever does; and the whole of it with constants so small that leaders are lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log
from typing import Any

from princeps.analysis.analysis import analyse, prepare
from princeps.analysis.options import ExactOptions
from princeps.papers.answers import SweepTrials
from princeps.papers.judging import mean_of, number, watched
from princeps.papers.laboratory import Lab
from princeps.papers.p_pl.laws import log_sum
from princeps.papers.p_pl.paper import paper
from princeps.papers.p_pl.rule import carries, established, resets, shields, sources, spares, trusts
from princeps.papers.p_pl.windows import EDGES, ONE, WAYS, failing, power_of_ten
from princeps.papers.p_pl.within_tau import SUICIDE
from princeps.papers.verdicts import INCONCLUSIVE, PROVED, SUPPORTED, Outcome, Part, together

SMALLEST = {"virus_factor": 1, "emit_factor": 1}
EXACTLY = [(3, 1, "all"), (3, 1, "one_leader_clean"), (3, 2, "one_leader_clean"), (4, 1, "one_leader_clean")]


def exact_holding(part: int, seed: int, *, protocol: str, cases: Sequence[tuple[int, int, str]]) -> dict[str, float]:
    """n, c and a start, with the smallest factors: shortest and mean over the part of S that arises from it."""
    n, c, start = cases[part]
    run, which = prepare(protocol, n, start=start, params={"c": c, **SMALLEST})
    found = analyse(run, which, "s", ExactOptions(hold=True, past_target=start != "all"))[0].as_json()
    return {"shortest": found["holding"]["shortest"], "mean": found["holding"]["mean"]}


def losing(lab: Lab) -> dict[tuple[int, int], SweepTrials]:
    """Holding times with the smallest factors, by n and c: all of them end."""
    wanted = lab.pick({3: (1, 2, 3), 5: (1, 2), 7: (1, 2)}, {3: (1, 2, 3), 4: (1, 2, 3), 5: (1, 2, 3), 7: (1, 2, 3)})
    options: dict[str, Any] = SMALLEST
    return {
        (n, c): lab.sweep(
            "p_pl",
            n,
            trials=lab.pick(60, 100),
            start="one_leader_clean",
            until="s",
            hold=True,
            max_steps=10**9,
            c=c,
            **options,
        )
        for n, several in wanted.items()
        for c in several
    }


def held(sampled: SweepTrials) -> tuple[float, float]:
    """Mean and error of the steps for which the leader was held."""
    return mean_of(sampled.only.sample("held_steps").ended)


@paper.claim(
    "004.T23b",
    "from S the leader is held for Omega(c n^(10c+1)) steps in expectation",
    kind="X, S",
    recorded=SUPPORTED,
    planted=SUICIDE,
)
def holding(lab: Lab) -> Outcome:
    facts = established(lab, carries, resets, trusts, shields, spares, sources)
    taus = lab.pick(12, 40, 6)
    kept = [
        lab.sweep("p_pl", 64, trials=lab.pick(12, 100, 6), start=start, until="s", hold=True, max_steps=taus * ONE.tau)
        for start in EDGES
    ]
    short = losing(lab) if lab.effort != "sketch" else {}
    cases = lab.pick(EXACTLY, [*EXACTLY, (5, 1, "one_leader_clean")])
    exact = lab.measure(exact_holding, parts=len(cases), protocol="p_pl", cases=cases) if short else None
    parts = []
    for start, sampled in zip(EDGES, kept, strict=True):
        found = sampled.only.sample("held_steps")
        total = int(found.ended.sum() + found.cut.sum())
        what = f"n = N = 64 from {start}: the leader is held for {taus} tau"
        lost = len(found.ended)
        breach = f"a leader lost after {number(found.ended.min())} steps" if lost else ""
        part = watched(lost, max(1, total // ONE.tau), total, what, breach=breach, commands=(sampled.command,))
        parts.append(replace(part, bound=total / (ONE.c * ONE.n ** (10 * ONE.c + 1))))  # losses if the claim is tight
    parts += [_certain(lab), *facts]
    ours = []
    if exact is not None:
        factors = [held(run)[0] / held(short[n, c - 1])[0] for (n, c), run in short.items() if c > 1]
        exactly = "; ".join(
            f"{number(found['shortest'])} and {number(found['mean'])} at n = {n}, c = {c}, from {start}"
            for (n, c, start), found in zip(cases, exact.parts, strict=True)
        )
        means = ", ".join(f"{number(held(run)[0])} at n = {n}, c = {c}" for (n, c), run in short.items())
        ours += [
            f"with virus_factor and emit_factor 1, exactly, the shortest and the mean expected time over the "
            f"configurations of S that arise: {exactly}",
            f"by simulation from one_leader_clean: {means}",
            f"so one more c multiplies the holding time by {number(min(factors))} to {number(max(factors))} there",
        ]
    return together(parts, ours)


def _certain(lab: Lab) -> Part:
    """E >= (1 - p)(tau + E), where one tau from S fails with probability p."""
    rows = []
    for one, logs in failing(lab):
        least = log(one.tau) - log_sum(*(logs[way] for way in WAYS))
        claimed = log(one.c) + (10 * one.c + 1) * log(one.n)
        rows.append((least - claimed, least, claimed, one))
    margin, least, claimed, one = min(rows, key=lambda row: row[0])
    says = (
        f"all ways to lose it within one tau, by their laws: at least {power_of_ten(least)} steps, where c n^(10c+1) "
        f"is {power_of_ten(claimed)} (nearest: {one})"
    )
    verdict = PROVED if margin >= 0 else INCONCLUSIVE
    return Part(verdict, says, power_of_ten(least), power_of_ten(claimed), f"{len(rows)} sizes (n, N, c)")
