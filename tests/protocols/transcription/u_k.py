"""U_k, by what happens to a token: it comes home, or it passes and is compared as a pair (times home, label)."""

from __future__ import annotations

from random import Random
from typing import Any

from .links import FINISH, TOKEN, Message, Receive, State, Stuck, elect


def start(label: Any, k: int) -> tuple[State, list[Message]]:
    fixed = {"id": label, "k": k}
    state = {"active": 1, "count": 0, "isLeader": 0, "leader": None, "done": 0, "halted": False}
    return {**fixed, **state}, [(TOKEN, label, 0)]


def receive(p: State, message: Message) -> tuple[State, list[Message]]:
    if p["halted"]:
        raise Stuck
    if message[0] == FINISH:
        if p["isLeader"]:
            return {**p, "halted": True}, []
        return {**p, "leader": message[1], "done": 1, "halted": True}, [message]
    _, label, times = message
    return _home(p, times) if label == p["id"] else (_passed(p, (times, label)), [message])


def _home(p: State, times: int) -> tuple[State, list[Message]]:
    """Only an active process counts; the (k+1)-th time makes it the leader, and there is no other after it."""
    if not p["active"]:
        return p, []
    if p["isLeader"]:
        raise Stuck
    seen = {**p, "count": p["count"] + 1}
    if seen["count"] <= p["k"]:
        return seen, [(TOKEN, p["id"], times + 1)]
    return {**seen, "isLeader": 1, "leader": p["id"], "done": 1}, [(FINISH, p["id"])]


def _passed(p: State, token: tuple[int, Any]) -> State:
    """A process whose own label has been home gives up at a token that comes before it in the order of pairs."""
    beaten = p["count"] > 0 and token < (p["count"], p["id"])
    return {**p, "active": 0} if beaten else p


def _self_check() -> None:
    rules: Receive = receive
    for k, labels in ((1, (3, 1, 2)), (2, (0, 0, 1)), (3, tuple("BAACBAD"))):
        unique = min(label for label in labels if labels.count(label) == 1)
        counts = set()
        for seed in range(20):
            states, messages = elect([start(label, k) for label in labels], rules, Random(seed))
            assert [state["id"] for state in states if state["isLeader"]] == [unique]
            assert all(state["done"] and state["halted"] for state in states)
            counts.add(messages)
        print(f"u_k, k={k}, {labels}: {unique} leads in every order, {counts} messages")


if __name__ == "__main__":
    _self_check()
