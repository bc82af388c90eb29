"""003: P_LL, time-optimal leader election (Sudo, Ooshita, Izumi, Kakugawa, Masuzawa)."""

from princeps.papers.p_ll import (  # noqa: F401 (they declare the claims)
    backup,
    clock,
    coins,
    compared,
    epidemics,
    epochs,
    exhibits,
    lottery,
    rough_size,
    steps,
    symmetric,
    symmetric_backup,
    times,
    tournament,
)
from princeps.papers.p_ll.paper import paper

__all__ = ["paper"]
