"""Local predicates by name, or written on the spot: `leaders`, `epoch == 2 and leader`, `role in (LEADER, ZOMBIE)`.

What a user writes is parsed, every part of it is compared with a list of what is allowed, and only then a function is
made of it: nothing else can be executed through the text.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from copy import deepcopy
from types import FunctionType

from princeps.errors import RunError, hint
from princeps.model.fields import constants_of
from princeps.model.protocol import PopulationProtocol, Predicate
from princeps.model.values import shown
from princeps.model.written_functions import written_function

_ALLOWED = (ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Compare, ast.Name, ast.Constant, ast.IfExp)
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
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


def parsed(text: str, what: str, example: str) -> ast.expr:
    """The tree of an expression that is not nested too deeply; `what` begins the sentence that refuses it."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise RunError(f"{what} is not an expression: write it like {example!r}.") from None
    except (RecursionError, MemoryError):
        tree = None
    if tree is None or _depth(tree) > MAX_DEPTH:
        raise RunError(f"{what} is nested too deeply: write at most {MAX_DEPTH} operations within one another.")
    return tree


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
    what = f"predicate {shown(text)}"
    return predicate_of(protocol, parsed(text, what, "epoch == 2 and leader"), what)


def predicate_of(protocol: PopulationProtocol, tree: ast.expr, what: str) -> Predicate:
    """A function of one agent from an expression in its fields, the parameters and the names of states."""
    if isinstance(tree, ast.Constant) and type(tree.value) is int:  # it holds for everybody or for nobody
        field = next(iter(protocol.fields), "leader")
        raise RunError(
            f"{what}: `{tree.value}` is a number, not a condition on an agent: write {field} == {tree.value}."
        )
    tree = _NamedValues(protocol).visit(deepcopy(tree))
    fields, params = set(protocol.fields), set(constants_of(protocol.constants))
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and not _is_plain(node):
            raise RunError(f"{what}: `{ast.unparse(node)[:60]}` is not allowed; use fields, integers and comparisons.")
        if isinstance(node, ast.Name) and node.id not in fields | params:
            raise RunError(f"{what}: {shown(node.id)} is neither a predicate nor a field: {_hint(protocol, node.id)}")

    class Qualify(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return ast.Attribute(ast.Name("a" if node.id in fields else "p", ast.Load()), node.id, ast.Load())

    return written("a, p", ast.unparse(Qualify().visit(tree)))


def _hint(protocol: PopulationProtocol, word: str) -> str:
    """What may have been meant by a word that means nothing here."""
    holder = next((name for name, names in names_of_values(protocol).items() if word in names), None)
    if holder is not None:
        return f"it is a value of {holder}, write {holder} == {word}."
    named = [name for names in names_of_values(protocol).values() for name in names]
    return hint(word, list(dict.fromkeys([*type(protocol).all_predicates(), *protocol.fields, *named])))


def names_of_values(protocol: PopulationProtocol) -> dict[str, tuple[str, ...]]:
    """The fields whose values have names, with these names in the order of the values 0, 1, 2, ..."""
    named = {name: tuple(getattr(field, "names", ())) for name, field in type(protocol).fields_.items()}
    return {name: names for name, names in named.items() if names}


class _NamedValues(ast.NodeTransformer):
    """Where a field is compared with a name of one of its values, the name stands for the value; `in` becomes `==`."""

    def __init__(self, protocol: PopulationProtocol) -> None:
        self.names = names_of_values(protocol)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            listed = node.comparators[0]
            if isinstance(listed, (ast.Tuple, ast.List, ast.Set)) and listed.elts:
                same: list[ast.expr] = [
                    self._with_values(ast.Compare(node.left, [ast.Eq()], [one])) for one in listed.elts
                ]
                found = same[0] if len(same) == 1 else ast.BoolOp(ast.Or(), same)
                return found if isinstance(node.ops[0], ast.In) else ast.UnaryOp(ast.Not(), found)
        return self._with_values(node)

    def _with_values(self, node: ast.Compare) -> ast.Compare:
        sides = [node.left, *node.comparators]
        named = [self.names[side.id] for side in sides if isinstance(side, ast.Name) and side.id in self.names]
        sides = [self._value(side, named) for side in sides]
        return ast.Compare(sides[0], node.ops, sides[1:])

    def _value(self, side: ast.expr, named: Sequence[tuple[str, ...]]) -> ast.expr:
        """A name may be quoted, and must be where Python has no such name: state == "?"."""
        given = side.id if isinstance(side, ast.Name) else side.value if isinstance(side, ast.Constant) else None
        if not isinstance(given, str) or (isinstance(side, ast.Name) and given in self.names):
            return side
        names = next((names for names in named if given in names), None)
        return side if names is None else ast.Constant(names.index(given))


def written(arguments: str, body: str) -> FunctionType:
    """The function of these arguments that returns this."""
    return written_function(f"def written({arguments}):\n    return {body}\n", "written", "predicate", {})
