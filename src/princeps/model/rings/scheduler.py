"""The scheduler of a ring: at which process something happens next.

A scheduler is an object that engines ask for what they need to know; none of them knows it by name.

    Synchronous     oldest message first: all messages of a round before those of the next; the default
    UniformPort     everything that can happen is equally likely
    SlowLink        synchronous, but one link is served only when no other can be
    Adversarial     newest message first: the oldest one waits longest
    GivenOrder      processes act as listed

Whatever is random comes from the run's own stream "schedule". The definitions in plain Python are in choosers.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum, auto
from typing import ClassVar

from princeps.errors import RunError, UnknownName
from princeps.model.numbers import natural
from princeps.model.randomness import Stream
from princeps.model.rings import choosers
from princeps.model.rings.choosers import Chooser


class DeliveryOrder(Enum):
    """In which order messages are delivered, where compiled code knows the order."""

    OLDEST_FIRST = auto()
    NEWEST_FIRST = auto()
    UNIFORM = auto()


class RingScheduler(ABC):
    """Who acts next on a ring."""

    form: ClassVar[str]  # how it is written after --scheduler, with a word in capitals for what the user chooses
    delivery_order: ClassVar[DeliveryOrder | None] = None  # None: only the reference engine follows it, and
    plain_reason: ClassVar[str] = ""  # says why, in a few words

    @property
    def text(self) -> str:
        """What follows --scheduler."""
        return self.form

    @property
    def short(self) -> str:
        """The same in a sentence, where it may be too long."""
        return self.text

    @abstractmethod
    def chooser(self, n: int, stream: Stream) -> Chooser:
        """The choices of one run from its beginning. This is the definition: compiled engines choose the same."""

    def slow_ports(self, n: int) -> tuple[int, ...]:
        """The ports that wait for all others: port i is process i's left side, n+i its right side."""
        return ()

    @classmethod
    def read(cls, text: str, argument: str | None, n: int) -> RingScheduler | None:
        """The scheduler on a ring of n processes; `argument` follows the colon. None: this is not how it is written."""
        return cls() if argument is None else None


@dataclass(frozen=True)
class Synchronous(RingScheduler):
    form: ClassVar[str] = "synchronous"
    delivery_order: ClassVar[DeliveryOrder | None] = DeliveryOrder.OLDEST_FIRST

    def chooser(self, n: int, stream: Stream) -> Chooser:
        return choosers.InOrder(n)


@dataclass(frozen=True)
class UniformPort(RingScheduler):
    form: ClassVar[str] = "random"
    delivery_order: ClassVar[DeliveryOrder | None] = DeliveryOrder.UNIFORM

    def chooser(self, n: int, stream: Stream) -> Chooser:
        return choosers.RandomPort(n, stream)


@dataclass(frozen=True)
class SlowLink(RingScheduler):
    """`edge` is the link from this process to the next."""

    edge: int
    form: ClassVar[str] = "slow:EDGE"
    delivery_order: ClassVar[DeliveryOrder | None] = DeliveryOrder.OLDEST_FIRST

    @property
    def text(self) -> str:
        return f"slow:{self.edge}"

    def chooser(self, n: int, stream: Stream) -> Chooser:
        return choosers.InOrder(n, self.slow_ports(n))

    def slow_ports(self, n: int) -> tuple[int, ...]:
        return (self.edge + 1) % n, n + self.edge

    @classmethod
    def read(cls, text: str, argument: str | None, n: int) -> SlowLink | None:
        if argument is None:
            return None
        edge = natural(argument)
        if edge is None or edge >= n:
            raise RunError(f"schedule {text!r}: {argument!r} is no link of the ring: slow:0 to slow:{n - 1} delay one.")
        return cls(edge)


@dataclass(frozen=True)
class Adversarial(RingScheduler):
    form: ClassVar[str] = "adversarial"
    delivery_order: ClassVar[DeliveryOrder | None] = DeliveryOrder.NEWEST_FIRST

    def chooser(self, n: int, stream: Stream) -> Chooser:
        return choosers.NewestFirst(n)


@dataclass(frozen=True)
class GivenOrder(RingScheduler):
    """`order` lists who acts, one after the other; then whoever can, by number."""

    order: tuple[int, ...]
    form: ClassVar[str] = "order:0,1,..."
    plain_reason: ClassVar[str] = "a given order"

    @property
    def text(self) -> str:
        return f"order:{','.join(map(str, self.order))}"

    @property
    def short(self) -> str:
        return "order:..."

    def chooser(self, n: int, stream: Stream) -> Chooser:
        return choosers.InGivenOrder(n, self.order)

    @classmethod
    def read(cls, text: str, argument: str | None, n: int) -> GivenOrder | None:
        if argument is None:
            return None
        numbers = [natural(word.strip()) for word in argument.split(",")]
        order = tuple(number for number in numbers if number is not None and number < n)
        if len(order) < len(numbers):
            raise RunError(f"schedule {text!r} is not understood: list processes of 0..{n - 1}, like order:0,1,1,0.")
        return cls(order)


SCHEDULERS: dict[str, type[RingScheduler]] = {
    cls.form.partition(":")[0]: cls for cls in (Synchronous, UniformPort, SlowLink, Adversarial, GivenOrder)
}


def scheduler_forms() -> list[str]:
    return [cls.form for cls in SCHEDULERS.values()]


def read_ring_scheduler(text: str, n: int) -> RingScheduler:
    if not isinstance(text, str):
        raise RunError(f"schedule {text!r} is not understood: the schedules are {', '.join(scheduler_forms())}.")
    name, colon, argument = text.partition(":")
    cls = SCHEDULERS.get(name)
    found = None if cls is None else cls.read(text, argument if colon else None, n)
    if found is None:
        raise UnknownName("schedule", text, scheduler_forms())
    return found
