"""Starts one process an agent (or one for several) on this machine, hears their logs, kills and restarts them.

All sockets are bound on the loopback interface, to ports that the system chooses, before the first process is forked; they
stay open here, so that a restarted agent has the address of its predecessor, and no port can be taken meanwhile. A process
is forked from this one, where everything is loaded. It has a process group of its own, so that Ctrl-C reaches only whoever
started it. None is left over: a process ends when its control pipe is closed, which the system does however this process
ends, and on Linux the kernel kills it with its parent.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf

from princeps.errors import RunError
from princeps.model.run import Run
from princeps.model.starts import starting_states
from princeps.model.states import State
from princeps.network.conductor import ConductedNode, Conductor
from princeps.network.handshake import Node
from princeps.network.log import Line, LogReader
from princeps.network.making import make_node
from princeps.network.membership import Timing, membership_of, refuse_oracle, restart_state, stream_of
from princeps.network.memory import Participant
from princeps.network.udp import Address, FaultySender, Sender, control_line, serve
from princeps.network.wire import CONDUCTOR

Maker = Callable[[], tuple[int, Participant]]  # makes a participant in its own process

HOST = "127.0.0.1"
PIECE = 1 << 16  # bytes of a log that are read at once
LOG_PIPE = 1 << 13  # bytes an agent: a process waits for whoever reads its log rather than running far ahead of it
LONGEST_FAILURE = 2000  # bytes of what a process says that ends by a mistake
SOCKET_BUFFER = 1 << 20  # bytes
DIES_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux


@dataclass
class Process:
    """One process of ours and our ends of its pipes."""

    pid: int
    agents: tuple[int, ...]
    control: int
    log: int
    errors: int
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
    to_goal: bool = True
    limit: float = inf  # interactions of conducted mode


class Launcher:
    """A population of processes; use it in a `with`, which leaves none of them behind."""

    def __init__(self, run: Run, how: Launching) -> None:
        if not hasattr(os, "fork"):
            raise RunError("this system cannot fork processes: use --transport memory.")
        if not how.conducted:
            refuse_oracle(run)
        self.run, self.how, self.member = run, how, membership_of(run, os.urandom(32))
        self.processes: dict[int, Process] = {}  # by their log
        self.incarnations = [0] * run.n
        self.states = starting_states(run)
        self.dead: dict[int, int] = {}
        self.sockets: dict[int, socket.socket] = {}
        self.addresses: dict[int, Address] = {}
        self.began = time.monotonic()
        self.cut_off: dict[int, list[int]] = {}  # whom frames of an agent do not reach
        self.failure = ""  # what a process said that ended by a mistake
        self._ending = False

    def __enter__(self) -> Launcher:
        try:
            numbers = [*range(self.run.n), *([CONDUCTOR] if self.how.conducted else [])]
            for number in numbers:
                self._bind(number)
            for first in range(0, self.run.n, self.how.per_process):
                self.start(range(first, min(first + self.how.per_process, self.run.n)))
            if self.how.conducted:
                self._fork((), [self._conductor])
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    def _bind(self, number: int) -> None:
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

        def make() -> tuple[int, Participant]:
            node = make_node(kind, self.run, self.member, agent, incarnation, state, how.rate, how.timing, dead)
            return agent, node

        return make

    def _conductor(self) -> tuple[int, Participant]:
        how = self.how
        return CONDUCTOR, Conductor(self.run, self.member, how.timing, how.limit, how.to_goal)

    def _fork(self, agents: tuple[int, ...], makers: Sequence[Maker]) -> None:
        control, log, errors = os.pipe(), os.pipe(), os.pipe()
        parent = os.getpid()
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                for fd in (control[1], log[0], errors[0]):
                    os.close(fd)
                self._become_node(parent, control[0], log[1], errors[1], makers)
                code = 0
            except BaseException as error:
                os.write(2, f"{type(error).__name__}: {error}".encode()[:LONGEST_FAILURE])
            finally:
                os._exit(code)
        for fd in (control[0], log[1], errors[1]):
            os.close(fd)
        for fd in (log[0], errors[0]):
            os.set_blocking(fd, False)
        with suppress(OSError, ImportError):  # Linux has it
            from fcntl import F_SETPIPE_SZ, fcntl

            fcntl(log[0], F_SETPIPE_SZ, LOG_PIPE * max(1, len(agents)))
        self.processes[log[0]] = Process(pid, agents, control[1], log[0], errors[0])

    def _become_node(self, parent: int, control: int, log: int, errors: int, makers: Sequence[Maker]) -> None:
        os.setpgid(0, 0)
        for one in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE):
            signal.signal(one, signal.SIG_DFL)
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(DIES_WITH_PARENT, signal.SIGKILL)
            if os.getppid() != parent:  # it died before the kernel was asked
                return
        os.dup2(errors, 2)
        for process in self.processes.values():  # so that the death of another is seen by the launcher alone
            for fd in (process.control, process.log, process.errors):
                os.close(fd)
        made = [make() for make in makers]
        mine = {number for number, _ in made}
        for number, own in self.sockets.items():
            if number not in mine:
                own.close()
        serve([(participant, self._sender(number, log)) for number, participant in made], control)

    def _sender(self, number: int, log: int) -> Sender:
        sender = self._plain_or_faulty(number, log)
        sender.cut_off = frozenset(self.cut_off.get(number, ()))
        return sender

    def _plain_or_faulty(self, number: int, log: int) -> Sender:
        own = self.sockets[number]
        if not (self.how.loss or self.how.duplicates):
            return Sender(own, self.addresses, log)
        incarnation = 1 if number == CONDUCTOR else self.incarnations[number]
        stream = stream_of(self.run, number, incarnation, "loss")
        return FaultySender(own, self.addresses, log, stream, self.how.loss, self.how.duplicates)

    # -- hearing ------------------------------------------------------------------------------------------------------

    def read(self, seconds: float) -> Iterator[Line]:
        """Lines of all logs; waits for the first of them for so long. The death of a process is a line, too."""
        waiting = select.poll()  # select.select ends at 1024 descriptors
        for log in self.processes:
            waiting.register(log, select.POLLIN)
        for log, _ in waiting.poll(1000 * seconds):
            process = self.processes[log]
            try:
                piece = os.read(log, PIECE)
            except BlockingIOError:
                continue
            yield from process.reader.feed(piece)
            if not piece:
                yield from self._ended(process)

    def _ended(self, process: Process) -> Iterator[Line]:
        _, status = os.waitpid(process.pid, 0)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status):
            self.failure = os.read(process.errors, PIECE).decode(errors="replace").strip() or "it said nothing"
        for fd in (process.control, process.log, process.errors):
            os.close(fd)
        del self.processes[process.log]
        for agent in process.agents if not self._ending else ():
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
        return self.how.conducted and all(process.agents for process in self.processes.values())

    def _tell(self, *words: object) -> None:
        line = control_line(*words)
        for process in self.processes.values():
            with suppress(OSError):  # it has just died, which its log will tell
                os.write(process.control, line)

    # -- acting -------------------------------------------------------------------------------------------------------

    def kill(self, agent: int) -> None:
        """kill -9 of its process; that it is dead is read from its log."""
        for process in self.processes.values():
            if agent in process.agents:
                os.kill(process.pid, signal.SIGKILL)

    def restart(self, agents: Sequence[int], states: Sequence[State] | None = None) -> None:
        """Dead agents come back, in random legal states if none are given."""
        random = [restart_state(self.run, one, self.incarnations[one] + 1, self.states[one]) for one in agents]
        self.start(agents, states or random)

    def cut(self, cut_off: dict[int, list[int]]) -> None:
        """From now on frames of these agents do not reach those; nothing else is cut."""
        if cut_off != self.cut_off:
            self.cut_off = cut_off
            self._tell("cut", 0, 0, cut_off)

    def stop(self) -> None:
        """Nobody begins anything more."""
        self._tell("stop", 0, 0)

    def end(self) -> None:
        """Every process is told to end, by the end of its pipe."""
        self._ending = True
        for process in self.processes.values():
            if process.control >= 0:
                os.close(process.control)
                process.control = os.open(os.devnull, os.O_WRONLY)

    def close(self) -> None:
        """No process and no port is left."""
        for process in self.processes.values():
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
        for process in self.processes.values():
            os.waitpid(process.pid, 0)
            for fd in (process.control, process.log, process.errors):
                os.close(fd)
        self.processes.clear()
        for own in self.sockets.values():
            own.close()
        self.sockets.clear()
