"""Who acts next on a ring, in plain Python: the definition of each scheduler, to which the compiled engine is held.

A port is a receiving end: port i is process i's left side, port n+i its right side (bidirectional rings only). A port
whose process has not started stands for its start.
"""

from __future__ import annotations

from collections import deque
from typing import Protocol

from princeps.model.randomness import Stream


class Chooser(Protocol):
    """Is notified of every message and every port whose readiness may have changed, and names the next port."""

    def sent(self, port: int) -> None: ...
    def next(self) -> int | None: ...
    def settled(self, port: int, ready: bool) -> None: ...
    def taken(self, port: int) -> None:
        """What waited longest at this port has happened by order, or is lost."""


class InOrder:
    """Oldest message first: all messages of a round before those of the next. A slow link waits for all others."""

    def __init__(self, n: int, slow: tuple[int, ...] = ()) -> None:
        self.queue, self.slow_queue, self.slow = deque(range(n)), deque[int](), slow

    def sent(self, port: int) -> None:
        (self.slow_queue if port in self.slow else self.queue).append(port)

    def next(self) -> int | None:
        if self.queue:
            return self.queue.popleft()
        return self.slow_queue.popleft() if self.slow_queue else None

    def settled(self, port: int, ready: bool) -> None:
        pass

    def taken(self, port: int) -> None:
        (self.queue if port in self.queue else self.slow_queue).remove(port)


class NewestFirst:
    """All processes start; then the link that was written last is served, so that the oldest message waits longest."""

    def __init__(self, n: int) -> None:
        self.starts, self.stack = deque(range(n)), list[int]()

    def sent(self, port: int) -> None:
        self.stack.append(port)

    def next(self) -> int | None:
        if self.starts:
            return self.starts.popleft()
        return self.stack.pop() if self.stack else None

    def settled(self, port: int, ready: bool) -> None:
        pass

    def taken(self, port: int) -> None:
        (self.starts if port in self.starts else self.stack).remove(port)


class RandomPort:
    """Every port at which something can happen is equally likely: a start, or the message at the head of its link."""

    def __init__(self, n: int, stream: Stream) -> None:
        self.ready, self.place, self.stream = list(range(n)), {port: port for port in range(n)}, stream

    def sent(self, port: int) -> None:
        pass

    def next(self) -> int | None:
        return self.ready[self.stream.below(len(self.ready))] if self.ready else None

    def settled(self, port: int, ready: bool) -> None:
        if ready and port not in self.place:
            self.place[port] = len(self.ready)
            self.ready.append(port)
        elif not ready and port in self.place:
            hole, last = self.place.pop(port), self.ready.pop()
            if last != port:
                self.ready[hole], self.place[last] = last, hole

    def taken(self, port: int) -> None:
        pass


class InGivenOrder:
    """Processes act as listed, as far as they can; then whoever can, by number."""

    def __init__(self, n: int, order: tuple[int, ...]) -> None:
        self.n, self.order = n, deque(order)
        self.waiting = dict.fromkeys(range(n), 1)  # a start is waiting at every port

    def sent(self, port: int) -> None:
        self.waiting[port] = self.waiting.get(port, 0) + 1

    def next(self) -> int | None:
        while self.order:
            process = self.order.popleft()
            for port in (process, self.n + process):
                if self.waiting.get(port):
                    return self._take(port)
        port = next((port for port, count in self.waiting.items() if count), -1)
        return None if port < 0 else self._take(port)

    def _take(self, port: int) -> int:
        self.waiting[port] -= 1
        return port

    def settled(self, port: int, ready: bool) -> None:
        pass

    def taken(self, port: int) -> None:
        self._take(port)
