"""A labeled ring: n processes, clockwise, whose labels may repeat; and what kind of ring it is.

Labels are listed clockwise and messages go from process i to i+1, so a process learns the labels on its left first:
LLabels(i) = label[i], label[i-1], label[i-2], ... Only the order of the labels matters; inside an algorithm they can
be compared and nothing else (`Label`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, total_ordering
from typing import Any, SupportsIndex

from princeps.errors import RingError
from princeps.model.fields import ceil_lg
from princeps.model.numbers import MOST_DIGITS, read_count
from princeps.model.randomness import Stream
from princeps.model.rings.words import least_rotation, rotational_period

INTEGER = re.compile(r"[+-]?[0-9]+")
MOST_PROCESSES = 10**7
REDRAWS = 1000  # a random ring that is symmetric is drawn again


@total_ordering
class Label:
    """What an algorithm sees of a label: it can be compared with another label, and nothing else."""

    __slots__ = ("rank", "text")

    def __init__(self, rank: int, text: int | str) -> None:
        self.rank, self.text = rank, text

    def __eq__(self, other: object) -> bool:
        return self.rank == self._other(other)

    def __lt__(self, other: object) -> bool:
        return self.rank < self._other(other)

    def __hash__(self) -> int:
        return hash(self.rank)

    def __bool__(self) -> bool:
        raise TypeError("a label is neither true nor false: compare it with another label.")

    def __str__(self) -> str:
        return str(self.text)

    __repr__ = __str__

    def _other(self, other: object) -> int:
        if not isinstance(other, Label):
            raise TypeError(f"a label is compared with {other!r}, which is no label.")
        return other.rank


@dataclass(frozen=True)
class Ring:
    """Labels clockwise: all integers, or all text."""

    labels: tuple[int, ...] | tuple[str, ...]

    @property
    def n(self) -> int:
        return len(self.labels)

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """Every label by its place among the distinct labels of the ring."""
        order = {label: rank for rank, label in enumerate(sorted(set(self.labels)))}  # type: ignore[type-var]
        return tuple(order[label] for label in self.labels)

    @cached_property
    def boxed(self) -> tuple[Label, ...]:
        """The labels as an algorithm sees them."""
        boxes = {rank: Label(rank, label) for rank, label in zip(self.ranks, self.labels, strict=True)}  # type: ignore[arg-type]
        return tuple(boxes[rank] for rank in self.ranks)

    @cached_property
    def label_bits(self) -> int:
        """b, the bits that tell the labels of this ring apart."""
        return max(1, ceil_lg(len(set(self.labels))))

    @cached_property
    def multiplicity(self) -> int:
        """How often the most frequent label occurs: the ring is in K_k for every k from here on."""
        return max(Counter(self.labels).values())

    @cached_property
    def period(self) -> int:
        """The smallest rotation under which the ring looks the same; n if it is asymmetric."""
        return rotational_period(self.ranks)

    @property
    def symmetric(self) -> bool:
        return self.period < self.n

    @cached_property
    def unique_labels(self) -> int:
        return sum(1 for times in Counter(self.labels).values() if times == 1)

    @property
    def in_u_star(self) -> bool:
        """At least one label is unique."""
        return self.unique_labels > 0

    @cached_property
    def true_leader(self) -> int | None:
        """The process L whose LLabels(L)^n is a Lyndon word; None on a symmetric ring."""
        if self.symmetric:
            return None
        backwards = self.ranks[::-1]  # counter-clockwise from process n-1
        return self.n - 1 - least_rotation(backwards)

    def llabels(self, process: int, length: int | None = None) -> tuple[int | str, ...]:
        """The first labels of LLabels(process), n of them unless told otherwise."""
        return tuple(self.labels[(process - t) % self.n] for t in range(self.n if length is None else length))

    @property
    def text(self) -> str:
        """As --labels reads it."""
        return ",".join(map(str, self.labels))

    @property
    def short(self) -> str:
        """As people read it: the first labels of a long ring."""
        if self.n <= 24:
            return self.text
        return f"{','.join(map(str, self.labels[:20]))},... ({self.n:,} labels)"

    def __str__(self) -> str:
        return self.short


def read_ring(given: str | Sequence[Any] | Ring) -> Ring:
    """`1,2,2`, `1 2 2`, `ABAAB`, or a list of labels; labels that are all integers compare as numbers."""
    if isinstance(given, Ring):
        return given
    if not isinstance(given, (str, Sequence)) or not all(_is_label(item) for item in given):
        raise RingError(f"labels {given!r} are no list of integers or texts: give them like [1, 2, 2] or 'ABAAB'.")
    if isinstance(given, str):
        words = [word.strip() for word in given.split(",")] if "," in given else given.split()
        words = list(words[0]) if len(words) == 1 else words
    else:
        words = [str(item).strip() for item in given]
    if not any(words):
        raise RingError("the ring has no labels: give them clockwise, like --labels 1,2,2 or --labels ABAAB.")
    if "" in words:
        place = words.index("")
        raise RingError(f"label {place} of {given!r} is empty: give every process a label, like --labels 1,2,2.")
    for word in words:
        if not word.isprintable():
            raise RingError(f"label {word!r} holds characters that cannot be shown: use letters, digits and signs.")
        if "," in word:
            raise RingError(f"label {word!r} holds a comma, which separates labels: leave it out.")
        if len(word) > MOST_DIGITS:
            raise RingError(f"label {word[:10] + '...'!r} has {len(word)} characters: give at most {MOST_DIGITS}.")
    if len(words) < 2:
        raise RingError(f"a ring of {len(words)} process ({words[0]}) is too small: give at least two labels.")
    if len(words) > MOST_PROCESSES:
        raise RingError(f"a ring of {len(words)} processes is too large: give at most {MOST_PROCESSES} labels.")
    if all(INTEGER.fullmatch(word) for word in words):
        return Ring(tuple(int(word) for word in words))
    return Ring(tuple(words))


def _is_label(item: object) -> bool:
    return isinstance(item, str) or (isinstance(item, SupportsIndex) and not isinstance(item, bool))


def read_ring_file(path: str) -> Ring:
    """Labels separated by blanks, commas or line ends; # begins a comment."""
    try:
        with open(path, encoding="utf-8") as file:
            text = "\n".join(line.partition("#")[0] for line in file)
    except (OSError, UnicodeDecodeError) as error:
        raise RingError(f"ring file {path!r} cannot be read ({error}): give a text file of labels.") from None
    words = text.replace(",", " ").split()
    if not words:
        raise RingError(f"ring file {path!r} holds no labels: write them clockwise, separated by blanks.")
    return read_ring(words)


def numbered_ring(n: int, stream: Stream) -> Ring:
    """The distinct labels 1..n in random order."""
    check_ring_size(n)
    labels = list(range(1, n + 1))
    stream.shuffle(labels)
    return Ring(tuple(labels))


def random_ring(text: str, stream: Stream, k: int | None = None) -> Ring:
    """`n=1000,labels=50,max=20`: a deck with `max` cards of each label is shuffled and n are dealt; asymmetric."""
    given = _read_pairs(text)
    if "n" not in given:
        raise RingError(f"random ring {text!r} lacks n: write it like n=1000,labels=50,max=20.")
    n = read_count(given["n"], "n")
    check_ring_size(n)
    if "labels" not in given and "max" not in given:
        return numbered_ring(n, stream)
    most = _count(given["max"], "max", k) if "max" in given else None
    distinct = _count(given["labels"], "labels", None) if "labels" in given else -(-n // (most or 1))
    most = -(-n // distinct) if most is None else most
    if distinct * most < n:
        raise RingError(
            f"{distinct} labels at most {most} times each are too few for n = {n} processes: "
            f"raise labels or max (labels * max >= n)."
        )
    if distinct == 1:
        raise RingError("a ring with one label is symmetric: give labels=2 or more.")
    for _ in range(REDRAWS):
        deck = [card // most + 1 for card in stream.sample(distinct * most, n)]
        ring = Ring(tuple(deck))
        if not ring.symmetric:
            return ring
    raise RingError(f"every ring drawn for {text!r} is symmetric: raise labels, or choose another n.")


def outside_class(ring: Ring, k: int, letter: str) -> str | None:
    """Why an algorithm for asymmetric rings of multiplicity at most k promises nothing on this ring."""
    if ring.symmetric:
        return (
            f"the ring is symmetric (period {ring.period}: a rotation by so many places changes nothing): no deterministic algorithm can elect "
            f"one leader here."
        )
    if ring.multiplicity > k:
        return (
            f"multiplicity {ring.multiplicity} exceeds k = {k}: {letter}_{k} may elect two leaders here. "
            f"Raise it: -p k={ring.multiplicity}."
        )
    return None


def repeated_label(ring: Ring, algorithm: str) -> str | None:
    """Why an algorithm for distinct labels promises nothing on this ring."""
    label, times = Counter(ring.labels).most_common(1)[0]
    return None if times == 1 else f"label {label} occurs {times} times: {algorithm} needs distinct labels."


def check_ring_size(n: int) -> None:
    if n < 2:
        raise RingError(f"a ring of n = {n} processes is too small: give at least two.")
    if n > MOST_PROCESSES:
        raise RingError(f"a ring of n = {n} processes is too large: give at most {MOST_PROCESSES}.")


def _read_pairs(text: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals or name not in ("n", "labels", "max"):
            raise RingError(f"random ring {text!r} is not understood at {part!r}: write n=1000,labels=50,max=20.")
        if name in found:
            raise RingError(f"random ring {text!r} gives {name} twice: once is enough.")
        found[name] = value
    return found


def _count(text: str, what: str, k: int | None) -> int:
    if text == "k":
        if k is None:
            raise RingError(f"{what}=k needs a parameter k: give it with -p k=3, or write a number.")
        return k
    number = read_count(text, what)
    if number < 1:
        raise RingError(f"{what} = {number} is too small: give at least 1.")
    return number
