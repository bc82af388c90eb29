"""Whether a file only defines things when it is loaded. A script that also does things is never executed again."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

from princeps.model.sources import MISSING

EFFECTS = ("open", "print", "input", "exec", "eval", "compile", "__import__", "exit", "quit", "breakpoint", "help")
PURE = (  # modules whose functions and classes do nothing but give a value
    *("math", "cmath", "fractions", "decimal", "numbers", "itertools", "functools", "operator", "enum", "collections"),
    *("typing", "dataclasses", "string", "re", "types", "abc", "copy", "pathlib", "numpy", "princeps.model"),
)
DATA = (int, float, str, bytes, tuple, list, dict, set, frozenset, range)


def effect_of_loading(source: str, names: Mapping[str, Any]) -> tuple[int, str] | None:
    """Line and text of what the file would do besides defining things; `names` say what those of the file stand for."""
    return next(_effects(ast.parse(source).body, names), None)


def _effects(body: list[ast.stmt], names: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    for statement in body:
        match statement:
            case ast.If(test=test) if _is_guard(test):
                yield from _effects(statement.orelse, names)
            case ast.If() | ast.For():
                head = statement.test if isinstance(statement, ast.If) else statement.iter
                yield from _calls([head], names)
                yield from _effects([*statement.body, *statement.orelse], names)
            case ast.Try():
                inner = [one for handler in statement.handlers for one in handler.body]
                yield from _effects([*statement.body, *inner, *statement.orelse, *statement.finalbody], names)
            case ast.FunctionDef(args=args):
                defaults = [one for one in (*args.defaults, *args.kw_defaults) if one is not None]
                yield from _calls([*statement.decorator_list, *defaults], names)
            case ast.ClassDef():
                keywords = [one.value for one in statement.keywords]
                yield from _calls([*statement.decorator_list, *statement.bases, *keywords], names)
                yield from _effects(statement.body, names)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Expr() | ast.Assert():
                yield from _calls([statement], names)
            case ast.Import() | ast.ImportFrom() | ast.Pass() | ast.Delete():
                pass
            case _:
                yield statement.lineno, ast.unparse(statement).splitlines()[0]


def _is_guard(test: ast.expr) -> bool:
    """`__name__ == "__main__"`, which is false when a file is loaded."""
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def _calls(parts: list[Any], names: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    """The calls that may do something, in these expressions but not in the lambdas within them."""
    waiting = list(parts)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.Lambda):
            continue
        if isinstance(node, ast.Await | ast.Yield | ast.YieldFrom) or (
            isinstance(node, ast.Call) and not _is_pure(node.func, names)
        ):
            yield node.lineno, ast.unparse(node).splitlines()[0]
        waiting += ast.iter_child_nodes(node)


def _is_pure(called: ast.expr, names: Mapping[str, Any]) -> bool:
    if isinstance(called, ast.Call):  # on(TOKEN)(...), and what a decorator with arguments returns
        return _is_pure(called.func, names)
    if isinstance(called, ast.Attribute):
        if isinstance(called.value, ast.Constant | ast.JoinedStr | ast.List | ast.Tuple | ast.Dict):
            return True
        holder = _meaning(called.value, names)
        if isinstance(holder, DATA):
            return True
        return _is_harmless(getattr(holder, called.attr, MISSING)) if isinstance(holder, ModuleType | type) else False
    return _is_harmless(_meaning(called, names))


def _meaning(node: ast.expr, names: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Name):
        return names.get(node.id, getattr(builtins, node.id, MISSING))
    if isinstance(node, ast.Attribute):
        return getattr(_meaning(node.value, names), node.attr, MISSING)
    return MISSING


def _is_harmless(value: Any) -> bool:
    module = getattr(value, "__module__", None) or type(value).__module__
    if module == "builtins":
        return getattr(value, "__name__", "") not in EFFECTS
    return isinstance(module, str) and any(module == pure or module.startswith(f"{pure}.") for pure in PURE)
