"""Free mode in virtual time: its law is that of the model, and where it is not, the result says so."""

from __future__ import annotations

from math import sqrt
from statistics import fmean, stdev
from typing import Any

import pytest
from scipy.stats import chi2

import princeps
from princeps.network.fairness import chi_square_tail, fairness
from princeps.network.memory import Conditions
from princeps.network.replay import AGREES
from princeps.network.virtual import VirtualRun
from tests.network.runs import read_run

ELECTIONS = 200


def elections(name: str, n: int, start: str, **how: Any) -> tuple[list[int], dict[tuple[int, int], int], VirtualRun]:
    """Interactions to the goal, one number an election, and how often each pair met."""
    found, pairs = [], dict[tuple[int, int], int]()
    for seed in range(ELECTIONS):
        network = VirtualRun(read_run(name, n, seed=seed, start=start), **how)
        network.run_until(goal=True)
        assert network.replay.first_hit is not None
        network.finish()
        assert network.replay.verdict == AGREES
        found.append(network.replay.first_hit)
        for pair, count in network.replay.pairs.items():
            pairs[pair] = pairs.get(pair, 0) + count
    return found, pairs, network


@pytest.mark.medium
@pytest.mark.parametrize(("name", "n", "start"), [("fratricide", 5, "initial"), ("timer", 3, "states:0,24;0,24;0,24")])
def test_interactions_to_the_goal_agree_with_the_exact_mean(name: str, n: int, start: str) -> None:
    found, pairs, network = elections(name, n, start, rate=0.05 / 0.0008 / (n - 1))
    exact = princeps.exact(name, n=n, start=start).mean
    assert exact is not None
    assert abs(fmean(found) - exact) < 4 * stdev(found) / sqrt(ELECTIONS)
    fair = fairness(pairs, network.run.topology)
    assert fair.p_value is not None
    assert fair.is_uniform, fair.sentence()


@pytest.mark.medium
def test_an_agent_20_times_slower_is_noticed() -> None:
    """Half of the time is spent on messages, so that being slow matters: the other agents meet one another."""
    found, pairs, network = elections("fratricide", 5, "initial", rate=150.0, conditions=Conditions(slow={3: 20.0}))
    fair = fairness(pairs, network.run.topology)
    assert not fair.is_uniform
    assert fair.slowest == 3
    assert fair.slowest_share < 0.8
    assert "not comparable with the model" in fair.sentence()
    assert abs(fmean(found) - 16) > 4 * stdev(found) / sqrt(ELECTIONS), "the power of the test above"


def test_agents_that_are_always_busy_meet_uniformly() -> None:
    """Refusals do not favour anybody where all are equally fast."""
    network = VirtualRun(read_run("timer", 6, seed=2), rate=1000.0)
    network.run_until(interactions=2000)
    network.finish()
    fair = network.observer.fairness
    assert fair.refused_share > 0.3
    assert fair.is_uniform, fair.sentence()


@pytest.mark.parametrize("graph", ["ring", "star", "path"])
def test_arcs_are_uniform_on_other_graphs(graph: str) -> None:
    """An agent's clock rings in proportion to its outgoing arcs: the centre of a star asks as often as all others."""
    network = VirtualRun(read_run("epidemic", 6, seed=2, graph=graph), rate=2.0)
    network.run_until(interactions=1000)
    network.finish()
    assert set(network.replay.pairs) == {network.run.topology.arc(k) for k in range(network.run.topology.arc_count)}
    assert network.observer.fairness.is_uniform, network.observer.fairness.sentence()


def test_draws_of_coins_are_logged_and_replayed() -> None:
    from tests.network.test_conducted import OTHERS

    network = VirtualRun(read_run(OTHERS[0], 6, seed=2), rate=2.0)
    network.run_until(interactions=200)
    network.finish()
    assert network.replay.verdict == AGREES
    assert any(line.startswith(b'["meet"') and not line.endswith(b",[]]\n") for line in network.lines)


def test_the_tail_of_chi_square() -> None:
    for x, degrees in ((3.84, 1), (0.5, 10), (89.0, 89), (200.0, 89), (1587.0, 1559), (4000.0, 1559)):
        assert chi_square_tail(x, degrees) == pytest.approx(chi2.sf(x, degrees), rel=1e-9)
