"""Claims about how long P_RL takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from princeps.engines.population import Stop, StopCondition
from princeps.engines.simulate import make_population
from princeps.model.reading import make_run
from princeps.papers.answers import SweepTrials, law_of
from princeps.papers.claims import Planted
from princeps.papers.judging import exhaustive, mean_at_least, mean_at_most, mean_is, mean_of, number
from princeps.papers.judging_growth import grows_at_least, grows_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.p_rl.paper import paper
from princeps.papers.p_rl.sets import analysed, lemma, worst_within
from princeps.papers.verdicts import SUPPORTED, Outcome, Part, together

STARTS = ("random", "all_leaders", "no_leader", "no_leader_bullets")
# Constants. Lemma 11's are those of its proof: 3nN until all first bullets are gone, 3nN until somebody leads, n^2 until all
# are secure. Of Lemma 13 the paper gives the order only: 7 n^2 is ours. Theorem 1 adds Lemma 10's 3nN to that.
SECURED, ELIMINATED, CREATED = 7, 7, 3
MULTIPLES = (2, 8)  # of n, for N
COUNTING = Planted(
    "agents count to N^2 before they lead (lines 2 and 3)",
    ("p_rl", "distL = Range(lambda p: p.N + 1)", "distL = Range(lambda p: p.N * p.N + 1)"),
    ("p_rl", "min(l.distL + 1, p.N)", "min(l.distL + 1, p.N * p.N)"),
    ("p_rl", "if r.distL == p.N:", "if r.distL == p.N * p.N:"),
)
CLEARLY = 20.0  # in chi-square
FEW_STATES = [(2, 2), (2, 3)]  # for a fault that makes many more states


def timed(lab: Lab, start: str, until: str) -> SweepTrials:
    """The time to a goal from one start, n = N; wide enough to tell n^2 from n^2 log n."""
    sizes = lab.pick([64, 128, 256, 512, 1024, 2048, 4096], [64, 256, 1024, 4096, 16384], [16, 32, 64, 128, 256])
    return lab.sweep("p_rl", sizes, trials=lab.pick(80, 150, 60), start=start, until=until)


def growth(lab: Lab, start: str, until: str, power: float) -> Part:
    sampled = timed(lab, start, until)
    what = f"from {start} to {until}, n = N"
    return grows_at_most(sampled.fit(), power, 0, what, commands=(sampled.command,))


def with_larger_bounds(lab: Lab, until: str) -> dict[tuple[int, int], SweepTrials]:
    """From no_leader, which must count to N, where N is 2n and 8n."""
    sizes = lab.pick([64, 256, 512], [64, 256, 1024], [])
    trials = lab.pick(40, 100)
    return {
        (n, times * n): lab.sweep("p_rl", n, trials=trials, start="no_leader", until=until, N=times * n)
        for times in MULTIPLES
        for n in sizes
    }


def with_n_fixed(lab: Lab, until: str) -> tuple[int, list[int], list[SweepTrials]]:
    """From no_leader at one n: N alone grows."""
    n = lab.pick(64, 64, 16)
    bounds = [n * times for times in lab.pick((1, 4, 16, 64, 256), (1, 4, 16, 64, 256, 1024), (1, 2, 4, 8, 16))]
    trials = lab.pick(40, 150, 20)
    return n, bounds, [lab.sweep("p_rl", n, trials=trials, start="no_leader", until=until, N=N) for N in bounds]


def grows_with_bound(n: int, bounds: Sequence[int], runs: Sequence[SweepTrials], until: str) -> Part:
    fit = law_of([float(N) for N in bounds], [run.only.steps for run in runs])
    what = f"from no_leader to {until}, n = {n}, x = N"
    return grows_at_most(fit, 1, 0, what, commands=(runs[-1].command,))


def multiples(sampled: SweepTrials) -> str:
    """The mean as a multiple of n^2 at the largest size."""
    last = sampled.found[-1]
    mean, error = mean_of(last.steps / last.n**2)
    return f"{number(mean)} +- {number(error)} n^2 at n = {last.n:,}"


def two_laws(sampled: SweepTrials) -> tuple[str, float]:
    """steps / n^2 = a + b / sqrt(n), which levels off, and = a + b ln n, which does not: both with what they miss by.

    And by how much more the second misses, in chi-square.
    """
    xs = np.array([found.n for found in sampled], float)
    rows = np.array([mean_of(found.steps / found.n**2) for found in sampled])
    texts, misfits = [], []
    for name, term in (("/ sqrt(n)", xs**-0.5), ("ln n", np.log(xs))):
        design = np.stack([np.ones_like(xs), term], axis=1) / rows[:, 1:]
        (a, b), (misfit,), *_ = np.linalg.lstsq(design, rows[:, 0] / rows[:, 1], rcond=None)
        errors = np.sqrt(np.diag(np.linalg.inv(design.T @ design)))
        misfits.append(float(misfit))
        texts.append(f"{number(a)} +- {number(errors[0])} {b:+.4g} {name} (chi-square {misfit:.1f})")
    return f"{texts[0]}, or {texts[1]}, {len(xs) - 2} degrees of freedom", misfits[1] - misfits[0]


@paper.claim(
    "000.T1b",
    "expected convergence O(nN) from the worst start",
    kind="X, S",
    recorded=SUPPORTED,
    planted=COUNTING,
)
def convergence(lab: Lab) -> Outcome:
    """N = n, 2n, 8n, and n fixed. From starts without a leader the way is judged in the two halves of the proof."""
    n, bounds, fixed = with_n_fixed(lab, "s_rl")
    larger = with_larger_bounds(lab, "s_rl")
    runs = {start: timed(lab, start, "s_rl") for start in lab.pick(STARTS, STARTS, ())}
    halves = [timed(lab, start, "c_ni") for start in lab.pick(STARTS[2:], STARTS[2:], ())]
    exact, ratios = worst_within(lab, "000.T1b", CREATED + ELIMINATED, "10 nN", FEW_STATES)
    parts = [growth(lab, start, "s_rl", 2) for start in STARTS[:2] if runs]
    parts += [growth(lab, start, "c_ni", 2) for start in STARTS[2:] if halves]
    parts.append(grows_with_bound(n, bounds, fixed, "s_rl"))
    samples = [
        (found.n, found.n, start, found.steps, run.command) for start, run in runs.items() for found in run.found[-1:]
    ]
    samples += [(n, N, "no_leader", run.only.steps, run.command) for (n, N), run in larger.items()]
    for n, N, start, steps, command in samples:
        what = f"from {start}, n = {n:,}, N = {N:,}, against 3nN + 7n^2"
        parts.append(mean_at_most(steps, CREATED * n * N + ELIMINATED * n * n, what, commands=(command,)))
    ours = [f"exact worst start to S_RL as a multiple of nN, at (n,N): {ratios}"] if ratios else []
    ours += [f"from {start}: {multiples(run)}" for start, run in runs.items()]
    ours += [open_question(runs["no_leader"])] if runs else []
    for (n, N), run in larger.items():
        mean, error = mean_of(run.only.steps / (n * N))
        ours.append(f"n = {n}, N = {N:,}, from no_leader: {number(mean)} +- {number(error)} nN")
    return together([*parts, exact], ours)


def open_question(sampled: SweepTrials) -> str:
    text, better = two_laws(sampled)
    decided = "this sample does not tell the two apart, and the question is open"
    if abs(better) > CLEARLY:
        decided = f"the {'first' if better > 0 else 'second'} fits clearly better"
    return (
        f"from no_leader the multiple of n^2 rises with n, as {text}: {decided}. What is judged are the two halves of the "
        "proof, until C_NI and from there on"
    )


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
    planted=COUNTING,
)
def creation(lab: Lab) -> Outcome:
    parts, ours = lemma(lab, "000.L10", FEW_STATES), []
    sizes = ((64, 64), (64, 256), (256, 256))
    for start in ("no_leader", "no_leader_bullets"):
        for n, N in lab.pick(sizes, sizes, sizes[:1]):
            sampled = lab.sweep("p_rl", n, trials=lab.pick(200, 1000, 50), start=start, until="led", N=N)
            values = sampled.only.steps
            what = f"n = {n}, N = {N}, from {start}"
            parts.append(mean_at_most(values, CREATED * n * N, what, commands=(sampled.command,)))
            ours.append(f"{number(values.mean() / (n * N))} nN at n = {n}, N = {N} from {start}")
    return together(parts, ["a leader is created after " + "; ".join(ours)])


@paper.claim(
    "000.L11",
    "C_NI is reached in O(nN) expected steps",
    kind="X, S",
    recorded=SUPPORTED,
    planted=COUNTING,
)
def no_more_creation(lab: Lab) -> Outcome:
    n, bounds, fixed = with_n_fixed(lab, "c_ni")
    larger = with_larger_bounds(lab, "c_ni")
    starts = lab.pick(("random", "no_leader_bullets"), ("random", "no_leader_bullets"), ())
    runs = [timed(lab, start, "c_ni") for start in starts]
    exact, ratios = worst_within(lab, "000.L11", SECURED, "7 nN, by the proof", FEW_STATES)
    parts = [growth(lab, start, "c_ni", 2) for start in starts]
    parts.append(grows_with_bound(n, bounds, fixed, "c_ni"))
    samples = [(found.n, found.n, run.command, found.steps) for run in runs for found in run.found[-1:]]
    samples += [(n, N, run.command, run.only.steps) for (n, N), run in larger.items()]
    for n, N, command, steps in samples:
        parts.append(mean_at_most(steps, SECURED * n * N, f"n = {n:,}, N = {N:,}, against 7nN", commands=(command,)))
    return together(
        [*parts, exact], [f"exact worst start to C_NI as a multiple of nN, at (n,N): {ratios}"] if ratios else []
    )


def first_fall(part: int, seed: int, *, protocol: str, cases: Sequence[tuple[int, int, int]], trials: int) -> list[int]:
    """Steps until one of three leaders, d1 and d2 apart in a ring of n, falls; nothing else is set: this is in C_NI."""
    n, d1, d2 = cases[part]
    states = ";".join(("1" if i in (0, d1, d1 + d2) else "0") + ",0,0,0,0" for i in range(n))
    run = make_run(protocol, n, start=f"states:{states}", seed=seed)
    found = []
    for trial in range(part * trials, (part + 1) * trials):
        population = make_population(replace(run, trial=trial))
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
    planted=Planted(
        "a leader that fires a dummy keeps its shield (line 9)",
        ("p_rl", "r.bullet, r.shield, r.signal = DUMMY, 0, 0", "r.bullet, r.signal = DUMMY, 0"),
    ),
)
def elimination(lab: Lab) -> Outcome:
    """At n = N, and with N = 8n, of which nothing may depend."""
    n = lab.pick(256, 1024, 0)
    apart = [lab.sweep("p_rl", n, trials=lab.pick(80, 150), start="all_leaders", until="s_rl", N=8 * n)] if n else []
    runs = [timed(lab, "all_leaders", "s_rl")] if n else []
    exact, ratios = worst_within(lab, "000.L13", ELIMINATED, "7 n^2, a constant of ours")
    parts = [growth(lab, "all_leaders", "s_rl", 2) for _ in runs]
    for run in (*runs, *apart):
        last = run.found[-1]
        what = f"from all_leaders, n = {last.n:,}, N = {last.point.params.get('N') or last.n:,}, against 7n^2"
        parts.append(mean_at_most(last.steps, ELIMINATED * last.n**2, what, commands=(run.command,)))
    return together(
        [*parts, exact], [f"exact worst start in C_NI as a multiple of n^2, at (n,N): {ratios}"] if ratios else []
    )


@paper.claim(
    "000.opt",
    "order n^2 is needed: P_RL's worst start at n = N needs at least a constant times n^2 steps",
    kind="X, S",
    recorded=SUPPORTED,
    planted=Planted("the claim is order n^3", power=3),  # no rule is faster: news takes n^2 steps to go round a ring
)
def optimal(lab: Lab, power: float = 2) -> Outcome:
    """The constant is ours, and is taken for 1."""
    sampled = timed(lab, "no_leader", "s_rl")
    parts = [grows_at_least(sampled.fit(), power, 0, "from no_leader to s_rl, n = N", commands=(sampled.command,))]
    for found in sampled.found[::3]:
        what = f"from no_leader, n = N = {found.n:,}, against n^{power:g}"
        parts.append(mean_at_least(found.steps, float(found.n) ** power, what, commands=(sampled.command,)))
    squares = [(n, float(report["worst"]) / float(n) ** power) for n, N, report in analysed(lab) if n == N]
    text = ", ".join(f"{number(ratio)} at n = N = {n}" for n, ratio in squares)
    below = [ratio for _, ratio in squares if ratio < 1]
    what = f"the exact worst start to S_RL takes at least n^{power:g}: {text} of it"
    parts.append(exhaustive(len(below), len(squares), what, "sizes", breach=number(min(below)) if below else ""))
    return together(parts, [open_question(sampled)])
