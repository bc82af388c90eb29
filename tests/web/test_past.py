"""The plot of a run that is opened after some of its steps."""

from __future__ import annotations

from itertools import count

import pytest

import princeps
from princeps.model.script_codes import code_of
from princeps.web import past
from princeps.web.actions import Actions
from princeps.web.branches import Held
from princeps.web.past import POINTS
from princeps.web.series import FAULT, GOAL, LEADERS
from princeps.web.watch import Watch


def opened(session: Held) -> Watch:
    watch = Watch()
    Actions(watch).perform("open", {"code": code_of(session.script)})
    return watch


@pytest.mark.medium
def test_an_opened_link_has_the_plot_of_its_past() -> None:
    session = princeps.session("fratricide", 12, seed=1, engine="agents")
    watched: list[tuple[int, int]] = [(0, 12)]
    while session.leaders > 1:
        session.next_leader_change()
        watched.append((session.steps, session.leaders))
    met = session.steps
    session.step(300 - met)
    session.corrupt(4)
    session.step(100)
    watch = opened(session)
    assert watch.branches is not None
    branch = watch.branches.current
    points = {step: leaders for step, leaders, _ in branch.series.points}
    assert len(points) > POINTS * 0.9
    assert max(points) == 400
    for step, leaders in points.items():
        if step < 300:
            assert leaders == next(there for at, there in reversed(watched) if at <= step)
    marks = branch.series.marks
    assert [step for step, kind, _ in marks if kind == LEADERS and step <= met] == [step for step, _ in watched[1:]]
    assert [step for step, kind, _ in marks if kind == FAULT] == [300]
    goals = [step for step, kind, _ in marks if kind == GOAL]
    assert goals[0] == met
    assert watch.status()["hit"] == (str(goals[-1]) if goals[-1] >= 300 else None)
    assert watch.session.steps == 400


def attacked() -> Held:
    session = princeps.session("fratricide", 12, seed=1, engine="agents")
    return session.step(300).corrupt(4).step(100)


def test_a_busy_machine_leaves_no_marks_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The story of six agents said that some changes are not marked, because other programs had the processor."""
    seconds = count(step=1.5 * past.MARKS_SECONDS / past.POINTS)
    monkeypatch.setattr(past, "perf_counter", lambda: next(seconds))
    watch = opened(attacked())
    assert watch.branches is not None
    series = watch.branches.current.series
    assert series.is_complete
    assert {kind for _, kind, _ in series.marks} == {LEADERS, GOAL, FAULT}


def test_attacks_are_marked_where_changes_are_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "MARKS_SECONDS", -1.0)
    watch = opened(attacked())
    assert watch.branches is not None
    series = watch.branches.current.series
    assert not series.is_complete
    assert [(step, kind) for step, kind, _ in series.marks] == [(300, FAULT)]


def test_an_opened_ring_has_the_plot_of_its_past() -> None:
    session = princeps.session("chang_roberts", 6, seed=1)
    session.run_until()
    watch = opened(session)
    assert watch.branches is not None
    points = {step: leaders for step, leaders, _ in watch.branches.current.series.points}
    assert set(points) == set(range(session.steps + 1))
    assert points[0] == 0
    assert points[session.steps] == 1


def test_steps_at_once_leave_points_between() -> None:
    watch = Watch()
    watch.begin(princeps.session("fratricide", 12, seed=1, engine="agents"))
    watch.step(320)
    assert watch.branches is not None
    points = [step for step, _, _ in watch.branches.current.series.points]
    assert points == sorted(points)
    assert len(points) >= 30


def test_what_comes_after_the_step_that_is_shown_has_its_curve() -> None:
    """A counterexample is opened at its first step; its plot was empty."""
    session = princeps.session("fratricide", 4, seed=1, engine="reference")
    session.meet(0, 1)
    session.torn(2, 3, "responder")
    session.goto(0)
    watch = Watch()
    watch.begin(session)
    assert (watch.session.steps, watch.session.last_step) == (0, 2)
    assert watch.branches is not None
    series = watch.branches.current.series
    assert [(step, leaders) for step, leaders, _ in series.points] == [(0, 4), (1, 3), (2, 2)]
    assert [step for step, kind, _ in series.marks if kind == FAULT] == [1, 2]
