"""One order of the log lines of all processes that is an execution of the model.

The lines of a process come in its own order, those of different processes in any. A message is delivered after it was sent:
the line that takes number k of a link waits for the line by which its sender had sent k messages there. That is all that
the model demands, so that any order in which nothing waits any more is an execution.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from princeps.model.rings.algorithm import LEFT
from princeps.network.rings.log import ACTIONS, DELIVER, FAILED, LOST, STUCK, Record, effect_of, port_of


class Linearizer:
    """Lines are added as they arrive; `ready` gives those that can be placed."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.waiting: list[deque[Record]] = [deque() for _ in range(n)]
        self.sent = [0] * (2 * n)  # by the port at which the messages arrive
        self.candidates: deque[int] = deque()

    def add(self, record: Record) -> None:
        self.waiting[record[1]].append(record)
        self.candidates.append(record[1])

    def ready(self) -> Iterator[Record]:
        while self.candidates:
            process = self.candidates.popleft()
            line = self.waiting[process]
            while line and self._can_follow(line[0]):
                record = line.popleft()
                self._count(record)
                yield record

    @property
    def left_over(self) -> int:
        """Lines that wait for a line that has not come."""
        return sum(map(len, self.waiting))

    def _can_follow(self, record: Record) -> bool:
        if record[0] not in (DELIVER, STUCK, FAILED, LOST):
            return True
        number = record[5] if record[0] == LOST else record[4]
        return bool(self.sent[port_of(record[1], record[3], self.n)] >= number)

    def _count(self, record: Record) -> None:
        if record[0] not in ACTIONS:
            return
        process, n = record[1], self.n
        _, _, to_left, to_right = effect_of(record)
        for neighbour, port, count in (
            ((process - 1) % n, n + (process - 1) % n, to_left),
            ((process + 1) % n, (process + 1) % n, to_right),
        ):
            if count > self.sent[port]:
                self.sent[port] = count
                self.candidates.append(neighbour)


def arrives_at(process: int, side: str, n: int) -> int:
    """The port at which arrives what this process sends to a side."""
    return n + (process - 1) % n if side == LEFT else (process + 1) % n
