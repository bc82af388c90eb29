"""A labeled ring: n processes, clockwise, whose labels may repeat; and what kind of ring it is.

Labels are listed clockwise and messages go from process i to i+1, so a process learns the labels on its left first:
LLabels(i) = label[i], label[i-1], label[i-2], ... Only the order of the labels matters; inside an algorithm they can
be compared and nothing else (`Label`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, total_ordering

from princeps.model.fields import ceil_lg
from princeps.model.rings.words import least_rotation, rotational_period


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
        """Every label by its rank among the distinct labels of the ring, from 0."""
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
        """The first labels of LLabels(process), n of them without `length`."""
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


def outside_class(ring: Ring, k: int, letter: str) -> str | None:
    """Why an algorithm for asymmetric rings of multiplicity at most k promises nothing on this ring."""
    if ring.symmetric:
        return (
            f"the ring is symmetric (period {ring.period}: a rotation by {ring.period} of its processes changes nothing): no deterministic algorithm can "
            f"elect one leader here."
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
