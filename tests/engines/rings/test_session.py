"""A ring algorithm in the hand: untouched it is the run; delivered, dropped, reset, rewound and replayed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import princeps
from princeps.engines.rings.session import RingSession
from princeps.errors import ParameterError, PrincepsError, RunError

SCHEDULES = ("synchronous", "random", "slow:1", "adversarial", "order:0,1,2,2,1,0,3")
ALGORITHMS = ("peterson", "franklin", "hirschberg_sinclair", "chang_roberts")


def ring_session(name: str, **options: Any) -> RingSession:
    made = princeps.session(name, **options)
    assert isinstance(made, RingSession)
    return made


def seen(one: RingSession) -> Any:
    network = one.network
    counted = one.steps, one.time, one.messages, one.leaders, one.leader, network.max_bits(), dict(network.kinds)
    return counted, one.configuration, one.under_way, one.violations, one.over


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("name", ALGORITHMS)
def test_an_untouched_session_is_the_run(name: str, schedule: str) -> None:
    result = princeps.run(name, labels="3,1,4,2,6,5", schedule=schedule, seed=4)
    one = ring_session(name, labels="3,1,4,2,6,5", schedule=schedule, seed=4)
    assert one.run_until() == result.converged
    assert (one.steps, one.time, one.messages) == (result.steps, result.time, result.messages)
    assert (one.leader, one.leaders) == (result.leader, result.leaders)
    assert one.over
    assert one.step(5).steps == result.steps


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("name", ALGORITHMS)
def test_goto_reproduces_every_point(name: str, schedule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("princeps.engines.rings.session.SPACING", 3)
    one = ring_session(name, labels="3,1,4,2", schedule=schedule, seed=4)
    points = [seen(one)]
    while not one.over:
        before = one.steps
        one.step()
        assert one.steps == before + 1
        points.append(seen(one))
    for step in [
        *range(len(points)),
        *reversed(range(len(points))),
        *((7 * k) % len(points) for k in range(len(points))),
    ]:
        assert seen(one.goto(step)) == points[step]
    one.goto(0).step(len(points) - 1)
    assert seen(one) == points[-1]
    one.back(3).step(2).back(1)
    assert seen(one) == points[-3]


@pytest.mark.medium
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_chosen_messages_are_delivered_and_the_schedule_goes_on(schedule: str, tmp_path: Path) -> None:
    """Whoever is chosen, an election of distinct labels ends well: the order of messages does not matter to it."""
    for seed in range(5):
        one = ring_session("peterson", labels="3,1,4,2,6,5", schedule=schedule, seed=seed)
        one.step(4)
        points = {}
        for turn in range(12):
            waiting = [(process, side) for process, side, _ in one.under_way if one.configuration[process]["started"]]
            if not waiting:
                break
            process, side = waiting[(turn * 5 + seed) % len(waiting)]
            before = one.steps
            text = next(text for p, s, text in one.under_way if (p, s) == (process, side))
            one.deliver(process, side)
            assert one.steps == before + 1
            assert one.last_event is not None
            assert one.last_event.process == process
            assert str(one.last_event.received) == text
            one.step(1)
            points[one.steps] = seen(one)
        assert one.run_until()
        end = seen(one)
        for step in reversed(points):
            assert seen(one.goto(step)) == points[step]
        one.goto(one.last_step).save(str(tmp_path / "s"))
        again = princeps.replay(str(tmp_path / "s"))
        assert seen(again) == end
        assert again.script == one.script


def test_a_process_may_be_told_to_start() -> None:
    one = ring_session("peterson", labels="3,1,4,2")
    one.deliver(2)
    assert [process["started"] for process in one.configuration] == [False, False, True, False]
    assert one.run_until()


def test_a_lost_message_is_missed() -> None:
    one = ring_session("chang_roberts", labels="3,1,4,2").step(4)
    process, side, _ = next(message for message in one.under_way if "4" in message[2])
    waiting = len(one.under_way)
    one.drop(process, side)
    assert len(one.under_way) == waiting - 1
    assert one.steps == 4
    assert one.run_until() is False
    assert seen(one.goto(4)) == seen(ring_session("chang_roberts", labels="3,1,4,2").step(4).drop(process, side))


def test_an_action_that_fails_leaves_the_session_where_it_was() -> None:
    """Without its first message a process of Peterson's reads a label that it does not have."""
    one = ring_session("peterson", labels="3,1,4,2").step(4)
    one.drop(0)
    before = seen(one)
    with pytest.raises(PrincepsError, match="read before it has a value"):
        one.run_until()
    failed = seen(one)
    with pytest.raises(PrincepsError, match="read before it has a value"):
        one.step()
    assert seen(one) == failed
    assert seen(one.goto(4)) == before


def test_a_reset_process_starts_again(tmp_path: Path) -> None:
    one = ring_session("chang_roberts", labels="3,1,4,2")
    one.step(6)
    before = one.configuration[1]
    fresh = ring_session(one.run.algorithm.name, labels="3,1,4,2").deliver(1).configuration[1]
    one.reset(1)
    assert one.configuration[1] == fresh
    assert one.steps == 7
    one.step(3).save(str(tmp_path / "s"))
    assert '["reset", 1]' in (tmp_path / "s").read_text()
    assert seen(princeps.replay(str(tmp_path / "s"))) == seen(one)
    one.goto(6)
    assert one.configuration[1] in (before, fresh)  # what was done at a step belongs to it


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda s: s.deliver(4), r"4 is no process: there are 0\.\.3"),
        (lambda s: s.deliver(0, "up"), "side 'up' is not understood"),
        (lambda s: s.deliver(0, "right"), 'sends messages one way: they arrive at the "left" side only'),
        (lambda s: s.run_until() and s.deliver(0), "no message waits at the left side of process 0: see under_way"),
        (lambda s: s.reset(9), "9 is no process"),
        (lambda s: s.goto(99), r"goto\(99\) is beyond the end"),
        (lambda s: s.back(99), r"back\(99\) goes before the start"),
        (lambda s: s.step(-1), "step: -1 is too small"),
        (lambda s: s.run_until("crown"), "goal 'crown' is not known for ring algorithms"),
        (lambda s: s.run_until(np.zeros(2)), "is not known for ring algorithms"),
    ],
)
def test_bad_calls_are_refused_in_a_sentence(act: Any, sentence: str) -> None:
    one = ring_session("peterson", labels="3,1,4,2").step(5)
    with pytest.raises(PrincepsError, match=sentence):
        act(one)


def test_sessions_refuse_what_is_not_theirs() -> None:
    with pytest.raises(RunError, match="has not started: there is nothing to reset"):
        ring_session("peterson", labels="3,1,4,2").reset(0)
    with pytest.raises(RunError, match="is a ring algorithm: until is for population protocols"):
        princeps.session("peterson", labels="3,1,4", until="leader")
    with pytest.raises(RunError, match="is a population protocol"):
        princeps.session("p_rl", 4, labels="3,1,4")
    with pytest.raises(RunError, match="is kept in plain Python: leave out engine='compiled'"):
        princeps.session("peterson", labels="3,1,4", engine="compiled")
    with pytest.raises(ParameterError):
        princeps.session("p_rl", 1)
    assert repr(ring_session("peterson", labels="3,1,4,2")) == (
        "<session peterson n=4: step 0, time 0, 0 messages under way>"
    )


@pytest.mark.parametrize(("name", "options"), [("b_k", {"k": 2, "seed": 4}), ("franklin", {"seed": 3})])
def test_a_deadlock_after_the_last_event_is_replayed(name: str, options: dict[str, int], tmp_path: Path) -> None:
    """The last message finds no receiver: no event, but the end of the execution."""
    one = ring_session(name, labels="3,1,4,2", schedule="random", **options)
    one.step(5 + options["seed"]).reset(1)
    assert not one.run_until(max_steps=3000)
    assert one.over
    assert any("no action is enabled" in text for text in one.violations)
    end = seen(one)
    one.save(str(tmp_path / "deadlock.script"))
    again = princeps.replay(str(tmp_path / "deadlock.script"))
    assert isinstance(again, RingSession)
    assert seen(again) == end
    assert seen(one.goto(0).goto(one.last_step)) == end
    assert seen(one.step(3)) == end
    assert again.script == one.script


def test_the_limit_of_the_run_counts_from_its_start() -> None:
    one = ring_session("peterson", labels="3,1,4,2", seed=5, max_steps=8)
    assert not one.step(5).run_until()
    assert one.steps == 8
    assert not one.run_until(max_steps=100)
    assert one.steps == 8
