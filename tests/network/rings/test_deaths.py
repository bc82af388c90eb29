"""Processes that die: a ring algorithm does not recover, and the report says why."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import Any

import pytest

import princeps
from princeps.engines.rings.simulate import simulate_ring
from princeps.errors import RunError
from princeps.model.rings.run import RingRun
from princeps.network.rings.faults import Faults, Kill
from princeps.network.rings.memory import World, play_in_memory
from princeps.network.rings.report import AIMLESS, REMEMBERED, RingNetResult
from tests.ring_tools import planned

RINGS = {"a_k": ("3,1,1,2", {"k": 2}), "b_k": ("3,1,1,2", {"k": 2}), "itai_rodeh": ("1,1,1,1", {})}
DISTINCT = ("3,1,4,2", dict[str, int]())


def run_of(name: str, seed: int) -> RingRun:
    labels, params = RINGS.get(name, DISTINCT)
    return planned(name, labels, seed=seed, **params)


def killed(name: str, seed: int, restart: str = "", max_steps: int = 1500) -> RingNetResult:
    """One process dies at one of its first actions."""
    kills = (Kill(seed % 4, 1 + seed % 7),)
    faults = Faults(piece=60, resets=10.0, kills=kills, restart=restart)
    result = play_in_memory(run_of(name, seed), faults, seed, max_steps)
    assert result.replay == "agrees", (name, seed, restart, result.replay)
    return result


@pytest.mark.parametrize("name", ["a_k", "b_k"])
def test_a_death_is_the_end(name: str) -> None:
    for seed in range(8):
        result = killed(name, seed)
        assert (result.outcome, result.converged, result.limited) == ("stalled", False, False), (seed, result)
        stalled, victim = result.stalled, seed % 4
        assert stalled is not None
        assert result.time is None
        assert [sentence.split(" (")[0] for sentence in stalled.died] == [f"process {victim}"]
        undelivered = [v for v in result.result.violations if v.rule == "links not empty"]
        assert (len(stalled.messages) > 0) == bool(undelivered)
        assert len(stalled.waits) == 4
        assert stalled.waits[victim] == f"process {victim} is dead"
        follower = stalled.waits[(victim + 1) % 4]
        assert f"waits for a message of process {victim}, which is dead" in follower or "halted" in follower


def test_the_report_says_who_died_where_messages_are_and_who_waits() -> None:
    result = killed("a_k", 39)
    rows = result.report().rows
    assert result.report().title == "a_k, k = 2, n = 4, stalled"
    assert ("died", "process 3 (label 2) died after 5 actions") in rows
    assert ("undelivered", "<1> of process 2 waits for process 3, which is dead") in rows
    (instead,) = [text for name, text in rows if name == "instead"]
    assert "p_rl recovers on a ring of 4" in instead
    assert instead.endswith("kill 3'"), "the process that died here"
    words = shlex.split(instead.partition(": ")[2])[3:]
    found = princeps.net("p_rl", n=int(words[1]), chaos=words[5], duration=words[3], transport="memory", seed=1)
    assert (found.converged, len(found.recoveries)) == (True, 1), "what the report names is true"
    assert result.as_json()["stalled"]["waits"] == [text for name, text in rows if name == "waits"]


def test_a_process_that_died_while_it_wrote_of_an_action_has_not_taken_it() -> None:
    """It dies of its fifth action: with a whole line of it in the log, or with a part of one. Pieces hold one message each."""
    torn = set[int]()
    for seed in range(12):
        world = World(run_of("a_k", 1), Faults(piece=60, resets=10.0, kills=(Kill(3, 5),)), seed)
        result = world.play()
        assert result.stalled is not None
        assert result.stalled.died == (f"process 3 (label 2) died after {5 - world.judge.torn_lines} actions",)
        torn.add(world.judge.torn_lines)
    assert torn == {0, 1}


def test_what_a_dead_process_had_not_passed_on_is_lost_with_it() -> None:
    reports = [killed("b_k", seed).stalled for seed in range(12)]
    sentences = [sentence for stalled in reports if stalled is not None for sentence in stalled.messages]
    assert any("was lost with process" in sentence for sentence in sentences)
    assert any("which is dead" in sentence for sentence in sentences)


@pytest.mark.parametrize("name", ["a_k", "b_k", "itai_rodeh", "chang_roberts", "peterson"])
def test_a_process_that_goes_on_from_its_log_changes_nothing(name: str) -> None:
    deaths = 0
    for seed in range(8):
        result = killed(name, seed, "durable")
        simulated = simulate_ring(run_of(name, seed))
        assert result.converged, (seed, result)
        assert (result.messages, result.leader) == (simulated.messages, simulated.leader)
        if result.deaths:
            deaths += 1
            assert result.outcome == f"elected: {REMEMBERED}"
            assert REMEMBERED in result.report().title
    assert deaths > 3


@pytest.mark.medium
def test_a_process_that_forgets_goes_wrong() -> None:
    outcomes = {
        name: Counter(killed(name, seed, "amnesia", 300).outcome for seed in range(12))
        for name in ("a_k", "b_k", "hirschberg_sinclair")
    }
    assert outcomes["a_k"]["not finished"] > 0, outcomes
    assert min(outcomes[name]["stalled"] for name in ("b_k", "hirschberg_sinclair")) > 2, outcomes


def test_an_action_that_fails_after_a_loss_of_memory_is_reported() -> None:
    results = [killed("peterson", seed, "amnesia") for seed in range(12)]
    failing = [s for r in results if r.stalled for s in r.stalled.messages if "whose action fails" in s]
    assert failing
    assert all("read before it has a value" in sentence for sentence in failing)


@pytest.mark.parametrize(("max_steps", "outcome"), [(None, AIMLESS), (300, "not finished")])
def test_a_run_that_does_not_end_is_ended(max_steps: int | None, outcome: str) -> None:
    """By ten times the bound of 80 messages, counted from the loss of memory on; not where a limit is given."""
    given = dict[str, Any](labels="3,1,1,2", k=2, seed=1, chaos="20ms: kill 2", restart="amnesia")
    result = princeps.net("a_k", **given, transport="memory", max_steps=max_steps)
    assert isinstance(result, RingNetResult)
    assert (result.outcome, result.converged, result.leader) == (outcome, False, None)
    assert result.limited
    if max_steps is None:
        assert 800 < result.messages < 900
        assert result.as_json()["aimless"]
        assert (
            "ended",
            f"with {result.messages} messages: 80 are enough for any run that is not disturbed",
        ) in result.report().rows
    else:
        assert result.steps == max_steps
        assert "aimless" not in result.as_json()


def test_a_long_run_without_a_loss_of_memory_goes_on() -> None:
    """Only a process that forgot is a reason to doubt the bound."""
    world = World(run_of("a_k", 1), Faults(), 1)
    world.judge.longest = 1
    assert world.play().outcome == "elected"


def test_an_unknown_restart_is_refused() -> None:
    with pytest.raises(RunError, match="'never' is not known"):
        killed("a_k", 1, "never")
