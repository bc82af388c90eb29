"""What a Python user gives without reading a manual works, or is refused in one sentence with file and line."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import princeps
from princeps.errors import PrincepsError, ProtocolError
from princeps.model.description import describe, read_command
from tests.tables import in_one_test

PLAIN: dict[str, Any] = {"engine": "reference", "seed": 3}


class Graph:
    """What is used of a graph of networkx."""

    def __init__(self, nodes: Sequence[Any], edges: Sequence[tuple[Any, Any]], directed: bool = False) -> None:
        self.nodes, self.edges, self.directed = nodes, edges, directed

    def is_directed(self) -> bool:
        return self.directed


STARTS: dict[str, tuple[Any, str]] = {
    "a list of mappings": ([{"leader": 1}] * 3 + [{"leader": 0}] * 2, 'json:[{"leader":1},'),
    "a list of rows": ([[1], [1], [1], [0], [0]], "states:1;1;1;0;0"),
    "a list of numbers": ([1, 1, 1, 0, 0], "states:1;1;1;0;0"),
    "an array": (np.array([1, 1, 1, 0, 0]), "states:1;1;1;0;0"),
    "an array of rows": (np.array([[1], [1], [1], [0], [0]]), "states:1;1;1;0;0"),
    "a column for each field": ({"leader": np.array([1, 1, 1, 0, 0])}, 'json:[{"leader":1},'),
    "numbers of numpy": ([{"leader": np.int8(1)}] * 3 + [{"leader": np.uint64(0)}] * 2, 'json:[{"leader":1},'),
}


@in_one_test("name", STARTS)
def test_starts(name: str) -> None:
    given, text = STARTS[name]
    result = princeps.run("fratricide", 5, start=given, **PLAIN)
    expected = princeps.run("fratricide", 5, start="states:1;1;1;0;0", **PLAIN)
    assert result.steps == expected.steps
    assert result.start.startswith(text)
    repeats(result)


GRAPHS: dict[str, tuple[Any, str]] = {
    "a list of edges": ([(0, 1), (1, 2), (2, 3)], "list:0-1;1-2;2-3"),
    "an array of edges": (np.array([[0, 1], [1, 2], [2, 3]]), "list:0-1;1-2;2-3"),
    "neighbours": ({0: [1], 1: [0, 2], 2: [1, 3], 3: [2]}, "list:0-1;1-2;2-3"),
    "a matrix": (np.eye(4, k=1) + np.eye(4, k=-1), "list:0-1;1-2;2-3"),
    "of networkx": (Graph([0, 1, 2, 3], [(0, 1), (1, 2), (2, 3)]), "list:0-1;1-2;2-3"),
    "of networkx, with names": (Graph(["d", "a", "b", "c"], [("d", "a"), ("a", "b"), ("b", "c")]), "list:0-1;1-2;2-3"),
}


@in_one_test("name", GRAPHS)
def test_graphs(name: str) -> None:
    given, text = GRAPHS[name]
    result = princeps.run("infection", 4, graph=given, **PLAIN)
    assert result.steps == princeps.run("infection", 4, graph="path", **PLAIN).steps
    assert result.graph == text
    repeats(result)


def test_arcs_of_one_direction() -> None:
    matrix = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    for given in (Graph([0, 1, 2], [(0, 1), (1, 2), (2, 0)], directed=True), matrix):
        result = princeps.run("infection", graph=given, **PLAIN)
        assert (result.graph, result.n) == ("list:0>1;1>2;2>0", 3)
        assert result.steps == princeps.run("infection", 3, graph="ring", **PLAIN).steps


@pytest.mark.medium
def test_a_graph_of_networkx_itself() -> None:
    networkx = pytest.importorskip("networkx")
    path = princeps.run("infection", graph=networkx.path_graph(4), **PLAIN)
    assert path.steps == princeps.run("infection", 4, graph="path", **PLAIN).steps
    assert princeps.run("infection", graph=networkx.grid_2d_graph(2, 2), **PLAIN).n == 4


def repeats(result: Any) -> None:
    assert shlex.split(result.command)[:3] == ["princeps", "run", result.protocol]
    description = read_command(result.command)
    options = {name: value for name, value in vars(description.options).items() if name != "faults"}
    again = princeps.run(description.protocol, description.n, params=description.params, **options)
    assert (again.steps, again.command) == (result.steps, result.command)


@pytest.mark.medium
def test_pairs_are_repeated_too_and_what_cannot_be_says_why() -> None:
    repeats(princeps.run("fratricide", 4, pairs=np.array([[0, 1], [1, 2]]), **PLAIN))
    far = princeps.run("epidemic", 60_000, start=[1] + [0] * 59_999, engine="reference", seed=1, max_steps=10)
    assert far.command == ""
    assert "the start is too long for a command line" in repr(far)


@pytest.mark.medium
def test_sweeps_take_them(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"trials": 2, "jobs": 1, "engine": "reference", "store": tmp_path / "s.db"}
    one = princeps.sweep("infection", n=3, graph=[(0, 1), (1, 2)], **asked)
    assert [summary.graph for summary in one] == ["list:0-1;1-2"]
    two = princeps.sweep("infection", n=3, graph=[[(0, 1), (1, 2)], [(0, 1), (0, 2)]], **asked)
    assert [summary.graph for summary in two] == ["list:0-1;1-2", "list:0-1;0-2"]


def test_paths(tmp_path: Path) -> None:
    (tmp_path / "edges.txt").write_text("0 1\n1 2\n")
    (tmp_path / "states.json").write_text('[{"leader": 1}, {"leader": 0}, {"leader": 1}]')
    assert princeps.run("infection", graph=tmp_path / "edges.txt", **PLAIN).n == 3
    assert princeps.run("fratricide", 3, start=tmp_path / "states.json", **PLAIN).leaders == 1


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "one mapping": ({"start": {"leader": 1}}, "like [{'leader': 1}] * n"),
    "a set": ({"start": {1, 2}}, "give a start's name, a list with"),
    "too few": ({"start": [{"leader": 1}]}, "has 1 state for n = 3"),
    "a wrong field": ({"start": [{"laeder": 1}] * 3}, "unknown field 'laeder'"),
    "a half": ({"start": [0.5] * 3}, "0.5, where an integer is needed"),
    "a mixture": ({"start": [{"leader": 1}, 1, 0]}, "write all agents in one form"),
    "no edges": ({"graph": []}, "give a graph's name, a list of edges"),
    "triples": ({"graph": [(0, 1, 2), (0, 2)]}, "an edge is a pair of agents"),
    "the wrong n": ({"graph": [(0, 1)], "n": 3}, "has 2 agents, and with n = 3 it is not connected: leave n out"),
    "matrix or edges": ({"graph": np.array([[0, 1], [1, 0]]), "n": 2}, "may be a matrix or a list of two edges"),
    "half an agent": ({"start": {"0": 1.5, "1": 1.5}}, ": 1.5 is no number of agents: divide with //"),
    "fewer than none": ({"start": {"0": -1, "1": 4}}, ": -1 is no number of agents: give 0 or more."),
    "names": ({"graph": [("a", "b")]}, "'a', where an integer is needed"),
    "a number": ({"graph": 5}, "give a graph's name"),
    "a loop": ({"graph": [(0, 0), (0, 1), (1, 2)]}, "agent 0 cannot meet itself: leave this edge out."),
    "twice": ({"graph": [(0, 1), (1, 0), (1, 2)]}, "is listed twice"),
    "not connected": ({"graph": [(0, 1)], "n": 3}, "not connected"),
}


@in_one_test("name", REFUSED)
def test_what_cannot_be_meant_is_refused(name: str) -> None:
    given, sentence = REFUSED[name]
    with pytest.raises(PrincepsError) as caught:
        princeps.run("fratricide", **{"n": 3, "force": True, **PLAIN, **given})
    assert sentence in str(caught.value), str(caught.value)
    assert len(str(caught.value)) < 500


# -- classes ----------------------------------------------------------------------------------------------------------

HEAD = """from princeps import Bit, Blocks, Closed, Counted, PopulationProtocol, Range

def one(c, p):
    return c.leaders == 1

class Mine(PopulationProtocol):
    leader = Bit()
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}
"""
RULE = """    def interact(a, b, p):
        if a.leader == 1 and b.leader == 1:
            b.leader = 0
"""
CLASSES: dict[str, tuple[str, int, str]] = {
    "a text for a goal": (f'{RULE}    goals = {{"one": "leaders == 1"}}\n', 12, "write lambda c, p: c.leaders == 1."),
    "a text for a predicate": (
        f'{RULE}    predicates = {{"x": "leader == 1"}}\n',
        12,
        "write lambda a, p: a.leader == 1.",
    ),
    "no brackets": (f"{RULE}    x = Bit\n", 12, "x = Bit is no declaration: write Bit()."),
    "no brackets, for a name like ours": (f"{RULE}    isleader = Bit\n", 12, "write Bit()."),
    "no brackets, and no number": (f"{RULE}    x = Range\n", 12, "write Range(...)."),
    "a turned block": (
        f'{RULE}    starts = {{"initial": Blocks(lambda n, p: [({{"leader": 1}}, n)])}}\n',
        12,
        "the order is (how many, state), (4, {'leader': 1}).",
    ),
    "a text in Counted": (f'{RULE}    goals = {{"one": Counted("leaders == 1")}}\n', 12, "a function (c, p) is needed"),
    "a text for the rule": ('    interact = "a, b -> a"\n', 9, "a function (a, b, p) is needed"),
    "self": (RULE.replace("(a", "(self, a"), 9, "there is no object, write it with (a, b, p)"),
    "self instead of p": (RULE.replace("a, b, p", "self, a, b"), 9, "there is no object"),
    "toplogy": (f'{RULE}    toplogy = "any"\n', 12, "did you mean topology?"),
    "gaols": (f"{RULE}    gaols = {{}}\n", 12, "did you mean goals?"),
    "is_laeder": (f"{RULE}    def is_laeder(a, p):\n        return 1\n", 12, "did you mean is_leader?"),
}


@in_one_test("name", CLASSES)
def test_mistakes_in_a_class_are_told_with_file_and_line(name: str, tmp_path: Path) -> None:
    body, line, sentence = CLASSES[name]
    path = tmp_path / "mine.py"
    path.write_text(HEAD + body)
    with pytest.raises(ProtocolError) as caught:
        princeps.run(path, 4, **PLAIN)
    assert str(caught.value).startswith(f"{path}:{line}: "), str(caught.value)
    assert sentence in str(caught.value)


def test_what_can_be_understood_is(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(HEAD + RULE + '    goals = {"one": one}\n    colour = "red"\n    start_value = 3\n')
    results = [princeps.run(path, 6, until="one", seed=1, engine=engine) for engine in ("reference", "agents")]
    assert results[0].steps == results[1].steps
    assert results[0].steps == princeps.run("fratricide", 6, seed=1, engine="reference").steps


def test_a_class_may_be_given_to_protocol() -> None:
    cls = describe("fratricide").cls
    one: Any = np.int64(1)
    assert princeps.protocol(cls).delta({"leader": one}, {"leader": 1}) == ({"leader": 1}, {"leader": 0})


CALLS: dict[str, Callable[[Any], Any]] = {
    "fit": lambda found: princeps.fit(found)[0].law,
    "fit of one": lambda found: princeps.fit(found, protocol="fratricide")[0].law,
}


@pytest.mark.medium
def test_results_may_be_given_where_their_store_may(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"trials": 3, "jobs": 1, "engine": "reference", "store": tmp_path / "s.db"}
    found = princeps.sweep("fratricide", n=[8, 12, 16], **asked)
    for call in CALLS.values():
        assert call(found) == call(str(tmp_path / "s.db"))
    figure = princeps.plot(found)
    assert figure.picture.kind == "growth"
    assert figure.picture.output is None
    picture, shown = figure._repr_png_()
    assert picture.startswith(b"\x89PNG")
    assert shown["width"] == 490  # 3.5 inches, readable beside the text of a notebook
    assert not list(tmp_path.glob("*.svg"))
    princeps.plot(found, str(tmp_path / "x.svg"))
    princeps.plot(str(tmp_path / "s.db"), str(tmp_path / "y.svg"))
    assert (tmp_path / "x.svg").read_bytes() == (tmp_path / "y.svg").read_bytes()
    recorded = [princeps.run("fratricide", 20, record=["leaders"], seed=k, engine="reference") for k in range(2)]
    assert princeps.plot(recorded).picture.kind == "leaders"
    with pytest.raises(PrincepsError, match="recorded nothing"):
        princeps.plot(princeps.run("fratricide", 5, **PLAIN))


@pytest.mark.medium
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_results_as_a_frame(library: str, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"trials": 3, "jobs": 1, "engine": "reference", "store": tmp_path / "s.db"}
    found = princeps.sweep("fratricide", n=[8, 12], **asked)
    frame = {"pandas": found.to_pandas, "polars": found.to_polars}[library]
    if find_spec(library) is None:
        with pytest.raises(PrincepsError, match=f"needs {library}"):
            frame("trials")
        return
    assert len(frame("trials")) == 6
    assert len(frame()) == 2
