"""002: numbered agents that elect the largest and decide when it is over (Chaturvedi, Dymond, Jenkin)."""

from princeps.papers.numbered import (  # noqa: F401 (they declare the claims)
    agreement,
    exhibits,
    experiment,
    figure,
    known_largest,
    meetings,
    minimum,
    self_meetings,
    tradeoff,
)
from princeps.papers.numbered.paper import paper

__all__ = ["paper"]
