"""B_k (Table 2): one table of what is enabled, by state and kind of message."""

from __future__ import annotations

from random import Random
from typing import Any

from .links import FINISH, PHASE_SHIFT, TOKEN, Message, Receive, State, Stuck, elect

INIT, COMPUTE, SHIFT, PASSIVE, WIN, HALT = "INIT", "COMPUTE", "SHIFT", "PASSIVE", "WIN", "HALT"


def start(label: Any, k: int) -> tuple[State, list[Message]]:
    """Action B1."""
    state = {"state": COMPUTE, "guest": label, "inner": 1, "outer": 1, "isLeader": 0, "leader": None, "done": 0}
    return {"id": label, "k": k, **state, "halted": False}, [(TOKEN, label)]


def receive(p: State, message: Message) -> tuple[State, list[Message]]:
    """Actions B2 to B11."""
    kind, x = message
    match p["state"], kind:
        case "COMPUTE", "token":
            return compare(p, x)
        case "SHIFT", "PHASE_SHIFT":
            return next_phase(p, x)
        case "PASSIVE", "token":  # B7
            return p, [message]
        case "PASSIVE", "PHASE_SHIFT":  # B8
            return {**p, "guest": x}, [(PHASE_SHIFT, p["guest"])]
        case "PASSIVE", "FINISH":  # B10
            return {**p, "state": HALT, "leader": x, "done": 1, "halted": True}, [message]
        case "WIN", "FINISH":  # B11
            return {**p, "state": HALT, "done": 1, "halted": True}, []
    raise Stuck


def compare(p: State, x: Any) -> tuple[State, list[Message]]:
    """B2, B3, B4, B5"""
    if x > p["guest"]:
        return p, []
    if x < p["guest"]:
        return {**p, "state": PASSIVE}, [(TOKEN, x)]
    if p["inner"] < p["k"]:
        return {**p, "inner": p["inner"] + 1}, [(TOKEN, x)]
    if p["inner"] == p["k"]:
        return {**p, "state": SHIFT}, [(PHASE_SHIFT, p["guest"])]
    raise Stuck


def next_phase(p: State, x: Any) -> tuple[State, list[Message]]:
    """B6, B9"""
    own = x == p["id"]
    if not own or p["outer"] < p["k"]:
        return {**p, "state": COMPUTE, "outer": p["outer"] + own, "guest": x, "inner": 1}, [(TOKEN, x)]
    if p["outer"] == p["k"]:
        return {**p, "state": WIN, "isLeader": 1, "leader": x, "guest": x}, [(FINISH, x)]
    raise Stuck


def _self_check() -> None:
    rules: Receive = receive
    for k, labels in ((2, (3, 1, 2)), (2, (0, 0, 1)), (4, tuple("ABAABAB"))):
        counts = set()
        for seed in range(20):
            states, messages = elect([start(label, k) for label in labels], rules, Random(seed))
            assert sum(state["isLeader"] for state in states) == 1
            assert all(state["done"] and state["halted"] for state in states)
            counts.add(messages)
        print(f"b_k, k={k}, {labels}: one leader in every order, {counts} messages")


if __name__ == "__main__":
    _self_check()
