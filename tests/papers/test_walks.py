"""A walk goes through the configurations of the run that it names, under every scheduler."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from princeps.engines.reference import Reference
from princeps.model.fields import Agent
from princeps.model.reading import make_run
from princeps.model.starts import starting_states
from princeps.papers.measures import census
from princeps.papers.walks import Config, Watcher, walk

STEPS = 400
FIELDS = tuple(make_run("p_ll", 5).protocol.fields)


class Recorder(Watcher):
    """Keeps what it has seen last."""

    last: ClassVar[list[Any]] = []
    met_themselves: ClassVar[int] = 0

    def look(self, u: Config, i: int, j: int, a: Agent, b: Agent) -> str | None:
        Recorder.last = [tuple(getattr(agent, name) for name in FIELDS) for agent in u]
        Recorder.met_themselves += i == j
        self.cases += 1
        return None


@pytest.mark.parametrize("scheduler", ["uniform", "self-meeting", "bursts"])
def test_a_walk_is_the_run_with_its_seed(scheduler: str) -> None:
    Recorder.met_themselves = 0
    case = {"n": 5, "steps": STEPS, "scheduler": scheduler, "params": {"m": 3}}
    found = walk(0, 7, protocol="p_ll", cases=[case], watchers=[f"{__name__}:Recorder"])
    population = Reference(make_run("p_ll", 5, scheduler=scheduler, seed=7, force=True, params={"m": 3}))
    population.advance_exactly(STEPS)
    assert Recorder.last == [tuple(state) for state in population.states]
    assert (Recorder.met_themselves > 0) == (scheduler == "self-meeting")
    assert found[f"{__name__}:Recorder"] == {"steps": STEPS, "cases": STEPS, "breaches": 0, "breach": ""}


# -- a census ----------------------------------------------------------------------------------------------------------


def test_a_census_counts_what_the_run_of_that_trial_has_at_each_step() -> None:
    at, count = [0, 5, 40], {"led": "leader == 1", "not led": "leader == 0"}
    found = census(1, 7, protocol="fratricide", n=8, at=at, count=count, trials=2, engine="reference")
    for rows, trial in zip(found, (2, 3), strict=True):
        states = starting_states(run := make_run("fratricide", 8, seed=7, trial=trial, engine="reference"))
        pairs, led = run.meetings(), []
        for step in range(at[-1] + 1):
            if step in at:
                led.append(sum(run.protocol.space.name_values(state)["leader"] for state in states))
            i, j = next(pairs)
            states[i], states[j] = run.protocol.step(states[i], states[j])
        assert rows == [[leaders, 8 - leaders] for leaders in led]
        assert led[0] == 8 > led[1] > led[2]
