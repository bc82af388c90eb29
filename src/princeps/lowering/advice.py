"""What to write instead of something that the language of protocol files does not have."""

from __future__ import annotations

import ast

from princeps.model.named_states import PAGE

GENERAL = f"{PAGE} says what a rule may consist of"
ADVICE: dict[type[ast.AST], str] = {
    ast.Is: "write == instead of `is`",
    ast.IsNot: "write != instead of `is not`",
    ast.In: "list the values, as in `a.x in (1, 2)`, or name a tuple of integers of the file",
    ast.Div: "write // for whole numbers",
    ast.Pow: "write a product, or a Derived parameter",
    ast.MatMult: "write * for a product",
    ast.Invert: "write -x - 1",
    ast.While: "a rule has no loops but those over the roles, `for a, b in ((l, r), (r, l))`",
    ast.Continue: "put the rest of the loop under `if`",
    ast.With: "a rule only changes its two agents",
    ast.Try: "test with `if` what may fail",
    ast.Raise: "declare what must never happen in `invariants`",
    ast.Assert: "declare what must hold in `invariants`",
    ast.Import: "import at the top of the file",
    ast.ImportFrom: "import at the top of the file",
    ast.FunctionDef: "define the function at the top level of the file",
    ast.Lambda: "define the function with `def` at the top level of the file",
    ast.NamedExpr: "assign the name in a line of its own",
    ast.Tuple: "tuples can be compared and assigned, but not kept: give each part a name",
    ast.List: "rules have no lists: give each part a name",
    ast.Dict: "rules have no dictionaries: use if and elif, or `table`",
    ast.Set: "rules have no sets but after `in`",
    ast.Subscript: "rules have no lists: use if and elif, or fields with names of their own",
    ast.ListComp: "rules have no lists: give each part a name",
    ast.GeneratorExp: "write the conditions with `and` and `or`",
    ast.JoinedStr: "rules have no texts: use numbers, or OneOf(...) for values with names",
    ast.Global: "a rule remembers nothing but the fields of its agents",
    ast.Nonlocal: "a rule remembers nothing but the fields of its agents",
    ast.Delete: "fields keep their values: assign another",
}


def advice_on(node: ast.AST) -> str:
    """Half a sentence, with the page that says more."""
    part: ast.AST = node.op if isinstance(node, ast.BinOp | ast.UnaryOp) else node
    if isinstance(part, ast.Constant):
        kind = type(part.value)
        if kind is float:
            return f"rules compute with integers: write fractions of a number with // ({PAGE})"
        if kind is str:
            return f"rules have no texts: use numbers, or OneOf(...) for values with names ({PAGE})"
    found = ADVICE.get(type(part))
    return GENERAL if found is None else f"{found} ({PAGE})"
