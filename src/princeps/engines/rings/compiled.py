"""Ring algorithms at full speed: the arrays under the compiled kernel (lowering/rings/codegen.py)."""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.engines.rings.execution import ActionFailed, CannotHold, EngineObserver, Execution
from princeps.errors import TooLarge
from princeps.lowering.rings import kernel_text as code
from princeps.lowering.rings.codegen import ring_kernel
from princeps.lowering.rings.language import column
from princeps.lowering.rings.words import COLUMNS, label_tables
from princeps.lowering.status import RULE_ERRORS, Status
from princeps.model.fields import constants_of
from princeps.model.randomness import seed_words
from princeps.model.rings.algorithm import NUMBER, WORD, Local, Sent
from princeps.model.rings.run import RingRun
from princeps.model.rings.scheduler import DeliveryOrder
from princeps.model.rings.specification import DEADLOCK, SECOND_LEADER, SENTENCES, Ending, Violation, violation
from princeps.model.rings.words import Word

LARGEST = (1 << 63) - 1
SLICE = 1 << 24  # actions between two looks at the keyboard
DELIVERY_MODES = {
    DeliveryOrder.OLDEST_FIRST: code.IN_ORDER,
    DeliveryOrder.NEWEST_FIRST: code.NEWEST_FIRST,
    DeliveryOrder.UNIFORM: code.UNIFORM,
}


def numbers(*shape: int) -> Any:
    return np.zeros(shape, dtype=np.int64)


class Compiled:
    """The arrays of one run. A process is a row of numbers, a label its rank, a message a node of the pool."""

    phase, unit = "electing", "actions"  # for the progress bar

    def __init__(self, run: RingRun) -> None:
        self.run, self.algorithm, self.ring = run, run.algorithm, run.ring
        self.kernel, self.writer = ring_kernel(self.algorithm)
        self.control = numbers(len(code.CONTROL))
        self.over = False
        self._lay_out_processes()
        self._lay_out_links()
        self._lay_out_schedule()
        self._lay_out_notes()

    def _lay_out_processes(self) -> None:
        constants = constants_of(self.algorithm.constants)
        large = next((name for name, value in constants.items() if abs(value) > LARGEST), None)
        if large is not None:
            raise TooLarge(f"{large} = {constants[large]} exceeds 2^63 - 1, more than any run can see: lower it.")
        self.constants = np.array([constants[name] for name in self.writer.constant_names], dtype=np.int64)
        for name, variable in self.algorithm.variables_.items():
            ends = variable.low, self.algorithm.tops[name] or 0
            if variable.kind == NUMBER and max(map(abs, ends)) > LARGEST:
                raise CannotHold(f"{name} may exceed 2^63 - 1")
        tops = [self.algorithm.tops[name] for name in self.algorithm.variables_]
        self.tops = np.array([LARGEST if top is None else top for top in tops], dtype=np.int64)
        self.labels = np.array(self.ring.ranks, dtype=np.int64)
        self.first, self.positions = label_tables(self.labels)
        self.rows = numbers(self.ring.n, self.writer.width)
        for place, value in enumerate(self._initial_row()):
            self.rows[:, place] = value
        self._set(unstarted=self.ring.n, first_leader=-1)

    def _lay_out_links(self) -> None:
        n, sides = self.ring.n, 2 if self.algorithm.bidirectional else 1
        self.ports = np.full((sides * n, 3), -1, dtype=np.int64)
        self.ports[:, code.DEAD] = 0
        self.pool, self.free = numbers(0, code.VALUES + self.writer.max_values), numbers(0)
        self.queue, self.slow_queue = numbers(1), numbers(1)
        self._grow(1 << max(4, (2 * n).bit_length()))
        self.outbox = numbers(max(1, self.writer.sends), code.SENT_VALUES + self.writer.max_values)

    def _lay_out_schedule(self) -> None:
        n, run, ports = self.ring.n, self.run, len(self.ports)
        assert run.scheduler.delivery_order is not None  # refused in registry.py
        self.mode = DELIVERY_MODES[run.scheduler.delivery_order]
        slow = run.scheduler.slow_ports(n)
        self.slow = (slow[0], slow[1] if ports > n else -1) if slow else (-1, -1)
        uniform = self.mode == code.UNIFORM
        self.ready = numbers(ports if uniform else 1)
        self.ready_index = np.full(ports if uniform else 1, -1, dtype=np.int64)
        if uniform:
            self.ready[:n] = self.ready_index[:n] = np.arange(n)
            self._set(ready_count=n)
        self.rng = np.array(seed_words(run.seed, run.trial, "schedule"), dtype=np.uint64)
        words = [seed_words(run.seed, run.trial, f"coins:{i}") for i in range(n if self.writer.tosses else 1)]
        self.coins = np.array(words, dtype=np.uint64)

    def _lay_out_notes(self) -> None:
        """What the result needs."""
        self.counters = [name for name in self.algorithm.growing if self.algorithm.variables_[name].kind == NUMBER]
        self.peaks = numbers(self.ring.n, max(1, len(self.counters)))
        self.broken = numbers(len(SENTENCES), code.BROKEN_COLUMNS)
        self.stuck = numbers(1, self.writer.width)  # the process of the first deadlock, as it was
        self.unset = numbers(1)
        self.sent = numbers(max(1, len(self.algorithm.messages_)))

    def _initial_row(self) -> list[int]:
        row: list[int] = []
        for variable in self.algorithm.variables_.values():
            if variable.kind == WORD:
                row += [0] * len(COLUMNS)
            else:
                row.append(
                    variable.initial if isinstance(variable.initial, int) else -1
                )  # -1: a label, which has none yet
        return row

    def _set(self, **values: int) -> None:
        for name, value in values.items():
            self.control[code.CONTROL.index(name)] = value

    def _get(self, name: str) -> int:
        return int(self.control[code.CONTROL.index(name)])

    def _grow(self, size: int) -> None:
        """More room for messages under way; those that are there keep their nodes."""
        old = len(self.pool)
        self.pool = np.concatenate([self.pool, numbers(size - old, self.pool.shape[1])])
        top = self._get("free_top")
        free = numbers(size)
        free[:top] = self.free[:top]
        free[top : top + size - old] = np.arange(size - 1, old - 1, -1)
        self.free = free
        self._set(free_top=top + size - old)
        for name, head in (("queue", "queue_head"), ("slow_queue", "slow_head")):
            bigger = numbers(size)
            ring = getattr(self, name)
            bigger[: len(ring)] = np.roll(ring, -self._get(head))  # a stack has head 0
            self._set(**{head: 0})
            setattr(self, name, bigger)

    def advance(self, budget: int) -> Status:
        goal = self.steps + budget
        while True:
            try:
                status = self.kernel(
                    *(
                        self.rows,
                        self.labels,
                        self.first,
                        self.positions,
                        self.constants,
                        self.tops,
                        self.control,
                        self.mode,
                    ),
                    *(*self.slow, self.pool, self.free, self.ports, self.queue, self.slow_queue),
                    *(self.ready, self.ready_index, self.coins, self.rng, self.peaks, self.outbox, self.broken),
                    *(self.stuck, self.unset, self.sent, goal - self.steps),
                )
            except RULE_ERRORS:
                raise self._failed(
                    "an action divides by zero, or a number exceeds 2^63 - 1: --engine reference tells which, with its line."
                ) from None
            if status != Status.MESSAGES_FULL:
                break
            self._grow(2 * len(self.pool))
        self.over = status == Status.SILENT
        if status == Status.OUTSIDE_DOMAIN:
            raise self._failed("an action leaves the domain of a variable: --engine reference names it, with its line.")
        if status == Status.NOT_SET:
            raise self._failed(
                "an action reads a label before it has a value: --engine reference names it, with its line."
            )
        if status == Status.CANNOT_START:
            raise self._failed("the start action is not enabled at the start.")
        return Status(status)

    def _failed(self, sentence: str) -> ActionFailed:
        return ActionFailed(self.algorithm.mistake(sentence))

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

    def _column(self, name: str, rows: Any = None, part: str | None = None) -> Any:
        return (self.rows if rows is None else rows)[:, self.writer.columns.index(column(name, part))]

    def _stuck_local(self, process: int) -> Local:
        """The process of the first deadlock as the plain engine would hold it."""
        values: list[Any] = []
        for name, variable in self.algorithm.variables_.items():
            if variable.kind == WORD:
                length = int(self._column(name, self.stuck, "length")[0])
                boxed = self.ring.boxed
                values.append(Word(tuple(boxed[(process - t) % self.ring.n] for t in range(length))))
            else:
                values.append(self._value(variable.kind, int(self._column(name, self.stuck)[0])))
        return Local(tuple(values), bool(self.stuck[0, code.STARTED]), bool(self.stuck[0, code.HALTED]))

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
            if rule == SECOND_LEADER:
                detail = f" beside process {self._get('first_leader')}"
            elif rule == DEADLOCK:
                detail = self._stuck(process, node)
            action = self.algorithm.actions[act].name if act >= 0 else ""
            found[rule] = violation(rule, process, action, now, detail)
        return found

    def _stuck(self, process: int, node: int) -> str:
        message = self.algorithm.messages_[int(self.pool[node, code.KIND])]
        values = [self._value(kind, int(self.pool[node, code.VALUES + k])) for k, kind in enumerate(message.kinds)]
        return self.algorithm.stuck(Sent("", message, tuple(values)), self._stuck_local(process))

    def measures(self) -> list[tuple[str, float]]:
        """What a progress bar shows."""
        return [("{} messages", self.messages), ("time {}", self.now)]

    def ending(self) -> Ending:
        leads = np.flatnonzero(self._column("isLeader"))
        misled = leads[:0]
        if len(leads) == 1:
            misled = np.flatnonzero(self._column("leader") != self.labels[leads[0]])
        undelivered = int(len(self.pool) - self._get("free_top"))
        return Ending(
            leaders=tuple(leads.tolist()),
            not_done=tuple(np.flatnonzero(self._column("done") == 0).tolist()),
            not_halted=tuple(np.flatnonzero(self.rows[:, code.HALTED] == 0).tolist()),
            misled=tuple(misled.tolist()),
            undelivered=undelivered,
            true_leader=self.ring.true_leader if self.algorithm.elects_true_leader else None,
        )

    def max_bits(self) -> int:
        """Peaks of one process add up to its bits; the largest is the ring's."""
        peaks = {name: self.peaks[:, k] for k, name in enumerate(self.counters)}
        for name in self.algorithm.growing:
            if name not in peaks:
                peaks[name] = self._column(name, part="length")
        if not peaks:
            return self.algorithm.bits(self.ring.label_bits, {})
        rows = np.unique(np.stack(list(peaks.values()), axis=1), axis=0)
        return max(
            self.algorithm.bits(self.ring.label_bits, dict(zip(peaks, row, strict=True))) for row in rows.tolist()
        )


def execute(run: RingRun, observer: EngineObserver | None = None) -> Execution:
    """The run to its end; CannotHold where a string is not what the compiled engine can hold."""
    engine = Compiled(run)
    limited = interrupted = False
    try:
        while not engine.over:
            room = SLICE if run.max_steps is None else min(SLICE, run.max_steps - engine.steps)
            if room <= 0:
                limited = engine.under_way > 0 or engine.unstarted > 0
                break
            if engine.advance(room) is Status.OTHER_LETTER:
                raise CannotHold("a string departs from the labels on the left of its process")
            if observer is not None:
                observer(engine)
    except KeyboardInterrupt:
        interrupted = True
    return Execution(engine, limited, interrupted)
