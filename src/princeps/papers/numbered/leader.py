"""The agent with the largest identifier, exactly: what it does depends on nothing but the number of its followers.

Let i of n agents follow it, itself among them. All pairs of distinct agents are equally likely, and three kinds of them
matter: its own with one of the n - i others (a conversion of its own), those of its i - 1 followers with the others (a
conversion by them), and its own with a follower. So of the conversions it makes the share 1/i, and between the i-th
and the next it meets a geometrically distributed number of followers, of mean (i-1) / (i(n-i)); which of the two kinds
a conversion is does not depend on that number: conversions and followers met are independent.

A conversion always raises i, and only meetings with followers can end in a declaration: whether it declares before
everybody follows it is a walk over (i, conversions, followers met), which is gone through here without any sampling.
It is the process of `numbered` up to the first declaration of another agent, which has only a part of the population
to go by and is rare: `runs.py` counts those.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log

import numpy as np

RARE = 60  # followers met beyond four times their mean: each further one halves the probability


def harmonic(n: int) -> float:
    return float(np.sum(1 / np.arange(1, n + 1)))


def agreement(n: int) -> float:
    """Expected interactions until all follow the largest."""
    return (n - 1) * harmonic(n - 1)


def sum_of_waits(n: int, *, selves: bool = False) -> Fraction:
    """The same as a sum of geometric waiting times, in fractions.

    With `selves` both agents of an interaction are drawn from all n, and may be the same.
    """
    pairs = n * n if selves else n * (n - 1)
    return sum((Fraction(pairs, 2 * i * (n - i)) for i in range(1, n)), Fraction(0))


def followers_met(n: int) -> float:
    """Expected meetings of the largest with its followers before all follow it."""
    return (1 - 2 / n) * harmonic(n - 1)


def sum_of_meetings(n: int, itself: int = 0) -> Fraction:
    """The same as a sum over the numbers of followers, in fractions; the leader itself counts as one of them so often.

    Ordered pairs of the leader and one of its i followers, itself not among them: 2 (i - 1).
    """
    return sum((Fraction(2 * (i - 1) + itself, 2 * i * (n - i)) for i in range(1, n)), Fraction(0))


def variance_of_followers_met(n: int) -> float:
    i = np.arange(1.0, n)
    means = (i - 1) / (i * (n - i))
    return float((means * (1 + means)).sum())


def law_of_conversions(n: int) -> list[float]:
    """P(the largest makes k conversions), k = 0..: as many as a random permutation of n - 1 things has cycles."""
    law = np.array([1.0])
    for i in range(1, n):
        longer = np.append(law * (1 - 1 / i), 0.0)
        longer[1:] += law / i
        law = longer[: ceil(5 * log(n)) + RARE]
    return [float(probability) for probability in law]


def too_early(n: int, m: int, minimum: int = 0) -> float:
    """P(the largest has met more than m times as many followers as it has converted, before all follow it).

    With a minimum it declares no sooner than at its that-many-th meeting, and then only if it meets a follower.
    Only as many conversions are followed as that many followers are ever met for: the rest is below 1e-15.
    """
    from scipy.signal import lfilter

    most = ceil(4 * log(n)) + RARE + minimum  # followers met
    rows = np.arange(most // m + 2)  # conversions
    last = np.maximum(m * rows, minimum - 1 - rows)  # from here on the next follower ends it
    allowed = np.arange(most)[None, :] <= last[:, None]
    ends = rows[(rows > 0) & (last < most)]
    here = np.zeros((len(rows), most))
    here[0, 0] = 1.0
    early = 0.0
    for i in range(1, n):
        follower = (i - 1) / (i * (n - i) + i - 1)  # of two things that may happen next, the other is a conversion
        visits = lfilter([1.0], [1.0, -follower], here * allowed, axis=1)
        early += follower * float(visits[ends, last[ends]].sum())
        visits *= allowed * (1 - follower)
        if minimum:  # a conversion can be the meeting that fulfils the minimum
            beyond = here * ~allowed
            early += follower * float(beyond.sum())
            visits += beyond * (1 - follower)
        here = visits * (1 - 1 / i)
        here[1:] += visits[:-1] / i
    return early


def too_early_at(part: int, seed: int, *, cases: list[tuple[int, int]]) -> float:
    """`too_early` for one of these (n, m): the evidence keeps what takes a second at n = 10,000."""
    n, m = cases[part]
    return too_early(n, m)


def error_exponent(m: int) -> float:
    """By which power of n the probability of a wrong declaration falls, up to powers of log n.

    E z^met ~ n^(z-1) and E z^conversions ~ n^(z-1) up to constants, so that E z^(met - m conversions) is
    n^(z + z^-m - 2), which is least where z^(m+1) = m.
    """
    z = m ** (1 / (m + 1))
    return float(2 - z - z**-m)


def declaration(n: int, m: int) -> float:
    """Expected steps to the declaration if it is not too early: (m + 1) conversions + 1 meetings, n/2 steps each."""
    return n / 2 * ((m + 1) * harmonic(n - 1) + 1)
