"""Local predicates by name, or written on the spot: `leaders`, `epoch == 2 and leader`."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Mapping, Sequence

from princeps.errors import RunError
from princeps.model.protocol import PopulationProtocol, Predicate

_ALLOWED = (ast.Expression, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Compare, ast.Name, ast.Constant, ast.IfExp)


def read_predicates(protocol: PopulationProtocol, wanted: Sequence[str] | Mapping[str, str]) -> dict[str, Predicate]:
    """Column name -> predicate, from names or expressions."""
    pairs = wanted.items() if isinstance(wanted, Mapping) else [(text, text) for text in wanted]
    known = type(protocol).all_predicates()
    return {label: known[text] if text in known else _from_text(protocol, text) for label, text in pairs}


def _from_text(protocol: PopulationProtocol, text: str) -> Predicate:
    """`epoch == 2` becomes a function of one agent that every engine can run and compile."""
    fields, params = set(protocol.fields), set(protocol.constants.as_dict())
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError):
        raise RunError(f"predicate {text!r} is not an expression: write it like 'epoch == 2 and leader'.") from None
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and not isinstance(node, _ALLOWED):
            raise RunError(
                f"predicate {text!r}: `{ast.unparse(node)}` is not allowed; use fields, numbers and comparisons."
            )
        if isinstance(node, ast.Name) and node.id not in fields | params:
            known = ", ".join([*type(protocol).all_predicates(), *protocol.fields])
            raise RunError(f"predicate {text!r}: {node.id!r} is neither a predicate nor a field. Known: {known}.")

    class Qualify(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return ast.Attribute(ast.Name("a" if node.id in fields else "p", ast.Load()), node.id, ast.Load())

    body = ast.unparse(Qualify().visit(tree))
    source = f"def written(a, p):\n    return {body}\n"
    file = f"<predicate {text}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    scope: dict[str, Predicate] = {}
    exec(compile(source, file, "exec"), scope)
    return scope["written"]
