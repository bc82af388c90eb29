"""000: P_RL, self-stabilizing leader election on directed rings (Yokota, Sudo, Masuzawa)."""

from princeps.papers.p_rl import (  # noqa: F401 (they declare the claims)
    exhibits,
    falling,
    oracle,
    sets,
    steps,
    table,
    times,
)
from princeps.papers.p_rl.paper import paper

__all__ = ["paper"]
