"""What a laboratory answers: the trials of a sweep, or the parts of a measurement, once they are in the store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from princeps.campaign import evidence
from princeps.campaign.fit import Fit, fit_series
from princeps.campaign.point import Point
from princeps.campaign.rows import COLUMN, HAS_ENDED, WAS_CUT
from princeps.campaign.sample import Sample
from princeps.campaign.series import Series
from princeps.campaign.stored_points import StoredPoint, read_points
from princeps.papers.pending import EvidenceFailed, MeasuringTask, NotReady

if TYPE_CHECKING:
    from princeps.papers.laboratory import Lab


@dataclass
class SweepTrials:
    """Trials of the points of one sweep; if not all of them are stored, reading them raises NotReady."""

    lab: Lab
    points: tuple[Point, ...]
    trials: int
    command: str

    def __post_init__(self) -> None:
        for point in self.points:
            if not self.lab.has_trials(point, self.trials):
                wanted = self.lab.missing.sweeps.get((point.id, self.trials))
                self.lab.missing.sweeps[point.id, self.trials] = wanted or (point, self.trials)

    @cached_property
    def found(self) -> list[PointTrials]:
        """In the order in which they were asked for."""
        for point in self.points:
            if point.id in self.lab.missing.failures:
                raise EvidenceFailed(self.lab.missing.failures[point.id])
            if (point.id, self.trials) in self.lab.missing.sweeps:
                raise NotReady
        stored = {point.id: point for point in read_points(self.lab.store)}
        return [
            PointTrials(self.lab, stored[point.id], point.seed(self.lab.seed), self.trials) for point in self.points
        ]

    def __iter__(self) -> Iterator[PointTrials]:
        return iter(self.found)

    @property
    def only(self) -> PointTrials:
        (one,) = self.found
        return one

    def fit(self, measure: str = "steps", by: str = "n", smallest: float = 0) -> Fit:
        """The law by which it grows over these sizes."""
        found = self.found
        series = Series(
            *(found[0].point.protocol, {}, tuple(one.point for one in found), measure),
            tuple(one.sample(measure) for one in found),
        )
        return fit_series(series, by, smallest)


@dataclass
class PointTrials:
    """The trials 0..trials-1 of one point, whatever else the store may hold of it."""

    lab: Lab
    point: StoredPoint
    seed: int
    trials: int

    @property
    def n(self) -> int:
        return self.point.n

    def column(self, expression: str, condition: str = "1") -> Any:
        rows = self.lab.store.select(
            f"SELECT {expression} FROM trials WHERE point = ? AND seed = ? AND trial < ? AND ({condition})"
            " ORDER BY trial",
            (self.point.number, self.seed, self.trials),
        )
        return np.array([float(value) for (value,) in rows])

    def sample(self, measure: str = "steps") -> Sample:
        """As the campaign's statistics know it: with trials that were cut off."""
        if measure == "parallel_time":
            return self.sample("steps").over(self.n)
        values = COLUMN.get(measure, measure)  # those of ring algorithms have no column of their own
        ended, cut = self.column(values, HAS_ENDED[measure]), self.column(values, WAS_CUT[measure])
        return Sample(ended, cut, self.trials - len(ended) - len(cut))

    @property
    def steps(self) -> Any:
        """Of trials that all came to their end."""
        sample = self.sample()
        if not sample.is_complete:
            raise EvidenceFailed(
                f"{len(sample.cut) + sample.never} of {sample.trials} trials did not end at n = {self.n}"
            )
        return sample.ended

    @property
    def leaders(self) -> Any:
        """At the end of each trial."""
        return self.column("leaders")

    def verdict(self, name: str) -> Any:
        """The protocol's own verdict of each trial, as 0 and 1."""
        return self.column(f"coalesce(json_extract(more, '$.{name}'), 0)")


@dataclass
class Measurement:
    """The answers of all parts of a measurement."""

    lab: Lab
    task: MeasuringTask
    command: str

    def __post_init__(self) -> None:
        if len(evidence.saved_parts(self.lab.store, self.task.id, self.task.parts)) < self.task.parts:
            self.lab.missing.tasks[self.task.id] = self.task

    @cached_property
    def parts(self) -> list[Any]:
        if self.task.id in self.lab.missing.failures:
            raise EvidenceFailed(self.lab.missing.failures[self.task.id])
        if self.task.id in self.lab.missing.tasks:
            raise NotReady
        there = evidence.saved_parts(self.lab.store, self.task.id, self.task.parts)
        return [there[part] for part in range(self.task.parts)]

    @property
    def only(self) -> Any:
        (one,) = self.parts
        return one


def law_of(xs: Sequence[float], samples: Sequence[Any]) -> Fit:
    """The law, in x, by which samples grow that are not trials of a sweep: their values at each of the xs."""
    points = tuple(
        StoredPoint(k, "", "", "", round(x), {}, {"x": x}, ({},), "", "", "", {})  # type: ignore[dict-item]
        for k, x in enumerate(xs)
    )
    own = tuple(Sample(np.asarray(values, float), np.array([])) for values in samples)
    return fit_series(Series("", {}, points, "steps", own), "x")
