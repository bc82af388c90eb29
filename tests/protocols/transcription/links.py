"""What the two transcriptions of ring algorithms share: messages as tuples, and a slow network to run them on."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any

State = dict[str, Any]
Message = tuple[Any, ...]  # its kind, and what it carries
Started = tuple[State, list[Message]]
Receive = Callable[[State, Message], tuple[State, list[Message]]]

TOKEN, PHASE_SHIFT, FINISH = "token", "PHASE_SHIFT", "FINISH"


class Stuck(Exception):
    """No action is enabled for the message."""


def elect(started: list[Started], receive: Receive, rng: Random) -> tuple[list[State], int]:
    """The states when all links are empty, and how many messages were sent; whoever can receive is equally likely."""
    n = len(started)
    states = [state for state, _ in started]
    links = [deque(started[i - 1][1]) for i in range(n)]
    count = sum(map(len, links))
    while waiting := [i for i in range(n) if links[i]]:
        i = rng.choice(waiting)
        states[i], sent = receive(states[i], links[i].popleft())
        links[(i + 1) % n].extend(sent)
        count += len(sent)
    return states, count
