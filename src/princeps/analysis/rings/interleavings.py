"""All executions of a ring algorithm on a small ring: the whole graph of configurations.

A configuration is the state of every process and the content of every link. From each one, every process that can act
acts: it starts, or receives the message at the head of a link, by any of its enabled actions. The number of messages
sent so far is part of a configuration here, so that executions that differ only in it are distinguished.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from princeps.analysis.progress import ProgressCallback, no_progress
from princeps.errors import TooLarge
from princeps.model.limits import RING_CONFIGURATIONS, refuse_beyond, refuse_full_memory
from princeps.model.numbers import in_words
from princeps.model.rings.algorithm import LEFT, RIGHT, Local, RingAlgorithm, Sent
from princeps.model.rings.ring import Ring
from princeps.model.rings.specification import LINKS_NOT_EMPTY, SENTENCES, Ending, StepCheck

PORTION = 10_000  # configurations between two reports of progress


class Configuration(NamedTuple):
    locals: tuple[int, ...]  # numbers of local states
    links: tuple[tuple[int, ...], ...]  # numbers of messages, head first; i is process i's left port, n+i its right
    messages: int  # sent so far


class Move(NamedTuple):
    """One possible action of a process, independent of the others."""

    action: str
    local: int
    sent: tuple[tuple[str, int], ...]  # to which side, which message
    notable: bool  # isLeader, leader or done changes, or the process halts


@dataclass(frozen=True)
class Interleavings:
    """`endings`: terminal configurations; `messages`: how many were sent on the way to them; `broken`: the first violation
    of the specification, if any; `left_over`: terminal configurations with messages that nobody will receive."""

    configurations: int
    steps: int
    endings: int
    messages: tuple[int, ...]
    leaders: tuple[int, ...]  # processes that lead in some terminal configuration
    broken: str | None
    schedule: tuple[int, ...] | None  # the processes in the order in which they act, shortest path to the violation
    left_over: int = 0

    @property
    def agreed(self) -> bool:
        """The specification holds everywhere, and all executions elect the same process."""
        return self.broken is None and len(self.leaders) == 1

    @property
    def confluent(self) -> bool:
        """Also with the same number of messages and one terminal configuration. This must hold if every process has one
        input link; with two, the order of arrival may matter."""
        return self.agreed and self.endings == 1 and len(self.messages) == 1


def all_interleavings(
    algorithm: RingAlgorithm,
    ring: Ring,
    most: int = RING_CONFIGURATIONS,
    progress: ProgressCallback = no_progress,
    *,
    all_received: bool = True,
) -> Interleavings:
    """Explore every execution, breadth first; stops at the first violation, and refuses more than `most` configurations.

    Without `all_received` a message to a process that has halted stays on its link, and that is no violation.
    """
    refuse_too_many_processes(ring.n, most)
    refuse_beyond(
        most,
        algorithm.ask(algorithm.least_messages, ring, algorithm.constants),
        f"{algorithm.name} passes through at least {{}} configurations on this ring",
        "lower its parameters, or raise the limit with --limit.",
    )
    return _Explorer(algorithm, ring, most, progress, all_received).explore()


def refuse_too_many_processes(n: int, most: int) -> None:
    """Any of the processes may be those that have started."""
    if n >= most.bit_length():
        raise TooLarge(
            f"a ring of n = {n} processes has more than 2^{n} configurations, and the limit is {in_words(most)}: explore "
            f"one of at most {most.bit_length() - 1}, raise the limit with --limit, or see some executions with princeps run."
        )


class _Explorer:
    def __init__(
        self,
        algorithm: RingAlgorithm,
        ring: Ring,
        max_configurations: int,
        progress: ProgressCallback,
        all_received: bool,
    ) -> None:
        self.algorithm, self.ring, self.progress, self.all_received = algorithm, ring, progress, all_received
        self.max_configurations = max_configurations
        self.check = StepCheck(algorithm)
        self.states: list[Local] = []
        self.contents: list[Sent] = []
        self.numbers: dict[Any, int] = {}
        self.moves: dict[tuple[int, int, int, str], list[Move]] = {}
        self.came_from: dict[Configuration, tuple[Configuration, int] | None] = {}

    def _number(self, item: Local | Sent, table: list[Any]) -> int:
        key = (type(item), item)
        if key not in self.numbers:
            self.numbers[key] = len(table)
            table.append(item)
        return self.numbers[key]

    def explore(self) -> Interleavings:
        n, sides = self.ring.n, 2 if self.algorithm.bidirectional else 1
        state = self._number(self.algorithm.initial(), self.states)
        first = Configuration((state,) * n, ((),) * (sides * n), 0)
        self.came_from[first] = None
        waiting, steps = deque([first]), 0
        endings: list[Configuration] = []
        while waiting:
            here = waiting.popleft()
            ended = True
            for process, following, violation in self._following(here):
                ended = False
                steps += 1
                if violation is not None:
                    return self._result(steps, endings, violation, [*self._path(here), process])
                assert following is not None
                if following not in self.came_from:
                    if len(self.came_from) >= self.max_configurations:
                        raise TooLarge(
                            f"the ring {self.ring} has more than {in_words(self.max_configurations)} configurations: explore a "
                            f"smaller one, or raise the limit with --limit."
                        )
                    self.came_from[following] = (here, process)
                    waiting.append(following)
                    if len(self.came_from) % PORTION == 0:
                        self.progress("exploring (at most)", len(self.came_from), self.max_configurations)
                        refuse_full_memory(f"more than {len(self.came_from):,} configurations of the ring {self.ring}")
            if ended:
                endings.append(here)
                broken = [
                    one for one in self._ending(here).violations(0) if self.all_received or one.rule != LINKS_NOT_EMPTY
                ]
                if broken:
                    return self._result(steps, endings, broken[0].sentence, self._path(here))
        return self._result(steps, endings, None, None)

    def _following(self, here: Configuration) -> Iterator[tuple[int, Configuration | None, str | None]]:
        """Every next configuration, with the process that acts; or the violation."""
        n = self.ring.n
        for port, link in enumerate(here.links):
            process = port % n
            started = self.states[here.locals[process]].started
            if started and not link:
                continue
            if not started and port >= n:
                continue  # its start is counted at the left port
            content = link[0] if started else -1
            found = self._moves(process, here.locals[process], content, LEFT if port < n else RIGHT)
            if not found:
                local = self.states[here.locals[process]]
                if local.halted and not self.all_received:
                    continue
                detail = self.algorithm.stuck(self.contents[content], local)
                yield process, None, f"process {process}: no action is enabled{detail}"
            for move in found:
                violation = self._violation(here, process, move) if move.notable else None
                yield process, self._after(here, port, move, started), violation

    def _moves(self, process: int, state: int, content: int, side: str) -> list[Move]:
        label = self.ring.boxed[process]
        key = (label.rank, state, content, side)
        if key not in self.moves:
            local = self.states[state]
            if content < 0:
                actions, values = [self.algorithm.start_action], ()
            else:
                sent = self.contents[content]
                actions = self.algorithm.enabled(local, label, side, sent.message, sent.values)
                values = sent.values
            self.moves[key] = [self._move(action, local, label, values) for action in actions]
        return self.moves[key]

    def _move(self, action: Any, local: Local, label: Any, values: tuple[Any, ...]) -> Move:
        after, sent = self.algorithm.fire(action, local, label, values)
        read = (self.check.is_leader, self.check.leader, self.check.done)
        notable = after.halted or any(local.values[k] is not after.values[k] for k in read)
        numbers = tuple((content.side, self._number(content, self.contents)) for content in sent)
        return Move(action.name, self._number(after, self.states), numbers, notable)

    def _after(self, here: Configuration, port: int, move: Move, started: bool) -> Configuration:
        n, process = self.ring.n, port % self.ring.n
        links = list(here.links)
        if started:
            links[port] = links[port][1:]
        for side, content in move.sent:
            target = (process + 1) % n if side == RIGHT else n + (process - 1) % n
            links[target] = (*links[target], content)
        locals_ = (*here.locals[:process], move.local, *here.locals[process + 1 :])
        return Configuration(locals_, tuple(links), here.messages + len(move.sent))

    def _violation(self, here: Configuration, process: int, move: Move) -> str | None:
        before, after = self.states[here.locals[process]], self.states[move.local]
        leading = [
            i for i, state in enumerate(here.locals) if i != process and self.states[state].values[self.check.is_leader]
        ]
        own = [process] if after.values[self.check.is_leader] else []
        first = self.ring.boxed[(leading + own)[0]] if leading + own else None
        broken = self.check.broken(before, after, first, bool(leading))
        return f"process {process} by {move.action}: {SENTENCES[broken[0]]}" if broken else None

    def _ending(self, last: Configuration) -> Ending:
        locals_ = [self.states[state] for state in last.locals]
        return Ending.of(self.algorithm, self.ring, locals_, sum(map(len, last.links)))

    def _path(self, to: Configuration) -> list[int]:
        path: list[int] = []
        step = self.came_from[to]
        while step is not None:
            path.append(step[1])
            step = self.came_from[step[0]]
        return path[::-1]

    def _result(
        self, steps: int, endings: list[Configuration], broken: str | None, path: list[int] | None
    ) -> Interleavings:
        leaders = {leader for ending in endings for leader in self._ending(ending).leaders}
        return Interleavings(
            configurations=len(self.came_from),
            steps=steps,
            endings=len({(e.locals, e.links) for e in endings}),
            messages=tuple(sorted({ending.messages for ending in endings})),
            leaders=tuple(sorted(leaders)),
            broken=broken,
            schedule=None if path is None else tuple(path),
            left_over=sum(any(ending.links) for ending in endings),
        )
