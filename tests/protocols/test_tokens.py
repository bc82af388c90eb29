"""Tokens on graphs: everything that can arise on small ones, in plain Python, and exact numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest

import princeps
from princeps.model.reading import make_run
from princeps.model.run import Run
from princeps.model.starts import starting_states
from tests.tables import in_one_test

Configuration = tuple[tuple[int, ...], ...]
GRAPHS = ("complete", "path", "undirected-ring", "ring", "star")
BLACK = 1


def steps_from(run: Run) -> dict[Configuration, set[Configuration]]:
    """Everything that can arise, and what one interaction makes of it."""
    arcs = [run.topology.arc(k) for k in range(run.topology.arc_count)]
    found: dict[Configuration, set[Configuration]] = {}
    waiting: list[Configuration] = [tuple(starting_states(run))]
    while waiting:
        here = waiting.pop()
        if here in found:
            continue
        found[here] = set()
        for i, j in arcs:
            after = list(here)
            after[i], after[j] = run.protocol.step(here[i], here[j])
            found[here].add(tuple(after))
        waiting += found[here]
    return found


@in_one_test(
    ("n", "graph"), [(n, graph) for n in (2, 3, 4) for graph in GRAPHS if (n, graph) != (2, "undirected-ring")]
)
def test_one_leader_remains_on_every_graph(n: int, graph: str) -> None:
    steps = steps_from(make_run("tokens", n, graph=graph))
    ends = {here for here in steps if sum(leader for leader, _ in here) == 1}
    for here in steps:
        assert sum(leader for leader, _ in here) == sum(token > 0 for _, token in here)
        assert any(token == BLACK for _, token in here)
        assert len({state for state in here if state == (1, 2)}) == 0  # no leader keeps a white token
    for here in ends:  # whoever leads alone, leads for ever
        assert {[leader for leader, _ in after].index(1) for after in steps[here]} == {[x for x, _ in here].index(1)}
        assert steps[here] <= ends
    reach = set(ends)
    while more := {here for here in steps if here not in reach and steps[here] & reach}:
        reach |= more
    assert reach == set(steps)


@pytest.mark.medium
@pytest.mark.parametrize(
    ("n", "graph", "expected"),
    [
        (2, "complete", "1"),
        (3, "complete", "35/8"),
        (4, "complete", "363/35"),
        pytest.param(4, "path", "299863/23100", marks=pytest.mark.slow),
        pytest.param(4, "star", "5083/420", marks=pytest.mark.slow),
    ],
)
def test_exact_numbers(n: int, graph: str, expected: str) -> None:
    found = princeps.exact("tokens", n, graph=graph, start="initial", rational=True)
    assert found.reachable
    assert found.mean_exact == Fraction(expected)


@pytest.mark.parametrize("graph", ["star", "torus:3x3", "er:0.5"])
def test_checked_runs_on_graphs(graph: str) -> None:
    """Its invariants, on every step."""
    result = princeps.run("tokens", n=9, graph=graph, seed=4, check=True)
    assert result.converged
    assert result.leaders == 1
