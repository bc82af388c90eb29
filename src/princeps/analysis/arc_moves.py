"""What every arc makes of every configuration: the moves among which an adversary chooses.

The configurations are listed agent by agent, without symmetries, so that a move belongs to one arc. A move of which
nothing changes is listed, too: the adversary has scheduled its arc. Where the rule tosses coins, a move has several results.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis.agent_states import initiator_of, responder_of
from princeps.analysis.chain import Bits
from princeps.analysis.codes import BY_AGENT
from princeps.analysis.configurations import Configurations
from princeps.analysis.expansion import told_of
from princeps.errors import TooLarge
from princeps.model.scheduler import Pair

MAX_CODE = 2**62  # codes of configurations are 64-bit integers


@dataclass(frozen=True)
class ArcMoves:
    """Move m = x * len(arcs) + e, of configuration x over arcs[e], leads to results[begins[m]:begins[m + 1]].

    Configurations in `ended` have no moves.
    """

    arcs: list[Pair]
    ended: Bits
    begins: NDArray[np.int64]
    results: NDArray[np.int32]

    @property
    def is_determined(self) -> bool:
        """Every move has at most one result."""
        return len(self.results) <= len(self.begins) - 1 and bool((np.diff(self.begins) <= 1).all())

    def results_of(self, x: int, e: int) -> list[int]:
        move = x * len(self.arcs) + e
        found: list[int] = self.results[self.begins[move] : self.begins[move + 1]].tolist()
        return found

    def edges(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each result the move that it is one of, and the configuration that this move is from."""
        move = np.repeat(np.arange(len(self.begins) - 1), np.diff(self.begins))
        return move, move // len(self.arcs)


def arc_moves(configurations: Configurations, ended: Bits) -> ArcMoves:
    """The moves of all configurations that have not ended, all of which have been expanded."""
    assert configurations.encoding == BY_AGENT
    arcs = list(zip(configurations.sources.tolist(), configurations.targets.tolist(), strict=True))
    rows = configurations.listed_rows.astype(np.int64)
    index = _Index(configurations, rows)
    going = np.flatnonzero(~ended)
    told = told_of(configurations, 0, configurations.size)[going] if _has_laws(configurations) else None
    moves, results = [], []
    for e, (i, j) in enumerate(arcs):
        which, u, v = _met(configurations, rows[going, i], rows[going, j], told)
        after = index.codes[going][which]
        after = after + (u - rows[going, i][which]) * index.places[i] + (v - rows[going, j][which]) * index.places[j]
        moves.append(going[which] * len(arcs) + e)
        results.append(index.number_of(after))
        configurations.progress("moves of the adversary", e + 1, len(arcs))
    move, result = np.concatenate(moves), np.concatenate(results)
    order = np.argsort(move, kind="stable")
    counts = np.bincount(move, minlength=configurations.size * len(arcs))
    begins = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return ArcMoves(arcs, ended, begins, result[order].astype(np.int32))


def _has_laws(configurations: Configurations) -> bool:
    return configurations.agent_states.protocol.has_choices


def _met(configurations: Configurations, a: Any, b: Any, told: Any) -> tuple[Any, Any, Any]:
    """What becomes of two classes: for every result the place of the pair, and both new classes."""
    classes = configurations.classes
    if told is None:
        entry = classes.table[a, b]
        assert (entry >= 0).all(), "every configuration that has not ended was expanded"
        return np.arange(len(a)), initiator_of(entry), responder_of(entry)
    assert classes.begins is not None
    assert classes.results is not None
    law = classes.table[told, a, b]
    count = classes.begins[law + 1] - classes.begins[law]
    which = np.repeat(np.arange(len(a)), count)
    first = np.repeat(np.cumsum(count) - count, count)
    row = classes.begins[law][which] + np.arange(len(which)) - first
    return which, classes.results[row, 0], classes.results[row, 1]


class _Index:
    """Configurations by a code: their classes as the digits of a number."""

    def __init__(self, configurations: Configurations, rows: NDArray[np.int64]) -> None:
        base, n = configurations.classes.count, configurations.n
        if base**n >= MAX_CODE:
            raise TooLarge(
                f"{n} agents in {base:,} states are too many for an adversary, whose arcs no symmetry merges: lower -n "
                f"or the parameters."
            )
        self.places = base ** np.arange(n - 1, -1, -1, dtype=np.int64)
        self.codes: NDArray[np.int64] = rows @ self.places
        self.order = np.argsort(self.codes, kind="stable")
        self.sorted = self.codes[self.order]

    def number_of(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        place = np.searchsorted(self.sorted, codes)
        assert (self.sorted[np.minimum(place, len(self.sorted) - 1)] == codes).all(), "every successor is listed"
        return np.asarray(self.order[place])
