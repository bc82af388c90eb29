"""Pauses and strangers on a ring: the same messages, the same leader."""

from __future__ import annotations

import pytest

from princeps.errors import PrincepsError
from princeps.network.chaos import Pause
from princeps.network.rings.chaos import read_ring_chaos
from princeps.network.rings.faults import Faults
from princeps.network.rings.launcher import play_over_tcp
from princeps.network.rings.memory import play_in_memory
from tests.network.rings.test_memory import check_result
from tests.network.rings.test_running import A_2 as OPTIONS
from tests.network.rings.test_running import net
from tests.ring_tools import planned

A_2 = planned("a_k", "3,1,1,2", k=2)


def test_words() -> None:
    found = read_ring_chaos("garbage 100/s; 10ms: pause 2 for 1s; reset 5/s", 4)
    assert found == Faults(resets=5.0, garbage=100.0, pauses=(Pause(0.01, "2", 1.0),))
    with pytest.raises(PrincepsError, match="use transport"):
        net("a_k", **OPTIONS, chaos="garbage 100/s")


def test_a_fault_that_did_not_happen_is_named() -> None:
    found = net("a_k", **OPTIONS, chaos="reset 0.001/s; 50s: kill 2; 60s: cut 0-1|2-3 for 1s")
    late = "(the run ended before)"
    expected = ("reset 0.001/s (the run ended before the first)", f"50s: kill 2 {late}", f"60s: cut for 1s {late}")
    assert found.not_done == expected
    assert found.counters["resets"] == 0
    assert "not done" in repr(found)
    assert found.as_json()["not_done"] == list(expected)
    found = net("a_k", **OPTIONS, chaos="reset 200/s")
    assert (found.not_done, found.converged) == ((), True)
    assert found.counters["resets"] > 0


@pytest.mark.medium
def test_pauses_in_virtual_time_only_take_time() -> None:
    calm = play_in_memory(A_2)
    for seed in range(8):
        pauses = (Pause(0.002 * seed, "random", 6.0), Pause(0.01, "random", 0.05, 0.02))
        result = play_in_memory(A_2, Faults(resets=20.0, pauses=pauses), seed)
        check_result(result, A_2)
        assert result.messages == calm.messages == 42
    late = play_in_memory(A_2, Faults(pauses=(Pause(0.01, "2", 5.0),)))
    assert calm.seconds < 1.0
    assert late.seconds > 5.0
    check_result(late, A_2)


def test_a_paused_process_can_be_killed() -> None:
    result = net("a_k", **OPTIONS, seed=1, chaos="10ms: pause 2 for 10s; 15ms: kill 2")
    assert (result.outcome, [death.process for death in result.deaths]) == ("stalled", [2])


@pytest.mark.parametrize("process", range(4))
def test_no_fault_comes_before_its_victim(process: int) -> None:
    """Processes begin within the first five milliseconds."""
    for seed in range(3):
        result = net("a_k", **OPTIONS, seed=seed, chaos=f"1ms: kill {process}")
        assert (result.outcome, [death.process for death in result.deaths]) == ("stalled", [process])
    late = net("a_k", **OPTIONS, seed=1, chaos=f"1ms: pause {process} for 5s")
    assert late.outcome == "elected"
    assert late.seconds > 5.0


@pytest.mark.slow
def test_pauses_and_garbage_over_tcp() -> None:
    result = play_over_tcp(A_2, Faults(garbage=300.0, pauses=(Pause(0.0, "random", 5.0),)))  # also where others compute
    check_result(result, A_2)
    assert result.messages == 42
    assert result.counters["forged"] > 20
    assert 0.5 * result.counters["forged"] < result.counters["bad_frames"] <= result.counters["forged"]
