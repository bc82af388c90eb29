"""Goals that a user writes for one run: `leaders == 1 and count(role == ZOMBIE) == 0`.

Such a condition compares whole numbers: how many agents lead (`leaders`), how many satisfy a predicate that the protocol
declares (by its name), how many satisfy a condition on their own fields (`count(...)`), all of them (`n`), parameters
and integers. It becomes a goal on counts with predicates of its own, so that engines keep the counts as they keep those
of the protocol's goals, and the first hit is exact.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from princeps.errors import RunError, UnknownName, hint
from princeps.model.fields import constants_of
from princeps.model.goals import ALWAYS_COUNTED, AdHoc, Goal, Predicate
from princeps.model.predicates import names_of_values, parsed, predicate_of, written
from princeps.model.protocol import PopulationProtocol
from princeps.model.values import shown

COUNT = "count"
EXAMPLE = "leaders == 1 and count(leader == 0) > 2"
MAX_LENGTH = 1000  # characters
MAX_COUNTS = 32  # of conditions on one agent: engines keep a bit for each of them
LARGEST = (1 << 63) - 1  # of the integers of compiled engines
NAME = re.compile(r"[\w:.,;/-]*")  # a text like this is meant to be a name
COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
ARITHMETIC = (ast.Add, ast.Sub, ast.Mult)


def is_name(text: str) -> bool:
    """The text is the name of a goal, or a misspelt one; no condition."""
    return NAME.fullmatch(text.strip()) is not None


def goal_named(protocol: PopulationProtocol, text: str) -> Goal:
    """The goal of this name, or the condition that the text states."""
    known = type(protocol).all_goals()
    return known[text] if text in known else _Reader(protocol, text).goal()


def read_goal(protocol: PopulationProtocol, text: Any, kind: str = "goal") -> str:
    """The name of a goal as it is; a condition in its canonical spelling, in which white space does not matter."""
    known = type(protocol).all_goals()
    if isinstance(text, str) and text in known:
        return text
    if not isinstance(text, str) or is_name(text):
        raise UnknownName(kind, text, known)
    return _Reader(protocol, text).spelling()


class _Reader:
    """Reads one condition on counts."""

    def __init__(self, protocol: PopulationProtocol, text: str) -> None:
        self.protocol, self.what = protocol, f"goal {shown(text)}"
        self._refuse_long(text := " ".join(text.split()))
        self.tree = parsed(text, self.what, EXAMPLE)
        self.known = type(protocol).all_predicates()
        self.counting: dict[str, Predicate] = {}

    def goal(self) -> AdHoc:
        rule = written("c, p", ast.unparse(self._condition(self.tree)))
        return AdHoc(rule, counting=tuple(self.counting.items()))

    def spelling(self) -> str:
        self.goal()
        self._refuse_long(text := ast.unparse(self.tree))
        return text

    def _refuse_long(self, text: str) -> None:
        if len(text) > MAX_LENGTH:
            raise RunError(f"{self.what} has {len(text):,} characters: write a condition of at most {MAX_LENGTH:,}.")

    def _fail(self, node: ast.AST, message: str) -> RunError:
        return RunError(f"{self.what}: `{ast.unparse(node)[:60]}` {message}")

    # -- the parts of a condition -------------------------------------------------------------------------------------

    def _condition(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.BoolOp):
            return ast.BoolOp(node.op, [self._condition(part) for part in node.values])
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return ast.UnaryOp(node.op, self._condition(node.operand))
        if isinstance(node, ast.Compare) and all(isinstance(op, COMPARISONS) for op in node.ops):
            return ast.Compare(self._number(node.left), node.ops, [self._number(part) for part in node.comparators])
        if isinstance(node, ast.Name) and node.id in type(self.protocol).all_goals():
            raise self._fail(node, f"is a goal of its own: give it alone, or compare counts, like {EXAMPLE!r}.")
        self._number(node)
        raise self._fail(node, f"is a number, not a condition: compare it, like `{ast.unparse(node)[:60]} == 1`.")

    def _number(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Constant) and type(node.value) is int:
            if node.value > LARGEST:
                raise self._fail(node, "exceeds 2^63 - 1, the largest number here: no count is larger.")
            return node
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ARITHMETIC):
            return ast.BinOp(self._number(node.left), node.op, self._number(node.right))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return ast.UnaryOp(node.op, self._number(node.operand))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == COUNT:
            return self._count(node)
        raise self._fail(node, f"is not allowed; use counts, integers, + - *, comparisons, and, or, not: {EXAMPLE!r}.")

    def _name(self, node: ast.Name) -> ast.expr:
        name, constants = node.id, constants_of(self.protocol.constants)
        if name in self.known or name in ALWAYS_COUNTED:
            return _attribute("c", name)
        if name in constants:
            return _attribute("p", name)
        if name in self.protocol.fields:
            raise self._fail(node, f"is a field of one agent: count the agents, like count({name} == 1).")
        holder = next((field for field, names in names_of_values(self.protocol).items() if name in names), None)
        if holder is not None:
            raise self._fail(node, f"is a value of {holder}: count the agents with count({holder} == {name}).")
        words = dict.fromkeys([*ALWAYS_COUNTED, *self.known, *constants, f"{COUNT}(CONDITION)"])
        raise RunError(f"{self.what}: {shown(name)} is unknown here: {hint(name, list(words))}")

    def _count(self, node: ast.Call) -> ast.expr:
        if len(node.args) != 1 or node.keywords or isinstance(node.args[0], ast.Starred):
            raise self._fail(node, "must have one condition on the fields of an agent, like count(leader == 1).")
        asked = node.args[0]
        if isinstance(asked, ast.Name) and asked.id in self.known and asked.id not in self.protocol.fields:
            return _attribute("c", asked.id)  # a predicate that the protocol declares
        inner = next((part for part in ast.walk(asked) if isinstance(part, ast.Call)), None)
        if inner is not None:
            raise self._fail(inner, "cannot be asked of one agent: count(...) has a condition on the agent's fields.")
        predicate = predicate_of(self.protocol, asked, self.what)
        same = next((name for name, known in self.counting.items() if known is predicate), None)
        if same is None:
            if len(self.counting) >= MAX_COUNTS:
                raise RunError(f"{self.what} counts more than {MAX_COUNTS} conditions: write fewer.")
            same = self._free_name()
            self.counting[same] = predicate
        return _attribute("c", same)

    def _free_name(self) -> str:
        number = len(self.counting) + 1
        while f"count_{number}" in {*self.known, *self.counting}:
            number += 1
        return f"count_{number}"


def _attribute(holder: str, name: str) -> ast.expr:
    return ast.Attribute(ast.Name(holder, ast.Load()), name, ast.Load())
