"""Curves of runs that an engine does in one call: points within it, of the very same run."""

from __future__ import annotations

import pytest

import princeps
from princeps.engines.session import Session
from princeps.model.description import describe
from princeps.web.between import grid_between
from princeps.web.watch import Watch

N = 10**9


def played(name: str) -> Watch:
    """At full speed, to its goal."""
    watch = Watch()
    watch.open(describe(name, N, seed=1, engine="counts"))
    watch.set_speed(None)
    watch.play()
    while watch.playing:
        watch.tick()
    assert watch.note == "the goal is met"
    return watch


def points_of(watch: Watch) -> list[tuple[int, int, tuple[int, ...]]]:
    assert watch.branches is not None
    return watch.branches.current.series.points


@pytest.mark.medium
def test_an_epidemic_of_a_thousand_million_has_the_curve_of_its_growth() -> None:
    watch = played("epidemic")
    points = points_of(watch)
    infected = [leaders for _, leaders, _ in points]
    assert infected == sorted(infected)
    assert sum(N // 100 < count < N - N // 100 for count in infected) >= 10  # the steep part, which took one call
    assert all(census == (count,) for _, count, census in points)
    plain = princeps.session("epidemic", N, seed=1, engine="counts")
    assert isinstance(plain, Session)
    plain.run_until()
    assert (watch.session.steps, watch.session.leaders) == (plain.steps, plain.leaders)  # looking has changed nothing
    assert watch.session.command == plain.command


@pytest.mark.medium
def test_points_are_those_of_the_run() -> None:
    """As `--snapshots` shows them; where in a batch its interactions lie is drawn from one look to the next."""
    points = points_of(played("epidemic"))
    looked_at = princeps.run("epidemic", N, seed=1, engine="counts", snapshots=[step for step, _, _ in points])
    for step, count, _ in points:
        assert looked_at.snapshots[step].counts.get("infected=1", 0) == count


@pytest.mark.medium
def test_steps_that_are_typed_have_a_curve_as_well() -> None:
    watch = Watch()
    watch.open(describe("epidemic", N, seed=1, engine="counts"))
    watch.step(14 * N)
    while watch.seeking is not None:
        watch.tick()
    assert watch.session.steps == 14 * N
    assert sum(N // 100 < count < N - N // 100 for _, count, _ in points_of(watch)) >= 10


@pytest.mark.parametrize(("first", "last"), [(0, 1), (0, 2), (5, 70), (10**9, 10**17)])
def test_the_grid_lies_within(first: int, last: int) -> None:
    grid = grid_between(first, last)
    assert grid == sorted(set(grid))
    assert all(first < step < last for step in grid)
    assert len(grid) >= min(last - first - 1, 63)
