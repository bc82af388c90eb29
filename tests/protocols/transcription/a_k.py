"""A_k (Table 1), from the definitions: strings are tuples, and everything that is asked of them is counted out."""

from __future__ import annotations

from random import Random
from typing import Any

from .links import FINISH, TOKEN, Message, Receive, State, Stuck, elect

Text = tuple[Any, ...]


def copies(text: Text) -> int:
    """Of the label that occurs most often."""
    return max(sum(bool(y == x) for y in text) for x in text)


def srp(text: Text) -> Text:
    """The repeating prefix of minimum length."""
    for m in range(1, len(text) + 1):
        if all(text[i] == text[i % m] for i in range(len(text))):
            return text[:m]
    raise AssertionError("every text is its own repeating prefix")


def rotations(text: Text) -> list[Text]:
    return [text[i:] + text[:i] for i in range(len(text))]


def leads(text: Text, k: int) -> bool:
    """Leader(text): strictly smaller than the other rotations, wherever they begin."""
    prefix = srp(text)
    return copies(text) >= 2 * k + 1 and all(prefix < other for other in rotations(prefix)[1:])


def start(label: Any, k: int, printed: int = 0) -> tuple[State, list[Message]]:
    """Action A1. With `printed`, A2 does not ask whether p leads, as in the table."""
    fixed = {"id": label, "k": k, "printed": printed}
    state = {"string": (label,), "isLeader": 0, "leader": None, "done": 0, "halted": False}
    return {**fixed, **state}, [(TOKEN, label)]


def receive(p: State, message: Message) -> tuple[State, list[Message]]:
    """Actions A2 to A6, tried from the top."""
    if p["halted"]:
        raise Stuck
    if message[0] == FINISH:
        if p["isLeader"]:
            return {**p, "halted": True}, []
        label = min(rotations(srp(p["string"])))[0]
        return {**p, "leader": label, "done": 1, "halted": True}, [message]
    longer = (*p["string"], message[1])
    leader = leads(longer, p["k"])
    if not leader and (p["printed"] or not p["isLeader"]):
        return {**p, "string": longer}, [message]
    if p["isLeader"]:
        return p, []
    return {**p, "string": longer, "isLeader": 1, "leader": p["id"], "done": 1}, [(FINISH,)]


def _self_check() -> None:
    assert srp(tuple("ABAABAA")) == tuple("ABA")
    assert leads(tuple("AABAAB" + "A"), 2)
    assert not leads(tuple("ABAABAA"), 2)
    assert leads(tuple("AAAAA"), 2)  # one letter is a Lyndon word
    rules: Receive = receive
    for k, labels in ((1, (3, 1, 2)), (2, (0, 0, 1)), (3, tuple("ABAABAB"))):
        counts = set()
        for seed in range(20):
            states, messages = elect([start(label, k) for label in labels], rules, Random(seed))
            assert sum(state["isLeader"] for state in states) == 1
            assert all(state["done"] and state["halted"] for state in states)
            counts.add(messages)
        print(f"a_k, k={k}, {labels}: one leader in every order, {counts} messages")


if __name__ == "__main__":
    _self_check()
