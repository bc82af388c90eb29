"""One event of an execution on a ring, as engines tell it and traces and pictures show it."""

from __future__ import annotations

from typing import Any, NamedTuple

from princeps.model.ring_algorithm import LEFT, Local, RingAlgorithm, Sent


class Event(NamedTuple):
    """One action of one process; `received` None: the start."""

    step: int
    time: int
    process: int
    action: str
    received: Sent | None  # its `side` is the neighbour it was sent to
    sent: tuple[Sent, ...]
    local: Local  # the process afterwards
    sent_at: int = 0  # when the received message was sent
    sent_in: int = -1  # the step of the action that sent it

    def as_json(self, algorithm: RingAlgorithm) -> dict[str, Any]:
        return {
            "step": self.step,
            "time": self.time,
            "process": self.process,
            "action": self.action,
            "received": None if self.received is None else str(self.received),
            "sent": [f"{content} left" if content.side == LEFT else str(content) for content in self.sent],
            "state": algorithm.show(self.local),
            "halted": self.local.halted,
        }
