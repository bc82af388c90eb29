"""A set of configurations given bit by bit: which states it tells apart, and what it does not depend on.

Configurations are numbers with a digit an agent, agent 0 first; there are q digits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.jit import njit


@njit
def mixed(x: Any) -> Any:
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@njit(cache=True)
def slices(members: Any, q: int, n: int, first: int, last: int, out: Any) -> None:
    """Add up for each position and state a 64-bit number of the contexts in which it makes a member."""
    for code in range(first, last):
        if members[code]:
            place = np.int64(1)
            for i in range(n - 1, -1, -1):
                digit = (code // place) % q
                context = code - digit * place
                out[i, digit] += mixed(np.uint64(context) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(i + 1))
                place *= q


@njit(cache=True)
def disagreements(members: Any, q: int, n: int, chosen: Any, permutation: Any, first: int, last: int) -> int:
    """Configurations that are members while their image is not, or the reverse.

    The image has the chosen state for every state, and agent permutation[i] in the place of agent i.
    """
    digits = np.empty(n, np.int64)
    found = 0
    for code in range(first, last):
        rest = code
        for i in range(n - 1, -1, -1):
            digits[i] = chosen[rest % q]
            rest //= q
        image = np.int64(0)
        for i in range(n):
            image = image * q + digits[permutation[i]]
        found += members[code] != members[image]
    return found
