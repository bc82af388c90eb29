"""Footnote 1 and Lemma 3 of paper 004: what the checks look at, and that they see a fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from princeps.papers import DEMONSTRATED, SUPPORTED, VIOLATED
from princeps.papers.altered import altered
from princeps.papers.p_pl.partition import created, second_leader, unmoved
from princeps.papers.p_pl.propagating import Propagates
from princeps.papers.sources import place_of
from princeps.papers.walks import walk
from tests.papers.altering import verdict_of
from tests.tables import in_one_test


def test_leaderless_configurations_of_two_timers() -> None:
    """Timers of 0 to t_max: 15 multisets of two; the larger value falls by one at each meeting, to 0."""
    assert created(0, 5, protocol="timer", cases=[(2, {"t_max": 4})]) == {
        "configurations": 15,
        "never": 0,
        "example": "",
        "longest": 4,
    }


def test_ranks_come_round_to_the_leader() -> None:
    """Of two agents with rank 1 the second goes on to rank 0; from 1, 1, 1 of three by way of 1, 1, 2 and 1, 2, 2."""
    cases = [(2, {"size": 2}), (3, {"size": 3})]
    assert [created(k, 5, protocol="silent_ranking", cases=cases)["longest"] for k in (0, 1)] == [1, 3]


def test_a_rule_without_timeouts_creates_no_leader(tmp_path: Path) -> None:
    faithful = altered("timer", [("if t == 0:", "if t < 0:")], tmp_path)
    found = created(0, 5, protocol=faithful, cases=[(2, {"t_max": 4})])
    assert found["never"] == found["configurations"] == 15
    assert "(0, 0)" in found["example"]


def test_those_whom_the_leader_does_not_meet_elect_another() -> None:
    runs = second_leader(0, 5, protocol="timer", n=8, start="random", params={"t_max": 10}, trials=5)
    assert len(runs) == 5
    assert min(runs) >= 1


@pytest.mark.medium
def test_without_timeouts_there_is_no_second_leader(tmp_path: Path) -> None:
    faithful = altered("timer", [("if t == 0:", "if t < 0:")], tmp_path)
    assert second_leader(0, 5, protocol=faithful, n=6, start="random", params={"t_max": 10}, trials=1) == [-1]


def test_ranked_agents_stay_as_they_are(tmp_path: Path) -> None:
    assert unmoved(0, 5, protocol="silent_ranking", sizes=(3,)) == [36, 0]
    restless = altered("silent_ranking", [("if a.rank == b.rank:", "if a.rank >= b.rank:")], tmp_path)
    assert unmoved(0, 5, protocol=restless, sizes=(3,)) == [36, 18]


FASTER = ("max(a0.timerL - 1, a1.timerL - 1, 0)", "max(a0.timerL - 2, a1.timerL - 2, 0)")
ONE_WAY = ("a0.virus = a1.virus = max", "a1.virus = max")


@in_one_test(
    ("protocol", "params", "edit", "breaches"),
    [
        ("p_pl", {"N": 64, "virus_factor": 2, "emit_factor": 2}, None, False),
        ("p_pl", {"N": 64, "virus_factor": 2, "emit_factor": 2}, FASTER, True),
        ("p_pl", {"N": 64, "virus_factor": 2, "emit_factor": 2}, ONE_WAY, True),
        ("timer", {"t_max": 20}, None, False),
        ("timer", {"t_max": 20}, ("a.timer = b.timer = t\n", "b.timer = t\n"), True),
    ],
)
def test_values_are_carried(
    protocol: str, params: dict[str, int], edit: tuple[str, str] | None, breaches: bool, tmp_path: Path
) -> None:
    place = place_of(Propagates)
    name = protocol if edit is None else altered(protocol, [edit], tmp_path)
    cases = [{"n": 7, "params": params, "start": "random", "steps": 200}]
    found = walk(0, 5, protocol=name, cases=cases, watchers=[place])[place]
    assert found["cases"] > 500
    assert bool(found["breaches"]) == breaches


@pytest.mark.slow
def test_the_verdicts_can_fail(tmp_path: Path) -> None:
    assert verdict_of("004.foot1", tmp_path) == DEMONSTRATED
    slow = ("silent_ranking", "b.rank = (b.rank + 1) % p.size", "b.rank = min(b.rank + 1, p.size - 1)")
    assert verdict_of("004.foot1", tmp_path, slow) == VIOLATED
    assert verdict_of("004.lemma3", tmp_path) == SUPPORTED
    assert verdict_of("004.lemma3", tmp_path, ("p_pl", *ONE_WAY)) == VIOLATED
