"""U_k on every small ring with a unique label: who leads, and at exactly which cost."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from princeps.engines.rings.simulate import simulate_ring
from princeps.errors import RingError
from princeps.model.rings.reading import make_ring_run
from princeps.model.rings.ring import Ring
from tests.conftest import Sized
from tests.ring_tools import planned


def rings_with_unique_labels(most_n: int) -> list[tuple[Ring, int]]:
    """Every word over at most four labels, 0 the first of them, with k and k + 1 where that is at most 4."""
    found = []
    for n in range(2, most_n + 1):
        for word in product(range(4), repeat=n):
            times = Counter(word)
            if set(times) == set(range(len(times))) and 1 in times.values():
                most = max(times.values())
                found += [(Ring(word), k) for k in (most, most + 1) if k <= 4]
    return found


def test_there_are_4884_of_them_up_to_six_processes() -> None:
    assert len(rings_with_unique_labels(6)) == 4884


@pytest.mark.medium
def test_the_smallest_unique_label_leads_after_k_plus_2_rounds(sized: Sized) -> None:
    """The bound of the paper is always attained; 2n^2 + kn messages suffice, and are needed if labels are distinct."""
    for ring, k in rings_with_unique_labels(sized(4, 6)):
        times, n = Counter(ring.labels), ring.n
        result = simulate_ring(planned("u_k", ring, params={"k": k}))
        assert result.converged, result
        assert result.leader_label == min(label for label in range(4) if times[label] == 1)
        assert result.time == (k + 2) * n
        assert result.messages <= 2 * n * n + k * n
        assert (result.messages == 2 * n * n + k * n) == (max(times.values()) == 1)
        assert result.max_bits == 2 * ring.label_bits + (k + 1).bit_length() + 3


def test_without_a_unique_label_it_is_refused_and_goes_wrong() -> None:
    with pytest.raises(RingError, match="no label of the ring is unique: U_3 may elect two"):
        make_ring_run("u_k", labels="1,2,1,2,2")
    with pytest.raises(RingError, match="multiplicity 2 exceeds k = 1: U_1"):
        make_ring_run("u_k", labels="1,1,2", params={"k": 1})
    for labels, leaders in (("1,2,1,2,2", 2), ("0,0,1,1,1", 0)):  # two elect themselves, or nobody does
        result = simulate_ring(planned("u_k", labels, params={"k": 3}, force=True))
        assert (result.converged, result.leaders) == (False, leaders)
