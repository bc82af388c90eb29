"""004: P_PL, loosely-stabilizing leader election with polylogarithmic convergence (Sudo and others)."""

from princeps.papers.p_pl import (  # noqa: F401 (they declare the claims)
    carrying,
    compared,
    convergence,
    counting,
    exhibits,
    halving,
    holding,
    partition,
    propagating,
    spreading,
    within_tau,
)
from princeps.papers.p_pl.paper import paper

__all__ = ["paper"]
