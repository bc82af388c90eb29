"""Where the agents of a graph are drawn: points in the unit square, the same for the same graph.

A grid or torus is drawn as such, a path as a snake, a star around its centre, a ring as a circle. Any other graph gets a
spring layout from a fixed start: no randomness, so that a saved page and a picture made later agree.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.engines.numbered_agents import arcs_of
from princeps.model.topology import DIRECTED_RING, UNDIRECTED_RING, Topology

MAX_AGENTS = 2000  # that are laid out
MAX_ARCS = 6000  # that are drawn
ROUNDS = 60  # of the spring layout at most
PAIRS_AT_ONCE = 1 << 17  # whose distances fit into the processor's cache
RINGS = (DIRECTED_RING, UNDIRECTED_RING)
GOLDEN = 2.399963229728653  # radians: points of a spiral that are never close to each other


def positions_of(graph: Topology) -> list[list[float]]:
    """A point for each agent."""
    name, _, shape = graph.text.partition(":")
    if name in ("grid", "torus"):
        rows, columns = (int(part) for part in shape.lower().split("x"))
        return _rounded(_in_rows(rows, columns))
    if name == "star":
        around = _circle(graph.n - 1)
        return _rounded(np.vstack([[[0.5, 0.5]], around]))
    if name == "path":
        return _rounded(_snake(graph.n))
    if graph.kind in RINGS:
        return _rounded(_circle(graph.n))
    return _rounded(_springs(graph))


def edges_of(graph: Topology) -> list[list[int]]:
    """The arcs, each pair of agents once: [i, j]; a pair that meets one way only comes in that order."""
    sources, targets = (side.tolist() for side in arcs_of(graph))
    arcs = set(zip(sources, targets, strict=True))
    return [[i, j] for i, j in sorted(arcs) if i < j or (j, i) not in arcs]


def has_few_arcs(graph: Topology) -> bool:
    """Few enough to be drawn."""
    if MAX_ARCS < graph.arc_count <= 2 * MAX_ARCS:
        return len(edges_of(graph)) <= MAX_ARCS
    return graph.arc_count <= MAX_ARCS


def _rounded(points: Any) -> list[list[float]]:
    return [[round(x, 4), round(y, 4)] for x, y in points.tolist()]


def _in_rows(rows: int, columns: int) -> Any:
    """Square cells, in the middle of the unit square."""
    side = max(rows, columns)
    row, column = np.divmod(np.arange(rows * columns), columns)
    return np.stack([(column + 0.5 + (side - columns) / 2) / side, (row + 0.5 + (side - rows) / 2) / side], axis=1)


def _snake(n: int) -> Any:
    """Rows that are walked to and fro, so that neighbours are neighbours."""
    columns = max(1, round(n**0.5))
    row, column = np.divmod(np.arange(n), columns)
    column = np.where(row % 2 == 0, column, columns - 1 - column)
    rows = -(-n // columns)
    side = max(rows, columns)
    return np.stack([(column + 0.5) / side, (row + 0.5) / side], axis=1)


def _circle(n: int) -> Any:
    angle = 2 * np.pi * np.arange(n) / max(n, 1) - np.pi / 2
    return 0.5 + 0.47 * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _springs(graph: Topology) -> Any:
    """Agents repel each other, arcs pull together, and the steps get smaller (Fruchterman and Reingold)."""
    n = graph.n
    sources, targets = (side.astype(np.int64) for side in arcs_of(graph))
    place = np.arange(n)
    radius, angle = np.sqrt((place + 0.5) / n), place * GOLDEN
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    length = 1 / np.sqrt(n)
    rounds = ROUNDS if n <= 500 else 25
    for k in range(rounds):
        move = np.zeros_like(points)
        for first in range(0, n, PAIRS_AT_ONCE // n + 1):
            some = slice(first, first + PAIRS_AT_ONCE // n + 1)
            right, down = (points[some, axis, None] - points[None, :, axis] for axis in (0, 1))
            weight = right * right
            weight += down * down
            np.maximum(weight, 1e-9, out=weight)
            np.divide(length**2, weight, out=weight)
            move[some, 0] = np.einsum("ij,ij->i", right, weight)
            move[some, 1] = np.einsum("ij,ij->i", down, weight)
        along = points[sources] - points[targets]
        pull = along * (np.sqrt((along**2).sum(axis=1)) / length)[:, None] / 2
        np.add.at(move, sources, -pull)
        np.add.at(move, targets, pull)
        size = np.maximum(np.sqrt((move**2).sum(axis=1)), 1e-9)
        points = points + move * (np.minimum(size, 0.3 * (1 - k / rounds) ** 1.5 + 0.005) / size)[:, None]
    low, high = points.min(axis=0), points.max(axis=0)
    return 0.03 + 0.94 * (
        (points - low) / np.maximum((high - low).max(), 1e-9) + (1 - (high - low) / (high - low).max()) / 2
    )
