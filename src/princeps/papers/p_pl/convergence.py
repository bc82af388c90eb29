"""How fast one leader is left: Theorem 23's first half, and Lemma 17.

The printed constants are run as they are at a few small n. Over a wide range of n, N and c they are scaled down; tau
follows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, floor, hypot, log, sqrt
from typing import Any

import numpy as np

from princeps.campaign.fit import Fit
from princeps.papers.answers import SweepTrials, law_of
from princeps.papers.claims import Planted
from princeps.papers.judging import CONFIDENCE, POWER, Z_POWER, Z, mean_at_most, mean_of, number
from princeps.papers.judging_growth import grows_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.p_pl.laws import Sizes
from princeps.papers.p_pl.paper import paper
from princeps.papers.p_pl.rule import established, runs_down
from princeps.papers.p_pl.windows import ONE, in_numbers, rarely
from princeps.papers.verdicts import INCONCLUSIVE, NOT_TESTABLE, SUPPORTED, VIOLATED, Outcome, Part, together

SCALED = {"virus_factor": 4, "emit_factor": 2}
STARTS = ("all_leaders", "all_leaders_shielded", "random", "no_leader_full_timers")
SizeTriple = tuple[int, int, int]  # n, N, c


def tau_of(n: int, N: int, c: int = 1) -> float:
    """With scaled constants."""
    ln = ceil(log(N))
    return n * SCALED["emit_factor"] * SCALED["virus_factor"] * c * ln**2 / 5


# -- the whole way -----------------------------------------------------------------------------------------------------

WORST = "all_leaders_shielded"  # of the starts that we know
SIZES = [64, 128, 256, 512, 1024]
OTHERS = [(64, 1), (64**4, 1), (64**8, 1), (64, 8), (64, 64)]  # N and c at n = 64
PRINTED = ({64: 16, 128: 10, 256: 6}, {64: 100, 128: 60, 256: 40, 512: 20}, {64: 4})  # n, and how many trials


def timed(lab: Lab, start: str) -> list[tuple[SizeTriple, SweepTrials]]:
    """The time to S from one start, with scaled constants, along n = N."""
    sizes = lab.pick(SIZES, [*SIZES, 2048, 8192], SIZES[:4])
    return [_timed(lab, start, (n, n, 1), lab.pick(24, 40, 12)) for n in sizes]


def timed_elsewhere(lab: Lab, start: str) -> list[tuple[SizeTriple, SweepTrials]]:
    """The same along N and c, at n = 64."""
    return [_timed(lab, start, (64, N, c), lab.pick(32, 100)) for N, c in OTHERS]


def _timed(lab: Lab, start: str, size: SizeTriple, trials: int) -> tuple[SizeTriple, SweepTrials]:
    n, N, c = size
    params: dict[str, Any] = {"N": N, "c": c, **SCALED}
    return size, lab.sweep("p_pl", n, trials=trials, start=start, until="s", **params)


def timed_as_printed(lab: Lab) -> dict[int, SweepTrials]:
    """From the worst start with the printed constants, by n = N."""
    wanted = lab.pick(*PRINTED)
    return {n: lab.sweep("p_pl", n, trials=trials, start=WORST, until="s") for n, trials in wanted.items()}


def law(runs: Sequence[tuple[SizeTriple, SweepTrials]], by: Callable[[SizeTriple], float]) -> Fit:
    rows = sorted((by(size), k, sampled.only.steps) for k, (size, sampled) in enumerate(runs))
    return law_of([x for x, *_ in rows], [steps for *_, steps in rows])


def tau_ln(size: SizeTriple) -> float:
    """The claim's own x: c n log n log^2 N is tau ln n, but for constants."""
    return tau_of(*size) * log(size[0])


def line_of(runs: Sequence[tuple[SizeTriple, SweepTrials]]) -> tuple[tuple[float, float], tuple[float, float]]:
    """steps / tau = a ln n + b: a and b, each with its standard error."""
    rows = [(log(size[0]), *mean_of(run.only.steps / tau_of(*size))) for size, run in runs]
    x, y, errors = (np.array(column) for column in zip(*rows, strict=True))
    weights = 1 / errors**2
    x0 = float(np.average(x, weights=weights))
    spread = float((weights * (x - x0) ** 2).sum())
    slope = float((weights * (x - x0) * y).sum()) / spread
    height = float(np.average(y, weights=weights)) - slope * x0
    return (slope, spread**-0.5), (height, sqrt(1 / float(weights.sum()) + x0**2 / spread))


def no_slower(
    runs: Sequence[tuple[SizeTriple, SweepTrials]], worst: Sequence[tuple[SizeTriple, SweepTrials]], what: str
) -> Part:
    """Over all sizes together, in units of tau, the mean is below that of the worst start; nowhere is it above."""
    pairs = [
        (mean_of(run.only.steps / tau_of(*size)), mean_of(other.only.steps / tau_of(*size)))
        for (size, run), (_, other) in zip(runs, worst, strict=True)
    ]
    gaps = [(own - most, hypot(error, error_most)) for (own, error), (most, error_most) in pairs]
    gap = sum(one for one, _ in gaps) / len(gaps)
    error = sqrt(sum(one**2 for _, one in gaps)) / len(gaps)
    says = f"{what}: {number(gap)} +- {number(error)} tau against {WORST}, on the average over the sizes"
    sample = f"{len(gaps)} sizes, {runs[0][1].trials} trials each, {CONFIDENCE}"
    if any(one > Z * own for one, own in gaps):
        return Part(VIOLATED, f"{says}; slower at one of them", gap, 0, sample)
    if gap > -Z * error:
        return Part(INCONCLUSIVE, f"{says}, too near to decide", gap, 0, sample)
    power = f"one that is {number((Z + Z_POWER) * error)} tau slower would be noticed with probability {POWER}"
    return Part(SUPPORTED, says, gap, 0, sample, power)


def proof_bound(one: Sizes) -> float:
    """What the proof allows: tau (Lemma 14), 12 tau ceil(ln N) (17), tau (18), 15 tau over 1/4 a halving (20)."""
    return one.tau * (2 + 12 * one.ln + 60 * (floor(log(one.n, 2)) + 1))


@paper.claim(
    "004.T23a",
    "expected convergence O(c n log n log^2 N) from the worst start",
    recorded=SUPPORTED,
    planted=Planted(
        "a virus kills only where two leaders meet (line 5)",
        (
            "p_pl",
            "if a.shield == 0 and a.virus > 0:",
            "if a.shield == 0 and a.virus > 0 and a0.leader + a1.leader == 2:",
        ),
    ),
)
def convergence(lab: Lab) -> Outcome:
    """The worst start known is fitted against the claim's own x; the others are compared with it, size by size."""
    worst = timed(lab, WORST)
    others = {start: timed(lab, start) for start in lab.pick(STARTS, STARTS, ()) if start != WORST}
    aside = {start: timed_elsewhere(lab, start) for start in lab.pick(STARTS[1::2], STARTS, [])}
    printed = timed_as_printed(lab)
    what = f"from {WORST}, n = N, c = 1, scaled constants, x = tau ln n"
    parts = [grows_at_most(law(worst, tau_ln), 1, 0, what, commands=(worst[0][1].command,))]
    parts += [no_slower(runs, worst, f"from {start}, scaled constants") for start, runs in others.items()]
    for start, runs in aside.items():
        what = f"from {start}, n = 64, N = 64 to 64^8 and c = 1 to 64, scaled constants, x = tau"
        fit = law(runs, lambda size: tau_of(*size))
        parts.append(grows_at_most(fit, 1, 0, what, commands=(runs[-1][1].command,)))
    for n, sampled in printed.items():
        what = f"n = N = {n} with the printed constants, from {WORST}; the bound has the proof's factors"
        bound = proof_bound(Sizes(n, n))
        parts.append(mean_at_most(sampled.only.steps, bound, what, commands=(sampled.command,)))
    ours = [
        f"steps / tau, fitted as a ln n + b from {start}: {_line(runs)}"
        for start, runs in ((WORST, worst), *others.items())
    ]
    found = [(n, *mean_of(run.only.steps / (Sizes(n, n).tau * log(n)))) for n, run in printed.items()]
    text = ", ".join(f"{number(mean)} +- {number(error)} tau ln n at n = N = {n}" for n, mean, error in found)
    ours.append(f"with the printed constants from {WORST}: {text}; the scaled ones give {_multiples(worst)}")
    return together(parts, ours)


def _line(runs: Sequence[tuple[SizeTriple, SweepTrials]]) -> str:
    (a, a_error), (b, b_error) = line_of(runs)
    return f"a = {number(a)} +- {number(a_error)}, b = {number(b)} +- {number(b_error)}"


def _multiples(runs: Sequence[tuple[SizeTriple, SweepTrials]]) -> str:
    found = [(size[0], *mean_of(run.only.steps / tau_ln(size))) for size, run in runs]
    return ", ".join(f"{number(mean)} +- {number(error)} at {n:,}" for n, mean, error in found)


# -- a leader where there is none --------------------------------------------------------------------------------------


@paper.claim(
    "004.L17",
    "from L_safe or V_clean, somebody leads within 12 tau ceil(ln N) with probability 1 - O(1/N)",
    kind="X, S",
    recorded=NOT_TESTABLE,
    planted=Planted("nobody times out (line 2)", ("p_pl", "if a.timerL == 0:", "if a.timerL < 0:")),
)
def led_again(lab: Lab) -> Outcome:
    facts = established(lab, runs_down)
    limit = 12 * ONE.tau * ONE.ln
    trials = lab.pick(16, 400, 2)
    run = lab.sweep("p_pl", 64, trials=trials, start="no_leader_full_timers", until="led", max_steps=limit)
    numbers = in_numbers(lab, ["waiting"], lambda one: -log(one.N), "t_max slow rounds, with 1/N for the claim")
    found = run.only.sample()
    late = found.trials - len(found.ended)
    what = "n = N = 64 from no_leader_full_timers: nobody leads within 12 tau ceil(ln N), with 1/N for the claim"
    seen = rarely(late, trials, -log(ONE.N), what, commands=(run.command,))
    mean = float(found.ended.mean()) if len(found.ended) else limit
    t_max = ONE.t_emit
    ours = [
        f"full timers run down within {number(mean / ONE.tau)} tau at n = N = 64, that is "
        f"{number(mean / (64 * t_max))} n t_max, where 12 tau ceil(ln N) is {number(limit / (64 * t_max))} n t_max"
    ]
    return together([seen, numbers, *facts], ours)
