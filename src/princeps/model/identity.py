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
        "derived": {name: _meaning(derived.of) for name, derived in sorted(cls.derived_.items())},
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
        return topology.text
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


def tree_of(function: Callable[..., Any]) -> Any:
    """The canonical syntax tree, as lists and strings."""
    return _tree(function, ())


@cache
def _tree(function: Any, under_way: tuple[Any, ...]) -> Any:
    node = _node_of(function)
    own = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
    own |= {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
    own |= {part.asname or part.name for part in ast.walk(node) if isinstance(part, ast.alias)}
    own |= {part.name for part in ast.walk(node) if isinstance(part, ast.FunctionDef) and part is not node}
    numbered: dict[str, str] = {}

    def name(text: str) -> Any:
        if text in own:
            return numbered.setdefault(text, f"v{len(numbered)}")
        return _meaning(_outside(function, text), (*under_way, function))

    def walk(item: Any) -> Any:
        if isinstance(item, list):
            return [walk(part) for part in item]
        if isinstance(item, ast.Name):
            return name(item.id)
        if isinstance(item, ast.arg):
            return name(item.arg)
        if isinstance(item, ast.alias):
            return ["alias", item.name, name(item.asname or item.name)]
        if isinstance(item, ast.Attribute):  # of a module or an enumeration: what it stands for
            known = _dotted(item)
            if known is not None:
                return known
        if isinstance(item, ast.AnnAssign) and item.value is not None and isinstance(item.target, ast.Name):
            return ["Assign", ["targets", [walk(item.target)]], ["value", walk(item.value)]]
        if isinstance(item, ast.AST):
            parts = [(key, getattr(item, key, None)) for key in item._fields if key not in DULL]
            if isinstance(item, ast.FunctionDef):
                parts = [(key, name(item.name) if key == "name" else part) for key, part in parts]
            return [type(item).__name__, *([key, walk(part)] for key, part in parts if part not in (None, []))]
        return item if isinstance(item, (int, str, float, type(None))) else repr(item)

    def _dotted(item: ast.Attribute) -> Any:
        holder: Any = item.value
        if isinstance(holder, ast.Name) and holder.id not in own:
            value = _outside(function, holder.id)
            if isinstance(value, ModuleType) and _is_provided(value.__name__):
                return f"{value.__name__}.{item.attr}"
            if isinstance(value, (ModuleType, type)) and hasattr(value, item.attr):
                return _meaning(getattr(value, item.attr), (*under_way, function))
        return None

    body = node.body if isinstance(node, ast.FunctionDef) else [ast.Return(node.body)]
    return [walk(node.args), [walk(part) for part in body if not _is_text(part)]]


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


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
    if isinstance(value, (PurePath, Iterator)):  # where a file is, or how often it was asked, is no part of a law
        return type(value).__name__
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, float)):  # members of an enumeration too
        return f"{int(value)}" if isinstance(value, int) else repr(value)
    if isinstance(value, Mapping):
        return ["mapping", sorted([repr(_meaning(key)), _meaning(part, under_way)] for key, part in value.items())]
    if isinstance(value, (list, tuple)):
        return ["sequence", [_meaning(part, under_way) for part in value]]
    if isinstance(value, (set, frozenset, range)):
        return [type(value).__name__, sorted(repr(_meaning(part)) for part in value)]
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
