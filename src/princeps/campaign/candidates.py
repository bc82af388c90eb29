"""Starts that may be the worst: simple patterns of a few states, since noise hides what single agents change.

Everybody in one state, each field at an edge of its range; two states in turn; one agent that differs; the starts of the
protocol's file; and worst starts of a few agents, found exactly elsewhere, repeated around the population.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from princeps.errors import RunError
from princeps.model.protocol import PopulationProtocol
from princeps.model.states import State

MAX_UNIFORM = 400  # starts with everybody in one state; with more, fewer edges of each field are taken

OWN, EXACT, UNIFORM, PERIOD, EXCEPTION = "own", "exact", "uniform", "period 2", "exception"


@dataclass(frozen=True)
class Candidate:
    """`start` is what follows --start; `pattern` are the states that are repeated, empty for a start of the file.

    `first` is the state of agent 0, if it differs.
    """

    label: str
    kind: str
    start: str
    pattern: tuple[State, ...] = ()
    first: State | None = None


class Candidates:
    """The candidates of one population of n agents."""

    def __init__(self, protocol: PopulationProtocol, n: int) -> None:
        self.protocol, self.n, self.space = protocol, n, protocol.space
        self.seen: set[str] = set()
        if protocol.input_field is not None or None in self.space.sizes:
            raise RunError(
                f"the starts of {protocol.name} are no patterns of legal states (its agents have identifiers or unbounded "
                f"fields): princeps worst is not for it."
            )
        if not protocol.recovers:
            raise RunError(
                f"{protocol.name} is not self-stabilizing, so that it promises something from its own starts only: "
                f"princeps worst is for protocols that recover from any configuration."
            )

    def own(self) -> list[Candidate]:
        """The starts of the file, the uniformly random one included."""
        starts = type(self.protocol).starts
        return [Candidate(name, OWN, name) for name in starts]

    def uniform(self) -> list[Candidate]:
        """Everybody in one state."""
        return list(self._new(UNIFORM, ((state,) for state in self.edge_states())))

    def repeated(self, patterns: Iterable[Sequence[State]]) -> list[Candidate]:
        """Worst starts of a few agents, as their states in turn; a field's largest value becomes the largest here."""
        return list(self._new(EXACT, (tuple(pattern) for pattern in patterns)))

    def period_two(self, states: Sequence[State]) -> list[Candidate]:
        """Any two of these states in turn."""
        pairs = ((one, other) for k, one in enumerate(states) for other in states[k + 1 :])
        return list(self._new(PERIOD, pairs))

    def exceptions(self, usual: Sequence[State], others: Sequence[State]) -> list[Candidate]:
        """Everybody but one in the same state."""
        return [
            found
            for state in usual
            for other in others
            if other != state
            for found in self._new(EXCEPTION, [(state,)], other)
        ]

    def edge_states(self) -> list[State]:
        """Legal states whose fields are at 0, 1, half, the largest value and the one before, or fewer of these."""
        for choose in (_five_edges, _three_edges, _two_edges):
            edges = [choose(size) for size in self.space.sizes if size is not None]
            count = 1
            for values in edges:
                count *= len(values)
            if count <= MAX_UNIFORM or choose is _two_edges:
                break
        if count > MAX_UNIFORM:
            raise RunError(
                f"{self.protocol.name} has too many fields: {count:,} states have each at an end of its range, and at most "
                f"{MAX_UNIFORM} starts are raced. Give starts of your own in its file."
            )
        return [state for state in product(*edges) if self.space.is_legal(state)]

    def _new(self, kind: str, patterns: Iterable[tuple[State, ...]], first: State | None = None) -> Iterator[Candidate]:
        for pattern in patterns:
            states = [pattern[i % len(pattern)] for i in range(self.n)]
            if first is not None:
                states[0] = first
            start = "states:" + ";".join(",".join(self.space.written(state)) for state in states)
            if start not in self.seen:
                self.seen.add(start)
                yield Candidate(self._label(pattern, first), kind, start, pattern, first)

    def _label(self, pattern: tuple[State, ...], first: State | None) -> str:
        words = [f"({','.join(self.space.written(state))})" for state in pattern]
        text = f"all {words[0]}" if len(words) == 1 else " ".join(words) + " in turn"
        return text if first is None else f"{text}, one ({','.join(self.space.written(first))})"


def lifted(state: State, small: Sequence[Any], large: Sequence[Any]) -> State:
    """A state of a smaller instance here: the largest value of a field stays the largest, others stay what they are."""
    return tuple(
        int(there) - 1 if value == int(here) - 1 else value
        for value, here, there in zip(state, small, large, strict=True)
    )


def _five_edges(size: int) -> list[int]:
    return sorted({value for value in (0, 1, size // 2, size - 2, size - 1) if 0 <= value < size})


def _three_edges(size: int) -> list[int]:
    return sorted({0, size // 2, size - 1})


def _two_edges(size: int) -> list[int]:
    return sorted({0, size - 1})
