"""What an oracle says on a ring: whether nobody leads is known, anything else may be either."""

from __future__ import annotations

from princeps.lowering.symbolic import Symbols
from princeps.lowering.symbolic_terms import Term
from princeps.model.oracles import nobody_leads


def told(symbols: Symbols, nobody: Term) -> Term | None:
    """The value of the oracle where `nobody` says whether nobody leads; None: a free bit, or there is no oracle."""
    oracle = symbols.cls.oracle
    return nobody if oracle is not None and oracle.rule is nobody_leads else None
