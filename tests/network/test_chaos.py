"""Pauses, and an attacker that sends garbage and what it overheard: later, and nothing else."""

from __future__ import annotations

import os
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest

import princeps
from princeps.errors import PrincepsError
from princeps.model.randomness import Stream
from princeps.network.attacker import MEMORY as REMEMBERED
from princeps.network.attacker import Attacker
from princeps.network.chaos import Chaos, Cut, Kill, Pause, StrikeTimes, read_chaos
from princeps.network.launcher import Launcher, Launching
from princeps.network.observer import Observer
from princeps.network.planning import CONDUCTED, MEMORY, NONE, Plan
from princeps.network.replay import AGREES
from princeps.network.report import recoveries_in_words
from princeps.network.running import run_network
from princeps.network.virtual import VirtualRun
from tests.conftest import wait_for
from tests.network.runs import listen, read_run, run_until

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
STORM = "0.4s: kill random every 0.5s; 1s: cut 0-2|3-5 for 1s; loss 20%; duplicates 20%; garbage 200/s"


def test_the_words_of_a_plan_in_any_order() -> None:
    words = [
        "5s: kill leader",
        "8s: cut 0-4|5-9 for 3s",
        "loss 10%",
        "garbage 100/s",
        "6s: pause random for 2s every 4s",
    ]
    expected = Chaos(
        loss=0.1,
        kills=(Kill(5.0, "leader"),),
        cuts=(Cut(8.0, 3.0, frozenset(range(5)), frozenset(range(5, 10))),),
        pauses=(Pause(6.0, "random", 2.0, 4.0),),
        garbage=100.0,
    )
    assert read_chaos("; ".join(words), 10) == read_chaos(";".join(reversed(words)), 10) == expected
    assert read_chaos("1s: pause 3 for 500ms", 4).pauses == (Pause(1.0, "3", 0.5, inf),)
    found = read_chaos("1s: kill random every 0.5s until 60s; 1s: pause 3 for 1s every 2s until 9s", 4)
    assert (found.kills, found.pauses) == ((Kill(1.0, "random", 0.5, 60.0),), (Pause(1.0, "3", 1.0, 2.0, 9.0),))


@pytest.mark.parametrize(
    "words",
    [
        "garbage 0/s",
        "garbage 10",
        "garbage 10%",
        "1s: pause 1",
        "1s: kill 1 for 2s",
        "pause 1 for 1s",
        "1s: kill 1 until 2s",
    ],
)
def test_what_is_no_plan_is_refused(words: str) -> None:
    with pytest.raises(PrincepsError, match="is not understood: give parts like"):
        read_chaos(words, 4)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("1s: pause 4 for 1s", "names 4: the numbers are 0 to 3"),
        ("1s: kill " + "9" * 5000, "names 999999999: the numbers"),
        ("1s: cut 0-1|2-9 for 1s", "names 9: the numbers"),
        ("1s: cut 0-2|2,3 for 1s", "has 2 on both sides"),
        ("loss 100%", "give loss below 100%"),
        ("loss 1%; duplicates 2%; loss 3%", "loss twice, the second time 'loss 3%'"),
        ("garbage 1/s; garbage 2/s", "garbage twice"),
        ("0s: kill 1", "give one above zero"),
        ("2s: kill 1 every 100ms until 1s", "ends before it begins: give until a time of 2s or later"),
    ],
)
def test_what_is_wrong_with_a_part_is_said(words: str, why: str) -> None:
    with pytest.raises(PrincepsError, match=why) as refused:
        read_chaos(words, 4)
    assert len(str(refused.value)) < 200


def test_a_dead_agent_does_not_die_again() -> None:
    """In virtual time, as with processes."""
    run, chaos = read_run("timer", 4, seed=1), read_chaos("100ms: kill 0 every 100ms", 4)
    found = run_network(run, Plan(transport=MEMORY, duration=1.0, chaos=chaos, restart=NONE))
    assert len(found.recoveries) == 1
    assert found.replay == AGREES


def test_the_report_shows_leaders_over_time() -> None:
    run = read_run("timer", 4, seed=1)
    result = run_network(run, Plan(transport=MEMORY, duration=1.0))
    (text,) = [text for name, text in result.report().rows if name == "over time"]
    assert text.startswith(f"leaders: {result.history[0][2]} at 0 s")
    many = replace(result, history=[(float(k), k, k % 3) for k in range(30)])
    (text,) = [text for name, text in many.report().rows if name == "over time"]
    assert (
        text == "leaders: 0 at 0 s, 1 at 1 s, 2 at 2 s, 0 at 3 s, 22 more, 2 at 26 s, 0 at 27 s, 1 at 28 s, 2 at 29 s"
    )


def test_strikes_come_due_once_or_again_and_again() -> None:
    times = StrikeTimes((Pause(1.0, "leader", 0.5, 2.0), Pause(2.0, "1", 3.0)), Stream.of(1, 0, "test"))
    assert (times.next, times.victims(0.5, [0, 1, 2], [2])) == (1.0, [])
    assert [(pause.seconds, who) for pause, who in times.due(2.0, [0, 1, 2], [2])] == [(0.5, 2), (3.0, 1)]
    assert (times.next, times.victims(3.0, [0, 1], [2]), times.next) == (3.0, [], 5.0)
    times = StrikeTimes((Kill(1.0, "0", 1.0, 2.0),), Stream.of(1, 0, "test"))
    assert [(times.victims(moment, [0], []), times.next) for moment in (1.0, 2.0, 3.0)] == [
        ([0], 2.0),
        ([0], inf),
        ([], inf),
    ]


def test_the_report_says_that_a_run_was_interrupted() -> None:
    found = princeps.net("fratricide", 5, seed=3, transport="memory", duration="1s")
    title = "fratricide, n = 5, reached leader"
    assert found.report().title == title
    assert replace(found, interrupted=True).report().title == f"{title}, interrupted"


def test_a_fault_that_did_not_happen_is_named() -> None:
    """A run that ends at its goal before its faults come, or a leader who is not there, must not look like a recovery."""
    plan = "5s: kill leader; 6s: pause 1 for 2s; 8s: cut 0-2|3-5 for 1s; loss 1%"
    found = princeps.net("p_rl", 6, seed=1, transport="memory", chaos=plan)
    late = "(the run ended before)"
    assert found.not_done == [f"5s: kill leader {late}", f"6s: pause 1 for 2s {late}", f"8s: cut for 1s {late}"]
    assert f"not done      5s: kill leader {late}; " in repr(found)
    assert found.as_json()["not_done"] == found.not_done
    nobody = {"seed": 3, "transport": "memory", "duration": "10s", "restart": "none"}
    found = princeps.net("fratricide", 5, chaos="5s: kill leader every 1s; 7s: kill 0", **nobody)
    assert found.not_done == ["5s: kill leader (nobody led, 4 times)", "7s: kill 0 (nobody was there)"]
    done = princeps.net(
        "p_rl", 6, seed=1, transport="memory", duration="4s", chaos="1s: kill leader; 1s: cut 0|1 for 1s"
    )
    assert done.not_done == []
    assert "not done" not in repr(done)


def test_the_result_names_the_slowest_agent() -> None:
    """Also where the pairs are uniform: how far the law is from uniform is said of every run in free mode."""
    given = {"seed": 1, "transport": "memory", "duration": "10s"}
    found = princeps.net("timer", 4, **given)
    assert found.pairs_p_value is not None
    assert found.pairs_p_value > 1e-3
    assert found.slowest in range(4)
    assert 0.8 < found.slowest_share <= 1.0
    assert f"agent {found.slowest} met others least, {found.slowest_share:.2f} times" in found.fairness
    few = princeps.net("timer", 4, **{**given, "duration": "100ms"})
    assert (few.pairs_p_value, few.slowest, few.slowest_share) == (None, None, None)
    assert princeps.net("timer", 4, **given, mode="conducted", max_steps=500).slowest is None


def test_a_plan_of_faults() -> None:
    found = read_chaos("loss 10%; duplicates 5.5 %; 5s: kill leader; 500ms: kill 3 every 2s;", 4)
    assert found == Chaos(0.1, 0.055, (Kill(5.0, "leader"), Kill(0.5, "3", 2.0)))
    (cut,) = read_chaos("2s: cut 0-1,3|2 for 500ms", 4).cuts
    assert cut == Cut(2.0, 0.5, frozenset({0, 1, 3}), frozenset({2}))
    assert [cut.separates(2, 3), cut.separates(3, 2), cut.separates(0, 1)] == [True, True, False]


# -- virtual time ----------------------------------------------------------------------------------------------------


def test_a_cut_keeps_groups_apart_and_ends() -> None:
    """In virtual time."""
    run = read_run("timer", 4, seed=1)
    cut = Cut(1.0, 1.0, frozenset({0, 1}), frozenset({2, 3}))
    met = {}
    for end in (1.0, 2.0, 3.0):
        found = run_network(run, Plan(transport=MEMORY, duration=end, chaos=Chaos(cuts=(cut,))))
        assert (found.replay, found.counters["torn"]) == (AGREES, 0)
        met[end] = found.all_interactions
    assert abs(met[2.0] - met[1.0]) < 50 < met[3.0] - met[2.0], "requests to the other side are not answered"
    always = Chaos(cuts=(Cut(0.001, 99.0, cut.first, cut.second),))
    found = run_network(run, Plan(transport=MEMORY, duration=30.0, chaos=always))
    assert found.all_interactions > 60, "agents of one side still meet"
    assert "not uniform" in found.fairness


@pytest.mark.medium
def test_a_paused_agent_does_nothing_until_it_goes_on() -> None:
    network = VirtualRun(read_run("timer", 4, seed=1), rate=20.0)
    network.run_until(1.0)
    network.pause(2, 3.0)
    version, other, lines = network.nodes[2].version, network.nodes[0].version, len(network.lines)
    network.kill(1)
    network.restart(1)
    network.run_until(3.9)
    assert network.nodes[2].version == version
    assert not any(line.split(b",")[1] == b"2" for line in network.lines[lines:]), "it was not even told who died"
    assert network.nodes[0].version > other + 10, "others go on"
    network.run_until(8.0)
    network.finish()
    assert network.nodes[2].version > version + 10
    assert (network.replay.verdict, network.linearizer.counters.torn) == (AGREES, 0)


@pytest.mark.medium
def test_every_forged_frame_is_refused_and_no_replayed_one_does_harm() -> None:
    run = read_run("timer", 5, seed=2)
    found = run_network(run, Plan(transport=MEMORY, duration=3.0, chaos=Chaos(garbage=200.0)))
    counters = found.counters
    assert (found.replay, counters["torn"], counters["open"]) == (AGREES, 0, 0)
    assert 590 <= counters["forged"] + counters["replayed"] <= 600
    assert counters["forged"] - 2 <= counters["bad_frames"] <= counters["forged"], "two may be under way at the end"
    assert 50 < counters["replayed"] < 130
    assert f"the attacker sent {counters['forged']:,} forged" in found.report().text()
    again = run_network(run, Plan(transport=MEMORY, duration=3.0, chaos=Chaos(garbage=200.0)))
    assert again.as_json() == found.as_json()
    calm = run_network(run, Plan(transport=MEMORY, duration=3.0))
    assert abs(calm.all_interactions - found.all_interactions) < 0.2 * calm.all_interactions, "the elections go on"
    assert "attacker" not in calm.report().text()


def test_a_conducted_run_under_attack_and_through_pauses_is_that_of_the_seed() -> None:
    run, chaos = read_run("p_rl", 6, seed=1), "garbage 300/s; loss 20%; 10ms: pause random for 50ms every 100ms"
    found = run_network(run, Plan(CONDUCTED, MEMORY, chaos=read_chaos(chaos, 6)))
    expected = princeps.run("p_rl", n=6, seed=1, engine="reference")
    assert (found.interactions, found.leader, found.replay) == (expected.steps, expected.leader, AGREES)
    assert found.counters["bad_frames"] > 50


def test_all_words_together() -> None:
    run = read_run("p_rl", 6, seed=4)
    chaos = read_chaos(STORM + "; 500ms: pause random for 300ms every 700ms", 6)
    found = run_network(run, Plan(transport=MEMORY, duration=6.0, chaos=chaos))
    assert (found.replay, found.counters["torn"], len(found.recoveries)) == (AGREES, 0, 12)
    assert found.counters["bad_frames"] > 400


@pytest.mark.medium
def test_one_recovery() -> None:
    run = read_run("timer", 4, seed=1)
    found = run_network(run, Plan(transport=MEMORY, duration=10.0, chaos=Chaos(kills=(Kill(1.0, "leader"),))))
    assert "1 agent died, 1 recovery" in found.report().text()
    assert recoveries_in_words(0) == "0 recoveries"


def test_an_attacker_is_bounded_in_memory_and_does_not_catch_up() -> None:
    attacker = Attacker(Stream.of(1, 0, "garbage"), 3, 10.0)
    attacker.start(0.0)
    for _ in range(1000):
        attacker.receive(0.0, bytes(60))
    assert len(attacker.overheard) == REMEMBERED
    assert len(attacker.timer(1.05)) == 10
    assert len(attacker.timer(100.0)) == 64
    assert attacker.next_timer() == pytest.approx(100.1)


# -- processes -------------------------------------------------------------------------------------------------------


def state_of(pid: int) -> str:
    """As the system calls it: S sleeps, T is stopped."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


@needs_fork
@pytest.mark.medium
def test_a_process_is_stopped_and_goes_on() -> None:
    run = read_run("timer", 3, seed=1)
    observer = Observer(run)
    with Launcher(run, Launching(rate=20.0)) as launcher:
        (pid,) = [process.pid for process in launcher.processes.values() if 1 in process.agents]
        launcher.pause(1, 10_000.0)
        until = launcher.seconds + 10_000.0
        wait_for(lambda: state_of(pid) == "T")
        launcher.resume(launcher.seconds)
        assert state_of(pid) == "T"
        launcher.resume(until)
        wait_for(lambda: state_of(pid) != "T")
        launcher.pause(1, 10_000.0)
        launcher.stop()
        launcher.end()
        listen(launcher, observer, lambda: not launcher.processes)  # at the end nobody is paused
    observer.finish(1.0)
    assert observer.replay.verdict == AGREES


@needs_fork
@pytest.mark.medium
def test_forged_frames_over_udp_are_refused_one_by_one() -> None:
    """So few a second that no buffer of the system overflows, also where an agent does not come to read for seconds."""
    plan = Plan(chaos=Chaos(garbage=200.0))
    found = run_until(
        *(read_run("timer", 4, seed=1), plan),
        lambda observer: observer.counters.forged > 500 and observer.counters.replayed > 20,
    )
    counters = found.counters
    assert (found.replay, counters["torn"]) == (AGREES, 0)
    assert counters["bad_frames"] == counters["forged"] > 500
