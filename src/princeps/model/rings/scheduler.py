"""The scheduler of a ring: at which process something happens next.

The definitions in plain Python are in engines/rings/schedules.py, and the compiled engine makes the same choices.
"""

from __future__ import annotations

from dataclasses import dataclass

from princeps.errors import RunError, UnknownName
from princeps.model.numbers import natural

SCHEDULERS = ("synchronous", "random", "slow:EDGE", "adversarial", "order:0,1,...")


@dataclass(frozen=True)
class RingScheduler:
    """Who acts next. `slow` and `adversarial` keep a message waiting while anything else can happen."""

    kind: str
    edge: int | None = None  # of slow: the link from this process to the next
    order: tuple[int, ...] = ()  # of order: who acts first, one after the other; then whoever can, by number

    @property
    def text(self) -> str:
        if self.kind == "order":
            return f"order:{','.join(map(str, self.order))}"
        return self.kind if self.edge is None else f"{self.kind}:{self.edge}"

    def slow_ports(self, n: int) -> tuple[int, ...]:
        """The slow link's receiving ends: port i is process i's left side, n+i its right side."""
        return () if self.edge is None else ((self.edge + 1) % n, n + self.edge)


def read_ring_scheduler(text: str, n: int) -> RingScheduler:
    if not isinstance(text, str):
        raise RunError(f"schedule {text!r} is not understood: the schedules are {', '.join(SCHEDULERS)}.")
    kind, colon, edge = text.partition(":")
    if kind == "slow" and colon:
        number = natural(edge)
        if number is None or number >= n:
            raise RunError(f"schedule {text!r}: {edge!r} is no link of the ring: slow:0 to slow:{n - 1} delay one.")
        return RingScheduler(kind, number)
    if kind == "order" and colon:
        numbers = [natural(word.strip()) for word in edge.split(",")]
        order = tuple(number for number in numbers if number is not None and number < n)
        if len(order) < len(numbers):
            raise RunError(f"schedule {text!r} is not understood: list processes of 0..{n - 1}, like order:0,1,1,0.")
        return RingScheduler(kind, order=order)
    if text not in ("synchronous", "random", "adversarial"):
        raise UnknownName("schedule", text, SCHEDULERS)
    return RingScheduler(text)
