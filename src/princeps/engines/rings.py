"""Ring algorithms at full speed: the compiled engine, the choice of an engine, and the result of a run."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from princeps.engines.ring_reference import Network
from princeps.errors import TooLarge
from princeps.model.ring_algorithm import LABEL, NUMBER, WORD, Local, Sent
from princeps.model.ring_run import RingResult, RingRun
from princeps.model.specification import DEADLOCK, SECOND, Ending, Violation, violation
from princeps.model.trace import Event

SLICE = 1 << 24  # actions between two looks at the keyboard
FEW_MESSAGES = 5_000  # plain Python is done with so many before compiled code is loaded
LARGEST = (1 << 63) - 1

Observer = Callable[[Any], None]


def simulate_ring(run: RingRun, observer: Observer | None = None) -> RingResult:
    """Run until nothing can happen any more; an observer is shown the engine from time to time."""
    engine, why = _choose(run)
    begun = time.perf_counter()
    if engine == "compiled":
        found = _compiled(run, observer, begun, why)
        if found is not None:
            return found
        why = "a string departs from the labels on the left of its process"
    return _finish(run, Network(run), "reference", why, begun, observer)


def trace_ring(run: RingRun, watch: Callable[[Event], None]) -> RingResult:
    """The same run in plain Python, every event shown to `watch`."""
    return _finish(run, Network(run), "reference", "every event is shown", time.perf_counter(), None, watch)


def _choose(run: RingRun) -> tuple[str, str]:
    if run.engine != "auto":
        return run.engine, "asked for"
    if run.schedule.kind == "order":
        return "reference", "a given order"
    promised = run.algorithm.promised(run.ring).get("messages", run.ring.n**2)
    if promised <= FEW_MESSAGES:
        return "reference", "few messages"
    return "compiled", "many messages"


def _finish(
    run: RingRun,
    network: Network,
    engine: str,
    why: str,
    begun: float,
    observer: Observer | None,
    watch: Callable[[Event], None] | None = None,
) -> RingResult:
    limited = interrupted = False
    events = network.events()
    try:
        while run.max_steps is None or network.steps < run.max_steps:
            event = next(events, None)
            if event is None:
                break
            if watch is not None:
                watch(event)
            if observer is not None and event.step % 10_000 == 0:
                observer(network)
        else:
            limited = network.under_way > 0 or network.unstarted > 0
    except KeyboardInterrupt:
        interrupted = True
    return _result(run, network, engine, why, begun, limited, interrupted)


def _result(
    run: RingRun, end: Network | Compiled, engine: str, why: str, begun: float, limited: bool, interrupted: bool
) -> RingResult:
    ending = end.ending()
    broken = tuple(end.violations.values())
    if not (limited or interrupted):
        broken += tuple(ending.violations(end.now))
    return RingResult(
        protocol=run.algorithm.name,
        params=run.algorithm.params,
        ring=run.ring,
        schedule=run.schedule.text,
        seed=run.seed,
        trial=run.trial,
        engine=engine,
        why=why,
        converged=not (broken or limited or interrupted),
        leader=ending.leaders[0] if len(ending.leaders) == 1 else None,
        leaders=len(ending.leaders),
        time=end.now,
        steps=end.steps,
        messages=end.messages,
        kinds=end.kinds,
        max_bits=end.max_bits(),
        bounds=run.algorithm.promised(run.ring),
        violations=broken,
        seconds=time.perf_counter() - begun,
        limited=limited,
        interrupted=interrupted,
        command=run.command(),
    )


def _compiled(run: RingRun, observer: Observer | None, begun: float, why: str) -> RingResult | None:
    """None: a string is not what the compiled engine can hold."""
    from princeps.lowering.ring_codegen import OTHER_LETTER

    engine = Compiled(run)
    limited = interrupted = False
    try:
        while not engine.over:
            room = SLICE if run.max_steps is None else min(SLICE, run.max_steps - engine.steps)
            if room <= 0:
                limited = engine.under_way > 0 or engine.unstarted > 0
                break
            if engine.advance(room) == OTHER_LETTER:
                return None
            if observer is not None:
                observer(engine)
    except KeyboardInterrupt:
        interrupted = True
    return _result(run, engine, "compiled", why, begun, limited, interrupted)


class Compiled:
    """The arrays of one run. A process is a row of numbers, a label its rank, a message a node of the pool."""

    phase = "electing"  # for the progress bar

    def __init__(self, run: RingRun) -> None:
        import numpy as np

        from princeps.lowering import ring_codegen as code
        from princeps.lowering.ring_words import label_tables
        from princeps.model.randomness import seed_words

        self.code, self.np = code, np
        self.run, self.algorithm, self.ring = run, run.algorithm, run.ring
        self.kernel, self.writer = code.ring_kernel(self.algorithm)
        n, sides = self.ring.n, 2 if self.algorithm.bidirectional else 1
        constants = self.algorithm.constants.as_dict()
        large = next((name for name, value in constants.items() if abs(value) > LARGEST), None)
        if large is not None:
            raise TooLarge(f"{large} = {constants[large]} exceeds 2^63 - 1: use --engine reference.")
        self.constants = np.array([constants[name] for name in self.writer.constant_names], dtype=np.int64)
        tops = [self.algorithm.tops[name] for name in self.algorithm.variables_]
        self.tops = np.array([LARGEST if top is None else top for top in tops], dtype=np.int64)
        self.labels = np.array(self.ring.ranks, dtype=np.int64)
        self.first, self.places = label_tables(self.labels)
        self.rows = np.zeros((n, self.writer.width), dtype=np.int64)
        for column, value in enumerate(self._initial_row()):
            self.rows[:, column] = value
        self.control = np.zeros(len(code.CONTROL), dtype=np.int64)
        self._set(unstarted=n, first_leader=-1)
        self.mode = {"random": code.UNIFORM, "adversarial": code.NEWEST_FIRST}.get(run.schedule.kind, code.IN_ORDER)
        slow = run.schedule.slow_ports(n)
        self.slow = (slow[0], slow[1] if sides == 2 else -1) if slow else (-1, -1)
        self.pool = np.zeros((0, code.VALUES + self.writer.most_values), dtype=np.int64)
        self.free = np.zeros(0, dtype=np.int64)
        self.queue, self.slow_queue = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
        self._grow(1 << max(4, (2 * n).bit_length()))
        self.ports = np.full((sides * n, 3), -1, dtype=np.int64)
        self.ports[:, code.DEAD] = 0
        uniform = self.mode == code.UNIFORM
        self.ready = np.zeros(sides * n if uniform else 1, dtype=np.int64)
        self.place_of = np.full(sides * n if uniform else 1, -1, dtype=np.int64)
        if uniform:
            self.ready[:n] = self.place_of[:n] = np.arange(n)
            self._set(ready_count=n)
        words = [seed_words(run.seed, run.trial, f"coins:{i}") for i in range(n if self.writer.tosses else 1)]
        self.coins = np.array(words, dtype=np.uint64)
        self.rng = np.array(seed_words(run.seed, run.trial, "schedule"), dtype=np.uint64)
        self.counters = [name for name in self.algorithm.growing if self.algorithm.variables_[name].kind == NUMBER]
        self.peaks = np.zeros((n, max(1, len(self.counters))), dtype=np.int64)
        self.box = np.zeros((max(1, self.writer.sends), 2 + self.writer.most_values), dtype=np.int64)
        self.broken = np.zeros((7, 6), dtype=np.int64)
        self.stuck = np.zeros((1, self.writer.width), dtype=np.int64)  # the process of the first deadlock, as it was
        self.unset = np.zeros(1, dtype=np.int64)
        self.sent = np.zeros(max(1, len(self.algorithm.messages_)), dtype=np.int64)
        self.over = False

    def _initial_row(self) -> list[int]:
        row: list[int] = []
        for variable in self.algorithm.variables_.values():
            if variable.kind == WORD:
                from princeps.lowering.ring_words import COLUMNS

                row += [0] * len(COLUMNS)
            else:
                row.append(-1 if variable.kind == LABEL else variable.initial)
        return row

    def _set(self, **values: int) -> None:
        for name, value in values.items():
            self.control[self.code.CONTROL.index(name)] = value

    def _get(self, name: str) -> int:
        return int(self.control[self.code.CONTROL.index(name)])

    def _grow(self, size: int) -> None:
        """More room for messages under way; those that are there keep their nodes."""
        np, old = self.np, len(self.pool)
        self.pool = np.concatenate([self.pool, np.zeros((size - old, self.pool.shape[1]), dtype=np.int64)])
        top = self._get("free_top")
        free = np.zeros(size, dtype=np.int64)
        free[:top] = self.free[:top]
        free[top : top + size - old] = np.arange(size - 1, old - 1, -1)
        self.free = free
        self._set(free_top=top + size - old)
        for name, head in (("queue", "queue_head"), ("slow_queue", "slow_head")):
            bigger = np.zeros(size, dtype=np.int64)
            ring = getattr(self, name)
            bigger[: len(ring)] = np.roll(ring, -self._get(head))  # a stack has head 0
            self._set(**{head: 0})
            setattr(self, name, bigger)

    def advance(self, budget: int) -> int:
        code = self.code
        goal = self.steps + budget
        while True:
            status = self.kernel(
                *(self.rows, self.labels, self.first, self.places, self.constants, self.tops, self.control, self.mode),
                *(*self.slow, self.pool, self.free, self.ports, self.queue, self.slow_queue),
                *(self.ready, self.place_of, self.coins, self.rng, self.peaks, self.box, self.broken),
                *(self.stuck, self.unset, self.sent, goal - self.steps),
            )
            if status != code.NO_ROOM:
                break
            self._grow(2 * len(self.pool))
        self.over = status == code.OVER
        if status == code.OUTSIDE_DOMAIN:
            raise self.algorithm.mistake(
                "an action leaves the domain of a variable: --engine reference names it, with its line."
            )
        if status == code.NOT_SET:
            raise self.algorithm.mistake(
                "an action reads a label before it has a value: --engine reference names it, with its line."
            )
        if status == code.CANNOT_START:
            raise self.algorithm.mistake("the start action is not enabled at the start.")
        return int(status)

    # -- what the result needs -----------------------------------------------------------------------------------

    @property
    def now(self) -> int:
        return self._get("now")

    @property
    def steps(self) -> int:
        return self._get("steps")

    @property
    def messages(self) -> int:
        return self._get("messages")

    @property
    def under_way(self) -> int:
        return self._get("under_way")

    @property
    def unstarted(self) -> int:
        return self._get("unstarted")

    @property
    def kinds(self) -> dict[str, int]:
        counts = {message.name: 0 for message in self.algorithm.messages_}
        for message, count in zip(self.algorithm.messages_, self.sent.tolist(), strict=False):
            counts[message.name] += count
        return counts

    def _column(self, name: str, rows: Any = None) -> Any:
        return (self.rows if rows is None else rows)[:, self.writer.columns.index(f"me_{name}")]

    def _stuck_local(self, process: int) -> Local:
        """The process of the first deadlock as the plain engine would hold it."""
        values: list[Any] = []
        for name, variable in self.algorithm.variables_.items():
            if variable.kind == WORD:
                from princeps.model.words import Word

                length = int(self._column(f"{name}_length", self.stuck)[0])
                boxed = self.ring.boxed
                values.append(Word(tuple(boxed[(process - t) % self.ring.n] for t in range(length))))
            else:
                values.append(self._value(variable.kind, int(self._column(name, self.stuck)[0])))
        return Local(tuple(values), bool(self.stuck[0, -3]), bool(self.stuck[0, -2]))

    def _value(self, kind: str, number: int) -> Any:
        if kind == NUMBER:
            return number
        return None if number < 0 else self.ring.boxed[self.ring.ranks.index(number)]

    @property
    def violations(self) -> dict[int, Violation]:
        found: dict[int, Violation] = {}
        noted = [(steps, rule, rest) for rule, (count, steps, *rest) in enumerate(self.broken.tolist()) if count]
        for _, rule, (process, act, now, node) in sorted(noted):  # in the order in which they were first broken
            detail = ""
            if rule == SECOND:
                detail = f" beside process {self._get('first_leader')}"
            elif rule == DEADLOCK:
                detail = self._stuck(process, node)
            action = self.algorithm.actions[act].name if act >= 0 else ""
            found[rule] = violation(rule, process, action, now, detail)
        return found

    def _stuck(self, process: int, node: int) -> str:
        message = self.algorithm.messages_[int(self.pool[node, self.code.KIND])]
        values = [self._value(kind, int(self.pool[node, self.code.VALUES + k])) for k, kind in enumerate(message.kinds)]
        return self.algorithm.stuck(Sent("", message, tuple(values)), self._stuck_local(process))

    def ending(self) -> Ending:
        np = self.np
        leads = np.flatnonzero(self._column("isLeader"))
        misled = leads[:0]
        if len(leads) == 1:
            misled = np.flatnonzero(self._column("leader") != self.labels[leads[0]])
        undelivered = int(len(self.pool) - self._get("free_top"))
        return Ending(
            leaders=tuple(leads.tolist()),
            not_done=tuple(np.flatnonzero(self._column("done") == 0).tolist()),
            not_halted=tuple(np.flatnonzero(self.rows[:, -2] == 0).tolist()),
            misled=tuple(misled.tolist()),
            undelivered=undelivered,
            true_leader=self.ring.true_leader if self.algorithm.elects_true_leader else None,
        )

    def max_bits(self) -> int:
        """Peaks of one process add up to its bits; the largest is the ring's."""
        peaks = {name: self.peaks[:, k] for k, name in enumerate(self.counters)}
        for name in self.algorithm.growing:
            if name not in peaks:
                peaks[name] = self._column(f"{name}_length")
        if not peaks:
            return self.algorithm.bits(self.ring.label_bits, {})
        rows = self.np.unique(self.np.stack(list(peaks.values()), axis=1), axis=0)
        return max(
            self.algorithm.bits(self.ring.label_bits, dict(zip(peaks, row, strict=True))) for row in rows.tolist()
        )
