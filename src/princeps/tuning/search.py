"""The smallest value of a parameter with which one way of losing the leader is rare enough.

The logarithm of the rate is nearly a line in the parameter, so that two estimates lead near to the value that is looked for;
its neighbour shows that it is the smallest. An estimate counts with its upper end, so that noise chooses rather one more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, inf, log

from princeps.errors import RunError
from princeps.rare.statistics import Rate

MAX_TRIED = 16  # values of a parameter
LINES = 6  # values after which the bracket is halved, since the line does not lead there
USUAL_SLOPE = 0.6  # of the logarithm of the rate, while there is one estimate only
UPPER = 1.73  # standard errors: 95 % on one side, by 20 replicas


@dataclass(frozen=True)
class Tried:
    """The rate with one value of the parameter; None: the leader is lost again and again, which is no rare event."""

    value: int
    rate: Rate | None

    @property
    def upper(self) -> float:
        """Infinite where nothing is known: what cannot be estimated cannot be chosen."""
        if self.rate is None or self.rate.mean <= 0:
            return inf
        return self.rate.mean + UPPER * self.rate.error


def smallest(
    rate_of: Callable[[int], Rate | None], allowed: float, guess: int, least: int, name: str
) -> tuple[Tried, list[Tried]]:
    """The smallest value whose rate is allowed, and everything that was tried."""
    tried: dict[int, Tried] = {}
    low, high, value = least - 1, None, max(guess, least)
    while len(tried) < MAX_TRIED:
        found = tried[value] = Tried(value, rate_of(value))
        if found.upper <= allowed:
            high = value
        else:
            low = value
        if high is not None and high - low <= 1:
            return tried[high], [tried[key] for key in sorted(tried)]
        value = _next(tried, allowed, low, high)
    raise RunError(f"no value of {name} up to {max(tried)} was found to hold the leader long enough: lower --hold.")


def _next(tried: dict[int, Tried], allowed: float, low: int, high: int | None) -> int:
    if high is not None and len(tried) > LINES:
        return (low + high) // 2
    most = 2 * low + 8 if high is None else high - 1
    known = [one for one in tried.values() if one.upper < inf]
    if not known:
        return most
    known.sort(key=lambda one: abs(log(one.upper / allowed)))
    near = known[0]
    slope = USUAL_SLOPE
    if len(known) > 1:
        other = known[1]
        slope = (log(near.upper) - log(other.upper)) / (other.value - near.value)
    if slope <= 0:
        return most if high is None else (low + high) // 2
    return min(most, max(low + 1, near.value + ceil(log(near.upper / allowed) / slope)))
