"""ABOUT: the view that fits a run, layouts of graphs, and numbers of states."""

from __future__ import annotations

import json
from time import thread_time
from typing import Any

import numpy as np
import pytest

import princeps
from princeps.web.about import about
from princeps.web.layouts import positions_of
from princeps.web.state_table import StateTable


def said(name: str, n: int | None = None, **given: Any) -> dict[str, Any]:
    given.setdefault("engine", "reference")
    found = about(princeps.session(name, n, seed=1, **given))
    json.dumps(found)
    return found


def test_views() -> None:
    assert said("p_rl", 60)["view"] == "circle"
    assert said("p_rl", 501)["view"] == "graph"
    assert said("fratricide", 30)["view"] == "pixels"
    assert said("fratricide", graph="torus:4x5", force=True)["view"] == "grid"
    assert about(princeps.session("b_k", labels="1,2,2", seed=1))["view"] == "messages"


def test_a_large_ring_is_a_circle() -> None:
    points = np.array(said("p_rl", 600)["positions"])
    assert np.allclose(np.hypot(*(points - 0.5).T), 0.47, atol=1e-3)


@pytest.mark.medium
def test_graphs_that_are_too_dense_to_draw_are_shown_as_pixels() -> None:
    dense = said("fratricide", 400, graph="er:0.3", force=True)
    assert (dense["view"], dense["arcs"], dense["positions"]) == ("pixels", None, None)
    assert len(said("fratricide", 1900, graph="regular:6", force=True)["arcs"]) == 5700
    assert said("fratricide", 1900, graph="regular:7", force=True)["view"] == "pixels"


@pytest.mark.medium
def test_a_layout_takes_a_moment() -> None:
    session: Any = princeps.session("fratricide", 2000, graph="regular:3", force=True, seed=1, engine="reference")
    began = thread_time()
    assert apart(positions_of(session.run.topology)) > 1e-4
    assert thread_time() - began < 2.5


def test_what_a_run_is() -> None:
    found = said("p_rl", 8, start="no_leader")
    assert (found["n"], found["params"], found["goal"]) == ("8", {"N": 8}, "s_rl")
    assert found["sentence"].startswith("P_RL: self-stabilizing leader election on directed rings")
    assert found["fields"][1] == {"name": "bullet", "size": 3, "names": ["none", "dummy", "live"]}
    assert {"name": "led", "doc": "somebody leads"} in found["goals"]
    assert found["arcs"] == [[i, i + 1] for i in range(7)] + [[7, 0]]
    assert found["abilities"]["goto"] == "any"
    assert found["positions"] is None  # on a circle the page places them


def apart(points: list[list[float]]) -> float:
    """The distance of the closest two."""
    at = np.array(points)
    between = np.sqrt(((at[:, None] - at[None]) ** 2).sum(axis=2))
    return float((between + 9 * np.eye(len(at))).min())


def test_layouts() -> None:
    grid = said("fratricide", graph="grid:3x4", force=True)["positions"]
    assert grid[0][1] == grid[3][1] < grid[4][1]
    assert grid[0][0] == grid[4][0] < grid[1][0]
    for graph, n in (("path", 17), ("star", 9), ("er:0.3", 30), ("regular:3", 40), ("list:0-1;1-2;2-0;2-3", None)):
        one = said("fratricide", n, graph=graph, force=True)
        points = one["positions"]
        assert len(points) == int(one["n"])
        assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in points)
        assert apart(points) > 0.2 / len(points), graph
        assert points == said("fratricide", n, graph=graph, force=True)["positions"]
        assert len({tuple(sorted(arc)) for arc in one["arcs"]}) == len(one["arcs"])  # each edge once


@pytest.mark.slow
def test_numbers_of_states() -> None:
    """Whether agents are objects, packed words or interned ids, they get the numbers of their states."""
    for engine in ("reference", "agents"):
        session: Any = princeps.session("p_rl", n=20, seed=3, engine=engine)
        table = StateTable(session.run.protocol)
        for _ in range(5):
            ids = table.ids(session)
            shown = [tuple(table.entries()[number]["f"]) for number in ids]
            assert shown == [tuple(map(int, session.population.state(agent))) for agent in range(20)]
            session.step(40)
        ids = table.ids(session)
        assert len(table.classes("leaders")) == len(table)
        leading = table.classes("leaders")[ids]
        assert int(leading.sum()) == session.leaders
        first = len(table) // 2
        assert table.entries(first) == table.entries()[first:]
