"""Lengths of prefixes instead of strings: the counts of lowering/rings/words.py beside counting the letters themselves.

The functions are tried as the Python that they are written in; tests/engines/rings compares what is compiled from them.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from princeps.lowering.rings import words
from tests.tables import in_one_test

random = Random(5)
RINGS = [[0, 1], [0, 0, 1], [2, 0, 1, 0, 2], [0, 0, 0, 1], *([random.randrange(3) for _ in range(7)] for _ in range(5))]
RINGS = [[sorted(set(ring)).index(label) for label in ring] for ring in RINGS]


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The functions before they are compiled."""
    for name in ("up_to", "tossed", "defined", "copies_with"):
        monkeypatch.setattr(words, name, getattr(words, name).py_func)
    return words


@in_one_test("ring", RINGS, ids=str)
def test_labels_up_to_a_process(ring: list[int], plain: Any) -> None:
    first, positions = words.label_tables(np.array(ring))
    for label in set(ring):
        places = positions[first[label] : first[label + 1]].tolist()
        assert places == [p for p, other in enumerate(ring) if other == label]
        for last in range(-1, len(ring)):
            assert plain.up_to(first, positions, label, last) == ring[: last + 1].count(label)


@in_one_test("ring", RINGS, ids=str)
def test_copies_of_the_most_frequent_label(ring: list[int], plain: Any) -> None:
    """LLabels(j) is the label of j and then those of its predecessors; any letter may be appended to a prefix of it."""
    n, labels = len(ring), np.array(ring)
    first, positions = words.label_tables(labels)
    for j in range(n):
        for length in range(3 * n):
            prefix = [ring[(j - k) % n] for k in range(length)]
            most = max(Counter(prefix).values(), default=0)
            position, turns = (j - length) % n, length // n
            for x in set(ring):
                expected = max(Counter([*prefix, x]).values())
                assert plain.copies_with(labels, first, positions, j, length, turns, position, most, x) == expected


def test_what_an_algorithm_must_not_do(plain: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - it becomes a sentence of the engine
        plain.tossed(None, 0)
    unset = np.zeros(1, np.int64)
    assert (plain.defined(3, unset), unset[0]) == (3, 0)
    assert (plain.defined(-1, unset), unset[0]) == (-1, 1)
