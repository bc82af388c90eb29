"""Which interactions could be torn: those that change both agents. Half of any other is the whole, or nothing."""

from __future__ import annotations

from princeps.errors import PrincepsError
from princeps.model.protocol import PopulationProtocol

MAX_STATES = 64  # of an agent, whose pairs are tried in plain Python: a tenth of a second


def torn_pairs(protocol: PopulationProtocol) -> tuple[int, int] | None:
    """How many ordered pairs of legal states can change both agents when they meet, and how many pairs there are.

    None where there are too many states, or where some of them cannot meet.
    """
    if protocol.state_count is None or protocol.state_count > MAX_STATES:
        return None
    states = protocol.space.listed()
    try:
        changing = sum(
            any(u != a and v != b for told in protocol.oracle_values for _, (u, v), _ in protocol.branches(a, b, told))
            for a in states
            for b in states
        )
    except PrincepsError:
        return None
    return changing, len(states) ** 2
