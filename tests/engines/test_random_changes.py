"""Faults on many agents: compiled draws are those of plain Python, and agents are overwritten at once as one by one."""

from __future__ import annotations

from time import thread_time
from typing import Any

import pytest

import princeps
from princeps.engines import numbered_agents, random_changes
from princeps.engines.session import Session
from princeps.errors import StateError
from princeps.model.randomness import Stream
from princeps.model.script_codes import code_of


def session_of(name: str, n: int, engine: str = "agents") -> Session:
    made = princeps.session(name, n, seed=1, engine=engine)
    assert isinstance(made, Session)
    return made


@pytest.mark.parametrize("name", ["p_ll", "p_rl", "numbered"])  # groups of states, one of them, inputs
@pytest.mark.parametrize("size", [150, 40])  # drawn by a shuffle, and one by one
def test_compiled_draws_are_those_of_plain_python(name: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    population = session_of(name, 200).population
    plain, quick = Stream.of(1, 0, "faults"), Stream.of(1, 0, "faults")
    expected = random_changes.random_changes(population, plain, size)
    monkeypatch.setattr(random_changes, "MANY", 10)
    assert random_changes.random_changes(population, quick, size) == expected
    assert quick.words == plain.words
    begun = Stream.of(1, 0, "faults")
    drawn = begun.words_to(plain.words)
    assert random_changes.words_drawn(begun, plain, random_changes.least_draws(200, size, False)) == drawn
    random_changes.skip(begun, drawn)
    assert begun.words == plain.words


@pytest.mark.parametrize("name", ["p_ll", "fratricide", "numbered"])
def test_many_agents_are_overwritten_as_one_by_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def attacked() -> tuple[Any, ...]:
        session = session_of(name, 300).step(500).corrupt(200)
        states = list(zip(*(column.tolist() for column in session.configuration.values()), strict=True))
        session.step(300).put(states)
        return session.leaders, session.step(500).counts, session.script.events

    at_once = attacked()
    monkeypatch.setattr(numbered_agents, "MAX_SINGLE_CHANGES", 10**9)
    assert attacked() == at_once


def test_everybody_is_put_into_legal_states_only() -> None:
    session = session_of("fratricide", 3)
    with pytest.raises(StateError, match="2 states are given for 3 agents"):
        session.put([(0,), (1,)])
    with pytest.raises(StateError, match="agent 2"):
        session.put([(0,), (1,), (2,)])
    assert session.put([(0,), (1,), (0,)]).leaders == 1
    assert princeps.replay(code_of(session.script)).counts == session.counts


@pytest.mark.medium
def test_a_fault_on_all_of_many_agents_takes_no_time() -> None:
    """One by one it takes some twenty microseconds an agent."""
    session_of("fratricide", 3000).corrupt(3000)  # what is compiled is loaded
    session = session_of("fratricide", 200_000)
    began = thread_time()
    session.corrupt(200_000)
    assert thread_time() - began < 1.5
    assert 90_000 < session.leaders < 110_000
