"""A population whose level is followed: it settles on one leader, climbs to a level, falls back, or loses its leader."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from princeps.errors import RunError
from princeps.lowering import chance
from princeps.lowering.kernels import kernels_of
from princeps.lowering.level_code import level_source
from princeps.lowering.level_status import AT_LEADERS, AT_LOST, AT_STEPS, CURSOR_LENGTH, FAILED, LOST
from princeps.lowering.memory import remembered
from princeps.model.losses import CREATED, FALLEN, KINDS, MOVED, Largest, Level, Mean, SoftMin, Spent
from princeps.model.randomness import seed_words
from princeps.model.run import Run
from princeps.model.starts import starting_states
from princeps.model.topology import COMPLETE, DIRECTED_RING, UNDIRECTED_RING

BLOCK = 512  # pairs drawn ahead
STRETCH = 1 << 22  # steps in one call of a kernel, so that Ctrl-C is heard
PORTION = 64  # copies in one call
MAX_SETTLING = 10**11  # steps until one agent leads
SCALE = 1 << 36  # of the whole numbers that stand for base^value: their sum over 10^6 agents fits into 64 bits
USUAL_BASE = 0.8
SMALLEST_WEIGHT = 24.0  # -log of the smallest base^value that differs well from 0
MAX_LOSSES = 50  # before the start is forgotten
MIXING = 8  # n times the longest count-down times this: steps in which a population forgets its start


class NotRare(RunError):
    """The leader is lost again and again, or nobody is ever the only one."""


class Climber:
    """One stream of random numbers, one level function. Nothing here knows of levels that are to be reached."""

    def __init__(self, run: Run, level: Level, stream: str, number: int) -> None:
        self.run, self.level = run, level
        kernels = kernels_of(run.protocol)
        self.kernels = kernels
        known = remembered(type(run.protocol), "level kernels")
        key = (kernels.layout.key, kernels.writer.parameter, level)
        if key not in known:
            known.keep(key, kernels._load(level_source(kernels.writer, level)))
        self.module: Any = known[key]
        self.rng = np.array(seed_words(run.seed, number, stream), dtype=np.uint64)
        self.agents = kernels.pack(starting_states(run))
        self.cursor = np.zeros(CURSOR_LENGTH, np.int64)
        self.tables, weights = tables_of(run, level)
        self.hist = np.zeros(self.tables.shape, np.int64)
        self.out = np.concatenate([[0.0, 0.0], weights])
        topology = run.topology
        kinds = {
            COMPLETE: chance.COMPLETE,
            DIRECTED_RING: chance.DIRECTED_RING,
            UNDIRECTED_RING: chance.UNDIRECTED_RING,
        }
        empty = np.zeros(0, np.uint32)
        self.sources = np.frombuffer(topology.sources, np.uint32) if topology.sources else empty
        self.targets = np.frombuffer(topology.targets, np.uint32) if topology.targets else empty
        self.kind = kinds.get(topology.kind, chance.ARCS)
        self.left, self.right = np.zeros(BLOCK, np.uint32), np.zeros(BLOCK, np.uint32)

    @property
    def world(self) -> tuple[Any, ...]:
        return (
            *(self.agents, self.kernels.constants, self.kernels.tops, self.kind, self.run.n),
            *(self.sources, self.targets, self.rng, self.left, self.right, self.cursor),
        )

    @property
    def steps(self) -> int:
        return int(self.cursor[AT_STEPS])

    @property
    def lost_as(self) -> str:
        """After a loss: its kind."""
        leaders = int(self.cursor[AT_LEADERS])
        return CREATED if leaders > 1 else FALLEN if leaders == 0 else MOVED

    def settle(self) -> None:
        """Run until exactly one agent leads, and then until the start is forgotten, without a loss on the way."""
        warm = MIXING * self.run.n * longest_count(self.run)
        for _ in range(MAX_LOSSES):
            if not self.elects(MAX_SETTLING):
                raise NotRare(f"no unique leader within {MAX_SETTLING:,} steps: choose another start, with --start.")
            if self.climb(-inf, inf, warm) != LOST:
                return
        raise NotRare(
            f"the leader was lost {MAX_LOSSES} times within {warm:,} steps of its election, which is no rare event: "
            f"measure it with princeps run --hold."
        )

    def elects(self, limit: int) -> bool:
        """Run until exactly one agent leads; False if that takes more steps than the limit."""
        begun = self.steps
        while True:
            self._check(self.module.settle(*self.world, STRETCH))
            if int(self.cursor[AT_LEADERS]) == 1:
                return True
            if self.steps - begun > limit:
                return False

    def climb(self, floor: float, goal: float, budget: int | None = None) -> int:
        """Until the goal or the floor is reached or the leader is lost, or for so many steps: why it ended."""
        left = budget
        peak = -inf
        while True:
            stretch = STRETCH if left is None else min(left, STRETCH)
            status = int(self.module.climb(*self.world, self.tables, self.hist, floor, goal, stretch, self.out))
            self._check(status)
            peak = max(peak, float(self.out[1]))
            self.out[1] = peak
            if left is not None:
                left -= stretch
            if status != 0 or left == 0:
                return status

    @property
    def value(self) -> float:
        return float(self.out[0])

    @property
    def peak(self) -> float:
        return float(self.out[1])

    def stage(
        self, entrances: Any, trials: int, floor: float, goal: float, kind: str, room: int
    ) -> tuple[Any, int, Any]:
        """Copies of stored configurations: those that reached the goal, how many lost the leader, and their peaks."""
        kept = np.empty((room, *self.agents.shape), self.agents.dtype)
        peaks = np.empty(trials)
        stored = lost = 0
        for first in range(0, trials, PORTION):
            number = min(PORTION, trials - first)
            self.cursor[AT_LOST] = 0
            more, fell = self.module.stage(
                *(*self.world, self.tables, self.hist, entrances, len(entrances), number, floor, goal),
                *(KINDS.index(kind), self.out, kept[stored:], peaks[first : first + number], room - stored),
            )
            if more < 0:
                self._check(FAILED)
            stored, lost = stored + int(more), lost + int(fell)
        return kept[:stored], lost, peaks

    def _check(self, status: int) -> None:
        if status == FAILED:
            place = int(self.cursor[0])
            i, j = int(self.left[place]), int(self.right[place])
            unpack = self.kernels.unpack
            self.kernels.explain(unpack(self.agents, i), unpack(self.agents, j), [])


def longest_count(run: Run) -> int:
    """The largest value that a bounded field can have: about how long anything is counted down."""
    sizes = [size for name, size in run.protocol.fields.items() if size and name != run.protocol.input_field]
    return max(sizes, default=2)


def tables_of(run: Run, level: Level) -> tuple[Any, Any]:
    """What each value of an agent adds to each aggregate, as whole numbers; and the weights of the aggregates."""
    longest = sum(size for size in run.protocol.fields.values() if size)
    tables, weights = np.zeros((len(level.terms), longest + 1), np.int64), np.ones(len(level.terms))
    values = np.arange(longest + 1)
    for k, term in enumerate(level.terms):
        tables[k], weights[k] = values, term.weight
        if isinstance(term, SoftMin):
            base = term.base or max(USUAL_BASE, float(np.exp(-SMALLEST_WEIGHT / longest_count(run))))
            tables[k] = np.rint(SCALE * base**values)
            weights[k] = term.weight / SCALE
        elif isinstance(term, Spent):
            top = max(1, min(int(term.top(run.protocol.constants)), longest))
            scale = min(float(top) ** term.power, 2.0**61 / run.n)  # the sum over all agents fits into 64 bits
            tables[k] = np.rint(scale * (np.maximum(top - values, 0) / top) ** term.power)
        elif isinstance(term, Mean):
            weights[k] = term.weight / run.n
        elif isinstance(term, Largest):
            tables[k] = 0
    return tables, weights
