"""The state of an agent (fields) and the constants of a protocol (parameters)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


class Agent:
    """One agent's state inside `interact`: every attribute is a field, every field an int."""

    __slots__ = ()

    def __getattr__(self, name: str) -> int:
        raise AttributeError(name)

    def __setattr__(self, name: str, value: int) -> None:
        object.__setattr__(self, name, value)


class Params:
    """The constants of a protocol: its parameters and what is derived from them."""

    def __init__(self, values: Mapping[str, int] | None = None) -> None:
        self.__dict__.update(values or {})

    def __getattr__(self, name: str) -> int:
        raise AttributeError(f"unknown parameter {name!r}: the parameters are {', '.join(self.__dict__) or 'none'}.")

    def as_dict(self) -> dict[str, int]:
        return dict(self.__dict__)


class Counts:
    """How many agents satisfy each named predicate; `n` is all of them."""

    def __init__(self, values: Mapping[str, int]) -> None:
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> int:
        raise AttributeError(f"unknown count {name!r}: the predicates are {', '.join(self.__dict__)}.")


Size = int | Callable[[Params], int]
GroupSpec = Mapping[str, int | range]


@dataclass(frozen=True)
class Field:
    """A variable with values 0..size-1; `size` None means every natural number."""

    size: Size | None
    is_input: bool = False
    is_scratch: bool = False
    random_below: Size | None = None  # a bound for random states where no uniform law exists on the whole domain

    def resolve(self, p: Params) -> int | None:
        return self.size(p) if callable(self.size) else self.size

    @property
    def fixed(self) -> bool:
        """The size is the same for all parameters."""
        return isinstance(self.size, int)


def Bit() -> Field:  # noqa: N802 - reads as a type in a protocol file
    return Field(2)


def Range(size: Size) -> Field:  # noqa: N802
    return Field(size)


def Natural(random_below: Size) -> Field:  # noqa: N802
    """An unbounded counter or name; a random state draws it below `random_below`."""
    return Field(None, random_below=random_below)


def Input() -> Field:  # noqa: N802
    """An agent's own identifier: given to the run, never written, never hit by a fault."""
    return Field(None, is_input=True)


def Scratch() -> Field:  # noqa: N802
    """A flag that is 0 when an interaction begins and forgotten when it ends: not part of the state."""
    return Field(2, is_scratch=True)


@dataclass(frozen=True)
class Param:
    """An integer that the user may choose; default is a number, "n", or a function of n."""

    min: int = 0
    max: int | None = None
    default: int | str | Callable[[int], int] = 0
    doc: str = ""

    def range_text(self) -> str:
        return f"an integer >= {self.min}" if self.max is None else f"an integer in {self.min}..{self.max}"

    def default_text(self) -> str:
        if callable(self.default):
            return (self.default.__doc__ or "a function of n").strip()
        return str(self.default)


@dataclass(frozen=True)
class Derived:
    """A constant computed once a run from the parameters."""

    of: Callable[[Params], int]


@dataclass(frozen=True)
class OfInputs:
    """A constant computed once a run from all the identifiers (for goals only: no agent knows it)."""

    of: Callable[[Any], int]


def ceil_lg(x: int) -> int:
    """ceil(lg x), exactly."""
    return (x - 1).bit_length()


def default_m(n: int) -> int:
    """ceil(lg n)"""
    return max(1, ceil_lg(n))
