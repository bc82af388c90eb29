"""A set of configurations given as a table: which states it distinguishes, and under which maps it is invariant.

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
def add_contexts(members: Any, q: int, n: int, first: int, last: int, out: Any) -> None:
    """Add to out[i, s] a 64-bit hash of every context (the states of the others) in which state s of agent i makes the
    configuration a member."""
    for code in range(first, last):
        if members[code]:
            power = np.int64(1)
            for i in range(n - 1, -1, -1):
                digit = (code // power) % q
                context = code - digit * power
                out[i, digit] += mixed(np.uint64(context) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(i + 1))
                power *= q


@njit(cache=True)
def count_differences(members: Any, q: int, n: int, images: Any, permutation: Any, first: int, last: int) -> int:
    """The number of configurations first..last-1 of which exactly one of the configuration and its image is a member.

    In the image, agent i has the state images[s], where s is the state of agent permutation[i].
    """
    digits = np.empty(n, np.int64)
    found = 0
    for code in range(first, last):
        rest = code
        for i in range(n - 1, -1, -1):
            digits[i] = images[rest % q]
            rest //= q
        image = np.int64(0)
        for i in range(n):
            image = image * q + digits[permutation[i]]
        found += members[code] != members[image]
    return found
