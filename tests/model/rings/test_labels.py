"""What an algorithm may do with a label: compare it with another one."""

from __future__ import annotations

import operator
from collections.abc import Callable

import pytest

from princeps.errors import RingError
from princeps.model.rings.reading_rings import (
    read_ring,
)
from princeps.model.rings.ring import Label
from tests.tables import in_one_test


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
