"""Network runs of one definition, one after the other: a list that shows its statistics."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean
from typing import Any, TypeVar

from princeps.model.formatting import counted
from princeps.model.report import Table
from princeps.model.result import Trials
from princeps.model.result_report import HEADINGS, statistics_of
from princeps.network.replay import AGREES
from princeps.network.report import NetResult

R = TypeVar("R")  # NetResult or RingNetResult


class NetTrials(Trials[R]):
    """Results in the order of their trials. Of those that were asked for, `held` were in the store before."""

    def __init__(self, results: Iterable[R] = (), wanted: int | None = None, store: str = "", held: int = 0) -> None:
        super().__init__(results, wanted)
        self.store, self.held = store, held

    @property
    def mean(self) -> float | None:
        """Of the interactions to the goal, on a ring of the messages; None if not every run is data, or there is none."""
        name, values = next(iter(self._measured())) if self else ("", [])
        return fmean(values) if name and len(values) == len(self) else None

    def _nothing(self) -> str:
        return self._in_store() or super()._nothing()

    def _in_store(self) -> str:
        if not self.held:
            return ""
        were = "was" if self.held == 1 else "were"
        return f"{counted(self.held, 'trials')} {were} in {self.store!r} before: princeps results shows all of them."

    def _measured(self) -> list[tuple[str, list[float]]]:
        """Of the runs that are data: the goal was reached, and the replay agrees."""
        results: list[Any] = list(self)
        sound = [one for one in results if one.replay == AGREES]
        if isinstance(results[0], NetResult):
            reached = [one for one in sound if one.steps is not None]
            rows = [(name, [getattr(one, name) for one in reached]) for name in ("steps", "parallel_time", "seconds")]
        else:
            elected = [one for one in sound if one.converged]
            rows = [
                (name, [getattr(one, name) for one in elected]) for name in ("messages", "time", "max_bits", "seconds")
            ]
        return [(name, [float(value) for value in values if value is not None]) for name, values in rows]

    def _table(self) -> Table:
        results: list[Any] = list(self)
        about = results[0].as_json()
        goal = f", until {about['until']}" if "until" in about else ""
        title = (
            f"{about['protocol']}, n = {about['n']:,}{goal}: {len(results)} of {counted(self.wanted, 'trials', 'd')} of seed "
            f"{about['seed']}, {about['mode']}, over {about['transport']}"
        )
        measured = self._measured()
        differ = sum(one.replay != AGREES for one in results)
        missed = len(results) - differ - len(measured[0][1])
        below = [
            f"{counted(missed, 'trials', 'd')} did not reach the goal; the statistics are of the others."
            if missed
            else "",
            f"{counted(differ, 'trials', 'd')} left out: the replay disagrees." if differ else "",
            self._in_store(),
        ]
        rows = [[name.replace("_", " "), *statistics_of(values)] for name, values in measured]
        return Table(title, HEADINGS, rows, below="\n".join(filter(None, below)))
