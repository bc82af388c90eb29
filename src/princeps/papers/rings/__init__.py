"""001: A_k and B_k, leader election in asymmetric labeled unidirectional rings (Altisen and others)."""

from princeps.papers.rings import costs, elections, exhibits, lemmas, limits, strings  # noqa: F401 (they declare)
from princeps.papers.rings.paper import paper

__all__ = ["paper"]
