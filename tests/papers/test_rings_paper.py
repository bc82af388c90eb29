"""The definitions behind the claims on A_k and B_k, and what is judged by them."""

from __future__ import annotations

from itertools import pairwise, permutations, product

import pytest

from princeps.analysis.rings.interleavings import all_interleavings
from princeps.engines.rings.reference import Network
from princeps.model import registry
from princeps.model.rings.reading import make_ring_run
from princeps.model.rings.ring import Ring
from princeps.papers.rings import labelings
from princeps.papers.rings.bounds import shares
from princeps.papers.rings.elections import one_too_many
from princeps.papers.rings.exploring import Explorer
from princeps.papers.rings.phases import LEMMAS, Delivery, Facts, LemmaTally, deliveries
from princeps.papers.rings.surveys import added, extremes, tallied
from tests.tables import in_one_test

SMALL = [labels for n in (2, 3, 4, 5) for labels in labelings.all_rings(n)]

# -- rings and labels --------------------------------------------------------------------------------------------------


def in_ranks(labels: tuple[int, ...]) -> tuple[int, ...]:
    order = sorted(set(labels))
    return tuple(order.index(label) + 1 for label in labels)


@in_one_test(("n", "rings"), [(2, 1), (3, 4), (4, 18), (5, 108), (6, 778)])
def test_every_asymmetric_ring_is_there_once(n: int, rings: int) -> None:
    assert len(labelings.all_rings(n)) == rings


@pytest.mark.parametrize("n", [2, 3, 4])
def test_whatever_its_labels_and_wherever_it_begins(n: int) -> None:
    known = set(labelings.all_rings(n))
    for labels in product((2, 3, 5, 8), repeat=n):
        turned = {in_ranks(labels[i:] + labels[:i]) for i in range(n)}
        assert len(turned & known) == (not Ring(labels).symmetric)


def test_distinct_labels_in_every_order() -> None:
    found = labelings.distinct_rings(4)
    assert sorted(found) == sorted((1, *rest) for rest in permutations((2, 3, 4)))


def test_the_pieces_of_a_size_are_all_of_its_rings() -> None:
    parts = labelings.pieces({3: 1, 5: 4})
    assert len(parts) == 5
    dealt = [ring for piece in parts for ring in labelings.rings_of(piece)]
    assert sorted(dealt) == sorted([*labelings.all_rings(3), *labelings.all_rings(5)])


def test_labels_are_read_counter_clockwise() -> None:
    assert labelings.llabels((1, 1, 2), 0, 6) == (1, 2, 1, 1, 2, 1)  # the paper's example: A, A, B
    assert labelings.llabels((1, 3, 2, 4), 1, 3) == (3, 1, 4)
    assert [labelings.label_at((1, 3, 2, 4), 1, i) for i in (1, 2, 3, 5)] == [3, 1, 4, 3]


@in_one_test(("word", "length"), [("a", 1), ("aa", 1), ("ab", 2), ("aba", 2), ("abaab", 3), ("abab", 2), ("abc", 3)])
def test_the_smallest_repeating_prefix(word: str, length: int) -> None:
    assert labelings.srp_length([ord(letter) for letter in word]) == length


def test_the_shortest_prefix_with_so_many_copies_of_a_label() -> None:
    assert labelings.prefix_with((1, 2, 3), 0, 2) == (1, 3, 2, 1)
    assert labelings.prefix_with((1, 2, 2), 0, 3) == (1, 2, 2, 1, 2)
    assert labelings.prefix_with((1, 2, 2), 2, 2) == (2, 2)


@in_one_test("labels", SMALL, ids=str)
def test_the_true_leader_is_that_of_the_model(labels: tuple[int, ...]) -> None:
    assert labelings.true_leader(labels) == Ring(labels).true_leader


@in_one_test("labels", SMALL, ids=str)
def test_the_active_processes_become_fewer_until_the_leader_is_alone(labels: tuple[int, ...]) -> None:
    n = len(labels)
    sets = [labelings.act(labels, i) for i in range(n + 2)]
    assert sets[0] == set(range(n))
    assert sets[1] == {p for p in range(n) if labels[p] == min(labels)}
    assert all(later <= earlier for earlier, later in pairwise(sets))
    assert sets[n] == sets[n + 1] == {labelings.true_leader(labels)}


def test_the_last_phase() -> None:
    assert labelings.last_phase((1, 2, 3), 2) == 2 * 3 + 1
    assert labelings.last_phase((1, 2, 2), 2) == 7
    assert labelings.last_phase((1, 1, 2), 2) == 4  # from process 1: 1, 1, 2, 1
    assert labelings.last_phase((1, 1, 2), 3) == 5


# -- the lemmas of B_k -------------------------------------------------------------------------------------------------

RING, K = (1, 1, 2), 2  # process 1 leads; X = 4


def seen(labels: tuple[int, ...] = RING, k: int = K, schedule: str = "random") -> tuple[Facts, list[Delivery]]:
    run = make_ring_run("b_k", labels=Ring(labels), schedule=schedule, seed=1, engine="reference", params={"k": k})
    return Facts(run.algorithm, labels, k), list(deliveries(Network(run)))


def one(found: list[Delivery], action: str, **wanted: int) -> Delivery:
    return next(d for d in found if d.action == action and all(getattr(d, key) == v for key, v in wanted.items()))


@pytest.mark.parametrize("key", LEMMAS)
def test_a_lemma_holds_at_every_delivery_of_a_run(key: str) -> None:
    facts, found = seen()
    answers = [LEMMAS[key](facts, delivery) for delivery in found]
    assert set(answers) <= {None, ""}
    assert "" in answers


def test_each_lemma_sees_what_breaks_it() -> None:
    facts, found = seen()
    right = one(found, "B8")
    assert LEMMAS["L7"](facts, right._replace(next_phase=1))
    win = one(found, "B9")
    assert (win.process, win.next_phase) == (1, 4)
    assert LEMMAS["L10"](facts, win._replace(next_phase=3))
    computing, shifting = one(found, "B5"), one(found, "B6")
    assert LEMMAS["L11"](facts, computing._replace(message=shifting.message))
    assert LEMMAS["L11"](facts, shifting._replace(message=computing.message))
    assert LEMMAS["L12"](facts, right._replace(action=""))
    assert LEMMAS["L13"](facts, one(found, "B6", phase=1)._replace(process=2))
    assert LEMMAS["L13"](facts, one(found, "B8", phase=1)._replace(process=1))
    assert LEMMAS["O1"](facts, right._replace(sent_in=right.phase + 1))
    token = one(found, "B3", phase=2)
    assert LEMMAS["O1"](Facts(registry.find_ring("b_k")(Ring((3, 3, 4)), k=K), (3, 3, 4), K), token)


def test_an_execution_ends_in_phase_x_with_nothing_left() -> None:
    facts, _ = seen()
    tally = LemmaTally(facts)
    tally.end([4, 4, 4], 0)
    assert not any(tally.breaches.values())
    tally.end([4, 3, 4], 2)
    assert (tally.breaches["L12"], tally.breaches["L13"]) == (1, 1)


def explored(labels: tuple[int, ...], k: int, of: tuple[int, ...] | None = None, most: int = 10_000) -> Explorer:
    algorithm = registry.find_ring("b_k")(Ring(labels), k=k)
    explorer = Explorer(algorithm, Ring(labels), LemmaTally(Facts(algorithm, of or labels, k)), most)
    explorer.explore()
    return explorer


@pytest.mark.parametrize(("labels", "k"), [((1, 2), 2), ((1, 2, 2), 3), ((1, 2, 1, 3), 2), ((1, 1, 1, 2), 3)])
def test_every_configuration_is_visited(labels: tuple[int, ...], k: int) -> None:
    ring = Ring(labels)
    explorer = explored(labels, k)
    assert explorer.configurations == all_interleavings(registry.find_ring("b_k")(ring, k=k), ring).configurations
    assert not any(explorer.tally.breaches.values())
    assert all(explorer.tally.cases.values())
    for schedule in ("synchronous", "random", "adversarial"):  # one schedule meets the deliveries of all the others
        assert explorer.tally.cases["L7"] == len(set(seen(labels, k, schedule)[1]))


def test_a_wrong_ring_breaks_the_lemmas_about_labels() -> None:
    breaches = explored((1, 3, 2), 2, of=(1, 2, 3)).tally.breaches  # the other direction
    assert breaches["L7"]
    assert not breaches["L12"]


def test_an_exploration_that_does_not_end_is_a_breach() -> None:
    assert explored((1, 2, 2), 2, most=10).tally.breaches["L12"] == 1


# -- sums and extremes -------------------------------------------------------------------------------------------------


def test_numbers_add_up_and_the_first_sentence_stands() -> None:
    assert added([{"a": 1, "s": ""}, {"a": 2, "s": "x"}, {"a": 3, "s": "y"}]) == {"a": 6, "s": "x"}


def test_the_worst_of_all_parts_by_size() -> None:
    answers = [
        {"worst": [[2, 1, 1, {"time": (5, "1,2")}]]},
        {"worst": [[2, 1, 1, {"time": (7, "2,1")}], [3, 1, 2, {"time": (4, "1,2,3")}]]},
    ]
    found = extremes(answers)
    assert found == {(2, 1, 1): {"time": (7, "2,1")}, (3, 1, 2): {"time": (4, "1,2,3")}}
    rows = shares(found, "time", lambda n, k, b: n * b)
    assert [row[:4] for row in rows] == [(3.5, 2, 1, 7), (4 / 6, 3, 1, 4)]


def test_what_is_said_of_a_smaller_k() -> None:
    found = tallied([[[1, 1, 10, 10], [1, 2, 5, 2]], [[2, 1, 3, 3]]])
    assert found == {(1, 1): (10, 10), (1, 2): (5, 2), (2, 1): (3, 3)}
    assert "right on all 13 rings of multiplicity k + 1" in one_too_many("a_k", found, 6)
    assert "fails on 3 of 5" in one_too_many("a_k", found, 6)
    assert "fails on 1 of 14" in one_too_many("b_k", found | {(3, 1): (1, 0)}, 6)
