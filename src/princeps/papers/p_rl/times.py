"""Claims about how long P_RL takes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from princeps.engines.population import Stop, StopCondition
from princeps.engines.simulate import make_population
from princeps.model.reading import make_run
from princeps.papers.answers import SweepTrials, law_of
from princeps.papers.claims import Planted
from princeps.papers.judging import mean_at_most, mean_is, number
from princeps.papers.judging_growth import grows_at_least, grows_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.p_rl.paper import paper
from princeps.papers.p_rl.sets import analysed, lemma
from princeps.papers.verdicts import SUPPORTED, Outcome, Part, together

STARTS = ("random", "all_leaders", "no_leader", "no_leader_bullets")


def timed(lab: Lab, start: str, until: str) -> SweepTrials:
    """The time to a goal from one start, n = N; wide enough to tell n^2 from n^2 log n."""
    sizes = lab.pick([64, 128, 256, 512, 1024, 2048, 4096], [64, 256, 1024, 4096, 16384], [16, 32, 64, 128, 256])
    return lab.sweep("p_rl", sizes, trials=lab.pick(80, 150, 60), start=start, until=until)


def growth(lab: Lab, start: str, until: str, power: float) -> Part:
    sampled = timed(lab, start, until)
    what = f"from {start} to {until}, n = N"
    return grows_at_most(sampled.fit(), power, 0, what, commands=(sampled.command,))


def multiples(sampled: SweepTrials) -> str:
    """The mean as a multiple of n^2 at the largest size."""
    last = sampled.found[-1]
    return f"{number(float(last.steps.mean()) / last.n**2)} n^2 at n = {last.n:,}"


@paper.claim(
    "000.T1b",
    "expected convergence O(nN) from the worst start",
    kind="X, S",
    recorded=SUPPORTED,
    planted=Planted("the claim is O(n)", power=1),
)
def convergence(lab: Lab, power: float = 2) -> Outcome:
    runs = [timed(lab, start, "s_rl") for start in STARTS]
    parts = [growth(lab, start, "s_rl", power) for start in STARTS]
    tall = [
        (n, next(one for one in report["lemmas"] if one["id"] == "000.T1b")) for n, N, report in analysed(lab) if n == N
    ]
    ratios = ", ".join(f"{number(one['measured'] / one['bound'])} at n = N = {n}" for n, one in tall)
    ours = [
        f"exact worst start to S_RL as a multiple of nN: {ratios}",
        *(f"from {start}: {multiples(run)}" for start, run in zip(STARTS, runs, strict=True)),
    ]
    return together([*parts, *lemma(lab, "000.T1b")], ours)


@paper.claim(
    "000.L9",
    "a fixed sequence of h interactions takes nh steps in expectation",
    recorded=SUPPORTED,
    planted=Planted("the claim is 1.05 nh", factor=1.05),
)
def sequences(lab: Lab, factor: float = 1.0) -> Outcome:
    parts = []
    for n, h in ((8, 16), (5, 40)):
        found = lab.measure(sequence_steps, parts=2, protocol="p_rl", n=n, h=h, trials=lab.pick(4000, 20_000)).parts
        values = [value for part in found for value in part]
        parts.append(mean_is(values, factor * n * h, 0.03, f"n = {n}, h = {h}"))
    return together(parts)


def sequence_steps(part: int, seed: int, *, protocol: str, n: int, h: int, trials: int) -> list[int]:
    """Steps of the scheduler until a random sequence of h arcs has occurred in order."""
    run = make_run(protocol, n, seed=seed, trial=part)
    pairs = run.meetings()
    wanted = np.random.default_rng((seed, part)).integers(n, size=h).tolist()
    found = []
    for _ in range(trials):
        steps = 0
        for arc in wanted:
            steps += 1
            while next(pairs)[0] != arc:
                steps += 1
        found.append(steps)
    return found


@paper.claim(
    "000.L10",
    "without a leader, one is created within 3nN expected steps",
    kind="X, S",
    recorded=SUPPORTED,
    planted=Planted("the bound is 0.3 nN", factor=0.3),
)
def creation(lab: Lab, factor: float = 3.0) -> Outcome:
    parts, ours = lemma(lab, "000.L10"), []
    for start in ("no_leader", "no_leader_bullets"):
        for n, N in ((64, 64), (64, 256), (256, 256)):
            sampled = lab.sweep("p_rl", n, trials=lab.pick(200, 1000, 50), start=start, until="led", N=N)
            values = sampled.only.steps
            what = f"n = {n}, N = {N}, from {start}"
            parts.append(mean_at_most(values, factor * n * N, what, commands=(sampled.command,)))
            ours.append(f"{number(values.mean() / (n * N))} nN at n = {n}, N = {N} from {start}")
    return together(parts, ["a leader is created after " + "; ".join(ours)])


@paper.claim(
    "000.L11",
    "C_NI is reached in O(nN) expected steps",
    kind="X, S",
    recorded=SUPPORTED,
    planted=Planted("the claim is O(n)", power=1),
)
def no_more_creation(lab: Lab, power: float = 2) -> Outcome:
    parts = [growth(lab, start, "c_ni", power) for start in ("random", "no_leader_bullets")]
    return together([*parts, *lemma(lab, "000.L11")])


def first_fall(part: int, seed: int, *, protocol: str, cases: Sequence[tuple[int, int, int]], trials: int) -> list[int]:
    """Steps until one of three leaders, d1 and d2 apart in a ring of n, falls; nothing else is set: this is in C_NI."""
    n, d1, d2 = cases[part]
    states = ";".join(("1" if i in (0, d1, d1 + d2) else "0") + ",0,0,0,0" for i in range(n))
    found = []
    for trial in range(trials):
        run = make_run(protocol, n, start=f"states:{states}", seed=seed, trial=part * trials + trial)
        population = make_population(run)
        while population.advance(1 << 30, StopCondition.OUTPUT) is not Stop.FULFILLED:
            pass
        found.append(population.steps)
    return found


@paper.claim(
    "000.L12",
    "of three neighbouring leaders one falls within O(n(d1 + d2)) steps",
    recorded=SUPPORTED,
    planted=Planted("the claim is O(n), whatever the distances", by_distance=False),
)
def three_leaders(lab: Lab, by_distance: bool = True) -> Outcome:
    even = [(n, d, d) for n in (128, 512) for d in (4, 8, 16)] + [(512, 32, 32), (512, 64, 64)]
    uneven = [(512, 4, 60), (512, 60, 4), (512, 4, 170), (512, 170, 4)]
    cases = [*even, *uneven]
    trials = lab.pick(200, 2000, 60)
    found = lab.measure(first_fall, parts=len(cases), protocol="p_rl", cases=cases, trials=trials).parts
    times = dict(zip(cases, found, strict=True))
    rows = sorted((n * 2 * d, times[n, d, d]) for n, d, _ in even)
    fit = law_of([x for x, _ in rows], [values for _, values in rows])
    parts = [grows_at_most(fit, 1 if by_distance else 0, 0, "d1 = d2, n = 128 and 512, x = n(d1 + d2)")]
    largest = max(float(np.mean(values)) / x for x, values in rows)
    for n, d1, d2 in uneven:  # are no worse
        what = f"n = {n}, d1 = {d1}, d2 = {d2}, against the largest multiple with d1 = d2"
        parts.append(mean_at_most(times[n, d1, d2], largest * n * (d1 + d2), what))
    ratios = {case: float(np.mean(values)) / (case[0] * sum(case[1:])) for case, values in times.items()}
    text = "; ".join(f"{number(ratio)} for d1 = {d1}, d2 = {d2}" for (n, d1, d2), ratio in ratios.items() if n == 512)
    return together(parts, [f"multiples of n(d1 + d2) at n = 512: {text}"])


@paper.claim(
    "000.L13",
    "from C_NI, S_RL within O(n^2) steps",
    kind="X, S",
    recorded=SUPPORTED,
    planted=Planted("the claim is O(n)", power=1),
)
def elimination(lab: Lab, power: float = 2) -> Outcome:
    return together([growth(lab, "all_leaders", "s_rl", power), *lemma(lab, "000.L13")])


@paper.claim(
    "000.opt",
    "order n^2 is needed: P_RL's worst start at n = N needs at least a constant times n^2 steps",
    kind="X, S",
    recorded=SUPPORTED,
    planted=Planted("the claim is order n^3", power=3),
)
def optimal(lab: Lab, power: float = 2) -> Outcome:
    sampled = timed(lab, "no_leader", "s_rl")
    part = grows_at_least(sampled.fit(), power, 0, "from no_leader to s_rl, n = N", commands=(sampled.command,))
    squares = [(n, float(report["worst"]) / n**2) for n, N, report in analysed(lab) if n == N]
    text = ", ".join(f"{number(ratio)} n^2 at n = N = {n}" for n, ratio in squares)
    least = min(ratio for _, ratio in squares)
    exact = Part(SUPPORTED, f"the exact worst start to S_RL takes {text}", least, "a positive constant", "exact")
    return together([part, exact], [f"the worst start takes {text}: still growing with n"])
