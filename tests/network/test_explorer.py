"""The handshake, in every execution of small populations: nothing is ever applied at one side only.

Beside it, the same exploration of nodes with one rule left out: each tears, and the shortest schedule is found.
"""

from __future__ import annotations

import pytest

from princeps.network.handshake import Node
from tests.network.explorer import Explorer
from tests.network.variants import NoWait, TwoMessages


@pytest.mark.parametrize(
    ("requests", "crashes", "detector", "worlds"),
    [
        ((1, 1), 0, False, 341),
        ((1, 1), 1, False, 14_157),
        ((2, 0), 1, False, 10_867),
        ((1, 0), 2, True, 19_742),
        pytest.param((1, 0), 3, False, 37_006, marks=pytest.mark.medium),
        pytest.param((1, 1), 1, True, 37_229, marks=pytest.mark.medium),
        pytest.param((2, 2), 0, False, 48_521, marks=pytest.mark.medium),
        pytest.param((1, 1, 1), 0, False, 60_641, marks=pytest.mark.slow),
        pytest.param((1, 0, 1), 1, False, 83_674, marks=pytest.mark.slow),
        pytest.param((1, 1), 2, False, 659_902, marks=pytest.mark.slow),
        pytest.param((2, 1), 1, False, 710_314, marks=pytest.mark.slow),
    ],
)
def test_no_execution_tears(requests: tuple[int, ...], crashes: int, detector: bool, worlds: int) -> None:
    found = Explorer(requests, crashes, detector=detector).explore()
    assert not found.violation, found.schedule
    assert found.complete
    assert found.worlds == worlds, "another number of worlds: look whether the node still does all that it did"


def test_two_messages_tear() -> None:
    """The initiator has given up, or will never hear of it; the responder applies the rule nevertheless."""
    found = Explorer((1, 0), 0, TwoMessages).explore()
    assert found.violation == "agent 0 has applied 0 interactions, and 1 happened"
    assert found.schedule == ["0 asks 1", "0 gives up", "REQ 1 from 0.1 reaches 1"]


def test_going_on_before_the_acknowledgement_tears() -> None:
    """0 commits to 1 and serves 2, which sees 0's new state; 0 dies, and 1 is told to forget."""
    found = Explorer((1, 0, 1), 1, NoWait).explore()
    assert found.violation == "agent 1 has applied 0 interactions, and 1 happened"
    assert found.schedule == [
        "0 asks 1",
        "REQ 1 from 0.1 reaches 1",
        "GRANT 1 from 1.1 reaches 0",
        "2 asks 0",
        "REQ 1 from 2.1 reaches 0",
        "0 crashes",
        "GRANT 1 from 1.1 reaches 0",
        "ABORT 1 from 0.2 reaches 1",
        "GRANT 1 from 0.1 reaches 2",
    ]


def test_a_lease_that_runs_out_tears() -> None:
    found = Explorer((1, 0), 0, Node, lease=True).explore()
    assert found.violation == "agent 1 has applied 0 interactions, and 1 happened"
    assert found.schedule == [
        "0 asks 1",
        "REQ 1 from 0.1 reaches 1",
        "GRANT 1 from 1.1 reaches 0",
        "0 gives up",
        "1 gives up",
    ]
