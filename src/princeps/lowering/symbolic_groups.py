"""`groups(p)` of a protocol called with symbolic parameters: plain Python that adds and multiplies, and makes ranges.

The numbers are wrapped: whatever would need their value (a comparison, a loop over a range of them, `bit_length`) is
Unsuitable, and is never silently answered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from princeps.lowering.symbolic_terms import Term, Terms


class Unsuitable(Exception):
    """The groups depend on the parameters in a way that has no term."""


class SymbolicNumber:
    """A number that can be added, subtracted and multiplied, and nothing else."""

    __slots__ = ("term", "terms")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, terms: Terms, term: Term) -> None:
        self.terms, self.term = terms, term

    def __add__(self, other: Any) -> SymbolicNumber:
        return SymbolicNumber(self.terms, self.term + SymbolicRange.term(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> SymbolicNumber:
        return SymbolicNumber(self.terms, self.term - SymbolicRange.term(other))

    def __rsub__(self, other: Any) -> SymbolicNumber:
        return SymbolicNumber(self.terms, SymbolicRange.term(other) - self.term)

    def __mul__(self, other: Any) -> SymbolicNumber:
        return SymbolicNumber(self.terms, self.term * SymbolicRange.term(other))

    __rmul__ = __mul__

    def __getattr__(self, name: str) -> Any:
        raise Unsuitable(name)

    def _unsuitable(self, *others: Any) -> Any:
        raise Unsuitable("a value is asked for")

    __bool__ = __index__ = __int__ = __float__ = _unsuitable
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _unsuitable
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _unsuitable
    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __truediv__ = __rtruediv__ = __pow__ = _unsuitable


class SymbolicParams:
    """The parameters as wrapped numbers; known ones are plain."""

    def __init__(self, terms: Terms, values: Mapping[str, Term]) -> None:
        for name, value in values.items():
            vars(self)[name] = value if isinstance(value, int) else SymbolicNumber(terms, value)

    def __getattr__(self, name: str) -> Any:
        raise Unsuitable(name)


class SymbolicRange:
    """What `range` is meanwhile: it keeps its ends, and is a real one where both are known."""

    def __init__(self, *ends: Any) -> None:
        if len(ends) not in (1, 2):
            raise Unsuitable("a range with a step")
        self.first: Any = ends[0] if len(ends) == 2 else 0
        self.end: Any = ends[-1]

    @staticmethod
    def term(value: Any) -> Term:
        if isinstance(value, SymbolicNumber):
            return value.term
        if isinstance(value, int):
            return int(value)
        raise Unsuitable("a value that is no number")

    def ends(self) -> tuple[Term, Term]:
        return self.term(self.first), self.term(self.end)

    def __iter__(self) -> Iterator[int]:
        if not isinstance(self.first, int) or not isinstance(self.end, int):
            raise Unsuitable("a loop over a range of unknown length")
        return iter(range(self.first, self.end))
