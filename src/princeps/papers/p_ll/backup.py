"""Claims about BackUp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, comb, exp, log, log1p
from typing import Any

from princeps.engines.simulate import make_population
from princeps.model.reading import make_run, trials_of
from princeps.papers.answers import PointTrials, SweepTrials
from princeps.papers.claims import Planted
from princeps.papers.judging import mean_at_most, mean_is, mean_of, number, probability_at_least, probability_at_most
from princeps.papers.judging_growth import grows_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.measures import go
from princeps.papers.p_ll.clock import EXPECTED_BREACHES, c_max, late, parallel, timed
from princeps.papers.p_ll.laws import backup_bound, halving, pairwise, whp
from princeps.papers.p_ll.paper import paper
from princeps.papers.verdicts import NOT_TESTABLE, SUPPORTED, VIOLATED, Outcome, Part, together

A, B = 1, 2
FIELDS = ("leader", "status", "epoch", "init", "color", "count", "levelQ", "done", "rand", "levelB")
STARTS = ("backup", "backup_pair")


def about_to_tick(n: int, limit: int, leaders: int, level: int, color: int) -> str:
    """A configuration in B_level with this colour, the timers' counts spread out, one of them full: as `--start` takes it."""
    third = {"epoch": 3, "init": 3, "color": color}
    timers = n // 2
    rows: list[dict[str, int]] = [
        {**third, "status": B, "count": limit - 1 - k * (limit - 1) // timers} for k in range(timers)
    ]
    rows += [{**third, "status": A, "levelB": level, "leader": int(k < leaders)} for k in range(n - timers)]
    return "states:" + ";".join(",".join(str(row.get(name, 0)) for name in FIELDS) for row in rows)


def one_round(
    part: int, seed: int, *, protocol: str, cases: Sequence[tuple[int, int, int, int]], trials: int
) -> dict[str, int]:
    """Of a number of rounds from n, leaders, level, colour: how many end in one level and the next colour; how many halve.

    Looked at 13 n ln n steps after the colour's begin: 4 for the colour and 8 for the level, as the proof has it.
    """
    n, leaders, level, color = cases[part]
    limit = make_run(protocol, n).protocol.constants.c_max
    start = about_to_tick(n, limit, leaders, level, color)
    run = trials_of(protocol, n, seed=seed, start=start)
    made = run(0).protocol.agent
    kept = halved = 0
    for k in range(trials):
        population = make_population(run(k))
        go(population, ceil(13 * n * log(n)))
        agents: list[Any] = [made(population.state(i)) for i in range(n)]  # type: ignore[call-arg]
        levels = {agent.levelB for agent in agents if agent.status == A}
        colors = {agent.color for agent in agents}
        settled = colors == {(color + 1) % 3} and len(levels) == 1 and levels <= {level, level + 1}
        kept += settled
        halved += settled and levels == {level + 1} and population.leaders <= 1 + (leaders - 1) // 2
    return {"kept": kept, "halved": halved}


@paper.claim(
    "003.L13",
    "in a round of BackUp 1 + k leaders become at most 1 + floor(k/2), one level higher, with probability at least "
    "1/4 - O(1/n); with high probability all come to the next colour at one level, at most one higher",
    recorded=SUPPORTED,
    planted=Planted(
        "nobody rises a level (line 51)",
        ("p_ll", "a0.levelB = min(a0.levelB + 1, p.c_max)", "a0.levelB = min(a0.levelB, p.c_max)"),
    ),
)
def rounds_of_backup(lab: Lab) -> Outcome:
    sizes = lab.pick((64,), (64, 256), (64,))
    cases = [
        (n, 1 + k, level, color)
        for n in sizes
        for k, level, color in ((1, 0, 2), (2, 1, 0), (3, 5, 1), (7, 40, 2), (n // 2 - 1, 0, 2))
    ]
    trials = lab.pick(400, 1500, 120)
    answers = lab.measure(one_round, parts=len(cases), protocol="p_ll", cases=cases, trials=trials).parts
    parts, ours = [], []
    for (n, leaders, _, _), answer in zip(cases, answers, strict=True):
        what = f"n = {n:,}, {leaders} leaders: at most half of the others are left"
        parts.append(probability_at_least(answer["halved"], trials, 0.25, what))
        if n == sizes[-1]:
            ours.append(f"{number(answer['halved'] / trials)} for {leaders} leaders")
    for n in sizes:
        own = [answer for case, answer in zip(cases, answers, strict=True) if case[0] == n]
        failed = len(own) * trials - sum(answer["kept"] for answer in own)
        parts.append(
            probability_at_most(failed, len(own) * trials, 1 / n + 2 * whp(n), f"n = {n:,}: not settled in 13 ln n")
        )
    least = min(range(1, 200), key=halving)
    remarks = [
        f"at n = {sizes[-1]:,}: {', '.join(ours)}",
        f"coins alone give P(1 <= heads <= 1 + floor(k/2)), at least {number(halving(least))} (k = {least}), not 1/4",
    ]
    return together(parts, remarks)


# -- from there to one leader --------------------------------------------------------------------------------------------
#
# Leaders also fall where two of them meet (line 57), and that alone takes (n - 1)(1 - 1/k) of parallel time for k leaders.
# Where this meets a bound as well, the bound says nothing about BackUp, whatever the sample.


def by_meetings(n: int, leaders: int, steps: int) -> float:
    """At least P(several lead after these steps), if leaders fell only by meeting: two that have not met, of all pairs."""
    return min(1.0, comb(leaders, 2) * exp(steps * log1p(-2 / (n * (n - 1)))))


def leaders_of(start: str, n: int) -> int:
    return n // 2 if start == "backup" else 2


def beside_meetings(part: Part, found: PointTrials, start: str, steps: int, bound: float) -> Part:
    """Not testable if leaders that only meet would keep the bound, too; a bound that is broken is broken."""
    chance = max(1e-300, by_meetings(found.n, leaders_of(start, found.n), steps))
    if part.verdict == VIOLATED or chance > bound:
        return part
    says = f"{part.says}; but leaders that fall only by meeting would be late with probability {number(chance)} at most"
    return replace(part, verdict=NOT_TESTABLE, says=says, power="")


def elected(lab: Lab, start: str, sketch: Sequence[int]) -> list[SweepTrials]:
    """One leader from there, given up after c_max rounds of c_max parallel time."""
    sizes = lab.pick([64, 256, 1024, 4096], [64, 256, 1024, 4096, 16384, 65536], sketch)
    few = lab.pick(50, 200, 30)
    trials = {n: few if n <= 4096 else 60 if n <= 16384 else 30 for n in sizes}
    trials |= {n: max(few, ceil(EXPECTED_BREACHES * n / log(n, 2))) for n in sizes if n <= 256}
    return timed(lab, "leader", {n: c_max(n) ** 2 * n for n in sizes}, trials, start)


def paired(lab: Lab) -> list[SweepTrials]:
    """From two leaders, at sizes where a round of BackUp takes less than it takes two leaders to meet."""
    quick, full = {1024: 200, 4096: 120, 16384: 80}, {1024: 1000, 4096: 600, 16384: 300, 65536: 60}
    plan = lab.pick(quick, full, {256: 40, 1024: 40, 4096: 40})
    return [lab.sweep("p_ll", n, trials=trials, start="backup_pair", until="leader") for n, trials in plan.items()]


def squares(runs: Sequence[SweepTrials]) -> str:
    rows = [(run.only.n, *mean_of(run.only.steps / run.only.n / log(run.only.n, 2) ** 2)) for run in runs]
    return ", ".join(f"{number(mean)} +- {number(error)} at n = {n:,}" for n, mean, error in rows)


@paper.claim(
    "003.L14",
    "from there one leader within O(log^2 n) parallel time with probability 1 - O(log n / n): c_max rounds of at most "
    "c_max each",
    recorded=NOT_TESTABLE,
    planted=Planted(
        "nobody rises a level (line 51), and two leaders that meet both go on (line 57)",
        ("p_ll", "a0.levelB = min(a0.levelB + 1, p.c_max)", "a0.levelB = min(a0.levelB, p.c_max)"),
        ("p_ll", "if a0.leader == 1 and a1.leader == 1:  # 57", "if a0.leader == 1 and a1.leader == 2:  # 57"),
    ),
)
def soon(lab: Lab) -> Outcome:
    runs = {start: elected(lab, start, [16]) for start in STARTS}
    parts = []
    for start, own in runs.items():
        for run in own[:2]:
            n, bound = run.only.n, log(run.only.n, 2) / run.only.n
            part = late(run, bound, f"from {start}, several leaders after c_max^2 of parallel time")
            parts.append(beside_meetings(part, run.only, start, c_max(n) ** 2 * n, bound))
    ours = []
    if all(part.verdict == NOT_TESTABLE for part in parts):
        least = next(n for n in (1 << k for k in range(6, 64)) if by_meetings(n, 2, c_max(n) ** 2 * n) > log(n, 2) / n)
        ours = [
            f"two leaders that only meet miss the bound from n = {least:,} on: below, c_max^2 shows nothing of BackUp; "
            "003.L13 looks at its rounds one by one, and 003.L16 at its mean time"
        ]
        for start, own in runs.items():
            slowest = [(run.only.n, float(run.only.steps.max()) / run.only.n / c_max(run.only.n) ** 2) for run in own]
            text = ", ".join(f"{number(share)} at n = {n:,}" for n, share in slowest)
            ours.append(f"from {start}, the slowest trial took of c_max^2: {text}")
    return together(parts, ours)


@paper.claim(
    "003.L16",
    "and within O(log^2 n) in expectation: 4 rounds for a halving, c_max for a round",
    recorded=SUPPORTED,
    planted=Planted(
        "nobody rises a level (line 51): leaders fall only where two of them meet",
        ("p_ll", "a0.levelB = min(a0.levelB + 1, p.c_max)", "a0.levelB = min(a0.levelB, p.c_max)"),
    ),
)
def soon_on_average(lab: Lab) -> Outcome:
    """The order is judged from two leaders, at sizes where meetings alone would take much longer; they grow like n."""
    runs = paired(lab)
    many = elected(lab, "backup", [64])
    parts = [grows_at_most(parallel(runs), 0, 2, "from two leaders, x = n", commands=(runs[-1].command,))]
    alone = []
    for run in runs:
        found, meetings = run.only, pairwise(run.only.n, 2)
        bound = found.n * backup_bound(2, c_max(found.n))
        if meetings > bound:  # else the bound would hold without BackUp
            what = f"n = {found.n:,}, from two leaders, whom meetings alone would take {number(meetings / bound)} of the bound"
            parts.append(mean_at_most(found.steps, bound, what, commands=(run.command,)))
        mean, error = mean_of(found.steps / meetings)
        alone.append(f"{number(mean)} +- {number(error)} at n = {found.n:,}")
    ours = [
        f"from two leaders, of what meetings alone would take: {', '.join(alone)}",
        f"from two leaders, the mean parallel time in multiples of lg^2 n: {squares(runs)}; from backup: {squares(many)}",
    ]
    return together(parts, ours)


@paper.claim(
    "003.L15",
    "from every reachable configuration with all in epoch 3, one leader within O(n) parallel time in expectation",
    recorded=SUPPORTED,
    planted=Planted(
        "two leaders that meet become one only while their colour is 0 (line 57)",
        (
            "p_ll",
            "if a0.leader == 1 and a1.leader == 1:  # 57",
            "if a0.leader == 1 and a1.leader == 1 and a0.color == 0:  # 57",
        ),
    ),
)
def at_last(lab: Lab) -> Outcome:
    sizes = lab.pick([16, 64, 256, 1024], [16, 64, 256, 1024, 2048], [16, 32, 64])
    trials = lab.pick(300, 1000)
    hard = lab.sweep("p_ll", sizes, trials=trials, start="exhausted", until="leader")
    easy = lab.sweep("p_ll", sizes, trials=100, start="backup", until="leader")
    parts = []
    for found in hard:
        n = found.n
        what = f"n = {n:,}, from exhausted, against (n - 1)(1 - 2/n)"
        parts.append(mean_is(found.steps, pairwise(n, n // 2), 0.3, what, commands=(hard.command,)))
    parts.append(grows_at_most(hard.fit("parallel_time"), 1, 0, "from exhausted", commands=(hard.command,)))
    ratios = [(found.n, float(found.steps.mean()) / pairwise(found.n, found.n // 2)) for found in easy]
    ours = [
        "the worst start has n/2 leaders at level c_max: then only meetings count, and k leaders take exactly "
        "(n - 1)(1 - 1/k) of parallel time in expectation; no reachable configuration takes longer",
        "levels help from the start backup on: it takes of that "
        + ", ".join(f"{number(ratio)} at n = {n:,}" for n, ratio in ratios),
    ]
    return together(parts, ours)
