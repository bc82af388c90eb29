"""What can be computed about P_LL without running it: pure functions of small numbers.

Sums here have terms of one sign only, so that floating point loses at most some roundings: ROUNDING is allowed for
them wherever such a number is held against a bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil, comb, exp, log
from typing import Any

import numpy as np

ROUNDING = 1e-9  # relative
HALF = Fraction(1, 2)


def lg_up(x: int) -> int:
    """ceil(lg x)."""
    return (x - 1).bit_length()


def harmonic(n: int) -> float:
    return float(sum(1 / k for k in range(1, n + 1)))


# -- the lottery: everyone tosses until tail, those with the most heads win --------------------------------------------


def winners_exactly(most: int, head: Fraction = HALF) -> list[list[Fraction]]:
    """[n][i] is the probability of exactly i winners among n players, in fractions, for n up to `most`.

    After one toss each, either all saw tail and all have won, or those with head play on among themselves.
    """
    tail = 1 - head
    law: list[list[Fraction]] = [[Fraction(0)]]
    for n in range(1, most + 1):
        stay = head**n  # all saw head: nothing has changed
        going_on = [comb(n, j) * head**j * tail ** (n - j) for j in range(n)]
        row = [Fraction(0)] * (n + 1)
        for i in range(1, n + 1):
            own = sum((going_on[j] * law[j][i] for j in range(i, n)), Fraction(0))
            row[i] = (own + (tail**n if i == n else 0)) / (1 - stay)
        law.append(row)
    return law


def winners(n: int, i: int, head: float = 0.5) -> float:
    """The same for one n, by summing over the winners' number of heads until the rest is below a rounding."""
    terms = np.arange(ceil((60 + log(n)) / -log(head)) + 1)
    below = np.power(1 - head**terms, n - i)  # everyone else has fewer heads
    return float(comb(n, i) * ((head**terms * (1 - head)) ** i * below).sum()) if n >= i else 0.0


def winners_limit(i: int) -> float:
    """Around this value the probability of i winners swings, by about 1e-5, as n grows."""
    return 1 / (i * 2.0**i * log(2))


# -- the Tournament and BackUp -----------------------------------------------------------------------------------------


def tie(i: int, values: int) -> float:
    """The largest of i independent nonces, uniform over this number of values, is not unique."""
    return 1 - sum(i / values * (v / values) ** (i - 1) for v in range(values))


def several_left(values: int, most: int = 60) -> float:
    """Several leaders are left by a lottery among very many and then a Tournament with this number of nonces."""
    return sum(winners_limit(i) * tie(i, values) for i in range(2, most))


def halving(k: int) -> float:
    """Of 1 + k leaders that toss one coin each, some see head, and at most 1 + floor(k/2) do."""
    return sum(comb(k + 1, heads) for heads in range(1, k // 2 + 2)) / 2.0 ** (k + 1)


@lru_cache(maxsize=4096)
def rounds(i: int) -> float:
    """Expected rounds until one of i leaders is left, if those with tail fall unless all saw tail."""
    if i == 1:
        return 0.0
    going_on = sum(comb(i, j) * rounds(j) for j in range(1, i)) / 2.0**i
    return (1 + going_on) / (1 - 2 / 2.0**i)


# -- meetings ----------------------------------------------------------------------------------------------------------


def epidemic_tails(n: int, part: int, times: int, steps: int) -> Any:
    """P(an epidemic among `part` of n agents is not complete after steps, 2 steps, ..., times * steps interactions)."""
    infected = np.arange(1, part)
    grow = infected * (part - infected) / comb(n, 2)
    one = np.diag(1 - grow) + np.diag(grow[:-1], 1)
    many = np.linalg.matrix_power(one, steps)
    found, now = np.empty(times), np.zeros(part - 1)
    now[:1] = 1
    for k in range(times):
        now = now @ many
        found[k] = now.sum()
    return found


def epidemic_bound(n: int, part: int, t: Any) -> Any:
    """Lemma 1's n' e^(-t/n)."""
    return part * np.exp(-np.asarray(t) / n)


def untouched(n: int, steps: int) -> Fraction:
    """P(some agent has not met anybody after this number of interactions), by inclusion and exclusion."""
    pairs = comb(n, 2)
    total = sum((-1) ** (j + 1) * comb(n, j) * comb(n - j, 2) ** steps for j in range(1, n - 1))
    return Fraction(total, pairs**steps)


def busy(steps: int, n: int, meetings: int) -> float:
    """P(one given agent takes part in at least this number of these interactions)."""
    from scipy.stats import binom

    return float(binom.sf(meetings - 1, steps, 2 / n))


def pairwise(n: int, leaders: int) -> float:
    """Expected steps until one of this number of leaders is left where two that meet become one."""
    return n * (n - 1) * (1 - 1 / leaders)


# -- tests -------------------------------------------------------------------------------------------------------------


def uniform_test(counts: Sequence[int]) -> tuple[float, float]:
    """Pearson's statistic for cells that should be equally likely, and its p-value."""
    from scipy.stats import chi2

    expected = sum(counts) / len(counts)
    statistic = sum((count - expected) ** 2 / expected for count in counts)
    return statistic, float(chi2.sf(statistic, len(counts) - 1))


def uniform_test_power(trials: int, cells: Sequence[float], significance: float) -> float:
    """The probability with which that test notices these probabilities of the cells."""
    from scipy.stats import chi2, ncx2

    excess = trials * sum((cell - 1 / len(cells)) ** 2 * len(cells) for cell in cells)
    return float(ncx2.sf(chi2.isf(significance, len(cells) - 1), len(cells) - 1, excess))


def backup_bound(leaders: int, c_max: int) -> float:
    """Lemmas 13 and 15: parallel time that 4 rounds for each halving take, of c_max each."""
    return 4.0 * (lg_up(leaders) + 1) * c_max


def whp(n: int) -> float:
    """What the proofs of the clock leave for a failure, at most: n e^(-2 ln n + 0.05)."""
    return exp(0.05) / n
