"""What A_k and B_k cost, as exact formulas of the ring: derived here, and tested on every small ring.

Notation: L is the true leader, LLabels(L) its labels counter-clockwise, b the bits of a label.

A_k. Let m be the length of the shortest prefix of LLabels(L) with 2k+1 copies of some label. L elects itself when its
string has grown to m. Until then it has received m-1 tokens; FINISH follows the tokens on the links, so the
process at distance d to the right of L sends m+d messages: one for its start, one for each token, and FINISH.
    time      m - 1 + n       (synchronous)
    messages  n m + n(n-1)/2
    bits      (m + n - 2) b + 2b + 3
With distinct labels m = 2kn+1, the worst case: time (2k+1)n, messages n^2(2k + 1/2) + n/2, strings up to (2k+1)n - 1.

B_k. Let X be the position of the (k+1)-th copy of L's label in LLabels(L), Act_i the processes whose first i labels are
those of L. In each of the X-1 phases every link carries exactly k tokens of the smallest guest and one PHASE_SHIFT; a
token of a process that drops out goes to the next process, clockwise, that is active with a smaller guest. FINISH adds n.
    messages  n((k+1)(X-1) + 1) + W,  W the hops of the tokens of those who drop out
    bits      2 ceil(lg k) + 3b + 5
    time      n + D_1 + ... + D_(X-1)   (synchronous)
A process of Act_i ends phase i when the token of the k-th one of Act_i to its left reaches it, and begins the next when
the shift of the first one to its left does: its clock is that of the (k+1)-th one to its left, plus the distance to it.
D_i is that distance, followed back from L through the phases X-1, ..., 1. While only L is active it is (k+1)n.
If L's label is unique, L is alone from phase 1 on and X = kn+1, the worst case: time k(k+1)n^2 + n.
"""

from __future__ import annotations

from dataclasses import dataclass

from princeps.model.rings.ring import Ring


@dataclass(frozen=True)
class Costs:
    """Of the synchronous execution; messages and bits are those of every execution."""

    time: int
    messages: int
    max_bits: int


def costs_of_a_k(ring: Ring, k: int) -> Costs:
    m = _prefix_with_copies(ring, 2 * k + 1)
    n, b = ring.n, ring.label_bits
    return Costs(m - 1 + n, n * m + n * (n - 1) // 2, (m + n - 2) * b + 2 * b + 3)


def _prefix_with_copies(ring: Ring, wanted: int) -> int:
    copies = [0] * (max(ring.ranks) + 1)
    length, process = 0, _leader(ring)
    while max(copies) < wanted:
        copies[ring.ranks[process]] += 1
        length, process = length + 1, (process - 1) % ring.n
    return length


def costs_of_b_k(ring: Ring, k: int) -> Costs:
    n, leader = ring.n, _leader(ring)
    phases = _position_of_copy(ring, k + 1) - 1  # X - 1
    active, dropped_hops = list(range(n)), 0
    survivors: list[list[int]] = []  # Act_1, Act_2, ...
    for i in range(phases):
        guests = {p: ring.ranks[(p - i) % n] for p in active}
        smallest = guests[leader]
        for p in active:
            if guests[p] > smallest:
                dropped_hops += min((r - p) % n for r in active if guests[r] < guests[p])
        active = [p for p in active if guests[p] == smallest]
        survivors.append(active)
    messages = n * ((k + 1) * phases + 1) + dropped_hops
    bits = 2 * (k - 1).bit_length() + 3 * ring.label_bits + 5
    return Costs(n + _clock(survivors, leader, k, n), messages, bits)


def _position_of_copy(ring: Ring, wanted: int) -> int:
    """Where LLabels(L) has its own label for the `wanted`-th time, counted from 1."""
    leader, length, copies = _leader(ring), 0, 0
    while copies < wanted:
        copies += ring.ranks[(leader - length) % ring.n] == ring.ranks[leader]
        length += 1
    return length


def _clock(survivors: list[list[int]], leader: int, k: int, n: int) -> int:
    total, p = 0, leader
    for active in reversed(survivors):
        turns, at = divmod(
            active.index(p) - (k + 1), len(active)
        )  # k+1 active processes back, around the ring as often as needed
        total += p - active[at] - turns * n
        p = active[at]
    return total


def _leader(ring: Ring) -> int:
    leader = ring.true_leader
    assert leader is not None, "a symmetric ring has no true leader"
    return leader
