"""The bars of network runs (verification/network_bars), smaller: `make network-bars` measures them at full size."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.engines.reference import Reference
from princeps.model.registry import names
from princeps.network.linearize import BEGIN, PAIR, Event
from princeps.network.planning import MEMORY, Plan
from princeps.network.running import run_network
from tests.network.runs import read_run

sys.path.append(str(Path(__file__).parents[2] / "verification"))
attacks: Any = __import__("network_bars.attacks").attacks
conducted: Any = __import__("network_bars.conducted").conducted
elections: Any = __import__("network_bars.elections").elections
rows: Any = __import__("network_bars.rows").rows
storms: Any = __import__("network_bars.storms").storms
bars: Any = __import__("network_bars.__main__").__main__

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


# -- what is measured, without processes -------------------------------------------------------------------------------


def test_a_conducted_run_that_differs_is_noticed() -> None:
    run = read_run("timer", 4, seed=1)
    reference, ahead = Reference(run), Reference(run)
    ahead.advance_exactly(1)
    assert ahead.last_pair is not None
    i, j = ahead.last_pair
    good = Event(PAIR, i, j, (), ahead.state(i), ahead.state(j))
    begin = Event(BEGIN, i, -1, (), reference.state(i), reference.state(i))
    for events, differs in (
        ([begin, good], False),
        ([good._replace(i=j, j=i, first=good.second, second=good.first)], True),
        ([good._replace(first=(1 - good.first[0], good.first[1]))], True),
        ([good._replace(second=(1 - good.second[0], good.second[1]))], True),
        ([good._replace(kind="torn")], True),
    ):
        comparison = conducted.Comparison(Reference(run))
        for event in events:
            comparison.see(event)
        assert bool(comparison.difference) == differs, events


@pytest.mark.medium
def test_a_storm_is_judged_by_the_law_of_recovery() -> None:
    """In virtual time; the law of the timer is not that of random states alone."""
    run = read_run("timer", 6, seed=1, start="random")
    chaos = storms.read_chaos(storms.plan_of_faults(6, 4.0), 6)
    result = run_network(run, Plan(transport=MEMORY, duration=20.0, chaos=chaos))
    assert len(result.recoveries) in (8, 9), "every half of a second up to the fourth; then a leader, if there is one"
    allowed = storms.allowed_interactions(run, 20)
    found = storms.Storm(result, allowed, 8, 0)
    assert found.holds
    assert not replace(found, tracebacks=1).holds
    assert not replace(found, result=replace(result, replay="after 3 interactions")).holds
    assert not replace(found, result=replace(result, counters={**result.counters, "torn": 1})).holds
    late = [*result.recoveries[:-1], {**result.recoveries[-1], "interactions": allowed + 1}]
    assert not replace(found, result=replace(result, recoveries=late)).holds
    simulated = [princeps.run("timer", n=6, seed=1, trial=trial).steps for trial in range(20)]
    assert max(simulated) < allowed


def test_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert bars.read_arguments(["--only", "storm", "--scale", "0.1"]).only == "storm"
    for words in (["--only", "calm"], ["--scale", "0"], ["--write", "--scale", "0.5"]):
        with pytest.raises(SystemExit):
            bars.read_arguments(words)
        assert words[-2] in capsys.readouterr().err or "calm" in words
    assert rows.Sizes().scaled(0.1).elections == 20


def test_the_page_keeps_the_rows_of_other_parts(tmp_path: Path) -> None:
    page, row = tmp_path / "page.md", rows.Row("a", "b", "c", False)
    assert row.markdown("rings") == "| rings | a | b | c | **no** |"
    for part, lines in (("rings", [row.markdown("rings")]), ("storm", ["| storm | 1 |"]), ("storm", ["| storm | 2 |"])):
        bars.write(part, lines, page)
    assert page.read_text().endswith("|---|---|---|---|---|\n| storm | 2 |\n| rings | a | b | c | **no** |\n")


# -- processes -----------------------------------------------------------------------------------------------------------


@needs_fork
@pytest.mark.slow
@pytest.mark.parametrize("name", names("population"))
def test_every_protocol_conducted_over_udp_equals_the_reference(name: str) -> None:
    found = conducted.compare(rows.read_run(name, 10, seed=2), 60)
    assert found.difference == ""
    assert found.interactions == 60
    assert found.repeated > 0


@needs_fork
@pytest.mark.slow
def test_elections_over_udp_agree_with_the_exact_mean() -> None:
    found = elections.elect("fratricide", 4, 40)
    assert found.exact == pytest.approx(9)
    assert abs(found.z) < 5
    assert found.replayed == 40
    assert found.pairs.is_uniform, found.pairs.sentence()


@needs_fork
@pytest.mark.slow
@pytest.mark.parametrize("name", ["timer", "p_rl"])
def test_a_storm_over_udp(name: str) -> None:
    found = storms.storm(name, 6, 5.0, 100)
    assert found.kills >= 8
    assert found.result.counters["bad_frames"] > 200
    assert found.holds, found


@needs_fork
@pytest.mark.slow
def test_frames_of_an_attacker() -> None:
    """None is accepted, no node grows, and elections go on."""
    found = attacks.attack(100_000)
    assert found.refused > 10_000
    assert found.holds(100_000), found
