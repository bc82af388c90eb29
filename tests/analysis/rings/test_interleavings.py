"""Exact costs and all interleavings of rings."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from princeps.analysis.rings.costs import Costs, costs_of_a_k, costs_of_b_k
from princeps.analysis.rings.interleavings import Interleavings, all_interleavings
from princeps.errors import ProtocolError, TooLarge
from princeps.model import registry
from princeps.model.rings.algorithm import RingAlgorithm
from princeps.model.rings.ring import Ring
from tests.engines.rings import faulty_ring as faulty
from tests.ring_tools import (
    SMALLEST_K,
    elected,
    random_asymmetric,
    rings_of_class,
)

COSTS: dict[str, Callable[[Ring, int], Costs]] = {"a_k": costs_of_a_k, "b_k": costs_of_b_k}


# -- exact costs --------------------------------------------------------------------------------------------------


def measured(name: str, ring: Ring, k: int, **more: Any) -> Costs:
    result = elected(name, ring, params={"k": k}, **more)
    assert result.converged
    return Costs(result.time, result.messages, result.max_bits)


@pytest.mark.slow
@pytest.mark.parametrize("name", COSTS)
def test_the_formulas_are_exact_on_every_small_ring(name: str) -> None:
    draw = random.Random(13)
    for ring, k in rings_of_class(6, 4, SMALLEST_K[name]):
        turn = draw.randrange(ring.n)
        turned = Ring((*ring.labels[turn:], *ring.labels[:turn]))
        assert measured(name, turned, k) == COSTS[name](turned, k) == COSTS[name](ring, k)


@pytest.mark.slow
@pytest.mark.parametrize("name", COSTS)
def test_messages_and_bits_are_those_of_every_schedule(name: str) -> None:
    draw = random.Random(14)
    for seed in range(60):
        ring = random_asymmetric(draw.randint(2, 20), draw.randint(2, 20), draw)
        k = max(SMALLEST_K[name], ring.multiplicity)
        costs, exact = measured(name, ring, k, schedule="random", seed=seed), COSTS[name](ring, k)
        assert (costs.messages, costs.max_bits) == (exact.messages, exact.max_bits)
        assert measured(name, ring, k) == exact


@pytest.mark.parametrize("name", COSTS)
def test_distinct_labels_give_closed_forms(name: str) -> None:
    draw = random.Random(15)
    for n in (2, 3, 7, 20, 41):
        for k in range(SMALLEST_K[name], 5):
            ring = Ring(tuple(draw.sample(range(n), n)))
            costs = measured(name, ring, k)
            assert costs == COSTS[name](ring, k)
            if name == "a_k":
                assert (costs.time, 2 * costs.messages) == ((2 * k + 1) * n, n * n * (4 * k + 1) + n)
            else:
                assert costs.time == k * (k + 1) * n * n + n


# -- all interleavings --------------------------------------------------------------------------------------------


def explored(name: str | type[RingAlgorithm], ring: Ring, **more: Any) -> Interleavings:
    cls = registry.find_ring(name) if isinstance(name, str) else name
    most, all_received = more.pop("most", 10**5), more.pop("all_received", True)
    return all_interleavings(cls(ring, **more), ring, most, all_received=all_received)


@pytest.mark.medium
@pytest.mark.parametrize("name", COSTS)
def test_every_interleaving_of_a_small_ring_ends_alike(name: str) -> None:
    for ring, k in rings_of_class(4, 3, SMALLEST_K[name]):
        found = explored(name, ring, k=k)
        assert found.confluent
        assert found.endings == 1
        assert found.leaders == (ring.true_leader,)
        assert found.messages == (measured(name, ring, k, schedule="random").messages,)
        assert found.messages == (COSTS[name](ring, k).messages,)
        assert found.steps > found.configurations  # there is more than one way


def test_interleavings_of_two_processes_are_counted_by_hand() -> None:
    """Silent processes only start, in either order."""
    found = explored(faulty.Faulty, Ring((1, 2)), fault=faulty.SILENT)
    assert (found.configurations, found.steps) == (4, 4)
    assert found.broken == "in the end nobody leads"
    assert found.schedule == (0, 1)


def test_the_printed_table_can_be_led_into_a_deadlock() -> None:
    found = explored("a_k", Ring((0, 1, 2)), k=1, printed=1)
    assert not found.confluent
    assert found.broken is not None
    assert "no action is enabled" in found.broken
    assert found.schedule is not None
    order = f"order:{','.join(map(str, found.schedule))}"
    result = elected("a_k", "0,1,2", "auto", schedule=order, params={"k": 1, "printed": 1})
    assert (result.engine, result.converged) == ("reference", False)
    assert result.violations[0].rule == "no action is enabled"
    assert found.broken.partition(": ")[2] in result.violations[0].sentence
    mended = elected("a_k", "0,1,2", "auto", schedule=order, params={"k": 1})
    assert mended.converged


def test_the_printed_table_elects_though_messages_are_left_behind() -> None:
    """Theorem 2 holds of it, and the remark in its proof does not; repaired, nothing is left."""
    ring = Ring((0, 1, 2))
    found = explored("a_k", ring, k=1, printed=1, all_received=False)
    assert (found.broken, found.leaders) == (None, (ring.true_leader,))
    assert found.left_over > 0
    mended = explored("a_k", ring, k=1, all_received=False)
    assert (mended.confluent, mended.left_over) == (True, 0)


@pytest.mark.parametrize(("fault", "breaches"), faulty.BREACHES.items())
def test_a_broken_rule_is_found_among_the_interleavings(
    fault: int, breaches: list[tuple[str, int | None, str]]
) -> None:
    found = explored(faulty.Faulty, Ring((2, 5, 3)), fault=fault)
    if not breaches:
        assert found.confluent
        return
    assert found.broken is not None
    assert found.schedule is not None
    rule, process, action = breaches[0]
    where = f"process {process} by {action}".removesuffix(" by ")
    assert found.broken.startswith("in the end" if process is None else f"{where}: {rule}")
    order = f"order:{','.join(map(str, found.schedule))}"
    assert not elected(faulty.Faulty, "2,5,3", "reference", schedule=order, params={"fault": fault}).converged


@pytest.mark.slow
def test_two_endings_are_found() -> None:
    found = explored(faulty.Moody, Ring((2, 3, 1)))
    assert found.broken is None
    assert not found.confluent
    assert found.endings == 4  # each of two processes chooses
    base = elected(faulty.Faulty, "2,3,1").messages
    assert found.messages == (base, base + 1, base + 2)
    assert found.leaders == (1,)


def test_too_many_interleavings_are_refused() -> None:
    ring = Ring((1, 2, 3))
    everything = explored("a_k", ring, k=2).configurations
    assert explored("a_k", ring, k=2, most=everything).confluent
    with pytest.raises(TooLarge, match=f"the ring 1,2,3 has more than {everything - 1:,} configurations"):
        explored("a_k", ring, k=2, most=everything - 1)


def test_coins_cannot_be_explored() -> None:
    with pytest.raises(ProtocolError, match="itai_rodeh tosses coins"):
        explored("itai_rodeh", Ring((0, 0, 0)))
