"""Tokens on graphs: the table of what two tokens become, and what a white one does to who gets it."""

from .scheduler import State

NONE, BLACK, WHITE = 0, 1, 2


def delta(a: State, b: State, p: State) -> tuple[State, State]:
    """Tokens change places; of two black ones, the one that arrives at the responder is white."""
    arrives_at_a = b["token"]
    arrives_at_b = WHITE if (a["token"], b["token"]) == (BLACK, BLACK) else a["token"]
    return _with(a, arrives_at_a), _with(b, arrives_at_b)


def _with(agent: State, token: int) -> State:
    if agent["leader"] and token == WHITE:
        return {"leader": 0, "token": NONE}
    return {"leader": agent["leader"], "token": token}
