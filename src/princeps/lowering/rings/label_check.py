"""Labels may only be compared: this is checked in the syntax tree of an action, before it is compiled.

In the plain engine the class `Label` refuses anything else; in compiled code a label is its rank, a number, and a sum of
two labels would go unnoticed.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from princeps.errors import ProtocolError
from princeps.lowering.trees import function_tree, is_docstring, names_around, plain_function
from princeps.model.rings.algorithm import LABEL, NUMBER, WORD, Message, Variable
from princeps.model.sources import is_provided

SENDS = ("send", "send_left", "send_right")
WORD_QUESTIONS = {"mlty": NUMBER, "srp_is_lyndon": NUMBER, "first_of_LW_srp": LABEL}
LISTED = (ast.Tuple, ast.List, ast.Set)
PROCESS, PARAMETERS = "the process", "the parameters"


class LabelCheck:
    """The kind of every expression of one action, or helper: a number, a label or a word."""

    def __init__(self, function: Callable[..., Any], variables: Mapping[str, Variable], kinds: list[str]) -> None:
        self.tree, self.file, self.offset = function_tree(function)
        self.scope = names_around(plain_function(function))
        self.variables = variables
        names = [arg.arg for arg in self.tree.args.args]
        if len(names) != len(kinds):
            raise self._fail(self.tree, f"{self.tree.name} takes {len(names)} arguments where {len(kinds)} are given.")
        self.env = dict(zip(names, kinds, strict=True))

    def _fail(self, node: ast.AST, sentence: str) -> ProtocolError:
        return ProtocolError(sentence, self.file, getattr(node, "lineno", 1) + self.offset)

    def body(self) -> None:
        for statement in self.tree.body:
            self._statement(statement)

    def returned(self) -> str:
        """The kind of a helper's one returned expression."""
        kinds = [self.kind(s.value) for s in self.tree.body if isinstance(s, ast.Return) and s.value is not None]
        return kinds[0] if kinds else NUMBER

    def _statement(self, s: ast.stmt) -> None:
        if isinstance(s, (ast.Assign, ast.AnnAssign)) and s.value is not None:
            targets = s.targets if isinstance(s, ast.Assign) else [s.target]
            for target in targets:
                self._assign(target, s.value)
        elif isinstance(s, ast.AugAssign):
            self._need(s.target, NUMBER)
            self._need(s.value, NUMBER)
        elif isinstance(s, ast.If):
            self._need(s.test, NUMBER)
            for inner in (*s.body, *s.orelse):
                self._statement(inner)
        elif isinstance(s, ast.Match):
            for part in s.subject.elts if isinstance(s.subject, ast.Tuple) else [s.subject]:
                self._need(part, NUMBER)
            for case in s.cases:
                if case.guard is not None:
                    self._need(case.guard, NUMBER)
                for inner in case.body:
                    self._statement(inner)
        elif isinstance(s, (ast.For, ast.While)):
            raise self._fail(s, f"`{ast.unparse(s).splitlines()[0]}` cannot be compiled: an action has no loops.")
        elif isinstance(s, ast.Expr) and isinstance(s.value, ast.Yield) and s.value.value is not None:
            self._need(s.value.value, NUMBER)
        elif isinstance(s, ast.Expr) and not is_docstring(s):
            self.kind(s.value)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for one, its in zip(target.elts, value.elts, strict=False):
                self._assign(one, its)
        elif isinstance(target, ast.Name):
            found = self.kind(value)
            if self.env.setdefault(target.id, found) != found:
                raise self._fail(target, f"{target.id!r} is a {self.env[target.id]} and is assigned a {found}.")
        else:
            self._need(value, self.kind(target))

    def _need(self, node: ast.expr, wanted: str) -> None:
        found = self.kind(node)
        if found != wanted:
            hint = " Labels may only be compared." if LABEL in (found, wanted) else ""
            what = found if found in (PROCESS, PARAMETERS) else f"a {found}"
            raise self._fail(node, f"`{ast.unparse(node)}` is {what} where a {wanted} is needed.{hint}")

    def kind(self, node: ast.expr) -> str:
        if isinstance(node, ast.Name):
            return self.env.get(node.id, NUMBER)
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Compare):
            for left, op, other in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
                asks_in = isinstance(op, ast.In | ast.NotIn)
                for one in other.elts if asks_in and isinstance(other, LISTED) else [other]:
                    self._alike(left, one)
            return NUMBER
        if isinstance(node, ast.BinOp) and self.kind(node.left) == WORD:
            self._need(node.right, LABEL)
            return WORD
        if isinstance(node, ast.IfExp):
            self._need(node.test, NUMBER)
            first = self.kind(node.body)
            self._need(node.orelse, first)
            return first
        for part in ast.iter_child_nodes(node):  # arithmetic and logic: numbers of numbers
            if isinstance(part, ast.expr):
                self._need(part, NUMBER)
        return NUMBER

    def _alike(self, one: ast.expr, other: ast.expr) -> None:
        """Two values that are compared, tuples part by part."""
        if isinstance(one, ast.Tuple) and isinstance(other, ast.Tuple):
            for left, right in zip(one.elts, other.elts, strict=False):
                self._alike(left, right)
        else:
            self._need(other, self.kind(one))

    def _attribute(self, node: ast.Attribute) -> str:
        owner = self.env.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if owner == PROCESS:
            if node.attr == "id":
                return LABEL
            if node.attr in self.variables:
                return self.variables[node.attr].kind
            raise self._fail(node, f"unknown variable {node.attr!r}: the variables are {', '.join(self.variables)}.")
        return NUMBER

    def _call(self, node: ast.Call) -> str:
        if isinstance(node.func, ast.Attribute):
            owner = self.kind(node.func.value) if not self._is_process(node.func.value) else PROCESS
            if owner == WORD and node.func.attr in WORD_QUESTIONS:
                return WORD_QUESTIONS[node.func.attr]
            if owner == PROCESS and node.func.attr in SENDS:
                self._send(node)
            elif owner == PROCESS and node.func.attr == "toss" and len(node.args) == 1:
                self._need(node.args[0], NUMBER)
            elif owner != PROCESS or node.func.attr != "halt":
                raise self._fail(node, f"`{ast.unparse(node)}` is nothing that a process can do.")
            return NUMBER
        if isinstance(node.func, ast.Name) and node.func.id in ("min", "max") and node.args:
            first = self.kind(node.args[0])
            for other in node.args[1:]:
                self._need(other, first)
            return first
        helper = self.scope.get(node.func.id) if isinstance(node.func, ast.Name) else None
        kinds = [PROCESS if self._is_process(arg) else self.kind(arg) for arg in node.args]
        if inspect.isfunction(helper) and not is_provided(helper.__module__):
            inner = LabelCheck(helper, self.variables, kinds)
            inner.body()
            return inner.returned()
        return NUMBER

    def _is_process(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and self.env.get(node.id) == PROCESS

    def _send(self, node: ast.Call) -> None:
        message = self.scope.get(node.args[0].id) if node.args and isinstance(node.args[0], ast.Name) else None
        if not isinstance(message, Message):
            raise self._fail(node, f"`{ast.unparse(node)}` must name a Message of the file first.")
        if len(node.args) - 1 != len(message.kinds):
            raise self._fail(node, f"{message} carries {len(message.kinds)} values, not {len(node.args) - 1}.")
        for arg, wanted in zip(node.args[1:], message.kinds, strict=True):
            self._need(arg, wanted)
