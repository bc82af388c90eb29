"""What a protocol demands of the number of agents, as conditions: `n <= N`, read out of its function `demands`.

What cannot be read is not used: a proof then holds of more populations than the protocol accepts.
"""

from __future__ import annotations

import ast

from princeps.errors import ProtocolError
from princeps.lowering.symbolic import Symbols
from princeps.lowering.symbolic_terms import Term
from princeps.lowering.trees import TheParams
from princeps.model.protocol import PopulationProtocol
from princeps.proofs.rings.solving import always


def demanded(symbols: Symbols, n: Term) -> list[Term]:
    """One condition for each way in which the protocol refuses a population."""
    function = symbols.cls.demands
    if function is PopulationProtocol.demands:
        return []
    flat = symbols.flattener(function)
    for node in ast.walk(flat.tree):
        if isinstance(node, ast.Return):  # a message where something is wrong, else None
            node.value = ast.fix_missing_locations(ast.copy_location(_is_refused(node.value), node))
    try:
        body = flat.function_body([ast.Name("given_n", ast.Load()), TheParams()])
        execution = symbols.execution({}, {"given_n": n})
        execution.block(body)
    except (ProtocolError, KeyError):
        return []
    if execution.needed:  # known only for some populations, hence no condition for all of them
        return []
    terms = symbols.terms
    refused = [terms.both(guard, value) for guard, value in execution.returned]
    return [terms.neither(one) for one in refused if one is not False]


def _is_refused(value: ast.expr | None) -> ast.expr:
    """1 where what is returned is certainly a message, 0 where it may be none: an empty text is none, either."""
    if isinstance(value, ast.IfExp):
        return ast.IfExp(value.test, _is_refused(value.body), _is_refused(value.orelse))
    return ast.Constant(int(is_message(value)))


def is_message(value: ast.expr | None) -> bool:
    """Certainly a text with something in it."""
    if isinstance(value, ast.Constant):
        return isinstance(value.value, str) and value.value != ""
    if isinstance(value, ast.JoinedStr):
        return any(is_message(part) for part in value.values)
    return (
        isinstance(value, ast.BinOp)
        and isinstance(value.op, ast.Add)
        and any(map(is_message, (value.left, value.right)))
    )


def inherited(symbols: Symbols, n: Term) -> list[Term]:
    """Those demands that every smaller ring fulfils, too: they limit a part of a ring."""
    terms = symbols.terms
    small, large = terms.symbol("smaller n"), terms.symbol("larger n")
    order = [*symbols.facts, terms.at_most(2, small), terms.at_most(small, large)]
    pairs = zip(demanded(symbols, small), demanded(symbols, large), demanded(symbols, n), strict=True)
    return [here for less, more, here in pairs if always(terms, [*order, more], less)]
