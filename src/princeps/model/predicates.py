"""Local predicates by name, or written on the spot: `leaders`, `epoch == 2 and leader`."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Any
from weakref import WeakValueDictionary, finalize

from princeps.errors import RunError
from princeps.model.fields import constants_of
from princeps.model.protocol import PopulationProtocol, Predicate
from princeps.model.values import shown

_ALLOWED = (ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Compare, ast.Name, ast.Constant, ast.IfExp)
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
_written: WeakValueDictionary[str, FunctionType] = WeakValueDictionary()  # by what they return
MAX_DEPTH = 100  # of an expression, which is written anew and compiled by functions that call themselves
_COLUMNS = ("steps", "parallel_time")  # every record has these
STATES = "states"  # asks for the number of agents in every state, where the protocol has nothing of that name


def read_predicates(protocol: PopulationProtocol, wanted: Sequence[str] | Mapping[str, str]) -> dict[str, Predicate]:
    """Column name -> predicate, from names or expressions."""
    pairs = wanted.items() if isinstance(wanted, Mapping) else [(text, text) for text in wanted]
    known = type(protocol).all_predicates()
    taken = next((label for label, _ in pairs if label in _COLUMNS), None)
    if taken is not None:
        raise RunError(f"record {taken!r} is the name of a column that every record has: choose another.")
    return {label: known[text] if text in known else _from_text(protocol, text) for label, text in pairs}


def without_states(
    protocol: PopulationProtocol, wanted: Sequence[str] | Mapping[str, str]
) -> tuple[Sequence[str] | Mapping[str, str], bool]:
    """What is left to count, and whether all states are to be counted."""
    if STATES in type(protocol).all_predicates() or STATES in protocol.fields:
        return wanted, False
    if isinstance(wanted, Mapping):
        left: Sequence[str] | Mapping[str, str] = {label: text for label, text in wanted.items() if text != STATES}
    else:
        left = [text for text in wanted if text != STATES]
    return left, len(left) < len(wanted)


def _depth(tree: ast.AST) -> int:
    """How many expressions are within one another; level by level, since Python's own stack may not suffice."""
    level, depth = [tree], 0
    while level:
        level, depth = [child for node in level for child in ast.iter_child_nodes(node)], depth + 1
    return depth


def _is_plain(node: ast.expr) -> bool:
    """Integers only, and no division by what may be 0."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int)
    if isinstance(node, ast.Compare):
        return not any(isinstance(op, (ast.In, ast.NotIn, ast.Is, ast.IsNot)) for op in node.ops)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.FloorDiv, ast.Mod)):
        return isinstance(node.right, ast.Constant) and isinstance(node.right.value, int) and node.right.value > 0
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, _OPERATORS)
    return isinstance(node, _ALLOWED)


def _from_text(protocol: PopulationProtocol, text: str) -> Predicate:
    """`epoch == 2` becomes a function of one agent that every engine can run and compile."""
    fields, params = set(protocol.fields), set(constants_of(protocol.constants))
    what = f"predicate {shown(text)}"
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError):
        raise RunError(f"{what} is not an expression: write it like 'epoch == 2 and leader'.") from None
    except (RecursionError, MemoryError):
        tree = None
    if tree is None or _depth(tree) > MAX_DEPTH:
        raise RunError(f"{what} is nested too deeply: write at most {MAX_DEPTH} operations within one another.")
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and not _is_plain(node):
            raise RunError(f"{what}: `{ast.unparse(node)[:60]}` is not allowed; use fields, integers and comparisons.")
        if isinstance(node, ast.Name) and node.id not in fields | params:
            known = ", ".join([*type(protocol).all_predicates(), *protocol.fields])
            raise RunError(f"{what}: {shown(node.id)} is neither a predicate nor a field. Known: {known}.")

    class Qualify(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return ast.Attribute(ast.Name("a" if node.id in fields else "p", ast.Load()), node.id, ast.Load())

    body = ast.unparse(Qualify().visit(tree))
    return _written.get(body) or _function_of(body)


def _function_of(body: str) -> Predicate:
    """Its source can be read as long as the function is in use."""
    source = f"def written(a, p):\n    return {body}\n"
    file = f"<predicate {body}>"
    scope: dict[str, Any] = {}
    exec(compile(source, file, "exec"), scope)
    function: FunctionType = scope.pop("written")  # its scope would keep it alive
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    finalize(function, linecache.cache.pop, file, None).atexit = False
    _written[body] = function
    return function
