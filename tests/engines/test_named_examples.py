"""The examples with named states, `match` and a table: compiled as in Python, and exactly."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import princeps
from tests.analysis import brute_force as brute

EXAMPLES = Path(__file__).parents[2] / "examples"
ZOMBIES, OPINIONS = str(EXAMPLES / "zombies.py"), str(EXAMPLES / "opinions.py")


@pytest.mark.medium
@pytest.mark.parametrize(("name", "start"), [(ZOMBIES, "random"), (OPINIONS, "initial")])
def test_agents_equal_the_reference(name: str, start: str) -> None:
    """State by state; the table's draws are the same ones."""
    sessions = [princeps.session(name, n=15, start=start, seed=5, engine=engine) for engine in ("reference", "agents")]
    seen = set()
    for _ in range(30):
        states = [[session.state(agent) for agent in range(15)] for session in sessions if session.step(3)]
        assert states[0] == states[1]
        seen.add(str(states[0]))
    assert len(seen) > 5


@pytest.mark.medium
def test_exact_values_and_their_names() -> None:
    """By hand: from A, A, B one step in 3/2 changes something, and the state that can follow is as far from the goal."""
    found = princeps.exact(OPINIONS, 3, rational=True)
    assert found.mean_exact == Fraction(3)
    run = brute.planned(OPINIONS, 3)
    configurations = brute.brute_space(run.protocol, run.topology)
    target = set(filter(brute.brute_member(run, "agreed"), configurations))
    times = brute.brute_times(run, configurations, target)
    assert princeps.exact(OPINIONS, 3, start="all").mean == pytest.approx(sum(times.values()) / len(times))
    assert str(found.worst_start) == "[{'state': A}, {'state': A}, {'state': B}]"
    assert json.loads(json.dumps(found.as_json()))["worst_start"][2] == {"state": 2}
    assert "A; A; B" in repr(found)


def test_a_counterexample_is_a_command_with_names() -> None:
    """On three agents in a row two leaders may remain at the ends."""
    found = princeps.exact(ZOMBIES, 3, graph="path", target="quiet", start="initial", force=True)
    assert not found.reachable
    assert found.trap is not None
    assert "states:LEADER;LEADER;LEADER" in found.trap.command
