"""What a protocol demands of the number of agents, as conditions: `n <= N`, read out of its function `demands`."""

from __future__ import annotations

import ast

from princeps.lowering.symbolic import Symbols
from princeps.lowering.symbolic_terms import Term
from princeps.lowering.trees import TheParams
from princeps.model.protocol import PopulationProtocol
from princeps.proofs.rings.sets import NotAScan
from princeps.proofs.rings.solving import always


def demanded(symbols: Symbols, n: Term) -> list[Term]:
    """One condition for each way in which the protocol refuses a population."""
    function = symbols.cls.demands
    if function is PopulationProtocol.demands:
        return []
    flat = symbols.flattener(function)
    for node in ast.walk(flat.tree):
        if isinstance(node, ast.Return):  # a message where something is wrong, else None
            fine = node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None)
            node.value = ast.copy_location(ast.Constant(0 if fine else 1), node)
    body = flat.function_body([ast.Name("given_n", ast.Load()), TheParams()])
    execution = symbols.execution({}, {"given_n": n})
    execution.block(body)
    if execution.needed:  # known only for some populations, hence no condition for all of them
        raise NotAScan(f"what {symbols.cls.name} demands of n divides by what is not known.")
    return [symbols.terms.neither(guard) for guard, value in execution.returned if value == 1]


def inherited(symbols: Symbols, n: Term) -> list[Term]:
    """Those demands that every smaller ring fulfils, too: they limit a part of a ring."""
    terms = symbols.terms
    small, large = terms.symbol("smaller n"), terms.symbol("larger n")
    order = [*symbols.facts, terms.at_most(2, small), terms.at_most(small, large)]
    pairs = zip(demanded(symbols, small), demanded(symbols, large), demanded(symbols, n), strict=True)
    return [here for less, more, here in pairs if always(terms, [*order, more], less)]
