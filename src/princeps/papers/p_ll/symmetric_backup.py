"""003.symbackup: how long the symmetric BackUp (Algorithm 6) takes on its own."""

from __future__ import annotations

from collections.abc import Sequence

from princeps.engines.population import Stop, StopCondition
from princeps.engines.simulate import make_population
from princeps.errors import RunError
from princeps.model.reading import make_run, trials_of
from princeps.papers.answers import law_of
from princeps.papers.claims import Planted
from princeps.papers.judging import mean_at_most, mean_is, number
from princeps.papers.judging_growth import grows_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.p_ll.clock import c_max
from princeps.papers.p_ll.laws import backup_bound
from princeps.papers.p_ll.paper import paper
from princeps.papers.verdicts import SUPPORTED, Outcome, together

A, B, F0, F1 = 2, 3, 3, 4
STEP_LIMIT_FACTOR = 1000  # times n^2 steps, of which two leaders take one
Case = tuple[int, int, bool, int]  # n, leaders, at the last level (or at level 0), trials


def in_backup(n: int, leaders: int, level: int, names: Sequence[str]) -> str:
    """Everyone in epoch 3, half of them timers, as many coins F0 as F1 (one is J if need be): as `--start` takes it."""
    third = {"epoch": 3, "init": 3, "color": 2}
    rows: list[dict[str, int]] = [{**third, "status": A, "levelB": level, "leader": 1} for _ in range(leaders)]
    timers, even = n // 2, (n - leaders) // 2 * 2
    for k in range(n - leaders):
        coin = 1 if k == even else F0 + k % 2
        rows.append({**third, "coin": coin, **({"status": B} if k < timers else {"status": A, "levelB": level})})
    return "states:" + ";".join(",".join(str(row.get(name, 0)) for name in names) for row in rows)


def elected(part: int, seed: int, *, protocol: str, cases: Sequence[Case]) -> list[int]:
    """Steps until one leader is left, of each trial."""
    n, leaders, exhausted, trials = cases[part]
    rule = make_run(protocol, n).protocol
    start = in_backup(n, leaders, rule.constants.c_max if exhausted else 0, list(rule.fields))
    run = trials_of(protocol, n, seed=seed, start=start)
    found = []
    for k in range(trials):
        population = make_population(run(k))
        if population.advance_exactly(STEP_LIMIT_FACTOR * n * n, StopCondition.GOAL) is not Stop.FULFILLED:
            raise RunError(f"trial {k} of seed {seed} has {population.leaders} leaders after {population.steps} steps.")
        found.append(population.steps)
    return found


def match(n: int) -> float:
    """Expected steps until two leaders with equal status_L meet with different ones: the paper's chain of two states."""
    meets, turns = 2 / (n * (n - 1)), 4 * (n - 2) / (n * (n - 1))
    return 2 / meets + 1 / turns


@paper.claim(
    "003.symbackup",
    "symmetric BackUp: two leaders have a match within O(n^2) steps in expectation, and from every configuration in epoch "
    "3 one leader is left within O(n log n) parallel time",
    recorded=SUPPORTED,
    planted=Planted(
        "two leaders have a match only while their colour is 0 (line 16)",
        (
            "p_ll_symmetric",
            "if a.leader == 1 and b.leader == 1 and a.statusL == 0 and b.statusL == 1:",
            "if a.leader == 1 and b.leader == 1 and a.statusL == 0 and b.statusL == 1 and a.color == 0:",
        ),
    ),
)
def matches(lab: Lab) -> Outcome:
    pairs: list[Case] = [(n, 2, True, lab.pick(1500, 30_000, 800)) for n in lab.pick((8, 64), (8, 64, 512), (16,))]
    sizes = lab.pick((16, 32, 64, 128, 256), (16, 32, 64, 128, 256, 512, 1024), (16, 32, 64))
    crowds: list[Case] = [(n, n // 2, True, lab.pick(150, 1000, 60)) for n in sizes]
    climbing: list[Case] = [
        (n, 2, False, 30) for n in lab.pick((), (16384,), ())
    ]  # below, matches alone keep the bound
    cases = [*pairs, *crowds, *climbing]
    found = lab.measure(elected, parts=len(cases), protocol="p_ll_symmetric", cases=cases)
    steps = dict(zip(cases, found.parts, strict=True))

    parts = []
    for case in pairs:
        n = case[0]
        what = f"n = {n}, two leaders at the last level: steps to their match, against n(n-1)(1 + 1/(4(n-2)))"
        parts.append(mean_is(steps[case], match(n), lab.pick(0.2, 0.05, 0.3), what))
    fit = law_of(sizes, [[step / case[0] for step in steps[case]] for case in crowds])
    parts.append(grows_at_most(fit, 1, 1, "n/2 leaders at the last level, parallel time, x = n"))
    for case in climbing:
        n = case[0]
        bound = n * backup_bound(2, c_max(n))
        what = (
            f"n = {n:,}, two leaders at level 0, whom matches alone would take {number(match(n) / bound)} of the bound"
        )
        parts.append(mean_at_most(steps[case], bound, what))
    shares = [sum(steps[case]) / case[3] / match(case[0]) for case in crowds]
    shown = ", ".join(f"{number(share)} at n = {n:,}" for n, share in zip(sizes, shares, strict=True))
    ours = [
        "two leaders with equal status_L take exactly n(n-1)(1 + 1/(4(n-2))) expected steps, twice what they take where "
        "the responder falls (line 57 of P_LL) in large populations: half of their meetings are matches",
        f"n/2 leaders take this many times as long: {shown}. The paper allows a logarithm, by a bound over all pairs; "
        "whether one is needed these sizes do not decide",
    ]
    return together(parts, ours)
