"""Elections in free mode over UDP, one process an agent, beside the exact mean of the model.

Interactions are counted from the first one on, in the start configuration, and to the goal. A bias by those who begin
earlier is excluded by the launcher: no clock runs before all agents are there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Any

import princeps
from network_bars.rows import Row, Sizes, read_run
from princeps.network.fairness import Fairness, fairness
from princeps.network.observer import Observer
from princeps.network.planning import Plan
from princeps.network.running import run_network

CASES = (("fratricide", 6), ("timer", 4), ("p_rl", 3), ("p_rl", 4))
RATE = 50.0  # requests of an agent, a second: it is idle most of the time
FARTHEST = 4.0  # standard errors


@dataclass(frozen=True)
class Elections:
    interactions: list[int]  # to the goal, one number an election
    pairs: Fairness  # of all elections together
    exact: float
    replayed: int  # elections whose replay agrees

    @property
    def mean(self) -> float:
        return fmean(self.interactions)

    @property
    def z(self) -> float:
        return (self.mean - self.exact) / (stdev(self.interactions) / sqrt(len(self.interactions)))

    @property
    def hold(self) -> bool:
        return abs(self.z) < FARTHEST and self.pairs.is_uniform and self.replayed == len(self.interactions)


def elect(name: str, n: int, elections: int, rate: float = RATE) -> Elections:
    found, pairs, replayed, requests = list[int](), Counter[tuple[int, int]](), 0, Counter[str]()
    for seed in range(elections):
        seen = list[Observer]()

        def show(observer: Observer, seconds: float, seen: list[Observer] = seen) -> None:
            seen[:] = [observer]

        run = read_run(name, n, seed=seed)
        result = run_network(run, Plan(rate=rate), show)
        found.append(result.interactions)
        replayed += result.replay == "agrees"
        requests.update({name: result.counters[name] for name in ("requests", "refused")})
        if seen:  # else the goal held at the start
            pairs.update(seen[0].replay.pairs)
    exact: Any = princeps.exact(name, n=n, start=run.start, progress=False)
    share = requests["refused"] / max(1, requests["requests"])
    return Elections(found, fairness(pairs, run.topology, share), exact.mean, replayed)


def rows(sizes: Sizes) -> Iterator[Row]:
    for name, n in CASES:
        found = elect(name, n, sizes.elections)
        known = f" = N = {n}" if name == "p_rl" else f" = {n}"
        p_value = "too few to tell" if found.pairs.p_value is None else f"p = {found.pairs.p_value:.2g}"
        yield Row(
            f"{sizes.elections} elections of {name} in free mode, n{known}, UDP, one process an agent",
            f"mean {found.mean:.2f}, exact {found.exact:.2f}, z = {found.z:+.2f}; pairs: chi-square "
            f"{found.pairs.chi_square:.1f} on {found.pairs.degrees}, {p_value}; {found.pairs.refused_share:.1%} refused; "
            f"{found.replayed} replays agree",
            f"z below {FARTHEST:g}, pairs not rejected (p at least 1e-6)",
            found.hold,
        )
