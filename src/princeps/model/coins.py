"""Coins in rules: `coin()` and `draw(k)`, and where their values come from.

A rule that tosses coins has no single result for two states but a law of results. Whoever executes it says where the
values come from: a random stream of their own in a run (never the scheduler's), values that are given where an
interaction is repeated, or one value after the other where all results are wanted (`all_outcomes`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from operator import index
from threading import local
from types import CodeType, FunctionType, ModuleType
from typing import Any, Protocol, TypeVar

from princeps.errors import ProtocolError, RunError, StateError
from princeps.model.formatting import counted
from princeps.model.sources import bare

COINS = "coins"  # the purpose of the stream of a run that coins are drawn from
MAX_PATHS = 1 << 16  # ways through the draws of one interaction that are followed, where all results are wanted

Result = TypeVar("Result")


class Chance(Protocol):
    """Where the values of draws come from."""

    def below(self, bound: int) -> int: ...


_current = local()  # `source`: what the rule that is being executed draws from; other threads have their own


def draw(k: int) -> int:
    """In a rule: one of 0..k-1, each with the same probability."""
    bound = index(k)
    if bound < 1:
        raise StateError(f"draw({bound}) has nothing to draw from: give a number of 1 or more.")
    source: Chance | None = getattr(_current, "source", None)
    if source is None:
        raise StateError(
            "coin() and draw(k) are for the rule `interact` alone: predicates, goals and starts are not random."
        )
    return source.below(bound)


def coin() -> int:
    """In a rule: 0 or 1, each with probability 1/2."""
    return draw(2)


@contextmanager
def tossing(source: Chance) -> Iterator[None]:
    """What is called within draws from this source."""
    before = getattr(_current, "source", None)
    _current.source = source
    try:
        yield
    finally:
        _current.source = before


# -- sources ---------------------------------------------------------------------------------------------------------


class RecordedDraws:
    """Draws of another source, remembered."""

    def __init__(self, source: Chance) -> None:
        self.source, self.values = source, list[int]()

    def below(self, bound: int) -> int:
        value = self.source.below(bound)
        self.values.append(value)
        return value


class GivenDraws:
    """The draws of one interaction, as somebody wrote them down."""

    def __init__(self, values: Sequence[int]) -> None:
        self.values, self.used = tuple(values), 0

    def below(self, bound: int) -> int:
        if self.used == len(self.values):
            raise RunError(
                f"the rule draws more than the {counted(len(self.values), 'values', 'd')} given: {list(self.values)}."
            )
        value = self.values[self.used]
        if not 0 <= value < bound:
            raise RunError(f"draw {self.used + 1} of the pair is {value}: the rule draws from 0..{bound - 1} there.")
        self.used += 1
        return value

    def refuse_rest(self) -> None:
        if self.used < len(self.values):
            raise RunError(
                f"the rule draws {counted(self.used, 'values', 'd')} here, and {len(self.values)} are given."
            )


class Paths:
    """All ways through the draws of one execution: the same draws as last time, but for the last that can be raised."""

    def __init__(self) -> None:
        self.values, self.bounds, self.made = list[int](), list[int](), 0

    def below(self, bound: int) -> int:
        if self.made == len(self.values):
            self.values.append(0)
            self.bounds.append(bound)
        self.made += 1
        return self.values[self.made - 1]

    @property
    def denominator(self) -> int:
        """The present way has the probability 1 / denominator."""
        product = 1
        for bound in self.bounds:
            product *= bound
        return product

    def advance(self) -> bool:
        """To the next way; False after the last."""
        self.made = 0
        while self.values:
            if self.values[-1] + 1 < self.bounds[-1]:
                self.values[-1] += 1
                return True
            self.values.pop()
            self.bounds.pop()
        return False


def all_outcomes(
    execute: Callable[[], Result], file: str | None = None
) -> list[tuple[Fraction, Result, tuple[int, ...]]]:
    """Every result of a function that draws, with its probability; and the draws that led to it first."""
    paths, found, count = Paths(), dict[Result, tuple[Fraction, tuple[int, ...]]](), 0
    while True:
        with tossing(paths):
            result = execute()
        probability, draws = found.get(result, (Fraction(0), tuple(paths.values)))
        found[result] = probability + Fraction(1, paths.denominator), draws
        count += 1
        if not paths.advance():
            return [(probability, result, draws) for result, (probability, draws) in found.items()]
        if count == MAX_PATHS:
            raise too_many_outcomes(file)


def too_many_outcomes(file: str | None) -> ProtocolError:
    return ProtocolError(
        f"the draws of one interaction can come out in more than {MAX_PATHS:,} ways, too many to follow them all: draw "
        f"from fewer values, or simulate with --engine agents.",
        file,
    )


# -- does a rule toss coins? -----------------------------------------------------------------------------------------


def tosses_coins(rule: Callable[..., Any]) -> bool:
    """Whether `coin` or `draw` can be reached from the function, directly or through functions that it names."""
    waiting, seen = [rule], set[int]()
    while waiting:
        function = waiting.pop()
        function = bare(function)
        if function in (coin, draw):
            return True
        if isinstance(function, FunctionType) and id(function) not in seen:
            seen.add(id(function))
            waiting += _named(function)
    return False


def _named(function: FunctionType) -> Iterator[Any]:
    """What the function's code names: globals, names of functions around it, attributes of modules and classes."""
    names = set(_names_in(function.__code__))
    known = {name: function.__globals__[name] for name in names if name in function.__globals__}
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    for name, cell in cells:
        try:
            known[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    for value in known.values():
        if isinstance(value, (ModuleType, type)):
            yield from (vars(value)[name] for name in names if name in vars(value))
        elif callable(value):
            yield value


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _names_in(part)
