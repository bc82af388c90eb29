"""One event of an execution on a ring, as engines report it and traces and pictures show it."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from princeps.model.rings.algorithm import LEFT, RIGHT, Local, RingAlgorithm, Sent
from princeps.model.rings.declarations import RingValue
from princeps.model.rings.ring import Label
from princeps.model.rings.words import Word

VariableValue: TypeAlias = (
    int | str | list[int] | list[str] | None
)  # of a variable, with its labels as the ring gave them


class Event(NamedTuple):
    """One action of one process; `received` None: the start. The action "": none is enabled for what was received."""

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
        """`message` is what was received, null at the start; `action` is null at a deadlock; labels and numbers are
        themselves, as in the result."""
        arrived = None if self.received is None else _content(self.received)
        return {
            "step": self.step,
            "time": self.time,
            "process": self.process,
            "action": self.action or None,
            "message": arrived and arrived["message"],
            "kind": arrived and arrived["kind"],
            "values": arrived and arrived["values"],
            "from": None if self.received is None else RIGHT if self.received.side == LEFT else LEFT,
            "sent": [{**_content(content), "to": content.side} for content in self.sent],
            "state": {name: plain_value(v) for name, v in zip(algorithm.variables_, self.local.values, strict=True)},
            "halted": self.local.halted,
        }


def _content(content: Sent) -> dict[str, Any]:
    values = [plain_value(value) for value in content.values]
    return {"message": str(content), "kind": content.message.name, "values": values}


def plain_value(value: RingValue) -> VariableValue:
    """A label as the ring gave it, a word as a list of them."""
    if isinstance(value, Word):
        return [letter.text for letter in value.letters]
    return value.text if isinstance(value, Label) else value
