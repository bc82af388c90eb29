"""Ways to lose a unique leader, and level functions that say how near a configuration is to one.

A level function is a weighted sum of aggregates over all agents of functions `of(a, p)` with whole values from 0 on. The
higher, the nearer to the loss. Any level function gives an unbiased estimate of a rare rate; a bad one, with a spread that
no number of replicas shows. That is why a loss has two of different kinds, which must agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from princeps.model.fields import Agent, Params
from princeps.model.values import function_complaint, shown

CREATED, FALLEN, MOVED = "created", "fallen", "moved"  # then more than one leads, nobody does, or somebody else
KINDS = (CREATED, FALLEN, MOVED)

OfAgent = Callable[[Agent, Params], int]


@dataclass(frozen=True)
class _Aggregate:
    """`weight` may be given by a product: 0.4 * Total(f)."""

    of: OfAgent
    weight: float = 1.0

    def __rmul__(self, factor: float) -> Any:
        return replace(self, weight=factor * self.weight)

    def __neg__(self) -> Any:
        return -1.0 * self

    def __add__(self, other: Any) -> Level:
        return Level((self,)).__add__(other)


@dataclass(frozen=True)
class SoftMin(_Aggregate):
    """The sum of base^value: high where some agents' values are very small, or many are small.

    Without a base, 0.8, or more where values are so large that 0.8^value vanishes.
    """

    base: float | None = None


@dataclass(frozen=True)
class Spent(_Aggregate):
    """The sum of (top - value)^power, top a function of the parameters: high where much has been counted down.

    A polynomial beside SoftMin's exponential: both rise with one very small value and with many that are small.
    """

    top: Callable[[Params], int] = lambda p: 0
    power: int = 3


@dataclass(frozen=True)
class Total(_Aggregate):
    """The sum of the values."""


@dataclass(frozen=True)
class Mean(_Aggregate):
    """The mean of the values."""


@dataclass(frozen=True)
class Largest(_Aggregate):
    """The largest value."""


@dataclass(frozen=True)
class Level:
    """A sum of aggregates; while no agent satisfies `while_some`, lower than anything."""

    terms: tuple[_Aggregate, ...]
    while_some: OfAgent | None = None

    def __add__(self, other: Any) -> Level:
        more = other.terms if isinstance(other, Level) else (other,)
        return replace(self, terms=self.terms + more)


@dataclass(frozen=True, init=False)
class Loss:
    """One way in which a unique leader is lost: its kind (created, fallen, moved), and level functions for it.

    `at`: n and parameters of a population that is small enough for an exact rate, where a usual one never is.
    """

    kind: str
    levels: tuple[Level, ...]
    at: Mapping[str, int] | None

    def __init__(
        self,
        kind: str,
        *levels: Level | _Aggregate,
        while_some: OfAgent | None = None,
        at: Mapping[str, int] | None = None,
    ) -> None:
        object.__setattr__(self, "at", at)
        made = [level if isinstance(level, Level) else Level((level,)) for level in levels]
        object.__setattr__(self, "kind", kind)
        object.__setattr__(
            self, "levels", tuple(replace(level, while_some=level.while_some or while_some) for level in made)
        )


def loss_complaint(value: Any) -> str | None:
    """What is wrong with an entry of `losses`."""
    if not isinstance(value, Loss):
        return f"is {shown(value)}: give Loss(kind, level, level)."
    if value.kind not in KINDS:
        return f"is of kind {value.kind!r}: it is one of {', '.join(KINDS)}."
    for level in value.levels:
        if not level.terms or not all(isinstance(term, _Aggregate) for term in level.terms):
            return "has a level function without aggregates: add SoftMin, Total, Mean or Largest of a function (a, p)."
        for function in (*(term.of for term in level.terms), level.while_some):
            complaint = None if function is None else function_complaint(function, "a, p")
            if complaint is not None:
                return complaint
        for term in level.terms:
            if isinstance(term, SoftMin) and term.base is not None and not 0 < term.base < 1:
                return f"has a SoftMin of base {term.base!r}: a base lies between 0 and 1."
    return None
