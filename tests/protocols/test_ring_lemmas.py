"""What the paper on A_k and B_k proves on the way, asserted on every event of runs under every schedule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import pytest

from princeps.engines.rings.reference import Network
from princeps.engines.rings.survey import asymmetric_rings, schedules
from princeps.model.randomness import Stream
from princeps.model.rings.event import Event
from princeps.model.rings.reading import make_ring_run
from princeps.model.rings.reading_rings import random_ring
from princeps.model.rings.ring import Ring
from princeps.model.rings.words import smallest_period
from tests.tables import in_one_test

SMALL = [ring for n in (2, 3, 4) for ring in asymmetric_rings(n, 3)]
LARGER = [
    random_ring(text, Stream.of(7, k, "lemmas")) for k, text in enumerate(["n=7,labels=3,max=4", "n=9,labels=4,max=3"])
]
LEAVING = ("B6", "B9")  # by which an active process leaves a phase
NAMES = ["isLeader", "leader", "done", "state", "guest", "inner", "outer"]


RINGS = {"small": SMALL, "larger": LARGER}


@cache
def runs(size: str) -> list[tuple[Ring, int, list[Event]]]:
    """B_k on each ring with the smallest and a larger k, under every schedule."""
    found = []
    for ring in RINGS[size]:
        for k in {max(2, ring.multiplicity), 4}:
            if k >= ring.multiplicity:
                for schedule in schedules(ring.n):
                    network = Network(make_ring_run("b_k", labels=ring, schedule=schedule, seed=3, params={"k": k}))
                    found.append((ring, k, list(network.events())))
                    assert not network.violations
    return found


def phase_before(events: list[Event]) -> Iterator[tuple[Event, int]]:
    """Every event with the phase in which its process was when it happened; the start begins phase 1."""
    phase: dict[int, int] = {}
    for event in events:
        yield event, phase.get(event.process, 0)
        if event.action in ("B1", "B6", "B8", "B9"):
            phase[event.process] = phase.get(event.process, 0) + 1


def phases_needed(ring: Ring, k: int) -> int:
    """X: where LLabels(L) holds L's label for the (k+1)-th time."""
    leader = ring.true_leader
    assert leader is not None
    long = ring.llabels(leader, (k + 1) * ring.n + 1)
    return [i for i, label in enumerate(long, 1) if label == long[0]][k]


@pytest.mark.slow
@pytest.mark.parametrize("size", RINGS)
def test_the_guest_of_phase_i_is_the_ith_label_on_the_left(size: str) -> None:
    for ring, _, events in runs(size):
        for event, phase in phase_before(events):
            if event.action in ("B1", "B6", "B8", "B9"):  # the process has just entered phase + 1
                guest = event.local.values[NAMES.index("guest")]
                assert guest.text == ring.llabels(event.process, phase + 1)[-1]


@pytest.mark.slow
@pytest.mark.parametrize("size", RINGS)
def test_a_message_is_received_in_the_phase_in_which_it_was_sent(size: str) -> None:
    for _, _, events in runs(size):
        sent_in: dict[int, int] = {}
        for event, phase in phase_before(events):
            shifts = event.action in ("B5", "B8")  # these send before they enter the next phase
            sent_in[event.step] = phase if shifts or event.action not in ("B1", "B6", "B9") else phase + 1
            if event.received is not None:
                assert sent_in[event.sent_in] == phase


@pytest.mark.medium
@pytest.mark.parametrize("size", RINGS)
def test_nobody_wins_before_phase_x_and_then_only_the_true_leader(size: str) -> None:
    for ring, k, events in runs(size):
        wins = [(event.process, phase + 1) for event, phase in phase_before(events) if event.action == "B9"]
        assert wins == [(ring.true_leader, phases_needed(ring, k))]


@pytest.mark.medium
@pytest.mark.parametrize("size", RINGS)
def test_those_who_leave_phase_i_active_are_those_whose_first_i_labels_are_the_leaders(size: str) -> None:
    for ring, k, events in runs(size):
        leaving: dict[int, set[int]] = {}
        for event, phase in phase_before(events):
            if event.action in LEAVING:
                leaving.setdefault(phase, set()).add(event.process)
        assert ring.true_leader is not None
        for i in range(1, phases_needed(ring, k)):
            prefix = ring.llabels(ring.true_leader, i)
            assert leaving[i] == {p for p in range(ring.n) if ring.llabels(p, i) == prefix}


@pytest.mark.medium
@pytest.mark.parametrize("size", RINGS)
def test_every_link_carries_k_tokens_of_the_smallest_guest_and_one_shift_a_phase(size: str) -> None:
    for ring, k, events in runs(size):
        tokens: Counter[tuple[int, int]] = Counter()
        shifts: Counter[tuple[int, int]] = Counter()
        assert ring.true_leader is not None
        smallest = ring.llabels(ring.true_leader, phases_needed(ring, k))
        for event, phase in phase_before(events):
            if event.received is not None and event.received.message.name == "PHASE_SHIFT":
                shifts[phase, event.process] += 1
            elif event.received is not None and event.received.message.name == "token":
                tokens[phase, event.process] += event.received.values[0].text == smallest[phase - 1]
        for phase in range(1, phases_needed(ring, k)):
            assert all(tokens[phase, p] == k for p in range(ring.n))
            assert all(shifts[phase, p] == 1 for p in range(ring.n))


@in_one_test("n", [2, 3, 4, 5, 6])
def test_two_turns_of_labels_show_the_ring(n: int) -> None:
    for ring in asymmetric_rings(n, 3):
        for process in range(n):
            assert all(smallest_period(ring.llabels(process, m)) == n for m in range(2 * n, 4 * n))


@in_one_test("n", [2, 3, 4, 5, 6])
def test_2k_plus_1_copies_of_a_label_are_more_than_two_turns(n: int) -> None:
    for ring in asymmetric_rings(n, 3):
        for process in range(n):
            for k in range(ring.multiplicity, 5):
                word = ring.llabels(process, (2 * k + 1) * n)
                m = next(m for m in range(len(word)) if max(word[:m].count(x) for x in set(word)) == 2 * k + 1)
                assert m > 2 * n
                assert ring.llabels(process) == word[: smallest_period(word[:m])]


@pytest.mark.medium
@in_one_test("ring", [*SMALL, *LARGER], ids=str)
def test_the_string_of_a_k_is_a_prefix_of_the_labels_on_the_left(ring: Ring) -> None:
    for schedule in schedules(ring.n):
        network = Network(make_ring_run("a_k", labels=ring, schedule=schedule, seed=3))
        string = list(network.algorithm.variables_).index("string")
        lengths: dict[int, list[int]] = {}
        for event in network.events():
            word = event.local.values[string]
            assert tuple(label.text for label in word.letters) == ring.llabels(event.process, len(word))
            lengths.setdefault(event.process, []).append(len(word))
        assert all(0 <= b - a <= 1 for grown in lengths.values() for a, b in pairwise(grown))
