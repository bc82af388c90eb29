"""The canonical syntax tree of a function: equal for functions that mean the same, however they are named.

The names of arguments and local variables do not matter, nor do comments, docstrings and annotations; a name from
outside stands for what it means: the tree of a helper, the value of a constant. Attributes (fields, parameters, counts)
keep their names, because a user asks by them.
"""

from __future__ import annotations

import ast
import builtins
import dataclasses
import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import partial
from pathlib import PurePath
from types import FunctionType, ModuleType
from typing import Any

from princeps.errors import ProtocolError
from princeps.model.named_states import OneOf
from princeps.model.reached import Reach
from princeps.model.sources import is_provided, node_of

IGNORED_PARTS = ("ctx", "annotation", "returns", "type_comment", "type_params", "decorator_list", "kind")
MAX_TREES = 512  # that are kept: they keep the functions alive
_known: dict[tuple[Any, tuple[Any, ...]], tuple[Reach, Any]] = {}
SCOPES = (ast.FunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def tree_of(function: Callable[..., Any]) -> Any:
    """The canonical syntax tree, as lists and strings."""
    return content_of_value(function)


def _tree(function: Any, under_way: tuple[Any, ...]) -> Any:
    """Kept as long as everything that the function reaches is what it was: in a notebook a constant may change."""
    key = (function, under_way)
    known = _known.get(key)
    if known is None or not known[0].is_current():
        reach = Reach([function])  # before the tree is made: if something changes meanwhile, it is made again
        known = (reach, _made_tree(function, under_way))
        while len(_known) >= MAX_TREES:
            del _known[next(iter(_known))]
        _known[key] = known
    return known[1]


def _made_tree(function: Any, under_way: tuple[Any, ...]) -> Any:
    node = node_of(function)
    defaults = content_of_value([function.__defaults__, function.__kwdefaults__], under_way)
    return [TreeWriter(function, under_way).function(node), defaults]


class TreeWriter:
    """Writes a function's tree with its own names numbered, scope by scope, and all others replaced by their meaning."""

    def __init__(self, function: Any, under_way: tuple[Any, ...]) -> None:
        self.function_, self.under_way = function, (*under_way, function)
        self.scopes: list[dict[str, str]] = []
        self.count = 0

    def function(self, node: ast.FunctionDef | ast.Lambda) -> Any:
        """Arguments and body; what the defaults are is asked of the function itself."""
        body = node.body if isinstance(node, ast.FunctionDef) else [ast.Return(node.body)]
        with self.scope(node):
            arguments = [self.name(part.arg) for part in ast.walk(node.args) if isinstance(part, ast.arg)]
            return [arguments, [self.write(part) for part in body if not _has_no_effect(part)]]

    @contextmanager
    def scope(self, node: ast.AST) -> Iterator[None]:
        names = {}
        for text in bound_names(node):
            names[text] = ""
        self.scopes.append(names)
        yield
        self.scopes.pop()

    def name(self, text: str) -> Any:
        for names in reversed(self.scopes):
            if text in names:
                if not names[text]:
                    names[text] = f"v{self.count}"
                    self.count += 1
                return names[text]
        try:
            return content_of_value(_outside(self.function_, text), self.under_way)
        except ProtocolError as error:
            if error.file is not None:
                raise
            code = self.function_.__code__
            raise ProtocolError(f"{text!r}: {error}", code.co_filename, code.co_firstlineno) from None

    def write(self, item: Any) -> Any:
        if isinstance(item, list):
            return [self.write(part) for part in item if not (isinstance(part, ast.stmt) and _has_no_effect(part))]
        if isinstance(item, ast.Name):
            return self.name(item.id)
        if isinstance(item, ast.arg):
            return self.name(item.arg)
        if isinstance(item, ast.alias):
            return ["alias", item.name, self.name(item.asname or item.name)]
        if isinstance(item, ast.Attribute):
            known = self.dotted(item)
            if known is not None:
                return known
        if isinstance(item, ast.MatchAs | ast.MatchStar) and item.name:
            return [type(item).__name__, self.write(getattr(item, "pattern", None)), self.name(item.name)]
        if isinstance(item, ast.AnnAssign):
            return ["Assign", ["targets", [self.write(item.target)]], ["value", self.write(item.value)]]
        if isinstance(item, ast.FunctionDef):
            return ["FunctionDef", self.name(item.name), self.write(item.args.defaults), self.function(item)]
        if isinstance(item, SCOPES):
            with self.scope(item):
                return self.plain(item)
        return self.plain(item)

    def plain(self, item: Any) -> Any:
        if isinstance(item, ast.AST):
            parts = [(key, getattr(item, key, None)) for key in item._fields if key not in IGNORED_PARTS]
            return [type(item).__name__, *([key, self.write(part)] for key, part in parts if part not in (None, []))]
        return item if isinstance(item, (int, str, float, type(None))) else repr(item)

    def holder(self, node: ast.expr) -> Any:
        """What stands before a dot, if it is from outside: a module, or a class in a module."""
        if isinstance(node, ast.Name):
            own = any(node.id in names for names in self.scopes)
            return None if own else _outside(self.function_, node.id)
        outer = self.holder(node.value) if isinstance(node, ast.Attribute) else None
        is_users = isinstance(outer, ModuleType) and not is_provided(outer.__name__)
        return getattr(outer, node.attr, None) if is_users and isinstance(node, ast.Attribute) else None

    def dotted(self, item: ast.Attribute) -> Any:
        """What an attribute of a module, an enumeration or named states stands for."""
        holder = self.holder(item.value)
        if isinstance(holder, ModuleType) and is_provided(holder.__name__):
            return f"{holder.__name__}.{item.attr}"
        if isinstance(holder, (ModuleType, type, OneOf)) and hasattr(holder, item.attr):
            return content_of_value(getattr(holder, item.attr), self.under_way)
        return None


def bound_names(node: ast.AST) -> list[str]:
    """The names that belong to this scope, not to one within it."""
    if isinstance(node, (ast.FunctionDef, ast.Lambda)):
        found = [part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)]
        inside: list[ast.AST] = [*node.body] if isinstance(node, ast.FunctionDef) else [node.body]
    else:
        found, inside = [], [part.target for part in getattr(node, "generators", [])]
    while inside:
        part = inside.pop()
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            found.append(part.id)
        if isinstance(part, ast.alias):
            found.append(part.asname or part.name)
        if isinstance(part, ast.FunctionDef) or (isinstance(part, ast.MatchAs | ast.MatchStar) and part.name):
            found.append(part.name or "")
        if not isinstance(part, SCOPES):
            inside.extend(ast.iter_child_nodes(part))
    return found


def _has_no_effect(statement: ast.stmt) -> bool:
    """A docstring, or an annotation without a value."""
    text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return text or (isinstance(statement, ast.AnnAssign) and statement.value is None)


class Unknown:
    """Stands for a name that means nothing here: the rule fails when it is called."""


def _outside(function: Any, name: str) -> Any:
    """What a name that is not the function's own stands for."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    if name in cells:
        return cells[name].cell_contents
    return function.__globals__.get(name, getattr(builtins, name, Unknown))


def content_of_value(value: Any, under_way: tuple[Any, ...] = ()) -> Any:
    """A value from outside a function, by its content; what Python or a library provides, by its name."""
    if isinstance(value, FunctionType):
        if value in under_way:
            return ["again", under_way.index(value)]
        return f"{value.__module__}.{value.__qualname__}" if is_provided(value.__module__) else _tree(value, under_way)
    if isinstance(value, partial):
        parts = (value.func, value.args, value.keywords)
        return ["partial", *(content_of_value(part, under_way) for part in parts)]
    if isinstance(getattr(value, "__wrapped__", None), FunctionType):  # cached, say
        return ["wrapped", type(value).__name__, content_of_value(value.__wrapped__, under_way)]
    if isinstance(value, (PurePath, Iterator)):  # where a file is, or how often it was asked, is no part of a law
        return type(value).__name__
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return ["text", str(value)]
    if isinstance(value, (int, float)):  # members of an enumeration too
        return ["number", f"{int(value)}" if isinstance(value, int) else repr(value)]
    if isinstance(value, (Fraction, Decimal)):
        return ["number", str(value)]
    if isinstance(value, Enum):
        return ["member", value.name, content_of_value(value.value, under_way)]
    if isinstance(value, Mapping):
        return ["mapping", [[content_of_value(key), content_of_value(part, under_way)] for key, part in value.items()]]
    if isinstance(value, (list, tuple)):
        return ["sequence", list(getattr(value, "_fields", [])), [content_of_value(part, under_way) for part in value]]
    if isinstance(value, (set, frozenset)):
        return ["set", sorted((content_of_value(part) for part in value), key=repr)]
    if isinstance(value, range):
        return repr(value)
    if isinstance(value, ModuleType):
        return f"module {value.__name__}"
    if hasattr(value, "tobytes") and hasattr(value, "dtype"):  # an array; a scalar of numpy is the number it holds
        if value.shape == ():
            return content_of_value(value.item(), under_way)
        return ["array", str(value.dtype), list(value.shape), hashlib.sha256(value.tobytes()).hexdigest()]
    if isinstance(value, type) and value.__module__ != "builtins":
        own = {name: part for name, part in vars(value).items() if not name.startswith("_")}
        return [
            "class",
            content_of_value({name: part for name, part in own.items() if isinstance(part, (int, str, FunctionType))}),
        ]
    if dataclasses.is_dataclass(value) and type(value).__module__.startswith(
        "princeps.model"
    ):  # a goal, an action, ...
        declared = [(one, getattr(value, one.name)) for one in dataclasses.fields(value) if one.compare]
        fields = [(one.name, part) for one, part in declared if part or not one.metadata.get("later")]
        return ["declared", type(value).__name__, {name: content_of_value(part, under_way) for name, part in fields}]
    if type(value).__module__ == "princeps.model.rings.declarations":  # a kind of message
        return ["declared", type(value).__name__, value.notation]
    if callable(value) and hasattr(value, "__qualname__"):
        return f"{getattr(value, '__module__', '')}.{value.__qualname__}"
    raise ProtocolError(
        f"a rule uses {str(value)[:60]!r}, a {type(value).__name__}, which has no content that identifies results: use numbers."
    )
