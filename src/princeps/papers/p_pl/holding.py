"""How long the leader is kept: Theorem 23's second half.

No run with the printed constants can see the end of it. What can be had: a bound that is certain, from the laws of all
that must go wrong; runs in which nothing ever does; and the whole of it with constants so small that leaders are lost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import hypot, log
from typing import Any

from princeps.analysis.analysis import analyse, prepare
from princeps.analysis.options import AnalysisOptions
from princeps.papers.answers import SweepTrials
from princeps.papers.judging import mean_of, number
from princeps.papers.laboratory import Lab
from princeps.papers.p_pl.laws import log_sum
from princeps.papers.p_pl.paper import paper
from princeps.papers.p_pl.rule import carries, established, proved, resets, shields, sources, spares, trusts
from princeps.papers.p_pl.windows import EDGES, ONE, WAYS, failing, power_of_ten, rarely
from princeps.papers.p_pl.within_tau import SUICIDE
from princeps.papers.pending import EvidenceFailed
from princeps.papers.verdicts import INCONCLUSIVE, NOT_TESTABLE, PROVED, Outcome, Part, together

SMALLEST = {"virus_factor": 1, "emit_factor": 1}
EXACTLY = [(3, 1, "all"), (3, 1, "one_leader_clean"), (3, 2, "one_leader_clean"), (4, 1, "one_leader_clean")]


def exact_holding(part: int, seed: int, *, protocol: str, cases: Sequence[tuple[int, int, str]]) -> dict[str, float]:
    """n, c and a start, with the smallest factors: shortest and mean over the part of S that arises from it."""
    n, c, start = cases[part]
    run, which = prepare(protocol, n, start=start, params={"c": c, **SMALLEST})
    found = analyse(run, which, "s", AnalysisOptions(hold=True, past_target=start != "all"))[0].as_json()
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
    """Mean and error of the steps for which the leader was held; none of the trials may have been cut off."""
    sample = sampled.only.sample("held_steps")
    if not sample.is_complete:
        raise EvidenceFailed(
            f"{len(sample.cut) + sample.never} of {sample.trials} leaders were not lost: {sampled.command}"
        )
    return mean_of(sample.ended)


def factors(short: Mapping[tuple[int, int], SweepTrials]) -> list[tuple[int, int, float, float]]:
    """n, c, and by what one more c multiplies the holding time, with its error."""
    rows = []
    for (n, c), run in short.items():
        if c > 1:
            (mean, error), (before, error_before) = held(run), held(short[n, c - 1])
            rows.append((n, c, mean / before, mean / before * hypot(error / mean, error_before / before)))
    return rows


def factors_text(short: Mapping[tuple[int, int], SweepTrials]) -> str:
    return ", ".join(
        f"{number(factor)} +- {number(error)} (n = {n}, c = {c - 1} to {c})" for n, c, factor, error in factors(short)
    )


@paper.claim(
    "004.T23b",
    "from S the leader is held for Omega(c n^(10c+1)) steps in expectation",
    kind="X, S",
    recorded=NOT_TESTABLE,
    proved_by=proved(carries, resets, trusts, shields, spares, sources),
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
        what = f"n = N = 64 from {start}, {taus} tau a run: the leader is lost within one tau"
        lost = len(found.ended)
        breach = f"a leader lost after {number(found.ended.min())} steps" if lost else ""
        rate = log(ONE.tau) - log(ONE.c) - (10 * ONE.c + 1) * log(ONE.n)  # if the claim is tight
        part = rarely(lost, max(1, total // ONE.tau), rate, what, breach, commands=(sampled.command,))
        parts.append(replace(part, sample=f"{total // ONE.tau:,} times tau in {sampled.only.trials} runs"))
    parts += [_certain(lab), *facts]
    ours = []
    if exact is not None:
        exactly = "; ".join(
            f"{number(found['shortest'])} and {number(found['mean'])} at n = {n}, c = {c}, from {start}"
            for (n, c, start), found in zip(cases, exact.parts, strict=True)
        )
        means = ", ".join(
            f"{number(mean)} +- {number(error)} at n = {n}, c = {c}"
            for (n, c), (mean, error) in ((key, held(run)) for key, run in short.items())
        )
        ours += [
            f"with virus_factor and emit_factor 1, exactly, the shortest and the mean expected time over the "
            f"configurations of S that arise: {exactly}",
            f"by simulation from one_leader_clean: {means}",
            f"so one more c multiplies the holding time there by {factors_text(short)}",
            "what is not shown: no run with the printed constants ends, so that neither the exponent 10c + 1 nor any growth "
            "with n was measured; the bound above is the proof's sum over all ways to fail, with exact laws in place of its "
            "estimates, and the holding times here are those of other constants at n <= 7",
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
        f"the proof evaluated, all ways to lose it within one tau by their laws: at least {power_of_ten(least)} steps, where c n^(10c+1) "
        f"is {power_of_ten(claimed)} (nearest: {one})"
    )
    verdict = PROVED if margin >= 0 else INCONCLUSIVE
    return Part(verdict, says, power_of_ten(least), power_of_ten(claimed), f"{len(rows)} sizes (n, N, c)")
