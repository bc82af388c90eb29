"""What a point of a campaign is, by content: two descriptions of the same law are one point, wherever they were typed.

A function of a protocol's file is identified by its syntax tree. The names of its arguments and variables do not
matter, nor comments, docstrings and annotations; a name from outside stands for what it means: the tree of a helper,
the value of a constant. Fields, parameters and counts keep their names, because a user asks by them. So renaming or
moving a protocol changes nothing, and changing a rule makes a new point.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import json
import linecache
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache, partial
from pathlib import PurePath
from types import FunctionType, ModuleType
from typing import Any

from princeps.errors import ProtocolError
from princeps.model.protocol import Blocks, Counted, PopulationProtocol, Uniform
from princeps.model.run import Run
from princeps.model.starts import listed_states
from princeps.model.topology import COMPLETE, RING, UNDIRECTED_RING

DIGITS = 20  # of the hash: 80 bits
DULL = ("ctx", "annotation", "returns", "type_comment", "type_params", "decorator_list", "kind")


def content_of(run: Run) -> dict[str, Any]:
    """Everything that the law of a run depends on, and nothing else; and what decides which trial is which.

    The order of the fields is part of it: random states are drawn field by field.
    """
    protocol, cls = run.protocol, type(run.protocol)
    what: dict[str, Any] = {
        "interact": tree_of(cls.interact),
        "leads": tree_of(cls.is_leader),
        "fields": list(protocol.fields.items()),
        "legal": [[[values.start, values.stop] for values in group] for group in protocol.space.random_groups],
        "constants": {name: str(value) for name, value in sorted(protocol.constants.as_dict().items())},
        "derived": {name: tree_of(derived.of) for name, derived in sorted(cls.derived_.items())},
        "of_inputs": {name: _meaning(of.of) for name, of in sorted(cls.of_inputs_.items())},
        "n": run.n,
        "graph": _graph(run),
        "start": _start(run),
        "goal": _goal(cls, run.until),
        "faults": [fault.text for fault in run.faults],
        "hold": run.hold,
        "ids": _ids(run),
        "verdicts": {
            name: {"at": _goal(cls, verdict.at), "rule": _counting(cls, verdict.rule)}
            for name, verdict in sorted(cls.verdicts.items())
        },
    }
    if protocol.input_field is not None:  # then constants, and with them the random states, vary with the identifiers
        what["constants"] = {name: text for name, text in what["constants"].items() if name not in cls.of_inputs_}
        what["legal"] = [
            _meaning(cls.groups),
            [[name, _meaning(field.size), _meaning(field.random_below)] for name, field in cls.fields_.items()],
        ]
        what["fields"] = list(protocol.fields)
    if any(fault.every for fault in run.faults):  # such a run always goes on to its limit, which shapes what is seen
        what["max_steps"] = str(run.max_steps)
    return what


def identity(run: Run) -> str:
    return point_id(content_of(run))


def point_id(content: Mapping[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def point_seed(campaign_seed: int, point: str) -> int:
    """The seed of a point's trials; below 2^48, so that every program reads it from JSON."""
    return int.from_bytes(hashlib.sha256(f"princeps campaign:{campaign_seed}:{point}".encode()).digest()[:6], "big")


# -- the parts of a run -----------------------------------------------------------------------------------------------


def _graph(run: Run) -> Any:
    topology = run.topology
    if topology.kind in (COMPLETE, RING, UNDIRECTED_RING):
        return topology.kind
    if topology.is_drawn:
        name, _, shape = topology.text.partition(":")
        return [name, float(shape)]
    arcs = sorted(zip(topology.sources, topology.targets, strict=True))
    return "arcs:" + hashlib.sha256(repr(arcs).encode()).hexdigest()[:DIGITS]


def _start(run: Run) -> Any:
    if run.lists_states:
        return "states:" + hashlib.sha256(repr(listed_states(run)).encode()).hexdigest()[:DIGITS]
    rule = type(run.protocol).starts[run.start]
    if isinstance(rule, Uniform):
        return "uniform"
    return {"blocks": tree_of(rule.rule)} if isinstance(rule, Blocks) else tree_of(rule)


def _ids(run: Run) -> Any:
    if run.ids is None:
        return None
    return list(run.ids.listed) if run.ids.listed is not None else run.ids.at_most or "shuffled"


def _goal(cls: type[PopulationProtocol], name: str) -> Any:
    goal = cls.all_goals()[name]
    return {
        "kind": type(goal).__name__,
        "rule": _counting(cls, goal.rule) if isinstance(goal, Counted) else tree_of(goal.rule),
    }


def _counting(cls: type[PopulationProtocol], rule: Callable[..., Any]) -> Any:
    """A condition on counts, and the predicates behind the counts it asks for, itself or by its helpers."""
    tree = tree_of(rule)
    asked: set[str] = set()

    def walk(item: Any) -> None:
        if isinstance(item, list):
            if len(item) == 2 and item[0] == "attr" and isinstance(item[1], str):
                asked.add(item[1])
            for part in item:
                walk(part)

    walk(tree)
    known = cls.all_predicates()
    return [tree, {name: tree_of(known[name]) for name in sorted(asked) if name in known}]


# -- the tree of a function -------------------------------------------------------------------------------------------


SCOPES = (ast.FunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def tree_of(function: Callable[..., Any]) -> Any:
    """The canonical syntax tree, as lists and strings."""
    return _meaning(function)


@cache
def _tree(function: Any, under_way: tuple[Any, ...]) -> Any:
    node = _node_of(function)
    defaults = _meaning([function.__defaults__, function.__kwdefaults__], under_way)
    return [Canon(function, under_way).function(node), defaults]


class Canon:
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
            return [arguments, [self.write(part) for part in body if not _says_nothing(part)]]

    @contextmanager
    def scope(self, node: ast.AST) -> Iterator[None]:
        names = {}
        for text in _bound(node):
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
        return _meaning(_outside(self.function_, text), self.under_way)

    def write(self, item: Any) -> Any:
        if isinstance(item, list):
            return [self.write(part) for part in item if not (isinstance(part, ast.stmt) and _says_nothing(part))]
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
            parts = [(key, getattr(item, key, None)) for key in item._fields if key not in DULL]
            return [type(item).__name__, *([key, self.write(part)] for key, part in parts if part not in (None, []))]
        return item if isinstance(item, (int, str, float, type(None))) else repr(item)

    def dotted(self, item: ast.Attribute) -> Any:
        """What an attribute of a module or an enumeration stands for."""
        if not isinstance(item.value, ast.Name) or any(item.value.id in names for names in self.scopes):
            return None
        holder = _outside(self.function_, item.value.id)
        if isinstance(holder, ModuleType) and _is_provided(holder.__name__):
            return f"{holder.__name__}.{item.attr}"
        if isinstance(holder, (ModuleType, type)) and hasattr(holder, item.attr):
            return _meaning(getattr(holder, item.attr), self.under_way)
        return None


def _bound(node: ast.AST) -> list[str]:
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
        if isinstance(part, ast.FunctionDef):
            found.append(part.name)
        if not isinstance(part, SCOPES):
            inside.extend(ast.iter_child_nodes(part))
    return found


def _says_nothing(statement: ast.stmt) -> bool:
    """A docstring, or an annotation without a value."""
    text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return text or (isinstance(statement, ast.AnnAssign) and statement.value is None)


class Unknown:
    """Stands for a name that means nothing here: the rule fails when it is called."""


@cache
def _is_provided(module: str | None) -> bool:
    """Part of Python, of this package's model, or installed: not written by the user for this protocol."""
    top = (module or "").partition(".")[0]
    if top in sys.stdlib_module_names and top != "__main__":
        return True
    file = getattr(sys.modules.get(module or ""), "__file__", None) or ""
    return (module or "").startswith("princeps.model") or "site-packages" in file or "dist-packages" in file


def _outside(function: Any, name: str) -> Any:
    """What a name that is not the function's own stands for."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    if name in cells:
        return cells[name].cell_contents
    return function.__globals__.get(name, getattr(builtins, name, Unknown))


def _meaning(value: Any, under_way: tuple[Any, ...] = ()) -> Any:
    """A value from outside a function, by its content; what Python or a library provides, by its name."""
    if isinstance(value, FunctionType):
        if value in under_way:
            return ["again", under_way.index(value)]
        return f"{value.__module__}.{value.__qualname__}" if _is_provided(value.__module__) else _tree(value, under_way)
    if isinstance(value, partial):
        parts = (value.func, value.args, value.keywords)
        return ["partial", *(_meaning(part, under_way) for part in parts)]
    if isinstance(getattr(value, "__wrapped__", None), FunctionType):  # cached, say
        return ["wrapped", type(value).__name__, _meaning(value.__wrapped__, under_way)]
    if isinstance(value, (PurePath, Iterator)):  # where a file is, or how often it was asked, is no part of a law
        return type(value).__name__
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return ["text", str(value)]
    if isinstance(value, (int, float)):  # members of an enumeration too
        return ["number", f"{int(value)}" if isinstance(value, int) else repr(value)]
    if isinstance(value, Mapping):
        return ["mapping", [[_meaning(key), _meaning(part, under_way)] for key, part in value.items()]]
    if isinstance(value, (list, tuple)):
        return ["sequence", list(getattr(value, "_fields", [])), [_meaning(part, under_way) for part in value]]
    if isinstance(value, (set, frozenset)):
        return ["set", sorted((_meaning(part) for part in value), key=repr)]
    if isinstance(value, range):
        return repr(value)
    if isinstance(value, ModuleType):
        return f"module {value.__name__}"
    if hasattr(value, "tobytes") and hasattr(value, "dtype"):  # an array
        return ["array", str(value.dtype), list(value.shape), hashlib.sha256(value.tobytes()).hexdigest()]
    if isinstance(value, type) and value.__module__ != "builtins":
        own = {name: part for name, part in vars(value).items() if not name.startswith("_")}
        return [
            "class",
            _meaning({name: part for name, part in own.items() if isinstance(part, (int, str, FunctionType))}),
        ]
    if callable(value) and hasattr(value, "__qualname__"):
        return f"{getattr(value, '__module__', '')}.{value.__qualname__}"
    raise ProtocolError(
        f"a rule uses {str(value)[:60]!r}, a {type(value).__name__}, by which its results cannot be known again: use numbers."
    )


def _node_of(function: Any) -> ast.FunctionDef | ast.Lambda:
    """Where the function is written. Of several lambdas in a line it is the one that contains most of its code."""
    code = function.__code__
    source = "".join(linecache.getlines(code.co_filename))
    if not source:
        raise ProtocolError(
            f"the source of {function.__name__} cannot be read: keep the protocol in a file.", code.co_filename
        )
    lambdas = []
    places = {(line, column) for line, _, column, _ in code.co_positions() if line and column}
    for node in ast.walk(_parsed(source)):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            if min([node.lineno, *(part.lineno for part in node.decorator_list)]) == code.co_firstlineno:
                return node
        elif isinstance(node, ast.Lambda) and code.co_name == "<lambda>":
            inside = sum((node.body.lineno, node.body.col_offset) <= place <= _end(node) for place in places)
            if inside:
                lambdas.append((inside, node.lineno, node.col_offset, node))
    if not lambdas:
        raise ProtocolError(
            f"the source of {function.__name__} cannot be found: it must be a plain function or a lambda.",
            *(code.co_filename, code.co_firstlineno),
        )
    return max(lambdas, key=lambda found: found[:3])[3]


@lru_cache(maxsize=16)
def _parsed(source: str) -> ast.Module:
    return ast.parse(source)


def _end(node: ast.expr) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or 0
