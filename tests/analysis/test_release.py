"""In a long session nothing of an analysis outlives its result."""

from __future__ import annotations

import gc
from typing import Any
from weakref import WeakSet

import pytest

import princeps
from princeps.analysis.agent_states import AgentStates
from princeps.analysis.configurations import Configurations
from princeps.analysis.goal_tables import GoalTables
from princeps.analysis.hitting_problem import HittingProblem
from princeps.analysis.state_space import StateSpace


def test_only_the_result_of_an_analysis_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    alive: WeakSet[Any] = WeakSet()
    created: set[str] = set()
    for cls in (AgentStates, Configurations, GoalTables, HittingProblem, StateSpace):

        def create(self: Any, *given: Any, _actual: Any = cls.__init__, **named: Any) -> None:
            _actual(self, *given, **named)
            alive.add(self)
            created.add(type(self).__name__)

        monkeypatch.setattr(cls, "__init__", create)
    results = [
        princeps.exact("p_rl", 2, N=2, lemmas=True, sets=True, hold=True, variance=True, leaders=True),
        princeps.exact("timer", 3, t_max=2, rational=True, distribution=True),
        princeps.exact("epidemic", 5),
    ]
    assert created == {"AgentStates", "Configurations", "GoalTables", "HittingProblem", "StateSpace"}
    gc.collect()
    assert not list(alive)
    assert len(results) == 3
