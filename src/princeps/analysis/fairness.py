"""Does a weakly fair adversary keep a population out of the target for ever? It must choose every arc infinitely often.

Whatever it does, the moves that it makes infinitely often form an end component: a set of configurations and of moves from
them, strongly connected, whose results stay inside. If it is fair, these moves contain every arc. Conversely, where an end
component outside of the target contains every arc, the adversary can go round in it for ever, and take each arc again and
again. So it wins if and only if it can reach such a component, and it is enough to look at the maximal ones. Where the rule
tosses no coins they are the strongly connected components.

Self-loops count: an arc that changes nothing has been scheduled. No symmetry of the graph may be used here: going round
in a list of configurations up to rotation need not schedule every arc.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order, connected_components

from princeps.analysis.arc_moves import ArcMoves
from princeps.analysis.chain import Bits
from princeps.analysis.progress import ProgressCallback, no_progress


@dataclass(frozen=True)
class Homes:
    """The end components outside of the target that contain every arc, where a fair adversary stays for ever.

    `component_of[x]` is the number of x's home, -1 where x is in none; `inner[m]` says if move m stays in it.
    """

    component_of: NDArray[np.int64]
    inner: Bits
    count: int

    @property
    def members(self) -> Bits:
        return self.component_of >= 0

    def sizes(self) -> NDArray[np.int64]:
        return np.bincount(self.component_of[self.members], minlength=self.count)


def find_homes(moves: ArcMoves, progress: ProgressCallback = no_progress) -> Homes:
    """Moves that may leave their component are removed until none is left: what remains are the maximal end components."""
    size, arcs = len(moves.ended), len(moves.arcs)
    move, source = moves.edges()
    inner = np.diff(moves.begins) > 0
    inner[move[moves.ended[moves.results]]] = False
    while True:
        progress("components of the adversary", int(inner.sum()), len(inner))
        kept = inner[move]
        graph = _graph(source[kept], moves.results[kept], size)
        _, component = connected_components(graph, directed=True, connection="strong")
        leaving = kept & (component[source] != component[moves.results])
        if not leaving.any():
            break
        inner[move[leaving]] = False
    staying = np.flatnonzero(inner)
    pairs = np.unique(component[staying // arcs].astype(np.int64) * arcs + staying % arcs)
    arcs_inside = np.bincount(pairs // arcs, minlength=int(component.max()) + 1)
    full = np.flatnonzero(arcs_inside == arcs)
    number = np.full(len(arcs_inside), -1, np.int64)
    number[full] = np.arange(len(full))
    home = number[component]
    return Homes(home, inner & (np.repeat(home, arcs) >= 0), len(full))


def winning_starts(moves: ArcMoves, homes: Homes) -> Bits:
    """From where a home can be reached outside of the target: surely, or with positive probability if coins are tossed."""
    size = len(moves.ended)
    _, source = moves.edges()
    inside = np.flatnonzero(homes.members)
    if not len(inside):
        return homes.members
    kept = ~moves.ended[moves.results]
    rows = np.concatenate([moves.results[kept], np.full(len(inside), size)])
    backwards = _graph(rows, np.concatenate([source[kept], inside]), size + 1)
    found = np.zeros(size + 1, np.bool_)
    found[breadth_first_order(backwards, size, return_predecessors=False)] = True
    return found[:size]


def path_between(moves: ArcMoves, start: int, wanted: Bits) -> list[tuple[int, int]]:
    """A shortest way from the start into a wanted set: the moves as (configuration, arc), empty if it is there."""
    if wanted[start]:
        return []
    _, source = moves.edges()
    kept = ~moves.ended[moves.results]
    graph = _graph(source[kept], moves.results[kept], len(moves.ended))
    order, predecessor = breadth_first_order(graph, start)
    y = int(order[wanted[order].argmax()])
    assert wanted[y], "the adversary wins from here"
    path = []
    while y != start:
        x = int(predecessor[y])
        path.append((x, next(e for e in range(len(moves.arcs)) if y in moves.results_of(x, e))))
        y = x
    return path[::-1]


def round_trip(moves: ArcMoves, homes: Homes, begin: int) -> list[tuple[int, int]]:
    """Moves from a configuration of a home back to it that use every arc: always to the nearest arc that is missing."""
    missing, here = set(range(len(moves.arcs))), begin
    trip: list[tuple[int, int]] = []

    def is_missing(_: int, e: int) -> bool:
        return e in missing

    while missing:
        way = _nearest(moves, homes, here, is_missing)
        trip += way
        missing -= {e for _, e in way}
        here = moves.results_of(*way[-1])[0]
    if here != begin:
        trip += _nearest(moves, homes, here, lambda y, _: y == begin)
    return trip


def _nearest(moves: ArcMoves, homes: Homes, start: int, wanted: Callable[[int, int], bool]) -> list[tuple[int, int]]:
    """The shortest way along inner moves whose last move has a wanted result, or a wanted arc."""
    arcs = len(moves.arcs)
    came: dict[int, tuple[int, int]] = {start: (-1, -1)}
    waiting = deque([start])
    while True:
        x = waiting.popleft()  # never empty: a home is strongly connected and has every arc
        for e in range(arcs):
            if not homes.inner[x * arcs + e]:
                continue
            y = moves.results_of(x, e)[0]
            if wanted(y, e):
                way = [(x, e)]
                while came[way[-1][0]][0] >= 0:
                    way.append(came[way[-1][0]])
                return way[::-1]
            if y not in came:
                came[y] = x, e
                waiting.append(y)


def _graph(sources: Any, targets: Any, size: int) -> Any:
    return csr_matrix((np.ones(len(sources), np.int32), (sources, targets)), shape=(size, size))
