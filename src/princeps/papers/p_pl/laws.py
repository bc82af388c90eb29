"""The laws behind the analysis of P_PL, in numbers: binomial tails, epidemics, virtual agents, rounds.

Tails that are too small for floating point are kept as natural logarithms. Those of sums are Chernoff's bound with the
exact moment generating function: true for every tilt, so that nothing hangs on how well the best one is found.

Virtual agents. Follow the one of v backwards in time, from the end, where all n agents are infected and it is at v. If
v is drawn at random, it is at a random one of the infected agents, whatever happens later. So it takes part
- in the infection of the (m + 1)st agent with probability 2 / (m + 1): it is at the new one or at the one that infects,
- in an interaction that infects nobody, while m are infected, with probability (m - 1) / (C(m, 2) + C(n - m, 2)),
all of this independently, given when the infections happen. For the root itself the first is 1 / m, and the law for a
given v that is not the root follows from these two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, exp, expm1, inf, lgamma, log, log1p
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Sizes:
    """n agents that know N and c, with the constants as printed."""

    n: int
    N: int
    c: int = 1

    def __str__(self) -> str:
        return f"n = {self.n:,}, N = {self.N:,}, c = {self.c}"

    @property
    def ln(self) -> int:
        return ceil(log(self.N))

    @property
    def t_virus(self) -> int:
        return 60 * self.ln

    @property
    def t_emit(self) -> int:
        """And t_max."""
        return 12 * self.c * self.t_virus * self.ln

    @property
    def tau(self) -> int:
        return self.n * self.t_emit // 5

    @property
    def settling(self) -> int:
        """Steps after which G_half is claimed."""
        return 6 * self.c * self.n * self.ln**2


# -- binomial tails ----------------------------------------------------------------------------------------------------


def log_at_least(trials: int, p: float, k: int) -> float:
    """log P(X >= k), X binomial: the first term, and the ratios of those that follow."""
    if k <= 0:
        return 0.0
    if k > trials:
        return -inf
    if k <= trials * p:
        return log1p(-exp(log_at_most(trials, p, k - 1)))
    odds = p / (1 - p)
    first = (trials - k) / (k + 1) * odds
    many = min(trials - k, ceil(-40 / log(first)) if 0 < first < 1 else trials - k)
    j = np.arange(many)
    ratios = np.exp(np.cumsum(np.log((trials - k - j) / (k + 1 + j) * odds)))
    return _log_term(trials, p, k) + log1p(float(ratios.sum()))


def log_at_most(trials: int, p: float, k: int) -> float:
    """log P(X <= k): the failures are binomial too."""
    return log_at_least(trials, 1 - p, trials - k)


def _log_term(trials: int, p: float, k: int) -> float:
    choose = lgamma(trials + 1) - lgamma(k + 1) - lgamma(trials - k + 1)
    return choose + (k * log(p) if k else 0.0) + ((trials - k) * log1p(-p) if k < trials else 0.0)


# -- epidemics ---------------------------------------------------------------------------------------------------------


def infecting(n: int) -> Any:
    """The probability that a step infects somebody, for m = 1..n-1 infected."""
    m = np.arange(1, n)
    return 2 * m * (n - m) / (n * (n - 1))


def unfinished(n: int, steps: int) -> Any:
    """P(not everyone is infected after k steps) for k = 0..steps, exactly."""
    p = infecting(n)
    among = np.zeros(n - 1)
    among[0] = 1.0
    found = np.empty(steps + 1)
    for k in range(steps + 1):
        found[k] = among.sum()
        newly = among * p
        among -= newly
        among[1:] += newly[:-1]
    return found


def log_unfinished(n: int, steps: int) -> float:
    """At least log P(not everyone is infected after this number of steps): a sum of n - 1 geometric times."""
    p = infecting(n)

    def bound(tilt: float) -> float:
        return float((np.log(p) + tilt - np.log1p((p - 1) * exp(tilt))).sum()) - tilt * (steps + 1)

    return least(bound, -log1p(-float(p[0])))


def least(bound: Callable[[float], float], end: float) -> float:
    """The least of these over tilts between 0 and the end; a tilt of 0 says that probabilities are at most 1."""
    from scipy.optimize import minimize_scalar

    found = minimize_scalar(bound, bounds=(end * 1e-9, end * (1 - 1e-9)), method="bounded", options={"xatol": 1e-10})
    return min(0.0, float(found.fun))


# -- virtual agents ----------------------------------------------------------------------------------------------------


def meeting(n: int) -> Any:
    """The chance of a virtual agent to take part in a step that infects nobody, for m = 1..n infected."""
    m = np.arange(1, n + 1)
    others = m * (m - 1) + (n - m) * (n - m - 1)
    return 2 * (m - 1) / np.where(others > 0, others, 1)


def virtual_law(n: int, t: int) -> tuple[Any, float]:
    """P(a virtual agent takes part in k of t steps) for k = 0..t given that all are infected then; P(all are).

    Of a given agent that is not the root.
    """
    anyone = _joint_law(n, t, 2 / np.arange(2, n + 1))
    root = _joint_law(n, t, 1 / np.arange(1, n))
    other = (n * anyone - root) / (n - 1)
    return other / other.sum(), float(other.sum())


def _joint_law(n: int, t: int, newly: Any) -> Any:
    """Together with all being infected. `newly` is the chance to take part in the infection after m = 1..n-1."""
    infects = np.append(infecting(n), 0.0)
    idle, chance = (1 - infects)[:, None], meeting(n)[:, None]
    grows, takes = infects[:-1, None], np.asarray(newly)[:, None]
    law = np.zeros((n, t + 2))  # shifted by one, so that there is always one count less
    law[0, 1] = 1.0
    for _ in range(t):
        less = np.roll(law, 1, axis=1)
        after = idle * ((1 - chance) * law + chance * less)
        after[1:] += grows * ((1 - takes) * law[:-1] + takes * less[:-1])
        law = after
    return law[-1, 1:]


def log_virtual(n: int, t: int, many: float) -> float:
    """At least log P(the virtual agent of any v takes part in this number of t steps | all are infected then)."""
    newly = 2 / np.arange(2, n + 1)  # more than the root's 1 / m where m > 1
    often = float(meeting(n).max())

    def bound(tilt: float) -> float:
        more = expm1(tilt)
        return float(np.log1p(newly * more).sum()) + max(0, t - n + 1) * log1p(often * more) - tilt * many

    return least(bound, 12.0) + log(n / (n - 1))


# -- rounds ------------------------------------------------------------------------------------------------------------


def _arrivals(n: int, s: int) -> tuple[float, float, float]:
    """The chance that a step meets none, one or two of the s agents that the round still waits for."""
    pairs = n * (n - 1)
    return (n - s) * (n - s - 1) / pairs, 2 * s * (n - s) / pairs, s * (s - 1) / pairs


def round_mean(n: int) -> float:
    """Expected steps of a round, exactly."""
    before, last = 0.0, 0.0
    for s in range(1, n + 1):
        none, one, two = _arrivals(n, s)
        before, last = last, (1 + one * last + two * before) / (1 - none)
    return last


def log_rounds(n: int, rounds: int, steps: int) -> float:
    """At least log P(this number of rounds takes this number of steps or more)."""

    def bound(tilt: float) -> float:
        grown = exp(tilt)
        before, last = 0.0, 1.0
        for s in range(1, n + 1):
            none, one, two = _arrivals(n, s)
            before, last = last, grown * (one * last + two * before) / (1 - grown * none)
        return rounds * log(last) - tilt * steps

    return least(bound, -log1p(-2 / n))


# -- how one tau can fail ----------------------------------------------------------------------------------------------


def ways_to_fail(part: int, seed: int, *, sizes: Sequence[tuple[int, int, int]]) -> dict[str, float]:
    """At these sizes, at least the logarithms of the probabilities that

    busy: somebody interacts t_emit / 2 times within tau; late: t_virus rounds take tau steps;
    missed: an epidemic misses somebody within 6 c n ceil(ln N)^2 steps;
    worn: it reaches everybody, but over more than t_max / 2 interactions of somebody's virtual agent;
    waiting: t_max rounds take 12 tau ceil(ln N) steps.
    """
    one = Sizes(*sizes[part])
    return {
        "busy": log(one.n) + log_at_least(one.tau, 2 / one.n, one.t_emit // 2),
        "late": log_rounds(one.n, one.t_virus, one.tau),
        "missed": log_unfinished(one.n, one.settling),
        "worn": log(one.n) + log_virtual(one.n, one.settling, one.t_emit // 2 + 1),
        "waiting": log_rounds(one.n, one.t_emit, 12 * one.tau * one.ln),
    }


def log_sum(*logs: float) -> float:
    """The logarithm of a sum, given the logarithms of the terms."""
    return float(np.logaddexp.reduce(logs))
