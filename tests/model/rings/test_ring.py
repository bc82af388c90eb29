"""Labeled rings: how they are read, and what kind they are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from princeps.errors import RingError
from princeps.model.rings.facts import ring_facts
from princeps.model.rings.reading_rings import (
    MAX_PROCESSES,
    check_ring_size,
    read_ring,
    read_ring_file,
)
from princeps.model.rings.ring import Ring, outside_class, repeated_label
from tests.tables import in_one_test

SMALL = [Ring(labels) for n in range(2, 7) for labels in product((1, 2, 3), repeat=n)]


# -- reading -------------------------------------------------------------------------------------------------------

READINGS: dict[str, tuple[str | Sequence[Any], tuple[Any, ...]]] = {
    "commas": ("1,2,2", (1, 2, 2)),
    "letters": ("ABAAB", ("A", "B", "A", "A", "B")),
    "digits": ("122", (1, 2, 2)),
    "blanks": ("1 2 2", (1, 2, 2)),
    "a list of numbers": ([1, 2, 2], (1, 2, 2)),
    "a tuple of numbers": ((3, -1), (3, -1)),
    "a list of words": (["one", "two"], ("one", "two")),
    "a list of digits": (["1", "2"], (1, 2)),
    "a mixed list": ([1, "b"], ("1", "b")),
    "blanks after commas": (" 1, 2 ,2 ", (1, 2, 2)),
    "blanks around letters": ("  ABA\n", ("A", "B", "A")),
    "blanks in a list": ([" a", "b "], ("a", "b")),
    "signs": ("-3,+4,0", (-3, 4, 0)),
    "numbers and words": ("B,10", ("B", "10")),
    "a fraction is text": ("1.5,2", ("1.5", "2")),
    "a strange digit is text": ("²,1", ("²", "1")),
    "large numbers": ("123456789012345678901234567890,1", (123456789012345678901234567890, 1)),
    "words of letters": ("AB,CD", ("AB", "CD")),
}


@in_one_test(("given", "labels"), READINGS.values(), ids=READINGS.keys())
def test_a_ring_is_read(given: str | Sequence[Any], labels: tuple[Any, ...]) -> None:
    ring = read_ring(given)
    assert ring.labels == labels
    assert [type(label) for label in ring.labels] == [type(label) for label in labels]
    assert read_ring(ring) is ring
    assert read_ring(ring.text) == ring
    assert read_ring(ring.labels) == ring


def test_integers_compare_as_numbers_and_everything_else_as_text() -> None:
    assert read_ring("10,9").ranks == (1, 0)
    assert read_ring("B,10,9").ranks == (2, 0, 1)
    assert read_ring("-10,-9,3").ranks == (0, 1, 2)
    assert read_ring("b,B").ranks == (1, 0)
    assert read_ring("7,7,5").ranks == (1, 1, 0)
    nine, ten = read_ring("10,9").boxed[::-1]
    assert nine < ten


def test_a_long_ring_is_shortened_for_people_only() -> None:
    ring = read_ring(list(range(1, 31)))
    assert ring.short == str(ring) == f"{','.join(map(str, range(1, 21)))},... (30 labels)"
    assert ring.text == ",".join(map(str, range(1, 31)))
    assert read_ring("1,2,2").short == "1,2,2"


def test_a_file_may_have_comments_commas_and_lines(tmp_path: Path) -> None:
    path = tmp_path / "ring.txt"
    path.write_text("# clockwise\n1 2, 2\n\n  3\t1 # the fifth\n#4\n")
    assert read_ring_file(str(path)).labels == (1, 2, 2, 3, 1)
    path.write_text("AB CD\nAB")
    assert read_ring_file(str(path)).labels == ("AB", "CD", "AB")


REFUSED: dict[str, tuple[str | Sequence[Any], str]] = {
    "nothing": ("", 'the ring has no labels: give them clockwise, like labels="1,2,2" or labels="ABAAB".'),
    "blanks": ("   ", 'the ring has no labels: give them clockwise, like labels="1,2,2" or labels="ABAAB".'),
    "commas": (",,", 'the ring has no labels: give them clockwise, like labels="1,2,2" or labels="ABAAB".'),
    "an empty list": ([], 'the ring has no labels: give them clockwise, like labels="1,2,2" or labels="ABAAB".'),
    "a gap": ("1,,2", "label 1 of '1,,2' is empty: give every process a label, like labels=\"1,2,2\"."),
    "an open end": ("1,2,", "label 2 of '1,2,' is empty: give every process a label, like labels=\"1,2,2\"."),
    "an empty word": (["", "a"], "label 0 of ['', 'a'] is empty: give every process a label, like labels=\"1,2,2\"."),
    "one letter": ("A", "a ring of 1 process (A) is too small: give at least two labels."),
    "one number": ([12], "a ring of 1 process (12) is too small: give at least two labels."),
    "a comma in a label": (["a,b", "c"], "label 'a,b' holds a comma, which separates labels: leave it out."),
    "too many digits": (f"1,{'9' * 5000}", "label '9999999999...' has 5000 characters: give at most 1000."),
}


@in_one_test(("given", "sentence"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_no_ring_is_refused(given: str | Sequence[Any], sentence: str) -> None:
    with pytest.raises(RingError) as refused:
        read_ring(given)
    assert str(refused.value) == sentence


def test_a_ring_has_a_size_that_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    for n, sentence in (
        (1, "a ring of n = 1 processes is too small: give at least two."),
        (-3, "a ring of n = -3 processes is too small: give at least two."),
        (
            MAX_PROCESSES + 1,
            f"a ring of n = {MAX_PROCESSES + 1} processes is too large: give at most {MAX_PROCESSES}.",
        ),
    ):
        with pytest.raises(RingError) as refused:
            check_ring_size(n)
        assert str(refused.value) == sentence
    monkeypatch.setattr("princeps.model.rings.reading_rings.MAX_PROCESSES", 4)
    assert read_ring("ABCD").n == 4
    with pytest.raises(RingError, match="a ring of 5 processes is too large: give at most 4 labels"):
        read_ring("ABCDE")


def test_a_file_that_is_no_ring_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ring.txt"
    path.write_text("# nothing\n , \n")
    with pytest.raises(RingError, match="holds no labels: write them clockwise, separated by blanks"):
        read_ring_file(str(path))
    path.write_text("ABAAB\n")
    with pytest.raises(RingError, match=r"a ring of 1 process \(ABAAB\) is too small"):
        read_ring_file(str(path))
    path.write_bytes(b"\xff\xfe\x00 1 2")
    for unreadable in (path, tmp_path, tmp_path / "nowhere.txt"):
        with pytest.raises(RingError, match="cannot be read") as refused:
            read_ring_file(str(unreadable))
        assert str(refused.value).startswith(f"ring file {str(unreadable)!r} ")
        assert str(refused.value).endswith(": give a text file of labels.")


# -- what kind of ring it is, by looking at all of its processes ---------------------------------------------------


def counter_clockwise(ring: Ring, process: int) -> tuple[int, ...]:
    """What the process hears, one label after the other: its own, its left neighbour's, ..."""
    return tuple(int(ring.labels[process - t]) for t in range(ring.n))


def test_labels_come_from_the_left() -> None:
    ring = read_ring("1,2,3")
    assert ring.llabels(0) == (1, 3, 2)
    assert ring.llabels(1, 5) == (2, 1, 3, 2, 1)
    assert ring.llabels(2, 0) == ()
    for small in SMALL:
        assert all(small.llabels(process) == counter_clockwise(small, process) for process in range(small.n))


def test_the_true_leader_hears_the_smallest_word() -> None:
    for ring in SMALL:
        heard = [counter_clockwise(ring, process) for process in range(ring.n)]
        smallest = [process for process in range(ring.n) if heard[process] == min(heard)]
        assert ring.true_leader == (smallest[0] if len(smallest) == 1 else None), ring


def test_the_period_is_the_smallest_rotation_that_changes_nothing() -> None:
    for ring in SMALL:
        turns = [turn for turn in range(1, ring.n + 1) if ring.labels[turn:] + ring.labels[:turn] == ring.labels]
        assert ring.period == turns[0], ring
        assert ring.symmetric == (turns[0] < ring.n), ring
        assert ring.symmetric == (ring.true_leader is None), ring


def test_labels_are_counted() -> None:
    for ring in SMALL:
        times = [ring.labels.count(label) for label in (1, 2, 3)]
        assert ring.multiplicity == max(times), ring
        assert ring.unique_labels == times.count(1), ring
        assert ring.in_u_star == (1 in times), ring


@in_one_test(("labels", "bits"), [("11", 1), ("12", 1), ("123", 2), ("1234", 2), ("12345", 3)])
def test_label_bits_tell_the_labels_of_a_ring_apart(labels: str, bits: int) -> None:
    assert read_ring(labels).label_bits == bits
    assert 2**bits >= len(set(labels)) > 2 ** (bits - 1) - (bits == 1)


def test_only_the_order_of_the_labels_matters() -> None:
    for ring in SMALL[:300]:
        renamed = Ring(tuple("xyz"[int(label) - 1] for label in ring.labels))
        assert (renamed.ranks, renamed.true_leader, renamed.period) == (ring.ranks, ring.true_leader, ring.period)


def test_facts_gather_all_of_it() -> None:
    for ring in (read_ring("1,3,2,2"), read_ring("ABAAB"), read_ring("1,2,1,2"), read_ring([7, 7])):
        facts = ring_facts(ring)
        assert (facts.labels, facts.n, facts.distinct) == (list(ring.labels), ring.n, len(set(ring.labels)))
        assert (facts.label_bits, facts.multiplicity) == (ring.label_bits, ring.multiplicity)
        assert (facts.symmetric, facts.rotation) == (ring.symmetric, ring.period)
        assert (facts.in_u_star, facts.unique_labels) == (ring.in_u_star, ring.unique_labels)
        assert facts.leader == ring.true_leader
        if facts.leader is None:
            assert (facts.leader_label, facts.lyndon_word) == (None, None)
            assert set(facts.smallest_k.values()) == {None}
        else:
            assert facts.leader_label == ring.labels[facts.leader]
            assert facts.lyndon_word == list(ring.llabels(facts.leader))
            for_u_k = ring.multiplicity if ring.in_u_star else None
            wanted = {"a_k": ring.multiplicity, "b_k": max(2, ring.multiplicity), "u_k": for_u_k}
            assert facts.smallest_k == wanted
        assert facts.as_json() == facts.__dict__


def test_the_smallest_k_is_the_smallest_that_is_not_refused() -> None:
    for name in ("a_k", "b_k"):
        for ring in SMALL[:60]:
            smallest = ring_facts(ring).smallest_k[name]
            for k in range({"a_k": 1, "b_k": 2}[name], 6):
                complaint = outside_class(ring, k, name[0].upper())
                assert (complaint is None) == (smallest is not None and k >= smallest), (ring, k)


def test_a_ring_outside_the_class_is_told_why() -> None:
    assert outside_class(read_ring("1,2,2"), 2, "A") is None
    symmetric = outside_class(read_ring("1,2,1,2"), 2, "A")
    assert symmetric is not None
    assert symmetric.startswith("the ring is symmetric (period 2: ")
    assert outside_class(read_ring("1,2,2,2"), 2, "B") == (
        "multiplicity 3 exceeds k = 2: B_2 may elect two leaders here. Raise it: -p k=3."
    )
    assert repeated_label(read_ring("1,2,3"), "Chang-Roberts") is None
    assert repeated_label(read_ring("1,2,2"), "Le Lann") == "label 2 occurs 2 times: Le Lann needs distinct labels."
