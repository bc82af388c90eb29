"""A ring of processes of the operating system on this machine, over TCP: started, heard, harmed and judged.

Listening sockets are bound on the loopback interface, to ports that the system chooses, before the first process is forked.
They stay open here, so that a restarted process has the address of its predecessor; that of a process which is dead for
good is closed, so that nobody waits for it. None of the processes is left over (forking.py).

The judge plays every log line as it comes and so knows, without asking anybody, when nothing can happen any more.
"""

from __future__ import annotations

import math
import os
import select
import signal
import socket
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from princeps.errors import RunError
from princeps.model.interruptions import require_interruption
from princeps.model.randomness import WORD, Stream
from princeps.model.rings.algorithm import LEFT, RIGHT
from princeps.model.rings.run import RingRun
from princeps.network.chaos import StrikeTimes
from princeps.network.forking import Child, fork, require_fork, uninterrupted
from princeps.network.onlooking import KILL, Onlooker
from princeps.network.processes import HOST, Launch, Running
from princeps.network.rings.attacker import AttackerProcess
from princeps.network.rings.attending import Attendance
from princeps.network.rings.faults import Faults
from princeps.network.rings.judge import Judge
from princeps.network.rings.log import ACTIONS
from princeps.network.rings.process import RingProcess
from princeps.network.rings.report import COUNTED, TCP, Death, RingNetResult, result_of
from princeps.network.rings.restart import AMNESIA, remembered
from princeps.network.rings.tcp import RingHost, order_line

LAST_WORDS = 1.0  # seconds that processes have to end by themselves


@dataclass(eq=False)
class RingRunning(Running):
    """One process of ours."""

    process: int
    rest: bytes = b""


class RingLauncher(Launch):
    """A ring of processes."""

    def __init__(self, run: RingRun, faults: Faults, seed: int = 0, onlooker: Onlooker | None = None) -> None:
        super().__init__()
        require_fork("use --transport memory")
        faults.check()
        self.run, self.faults, self.n = run, faults, run.ring.n
        self.stream = Stream.of(seed, 0, "faults of a network")
        self.key, self.number = os.urandom(32), int.from_bytes(os.urandom(4), "big")
        self.judge = Judge(run)
        self.running: dict[int, RingRunning] = {}  # by process
        self.listeners: list[socket.socket] = []
        self.incarnations = [0] * self.n
        self.timed_kills = StrikeTimes(faults.timed_kills, self.stream)
        self.deaths: list[Death] = []
        self.restarts: list[tuple[float, int]] = []
        self.cuts = sorted(faults.partitions, key=lambda cut: cut.begin)
        self.next_reset, self.resets = self._pause(), 0
        self.pauses = StrikeTimes(faults.pauses, Stream.of(seed, 0, "pauses of a network"))
        self.attacker = AttackerProcess(faults.garbage, run.stream("network:garbage"))
        self.attendance = Attendance(onlooker, self.judge)
        self.has_begun = False

    def open(self) -> None:
        for _ in range(self.n):
            self.listeners.append(socket.create_server((HOST, 0)))
        self.addresses = [listener.getsockname() for listener in self.listeners]
        for process in range(self.n):
            self._start(process)
        if self.faults.garbage:
            self.attacker.start(self.listeners, self.children)
        self.began = time.monotonic()

    # -- the run -------------------------------------------------------------------------------------------------

    def play(self, max_steps: int, limit: float | None = None) -> RingNetResult:
        """Until nothing can happen any more, or so many actions were taken, or so many seconds have passed."""
        end = math.inf if limit is None else limit
        is_interrupted = False
        try:
            self._begin()
            while self.judge.session.steps < max_steps and self.seconds < end and not self._is_over():
                with uninterrupted():  # a line that was read is also judged
                    self._harm()
                    self._hear(0.02)
                    self._attend()
        except KeyboardInterrupt as error:
            require_interruption(error)
            is_interrupted = True
        seconds = self.seconds
        forged = self.attacker.end()
        self._end()
        self._attend(acts=False)
        counters: Counter[str] = Counter()
        for tally in self.judge.tallies.values():
            counters += tally
        held = max((tally["most_held"] for tally in self.judge.tallies.values()), default=0)
        shown = {name: counters[name] for name in COUNTED}
        counts = {**shown, "most_held": held} | ({"forged": forged} if self.faults.garbage else {})
        counts |= {"resets": self.resets} if self.faults.resets else {}
        strikes = self.timed_kills.not_done, self.pauses.not_done
        not_done = self.faults.not_done(seconds, *strikes, resets=self.resets)
        return result_of(self.judge, tuple(self.deaths), counts, seconds, TCP, is_interrupted, not_done)

    def _begin(self) -> None:
        """What the plan says for the first moment happens before the first action, however busy the machine is."""
        with uninterrupted():
            self._harm()
            self.has_begun = True
            for process in self.running:
                self._tell(process, "begin")

    def _is_over(self) -> bool:
        if self.judge.difference or self.judge.is_aimless:
            return True
        if self.restarts and self.faults.restart == AMNESIA:
            return False  # a process will begin anew
        return not self.judge.can_act(self._gone)

    @property
    def children(self) -> list[Child]:
        found = [one.child for one in self.running.values()]
        return found if self.attacker.child is None else [*found, self.attacker.child]

    @property
    def bound(self) -> list[socket.socket]:
        return self.listeners

    def forget(self) -> None:
        self.running.clear()
        self.attacker.child = None

    @property
    def _gone(self) -> frozenset[int]:
        return frozenset(death.process for death in self.deaths if not death.restart)

    def _harm(self) -> None:
        """What the plan says for this moment."""
        now = self.seconds
        while now >= self.next_reset:
            link = self.stream.below(self.n)
            end = (link, RIGHT) if self.stream.below(2) else ((link + 1) % self.n, LEFT)
            self._tell(end[0], "reset", end[1])
            self.next_reset += self._pause()
            self.resets += 1
        while self.cuts and self.cuts[0].begin <= now:
            cut = self.cuts.pop(0)
            for link in sorted(cut.links):
                self._tell(link, "cut", RIGHT, cut.end - cut.begin)
                self._tell((link + 1) % self.n, "cut", LEFT, cut.end - cut.begin)
        for due, process in [entry for entry in self.restarts if entry[0] <= now]:
            self.restarts.remove((due, process))
            self._start(process)
        if now >= self.timed_kills.next:
            for victim in self.timed_kills.victims(now, list(self.running), self.judge.leaders):
                self.running[victim].child.send(signal.SIGKILL)
        for one in self.running.values():
            one.resume(now)
        if now >= self.pauses.next:
            for pause, victim in self.pauses.due(now, list(self.running), self.judge.leaders):
                self.running[victim].pause(now + pause.seconds)

    def _attend(self, acts: bool = True) -> None:
        """Whoever looks on is told."""
        if not self.attendance:
            return
        now, running = self.seconds, self.running
        paused = [one.process for one in running.values() if one.paused_until > now]
        for order in self.attendance.orders(now, self.deaths, running, paused, self.faults.cut_off(now, self.n)):
            if acts and order.agent in running:
                one = running[order.agent]
                one.child.send(signal.SIGKILL) if order.kind == KILL else one.pause(now + order.seconds)

    def _pause(self) -> float:
        if not self.faults.resets:
            return math.inf
        return -math.log(1 - self.stream.next64() / WORD) / self.faults.resets

    # -- processes -----------------------------------------------------------------------------------------------

    def _start(self, me: int) -> None:
        self.incarnations[me] += 1

        def keep(child: Child) -> None:
            self.running[me] = RingRunning(child, me)

        fork(lambda control, log: self._become(me, control, log), self.children, keep)
        if self.has_begun:
            self._tell(me, "begin")
        for dead in self._gone:  # before it could be told
            self._tell(me, "dead", dead)

    def _become(self, me: int, control: int, log: int) -> None:
        """The rest of the life of a forked process."""
        for other_process, listener in enumerate(self.listeners):
            if other_process != me:
                listener.close()
        coins, memory = self.run.stream(f"coins:{me}"), None
        if self.incarnations[me] > 1:
            memory = remembered(self.run, me, self.judge.records[me], coins, self.faults.restart)
        process = RingProcess(
            self.run, me, self.incarnations[me], number=self.number, key=self.key, coins=coins, memory=memory
        )
        done = sum(record[0] in ACTIONS for record in self.judge.records[me])
        left = [kill.action - done for kill in self.faults.kills if kill.process == me and kill.action > done]
        right = self.addresses[(me + 1) % self.n]
        RingHost(process, self.listeners[me], right, control, log, min(left, default=0)).serve()

    def _hear(self, seconds: float) -> None:
        """Read what the processes log; the end of a log is the death of its process."""
        self.attacker.listen()
        poll = select.poll()
        by_log = {one.child.log: one for one in self.running.values()}
        for log, one in by_log.items():
            one.child.tell_rest()
            poll.register(log, select.POLLIN)
        for log, _ in poll.poll(1000 * seconds):
            one = by_log[log]
            if self._has_ended(one):
                self.deaths.append(Death(one.process, self.incarnations[one.process], self.faults.restart))
                self._after_death(one.process)

    def _has_ended(self, one: RingRunning) -> bool:
        """Read a piece of its log, which may be the last."""
        piece = one.child.read()
        if piece is None:
            return False
        *lines, one.rest = (one.rest + piece).split(b"\n")
        for line in lines:
            self.judge.add(line.decode())
        if piece:
            return False
        with uninterrupted():
            del self.running[one.process]
            failure = one.child.bury()
        if failure:
            raise RunError(f"process {one.process} of the ring ended by a mistake: {failure}")
        if one.rest:  # it was killed in the middle of a line
            self.judge.add(one.rest.decode(errors="replace"))
        return True

    def _after_death(self, process: int) -> None:
        if self.faults.restart:
            self.restarts.append((self.seconds + self.faults.restart_delay, process))
            return
        self.listeners[process].close()
        for neighbour in {(process - 1) % self.n, (process + 1) % self.n}:
            self._tell(neighbour, "dead", process)

    def _tell(self, process: int, *words: object) -> None:
        if process in self.running:
            self.running[process].child.tell(order_line(*words))

    def _end(self) -> None:
        """Every process says what it counted, and ends, by the end of its control pipe."""
        waiting: Sequence[RingRunning] = list(self.running.values())
        for one in waiting:
            one.resume(math.inf)
            one.child.end()
        deadline = time.monotonic() + LAST_WORDS
        for one in waiting:
            poll = select.poll()
            poll.register(one.child.log, select.POLLIN)
            while poll.poll(1000 * max(0.0, deadline - time.monotonic())):
                if self._has_ended(one):
                    break


def play_over_tcp(
    run: RingRun,
    faults: Faults | None = None,
    seed: int = 0,
    max_steps: int = 100_000,
    limit: float = 60.0,
) -> RingNetResult:
    """One run of processes of the operating system, judged."""
    with RingLauncher(run, faults or Faults(), seed) as launcher:
        return launcher.play(max_steps, limit)
