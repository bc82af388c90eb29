"""Values that come one after another, as a list: what may have no end is listed up to a limit, and refused beyond it.

What somebody has listed is in memory already, and is as long as it is. An iterator, a range or an object that computes
its items costs nothing before it is listed: of it no more than a limit is taken.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TypeVar

from princeps.errors import RunError

T = TypeVar("T")

MAX_VALUES = 100_000  # sizes, protocols, faults
MAX_PER_AGENT = 10**7  # identifiers, labels, states, edges, pairs: half a gigabyte as a list
IN_MEMORY = (list, tuple, set, frozenset, dict)
REMEDY = "give fewer, like list(itertools.islice(values, 1000))."


def as_list(values: Iterable[T], what: str, most: int = MAX_VALUES, remedy: str = REMEDY) -> list[T]:
    """`what` names the argument. TypeError if it is no iterable."""
    if isinstance(values, IN_MEMORY):
        return list(values)
    found = list(islice(values, most + 1))
    if len(found) > most:
        raise RunError(f"{what} has more than {most:,} values, perhaps without end: {remedy}")
    return found
