"""Integer and truth terms of a solver, folded where a value is known.

A term is a Python int or bool where its value is known, else a term of the solver's library. `Terms(solver)` takes any
library with z3's names: z3 itself, or `cvc5.pythonic`, so that a second solver reads the rule without the first one.
A term of the library is never asked for its truth: `bool(x == y)` would silently answer False.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Term = Any  # int, bool, or an integer or truth term of the solver's library

LARGEST_SHIFT = 63


def z3_library() -> Any:
    """The library of z3, which is loaded only when something is to be proved."""
    import z3

    return z3


def cvc5_library() -> Any:
    """The library of cvc5, by the same names."""
    import cvc5.pythonic

    return cvc5.pythonic


class Terms:
    """Builds terms; every operation takes and returns terms."""

    def __init__(self, solver: Any = None) -> None:
        self.solver = z3_library() if solver is None else solver

    # -- kinds ---------------------------------------------------------------------------------------------------

    def is_truth(self, x: Term) -> bool:
        return isinstance(x, bool) or (not isinstance(x, int) and bool(self.solver.is_bool(x)))

    def number(self, x: Term) -> Term:
        """A truth value as 0 or 1."""
        if not self.is_truth(x):
            return x
        return int(x) if isinstance(x, bool) else self.solver.If(x, self.solver.IntVal(1), self.solver.IntVal(0))

    def truth(self, x: Term) -> Term:
        """Is it other than 0?"""
        if self.is_truth(x):
            return x
        return x != 0  # a term of the library, or of Python

    def symbol(self, name: str) -> Term:
        return self.solver.Int(name)

    def formula(self, x: Term) -> Any:
        """A truth term of the library, also where the value is known."""
        x = self.truth(x)
        return self.solver.BoolVal(x) if isinstance(x, bool) else x

    # -- truth values --------------------------------------------------------------------------------------------

    def both(self, *parts: Term) -> Term:
        return self._joined(parts, neutral=True)

    def either(self, *parts: Term) -> Term:
        return self._joined(parts, neutral=False)

    def _joined(self, parts: Sequence[Term], neutral: bool) -> Term:
        left: list[Any] = []
        for part in (self.truth(part) for part in parts):
            if isinstance(part, bool):
                if part is not neutral:
                    return part
            elif not any(part.eq(known) for known in left):
                left.append(part)
        if len(left) < 2:
            return left[0] if left else neutral
        return self.solver.And(*left) if neutral else self.solver.Or(*left)

    def neither(self, x: Term) -> Term:
        """Not x."""
        x = self.truth(x)
        return (not x) if isinstance(x, bool) else self.solver.Not(x)

    def implied(self, guard: Term, x: Term) -> Term:
        return self.either(self.neither(guard), x)

    def choice(self, test: Term, then: Term, other: Term) -> Term:
        """`then if test else other`."""
        test = self.truth(test)
        if isinstance(test, bool):
            return then if test else other
        if self.is_truth(then) and self.is_truth(other):
            if isinstance(then, bool) and isinstance(other, bool):
                return then if then is other else (test if then else self.neither(test))
            return self.solver.If(test, self.formula(then), self.formula(other))
        then, other = self.number(then), self.number(other)
        if then is other or (isinstance(then, int) and isinstance(other, int) and then == other):
            return then
        return self.solver.If(test, self._value(then), self._value(other))

    def _value(self, x: Term) -> Any:
        return self.solver.IntVal(x) if isinstance(x, int) else x

    # -- comparisons ---------------------------------------------------------------------------------------------

    def equal(self, x: Term, y: Term) -> Term:
        return self.number(x) == self.number(y)

    def at_most(self, x: Term, y: Term) -> Term:
        return self.number(x) <= self.number(y)

    def less(self, x: Term, y: Term) -> Term:
        return self.number(x) < self.number(y)

    def within(self, x: Term, low: Term, end: Term) -> Term:
        """low <= x < end."""
        return self.both(self.at_most(low, x), self.less(x, end))

    # -- numbers -------------------------------------------------------------------------------------------------

    def smaller(self, x: Term, y: Term) -> Term:
        x, y = self.number(x), self.number(y)
        return self.choice(self.at_most(x, y), x, y)

    def larger(self, x: Term, y: Term) -> Term:
        x, y = self.number(x), self.number(y)
        return self.choice(self.at_most(x, y), y, x)

    def quotient(self, x: Term, y: int) -> Term:
        """x // y for a number y > 0, which rounds downwards in every library as in Python."""
        return x // y if isinstance(x, int) else x / y

    def power(self, k: Term) -> Term:
        """2^k for 0 <= k <= LARGEST_SHIFT."""
        if isinstance(k, int):
            return 1 << k
        found: Term = 1 << LARGEST_SHIFT
        for j in reversed(range(LARGEST_SHIFT)):
            found = self.choice(self.equal(k, j), 1 << j, found)
        return found

    def shifted(self, x: Term, k: Term) -> Term:
        """x >> k for 0 <= k <= LARGEST_SHIFT."""
        if isinstance(k, int):
            return self.quotient(x, 1 << k)
        found = self.quotient(x, 1 << LARGEST_SHIFT)
        for j in reversed(range(LARGEST_SHIFT)):
            found = self.choice(self.equal(k, j), self.quotient(x, 1 << j), found)
        return found
