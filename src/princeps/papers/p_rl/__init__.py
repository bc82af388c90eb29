"""000: P_RL, self-stabilizing leader election on directed rings (Yokota, Sudo, Masuzawa)."""

from princeps.papers.p_rl import exhibits, sets, steps, times  # noqa: F401 (they declare the claims)
from princeps.papers.p_rl.paper import paper

__all__ = ["paper"]
