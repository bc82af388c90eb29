"""The first hit of the goal, and going to the next one: exact after links, attacks and long pasts."""

from __future__ import annotations

from typing import Any

import pytest

import princeps
from princeps.engines.session import Session
from princeps.model.script_codes import code_of
from princeps.web import past
from princeps.web.actions import Actions
from princeps.web.series import GOAL, LOST
from princeps.web.watch import Watch


def attacked(seed: int) -> Session:
    """Safe, and hit once after that."""
    session = princeps.session("p_rl", 4, seed=seed, engine="agents")
    assert isinstance(session, Session)
    session.run_until()
    return session.step(50).corrupt(1)


def opened(session: Any) -> Watch:
    watch = Watch()
    Actions(watch).perform("open", {"code": code_of(session.script)})
    watch.set_speed(None)
    return watch


def played(watch: Watch, most: int = 10**6) -> Watch:
    watch.play()
    while watch.playing and watch.session.steps < most:
        watch.tick()
    return watch


def sought(watch: Watch, ticks: int = 2000) -> int | None:
    watch.seek("goal")
    for _ in range(ticks):
        if watch.seeking is None:
            return watch.session.steps if watch.found else None
        watch.tick()
    raise AssertionError("it never ends")


def goals(watch: Watch) -> list[int]:
    assert watch.branches is not None
    return [step for step, kind, _ in watch.branches.current.series.marks if kind == GOAL]


@pytest.mark.medium
@pytest.mark.parametrize("more", [0, 1])
def test_a_link_that_is_played_on_keeps_its_attack(more: int) -> None:
    lost = 0
    for seed in range(12):
        plain = attacked(seed).step(more)
        at, lost = plain.steps, lost + (not plain.holds())
        watch = opened(plain)
        if watch.status()["hit"] is None:
            played(watch)
            assert plain.run_until()
            assert watch.session.steps == plain.steps
        assert watch.session.steps >= at
        assert [step for step, _ in watch.session.attacks] == [at - more]
    assert lost > 3


def test_a_goal_that_is_met_unseen_is_marked_where_it_was_met() -> None:
    plain = princeps.session("p_rl", 4, seed=1, engine="agents")
    assert isinstance(plain, Session)
    plain.run_until()
    watch = Watch()
    watch.begin(princeps.session("p_rl", 4, seed=1, engine="agents"))
    watch.advancing._tests.may = lambda hurries: False  # type: ignore[method-assign]  # there is no time to test
    watch.step(plain.steps + 100)
    assert watch.status()["hit"] == str(plain.steps)
    assert goals(watch) == [plain.steps]
    assert watch.session.steps == plain.steps + 100


@pytest.mark.medium
def test_the_next_goal_is_the_next_one_that_was_met() -> None:
    """Before an attack, after it, and none where the goal stays."""
    plain = princeps.session("p_rl", 12, seed=1, engine="agents")
    assert isinstance(plain, Session)
    plain.run_until()
    first = plain.steps
    watch = opened(princeps.session("p_rl", 12, seed=1, engine="agents"))
    assert sought(watch) == first
    watch.act("all lead", lambda one: [one.set(agent, leader=1) for agent in range(12)])
    second = sought(watch)
    assert second is not None
    assert second > first
    assert sought(watch) is None
    assert watch.note == "the goal holds, and stays"
    assert not watch.status()["stuck"]
    watch.step(10)
    watch.goto(0)
    assert (sought(watch), sought(watch), goals(watch)) == (first, second, [first, second])
    again = opened(watch.session)
    again.goto(0)
    assert (sought(again), sought(again)) == (first, second)
    again.goto(first - 1)
    again.act("corrupt", lambda one: one.corrupt(1))  # a branch knows what was before it
    third = sought(again)
    again.goto(0)
    assert sought(again) == third


@pytest.mark.parametrize("until", ["leader", "leaders == 1 and count(timer > 0) >= 0"])
def test_a_goal_that_is_lost_is_sought_again(until: str) -> None:
    given: dict[str, Any] = {"seed": 1, "engine": "reference", "t_max": 3, "until": until}
    plain = princeps.session("timer", 4, **given)
    assert isinstance(plain, Session)
    expected: list[int] = []
    held = plain.holds()
    while len(expected) < 3:
        plain.step()
        if plain.holds() and not held:
            expected.append(plain.steps)
        held = plain.holds()
    watch = opened(princeps.session("timer", 4, **given))
    assert [sought(watch) for _ in range(3)] == expected
    assert watch.status()["hit"] == "0"  # it holds at the start
    watch.goto(expected[0])
    assert sought(watch) == expected[1]


@pytest.mark.parametrize("engine", ["reference", "agents"])
@pytest.mark.parametrize("until", ["leader", "leaders == 1 and count(timer > 0) >= 0"])
def test_a_goal_that_is_lost_and_holds_again_is_marked_while_it_plays(until: str, engine: str) -> None:
    given: dict[str, Any] = {"seed": 1, "engine": engine, "t_max": 3, "until": until}
    plain = princeps.session("timer", 4, **given)
    assert isinstance(plain, Session)
    expected, held = [(0, GOAL)], True
    while len(expected) < 9:
        plain.step()
        if plain.holds() != held:
            held = not held
            expected.append((plain.steps, GOAL if held else LOST))
    watch = Watch()
    watch.begin(princeps.session("timer", 4, **given))
    clock = iter(range(10**6))
    watch.pace.clock = lambda: next(clock) / 50
    watch.set_speed(50)
    played(watch, plain.steps)
    assert watch.branches is not None
    marks = [(step, kind) for step, kind, _ in watch.branches.current.series.marks if kind in (GOAL, LOST)]
    assert [mark for mark in marks if mark[0] <= plain.steps] == expected
    assert watch.status()["hit"] == "0"
    assert watch.playing


def test_an_attack_that_ends_the_goal_is_marked() -> None:
    watch = opened(princeps.session("fratricide", 8, seed=1, engine="agents"))
    hit = played(watch).session.steps
    watch.act("two lead", lambda one: one.put([(1,)] * 2 + [(0,)] * 6))
    assert watch.branches is not None
    assert (hit, LOST) in [mark[:2] for mark in watch.branches.current.series.marks]
    assert goals(played(watch))[-1] > hit


def test_a_first_hit_that_took_too_long_to_find_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    session = princeps.session("p_rl", 4, seed=1, engine="agents")
    session.run_until()
    first = session.steps
    session.step(500)
    assert opened(session).status()["hit"] == str(first)
    monkeypatch.setattr(past, "MARKS_SECONDS", 0.0)
    watch = opened(session)
    assert watch.status()["hit"] is None
    assert goals(watch) == []
    watch.play()
    watch.tick()
    assert watch.playing  # it is not met for the first time now
    assert watch.status()["hit"] is None


def test_many_steps_pass_also_where_nothing_can_change() -> None:
    watch = opened(princeps.session("fratricide", 8, seed=1, engine="agents"))
    watch.step(100_000)
    while watch.seeking is not None:
        watch.tick()
    assert (watch.session.steps, watch.found) == (100_000, True)
