"""Theorem 1 and Lemma 3: how long P_LL takes, and how many states it has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log
from typing import Any

from princeps.model import registry
from princeps.papers.answers import PointTrials, SweepTrials
from princeps.papers.claims import Planted, ProvedBy
from princeps.papers.judging import exhaustive, mean_of, number, watched
from princeps.papers.judging_growth import grows_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.p_ll.clock import parallel
from princeps.papers.p_ll.laws import lg_up, rounds, winners_limit
from princeps.papers.p_ll.paper import paper
from princeps.papers.p_ll.steps import walked
from princeps.papers.p_ll.watchers import InitIsEpoch
from princeps.papers.sources import place_of
from princeps.papers.verdicts import HOLDS, PROVED, SUPPORTED, VIOLATED, Outcome, Part, readings, together
from princeps.papers.walks import joined

QUICK = {64: 400, 256: 400, 1024: 400, 4096: 400, 16384: 400}  # n, and how many trials
FULL = {64: 1500, 256: 1500, 1024: 1500, 4096: 1500, 16384: 1000, 65536: 500, 262144: 100}
QUICK_AS_PRINTED = {2048: 150, 4096: 150, 8192: 150}
FULL_AS_PRINTED = {2048: 2000, 4096: 2000, 16384: 1500, 65536: 800, 262144: 150, 1 << 20: 40}
SOON = 10  # lg n: colours change near 17 lg n
SKETCH = {128: 25, 512: 25, 2048: 25}


# After a lottery among very many: several leaders are left; and the rounds of BackUp that they then need without a
# Tournament, on the average over all runs. The first of these rounds comes with the second colour, so that k rounds end
# with colour k + 1: on the average over all runs at SEVERAL + ROUNDS times a colour. Runs that the lottery decides, a share
# of 1 - SEVERAL, take as long as it does.
SEVERAL = 1 - winners_limit(1)
ROUNDS = sum(winners_limit(i) * rounds(i) for i in range(2, 60))


def ticking(lab: Lab) -> SweepTrials:
    return lab.sweep("p_ll", lab.pick(4096, 16384, 256), trials=30, until="first_color_1")


def beat_of(clock: SweepTrials) -> float:
    """Parallel time from colour to colour, in multiples of lg n."""
    return float(clock.only.steps.mean()) / clock.only.n / log(clock.only.n, 2)


def decided_by_lottery(found: PointTrials) -> float:
    """Mean parallel time of the runs that end long before the first colour, in multiples of lg n."""
    times = found.steps / found.n / log(found.n, 2)
    return float(times[times < SOON].mean())


def printed_limit(clock: SweepTrials, found: PointTrials) -> float:
    """Where the time as printed levels off, in multiples of lg n: reckoned, from the clock and the lottery as measured."""
    return beat_of(clock) * (SEVERAL + ROUNDS) + (1 - SEVERAL) * decided_by_lottery(found)


def timed(lab: Lab, printed: int) -> list[SweepTrials]:
    """Time to one leader. As printed only from n = 2^11 on: below, leaders meet in person before epoch 3 begins."""
    plan = lab.pick(QUICK_AS_PRINTED, FULL_AS_PRINTED, SKETCH) if printed else lab.pick(QUICK, FULL, SKETCH)
    return [lab.sweep("p_ll", n, trials=trials, until="leader", printed=printed) for n, trials in plan.items()]


def multiples(found: Iterable[PointTrials]) -> list[tuple[int, float, float]]:
    """n, and the mean parallel time with its standard error, in multiples of lg n."""
    rows = [(one.n, mean_of(one.steps)) for one in found]
    return [(n, mean / n / log(n, 2), error / n / log(n, 2)) for n, (mean, error) in rows]


def constants(found: Iterable[PointTrials]) -> str:
    return ", ".join(f"{number(mean)} +- {number(error)} at n = {n:,}" for n, mean, error in multiples(found))


def growth(runs: Sequence[SweepTrials], what: str) -> Part:
    return grows_at_most(parallel(runs), 0, 1, what, commands=tuple(run.command for run in runs))


@paper.claim(
    "003.T1",
    "one leader within O(log n) parallel time in expectation",
    recorded=SUPPORTED,
    planted=Planted(
        "leaders fall only where two of them meet: levels and nonces are not compared (lines 39, 46, 53)",
        ("p_ll", "if a.levelQ < b.levelQ:", "if a.levelQ < 0:"),
        ("p_ll", "if a.rand < b.rand:", "if a.rand < 0:"),
        ("p_ll", "if a.levelB < b.levelB:", "if a.levelB < 0:"),
    ),
)
def logarithmic(lab: Lab) -> Outcome:
    mended, printed = timed(lab, 0), timed(lab, 1)
    clock = ticking(lab)
    repaired, as_printed = growth(mended, "until leader, x = n"), growth(printed, "until leader, x = n")
    ours = [
        f"repaired, the mean is, in multiples of lg n: {constants(run.only for run in mended)}",
        f"as printed: {constants(run.only for run in printed)}",
    ]
    if as_printed.verdict != VIOLATED and lab.effort != "sketch":
        decided = {SUPPORTED: "and this sample bears it out"}.get(
            as_printed.verdict, "which this sample alone does not decide"
        )
        ours.append(
            "as printed the Tournament decides nothing in large populations. By our reckoning nothing is lost but a constant, "
            f"{decided}: {reckoning(clock, mended[-1].only)}. Where n is below 2^11 the multiple still rises, because leaders "
            "meet in person before epoch 3"
        )
    return readings([as_printed], [repaired], ours)


def reckoning(clock: SweepTrials, found: PointTrials) -> str:
    """How the limit is derived, with its numbers."""
    return (
        f"the lottery leaves one leader with probability 1/(2 ln 2) = {number(1 - SEVERAL)}, after "
        f"{number(decided_by_lottery(found))} lg n on the average; else i >= 2 of them with 1/(i 2^i ln 2), who need "
        f"{number(ROUNDS / SEVERAL)} rounds of BackUp on the average, the first with the second colour; a colour comes every "
        f"{number(beat_of(clock))} lg n, so that the mean tends to {number(beat_of(clock))} ({number(SEVERAL)} + "
        f"{number(ROUNDS)}) + {number(1 - SEVERAL)} * {number(decided_by_lottery(found))} = "
        f"{number(printed_limit(clock, found))} lg n"
    )


def counted_states(part: int, seed: int, *, protocol: str, values: list[int]) -> list[tuple[int, int | None]]:
    cls: Any = registry.find(protocol)
    return [(m, cls(m=m).state_count) for m in values]


@paper.claim(
    "003.L3",
    "O(log n) states",
    kind="C",
    recorded=PROVED,
    proved_by=ProvedBy("p_ll", "groups", "init"),
    planted=Planted(
        "levels of BackUp and nonces side by side, and init is never set (line 14)",
        ("p_ll", '3: {"levelB": levels}}', '3: {"levelB": levels, "rand": range(2 * p.nonce)}}'),
        ("p_ll", "a.init = a.epoch  # 14", "a.init = a.init  # 14"),
    ),
)
def states(lab: Lab) -> Outcome:
    counts = lab.measure(counted_states, protocol="p_ll", values=[*range(1, 65), 100, 1000]).only
    walks = walked(lab)
    wrong = [(m, count) for m, count in counts if count != 1968 * m + 24 * 2 ** lg_up(m) + 24]
    over = [m for m, count in counts if count is None or count > 2040 * m]
    breach = f"{wrong[0][1]} states at m = {wrong[0][0]}" if wrong else ""
    parts = [
        exhaustive(
            len(wrong), len(counts), "exactly 1968 m + 24 2^ceil(lg m) + 24 states", "values of m", breach=breach
        ),
        exhaustive(len(over), len(counts), "at most 2040 m states", "values of m"),
    ]
    ours = ["the number of legal states is exactly 1968 m + 24 2^ceil(lg m) + 24, at most 2040 m"]
    unneeded = watched(
        **joined(walks.parts, place_of(InitIsEpoch)), what="init is epoch after every interaction", least=100
    )
    if unneeded.verdict in HOLDS:
        ours.append(
            f"{unneeded.says} ({unneeded.sample}), so that init need not be kept and 1107 m + 12 2^ceil(lg m) + 13 "
            "states are enough"
        )
    return together(parts, ours)
