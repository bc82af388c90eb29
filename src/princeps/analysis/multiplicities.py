"""How many configurations of the original space, with unmerged states and distinct agents, a listed one stands for."""

from __future__ import annotations

from math import factorial, perm, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis.codes import BY_AGENT, BY_CLASS
from princeps.analysis.configurations import Configurations, kernel

INT64_LIMIT = 2**62  # larger numbers of configurations are Python's integers


def multiplicities(configurations: Configurations) -> NDArray[Any]:
    """One for each listed configuration: int64, or Python's integers where those could overflow."""
    sizes, n = configurations.classes.sizes, configurations.n
    if int(sizes.sum()) ** n < INT64_LIMIT // factorial(min(n, 20)) and n <= 20:
        out = np.empty(configurations.size, np.int64)
        kernel().multiplicities(
            configurations.listed_rows, configurations.encoding, configurations.permutations, sizes, out
        )
        return out
    if configurations.encoding == BY_CLASS:
        return _multinomials(configurations)
    return np.array([_multiplicity(configurations, row) for row in configurations.listed_rows], object)


def _multinomials(configurations: Configurations) -> NDArray[Any]:
    """Each from the one before, which differs by a few agents: quotients of large factorials are slow."""
    sizes = [int(size) for size in configurations.classes.sizes]
    before, number = [configurations.n, *[0] * (configurations.width - 1)], sizes[0] ** configurations.n
    out = np.empty(configurations.size, object)
    for x, row in enumerate(configurations.listed_rows.tolist()):
        numerator = denominator = 1
        for size, old, new in zip(sizes, before, row, strict=True):
            numerator *= perm(old, old - new) if old > new else size ** (new - old)
            denominator *= perm(new, new - old) if new > old else size ** (old - new)
        number = number * numerator // denominator
        out[x], before = number, row
    return out


def _multiplicity(configurations: Configurations, row: NDArray[np.uint16]) -> int:
    sizes = [int(size) for size in configurations.classes.sizes]
    if configurations.encoding == BY_AGENT:
        permutations = configurations.permutations
        stabilizer = 1 + sum(bool((row[p] == row).all()) for p in permutations)
        return int((len(permutations) + 1) // stabilizer * prod(sizes[cell] for cell in row))
    number = factorial(configurations.n)
    for class_, copies in zip(*np.unique(row, return_counts=True), strict=True):
        number = number // factorial(int(copies)) * sizes[class_] ** int(copies)
    return number
