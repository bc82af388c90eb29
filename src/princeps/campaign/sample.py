"""The trials of a point as numbers: those that ended, those that were cut off, those that will never end.

A trial that was cut off by the step limit is censored: all that is known is that its true value is larger. It is never
dropped. With such trials the mean is unknown, and the median and the quantiles are those of Kaplan and Meier.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np

from princeps.campaign.rows import COLUMN, HAS_ENDED, IS_DATA, OF_RINGS, WAS_CUT, WILL_NEVER
from princeps.campaign.store import Store
from princeps.campaign.survival import Numbers, Survival, kaplan_meier
from princeps.campaign.tally import interval_of
from princeps.errors import StoreError
from princeps.model.options import check_choice

MEASURES = {
    "steps": "steps to the goal",
    "parallel_time": "steps to the goal, divided by n",
    "events": "interactions that changed something",
    "held_steps": "steps for which the leader was held",
    "recovery_steps": "steps from the last fault to the goal",
    "seconds": "seconds of a trial",
    "time": "time of a ring algorithm, in units of the longest message delay",
    "messages": "messages of a ring algorithm",
    "bits": "bits of a process of a ring algorithm, at their peak",
}
OF_BOTH = ("steps", "seconds")  # of population protocols and of ring algorithms


def measures_of(is_ring: bool) -> tuple[str, ...]:
    """What can be asked of a point."""
    return tuple(one for one in MEASURES if one in OF_BOTH or (one in OF_RINGS) == is_ring)


# How far a trial that was cut off had come; for most measures the column itself tells.
SO_FAR = {"recovery_steps": "total_steps - json_extract(more, '$.faults[#-1][0]')"}


@dataclass(frozen=True)
class Sample:
    ended: Numbers  # values, in the order of the trials
    cut: Numbers  # how far the others had come
    never: int = 0

    @property
    def trials(self) -> int:
        return len(self.ended) + len(self.cut) + self.never

    @property
    def is_complete(self) -> bool:
        return len(self.cut) == 0 and self.never == 0

    def over(self, divisor: float) -> Sample:
        return Sample(self.ended / divisor, self.cut / divisor, self.never)

    @property
    def mean(self) -> float | None:
        return float(self.ended.mean()) if self.is_complete and self.trials else None

    @property
    def sd(self) -> float | None:
        return float(self.ended.std(ddof=1)) if self.is_complete and self.trials > 1 else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Of the mean, at 95 %."""
        return interval_of(self.mean, self.sd, self.trials)

    @cached_property
    def survival(self) -> Survival:
        return kaplan_meier(self.ended, np.concatenate([self.cut, np.full(self.never, inf)]))

    def quantile(self, q: float) -> float | None:
        """Interpolated between the order statistics; with censored trials by Kaplan and Meier, if they tell it."""
        if not self.trials:
            return None
        return float(np.quantile(self.ended, q)) if self.is_complete else self.survival.quantile(q)


def read_sample(store: Store, number: int, measure: str, n: int = 1) -> Sample:
    """All seeds together: they are samples of one law."""
    check_choice(measure, "measure", MEASURES)
    if measure == "parallel_time":
        return read_sample(store, number, "steps").over(n)
    ended, censored, never, cut_count, ended_count = store.one(
        f"SELECT group_concat({COLUMN.get(measure, measure)}) FILTER (WHERE {HAS_ENDED[measure]}),"
        f" group_concat({SO_FAR.get(measure, COLUMN.get(measure, measure))}) FILTER (WHERE {WAS_CUT[measure]}),"
        f" count(*) FILTER (WHERE {WILL_NEVER.get(measure, '0')}),"
        f" count(*) FILTER (WHERE {WAS_CUT[measure]}), count(*) FILTER (WHERE {HAS_ENDED[measure]})"
        f" FROM trials WHERE point = ? AND {IS_DATA}",
        (number,),
    )
    about = f"store {store.path!r}, point {number}: {measure}"
    return Sample(_numbers(ended, ended_count, about), _numbers(censored, cut_count, about), never)


def _numbers(text: str | None, count: int, about: str) -> Numbers:
    """A hundred times as fast as row by row."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            found = np.fromstring(text or "", sep=",")
        except (ValueError, DeprecationWarning) as error:
            raise StoreError(f"{about} holds something that is no number ({error}).") from None
    if len(found) != count or not np.isfinite(found).all():
        raise StoreError(f"{about} holds numbers that are missing or too large: look at them with results --csv FILE.")
    return found
