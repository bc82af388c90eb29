"""The steps at which somebody looks at the whole configuration: snapshots, and how many agents are in each state.

Looking changes nothing: with the same seed a run is the same whether it is looked at or not, on every engine
(`Population.advance_showing`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

from princeps.engines.population import Stop, StopCondition
from princeps.model import machine
from princeps.model.limits import SAMPLES, refuse_beyond_memory
from princeps.model.numbers import bytes_in_words
from princeps.model.snapshots import Snapshot, Snapshots
from princeps.model.state_history import ENTRY_BYTES, StateHistory
from princeps.model.state_names import names_of

if TYPE_CHECKING:
    from princeps.engines.population import Population
    from princeps.model.run import Run

LARGEST_PART = 0.5  # of the free memory, that a history may take
MAX_ASKED = 10_000  # states that are asked whether they lead
LOOK_AT_MEMORY = 1 << 16  # entries between two looks


class Moments:
    """What is kept of one run, and when."""

    def __init__(self, run: Run, population: Population) -> None:
        self.run, self.population = run, population
        names = names_of(run.protocol.space)
        self.steps = run.snapshots
        self.snapshots: dict[int, Snapshot] = {}
        self.history = StateHistory(names, run.n) if run.record_states else None
        self.spacing = Fraction(str(run.every)) * run.n if run.record_states else Fraction(1)
        self.names = names
        self.is_full = False
        self.looked_at = 0
        self.next_sample = 0
        if self.steps and population.numbers_agents:
            self._refuse_too_many()

    # -- when ---------------------------------------------------------------------------------------------------

    def next_after(self, now: int) -> int | None:
        """The next step after this one that somebody wants to see."""
        place = bisect_right(self.steps, now)
        snapshot = self.steps[place] if place < len(self.steps) else None
        if self.history is None:
            return snapshot
        sample = ceil((now // self.spacing + 1) * self.spacing)
        return sample if snapshot is None else min(sample, snapshot)

    def advance(self, budget: int, stop_at: StopCondition) -> Stop:
        """The population, with a look at it where one is due."""
        if self.next_after(self.population.steps) is None:
            return self.population.advance(budget, stop_at)
        return self.population.advance_showing(budget, stop_at, self.next_after, self.see)

    # -- what ---------------------------------------------------------------------------------------------------

    def see(self, step: int, last: bool = False) -> None:
        """The configuration of this step, which the population is in; `last` if the run is over."""
        at = bisect_left(self.steps, step)
        if at < len(self.steps) and self.steps[at] == step and (last or step not in self.snapshots):
            self.snapshots[step] = self._snapshot(step)
        if self.history is None or (self.history.steps and self.history.steps[-1] >= step):
            return
        if step >= self.next_sample or last:
            self.history.add(step, self.population.tally())
            self.next_sample = ceil((step // self.spacing + 1) * self.spacing)
            self._look_at_memory()

    def _snapshot(self, step: int) -> Snapshot:
        population = self.population
        fields = _narrow(population, self.run) if population.numbers_agents else None
        tally = tuple(sorted(population.tally()))
        leads = self.run.protocol.leads
        leading = frozenset(state for state, _ in tally if leads(state)) if len(tally) <= MAX_ASKED else frozenset()
        return Snapshot(step, self.run.n, self.names, tally, fields, leading)

    # -- the end ------------------------------------------------------------------------------------------------

    def go_back(self, population: Population, end: int) -> None:
        """What is later than the end of the run is forgotten; from now on this population is looked at."""
        self.population = population
        self.snapshots = {step: kept for step, kept in self.snapshots.items() if step <= end}
        if self.history is not None:
            self.history.drop_after(end)

    def kept_snapshots(self) -> Snapshots | None:
        if not self.run.snapshots:
            return None
        found = [self.snapshots[step] for step in self.steps if step in self.snapshots]
        return Snapshots(found, [step for step in self.steps if step not in self.snapshots])

    def history_in_words(self) -> str:
        assert self.history is not None
        return f"{len(self.history):,} moments and {bytes_in_words(self.history.bytes_held)}"

    # -- memory -------------------------------------------------------------------------------------------------

    def _refuse_too_many(self) -> None:
        run = self.run
        count, each = snapshot_sizes(run)
        refuse_beyond_memory(
            count * run.n * each,
            f"{count:,} snapshots of n = {run.n:,} agents ({each} bytes an agent)",
            "take fewer, or count the states instead with --record states.",
        )

    def _look_at_memory(self) -> None:
        """Before the first moments fill the memory, if it is known how many there will be; else now and then."""
        assert self.history is not None
        history = self.history
        if len(history) == 1 and self.run.max_steps is not None and history.entries > 1:
            moments = min(int(self.run.max_steps / self.spacing) + 1, SAMPLES)
            refuse_beyond_memory(
                ENTRY_BYTES * history.entries * moments,
                f"a record of {history.entries:,} states at up to {moments:,} moments",
                "give a larger --every, or a smaller --max-steps.",
            )
        if history.entries - self.looked_at >= LOOK_AT_MEMORY:
            self.looked_at, free = history.entries, machine.available_bytes()
            self.is_full = free is not None and history.bytes_held > LARGEST_PART * (free + history.bytes_held)
        self.is_full = self.is_full or len(history) >= SAMPLES


def snapshot_sizes(run: Run) -> tuple[int, int]:
    """How many whole configurations are kept at most, and the bytes of an agent in each, where agents are numbered."""
    reached = [step for step in run.snapshots if run.max_steps is None or step <= run.max_steps]
    return len(reached), sum(_itemsize(size) for size in run.protocol.space.sizes)


def _itemsize(size: int | None) -> int:
    return 8 if size is None else 1 if size <= 1 << 8 else 2 if size <= 1 << 16 else 4 if size <= 1 << 32 else 8


def _narrow(population: Population, run: Run) -> dict[str, Any]:
    """Arrays no wider than the domain of their field."""
    sizes = dict(zip(run.protocol.space.names, run.protocol.space.sizes, strict=True))
    fields = population.fields()
    return {
        name: values.astype(f"u{_itemsize(size)}")
        if (size := sizes[name]) is not None and size <= 1 << 63
        else values.copy()
        for name, values in fields.items()
    }
