"""The Markov chain of interactions between listed configurations; configurations that are new are added to the list."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis.agent_states import refuse_failing
from princeps.analysis.chain import Bits, Chain
from princeps.analysis.choosing_states import ChoosingStates
from princeps.analysis.codes import BY_AGENT, FAILING_PAIR, OUT_OF_ROOM, UNKNOWN_PAIR
from princeps.analysis.configurations import Configurations, kernel
from princeps.analysis.halves import halved
from princeps.analysis.memory import available_bytes
from princeps.analysis.merging import StateClasses, choosing_kernel, singleton_classes
from princeps.model.numbers import duration_in_words

PORTION = 1 << 23  # steps between two reports of progress, and two looks at the keyboard: half a second
ANNOUNCED_AFTER = 1.5  # seconds
PAIRS_PORTION = 1 << 12  # configurations whose unknown pairs are computed together

Absorbing = Callable[[int, int], Bits]


def expand(configurations: Configurations, absorbing: Absorbing | None = None) -> Chain:
    """The steps from every configuration, also from those that are added on the way.

    `absorbing(first, last)` says which of these configurations have no steps.
    """
    expansion = Expansion(configurations, absorbing)
    expansion.go_on()
    return expansion.chain()


class Expansion:
    """The steps of listed configurations in the order of their numbers; where more are listed later, it can go on.

    With a `side`, all interactions are torn: that side alone takes its new state (halves.py).
    """

    def __init__(
        self, configurations: Configurations, absorbing: Absorbing | None = None, side: str | None = None
    ) -> None:
        self.configurations, self.absorbing, self.side = configurations, absorbing, side
        self.done = 0  # configurations whose steps are known
        self.is_absorbing = np.empty(0, np.uint8)
        self.steps = _Steps(configurations)
        self.announce = Announcement(configurations)

    def go_on(self, end: int | None = None) -> None:
        """To this configuration; without one to the last, also if it is added on the way."""
        configurations, steps, absorbing = self.configurations, self.steps, self.absorbing
        agent_states = configurations.agent_states
        leaders = agent_states.leader_mask()[configurations.classes.representative]
        classes = configurations.classes if self.side is None else halved(configurations.classes, self.side)
        portion = max(16, PORTION // (configurations.max_steps * (1 + len(configurations.permutations))))
        x = self.done
        while x < (configurations.size if end is None else end):
            last = min(configurations.size if end is None else end, x + portion)
            if absorbing is not None and last > len(self.is_absorbing):
                new = absorbing(len(self.is_absorbing), last).astype(np.uint8)
                self.is_absorbing = np.concatenate([self.is_absorbing, new])
            steps.ask_oracle(last)
            steps.reserve_offsets(last)
            status, x, a, b = steps.expand(x, last, classes, leaders, self.is_absorbing)
            if status == OUT_OF_ROOM:
                configurations.reserve_step()
                steps.reserve()
            elif status == UNKNOWN_PAIR:
                assert self.side is None, "whole interactions are expanded before torn ones"
                some = slice(x, min(last, x + PAIRS_PORTION))
                rows = configurations.rows[some]
                if len(self.is_absorbing):
                    rows = rows[self.is_absorbing[some] == 0]
                before = agent_states.denominator
                agent_states.add_transitions(*_unknown_pairs(configurations, rows))
                steps.rescale(agent_states.denominator // before)
                classes = configurations.classes = singleton_classes(agent_states)  # merged only if all are known
                leaders = agent_states.leader_mask()
            elif status == FAILING_PAIR:
                _refuse_failing_pair(configurations, a, b, int(steps.told[x]) if len(steps.told) else 0)
            self.done = x
            if x:
                configurations.steps_seen = steps.count / x
                self.announce(x)
            configurations.progress("exploring" if absorbing is not None else "stepping", x, configurations.size)

    def chain(self) -> Chain:
        return self.steps.chain()

    @property
    def known_steps(self) -> tuple[Any, Any]:
        """Offsets and successors of the configurations that were expanded."""
        return self.steps.offsets[: self.done + 1], self.steps.successors[: self.steps.count]


class Announcement:
    """What an exploration of unknown size may come to, said once when it takes more than a moment."""

    def __init__(self, configurations: Configurations) -> None:
        self.configurations, self.due = configurations, configurations.limit is not None
        self.began: tuple[float, int] | None = None  # when, and how many were explored: compiling is over

    def __call__(self, explored: int) -> None:
        self.began = self.began or (perf_counter(), explored)
        seconds, done = perf_counter() - self.began[0], explored - self.began[1]
        if not self.due or seconds < ANNOUNCED_AFTER or not done:
            return
        self.due = False
        configurations = self.configurations
        if explored < configurations.size:
            each = configurations.bytes_needed(1, configurations.steps_seen or 0)
            most = min(configurations.limit or 0, available_bytes() // each)
            configurations.progress(
                f"more than {configurations.size:,} configurations; memory and --limit end it at {most:,}, which takes up to "
                f"{duration_in_words(most * seconds / done)}",
                0,
                0,
            )


class _Steps:
    """Arrays of a chain that grow while configurations are expanded."""

    def __init__(self, configurations: Configurations) -> None:
        self.configurations, self.count = configurations, 0
        self.offsets = np.zeros(configurations.size + 1, np.int64)
        capacity = int(max(1024, 0.8 * configurations.max_steps * configurations.size))
        self.successors, self.changes_output = np.empty(capacity, np.int32), np.empty(capacity, np.uint8)
        self.is_weighted = configurations.is_weighted
        self.told = np.zeros(0, np.uint8)  # by configuration, what the oracle says of it
        self.weights = np.empty(capacity if self.is_weighted else 0, np.int64)

    def expand(
        self, x: int, last: int, classes: StateClasses, leaders: Bits, is_absorbing: NDArray[np.uint8]
    ) -> tuple[int, int, int, int]:
        """The steps of configurations x..last-1: why it stopped, the next x, and the pair of classes it stopped at."""
        c = self.configurations
        listed = x, last, c.size, c.rows, c.slots, c.encoding, c.permutations, c.sources, c.targets
        steps = is_absorbing, self.offsets, self.count, self.successors, self.changes_output, self.weights
        if c.agent_states.protocol.has_choices:
            laws = classes.table, classes.begins, classes.results, self.told
            found = choosing_kernel().expand(*listed, *laws, leaders, *steps, c.max_steps)
        else:
            found = kernel().expand(*listed, classes.table, leaders, *steps)
        status, x, c.size, self.count, a, b = found
        return int(status), int(x), int(a), int(b)

    def ask_oracle(self, last: int) -> None:
        """What it says of configurations up to `last`."""
        if self.configurations.agent_states.protocol.has_choices and last > len(self.told):
            self.told = np.concatenate([self.told, told_of(self.configurations, len(self.told), last)])

    def rescale(self, factor: int) -> None:
        """The common denominator of probabilities has grown by this factor."""
        if factor > 1:
            self.weights[: self.count] *= factor
            assert self.configurations.total_weight  # refused where it has become too large

    def reserve_offsets(self, last: int) -> None:
        if len(self.offsets) <= last:
            self.offsets.resize(2 * last + 1, refcheck=False)

    def reserve(self) -> None:
        """Room for the steps of one more configuration."""
        if self.count + self.configurations.max_steps > len(self.successors):
            self._resize(int(1.5 * len(self.successors)) + self.configurations.max_steps)

    def _resize(self, capacity: int) -> None:
        self.successors.resize(capacity, refcheck=False)
        self.changes_output.resize(capacity, refcheck=False)
        self.weights.resize(capacity if self.is_weighted else 0, refcheck=False)

    def chain(self) -> Chain:
        self.offsets.resize(self.configurations.size + 1, refcheck=False)
        self._resize(self.count)
        total = self.configurations.total_weight
        return Chain(self.offsets, self.successors, self.weights, self.changes_output, total)


def _unknown_pairs(configurations: Configurations, rows: NDArray[np.uint16]) -> tuple[Any, Any]:
    """All pairs of states that may interact in these configurations and whose transition is not known yet."""
    rows = rows.astype(np.intp)
    if configurations.encoding == BY_AGENT:
        initiators, responders = rows[:, configurations.sources].ravel(), rows[:, configurations.targets].ravel()
    else:
        i, j = np.nonzero(~np.eye(configurations.width, dtype=np.bool_))
        initiators, responders = rows[:, i].ravel(), rows[:, j].ravel()
    size = configurations.agent_states.size
    unknown = configurations.agent_states.is_unknown(initiators, responders)
    pairs = np.unique((initiators * size + responders)[unknown])
    return pairs // size, pairs % size


def _refuse_failing_pair(configurations: Configurations, a: int, b: int, told: int) -> None:
    representative = configurations.classes.representative
    refuse_failing(configurations.agent_states, int(representative[a]), int(representative[b]), told)


def told_of(configurations: Configurations, first: int, last: int) -> NDArray[np.uint8]:
    """What the oracle says of configurations first..last-1; 0 if there is none."""
    agent_states = configurations.agent_states
    if not isinstance(agent_states, ChoosingStates):
        return np.zeros(last - first, np.uint8)
    columns = agent_states.oracle_columns()[configurations.classes.representative]
    counts = [configurations.count_agents(column, first, last) for column in columns.T]
    return np.asarray(
        agent_states.told(np.stack(counts, axis=1) if counts else np.zeros((last - first, 0)), configurations.n)
    )
