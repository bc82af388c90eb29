"""Interned or packed: a run is the same, whatever form the agents are held in and whenever it changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from princeps.engines import forms, starting, switching
from princeps.engines.agents import Agents
from princeps.engines.forms import Interned, Packed, interned, new_table
from princeps.engines.population import Stop, StopCondition
from princeps.engines.reference import Reference
from princeps.engines.switching import is_hopeless
from princeps.lowering.interning import MIN_STATES
from princeps.model.protocol import Counted
from princeps.model.reading import make_run
from tests.conftest import Sized
from tests.engines.test_engines import SMALL, small_run, states_of


def intern_again(population: Agents) -> None:
    form = interned(population.kernels, population.form.words(), new_table(population.kernels, population.predicates))
    assert form is not None
    population.form = form


QUICK = ("p_rl", "numbered", "majority")  # each protocol has a packed kernel of its own, seconds to compile


def keep_packed(population: Agents, turn: int) -> None:
    population.form = Packed(population.kernels, population.form.words())


def keep_interned(population: Agents, turn: int) -> None:
    intern_again(population)


def take_turns(population: Agents, turn: int) -> None:
    (keep_packed if turn % 2 else keep_interned)(population, turn)


# Where two states have no one result that could be remembered, agents are never ids (forms.py).
CHANGES = [
    pytest.param(name, change, marks=[] if name in QUICK else [pytest.mark.slow])
    for name in SMALL
    for change in (keep_packed, keep_interned, take_turns)
    if change is keep_packed or not small_run(name).protocol.has_choices
]
KEPT = [case for case in CHANGES if case.values[1] is not take_turns]


@pytest.mark.parametrize("name", [name for name in SMALL if small_run(name).protocol.has_choices])
def test_agents_that_toss_coins_are_always_packed(name: str) -> None:
    population = Agents(small_run(name))
    for _ in range(20):
        assert isinstance(population.form, Packed)
        population.advance(100, StopCondition.NOTHING)


@pytest.mark.parametrize(("name", "change"), CHANGES)
def test_a_form_does_not_change_the_trajectory(name: str, change: Callable[[Agents, int], None]) -> None:
    """States, counts, events and goals after every stretch are those of the reference."""
    reference, compiled = Reference(small_run(name)), Agents(small_run(name))
    for turn in range(40):
        change(compiled, turn)
        stretch = 1 + 37 * (turn % 5)
        reference.advance(stretch, StopCondition.NOTHING)
        compiled.advance(stretch, StopCondition.NOTHING)
        assert states_of(compiled) == states_of(reference)
        assert (compiled.steps, compiled.events, compiled.leaders) == (
            reference.done,
            reference.events,
            reference.leaders,
        )
        assert compiled.holds() == reference.holds()
        assert compiled.leader() == reference.leader()


@pytest.mark.parametrize(("name", "change"), KEPT)
def test_both_forms_stop_at_the_same_step(name: str, change: Callable[[Agents, int], None], sized: Sized) -> None:
    """At the goal of a run that asks for none, or at each of them: all must be compiled into the packed form."""
    goals = [until for until, goal in type(small_run(name).protocol).all_goals().items() if isinstance(goal, Counted)]
    goals.sort(key=lambda until: until != small_run(name).until)
    for until in goals[: sized(1, len(goals))]:
        for watch in (StopCondition.GOAL, StopCondition.OUTPUT):
            reference, compiled = (make(small_run(name, until=until)) for make in (Reference, Agents))
            change(compiled, 0)
            if watch is StopCondition.GOAL and reference.holds():
                continue  # nobody asks when a goal that is met will be met
            for _ in range(5):
                stopped = reference.advance(2000, watch), compiled.advance(2000, watch)
                assert stopped[0] == stopped[1]
                assert compiled.steps == reference.steps
                if stopped[0] is Stop.FULFILLED and watch is StopCondition.GOAL:
                    break


@pytest.mark.slow
def test_a_book_that_overflows_forgets_or_gives_up_without_a_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for 16 states P_LL grows the state table, drops states nobody is in, and at last packs: the run is the same."""
    monkeypatch.setattr(forms, "MIN_STATES", 4)
    monkeypatch.setattr(forms, "MAX_STATES", 16)
    monkeypatch.setattr(switching, "TRIAL", 700)
    monkeypatch.setattr(switching, "FORGET", 0)
    seen: set[str] = set()
    original = Interned.make_room

    def make_room(form: Interned) -> bool:
        before = form.state_table.capacity
        done = original(form)
        seen.add("packed" if not done else "grown" if form.state_table.capacity > before else "forgotten")
        return done

    monkeypatch.setattr(Interned, "make_room", make_room)
    for n in (6, 30):
        run = make_run("p_ll", n, seed=3, params={"m": 5})
        reference, compiled = Reference(run), Agents(run)
        for _ in range(60):
            reference.advance(100, StopCondition.NOTHING)
            compiled.advance(100, StopCondition.NOTHING)
            assert states_of(compiled) == states_of(reference)
            seen.add(type(compiled.form).__name__)
    assert seen == {"grown", "forgotten", "packed", "Interned", "Packed"}


@pytest.mark.slow
def test_states_are_not_forgotten_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "MIN_STATES", 4)
    monkeypatch.setattr(forms, "MAX_STATES", 16)
    run = make_run("p_ll", 6, seed=3, params={"m": 5})
    reference, compiled = Reference(run), Agents(run)
    reference.advance(1000, StopCondition.NOTHING)
    compiled.advance(1000, StopCondition.NOTHING)
    assert isinstance(compiled.form, Packed)
    assert states_of(compiled) == states_of(reference)


@pytest.mark.medium
def test_a_trial_decides_by_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every pair is new the agents are packed, and tried again later; where few are they stay interned."""
    monkeypatch.setattr(switching, "TRIAL", 50)
    population = Agents(make_run("p_ll", 200, seed=3))
    forms_seen = []
    for _ in range(400):
        population.advance(25, StopCondition.NOTHING)
        forms_seen.append(type(population.form).__name__)
    assert forms_seen[0] == "Interned"
    assert {"Interned", "Packed"} == set(forms_seen)
    steady = Agents(small_run("fratricide", n=50))
    steady.advance(5000, StopCondition.NOTHING)
    assert isinstance(steady.form, Interned)


@pytest.mark.parametrize("makes_sure", [True, False])
def test_interning_is_not_tried_again_where_it_cannot_pay(makes_sure: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody is in a state of their own; a probe, where one is made nevertheless, comes to the same."""
    tried: list[int] = []

    def noted(*given: Any) -> Any:
        tried.append(len(given))
        return interned(*given)

    population = Agents(make_run("numbered", 400, seed=3))
    assert isinstance(population.form, Packed)
    assert is_hopeless(population.form.agents)
    monkeypatch.setattr(switching, "interned", noted)
    if not makes_sure:
        monkeypatch.setattr(switching, "is_hopeless", lambda words: False)
    population.switch.ends = 5
    population.advance_exactly(6 + switching.PROBE)
    assert len(tried) == (0 if makes_sure else 1)
    assert isinstance(population.form, Packed)


def test_neighbours_that_meet_again_and_again_are_interned_again() -> None:
    """On a ring a pair is soon one that was seen before, though all agents are in different states."""
    population = Agents(make_run("p_rl", 400, seed=3, engine="agents"))
    assert isinstance(population.form, Packed)
    assert is_hopeless(population.form.agents)
    population.switch.ends = 5
    population.advance_exactly(6 + switching.PROBE)
    assert isinstance(population.form, Interned)


def test_what_makes_interning_hopeless() -> None:
    many = np.arange(5000, dtype=np.uint32)
    assert is_hopeless(many)
    assert is_hopeless(many.reshape(-1, 2).astype(np.int64))
    assert is_hopeless(many % 1000)
    assert not is_hopeless(many % 40)
    assert not is_hopeless(np.stack([many % 5, many % 7], axis=1).astype(np.int64))
    assert not is_hopeless(np.where(many % 3 == 0, 7, many))  # a third of them are alike
    assert not is_hopeless(np.arange(2, dtype=np.uint32) * 0)
    assert not is_hopeless(np.arange(100, dtype=np.uint32) // 2 * 0)


def test_a_snapshot_outlives_its_state_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "MIN_STATES", 4)
    monkeypatch.setattr(forms, "MAX_STATES", 32)
    monkeypatch.setattr(starting, "CROWD", 10**6)
    for seed in range(6):
        wanted = Reference(small_run("p_rl", n=10, seed=seed))
        while wanted.advance(1, StopCondition.GOAL) is not Stop.FULFILLED:
            pass
        population = Agents(small_run("p_rl", n=10, seed=seed))
        while population.advance(500, StopCondition.GOAL) is not Stop.FULFILLED:
            pass
        assert population.steps == wanted.steps


def test_a_fault_may_bring_more_states_than_the_book_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "MIN_STATES", 4)
    monkeypatch.setattr(forms, "MAX_STATES", 8)
    population = Agents(small_run("p_rl", n=30, start="all_leaders"))
    assert isinstance(population.form, Interned)
    names = population.run.protocol.space.names
    changes = [(k, tuple(k if name == "distL" else 0 for name in names)) for k in range(30)]
    population.overwrite(changes)
    assert states_of(population) == [state for _, state in changes]
    assert isinstance(population.form, Packed)


def test_agents_in_states_of_their_own_are_packed_from_the_start() -> None:
    assert isinstance(Agents(small_run("p_rl", n=400)).form, Packed)
    assert isinstance(Agents(small_run("p_rl", n=400, start="all_leaders")).form, Interned)


def test_interned_agents_are_counted_also_when_their_ids_mean_other_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is remembered of an id is forgotten with its table."""
    monkeypatch.setattr(forms, "MAX_STATES", MIN_STATES)
    population = Agents(small_run("p_rl"))
    intern_again(population)
    predicates = list(type(population.run.protocol).all_predicates().values())

    def by_hand() -> list[int]:
        protocol, states = population.run.protocol, [population.state(agent) for agent in range(population.run.n)]
        agents = [protocol.agent(state) for state in states]  # type: ignore[call-arg]
        return [sum(bool(protocol.ask(one, agent, protocol.constants)) for agent in agents) for one in predicates]

    found = []
    for turn in range(60):
        assert isinstance(population.form, Interned)
        assert population.census(predicates) == by_hand()
        found.append(population.census(predicates))
        if turn % 3 == 0:
            assert population.form.make_room()  # the states that nobody is in are forgotten
        elif turn % 3 == 1:
            population.overwrite([(agent, population.state(0)) for agent in range(0, population.run.n, 3)])
            intern_again(population)
        population.advance_exactly(1 + turn)
        if not isinstance(population.form, Interned):
            intern_again(population)
    assert len(set(map(tuple, found))) > 3
