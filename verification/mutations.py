"""All small ways to break a rule: delete a statement, change a comparison, an operator or a constant, swap branches."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add}


@dataclass(frozen=True)
class Mutant:
    """`what` was done in `line` of the file; `source` is the whole broken file."""

    line: int
    code: str
    what: str
    source: str

    @property
    def key(self) -> str:
        return f"{self.code} | {self.what}"


def rule_functions(tree: ast.Module) -> list[ast.FunctionDef]:
    """`interact` and every function of the file that it calls, directly or not."""
    top = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    found = [f for c in classes for f in c.body if isinstance(f, ast.FunctionDef) and f.name == "interact"]
    for function in found:
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in top:
                helper = top[node.func.id]
                if helper not in found:
                    found.append(helper)
    return found


def file_constants(tree: ast.Module) -> dict[str, int]:
    """X, A, B = 0, 1, 2 and the like."""
    found: dict[str, int] = {}
    for node in tree.body:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Tuple)
            and isinstance(node.value, ast.Tuple)
        ):
            for name, value in zip(node.targets[0].elts, node.value.elts, strict=True):
                if isinstance(name, ast.Name) and isinstance(value, ast.Constant) and isinstance(value.value, int):
                    found[name.id] = value.value
    return found


def mutants(source: str) -> Iterator[Mutant]:
    tree = ast.parse(source)
    constants = file_constants(tree)
    lines = source.splitlines()
    for function in rule_functions(tree):
        for node in ast.walk(function):
            if isinstance(node, (ast.arguments, ast.arg, ast.FunctionDef)) or not hasattr(node, "lineno"):
                continue
            for what, change in changes(node, constants):
                broken = copy.deepcopy(tree)
                if not change(twin(broken, tree, node)):
                    continue
                text = ast.unparse(ast.fix_missing_locations(broken))
                yield Mutant(node.lineno, lines[node.lineno - 1].strip(), what, text)


def twin(broken: ast.Module, tree: ast.Module, node: ast.AST) -> ast.AST:
    """The node of the copied tree that stands where `node` stands in the original."""
    for ours, theirs in zip(ast.walk(tree), ast.walk(broken), strict=True):
        if ours is node:
            return theirs
    raise LookupError


Change = Callable[[Any], bool]


def changes(node: ast.AST, constants: dict[str, int]) -> Iterator[tuple[str, Change]]:
    if isinstance(node, ast.stmt) and not is_documentation(node) and not isinstance(node, ast.Return):
        yield "deleted", lambda x: become(x, ast.Pass())
    if isinstance(node, ast.Compare):
        for k, old in enumerate(node.ops):
            for new in COMPARISONS[type(old)]:
                yield f"{type(old).__name__} -> {new.__name__}", lambda x, k=k, new=new: put(x.ops, k, new())  # type: ignore[misc]
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        for step in (1, -1):
            yield f"{node.value} -> {node.value + step}", lambda x, step=step: set_value(x, x.value + step)  # type: ignore[misc]
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in constants:
        for step in (1, -1):
            value = constants[node.id] + step
            yield f"{node.id} -> {value}", lambda x, value=value: become(x, ast.Constant(value))  # type: ignore[misc]
    if isinstance(node, ast.BoolOp):
        yield "and <-> or", lambda x: set_op(x, ast.Or() if isinstance(x.op, ast.And) else ast.And())
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        yield f"{type(node.op).__name__} changed", lambda x: set_op(x, OPERATORS[type(x.op)]())
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
        yield "min <-> max", lambda x: set_name(x.func, "max" if x.func.id == "min" else "min")
    if isinstance(node, ast.If) and node.orelse:
        yield "branches swapped", swap_branches
    if isinstance(node, ast.IfExp):
        yield "branches swapped", swap_branches
    if isinstance(node, ast.For) and isinstance(node.iter, ast.Tuple):
        yield "roles in the other order", lambda x: x.iter.elts.reverse() is None
        yield "second role left out", lambda x: x.iter.elts.pop() is not None


def is_documentation(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def become(node: ast.AST, other: ast.AST) -> bool:
    node.__class__ = other.__class__
    keep = {k: v for k, v in node.__dict__.items() if k in ("lineno", "col_offset", "end_lineno", "end_col_offset")}
    node.__dict__.clear()
    node.__dict__.update({**keep, **other.__dict__})
    return True


def put(items: list, k: int, value: object) -> bool:  # type: ignore[type-arg]
    items[k] = value
    return True


def set_value(node: ast.AST, value: int) -> bool:
    node.value = value  # type: ignore[attr-defined]
    return True


def set_op(node: ast.AST, op: ast.AST) -> bool:
    node.op = op  # type: ignore[attr-defined]
    return True


def set_name(node: ast.AST, name: str) -> bool:
    node.id = name  # type: ignore[attr-defined]
    return True


def swap_branches(node: ast.AST) -> bool:
    node.body, node.orelse = node.orelse, node.body  # type: ignore[attr-defined]
    return True
