"""Does a rule stay inside its fields' domains? Most assignments show it; the others are checked when they run.

A check costs one comparison whose outcome the processor predicts, and only on the branch that writes the field.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from princeps.lowering.trees import AnAgent, Meaning, Vocabulary, dotted_constant, hull
from princeps.model.coins import coin, draw


class OutsideDomain(Exception):
    """A constant that can never be right."""


@dataclass
class Domains:
    """What values expressions can take, as far as the file alone tells."""

    words: Vocabulary
    scope: Mapping[str, Any]  # the constants of the protocol's file

    def check(
        self, target: ast.expr, source: ast.expr, bound: tuple[int, int] | None, env: Mapping[str, Meaning]
    ) -> list[ast.stmt]:
        """`bad = 1` if the value written is outside the field's domain; nothing where that is plainly impossible."""
        if not isinstance(target, ast.Attribute):
            return []
        name = target.attr
        size = 2 if name in self.words.scratch else self.words.fields.get(name)
        if bound is not None:
            if size is not None and (bound[0] >= size or bound[1] < 0):
                raise OutsideDomain(f"`{ast.unparse(source)}` is outside the domain 0..{size - 1} of {name}.")
            if bound[0] >= 0 and (name in self.words.unbounded or bound[1] < (size if size is not None else 1)):
                return []
        if isinstance(source, ast.Attribute) and source.attr == name and not self._is_param(source, env):
            return []
        cell = f"{env[target.value.id].prefix}_{name}"  # type: ignore[attr-defined,union-attr]
        if name in self.words.unbounded:
            test = f"{cell} < 0"
        else:
            test = f"uint64({cell}) > {f'uint64({size - 1})' if size is not None else f'top_{name}'}"
        return ast.parse(f"if {test}:\n    bad = 1").body

    def _is_param(self, node: ast.Attribute, env: Mapping[str, Meaning]) -> bool:
        return isinstance(node.value, ast.Name) and not isinstance(env.get(node.value.id), AnAgent)

    def bounds(self, node: ast.expr, env: Mapping[str, Meaning]) -> tuple[int, int] | None:
        """Smallest and largest value of an expression, where that does not depend on parameters."""
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return int(node.value), int(node.value)
        if isinstance(node, ast.Name):
            meaning = env.get(node.id)
            known = self.scope.get(node.id) if meaning is None else getattr(meaning, "value", None)
            return (known, known) if isinstance(known, int) else None
        if isinstance(node, ast.Attribute) and not self._is_param(node, env):
            size = self.words.fields.get(node.attr)
            return (0, size - 1) if size is not None else None
        if isinstance(node, ast.Attribute):
            constant = dotted_constant(node, env, self.scope)
            return None if constant is None else (constant, constant)
        if isinstance(node, (ast.Compare, ast.UnaryOp)) and not isinstance(getattr(node, "op", None), (ast.USub,)):
            return (0, 1) if isinstance(node, ast.Compare) or isinstance(node.op, ast.Not) else None
        if isinstance(node, ast.IfExp):
            return hull([self.bounds(node.body, env), self.bounds(node.orelse, env)])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
            parts = [self.bounds(arg, env) for arg in node.args]
            known_parts = [part for part in parts if part is not None]
            if len(known_parts) == len(parts):
                pick = min if node.func.id == "min" else max
                return pick(part[0] for part in known_parts), pick(part[1] for part in known_parts)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in env:
            called = self.scope.get(node.func.id)
            if called is coin:
                return 0, 1
            if called is draw and len(node.args) == 1:
                most = self.bounds(node.args[0], env)
                return None if most is None else (0, max(most[1] - 1, 0))
        if isinstance(node, ast.BinOp):
            left, right = self.bounds(node.left, env), self.bounds(node.right, env)
            if isinstance(node.op, ast.Mod) and right is not None and right[0] == right[1] > 0:
                return 0, right[0] - 1
            if left is not None and right is not None:
                if isinstance(node.op, ast.Add):
                    return left[0] + right[0], left[1] + right[1]
                if isinstance(node.op, ast.Sub):
                    return left[0] - right[1], left[1] - right[0]
        return None
