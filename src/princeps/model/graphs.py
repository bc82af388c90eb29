"""Graphs as a user names them: built by their rule, drawn at random, listed, or read from a file of edges."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Sequence
from math import floor, log, log1p

from princeps.errors import GraphError, TooLarge, UnknownName
from princeps.model.formatting import counted
from princeps.model.input_files import opened_text
from princeps.model.numbers import natural
from princeps.model.randomness import Stream
from princeps.model.topology import (
    ALIASES,
    ARCS,
    COMPLETE,
    DIRECTED_RING,
    UNDIRECTED_RING,
    Topology,
    text_names_a_graph,
)

NAMED = (
    COMPLETE,
    DIRECTED_RING,
    UNDIRECTED_RING,
    "path",
    "star",
    "grid:RxC",
    "torus:RxC",
    "regular:D",
    "er:P",
    "list:0-1;1-2",
)
BYTES_PER_EDGE = 40  # listing an edge that follows from its number
BYTES_PER_COLLECTED_EDGE = 300  # collecting an edge in a set or a dictionary first
REGULAR_ATTEMPTS = 100
SWAPS_PER_EDGE = 200  # before an attempt is given up


def make_topology(text: str, n: int | None, stream: Stream) -> Topology:
    """The graph called `text`: a name, a name with its shape, a list of edges, or a file with an edge a line."""
    text = ALIASES.get(text, text)
    name, _, shape = text.partition(":")
    if name in ("grid", "torus"):
        return _grid(text, name == "torus", shape, n)
    if name == "list":
        return _from_rows([(f"graph {text!r}", edge) for edge in shape.replace(";", ",").split(",")], text, n, "-")
    if not text_names_a_graph(text):
        return _from_file(text, n)
    if n is None:
        raise GraphError(f"graph {text!r} does not say how many agents there are: give -n.")
    if text == UNDIRECTED_RING and n == 2:
        text = COMPLETE  # the two arcs between two agents, once
    if text in (COMPLETE, DIRECTED_RING, UNDIRECTED_RING):
        return Topology(text, n, text)
    if text in ("path", "star"):
        _refuse_if_too_large(text, (n - 1) * BYTES_PER_EDGE)
    if text == "path":
        return _from_edges(text, n, ((i, i + 1) for i in range(n - 1)))
    if text == "star":
        return _from_edges(text, n, ((0, i) for i in range(1, n)))
    if name == "regular":
        return _regular(text, n, shape, stream)
    return _erdos_renyi(text, n, shape, stream)


def _from_edges(text: str, n: int, edges: Iterable[tuple[int, int]]) -> Topology:
    """Both orders of every edge."""
    sources, targets = array("I"), array("I")
    for u, v in edges:
        sources.extend((u, v))
        targets.extend((v, u))
    return Topology(ARCS, n, text, sources, targets)


def _refuse_if_too_large(text: str, needed: float) -> None:
    """Before anything is allocated."""
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return
    if needed > memory:
        raise TooLarge(
            f"graph {text!r} needs about {needed / 2**30:,.0f} GiB for its edges, "
            f"but this machine has {memory / 2**30:,.0f} GiB: choose a smaller one."
        )


def _connected(graph: Topology, hint: str = "join the parts by an edge") -> Topology:
    """Any two agents are joined by a chain of arcs, whatever their directions."""
    if len(graph.sources) < graph.n - 1:  # refused before anything is allocated for n agents
        raise GraphError(
            f"graph {graph.text!r} on {graph.n} agents is not connected (it has {counted(len(graph.sources), 'arcs', 'd')}): {hint}."
        )
    parent = list(range(graph.n))

    def root(x: int) -> int:
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    parts = graph.n
    for u, v in zip(graph.sources, graph.targets, strict=True):
        a, b = root(u), root(v)
        if a != b:
            parent[a] = b
            parts -= 1
    if parts > 1:
        raise GraphError(f"graph {graph.text!r} on {graph.n} agents is not connected ({parts} parts): {hint}.")
    return graph


def _grid(text: str, wrap: bool, shape: str, n: int | None) -> Topology:
    rows_text, _, columns_text = shape.lower().partition("x")
    rows, columns = natural(rows_text), natural(columns_text)
    if rows is None or columns is None or rows * columns < 2:
        raise GraphError(
            f"graph {text!r} has no rows and columns: write it like {'torus' if wrap else 'grid'}:20x50 (rows x columns, at least 2 agents)."
        )
    if n is not None and n != rows * columns:
        raise GraphError(f"graph {text!r} has {rows * columns} agents, but n = {n}: leave -n out, or make them equal.")
    _refuse_if_too_large(text, 2 * rows * columns * BYTES_PER_COLLECTED_EDGE)
    edges: set[tuple[int, int]] = set()
    for r in range(rows):
        for c in range(columns):
            here = r * columns + c
            for down, right in ((r + 1, c), (r, c + 1)):
                if wrap or (down < rows and right < columns):
                    there = (down % rows) * columns + right % columns
                    if here != there:
                        edges.add((min(here, there), max(here, there)))
    return _from_edges(text, rows * columns, sorted(edges))


def _regular(text: str, n: int, shape: str, stream: Stream) -> Topology:
    """A random simple d-regular graph: pair up half-edges, then remove loops and double edges by random swaps."""
    degree = natural(shape)
    if degree is None or not 1 <= degree < n or n * degree % 2:
        raise GraphError(f"graph {text!r} on {n} agents is impossible: D must be in 1..{n - 1} with n * D even.")
    _refuse_if_too_large(text, n * degree // 2 * BYTES_PER_COLLECTED_EDGE)
    if degree == n - 1:
        return _from_edges(text, n, ((i, j) for i in range(n) for j in range(i)))
    stubs = [agent for agent in range(n) for _ in range(degree)]
    for _ in range(REGULAR_ATTEMPTS):
        stream.shuffle(stubs)
        edges = _without_loops([(stubs[k], stubs[k + 1]) for k in range(0, len(stubs), 2)], stream)
        if edges is not None:
            hint = "a random graph of so small a degree rarely is; take D >= 3"
            graph = _from_edges(text, n, edges)
            return _connected(graph, hint)
    raise GraphError(
        f"graph {text!r} on {n} agents was not found in {REGULAR_ATTEMPTS} attempts: choose another D or seed."
    )


def _without_loops(edges: list[tuple[int, int]], stream: Stream) -> list[tuple[int, int]] | None:
    counts: dict[tuple[int, int], int] = {}
    for u, v in edges:
        counts[min(u, v), max(u, v)] = counts.get((min(u, v), max(u, v)), 0) + 1
    bad = [k for k, (u, v) in enumerate(edges) if u == v or counts[min(u, v), max(u, v)] > 1]
    tries = 0
    while bad:
        tries += 1
        if tries > SWAPS_PER_EDGE * len(edges):
            return None
        k = bad[-1]
        (u, v), other = edges[k], stream.below(len(edges))
        key = (min(u, v), max(u, v))
        if u != v and counts[key] == 1:  # removed by an earlier swap
            bad.pop()
            continue
        x, y = edges[other]
        new, also = (min(u, x), max(u, x)), (min(v, y), max(v, y))
        if other == k or u == x or v == y or new == also or counts.get(new) or counts.get(also):
            continue
        counts[key] -= 1
        counts[min(x, y), max(x, y)] -= 1
        counts[new] = counts[also] = 1
        edges[k], edges[other] = (u, x), (v, y)
        bad.pop()
    return edges


def _erdos_renyi(text: str, n: int, shape: str, stream: Stream) -> Topology:
    """Each edge independently with probability P, compared exactly as a 64-bit fraction, by geometric skips."""
    try:
        probability = float(shape)
    except ValueError:
        probability = -1.0
    if not 0 < probability <= 1:
        raise GraphError(f"graph {text!r} is not a random graph: P must be a number in (0, 1], like er:0.01.")
    _refuse_if_too_large(text, probability * n * (n - 1) / 2 * BYTES_PER_COLLECTED_EDGE)
    edges: list[tuple[int, int]] = []
    row, column = 1, -1  # walk the pairs column < row, skipping a geometric number each time
    while row < n:
        u = (stream.next64() >> 11) + 1
        column += 1 + (floor(min(log(u / 2**53) / log1p(-probability), n * n)) if probability < 1 else 0)
        while column >= row and row < n:
            column -= row
            row += 1
        if row < n:
            edges.append((column, row))
    hint = f"raise P (connected graphs begin around ln n / n = {log(n) / n:.3g}) or take another seed"
    return _connected(_from_edges(text, n, edges), hint)


def _from_file(path: str, n: int | None) -> Topology:
    """One edge a line: `u v` may interact in both orders, `u > v` only with u as the initiator; # begins a comment."""
    try:
        with opened_text(path) as file:
            rows = file.read().splitlines()
    except FileNotFoundError:
        raise UnknownName("graph", path, NAMED) from None
    except (OSError, ValueError) as error:  # not UTF-8, or no path at all
        raise GraphError(f"graph file {path!r} cannot be read ({error}): give a text file of edges.") from None
    return _from_rows([(f"{path}:{number}", row) for number, row in enumerate(rows, 1)], path, n)


def _from_rows(rows: Sequence[tuple[str, str]], text: str, n: int | None, between: str = ",") -> Topology:
    """Edges with the places where they are said; `between` may stand between the two agents of one."""
    sources, targets = array("I"), array("I")
    seen: set[tuple[int, int]] = set()
    for place, row in rows:
        words = row.partition("#")[0].replace(between, " ").replace(">", " > ").split()
        if not words:
            continue
        directed = len(words) == 3 and words[1] == ">"
        u, v = natural(words[0]), natural(words[-1])
        if not (directed or len(words) == 2) or u is None or v is None or max(u, v) >= 2**32 - 1:
            raise GraphError(
                f"{place}: {row.strip()!r} is not an edge: write `u{between.strip(',') or ' '}v` or `u > v`, agents from 0."
            )
        if u == v:
            remedy = "remove the line" if between == "," else "leave this edge out"
            raise GraphError(f"{place}: agent {u} cannot meet itself: {remedy}.")
        for arc in ((u, v),) if directed else ((u, v), (v, u)):
            if arc in seen:
                raise GraphError(f"{place}: the pair {arc[0]}, {arc[1]} is listed twice: remove one.")
            seen.add(arc)
            sources.append(arc[0])
            targets.append(arc[1])
    if not sources:
        raise GraphError(f"graph file {text!r} has no edge: write one a line, like `0 1`.")
    count = max(max(sources), max(targets)) + 1
    if n in (None, count) and len(seen) == count and all((i, (i + 1) % count) in seen for i in range(count)):
        return Topology(DIRECTED_RING, count, text)
    both = sorted(zip(sources, targets, strict=True))  # the same graph gives the same runs, however its file is ordered
    sources, targets = array("I", (u for u, _ in both)), array("I", (v for _, v in both))
    if n is not None and n < count:
        raise GraphError(f"graph {text!r} names agent {count - 1}, but n = {n}: leave -n out, or raise it.")
    if n is not None and n > count:
        raise GraphError(
            f"graph {text!r} has {count} agents, and with n = {n} it is not connected: leave -n out, or join the others by "
            f"edges."
        )
    return _connected(Topology(ARCS, count, text, sources, targets))
