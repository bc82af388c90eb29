"""Small populations of whose agent states everything is computed, and how to read a table of transitions."""

from __future__ import annotations

from typing import Any

from princeps.analysis.agent_states import initiator_of, responder_of
from princeps.analysis.codes import FAILS
from princeps.model.run import Run
from tests.analysis.brute_force import OPTIMAL, RANKING, planned

P_PL: dict[str, Any] = {"N": 2, "virus_factor": 1, "emit_factor": 1}
SMALL = [
    planned("p_rl", 2, N=3),
    planned("timer", 3, t_max=4),
    planned("majority", 3),
    planned("p_pl", 2, **P_PL),
    planned(RANKING, 4),
    planned(OPTIMAL, 3, r_max=2, d_max=3, e_max=2),
]


def name_of(run: Run) -> str:
    return run.protocol.name


def entry(agent_states: Any, a: int, b: int) -> tuple[Any, Any] | None:
    """What the table says of two states by number."""
    packed = int(agent_states.table[a, b])
    return None if packed == FAILS else (initiator_of(packed), responder_of(packed))
