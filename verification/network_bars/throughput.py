"""Interactions a second on this machine over UDP, at the rate of requests at which they are most."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from network_bars.rows import Row, Sizes, read_run
from princeps.network.planning import Plan
from princeps.network.running import run_network

CASES = ((10, 10), (50, 10), (200, 10), (10, 1), (50, 1))  # agents, agents a process
BAR, PROTOTYPE = 5000.0, 1775.0  # interactions a second; the prototype had 10 agents, one process each
RATES = (250.0, 500.0, 1000.0, 2000.0, 4000.0)  # requests of 10 agents, a second and agent; of others as many in all


@dataclass(frozen=True)
class Speed:
    rate: float  # requests of an agent, a second
    interactions: float  # a second
    cost: float  # seconds of all processors for an interaction, in all processes
    refused: float  # share of the requests
    replay: str


def measure(n: int, per_process: int, rate: float, seconds: float) -> Speed:
    before = os.times()
    result = run_network(read_run("timer", n, seed=1), Plan(rate=rate, per_process=per_process, duration=seconds))
    used = sum(after - earlier for after, earlier in zip(os.times()[:4], before[:4], strict=True))
    met, counters = max(1, result.all_interactions), result.counters
    return Speed(rate, result.rate, used / met, counters["refused"] / max(1, counters["requests"]), result.replay)


def fastest(n: int, per_process: int, seconds: float) -> Speed:
    """Too few requests leave processors idle, too many are refused: the best of several rates."""
    tried = [measure(n, per_process, 10 * rate / n, seconds) for rate in RATES]
    return max(tried, key=lambda speed: speed.interactions)


def rows(sizes: Sizes) -> Iterator[Row]:
    measure(10, 1, 100.0, 1.0)  # once for nothing: what is loaded later is loaded now
    for n, per_process in CASES:
        found = fastest(n, per_process, sizes.throughput_seconds)
        processes = f", --per-process {per_process}" if per_process > 1 else ", one process an agent"
        yield Row(
            f"throughput over UDP, timer, n = {n}{processes}, {os.cpu_count()} processors",
            f"{found.interactions:,.0f} interactions a second at --rate {found.rate:g}, {found.refused:.0%} refused, "
            f"{1e6 * found.cost:.0f} microseconds of processor time each; replay {found.replay}",
            f"at least {BAR:,.0f}" if per_process > 1 else f"reported; the prototype with 10 agents: {PROTOTYPE:,.0f}",
            found.replay == "agrees" and (per_process == 1 or found.interactions >= BAR),
        )
