"""Hitting problems on small chains, and the comparison of certified times with the exact ones."""

from __future__ import annotations

from princeps.analysis.chain import Bits, Chain
from princeps.analysis.components import Components, find_components
from princeps.analysis.hitting_times import (
    CertifiedTimes,
)
from tests.analysis.chain_tools import (
    Value,
    certain_states,
    within,
)

Problem = tuple[Chain, Bits, Components, Bits]


def problem(chain: Chain, target: Bits) -> Problem:
    components = find_components(chain, target)
    certain = components.reaches_only(components.can_reach(target))
    assert (certain == certain_states(chain, target)).all()
    return chain, target, components, certain


def holds(interval: tuple[float, float], truth: Value) -> bool:
    return within(interval[0], truth, interval[1])


def check(times: CertifiedTimes, truth: list[Value], width: float) -> None:
    """All of it holds, and is not wider than that."""
    low, high = times.bounds()
    for x, value in enumerate(truth):
        assert within(low[x], value, high[x])
        assert holds(times.interval(float(times.values[x])), value)
        assert high[x] == low[x] or high[x] - low[x] <= width * value
        assert times.values[x] == value or low[x] <= times.values[x] <= high[x]
