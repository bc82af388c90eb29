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
import inspect
import json
import linecache
from collections.abc import Callable, Mapping
from functools import cache
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
    """Everything that the law of a run depends on, and nothing else."""
    protocol, cls = run.protocol, type(run.protocol)
    goal = run.goal
    what: dict[str, Any] = {
        "interact": tree_of(cls.interact),
        "leads": tree_of(cls.is_leader),
        "fields": protocol.fields,
        "legal": [[_ends(values) for values in group] for group in protocol.space.random_groups],
        "constants": {name: str(value) for name, value in sorted(protocol.constants.as_dict().items())},
        "of_inputs": {name: _meaning(of.of) for name, of in sorted(cls.of_inputs_.items())},
        "n": run.n,
        "graph": _graph(run),
        "start": _start(run),
        "goal": {"kind": type(goal).__name__, "rule": tree_of(goal.rule)},
        "faults": [fault.text for fault in run.faults],
        "hold": run.hold,
        "ids": _ids(run),
        "verdicts": {
            name: {"at": _goal_rule(cls, verdict.at), "rule": tree_of(verdict.rule)}
            for name, verdict in sorted(cls.verdicts.items())
        },
    }
    if isinstance(goal, Counted):
        known = cls.all_predicates()
        what["goal"]["counts"] = {name: tree_of(known[name]) for name in _counts_asked(goal.rule) if name in known}
    if protocol.input_field is not None:  # then the constants vary with the identifiers
        what["constants"] = {name: text for name, text in what["constants"].items() if name not in cls.of_inputs_}
        what["legal"] = tree_of(cls.groups)
    return what


def point_id(content: Mapping[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def point_seed(campaign_seed: int, point: str) -> int:
    """The seed of a point's trials; below 2^48, so that every program reads it from JSON."""
    return int.from_bytes(hashlib.sha256(f"princeps campaign:{campaign_seed}:{point}".encode()).digest()[:6], "big")


# -- the parts of a run -----------------------------------------------------------------------------------------------


def _ends(values: range) -> list[int]:
    return [values.start, values.stop]


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


def _goal_rule(cls: type[PopulationProtocol], name: str) -> Any:
    return tree_of(cls.all_goals()[name].rule)


def _counts_asked(rule: Callable[..., Any]) -> list[str]:
    node = _node_of(rule)
    first = node.args.args[0].arg
    asked = {
        part.attr
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == first
    }
    return sorted(asked)


# -- the tree of a function -------------------------------------------------------------------------------------------


def tree_of(function: Callable[..., Any]) -> Any:
    """The canonical syntax tree, as lists and strings."""
    return _tree(function, ())


@cache
def _tree(function: Any, under_way: tuple[Any, ...]) -> Any:
    node = _node_of(function)
    outside = inspect.getclosurevars(function)
    known = {**outside.builtins, **outside.globals, **outside.nonlocals}
    own = {argument.arg for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
    own |= {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
    own |= {part.arg for inner in ast.walk(node) if isinstance(inner, ast.Lambda) for part in inner.args.args}
    numbered: dict[str, str] = {}

    def name(text: str) -> Any:
        if text in own:
            return numbered.setdefault(text, f"v{len(numbered)}")
        if text in known:
            return _meaning(known[text], (*under_way, function))
        return f"?{text}" if not hasattr(builtins, text) else text

    def walk(item: Any) -> Any:
        if isinstance(item, list):
            return [walk(part) for part in item]
        if isinstance(item, ast.Name):
            return name(item.id)
        if isinstance(item, ast.arg):
            return name(item.arg)
        if isinstance(item, ast.AnnAssign) and item.value is not None and isinstance(item.target, ast.Name):
            return ["Assign", [walk(item.target)], walk(item.value)]
        if isinstance(item, ast.AST):
            parts = ((key, getattr(item, key, None)) for key in item._fields if key not in DULL and key != "name")
            return [type(item).__name__, *([key, walk(part)] for key, part in parts if part not in (None, []))]
        return item if isinstance(item, (int, str, float, type(None))) else repr(item)

    body = node.body if isinstance(node, ast.FunctionDef) else [ast.Return(node.body)]
    return [walk(node.args), [walk(part) for part in body if not _is_text(part)]]


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _meaning(value: Any, under_way: tuple[Any, ...] = ()) -> Any:
    """What a name from outside a function stands for."""
    if isinstance(value, FunctionType):
        if value in under_way:
            return ["again", under_way.index(value)]
        own_file = not (value.__module__ or "").startswith("princeps.model")
        return _tree(value, under_way) if own_file else f"{value.__module__}.{value.__qualname__}"
    if isinstance(value, ModuleType):
        return f"module {value.__name__}"
    if callable(value):
        return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', repr(value))}"
    return repr(value)


def _node_of(function: Any) -> ast.FunctionDef | ast.Lambda:
    """Where the function is written. Of several lambdas in a line it is the one that contains most of its code."""
    code = function.__code__
    linecache.checkcache(code.co_filename)
    source = "".join(linecache.getlines(code.co_filename))
    if not source:
        raise ProtocolError(
            f"the source of {function.__name__} cannot be read: keep the protocol in a file.", code.co_filename
        )
    lambdas = []
    places = {(line, column) for line, _, column, _ in code.co_positions() if line and column}
    for node in ast.walk(ast.parse(source)):
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


def _end(node: ast.expr) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or 0
