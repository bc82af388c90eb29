"""Rings and what the paper defines on them, written straight from its definitions.

Labels are listed clockwise, processes count from 0, phases and positions in LLabels from 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from princeps.model.rings.ring import Ring
from princeps.model.rings.words import lyndon_words

Labels = tuple[int, ...]


def all_rings(n: int) -> list[Labels]:
    """Every asymmetric ring of n processes, one of each class of rotations and renamings that keep the order.

    Algorithms only compare labels, so that this is every ring there is, whatever its labels are.
    """
    return [word for word in lyndon_words(n, n) if set(word) == set(range(1, len(set(word)) + 1))]


def distinct_rings(n: int) -> list[Labels]:
    """Those of K_1: all orders of n labels, up to rotation."""
    return [labels for labels in all_rings(n) if len(set(labels)) == n]


def multiplicity(labels: Labels) -> int:
    return max(Counter(labels).values())


def llabels(labels: Labels, p: int, length: int) -> Labels:
    """LLabels(p)^length: the labels from p on, counter-clockwise."""
    return tuple(labels[(p - t) % len(labels)] for t in range(length))


def label_at(labels: Labels, p: int, i: int) -> int:
    """LLabels(p)[i]."""
    return labels[(p - (i - 1)) % len(labels)]


def srp_length(word: Labels) -> int:
    """The length of the smallest repeating prefix: repeated and cut off, it is the word."""
    length = len(word)
    return next(m for m in range(1, length + 1) if (word[:m] * (length // m + 1))[:length] == word)


def prefix_with(labels: Labels, p: int, copies: int) -> Labels:
    """The shortest prefix of LLabels(p) with this number of copies of some label."""
    found: Counter[int] = Counter()
    word: list[int] = []
    while not word or found[word[-1]] < copies:
        word.append(label_at(labels, p, len(word) + 1))
        found[word[-1]] += 1
    return tuple(word)


def true_leader(labels: Labels) -> int:
    """L: LLabels(L)^n is smaller than every other one."""
    n = len(labels)
    return min(range(n), key=lambda p: llabels(labels, p, n))


def act(labels: Labels, i: int) -> frozenset[int]:
    """Act_i: the processes whose first i labels are those of L."""
    wanted = llabels(labels, true_leader(labels), i)
    return frozenset(p for p in range(len(labels)) if llabels(labels, p, i) == wanted)


def last_phase(labels: Labels, k: int) -> int:
    """X: where LLabels(L) holds L's label for the (k+1)-th time."""
    leader = true_leader(labels)
    x = copies = 0
    while copies < k + 1:
        x += 1
        copies += label_at(labels, leader, x) == labels[leader]
    return x


def text(labels: Labels) -> str:
    """As --labels reads it."""
    return Ring(labels).text


# -- dealing them out to the parts of a measurement --------------------------------------------------------------------

Piece = tuple[int, int, int]  # n, and which of how many shares of its rings


def pieces(shares: dict[int, int]) -> list[Piece]:
    """`shares`: into how many parts the rings of each size are dealt."""
    return [(n, share, of) for n, of in shares.items() for share in range(of)]


def rings_of(piece: Sequence[int]) -> list[Labels]:
    n, share, of = piece
    return all_rings(n)[share::of]
