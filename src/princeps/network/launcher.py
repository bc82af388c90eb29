"""Starts one process an agent (or one for several) on this machine, hears their logs, kills and restarts them.

All sockets are bound on the loopback interface, to ports that the system chooses, before the first process is forked; they
stay open here, so that a restarted agent has the address of its predecessor, and no port can be taken meanwhile. None of
the processes is left over (forking.py).

Forking takes time, and agents that begin earlier would meet more often: no clock runs before every agent has said that it
is there.
"""

from __future__ import annotations

import os
import select
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import inf

from princeps.model.run import Run
from princeps.model.starts import starting_states
from princeps.model.states import State
from princeps.network.attacker import ATTACKER, Attacker
from princeps.network.conductor import ConductedNode, Conductor
from princeps.network.forking import Child, fork, require_fork, uninterrupted
from princeps.network.handshake import Node
from princeps.network.log import Line, LogReader
from princeps.network.making import make_node
from princeps.network.membership import Timing, membership_of, refuse_oracle, restart_state, stream_of
from princeps.network.memory import Participant
from princeps.network.passing import Overhear, PassingConnections, overhearing
from princeps.network.processes import HOST, Launch, Running
from princeps.network.tcp import Connections
from princeps.network.udp import Address, Datagrams, FaultySender, Sender, control_line, serve
from princeps.network.wire import CONDUCTOR

Maker = Callable[[], tuple[int, Participant]]  # makes a participant in its own process

LOG_PIPE = 1 << 13  # bytes an agent: a process waits for whoever reads its log rather than running far ahead of it
SOCKET_BUFFER = 1 << 20  # bytes


@dataclass(eq=False)
class Process(Running):
    """One process of ours and the agents in it."""

    agents: tuple[int, ...]
    purpose: int = -1  # CONDUCTOR or ATTACKER
    reader: LogReader = field(default_factory=LogReader)


@dataclass(frozen=True)
class Launching:
    """How the processes of a run are started."""

    conducted: bool = False
    rate: float = 1.0  # of the clock of one arc, a second
    timing: Timing = field(default_factory=Timing)
    per_process: int = 1
    loss: float = 0.0
    duplicates: float = 0.0
    over_tcp: bool = False
    garbage: float = 0.0  # frames of the attacker, a second
    to_goal: bool = True
    limit: float = inf  # interactions of conducted mode


class Launcher(Launch):
    """A population of processes."""

    def __init__(self, run: Run, how: Launching) -> None:
        super().__init__()
        require_fork("use --transport memory")
        if not how.conducted:
            refuse_oracle(run)
        self.run, self.how, self.member = run, how, membership_of(run, os.urandom(32))
        self.processes: dict[int, Process] = {}  # by their log
        self.incarnations = [0] * run.n
        self.states = starting_states(run)
        self.dead: dict[int, int] = {}
        self.sockets: dict[int, socket.socket] = {}
        self.addresses: dict[int, Address] = {}
        self.cut_off: dict[int, list[int]] = {}  # whom frames of an agent do not reach
        self.failure = ""  # what a process said that ended by a mistake
        self._ending = False
        self._awaited = set[int]() if how.conducted else set(range(run.n))  # agents whose first line has not come yet

    def open(self) -> None:
        numbers = [*range(self.run.n), *([CONDUCTOR] if self.how.conducted else [])]
        numbers += [ATTACKER] if self.how.garbage else []
        for number in numbers:
            self._bind(number)
        for first in range(0, self.run.n, self.how.per_process):
            self.start(range(first, min(first + self.how.per_process, self.run.n)))
        if self.how.conducted:
            self._fork((), [self._conductor], CONDUCTOR)
        if self.how.garbage:
            self._fork((), [self._attacker], ATTACKER)

    def _bind(self, number: int) -> None:
        if self.how.over_tcp and number != ATTACKER:
            own = socket.create_server((HOST, 0), backlog=2 * self.run.n + 16)
        else:
            own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            own.setblocking(False)
            own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SOCKET_BUFFER)
            own.bind((HOST, 0))
        self.sockets[number], self.addresses[number] = own, own.getsockname()

    # -- processes ----------------------------------------------------------------------------------------------------

    def start(self, agents: Sequence[int], states: Sequence[State] | None = None) -> None:
        """A process for these agents, in new incarnations."""
        for agent in agents:
            self.incarnations[agent] += 1
        own = states or [self.states[agent] for agent in agents]
        self._fork(tuple(agents), [self._maker(agent, state) for agent, state in zip(agents, own, strict=True)])

    def _maker(self, agent: int, state: State) -> Maker:
        dead = [(other, gone) for other, gone in self.dead.items() if other != agent]
        kind: type[Node] = ConductedNode if self.how.conducted else Node
        incarnation, how = self.incarnations[agent], self.how
        rate = 0.0 if self._awaited else how.rate

        def make() -> tuple[int, Participant]:
            node = make_node(kind, self.run, self.member, agent, incarnation, state, rate, how.timing, dead)
            return agent, node

        return make

    def _conductor(self) -> tuple[int, Participant]:
        how = self.how
        return CONDUCTOR, Conductor(self.run, self.member, how.timing, how.limit, how.to_goal)

    def _attacker(self) -> tuple[int, Participant]:
        return ATTACKER, Attacker(self.run.stream("network:garbage"), self.run.n, self.how.garbage)

    def _fork(self, agents: tuple[int, ...], makers: Sequence[Maker], purpose: int = -1) -> None:
        def keep(child: Child) -> None:
            self.processes[child.log] = Process(child, agents, purpose)

        def work(control: int, log: int) -> None:
            self._become_node(control, log, makers)

        fork(work, self.children, keep, LOG_PIPE * max(1, len(agents)))

    @property
    def children(self) -> list[Child]:
        return [process.child for process in self.processes.values()]

    @property
    def bound(self) -> list[socket.socket]:
        return list(self.sockets.values())

    def forget(self) -> None:
        self.processes.clear()

    def _become_node(self, control: int, log: int, makers: Sequence[Maker]) -> None:
        made = [make() for make in makers]
        mine = {number for number, _ in made}
        for number, own in self.sockets.items():
            if number not in mine:
                own.close()
        serve([(participant, self._sender(number, participant, log)) for number, participant in made], control)

    def _sender(self, number: int, participant: Participant, log: int) -> Sender:
        how, is_attacker = self.how, number == ATTACKER
        overhear = None if is_attacker or not how.garbage else overhearing(self.addresses[ATTACKER])
        own = self._datagrams(number, participant, overhear)
        if is_attacker or not (how.loss or how.duplicates or how.garbage):
            sender = Sender(own, self.addresses, log)
        else:
            stream = stream_of(self.run, number, self._incarnation(number), "loss")
            sender = FaultySender(own, self.addresses, log, stream, how.loss, how.duplicates, overhear)
        sender.cut_off = frozenset(self.cut_off.get(number, ()))
        return sender

    def _datagrams(self, number: int, participant: Participant, overhear: Overhear | None) -> Datagrams:
        own = self.sockets[number]
        if not self.how.over_tcp:
            return own
        if isinstance(participant, Attacker):
            return PassingConnections(own, participant.stream)
        peers, refuse = frozenset(range(self.run.n)), None
        if isinstance(participant, Node):
            peers = participant.peers | ({CONDUCTOR} if self.how.conducted else set())
            refuse = participant.tally.refuse
        given = own, self.member, number, self._incarnation(number), peers, self.addresses
        return Connections(*given, refuse=refuse, seen=overhear)

    def _incarnation(self, number: int) -> int:
        return 1 if number == CONDUCTOR else self.incarnations[number]

    # -- hearing ------------------------------------------------------------------------------------------------------

    def read(self, seconds: float) -> Iterator[Line]:
        """Lines of all logs; waits for the first of them for so long. The death of a process is a line, too."""
        waiting = select.poll()  # select.select ends at 1024 descriptors
        for log, process in self.processes.items():
            process.child.tell_rest()
            waiting.register(log, select.POLLIN)
        for log, _ in waiting.poll(1000 * seconds):
            process = self.processes[log]
            piece = process.child.read()
            if piece is None:
                continue
            for line in process.reader.feed(piece):
                if self._awaited and line[0] == "start":
                    self._is_there(line[1])
                yield line
            if not piece:
                yield from self._ended(process)

    def _is_there(self, agent: int) -> None:
        self._awaited.discard(agent)
        if not self._awaited:
            self._tell("go", 0, 0, self.how.rate)

    def _ended(self, process: Process) -> Iterator[Line]:
        with uninterrupted():
            del self.processes[process.child.log]
            self.failure = process.child.bury() or self.failure
        for agent in process.agents if not self._ending else ():
            if agent in self._awaited:
                self._is_there(agent)
            self.dead[agent] = self.incarnations[agent]
            alive = set(self.running)
            running = [own if other in alive else 0 for other, own in enumerate(self.incarnations)]
            yield ["dead", agent, self.incarnations[agent], running]
            self._tell("dead", agent, self.incarnations[agent])

    @property
    def running(self) -> list[int]:
        """The agents that have a process."""
        return [agent for process in self.processes.values() for agent in process.agents]

    @property
    def conductor_ended(self) -> bool:
        return self.how.conducted and all(one.purpose != CONDUCTOR for one in self.processes.values())

    def _tell(self, *words: object) -> None:
        line = control_line(*words)
        for process in self.processes.values():
            process.child.tell(line)

    # -- acting -------------------------------------------------------------------------------------------------------

    def kill(self, agent: int) -> None:
        """kill -9 of its process; that it is dead is read from its log."""
        for process in self.processes.values():
            if agent in process.agents:
                process.child.send(signal.SIGKILL)

    def pause(self, agent: int, seconds: float) -> None:
        """Its process is stopped for so long."""
        for process in self.processes.values():
            if agent in process.agents:
                process.pause(self.seconds + seconds)

    def resume(self, until: float = inf) -> None:
        """Those whose pause ends by then go on."""
        for process in self.processes.values():
            process.resume(until)

    def restart(self, agents: Sequence[int], states: Sequence[State] | None = None) -> None:
        """Dead agents come back, in random legal states if none are given; those of one process in one process again."""
        random = [restart_state(self.run, one, self.incarnations[one] + 1, self.states[one]) for one in agents]
        chosen = dict(zip(agents, states or random, strict=True))
        for _, together in groupby(sorted(chosen), lambda agent: agent // self.how.per_process):
            own = list(together)
            self.start(own, [chosen[agent] for agent in own])

    def cut(self, cut_off: dict[int, list[int]]) -> None:
        """From now on frames of these agents do not reach those; nothing else is cut."""
        if cut_off != self.cut_off:
            self.cut_off = cut_off
            self._tell("cut", 0, 0, cut_off)

    def stop(self) -> None:
        """Nobody begins anything more; the attacker ends, and nobody is paused."""
        self.resume()
        self._awaited.clear()
        self._tell("stop", 0, 0)
        for process in self.processes.values():
            if process.purpose == ATTACKER:
                process.child.end()

    def end(self) -> None:
        """Every process is told to end, by the end of its pipe."""
        self._ending = True
        for child in self.children:
            child.end()
