"""The ring engine in plain Python: the definition of what an execution is, one event at a time.

Time. Acting takes none, and a message is under way for at most one unit. An execution is measured as the slowest
timing that its order of events allows: an event happens one unit after the sending of the oldest message that is still
under way, and processes start at time 0. The messages under way are then all of the present unit or the one before it,
so counting the older ones is enough. In the synchronous schedule this is the number of rounds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from princeps.engines.rings.execution import EngineObserver, Execution
from princeps.model.interruptions import require_interruption
from princeps.model.randomness import Stream
from princeps.model.rings.algorithm import LEFT, RIGHT, Action, Local, Sent
from princeps.model.rings.event import Event
from princeps.model.rings.run import RingRun
from princeps.model.rings.specification import DEADLOCK, SECOND_LEADER, Ending, StepCheck, Violation, violation


@dataclass
class Travelling:
    """A message on a link."""

    content: Sent
    time: int
    step: int


class Network:
    """All processes and links of a run; `events` makes them act until nothing can happen any more."""

    phase, unit = "electing", "actions"  # for the progress bar

    def __init__(self, run: RingRun) -> None:
        self.run, self.algorithm, self.ring = run, run.algorithm, run.ring
        n = self.ring.n
        self.locals = [self.algorithm.initial()] * n
        self.check = StepCheck(self.algorithm)
        sides = 2 if self.algorithm.bidirectional else 1
        self.links: list[deque[Travelling]] = [deque() for _ in range(sides * n)]
        self.dead = [False] * (sides * n)
        self.chooser = run.scheduler.chooser(n, run.stream("schedule"))
        self.coins: dict[int, Stream] = {}
        self.now = self.steps = self.messages = self.under_way = self.older = 0
        self.unstarted = n
        self.ambiguous = 0  # deliveries at which several guards held; the first action of the list was taken
        self.kinds = {message.name: 0 for message in self.algorithm.messages_}
        self.growing = {name: list(self.algorithm.variables_).index(name) for name in self.algorithm.growing}
        self.peaks = [dict.fromkeys(self.growing, 0) for _ in range(n)]
        self.leaders: list[int] = []
        self.deadlocks: list[Event] = []  # with the action "": nobody acted
        self.violations: dict[int, Violation] = {}

    # -- the execution -------------------------------------------------------------------------------------------

    def events(self) -> Iterator[Event]:
        while (event := self.next_event()) is not None:
            yield event

    def next_event(self) -> Event | None:
        """The next action that the schedule brings; None if nothing can happen any more."""
        while (port := self.chooser.next()) is not None:
            if self.dead[port]:
                continue
            event = self._happen(port)
            if event is not None:
                return event
        return None

    def _happen(self, port: int) -> Event | None:
        process = port % self.ring.n
        event = self._deliver(port) if self.locals[process].started else self._start(process)
        self._settle(process)
        return event

    # -- acting from outside -------------------------------------------------------------------------------------

    def force(self, port: int) -> Event | None:
        """What waits at this port happens now: the start of its process, or the delivery of a message."""
        process = port % self.ring.n
        self.chooser.taken(port if self.locals[process].started else process)
        return self._happen(port)

    def drop(self, port: int) -> None:
        """The message at the head of the link is lost."""
        travelling = self.links[port].popleft()
        self.under_way -= 1
        self.older -= travelling.time < self.now
        self.chooser.taken(port)
        self._settle(port % self.ring.n)

    def reset(self, process: int) -> Event:
        """The process is as at the beginning, and starts."""
        self.locals[process] = self.algorithm.initial()
        event = self._act(process, self.algorithm.start_action, None)
        self._settle(process)
        return event

    # -- going back ----------------------------------------------------------------------------------------------

    def snapshot(self) -> Any:
        """Everything that the future depends on; labels are shared, since they are compared by identity."""
        numbers = (self.now, self.steps, self.messages, self.under_way, self.older, self.unstarted, self.ambiguous)
        coins = {process: stream.words for process, stream in self.coins.items()}
        lists = list(self.locals), [list(link) for link in self.links], list(self.dead), list(self.leaders)
        records = dict(self.kinds), [dict(peaks) for peaks in self.peaks], list(self.deadlocks), dict(self.violations)
        return numbers, coins, lists, records, deepcopy(self.chooser)

    def restore(self, saved: Any) -> None:
        numbers, coins, (local, links, dead, leaders), (kinds, peaks, deadlocks, violations), chooser = saved
        self.now, self.steps, self.messages, self.under_way, self.older, self.unstarted, self.ambiguous = numbers
        self.coins = {process: Stream(words) for process, words in coins.items()}
        self.locals, self.links = list(local), [deque(link) for link in links]
        self.dead, self.leaders, self.kinds = list(dead), list(leaders), dict(kinds)
        self.peaks, self.deadlocks, self.violations = [dict(p) for p in peaks], list(deadlocks), dict(violations)
        self.chooser = deepcopy(chooser)

    # -- one event -----------------------------------------------------------------------------------------------

    def _start(self, process: int) -> Event:
        self.unstarted -= 1
        return self._act(process, self.algorithm.start_action, None)

    def _deliver(self, port: int) -> Event | None:
        process, side = port % self.ring.n, LEFT if port < self.ring.n else RIGHT
        if self.older == 0 and self.unstarted == 0:  # all messages under way are of the present unit: the next begins
            self.now += 1
            self.older = self.under_way
        travelling = self.links[port][0]
        content = travelling.content
        self.under_way -= 1
        self.older -= travelling.time < self.now
        found = self.algorithm.enabled(
            self.locals[process], self.ring.boxed[process], side, content.message, content.values
        )
        if not found:
            self._deadlock(port, content)
            return None
        self.ambiguous += len(found) > 1
        self.links[port].popleft()
        return self._act(process, found[0], travelling)

    def _act(self, process: int, action: Action, travelling: Travelling | None) -> Event:
        before = self.locals[process]
        received = travelling.content if travelling else None
        values = received.values if received else ()
        after, sent = self.algorithm.fire(
            action, before, self.ring.boxed[process], values, lambda bound: self._toss(process, bound)
        )
        self.locals[process] = after
        self._watch(process, action.name, before, after)
        for name, place in self.growing.items():
            value = after.values[place]
            self.peaks[process][name] = max(self.peaks[process][name], value if isinstance(value, int) else len(value))
        for content in sent:
            self._send(process, content)
        self.steps += 1
        origin = (travelling.time, travelling.step) if travelling else (0, -1)
        return Event(self.steps - 1, self.now, process, action.name, received, tuple(sent), after, *origin)

    def _send(self, process: int, content: Sent) -> None:
        n = self.ring.n
        port = (process + 1) % n if content.side == RIGHT else n + (process - 1) % n
        self.links[port].append(Travelling(content, self.now, self.steps))
        self.messages += 1
        self.kinds[content.message.name] += 1
        if not self.dead[port]:
            self.under_way += 1
            self.chooser.sent(port)
            self.chooser.settled(port, True)

    def _settle(self, process: int) -> None:
        n, started = self.ring.n, self.locals[process].started
        for port in range(process, len(self.links), n):
            ready = (len(self.links[port]) > 0 and not self.dead[port]) or (port < n and not started)
            self.chooser.settled(port, ready)

    def _deadlock(self, port: int, content: Sent) -> None:
        """The receiver can never take the message, nor those behind it."""
        process = port % self.ring.n
        local = self.locals[process]
        self.deadlocks.append(Event(self.steps, self.now, process, "", content, (), local))
        self.dead[port] = True
        for travelling in list(self.links[port])[1:]:
            self.under_way -= 1
            self.older -= travelling.time < self.now
        self._break(DEADLOCK, process, "", self.algorithm.stuck(content, local))

    def _toss(self, process: int, bound: int) -> int:
        if process not in self.coins:
            self.coins[process] = self.run.stream(f"coins:{process}")
        return self.coins[process].below(bound)

    # -- the specification ---------------------------------------------------------------------------------------

    def _break(self, code: int, process: int, action: str, detail: str = "") -> None:
        if code not in self.violations:
            self.violations[code] = violation(code, process, action, self.now, detail)

    def _watch(self, process: int, action: str, before: Local, after: Local) -> None:
        another = any(leader != process for leader in self.leaders)
        if self.check.elects(before, after) and process not in self.leaders:
            self.leaders.append(process)
        first = self.ring.boxed[self.leaders[0]] if self.leaders else None
        for code in self.check.broken(before, after, first, another):
            self._break(code, process, action, f" beside process {self.leaders[0]}" if code == SECOND_LEADER else "")

    def measures(self) -> list[tuple[str, float]]:
        """What a progress bar shows: texts with a place for their number."""
        return [("{} messages", self.messages), ("time {}", self.now)]

    def ending(self) -> Ending:
        """The configuration as it is now."""
        return Ending.of(self.algorithm, self.ring, self.locals, sum(map(len, self.links)))

    def max_bits(self) -> int:
        return max(self.algorithm.bits(self.ring.label_bits, peaks) for peaks in self.peaks)


def execute(
    run: RingRun, observer: EngineObserver | None = None, watch: Callable[[Event], None] | None = None
) -> Execution:
    """The run to its end; every event is shown to `watch`, and one with the action "" is a deadlock."""
    network = Network(run)
    limited = interrupted = False
    events, reported = network.events(), 0
    try:
        while run.max_steps is None or network.steps < run.max_steps:
            event = next(events, None)
            if watch is not None:
                for deadlock in network.deadlocks[reported:]:  # what happened on the way to this event
                    watch(deadlock)
                reported = len(network.deadlocks)
            if event is None:
                break
            if watch is not None:
                watch(event)
            if observer is not None and event.step % 10_000 == 0:
                observer(network)
        else:
            limited = network.under_way > 0 or network.unstarted > 0
    except KeyboardInterrupt as error:
        require_interruption(error)
        interrupted = True
    return Execution(network, limited, interrupted)
