"""Ring algorithms in virtual time, over connections that are divided, delayed, reset and cut."""

from __future__ import annotations

import random
from itertools import accumulate
from typing import Any

import pytest

from princeps.engines.dispatch import simulate
from princeps.engines.rings.session import RingSession
from princeps.engines.rings.simulate import simulate_ring
from princeps.model.rings.ring import Ring
from princeps.model.rings.run import RingRun
from princeps.network.rings.faults import Faults, Partition
from princeps.network.rings.memory import World, play_in_memory
from princeps.network.rings.report import RingNetResult
from tests.ring_tools import LIBRARY, planned, random_asymmetric

BOTH = ("a_k", "b_k")


def messages_of_a_k(ring: Ring, k: int) -> int:
    """nm + n(n-1)/2: m is the length of the shortest prefix of LLabels(L) with 2k+1 copies of some label."""
    assert ring.true_leader is not None
    labels = ring.llabels(ring.true_leader, (2 * k + 1) * ring.n)
    m = next(m for m in range(1, len(labels) + 1) if labels[:m].count(labels[m - 1]) == 2 * k + 1)
    return ring.n * m + ring.n * (ring.n - 1) // 2


def storm(seed: int, n: int, resets: float = 60.0) -> Faults:
    """Pieces of a few bytes, many resets, and three partitions, one of which outlasts the patience of the links."""
    draw = random.Random(seed)
    begins = list(accumulate(draw.uniform(0.02, 0.3) for _ in range(3)))
    lengths = (draw.uniform(0.05, 0.3), draw.uniform(0.05, 0.3), 6.0)
    return Faults(
        piece=draw.choice((1 + draw.randrange(40), 1 + draw.randrange(200), 0)),
        resets=resets,
        partitions=tuple(
            Partition(begin, begin + length, frozenset(draw.sample(range(n), draw.randrange(1, n))))
            for begin, length in zip(begins, lengths, strict=True)
        ),
    )


def check_exact(name: str, seed: int, largest: int) -> RingNetResult:
    draw = random.Random(seed)
    ring = random_asymmetric(draw.randrange(2, largest + 1), draw.randrange(2, 7), draw)
    k = max(2, ring.multiplicity)
    run = planned(name, ring, k=k)
    result = play_in_memory(run, storm(seed, ring.n), seed)
    check_result(result, run)
    return result


def check_result(result: RingNetResult, run: RingRun) -> None:
    """The true leader, by exactly the messages of the simulator and of the formula."""
    simulated = simulate_ring(run)
    assert (result.converged, result.leader, result.replay) == (True, run.ring.true_leader, "agrees"), result
    assert (result.messages, result.max_bits) == (simulated.messages, simulated.max_bits), result
    assert result.result.kinds == simulated.kinds
    if run.algorithm.name == "a_k":
        assert result.messages == messages_of_a_k(run.ring, run.algorithm.params["k"])


@pytest.mark.medium
@pytest.mark.parametrize("name", BOTH)
def test_exact_message_counts_through_resets_and_partitions(name: str) -> None:
    results = [check_exact(name, seed, 7) for seed in range(6)]
    assert sum(result.counters["resent"] for result in results) > 10  # something was lost


@pytest.mark.slow
@pytest.mark.parametrize("name", BOTH)
def test_exact_message_counts_on_fifty_rings(name: str) -> None:
    for seed in range(50):
        check_exact(name, 100 + seed, 12)


@pytest.mark.parametrize("name", [name for name in LIBRARY if name not in BOTH])
def test_every_other_algorithm_elects_as_specified(name: str) -> None:
    given: dict[str, Any] = {"labels": "3,1,5,2,4"} if name != "itai_rodeh" else {"n": 5}
    run = planned(name, given.pop("labels", None), seed=3, **given)
    for seed in (1, 2):
        result = play_in_memory(run, storm(seed, 5), seed)
        assert (result.converged, result.replay) == (True, "agrees"), result
        if not run.algorithm.bidirectional:  # then the schedule does not matter
            assert result.messages == simulate_ring(run).messages


def test_two_processes_have_two_links() -> None:
    for name in ("chang_roberts", "hirschberg_sinclair"):
        result = play_in_memory(planned(name, "1,2"), storm(5, 2), 5)
        assert result.converged, result


def test_a_seed_repeats_a_run_exactly() -> None:
    def lines(seed: int) -> list[list[str]]:
        world = World(planned("b_k", "1,2,2", k=2), storm(1, 3), seed)
        world.play()
        return world.logs

    assert lines(1) == lines(1)
    scripts = [play_in_memory(planned("b_k", "1,2,2", k=2), storm(1, 3), seed).script for seed in (1, 1, 2)]
    assert scripts[0] == scripts[1] != scripts[2]


def test_the_script_of_a_network_run_is_replayed_by_a_session() -> None:
    run = planned("hirschberg_sinclair", "3,1,4,2")
    result = play_in_memory(run, storm(2, 4), 2)
    session = RingSession(run).perform(result.script)
    assert session.over
    assert (session.messages, session.leader) == (result.messages, result.leader)


def test_a_ring_outside_the_class_goes_as_wrong_as_in_the_simulator() -> None:
    run = planned("a_k", "1,2,1,2", k=1, force=True, max_steps=500)
    result, simulated = play_in_memory(run, max_steps=500), simulate(run)
    assert not result.converged
    assert not simulated.converged
    assert result.replay == "agrees"


def test_what_is_reported() -> None:
    result = play_in_memory(planned("a_k", "3,1,1,2", k=2), Faults(), 1)
    found = result.as_json()
    assert (found["messages"], found["leader"], found["leader_label"], found["replay"]) == (42, 2, 1, "agrees")
    assert found["max_bits"] == 29
    assert found["time"] == result.result.time
    assert "stalled" not in found
    text = repr(result)
    assert text.startswith("a_k, k = 2, n = 4, elected\n")
    assert "the true leader" in text
    assert found["counters"]["connections"] == 8  # both ends of four links, once
    assert found["counters"]["most_held"] >= 1
    assert found["counters"]["bad_frames"] == 0
