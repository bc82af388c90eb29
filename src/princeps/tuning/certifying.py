"""What may be claimed of constants that a search has chosen: a bound from runs that had no part in the choice.

The search takes the luckiest of many estimates, so its own figure flatters. The claim comes from fresh seeds, all ways of losing
the leader, two level functions each, and the exact rate at small n. There may be several attempts, with larger constants each;
together they are wrong with at most 5 %.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from scipy.stats import t

from princeps.campaign.store import Store
from princeps.model.description import Description
from princeps.rare.holding import Estimation, Question
from princeps.rare.report import HoldResult
from princeps.rare.statistics import ESTIMATED, total

CONFIDENCE = 0.95  # that no attempt claims too much
ATTEMPTS = 3
PRECISION = 0.1


class Asked(Protocol):
    """The part of the question that matters here."""

    @property
    def hold(self) -> float: ...
    @property
    def effort(self) -> int: ...
    @property
    def jobs(self) -> int: ...


@dataclass(frozen=True)
class Certificate:
    """One attempt."""

    constants: Mapping[str, int]
    found: HoldResult
    hold: float

    @property
    def at_least(self) -> float | None:
        """Steps for which a leader is held, one-sided; None where the estimate itself cannot be trusted."""
        return lower_bound(self.found)

    @property
    def holds(self) -> bool:
        bound = self.at_least
        return bound is not None and bound >= self.hold


def lower_bound(found: HoldResult) -> float | None:
    """1 / the upper end of the rate of all losses together."""
    if found.verdict != ESTIMATED:
        return None
    rates = [mode.rate for mode in found.modes]
    mean, error, _ = total(rates)
    freedom = min(len(rate.replicas) for rate in rates) - 1
    return 1 / (mean + error * float(t.ppf(1 - (1 - CONFIDENCE) / ATTEMPTS, freedom)))


def certify(
    described: Callable[[Mapping[str, int], int], Description],
    constants: Mapping[str, int],
    raised: Mapping[str, str],
    asked: Asked,
    seeds: Sequence[int],
    store: Store | None,
    observe: Callable[[str, int, int], None],
) -> Iterator[Certificate]:
    """Attempts until one holds. `raised`: the parameter that makes each kind of loss rarer, if it may be changed."""
    effort = asked.effort
    for attempt in range(ATTEMPTS):
        seed = (int(seeds[0]) + attempt) % 2**53
        question = Question(described(constants, seed), PRECISION, effort, asked.jobs, True)
        found = Estimation(question, store, observe).estimate()
        certificate = Certificate(dict(constants), found, asked.hold)
        yield certificate
        if certificate.holds:
            return
        if found.verdict != ESTIMATED:
            effort *= 2
        else:
            worst = max(found.modes, key=lambda mode: mode.rate.mean).name
            if worst not in raised:
                return
            constants = {**constants, raised[worst]: constants[raised[worst]] + 1}
