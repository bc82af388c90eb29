"""Claims about BackUp."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log
from typing import Any

from princeps.engines.simulate import make_population
from princeps.model.reading import make_run, trials_of
from princeps.papers.answers import SweepTrials
from princeps.papers.claims import Planted
from princeps.papers.judging import mean_at_most, mean_is, number, probability_at_least, probability_at_most
from princeps.papers.judging_growth import grows_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.measures import go
from princeps.papers.p_ll.clock import EXPECTED_BREACHES, c_max, late, parallel, timed
from princeps.papers.p_ll.laws import backup_bound, halving, pairwise, whp
from princeps.papers.p_ll.paper import paper
from princeps.papers.verdicts import SUPPORTED, Outcome, together

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


def elected(lab: Lab, start: str, sketch: Sequence[int]) -> list[SweepTrials]:
    """One leader from there, given up after c_max rounds of c_max parallel time."""
    sizes = lab.pick([64, 256, 1024, 4096], [64, 256, 1024, 4096, 16384, 65536], sketch)
    few = lab.pick(50, 200, 30)
    trials = {n: few if n <= 4096 else 60 if n <= 16384 else 30 for n in sizes}
    trials |= {n: max(few, ceil(EXPECTED_BREACHES * n / log(n, 2))) for n in sizes if n <= 256}
    return timed(lab, "leader", {n: c_max(n) ** 2 * n for n in sizes}, trials, start)


def squares(runs: Sequence[SweepTrials]) -> str:
    found = [run.only for run in runs]
    return ", ".join(f"{number(one.steps.mean() / one.n / log(one.n, 2) ** 2)} at n = {one.n:,}" for one in found)


@paper.claim(
    "003.L14",
    "from there one leader within O(log^2 n) parallel time with probability 1 - O(log n / n): c_max rounds of at most "
    "c_max each",
    recorded=SUPPORTED,
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
            n = run.only.n
            parts.append(late(run, log(n, 2) / n, f"from {start}, several leaders after c_max^2 of parallel time"))
    ours = []
    if all(part.verdict == SUPPORTED for part in parts):
        for start, own in runs.items():
            slowest = [(run.only.n, float(run.only.steps.max()) / run.only.n / c_max(run.only.n) ** 2) for run in own]
            text = ", ".join(f"{number(share)} at n = {n:,}" for n, share in slowest)
            ours.append(f"from {start}, the slowest trial took of c_max^2: {text}")
    return together(parts, ours)


@paper.claim(
    "003.L16",
    "and within O(log^2 n) in expectation: 4 rounds for a halving, c_max for a round",
    recorded=SUPPORTED,
    planted=Planted("one round is taken to be enough", rounds=1),
)
def soon_on_average(lab: Lab, rounds: int = 0) -> Outcome:
    runs = {start: elected(lab, start, [4096]) for start in STARTS}
    parts = []
    for start, own in runs.items():
        for run in own:
            found = run.only
            leaders = found.n // 2 if start == "backup" else 2
            bound = found.n * (rounds * c_max(found.n) if rounds else backup_bound(leaders, c_max(found.n)))
            parts.append(mean_at_most(found.steps, bound, f"n = {found.n:,}, from {start}", commands=(run.command,)))
    large = [run for run in runs["backup_pair"] if run.only.n >= 4096]  # below, two leaders meet before they toss
    if len(large) > 2:
        parts.append(grows_at_most(parallel(large), 0, 2, "from two leaders, x = n"))
    ours = [
        f"from {start}, the mean parallel time in multiples of lg^2 n: {squares(own)}" for start, own in runs.items()
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
