"""001: A_k and B_k, leader election in asymmetric labeled unidirectional rings (Altisen and others)."""

from princeps.papers.rings import (  # noqa: F401 (they declare the claims)
    constructions,
    costs,
    elections,
    exhibits,
    figure,
    lemmas,
    limits,
    strings,
    unique_label,
)
from princeps.papers.rings.paper import paper

__all__ = ["paper"]
