"""The judge: the linearized log is played by the reference engine, with the very definition that ran, and compared.

Compared are, at every action: the message that was taken with the one that the model has at the head of that link, the
name of the action, the state after it, what it sent, and how many messages were sent to either side. The first difference
is kept, and nothing after it is judged.

The linearized lines are always a consistent cut. So if no message can be delivered there any more and everybody has
started, nothing can happen any more anywhere: `can_act` knows the end of a run without waiting and without asking.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from princeps.errors import PrincepsError
from princeps.model.rings.algorithm import LEFT, RIGHT
from princeps.model.rings.run import RingRun
from princeps.network.rings.codec import Codec
from princeps.network.rings.linearize import Linearizer, arrives_at
from princeps.network.rings.log import (
    DELIVER,
    ENDED,
    FAILED,
    LOST,
    RESET,
    RESUME,
    START,
    STUCK,
    TALLY,
    Record,
    effect_of,
    port_of,
    read_line,
)

if TYPE_CHECKING:
    from princeps.engines.rings.session import RingSession

AGREES = "agrees"


class Judge:
    """Lines in, in any order that keeps that of each process; the execution is in `session`."""

    def __init__(self, run: RingRun) -> None:
        from princeps.engines.rings.session import RingSession

        self.session: RingSession = RingSession(run)
        self.run, self.n = run, run.ring.n
        self.linearizer = Linearizer(self.n)
        self.codec = Codec(run.algorithm, run.ring)
        self.records: list[list[Record]] = [[] for _ in range(self.n)]  # of each process
        self.tallies: dict[tuple[int, int], Counter[str]] = {}  # by process and incarnation
        self.torn_lines = 0
        self.taken, self.sent = [0] * (2 * self.n), [0] * (2 * self.n)  # by port: numbers of the links
        self.ended: dict[int, int] = {}  # ports at which nothing comes any more, from which number on
        self.failed: dict[int, str] = {}  # ports at which an action failed
        self.likely_port = 0  # where something could be taken when it was last asked
        self.drops = self.resets = 0
        self.sent_before = 0  # messages, when a process last began anew with empty memory
        self.longest = math.inf  # messages after that; an algorithm whose process forgot may send for ever
        self.difference = ""

    @property
    def verdict(self) -> str:
        return self.difference or AGREES

    def add(self, line: str) -> None:
        record = read_line(line)
        if record is None:
            self.torn_lines += 1
            return
        if record[0] == TALLY:
            self.tallies[record[1], record[2]] = Counter(record[3])
            return
        self.records[record[1]].append(record)
        self.linearizer.add(record)
        for ready in self.linearizer.ready():
            if not self.difference:
                self._play(ready)

    @property
    def leaders(self) -> list[int]:
        """The processes that lead, as far as the log is played."""
        return list(self.session.network.ending().leaders)

    @property
    def is_aimless(self) -> bool:
        """A process has forgotten, and so many messages were sent since then that none of them will end it."""
        return self.resets > 0 and self.session.messages - self.sent_before > self.longest

    def can_act(self, dead: frozenset[int] = frozenset()) -> bool:
        """Something can still happen, given who will never act again."""
        if self._can_take(self.likely_port, dead):
            return True
        network = self.session.network
        if any(not local.started and process not in dead for process, local in enumerate(network.locals)):
            return True
        found = next((port for port in range(len(network.links)) if self._can_take(port, dead)), None)
        self.likely_port = found or 0
        return found is not None

    def _can_take(self, port: int, dead: frozenset[int]) -> bool:
        return bool(self.session.network.links[port]) and port % self.n not in dead and self.is_deliverable(port)

    def is_deliverable(self, port: int) -> bool:
        """The message at the head of the link can still arrive and be taken, if its receiver lives."""
        if self.session.network.dead[port] or port in self.failed:
            return False
        return port not in self.ended or self.taken[port] + 1 < self.ended[port]

    # -- one line ------------------------------------------------------------------------------------------------

    def _play(self, record: Record) -> None:
        event, process = record[0], record[1]
        if event == RESUME:
            return
        if event == START:
            self._act(record, LEFT)
        elif event == RESET:
            self.resets += 1
            self.sent_before = self.session.messages
            self._act(record, LEFT)
        elif event == ENDED:
            self.ended[port_of(process, record[3], self.n)] = record[4]
        elif event == LOST:
            self._drop(record)
        elif event in (DELIVER, STUCK, FAILED):
            self._take(record)
        else:
            self._differ(record, f"a line of an unknown kind {event!r}")

    def _take(self, record: Record) -> None:
        event, process, _, side, number, message = record[:6]
        port = port_of(process, side, self.n)
        link = self.session.network.links[port]
        if number != self.taken[port] + 1 or not link:
            self._differ(record, f"number {self.taken[port] + 1} would have been next")
        elif self.codec.plain(link[0].content) != message:
            self._differ(record, f"{link[0].content} is at the head of the link")
        elif event == FAILED:
            try:
                self.session.deliver(process, side)
            except PrincepsError:
                self.failed[port] = record[6]
            else:
                self._differ(record, "the action is completed")
        elif event == STUCK:
            self.session.deliver(process, side)
            if not self.session.network.dead[port]:
                self._differ(record, "an action is enabled")
        else:
            self._act(record, side)
            self.taken[port] += 1

    def _act(self, record: Record, side: str) -> None:
        process, network = record[1], self.session.network
        before = network.steps
        if (record[0] == START) == network.locals[process].started:
            self._differ(record, f"process {process} has {'' if record[0] == START else 'not '}started before")
            return
        try:
            if record[0] == RESET:
                self.session.reset(process)
            else:
                self.session.deliver(process, side)
        except PrincepsError as error:
            self._differ(record, str(error))
            return
        event = self.session.last_event
        if event is None or network.steps == before:
            self._differ(record, "no action is enabled")
            return
        for content in event.sent:
            self.sent[arrives_at(process, content.side, self.n)] += 1
        counts = [self.sent[arrives_at(process, to, self.n)] for to in (LEFT, RIGHT)]
        expected = [event.action, self.codec.digest(event.local, event.sent), *counts]
        if expected != effect_of(record):
            state = ", ".join(f"{name} = {text}" for name, text in self.run.algorithm.show(event.local).items())
            sent = ", ".join(map(str, event.sent)) or "nothing"
            self._differ(record, f"{event.action} leads to {state}, and sends {sent}")

    def _drop(self, record: Record) -> None:
        process, side, first, last = record[1], *record[3:6]
        port = port_of(process, side, self.n)
        if first != self.taken[port] + 1:
            self._differ(record, f"number {self.taken[port] + 1} would have been next")
            return
        for _ in range(first, last + 1):
            self.session.drop(process, side)
            self.taken[port] += 1
            self.drops += 1

    def _differ(self, record: Record, model: str) -> None:
        self.difference = f"line {record} of process {record[1]}: in the model {model}"
