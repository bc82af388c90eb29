"""How fast one leader is left: Theorem 23's first half, and Lemma 17.

The printed constants are run as they are at n = 64. Over a wide range of n, N and c they are scaled down; tau follows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import ceil, floor, log
from typing import Any

from princeps.campaign.fit import Fit
from princeps.papers.answers import SweepTrials, law_of
from princeps.papers.claims import Planted
from princeps.papers.judging import mean_at_most, number, watched
from princeps.papers.judging_growth import grows_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.p_pl.laws import Sizes
from princeps.papers.p_pl.paper import paper
from princeps.papers.p_pl.rule import established, runs_down
from princeps.papers.p_pl.windows import ONE, in_numbers
from princeps.papers.verdicts import SUPPORTED, Outcome, together

SCALED = {"virus_factor": 4, "emit_factor": 2}
STARTS = ("all_leaders", "all_leaders_shielded", "random", "no_leader_full_timers")
SizeTriple = tuple[int, int, int]  # n, N, c


def tau_of(n: int, N: int, c: int = 1) -> float:
    """With scaled constants."""
    ln = ceil(log(N))
    return n * SCALED["emit_factor"] * SCALED["virus_factor"] * c * ln**2 / 5


# -- the whole way -----------------------------------------------------------------------------------------------------

LEFT_AT_ONCE = {"all_leaders": 4, "random": 4}  # a fraction 1 / 4 or a little more: the first virus kills the others
SIZES = [64, 128, 256, 512, 1024]
OTHERS = [(64, 1), (64**4, 1), (64**8, 1), (64, 8), (64, 64)]  # N and c at n = 64


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


def law(runs: Sequence[tuple[SizeTriple, SweepTrials]], by: Callable[[SizeTriple], float]) -> Fit:
    rows = sorted((by(size), k, sampled.only.steps) for k, (size, sampled) in enumerate(runs))
    return law_of([x for x, *_ in rows], [steps for *_, steps in rows])


def tau_ln(start: str) -> tuple[Callable[[SizeTriple], float], str]:
    """tau, times the logarithm of the leaders that are left after the first virus; in words too."""
    left = LEFT_AT_ONCE.get(start, 1)
    return lambda size: tau_of(*size) * log(size[0] / left), "tau ln n" if left == 1 else f"tau ln(n / {left})"


def proof_bound(one: Sizes) -> float:
    """What the proof allows: tau (Lemma 14), 12 tau ceil(ln N) (17), tau (18), 15 tau over 1/4 a halving (20)."""
    return one.tau * (2 + 12 * one.ln + 60 * (floor(log(one.n, 2)) + 1))


@paper.claim(
    "004.T23a",
    "expected convergence O(c n log n log^2 N) from the worst start",
    recorded=SUPPORTED,
    planted=Planted("the claim is O(n)", reading="n"),
)
def convergence(lab: Lab, reading: str = "tau ln n") -> Outcome:
    starts = lab.pick(STARTS, STARTS, STARTS[:1])
    wide = {start: timed(lab, start) for start in starts}
    aside = {start: timed_elsewhere(lab, start) for start in lab.pick(STARTS[1::2], STARTS, [])}
    trials = lab.pick(16, 100, 4)
    printed = {start: lab.sweep("p_pl", 64, trials=trials, start=start, until="s") for start in starts}
    parts, ours = [], []
    for start, runs in wide.items():
        by, x = tau_ln(start) if reading == "tau ln n" else (lambda size: float(size[0]), "n")
        what = f"from {start}, n = N, c = 1, scaled constants, x = {x}"
        parts.append(grows_at_most(law(runs, by), 1, 0, what, commands=(runs[0][1].command,)))
        ours.append(f"from {start}: {_multiples(runs)} tau ln n")
    for start, runs in aside.items():
        what = f"from {start}, n = 64, N = 64 to 64^8 and c = 1 to 64, scaled constants, x = tau"
        fit = law(runs, lambda size: tau_of(*size))
        parts.append(grows_at_most(fit, 1, 0, what, commands=(runs[-1][1].command,)))
    for start, sampled in printed.items():
        what = f"n = N = 64 with the printed constants, from {start}; the bound has the proof's factors"
        parts.append(mean_at_most(sampled.only.steps, proof_bound(ONE), what, commands=(sampled.command,)))
    found = ", ".join(f"{number(run.only.steps.mean() / ONE.tau)} tau from {start}" for start, run in printed.items())
    allowed = number(proof_bound(ONE) / ONE.tau)
    ours.append(f"with the printed constants at n = N = 64: {found}; tau = {ONE.tau:,}, the proof allows {allowed} tau")
    return together(parts, ours)


def _multiples(runs: Sequence[tuple[SizeTriple, SweepTrials]]) -> str:
    found = [float(run.only.steps.mean()) / (tau_of(*size) * log(size[0])) for size, run in runs]
    return f"{number(min(found))} to {number(max(found))}"


# -- a leader where there is none --------------------------------------------------------------------------------------


@paper.claim(
    "004.L17",
    "from L_safe or V_clean, somebody leads within 12 tau ceil(ln N) with probability 1 - O(1/N)",
    kind="X, S",
    recorded=SUPPORTED,
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
    steps = float(found.ended.sum()) + late * limit
    what = "n = N = 64 from no_leader_full_timers: somebody leads within 12 tau ceil(ln N)"
    seen = watched(late, trials, round(steps), what, breach="a run without any leader", commands=(run.command,))
    seen = replace(seen, measured=late / trials, bound="O(1/N)")
    mean = float(found.ended.mean()) if len(found.ended) else limit
    t_max = ONE.t_emit
    ours = [
        f"full timers run down within {number(mean / ONE.tau)} tau at n = N = 64, that is "
        f"{number(mean / (64 * t_max))} n t_max, where 12 tau ceil(ln N) is {number(limit / (64 * t_max))} n t_max"
    ]
    return together([seen, numbers, *facts], ours)
