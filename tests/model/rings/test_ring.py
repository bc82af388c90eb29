"""Labeled rings: how they are read and drawn, what kind they are, and what an algorithm may do with a label."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from princeps.errors import ParameterError, RingError
from princeps.model.randomness import Stream
from princeps.model.rings.facts import ring_facts
from princeps.model.rings.reading import make_ring_run
from princeps.model.rings.reading_rings import (
    MAX_PROCESSES,
    check_ring_size,
    numbered_ring,
    random_ring,
    read_ring,
    read_ring_file,
)
from princeps.model.rings.ring import Label, Ring, outside_class, repeated_label
from tests.tables import in_one_test

SMALL = [Ring(labels) for n in range(2, 7) for labels in product((1, 2, 3), repeat=n)]


def draw(text: str, seed: int = 0, k: int | None = None) -> Ring:
    return random_ring(text, Stream.of(seed, 0, "ring"), k)


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
    "nothing": ("", "the ring has no labels: give them clockwise, like --labels 1,2,2 or --labels ABAAB."),
    "blanks": ("   ", "the ring has no labels: give them clockwise, like --labels 1,2,2 or --labels ABAAB."),
    "commas": (",,", "the ring has no labels: give them clockwise, like --labels 1,2,2 or --labels ABAAB."),
    "an empty list": ([], "the ring has no labels: give them clockwise, like --labels 1,2,2 or --labels ABAAB."),
    "a gap": ("1,,2", "label 1 of '1,,2' is empty: give every process a label, like --labels 1,2,2."),
    "an open end": ("1,2,", "label 2 of '1,2,' is empty: give every process a label, like --labels 1,2,2."),
    "an empty word": (["", "a"], "label 0 of ['', 'a'] is empty: give every process a label, like --labels 1,2,2."),
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


# -- drawing -------------------------------------------------------------------------------------------------------

DRAWN = {
    "n=12,labels=4,max=3": (12, 4, 3),
    "n=12,labels=6,max=3": (12, 6, 3),
    "n=7,labels=2": (7, 2, 4),
    "n=7,max=2": (7, 4, 2),
    "n=9,labels=3,max=9": (9, 3, 9),
    "n=6,labels=1000,max=1": (6, 1000, 1),
    "n=4,labels=2,max=2": (4, 2, 2),  # half of these decks are symmetric and drawn again
    " n = 5 , labels = 3 , max = 2 ": (5, 3, 2),
    "n=1e1,labels=1e30,max=1e30": (10, 10**30, 10**30),
}


@pytest.mark.parametrize(("text", "shape"), DRAWN.items(), ids=DRAWN.keys())
def test_a_random_ring_is_asymmetric_and_within_its_limits(text: str, shape: tuple[int, int, int]) -> None:
    n, distinct, most = shape
    for seed in range(60):
        ring = draw(text, seed)
        assert ring.n == n
        assert not ring.symmetric
        assert ring.multiplicity <= most
        assert all(1 <= int(label) <= distinct for label in ring.labels)


def test_a_random_ring_may_be_as_frequent_as_allowed() -> None:
    assert {draw("n=6,labels=3,max=4", seed).multiplicity for seed in range(200)} == {2, 3, 4}
    assert {draw("n=6,labels=2,max=3", seed).multiplicity for seed in range(20)} == {3}


def test_a_random_ring_without_repetitions_is_a_shuffle() -> None:
    for seed in range(10):
        ring = draw("n=8", seed)
        assert sorted(map(int, ring.labels)) == list(range(1, 9))
        assert ring == numbered_ring(8, Stream.of(seed, 0, "ring"))
    assert len({draw("n=8", seed) for seed in range(10)}) == 10


def test_all_asymmetric_decks_are_drawn_equally_often() -> None:
    """A deck of two 1s and two 2s: of its six orders two are symmetric; 4000 draws of the other four."""
    seen = Counter(draw("n=4,labels=2,max=2", seed).labels for seed in range(4000))
    assert set(seen) == {(1, 1, 2, 2), (1, 2, 2, 1), (2, 2, 1, 1), (2, 1, 1, 2)}
    assert all(abs(count - 1000) < 5 * (4000 * 0.25 * 0.75) ** 0.5 for count in seen.values())


def test_a_seed_has_its_ring_and_a_trial_its_own() -> None:
    text = "n=20,labels=10,max=3"
    assert draw(text, 7) == draw(text, 7)
    assert draw(text, 7) != draw(text, 8)
    by_trial = {make_ring_run("a_k", random=text, seed=7, trial=trial).ring for trial in range(5)}
    assert len(by_trial) == 5
    assert draw(text, 7) in by_trial


def test_the_ring_and_its_schedule_have_streams_of_their_own() -> None:
    """A ring that was drawn and the same one typed in are run by the same schedule."""
    from princeps.engines.rings.simulate import simulate_ring

    drawn = make_ring_run("a_k", random="n=6,labels=4,max=2", seed=3, schedule="random", engine="reference")
    typed = make_ring_run("a_k", labels=drawn.ring, seed=3, schedule="random", engine="reference")
    other = make_ring_run("a_k", labels=drawn.ring, seed=4, schedule="random", engine="reference")
    assert drawn.stream("schedule").next64() == typed.stream("schedule").next64()
    assert drawn.stream("schedule").next64() != drawn.stream("ring").next64()
    assert simulate_ring(drawn).time == simulate_ring(typed).time
    assert make_ring_run("a_k", random="n=6,labels=4,max=2", seed=3).ring == drawn.ring  # whatever the schedule
    assert other.stream("schedule").next64() != typed.stream("schedule").next64()


def test_max_may_be_the_parameter_k() -> None:
    assert draw("n=12,labels=4,max=k", 5, k=3) == draw("n=12,labels=4,max=3", 5)
    assert draw("n=7,max=k", 5, k=2) == draw("n=7,max=2", 5)
    run = make_ring_run("a_k", random="n=12,labels=4,max=k", seed=5, params={"k": 3})
    assert run.ring == draw("n=12,labels=4,max=3", 5)
    assert run.command() == (
        "princeps run a_k --random n=12,labels=4,max=k -p k=3 -p printed=0 --schedule synchronous --seed 5"
    )


NOT_DRAWN = {
    "labels=3,max=2": "random ring 'labels=3,max=2' lacks n: write it like n=1000,labels=50,max=20.",
    "": "random ring '' is not understood at '': write n=1000,labels=50,max=20.",
    "n=5,colours=3": "random ring 'n=5,colours=3' is not understood at 'colours=3': write n=1000,labels=50,max=20.",
    "n=5,labels": "random ring 'n=5,labels' is not understood at 'labels': write n=1000,labels=50,max=20.",
    "n=1,labels=3": "a ring of n = 1 processes is too small: give at least two.",
    "n=1e9": f"a ring of n = 1000000000 processes is too large: give at most {MAX_PROCESSES}.",
    "n=7,labels=3,max=2": "3 labels at most 2 times each are too few for n = 7 processes: raise labels or max (labels * max >= n).",
    "n=7,labels=1": "a ring with one label is symmetric: give labels=2 or more.",
    "n=7,max=7": "a ring with one label is symmetric: give labels=2 or more.",
    "n=7,labels=0": "labels = 0 is too small: give at least 1.",
    "n=7,labels=2,max=-1": "max = -1 is too small: give at least 1.",
    "n=7,labels=4,max=k": "max=k needs a parameter k: give it with -p k=3, or write a number.",
}


@in_one_test(("text", "sentence"), NOT_DRAWN.items(), ids=NOT_DRAWN.keys())
def test_what_cannot_be_drawn_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(RingError) as refused:
        draw(text)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(("text", "word"), [("n=many", "n = 'many'"), ("n=5,max=1.5", "max = '1.5'")])
def test_a_number_must_be_one(text: str, word: str) -> None:
    with pytest.raises(ParameterError, match=word):
        draw(text)


def test_a_ring_that_is_never_asymmetric_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("princeps.model.rings.reading_rings.MAX_REDRAWS", 0)
    with pytest.raises(RingError, match="every ring drawn for 'n=4,labels=2' is symmetric: raise labels, or choose"):
        draw("n=4,labels=2")


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
            assert facts.smallest_k == {"a_k": ring.multiplicity, "b_k": max(2, ring.multiplicity)}
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


# -- what an algorithm may do with a label -------------------------------------------------------------------------


def test_labels_are_compared_by_rank() -> None:
    a, b, again = read_ring("A,B,A").boxed
    assert a < b
    assert b > a
    assert a <= again
    assert b >= a
    assert a != b
    assert a == again
    assert a is again  # the same label, the same box
    assert (hash(a), str(a), repr(b)) == (hash(again), "A", "B")
    assert sorted([b, a]) == [a, b]
    assert (min(a, b), max(a, b)) == (a, b)


FORBIDDEN: dict[str, Callable[[Label], object]] = {
    "sum": lambda label: label + label,
    "successor": lambda label: label + 1,
    "difference": lambda label: label - label,
    "product": lambda label: 2 * label,
    "truth": bool,
    "negation": operator.not_,
    "integer": int,  # type: ignore[dict-item]
    "index": operator.index,  # type: ignore[dict-item]
    "length": len,  # type: ignore[dict-item]
    "equal to a number": lambda label: label == 1,
    "different from a number": lambda label: label != 1,
    "equal to nothing": lambda label: label == None,  # noqa: E711
    "below a number": lambda label: label < 1,
    "above a number": lambda label: label > 1,
    "at most a number": lambda label: label <= 1,
    "number below it": lambda label: 1 < label,  # noqa: SIM300
    "number equal to it": lambda label: 1 == label,  # noqa: SIM300
    "text equal to it": lambda label: label == "1",
}


@in_one_test("use", FORBIDDEN.values(), ids=FORBIDDEN.keys())
def test_a_label_may_only_be_compared_with_labels(use: Callable[[Label], object]) -> None:
    label = read_ring("1,2").boxed[0]
    with pytest.raises(TypeError):
        use(label)


def test_the_sentence_names_what_the_label_is_compared_with() -> None:
    label = read_ring("1,2").boxed[0]
    with pytest.raises(TypeError, match="a label is compared with 7, which is no label"):
        _ = label < 7
    with pytest.raises(TypeError, match="neither true nor false: compare it with another label"):
        assert label


@pytest.mark.parametrize("word", ["a\tb", "\x1b[31mx", "a\u200bb"])
def test_a_label_that_cannot_be_shown_is_refused(word: str) -> None:
    with pytest.raises(RingError, match="cannot be shown"):
        read_ring([word, "b"])


def test_a_random_ring_says_everything_once() -> None:
    with pytest.raises(RingError, match="gives n twice"):
        random_ring("n=5,n=6", Stream.of(0, 0, "ring"))
