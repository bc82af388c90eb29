"""Who may meet whom: the arcs of every graph, its files, and the fairness of the draws."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from princeps.errors import GraphError
from princeps.model.graphs import make_topology
from princeps.model.randomness import Stream
from princeps.model.reading import make_run
from princeps.model.scheduler import UniformArcs
from princeps.model.topology import Topology
from tests.tables import in_one_test

Arc = tuple[int, int]


def make(text: str, n: int | None = None, seed: int = 1) -> Topology:
    return make_topology(text, n, Stream.of(seed, 0, "graph"))


def arcs(graph: Topology) -> list[Arc]:
    return [graph.arc(k) for k in range(graph.arc_count)]


def both(*edges: Arc) -> set[Arc]:
    return {arc for u, v in edges for arc in ((u, v), (v, u))}


def reached(graph: Topology) -> set[int]:
    """Breadth-first, from agent 0: not how the package finds out."""
    neighbours: dict[int, set[int]] = {i: set() for i in range(graph.n)}
    for u, v in arcs(graph):
        neighbours[u].add(v)
        neighbours[v].add(u)
    found, border = {0}, {0}
    while border:
        border = set().union(*(neighbours[i] for i in border)) - found
        found |= border
    return found


EXACT: list[tuple[str, int | None, set[Arc]]] = [
    ("complete", 2, both((0, 1))),
    ("complete", 4, both((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))),
    ("ring", 2, {(0, 1), (1, 0)}),
    ("ring", 4, {(0, 1), (1, 2), (2, 3), (3, 0)}),
    ("directed-ring", 3, {(0, 1), (1, 2), (2, 0)}),
    ("undirected-ring", 2, both((0, 1))),
    ("undirected-ring", 4, both((0, 1), (1, 2), (2, 3), (3, 0))),
    ("undirected_ring", 3, both((0, 1), (1, 2), (2, 0))),
    ("path", 2, both((0, 1))),
    ("path", 4, both((0, 1), (1, 2), (2, 3))),
    ("star", 4, both((0, 1), (0, 2), (0, 3))),
    ("grid:2x3", None, both((0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5))),
    ("grid:1x3", 3, both((0, 1), (1, 2))),
    ("grid:3X1", 3, both((0, 1), (1, 2))),
    ("torus:1x2", None, both((0, 1))),
    ("torus:2x2", None, both((0, 1), (2, 3), (0, 2), (1, 3))),
    ("torus:1x4", None, both((0, 1), (1, 2), (2, 3), (3, 0))),
    (
        "torus:2x3",
        6,
        both((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)),
    ),
    ("regular:3", 4, both((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))),
    ("er:1", 4, both((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))),
]


@in_one_test(("text", "n", "expected"), EXACT, ids=[f"{text}-{n}" for text, n, _ in EXACT])
def test_the_arcs_are_exactly_these(text: str, n: int | None, expected: set[Arc]) -> None:
    graph = make(text, n)
    found = arcs(graph)
    assert set(found) == expected
    assert len(found) == graph.arc_count == len(expected)
    assert graph.n == max(max(arc) for arc in expected) + 1
    everyone = range(-1, graph.n + 1)
    assert {(i, j) for i in everyone for j in everyone if graph.has_arc(i, j)} == expected


def test_a_large_torus_gives_everybody_four_neighbours() -> None:
    out = Counter(u for u, _ in arcs(make("torus:5x7")))
    assert out == dict.fromkeys(range(35), 4)


@in_one_test(("degree", "n"), [(2, 5), (3, 10), (3, 50), (4, 7), (8, 10), (9, 24)])
def test_a_regular_graph_is_simple_connected_and_of_its_degree(degree: int, n: int) -> None:
    graphs = []
    for seed in range(20):
        try:
            graph = make(f"regular:{degree}", n, seed)
        except GraphError:
            assert degree == 2  # several cycles
            continue
        found = arcs(graph)
        assert len(set(found)) == len(found) == n * degree
        assert all(u != v and (v, u) in set(found) for u, v in found)
        assert Counter(u for u, _ in found) == dict.fromkeys(range(n), degree)
        assert reached(graph) == set(range(n))
        graphs.append(frozenset(found))
    assert len(set(graphs)) > 5


def test_a_random_graph_has_the_expected_number_of_edges_and_no_favourites() -> None:
    counts: Counter[Arc] = Counter()
    for seed in range(400):
        graph = make("er:0.7", 9, seed)
        assert set(arcs(graph)) == {(v, u) for u, v in arcs(graph)}
        counts.update(arc for arc in arcs(graph) if arc[0] < arc[1])
    assert len(counts) == 36
    spread = (400 * 0.7 * 0.3) ** 0.5
    assert all(abs(count - 280) < 4.5 * spread for count in counts.values())
    assert abs(counts.total() - 280 * 36) < 4 * 6 * spread


def test_the_seed_makes_the_random_graph() -> None:
    assert arcs(make("er:0.5", 30, 1)) == arcs(make("er:0.5", 30, 1)) != arcs(make("er:0.5", 30, 2))
    assert arcs(make("regular:4", 30, 1)) == arcs(make("regular:4", 30, 1)) != arcs(make("regular:4", 30, 2))


@pytest.mark.parametrize(("text", "n"), [("er:0.01", 50), ("regular:1", 6), ("er:1e-310", 5)])
def test_what_is_not_connected_is_refused(text: str, n: int) -> None:
    with pytest.raises(GraphError, match="not connected"):
        make(text, n)


# -- files --------------------------------------------------------------------------------------------------------


def written(tmp_path: Path, text: str) -> str:
    path = tmp_path / "edges.txt"
    path.write_text(text)
    return str(path)


def test_a_file_lists_edges_and_arcs_with_comments(tmp_path: Path) -> None:
    graph = make(written(tmp_path, "# a triangle with a tail\n0 1\n\n1,2   # a comma\n  2>0\n3 > 2\n"))
    assert set(arcs(graph)) == both((0, 1), (1, 2)) | {(2, 0), (3, 2)}
    assert (graph.n, graph.arc_count) == (4, 6)
    assert graph.has_arc(3, 2)
    assert not graph.has_arc(2, 3)


def test_two_arcs_between_the_same_agents_are_an_edge(tmp_path: Path) -> None:
    assert set(arcs(make(written(tmp_path, "0 > 1\n1 > 0\n")))) == both((0, 1))


@in_one_test(
    ("text", "complaint"),
    [
        ("0 1\n0 1\n", ":2: the pair 0, 1 is listed twice"),
        ("0 1\n1 0\n", ":2: the pair 1, 0 is listed twice"),
        ("0 > 1\n0 > 1\n", ":2: the pair 0, 1 is listed twice"),
        ("0 1\n0 > 1\n", ":2: the pair 0, 1 is listed twice"),
        ("0 1\n2 2\n", ":2: agent 2 cannot meet itself"),
        ("0 1\n-1 0\n", ":2: '-1 0' is not an edge"),
        ("0 1\n1 4294967295\n", ":2: '1 4294967295' is not an edge"),
        ("0 > 1 > 2\n", ":1: '0 > 1 > 2' is not an edge"),
        ("0 1\n2 3\n", "not connected (2 parts)"),
        ("0 1\n3 4\n", "not connected (3 parts)"),
        ("0 1\n1 4000000000\n", "not connected"),
        ("\n# nothing\n", "has no edge"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(GraphError) as caught:
        make(written(tmp_path, text))
    assert complaint in str(caught.value)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "edges.bin"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(GraphError, match="cannot be read"):
        make(str(path))
    with pytest.raises(GraphError, match="cannot be read"):
        make(str(tmp_path))


# -- draws --------------------------------------------------------------------------------------------------------


@pytest.mark.medium
@in_one_test(
    ("text", "n"),
    [
        *(("complete", 2), ("complete", 5), ("ring", 7), ("undirected-ring", 5), ("path", 5), ("star", 6)),
        *(("grid:2x3", 6), ("torus:3x3", 9), ("regular:3", 8), ("er:0.6", 7)),
    ],
)
def test_every_arc_is_drawn_equally_often(text: str, n: int) -> None:
    graph, draws = make(text, n), 20_000
    stream = Stream.of(5, 0, "schedule")
    pairs = UniformArcs().pairs(graph, stream)
    counts = Counter(next(pairs) for _ in range(draws))
    expected = draws / graph.arc_count
    assert set(counts) == set(arcs(graph))
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    freedom = graph.arc_count - 1
    assert abs(chi_square - freedom) < 4 * (2 * freedom) ** 0.5


def test_a_file_that_is_the_directed_ring_is_the_directed_ring(tmp_path: Path) -> None:
    path = tmp_path / "ring.txt"
    path.write_text("0 > 1\n1 > 2\n2 > 0\n")
    assert make_run("p_rl", graph=str(path)).topology.kind == "ring"
