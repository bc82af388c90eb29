"""Invariants as text: one condition a line, in Python's notation, so that any solver (and any reader) can take them."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from princeps.lowering.symbolic_code import Execution
from princeps.lowering.symbolic_terms import Term, Terms

COMPARED = {"<=": "<=", ">=": ">=", "<": "<", ">": ">", "=": "==", "distinct": "!="}


def read(terms: Terms, lines: Sequence[str], values: Mapping[str, Term]) -> Term:
    """All conditions, on these values of the relation's arguments."""
    execution = Execution(terms, dict(values))
    return terms.both(*[execution.expression(ast.parse(line, mode="eval").body) for line in lines])


def written(z3: Any, formula: Any) -> list[str]:
    """A formula of z3's as lines whose conjunction it is."""
    parts = z3.Then("simplify", "propagate-values", "simplify")(formula)[0]
    return [text_of(z3, part) for part in parts] or ["True"]


def text_of(z3: Any, term: Any) -> str:
    """A term of z3's in Python's notation."""
    kind, children = term.decl().kind(), term.children()
    if kind == z3.Z3_OP_AND or kind == z3.Z3_OP_OR:
        word = " and " if kind == z3.Z3_OP_AND else " or "
        return word.join(_inner(z3, child) for child in children)
    if kind == z3.Z3_OP_NOT:
        return _negated(z3, children[0])
    if kind == z3.Z3_OP_IMPLIES:
        return f"{_negated(z3, children[0])} or {_inner(z3, children[1])}"
    if kind == z3.Z3_OP_ITE:
        yes, no = _inner(z3, children[1]), _inner(z3, children[2])
        return f"{yes} if {_inner(z3, children[0])} else {no}"
    if term.decl().name() in COMPARED and len(children) == 2:
        return _compared(z3, children, COMPARED[term.decl().name()])
    if z3.is_int_value(term):
        return str(term.as_long())
    if z3.is_true(term) or z3.is_false(term):
        return str(z3.is_true(term))
    if not children:
        return str(term.decl().name())
    if kind == z3.Z3_OP_ADD:
        return _sum(z3, children)
    if kind == z3.Z3_OP_MUL:
        return " * ".join(_inner(z3, child) for child in children)
    if kind == z3.Z3_OP_SUB:
        return " - ".join(_inner(z3, child) for child in children)
    if kind in (z3.Z3_OP_MOD, z3.Z3_OP_IDIV) and z3.is_int_value(children[1]):  # rounds downwards, as in Python
        return f"{_inner(z3, children[0])} {'%' if kind == z3.Z3_OP_MOD else '//'} {_inner(z3, children[1])}"
    if kind == z3.Z3_OP_UMINUS:
        return f"-{_inner(z3, children[0])}"
    raise ValueError(f"{term} cannot be written")


NEGATED = {"<=": ">", ">=": "<", "<": ">=", ">": "<=", "==": "!=", "!=": "=="}


def _negated(z3: Any, term: Any) -> str:
    if term.decl().name() in COMPARED and len(term.children()) == 2:
        return _compared(z3, term.children(), NEGATED[COMPARED[term.decl().name()]])
    return f"not {_inner(z3, term)}"


def _inner(z3: Any, term: Any) -> str:
    text = text_of(z3, term)
    return text if text.isidentifier() or text.lstrip("-").isdigit() else f"({text})"


def _compared(z3: Any, children: Sequence[Any], sign: str) -> str:
    """What is subtracted on one side is added on the other."""
    if children[0].sort().kind() == z3.Z3_BOOL_SORT:
        return f"{_inner(z3, children[0])} {sign} {_inner(z3, children[1])}"
    sides: tuple[list[str], list[str]] = ([], [])
    rest = 0
    for k, side in enumerate(children):
        for part in side.children() if side.decl().kind() == z3.Z3_OP_ADD else [side]:
            factor, symbol = _monomial(z3, part)
            if symbol is None:
                rest += factor if k == 1 else -factor
                continue
            to = k if factor > 0 else 1 - k
            sides[to].append(symbol if abs(factor) == 1 else f"{abs(factor)} * {symbol}")
    if not sides[0] and sides[1]:  # 3 <= x
        return f"{-rest} {sign} {' + '.join(sides[1])}"
    if not sides[1]:
        return f"{' + '.join(sides[0]) or 0} {sign} {rest}"
    offset = "" if rest == 0 else f" + {rest}" if rest > 0 else f" - {-rest}"
    return f"{' + '.join(sides[0])} {sign} {' + '.join(sides[1])}{offset}"


def _monomial(z3: Any, term: Any) -> tuple[int, str | None]:
    if z3.is_int_value(term):
        return term.as_long(), None
    if term.decl().kind() == z3.Z3_OP_MUL and z3.is_int_value(term.children()[0]):
        return term.children()[0].as_long(), " * ".join(_inner(z3, child) for child in term.children()[1:])
    return 1, _inner(z3, term)


def _sum(z3: Any, parts: Sequence[Any]) -> str:
    return " + ".join(_inner(z3, part) for part in parts)
