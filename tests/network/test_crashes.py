"""Crashes in virtual time: what was applied adds up, the replay agrees, and nothing tears without a lease."""

from __future__ import annotations

import json
from math import inf

import pytest

from princeps.model.randomness import Stream
from princeps.network.counters import FATES
from princeps.network.linearize import Linearizer
from princeps.network.membership import Timing
from princeps.network.memory import Conditions
from princeps.network.replay import AGREES, Replay
from princeps.network.virtual import VirtualRun
from tests.network.runs import read_run

HOSTILE = Conditions(loss=0.2, duplicates=0.2, delay=(0.0001, 0.005))


def storm(name: str, n: int, kills: int, lease: float = inf, seed: int = 1, **params: int) -> VirtualRun:
    """Agents die at random moments and come back in random legal states, some at once, some later."""
    network = VirtualRun(
        read_run(name, n, seed=seed, **params), rate=100.0 / n, conditions=HOSTILE, timing=Timing(lease=lease)
    )
    stream = Stream.of(seed, 0, "storm")
    for _ in range(kills):
        network.run_until(network.network.now + stream.below(100) / 1000)
        victim = stream.below(n)
        network.kill(victim)
        network.run_until(network.network.now + stream.below(2) / 50)
        network.restart(victim)
    return network


@pytest.mark.parametrize("name", ["timer", "p_rl", "p_pl", "numbered"])
def test_nothing_tears_without_a_lease(name: str) -> None:
    params = {"virus_factor": 2, "emit_factor": 1} if name == "p_pl" else {}
    network = storm(name, 8, 120, **params)
    network.finish()
    counters = network.linearizer.counters
    assert network.replay.verdict == AGREES
    assert counters.adds_up
    assert (counters.torn, counters.open, counters.starts) == (0, 0, 128)
    assert counters.undone > 0
    assert counters.completed > 0
    assert network.replay.interactions == counters.whole + counters.completed
    if name == "numbered":  # an input survives the crash
        assert sorted(state[0] for state in network.replay.population.states) == list(range(1, 9))


def test_what_a_killed_agent_had_counted_is_known_in_virtual_time() -> None:
    network = storm("timer", 8, 120)
    network.finish()
    counters = network.linearizer.counters
    requests, refused, unanswered = (counters.told(name) for name in ("requests", "refused", "unanswered"))
    assert 0 <= requests - refused - unanswered - counters.applied <= 120  # at a death a request may be under way


def test_requests_of_a_killed_process_that_said_nothing_are_known() -> None:
    """Processes say what they have counted twice a second, and these live for less."""
    network = storm("timer", 8, 120)
    network.finish()
    lines = [json.loads(line) for line in network.lines]
    last = {line[1]: line[2] for line in lines if line[0] == "start"}
    linearizer = Linearizer(8)
    linearizer.feed_all(line for line in lines if line[0] != "tally" or line[2] == last[line[1]])
    linearizer.finish()
    found, known = linearizer.counters.as_json(), network.linearizer.counters.as_json()
    applied = sum(found[fate] for fate in FATES)
    assert linearizer.counters.told("requests") < applied, "what was said is less than what is in the logs"
    assert applied + found["refused"] + found["unanswered"] <= found["requests"] <= known["requests"]
    assert known["requests"] == network.linearizer.counters.told("requests")


def test_the_leaders_come_back_after_the_last_crash() -> None:
    network = storm("p_rl", 5, 30)
    before = network.replay.interactions
    network.replay.first_hit = None
    network.run_until(interactions=before + 3000)
    network.finish()
    assert network.replay.holds
    assert network.replay.population.leaders == 1


def test_a_lease_tears_and_is_counted() -> None:
    network = storm("timer", 5, 60, lease=0.02)
    network.finish()
    counters = network.linearizer.counters
    assert counters.torn > 0
    assert counters.adds_up
    assert network.replay.verdict == AGREES, "a torn interaction is in the schedule, as one"


def test_what_is_open_at_the_end_is_counted() -> None:
    network = VirtualRun(read_run("timer", 4, seed=3), rate=50.0)
    network.network.run(done=lambda: any(line.startswith(b'["meet"') for line in network.lines))
    network.finish(drain=0.0)
    counters = network.linearizer.counters
    assert (counters.open, counters.whole, counters.applied) == (1, 0, 1)
    assert counters.adds_up


def test_lines_may_arrive_in_any_order_that_keeps_those_of_an_agent() -> None:
    network = storm("timer", 5, 30)
    network.finish()
    lines = [json.loads(line) for line in network.lines]
    stream = Stream.of(4, 0, "order")
    queues = [[line for line in lines if line[1] == agent] for agent in range(5)]
    linearizer, replay = Linearizer(5), Replay(network.run)
    while any(queues):
        agent = stream.below(5)
        for line in queues[agent][: 1 + stream.below(40)]:
            replay.apply_all(linearizer.feed(line))
            queues[agent].pop(0)
    replay.apply_all(linearizer.finish())
    assert replay.verdict == AGREES
    assert linearizer.counters == network.linearizer.counters
    assert replay.population.states == network.replay.population.states


def test_a_wrong_state_in_a_log_is_found() -> None:
    network = storm("timer", 5, 10)
    network.finish()
    lines = [json.loads(line) for line in network.lines]
    wrong = next(line for line in lines[len(lines) // 2 :] if line[0] == "take")
    wrong[7] = [1 - wrong[7][0], wrong[7][1]]
    meet = next(line for line in lines if line[0] == "meet" and (line[1], line[2], line[4]) == tuple(wrong[4:7]))
    meet[9] = wrong[7]
    linearizer, replay = Linearizer(5), Replay(network.run)
    replay.apply_all([*linearizer.feed_all(lines), *linearizer.finish()])
    assert replay.verdict.startswith("after ")
    assert f"agent {wrong[1]} has" in replay.verdict


def test_an_agent_that_stays_dead_does_not_hold_up_the_others() -> None:
    network = VirtualRun(read_run("timer", 5, seed=6), rate=20.0, conditions=HOSTILE)
    network.run_until(1.0)
    network.kill(2)
    before = network.replay.interactions
    network.run_until(3.0)
    network.finish()
    counters = network.linearizer.counters
    assert network.replay.interactions > before + 30
    assert (counters.open, counters.torn) == (0, 0)
    assert counters.adds_up
    assert network.replay.verdict == AGREES
