"""A second session at the present point, and the next change of anything or of who leads."""

from __future__ import annotations

from typing import Any

import pytest

import princeps
from princeps.engines.counts import CountsPopulation
from princeps.engines.rings.session import RingSession
from princeps.engines.session import Session
from princeps.errors import RunError
from tests.engines.test_session import seen, session

CASES: list[tuple[str, int, dict[str, Any]]] = [
    ("p_rl", 20, {"engine": "reference"}),
    ("p_rl", 20, {"engine": "agents"}),
    ("p_rl", 40, {"engine": "events"}),
    ("fratricide", 40, {"engine": "events", "graph": "star", "force": True}),
    ("p_ll", 60, {"engine": "counts"}),
    ("fratricide", 3000, {"engine": "counts"}),
    ("p_rl", 6, {"pairs": [(k % 6, (k + 1) % 6) for k in range(900)]}),
]


@pytest.mark.medium
@pytest.mark.parametrize(("name", "n", "options"), CASES)
def test_a_fork_has_the_past_and_goes_its_own_way(name: str, n: int, options: dict[str, Any]) -> None:
    one = session(name, n, seed=4, **options)
    one.step(300).step(400).step(100)
    end = seen(one)
    one.goto(700)
    here = seen(one)
    twin = one.fork()
    assert seen(twin) == here
    assert twin.last_step == 700
    assert one.last_step == 800
    twin.corrupt(3).step(50)
    assert seen(one) == here
    assert seen(one.goto(800)) == end
    assert seen(twin.goto(700 if options.get("engine") == "counts" else 750).goto(0)) == seen(one.goto(0))
    again = princeps.session(name, n, seed=4, **options).perform(twin.goto(twin.last_step).script)
    assert seen(again) == seen(twin)
    untouched = one.goto(700).fork().step(100)  # the same future, since nobody touched it
    assert seen(untouched) == end


def test_a_fork_after_the_agents_of_counts_were_listed_is_its_own() -> None:
    one = session("p_ll", 60, seed=4, engine="counts").step(300)
    counts = one.population
    assert isinstance(counts, CountsPopulation)
    counts._list_agents()
    one.step(300).step(100)
    here = seen(one)
    twin = one.fork()
    twin.corrupt(5).step(500).goto(600).corrupt(1).step(10)
    assert seen(one) == here


@pytest.mark.parametrize(("name", "n", "options"), [case for case in CASES if case[2].get("engine") != "counts"])
def test_the_next_changes_are_those_that_single_steps_show(name: str, n: int, options: dict[str, Any]) -> None:
    plain, steps = session(name, n, seed=2, **options), 600
    changes, leads = [], []
    for _ in range(steps):
        before = {field: values.copy() for field, values in plain.configuration.items()}
        led = [plain.run.protocol.leads(plain.population.state(agent)) for agent in range(n)]
        plain.step()
        if any((before[field] != values).any() for field, values in plain.configuration.items()):
            changes.append(plain.steps)
        if led != [plain.run.protocol.leads(plain.population.state(agent)) for agent in range(n)]:
            leads.append(plain.steps)
    assert changes
    assert leads
    for known in (False, True):  # new steps, and steps of the past
        for which, expected in (("next_change", changes), ("next_leader_change", leads)):
            one = session(name, n, seed=2, **options)
            if known:
                one.step(steps).goto(0)
            found = []
            while one.steps < steps and getattr(one, which)(max_steps=steps - one.steps):
                found.append(one.steps)
            assert found == expected
            assert seen(one.step(steps - one.steps)) == seen(plain)


def test_an_attack_of_the_past_is_a_change_where_it_changes_something() -> None:
    one = session("fratricide", 12, seed=1, engine="agents", max_steps=10**5)
    one.run_until()
    at = one.steps
    follower = next(agent for agent in range(12) if agent != one.leader)
    leader = one.leader
    one.step(50).set(follower, leader=0).dead(follower).set(leader, leader=0)
    assert one.leaders == 0
    one.goto(at)
    assert one.next_change()
    assert one.steps == at + 50
    assert one.leaders == 0
    one.goto(at)
    assert one.next_leader_change()
    assert one.steps == at + 50
    assert not one.next_change()
    assert one.steps == at + 50
    assert not one.next_leader_change()


def test_an_engine_that_draws_batches_says_what_to_use() -> None:
    one = session("p_ll", 60, seed=1, engine="counts")
    for ask in (one.next_change, one.next_leader_change):
        with pytest.raises(RunError, match='does not stop within one at a change: use engine="agents"'):
            ask()


def test_a_fork_of_a_ring_and_its_next_leader() -> None:
    one = princeps.session("peterson", labels="3,1,4,2", schedule="random", seed=5)
    assert isinstance(one, RingSession)
    one.step(8)
    here = one.configuration, one.under_way, one.last_event
    twin = one.fork()
    assert isinstance(twin, RingSession)
    assert not isinstance(twin, Session)
    assert twin.next_leader_change()
    assert twin.leaders == 1
    at = twin.steps
    twin.back(1)
    assert twin.leaders == 0
    assert (one.configuration, one.under_way, one.last_event) == here
    one.run_until()
    assert one.goto(at).leaders == 1
    assert one.goto(at - 1).leaders == 0
    while one.next_change():
        pass
    assert one.over
    assert one.next_leader_change() is False


def test_where_a_session_of_batches_stood() -> None:
    one = session("fratricide", 3000, seed=1, engine="counts").step(1000).step(500).corrupt(1).step(10)
    assert [one.standing_points(step) for step in (0, 5, 1000, 1200, 1500, 1509, 1510, 9999)] == [
        (0, 0), (0, 1000), (1000, 1000), (1000, 1500), (1500, 1500), (1500, 1510), (1510, 1510), (1510, 1510),
    ]  # fmt: skip
    assert one.whole_script == one.script
    assert one.goto(1000).whole_script.events != one.script.events


@pytest.mark.parametrize("engine", ["reference", pytest.param("agents", marks=pytest.mark.medium)])
def test_changes_of_leaders_that_are_noted_are_those_that_are_stopped_at(engine: str) -> None:
    one, two, noted, stopped = *(session("p_rl", 20, seed=4, engine=engine) for _ in range(2)), [], []

    def note() -> bool:
        noted.append((one.steps, one.leaders))
        return len(noted) == 3

    assert one.step_noting(5000, note)
    assert one.last_step == one.steps == noted[-1][0] < 5000  # where it was told to stop
    note_all = one.step_noting(5000 - one.steps, lambda: note() and False)
    assert not note_all
    while two.steps < 5000 and two.next_leader_change(max_steps=5000 - two.steps):
        stopped.append((two.steps, two.leaders))
    assert len(stopped) > 5
    assert noted == stopped
    assert seen(one) == seen(two.step(5000 - two.steps))
    assert seen(one.goto(noted[0][0])) == seen(two.goto(noted[0][0]))
