"""A walk goes through the configurations of the run that it names, under every scheduler."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from princeps.engines.reference import Reference
from princeps.model.fields import Agent
from princeps.model.reading import make_run
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
