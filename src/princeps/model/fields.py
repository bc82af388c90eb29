"""The state of an agent (fields) and the constants of a protocol (parameters)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Never

from princeps.errors import ProtocolError, StateError
from princeps.model.named_states import names_complaint
from princeps.model.values import function_complaint, plain_number, shown

NOBODY_LEADS = "nobody_leads"  # how a rule reads the oracle NobodyLeads
LATER = {"later": True}  # of a part of a declaration that 0.1.0 did not have: no content where it is not used


class NotDeclared(StateError, AttributeError):
    """A field, parameter or count that the file does not declare."""


def unknown_parameter(name: str, known: Iterable[str]) -> str:
    """What every engine says of `p.name`, where nothing of this name is declared."""
    if name == NOBODY_LEADS:
        return f"unknown parameter {name!r}: declare oracle = NobodyLeads() in the class; the rule alone may read it."
    parameters = ", ".join(known)
    return f"unknown parameter {name!r}: {f'the parameters are {parameters}' if parameters else 'none is declared'}."


class Agent:
    """One agent's state inside `interact`: every attribute is a field, every field an int."""

    __slots__ = ()

    def __getattr__(self, name: str) -> int:
        raise NotDeclared(f"unknown field {name!r}.")

    def __setattr__(self, name: str, value: int) -> None:
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise StateError(f"the field {name!r} cannot be deleted: give it a value.")


class Params:
    """The constants of a protocol: its parameters and what is derived from them."""

    def __init__(self, values: Mapping[str, int] | None = None) -> None:
        self.__dict__.update(values or {})

    def __getattr__(self, name: str) -> int:
        raise NotDeclared(unknown_parameter(name, self.__dict__))

    def __setattr__(self, name: str, value: int) -> None:
        raise StateError(f"the parameter {name!r} cannot be assigned: it is the same for the whole run.")

    def __delattr__(self, name: str) -> None:
        raise StateError(f"the parameter {name!r} cannot be deleted.")

    def as_dict(self) -> dict[str, int]:
        """For protocol files; a parameter of this name takes its place, so everybody else asks `constants_of`."""
        return constants_of(self)


def constants_of(p: Params) -> dict[str, int]:
    """All parameters and derived constants by name."""
    return dict(vars(p))


class Counts:
    """How many agents satisfy each named predicate; `n` is all of them."""

    def __init__(self, values: Mapping[str, int]) -> None:
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> int:
        raise NotDeclared(f"unknown count {name!r}: the predicates are {', '.join(self.__dict__)}.")

    def __setattr__(self, name: str, value: int) -> None:
        raise StateError(f"the count {name!r} cannot be assigned.")


Size = int | Callable[[Params], int]
GroupSpec = Mapping[str, int | range | str]  # values by number, or by name


@dataclass(frozen=True)
class Field:
    """A variable with values 0..size-1; `size` None means every natural number."""

    size: Size | None
    is_input: bool = False
    is_scratch: bool = False
    random_below: Size | None = None  # a bound for random states where no uniform law exists on the whole domain
    names: tuple[str, ...] = field(default=(), metadata=LATER)  # of the values, where they have some

    def __post_init__(self) -> None:
        for name in ("size", "random_below"):
            object.__setattr__(self, name, plain_number(getattr(self, name)))

    def resolve(self, p: Params) -> int | None:
        return self.size(p) if callable(self.size) else self.size

    def complaint(self) -> str | None:
        """What is wrong with the declaration, if anything is."""
        if self.names:
            return names_complaint(self.names)
        if self.size is None and self.random_below is None and not self.is_input:
            return "has no size: give Range(8), or Natural(random_below=8)"
        return _size_complaint(self.size) or _size_complaint(self.random_below)

    @property
    def fixed(self) -> bool:
        """The size is the same for all parameters."""
        return isinstance(self.size, int)


def _size_complaint(size: object) -> str | None:
    if callable(size):
        return function_complaint(size, "p")
    if size is not None and not isinstance(size, int):
        return f"has the size {shown(size)}: give an integer, or a function of the parameters"
    return None if size is None or size >= 1 else f"has size {size}: a domain needs at least one value"


def Bit(*nothing: Never) -> Field:  # noqa: N802 - reads as a type in a protocol file
    """A field that is 0 or 1."""
    _refuse("Bit", nothing, "a field is 0 or 1: write Bit(); a start says with which value an agent begins")
    return Field(2)


def Range(size: Size, *nothing: Never) -> Field:  # noqa: N802
    """A field with the values 0..size-1; `size` is a number, or a function of the parameters."""
    values: tuple[Any, ...] = (size, *nothing)
    remedy = "give one size"
    if len(values) == 2 and values[0] == 0 and isinstance(values[1], int):
        remedy = f"for the values 0..{values[1]} write Range({values[1] + 1})"
    _refuse("Range", nothing, f"and Range(k) has the values 0..k-1: {remedy}", values)
    return Field(size)


def _refuse(name: str, extra: tuple[object, ...], what: str, given: tuple[object, ...] | None = None) -> None:
    """Too many arguments, in the line of whoever calls the function that calls this one."""
    if extra:
        frame = sys._getframe(2)
        text = f"{name}({', '.join(shown(one) for one in given or extra)})"
        raise ProtocolError(f"{text} is not understood, {what}.", frame.f_code.co_filename, frame.f_lineno)


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
    """An integer that the user may choose; default is a number, "n", a function of n, or None: it must be given."""

    min: int = 0
    max: int | None = None
    default: int | str | Callable[[int], int] | None = 0
    doc: str = ""

    def __post_init__(self) -> None:
        for name in ("min", "max", "default"):
            object.__setattr__(self, name, plain_number(getattr(self, name)))

    def has(self, value: int) -> bool:
        """Is the value in the legal range?"""
        return value >= self.min and (self.max is None or value <= self.max)

    def range_text(self) -> str:
        return f"an integer >= {self.min}" if self.max is None else f"an integer in {self.min}..{self.max}"

    def default_text(self) -> str:
        if callable(self.default):
            return (self.default.__doc__ or "a function of n").strip()
        has_none = self.default is None or (isinstance(self.default, int) and not self.has(self.default))
        return "none" if has_none else str(self.default)


@dataclass(frozen=True)
class Derived:
    """A constant computed once a run from the parameters; with `or_given` the user may give it instead, in that range.

    Whoever gives what the formula yields has the same run: the range is no part of what a protocol is.
    """

    of: Callable[[Params], int]
    or_given: Param | None = field(default=None, compare=False)


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
