"""A ring of processes in virtual time: they begin, act, are paused, die and come back.

The processes are those that also run over TCP; only their connections are others (virtual_streams.py). A process that is killed has
carried out its outputs up to any point: its log line may be written and nothing sent, or only half of the line be written.
Everything that is drawn comes from a stream of its own, so that a seed repeats a run exactly.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import partial
from heapq import heappop

from princeps.model.interruptions import require_interruption
from princeps.model.randomness import Stream
from princeps.model.rings.algorithm import LEFT, RIGHT
from princeps.model.rings.run import RingRun
from princeps.network.chaos import StrikeTimes
from princeps.network.greeting import NONCE
from princeps.network.onlooking import KILL, Onlooker
from princeps.network.rings.attending import Attendance
from princeps.network.rings.faults import Faults, Kill
from princeps.network.rings.judge import Judge
from princeps.network.rings.log import LINES_OF_ACTIONS, read_line
from princeps.network.rings.process import Close, Dial, Log, Output, RingProcess, Write
from princeps.network.rings.report import COUNTED, MEMORY, Death, RingNetResult, result_of
from princeps.network.rings.restart import AMNESIA, remembered
from princeps.network.rings.virtual_streams import Streams

KEY = b"virtual time"
MAX_STEPS = 100_000  # actions: an algorithm whose process forgot may run for ever
MAX_TIME = 3600.0  # virtual seconds
BEGINNING = 0.001  # virtual seconds between two looks whether all have begun


class World(Streams):
    """All processes and connections of one run, and the moments at which something happens to them."""

    def __init__(self, run: RingRun, faults: Faults, seed: int = 0, onlooker: Onlooker | None = None) -> None:
        faults.check()
        super().__init__(run.ring.n, faults, Stream.of(seed, 0, "faults of a network"))
        self.run, self.judge = run, Judge(run)
        self.logs: list[list[str]] = [[] for _ in range(self.n)]
        self.nonces = Stream.of(seed, 0, "nonces of a network")
        self.wake: list[float] = [math.inf] * self.n
        self.actions = [0] * self.n
        self.kills = set(faults.kills)
        self.timed_kills = StrikeTimes(faults.timed_kills, self.stream)
        self.deaths: list[Death] = []
        self.gone: Counter[str] = Counter()  # counters of incarnations that died
        self.peak = 0
        for process in range(self.n):
            self._at(self._delay(), partial(self._begin, process))
        if faults.resets:
            self._at(self._between_resets(), self._reset_some)
        self.pauses = StrikeTimes(faults.pauses, Stream.of(seed, 0, "pauses of a network"))
        if faults.pauses:
            self._at(self.pauses.next, self._pause_some)
        if faults.timed_kills:
            self._at(self.timed_kills.next, self._kill_some)
        self.attendance = Attendance(onlooker, self.judge)

    def play(self, max_steps: int = MAX_STEPS, duration: float | None = None) -> RingNetResult:
        """Until nothing can happen any more, or so many actions were taken, or so many virtual seconds have passed."""
        end = MAX_TIME if duration is None else duration
        is_interrupted = False
        try:
            while self.now < end and self.judge.session.steps < max_steps and not self._is_over():
                self.now, _, happen = heappop(self.moments)
                happen()
                if self.attendance.is_due(self.now):
                    self._attend()
        except KeyboardInterrupt as error:
            require_interruption(error)
            is_interrupted = True
        self._attend(acts=False)
        counters = sum((p.counters() for p in self.processes if p is not None), self.gone)
        peak = max([self.peak, *(p.peak for p in self.processes if p is not None)])
        shown = {name: counters[name] for name in COUNTED}
        counts = {**shown, "most_held": peak} | ({"resets": self.resets} if self.faults.resets else {})
        strikes = self.timed_kills.not_done, self.pauses.not_done
        not_done = self.faults.not_done(self.now, *strikes, resets=self.resets)
        return result_of(self.judge, tuple(self.deaths), counts, self.now, MEMORY, is_interrupted, not_done)

    def _is_over(self) -> bool:
        if self.judge.difference or self.judge.is_aimless:
            return True
        if self.faults.restart == AMNESIA and any(process is None for process in self.processes):
            return False  # it will begin anew
        return not self.judge.can_act(frozenset(death.process for death in self.deaths if not death.restart))

    def _attend(self, acts: bool = True) -> None:
        """Whoever looks on is told."""
        running = [process.me for process in self.processes if process is not None]
        paused = [me for me in running if self.paused[me] > self.now]
        cut_off = self.faults.cut_off(self.now, self.n)
        for order in self.attendance.orders(self.now, self.deaths, running, paused, cut_off):
            if acts and order.agent in running and order.kind == KILL:
                self._die(order.agent)
            elif acts and order.agent in running:
                self.paused[order.agent] = max(self.paused[order.agent], self.now + order.seconds)

    # -- processes -----------------------------------------------------------------------------------------------

    def _begin(self, me: int) -> None:
        self.incarnations[me] += 1
        coins, memory = self.run.stream(f"coins:{me}"), None
        if self.incarnations[me] > 1:
            records = [record for line in self.logs[me] if (record := read_line(line)) is not None]
            memory = remembered(self.run, me, records, coins, self.faults.restart)
        process = RingProcess(
            self.run, me, self.incarnations[me], number=1, key=KEY, coins=coins, memory=memory, fresh=self._nonce
        )
        self.processes[me] = process
        process.start(self.now)
        for death in self.deaths:  # before it could be told
            if not death.restart:
                process.told_dead(death.process)
        self._carry_out(me)

    def _nonce(self) -> bytes:
        return self.nonces.next64().to_bytes(NONCE, "big")

    def _carry_out(self, me: int) -> None:
        """What the process wants, in its order; then its next timer."""
        process = self.processes[me]
        if process is None:
            return
        outputs = process.take_outputs()
        last = self._last_words(me, outputs)
        for output in outputs if last is None else last:
            match output:
                case Log(line):
                    self.logs[me].append(line)
                    self.judge.add(line)
                case Write(side, data):
                    self._write(me, side, data)
                case Dial(_):
                    self._dial(me)
                case Close(side, _):
                    self._break(self.connections.get(self._link(me, side)))
        if last is not None:
            self._die(me)
            return
        due = process.next_timer()
        if due is not None and due < self.wake[me]:
            self.wake[me] = due
            self._at(due - self.now, lambda: self._ring_timer(me, due))

    def _ring_timer(self, me: int, due: float) -> None:
        if self.wake[me] == due and not self._waits(me, lambda: self._ring_timer(me, due)):
            self.wake[me] = math.inf
            process = self.processes[me]
            if process is not None:
                process.timer(self.now)
                self._carry_out(me)

    def _last_words(self, me: int, outputs: list[Output]) -> list[Output] | None:
        """If the process dies of what it does now, what it still carries out; else None."""
        for place, output in enumerate(outputs):
            if not (isinstance(output, Log) and output.line.startswith(LINES_OF_ACTIONS)):
                continue
            self.actions[me] += 1
            kill = Kill(me, self.actions[me])
            if kill in self.kills:
                self.kills.remove(kill)
                end = place + self.stream.below(len(outputs) - place + 1)
                last: list[Output] = outputs[:end]
                if end == place:  # killed while it wrote this line
                    last.append(Log(output.line[: self.stream.below(len(output.line))]))
                return last
        return None

    def _kill_some(self) -> None:
        if 0 in self.incarnations:  # as over TCP: no fault is lost because its victim has not begun yet
            self._at(BEGINNING, self._kill_some)
            return
        running = [process.me for process in self.processes if process is not None]
        for victim in self.timed_kills.victims(self.now, running, self.judge.leaders):
            if self.processes[victim] is not None:
                self._die(victim)
        if self.timed_kills.next < math.inf:
            self._at(self.timed_kills.next - self.now, self._kill_some)

    def _pause_some(self) -> None:
        if 0 in self.incarnations:
            self._at(BEGINNING, self._pause_some)
            return
        running = [process.me for process in self.processes if process is not None]
        for pause, victim in self.pauses.due(self.now, running, self.judge.leaders):
            self.paused[victim] = max(self.paused[victim], self.now + pause.seconds)
        if self.pauses.next < math.inf:
            self._at(self.pauses.next - self.now, self._pause_some)

    def _die(self, me: int) -> None:
        process = self.processes[me]
        assert process is not None
        self.paused[me] = 0.0
        self.gone += process.counters()
        self.peak = max(self.peak, process.peak)
        self.processes[me], self.wake[me] = None, math.inf
        self.deaths.append(Death(me, self.incarnations[me], self.faults.restart))
        for side, other in ((RIGHT, LEFT), (LEFT, RIGHT)):
            connection = self.connections.pop(self._link(me, side), None)
            if connection is not None and self.stream.below(2):
                self._break(connection)
            elif connection is not None:  # what is under way from it still arrives, and then the end
                connection.pieces[side].clear()
                connection.latest[side] = math.inf
                self._put(connection, other, None)
        if self.faults.restart:
            self._at(self.faults.restart_delay * (1 + self._unit()), lambda: self._begin(me))
        else:
            self._at(self._delay(), lambda: self._tell_death(me))

    def _tell_death(self, dead: int) -> None:
        for neighbour in {(dead - 1) % self.n, (dead + 1) % self.n}:
            self._hears_of_death(neighbour, dead)

    def _hears_of_death(self, me: int, dead: int) -> None:
        process = self.processes[me]
        if process is not None and not self._waits(me, lambda: self._hears_of_death(me, dead)):
            process.told_dead(dead)
            self._carry_out(me)


def play_in_memory(
    run: RingRun, faults: Faults | None = None, seed: int = 0, max_steps: int = MAX_STEPS
) -> RingNetResult:
    """One run in virtual time, judged."""
    return World(run, faults or Faults(), seed).play(max_steps)
