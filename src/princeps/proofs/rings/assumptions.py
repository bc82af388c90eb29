"""What a proof for every n assumes, in words: the demands of the protocol and the domains of its parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from princeps.lowering.trees import function_tree
from princeps.model.protocol import PopulationProtocol
from princeps.proofs.rings.demands import is_message

OPPOSITE = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}


def assumptions_of(cls: type[PopulationProtocol]) -> tuple[str, ...]:
    found = ["n >= 2", "all states legal"]
    found += [f"{name} >= {one.min}" for name, one in cls.params_.items()]
    found += [f"{name} <= {one.max}" for name, one in cls.params_.items() if one.max is not None]
    return (*found, *_demands(cls))


def _demands(cls: type[PopulationProtocol]) -> Iterator[str]:
    if cls.demands is PopulationProtocol.demands:
        return
    tree, _, _ = function_tree(cls.demands)
    for node in ast.walk(tree):  # as rings/demands.py reads them
        if isinstance(node, ast.If) and isinstance(node.body[0], ast.Return) and is_message(node.body[0].value):
            yield _opposite(node.test).replace("p.", "")
        if isinstance(node, ast.Return) and isinstance(node.value, ast.IfExp):
            yield "n as `demands` accepts it"


def _opposite(test: ast.expr) -> str:
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        for sign, other in OPPOSITE.items():
            if ast.unparse(ast.Compare(ast.Name("x"), test.ops, [ast.Name("y")])) == f"x {sign} y":
                return f"{ast.unparse(test.left)} {other} {ast.unparse(test.comparators[0])}"
    return f"not {ast.unparse(test)}"
