"""Network runs of ring algorithms as a user asks for them."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

import princeps
from princeps.errors import PrincepsError
from princeps.network.chaos import Kill
from princeps.network.rings.chaos import read_ring_chaos
from princeps.network.rings.faults import Faults, Partition
from princeps.network.rings.report import RingNetResult

A_2 = {"labels": "3,1,1,2", "k": 2, "transport": "memory"}


def net(name: str, **given: Any) -> RingNetResult:
    result = princeps.net(name, **given)
    assert isinstance(result, RingNetResult)
    return result


def test_a_plan_of_faults_as_text() -> None:
    assert read_ring_chaos(None, 4) == Faults()
    assert read_ring_chaos(" reset 5/s ; ", 4) == Faults(resets=5.0)
    found = read_ring_chaos("8s: cut 0-1|2,3 for 500ms; 5s: kill leader every 1s", 4, "durable")
    assert found.partitions == (Partition(8.0, 8.5, frozenset({1, 3})),)
    assert found.timed_kills == (Kill(5.0, "leader", 1.0),)
    assert found.restart == "durable"


@pytest.mark.parametrize(
    ("chaos", "words"),
    [
        ("reset often", "'reset often' is not understood: give parts like"),
        ("reset 0/s", "is not understood"),
        ("loss 10%", "give 'reset 5/s'"),
        ("1s: cut 0-1|4 for 1s", "names 4: the numbers are 0 to 3"),
        ("1s: cut 0-2|2-3 for 1s", "has 2 on both sides"),
        ("1s: cut 1-0|3 for 1s", "is not understood: give parts like 'reset"),
        ("1s: cut 0|1 for ever", "'ever' is not understood"),
        ("1s: kill 9", "names 9: the numbers are 0 to 3"),
    ],
)
def test_what_is_no_plan_is_refused(chaos: str, words: str) -> None:
    with pytest.raises(PrincepsError, match=words):
        princeps.net("a_k", **A_2, chaos=chaos)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"mode": "conducted"}, "mode is for population protocols"),
        ({"lease": "2s"}, "lease is for population protocols"),
        ({"per_process": 2}, "per_process is for population protocols"),
        ({"restart": "random"}, "restart"),
        ({"transport": "udp"}, "transport"),
        ({"scheduler": "random"}, "decided by the network"),
        ({"labels": "1,1"}, "symmetric"),
    ],
)
def test_what_makes_no_sense_on_a_ring_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(PrincepsError, match=words):
        princeps.net("a_k", **{**A_2, **given})


def test_a_run_by_its_options() -> None:
    result = net("a_k", **A_2, seed=1, chaos="reset 20/s; 10ms: cut 0-1|2-3 for 200ms")
    assert (result.converged, result.messages, result.leader, result.leader_label) == (True, 42, 2, 1)
    words = shlex.split(result.command)
    assert words[:5] == ["princeps", "net", "a_k", "--labels", "3,1,1,2"]
    assert "--schedule" not in words
    assert words[-4:] == ["--transport", "memory", "--chaos", "reset 20/s; 10ms: cut 0-1|2-3 for 200ms"]


def test_a_kill_at_a_moment() -> None:
    stalled = net("a_k", **A_2, seed=1, chaos="15ms: kill 2")
    assert (stalled.outcome, [death.process for death in stalled.deaths]) == ("stalled", [2])
    durable = net("a_k", **A_2, seed=1, chaos="15ms: kill random every 40ms", restart="durable")
    assert (durable.converged, durable.messages) == (True, 42)
    assert len(durable.deaths) > 2
    leader = net("b_k", **A_2, seed=1, chaos="1ms: kill leader every 1ms")
    assert [death.process for death in leader.deaths] == [2]


def test_a_run_that_is_limited_says_so() -> None:
    result = net("a_k", **A_2, chaos="1ms: cut 0-1|2-3 for 10s", duration="1s")
    assert (result.outcome, result.limited, result.converged) == ("not finished", True, False)
    assert result.as_json()["limited"] is True


@pytest.mark.medium
def test_the_default_is_tcp() -> None:
    result = net("chang_roberts", labels="3,1,4,2", chaos="reset 10/s")
    assert (result.converged, result.transport, result.leader) == (True, "tcp", 2)
