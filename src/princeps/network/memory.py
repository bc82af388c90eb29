"""Nodes in one process and virtual time: frames travel through a heap of events, and nothing waits.

What happens is a function of the seed: delays, losses, duplicates and what else is done to frames are drawn from a stream
of the network's own. Frames overtake each other where their delays say so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import inf
from typing import Protocol

from princeps.model.randomness import Stream
from princeps.network.handshake import LOG, Outputs

Log = Callable[[bytes], None]
Coming = bytes | None | Callable[[float], Outputs]  # a frame, the timer, or what somebody else tells a participant


class Participant(Protocol):
    """What the network knows of a node or a conductor."""

    def start(self, now: float) -> Outputs: ...
    def receive(self, now: float, data: bytes) -> Outputs: ...
    def timer(self, now: float) -> Outputs: ...
    def next_timer(self) -> float: ...


@dataclass(frozen=True)
class Conditions:
    """What happens to frames on their way; delays are uniform between two numbers of seconds."""

    loss: float = 0.0
    duplicates: float = 0.0
    delay: tuple[float, float] = (0.0001, 0.0003)
    slow: Mapping[int, float] = field(default_factory=dict)  # agents to which frames take so many times as long


class MemoryNetwork:
    """Participants by number, and the frames and timers that are to come."""

    def __init__(self, stream: Stream, log: Log, conditions: Conditions | None = None) -> None:
        self.stream, self.log, self.conditions = stream, log, conditions or Conditions()
        self.now = 0.0
        self.participants: dict[int, Participant] = {}
        self.cut: Callable[[int, int], bool] | None = None  # whether frames from one to the other are lost
        self.seen: Callable[[int, int, bytes], None] | None = None  # who looks at every frame that is sent
        self.paused: dict[int, float] = {}  # until when; what comes for a participant meanwhile waits
        self._heap: list[tuple[float, int, int, Coming]] = []
        self._number = 0
        self._timers: dict[int, float] = {}

    def add(self, number: int, participant: Participant) -> None:
        """A participant begins, in the place of the one that had its number."""
        self.participants[number] = participant
        self._timers[number] = inf
        self._act(number, participant.start(self.now))

    def remove(self, number: int) -> None:
        """It is dead: frames to it are lost, unless somebody takes its place before they arrive."""
        self.participants.pop(number, None)
        self._timers.pop(number, None)
        self.paused.pop(number, None)

    def tell(self, number: int, what: Callable[[float], Outputs]) -> None:
        """Somebody calls one of its methods, which takes the time: at once, or after its pause."""
        if self.paused.get(number, 0.0) > self.now:
            self._push(self.paused[number], number, what)
        else:
            self._act(number, what(self.now))

    def _put_off(self, number: int, data: Coming) -> None:
        later = self.paused[number]
        if data is None and self._timers[number] != self.now:
            return  # a timer that was set anew since
        if data is None:
            self._timers[number] = later
        self._push(later, number, data)

    def run(self, until: float = inf, done: Callable[[], bool] | None = None) -> None:
        """Until this moment of virtual time, until somebody is done, or until nothing is to come."""
        while self._heap and self._heap[0][0] <= until:
            if done is not None and done():
                return
            self.now, _, number, data = heappop(self._heap)
            participant = self.participants.get(number)
            if participant is None:
                continue
            if self.paused and self.paused.get(number, 0.0) > self.now:
                self._put_off(number, data)
            elif isinstance(data, bytes):
                self._act(number, participant.receive(self.now, data))
            elif data is not None:
                self._act(number, data(self.now))
            elif self._timers[number] == self.now:
                self._timers[number] = inf
                self._act(number, participant.timer(self.now))
        if until < inf:
            self.now = max(self.now, until)

    def deliver(self, to: int, data: bytes, delay: float = 0.0) -> None:
        """Bytes from anywhere, which nothing happens to on their way."""
        self._push(self.now + delay, to, data)

    def _act(self, number: int, outputs: Outputs) -> None:
        for to, data in outputs:
            if to == LOG:
                self.log(data)
            else:
                self._send(number, to, data)
        participant = self.participants.get(number)
        if participant is not None:
            due = participant.next_timer()
            if due < inf and due != self._timers[number]:
                self._timers[number] = due
                self._push(due, number, None)

    def _send(self, sender: int, to: int, data: bytes) -> None:
        if self.seen is not None:
            self.seen(sender, to, data)
        if self.cut is not None and self.cut(sender, to):
            return
        conditions, uniform = self.conditions, self._uniform
        copies = 1
        if conditions.loss and uniform() < conditions.loss:
            copies = 0
        if conditions.duplicates and uniform() < conditions.duplicates:
            copies += 1
        low, high = conditions.delay
        for _ in range(copies):
            self._push(self.now + (low + (high - low) * uniform()) * conditions.slow.get(to, 1.0), to, data)

    def _push(self, moment: float, number: int, data: Coming) -> None:
        self._number += 1
        heappush(self._heap, (moment, self._number, number, data))

    def _uniform(self) -> float:
        return (self.stream.next64() >> 11) * 2.0**-53
