"""A conducted run equals `--engine reference` in every state, however many frames are lost and repeated."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from princeps.engines.population import StopCondition
from princeps.engines.reference import Reference
from princeps.errors import RunError
from princeps.model.registry import names
from princeps.network.linearize import BEGIN, PAIR, Linearizer
from princeps.network.memory import Conditions
from princeps.network.replay import AGREES
from princeps.network.virtual import VirtualRun
from tests.network.runs import read_run

HOSTILE = Conditions(loss=0.2, duplicates=0.2, delay=(0.0001, 0.01))  # frames overtake each other
PARAMS = {"p_pl": {"virus_factor": 2, "emit_factor": 1}}
STEPS = 100
EXAMPLES = Path(__file__).parents[2] / "examples"
OTHERS = [str(EXAMPLES / file) for file in ("lottery.py", "phoenix.py")]  # coins; coins and an oracle


@pytest.mark.parametrize("name", [*names("population"), *OTHERS])
def test_a_conducted_run_is_the_run_of_the_reference_engine(name: str) -> None:
    run = read_run(name, 10, seed=5, **PARAMS.get(name, {}))
    network = VirtualRun(run, conducted=True, limit=STEPS, to_goal=False, conditions=HOSTILE)
    network.run_until()
    network.finish()
    linearizer, reference, met = Linearizer(10), Reference(run), 0
    for event in linearizer.feed_all(map(json.loads, network.lines)):
        if event.kind == BEGIN:
            assert reference.state(event.i) == event.first
            continue
        assert event.kind == PAIR
        reference.advance(1, StopCondition.NOTHING)
        assert reference.last_pair == (event.i, event.j)
        assert (reference.state(event.i), reference.state(event.j)) == (event.first, event.second)
        met += 1
    assert met == STEPS
    assert [node.state for node in network.nodes] == reference.states
    assert network.replay.verdict == AGREES
    counters = network.linearizer.counters
    assert (counters.whole, counters.applied) == (STEPS, STEPS)
    assert counters.told("repeated") > STEPS / 2, "frames were lost"
    assert counters.told("duplicates") > STEPS, "and repeated"


@pytest.mark.parametrize("backwards", [False, True])
def test_interactions_are_in_the_order_of_the_conductor_however_logs_are_read(backwards: bool) -> None:
    """One log after the other: nothing but their numbers tells the order of interactions of different agents."""
    run = read_run("timer", 6, seed=5)
    network = VirtualRun(run, conducted=True, limit=60, to_goal=False, conditions=HOSTILE)
    network.run_until()
    network.finish()
    lines = sorted(map(json.loads, network.lines), key=lambda line: -line[1] if backwards else line[1])
    reference, met = Reference(run), list[tuple[int, int]]()
    for _ in range(60):
        reference.advance(1, StopCondition.NOTHING)
        assert reference.last_pair is not None
        met.append(reference.last_pair)

    def pairs(conducted: bool) -> list[tuple[int, int]]:
        return [(event.i, event.j) for event in Linearizer(6, conducted).feed_all(lines) if event.kind == PAIR]

    assert pairs(conducted=True) == met
    assert pairs(conducted=False) != met
    assert sorted(pairs(conducted=False)) == sorted(met)


def test_a_conducted_run_stops_at_its_goal() -> None:
    run = read_run("fratricide", 6, seed=3)
    network = VirtualRun(run, conducted=True)
    network.run_until()
    network.finish()
    reference = Reference(run)
    reference.advance_exactly(10**6, StopCondition.GOAL)
    assert network.replay.first_hit == network.replay.interactions == reference.steps


@pytest.mark.parametrize("name", [OTHERS[1], "fischer_jiang", "fischer_jiang_complete", "p_rl_oracle"])
def test_an_oracle_is_refused_in_free_mode(name: str) -> None:
    with pytest.raises(RunError, match="conducted"):
        VirtualRun(read_run(name, 5, seed=1))
