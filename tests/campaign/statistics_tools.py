"""Random numbers for the tests of statistics."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction


def numbers(count: int, most: int = 10**6, seed: int = 1) -> list[int]:
    source = random.Random(seed)
    return [source.randrange(most) for _ in range(count)]


# Freireich and others (1963): weeks of remission under 6-mercaptopurine; the estimate and its standard errors are in
# many textbooks (Kalbfleisch and Prentice; Klein and Moeschberger, table 4.1).
ENDED = [6, 6, 6, 7, 10, 13, 16, 22, 23]
CUT = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]


def by_hand(ended: Sequence[float], cut: Sequence[float]) -> dict[float, Fraction]:
    """The product of (1 - deaths / at risk), in fractions, each number counted from the definition."""
    share, found = Fraction(1), {}
    for time in sorted(set(ended)):
        at_risk = sum(value >= time for value in [*ended, *cut])
        share *= 1 - Fraction(sum(value == time for value in ended), at_risk)
        found[time] = share
    return found
