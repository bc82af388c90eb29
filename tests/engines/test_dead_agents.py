"""A dead agent is no part of the population until it is alive again: it does not lead, and no goal is met by it."""

from __future__ import annotations

import random
from typing import Any

import pytest

import princeps
from princeps.engines.session import Session

ENGINES = ("reference", "agents")


def session(name: str, n: int, **options: Any) -> Session:
    made = princeps.session(name, n, **options)
    assert isinstance(made, Session)
    return made


@pytest.mark.parametrize("engine", ENGINES)
def test_those_who_are_left_elect_another_leader(engine: str) -> None:
    """Timers run out among the others. If the dead one counted, two would lead for ever."""
    one = session("timer", 8, seed=1, engine=engine)
    assert one.run_until()
    first, at = one.leader, one.steps
    assert first is not None
    one.step(5).dead(first)
    assert (one.leaders, one.leader, one.holds(), one.census["leaders"]) == (0, None, False, 0)
    assert one.run_until(max_steps=100_000)
    assert one.steps > at + 5
    assert one.leaders == 1
    assert one.leader not in (None, first)
    one.set(first, leader=0).set(first, leader=1)
    assert one.leaders == 1, "whatever its state is"
    one.alive(first)
    assert (one.leaders, one.leader, one.holds()) == (2, None, False)
    one.goto(at)
    assert (one.leaders, one.leader) == (1, first)
    assert one.next_leader_change()
    assert (one.steps, one.leaders) == (at + 5, 0), "its death is a change of who leads"


@pytest.mark.parametrize("engine", ENGINES)
def test_a_goal_on_counts_is_one_of_those_who_are_left(engine: str) -> None:
    one = session("epidemic", 6, seed=1, engine=engine, until="count(infected == 1) == n")
    healthy = next(agent for agent in range(6) if not one.state(agent)["infected"])
    one.dead(healthy)
    assert one.run_until(max_steps=10_000), "all of the five others"
    assert not one.state(healthy)["infected"]
    assert one.holds("n == 5")
    assert not one.alive(healthy).holds()
    assert one.run_until(max_steps=10_000)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_goal_on_the_whole_configuration_does_not_hold_while_somebody_is_dead(engine: str) -> None:
    one = session("p_rl", 8, seed=1, engine=engine)
    assert one.run_until()
    assert not one.dead(3).holds()
    assert not one.run_until(max_steps=2000)
    assert one.alive(3).run_until()


def test_counts_are_those_of_the_living_whatever_is_done() -> None:
    """Both engines, beside a count of all states; overwriting one agent, many at once, goals that count something else."""
    draw = random.Random(1)
    both = [session("p_rl", 80, seed=2, engine=engine) for engine in ENGINES]
    for round_ in range(60):
        agent, deed = draw.randrange(80), draw.randrange(5)
        for one in both:
            if deed == 0:
                one.dead(agent)
            elif deed == 1:
                one.alive(agent)
            elif deed == 2:
                one.set(agent, leader=round_ % 2)
            elif deed == 3:
                one.corrupt(70 if round_ % 3 else 2)
            one.step(50)
            one.run_until("leader" if round_ % 2 else "s_rl", max_steps=1)
        first, second = both
        leading = [k for k in range(80) if first.state(k)["leader"] and k not in first.dead_agents]
        assert first.leaders == second.leaders == first.census["leaders"] == second.census["leaders"] == len(leading)
        assert first.leader == second.leader == (leading[0] if len(leading) == 1 else None)
        assert first.holds("leader") == second.holds("leader") == (len(leading) == 1)
    assert both[0].dead_agents


def test_a_check_promises_nothing_after_a_death() -> None:
    """fratricide has an invariant: somebody leads."""
    one = session("fratricide", 6, seed=1, engine="reference", check=True)
    assert one.run_until()
    assert one.leader is not None
    one.dead(one.leader).step(100)
    assert one.leaders == 0
