"""The answer of `tune --failure`: the fastest clock, how often it fails, and what that does to the time of the election."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from princeps.campaign.tally import interval_of
from princeps.model.report import Report
from princeps.tuning.certifying import CONFIDENCE

CERTIFIED, NOT_CERTIFIED, UNFINISHED = "certified", "not certified", "unfinished"


@dataclass(frozen=True)
class ClockPoint:
    """Failures of one value; both ends one-sided at this level (Clopper and Pearson)."""

    value: int
    failures: int
    trials: int
    level: float

    @property
    def upper(self) -> float:
        from scipy.special import betaincinv

        return (
            1.0
            if self.failures == self.trials
            else float(betaincinv(self.failures + 1, self.trials - self.failures, self.level))
        )

    @property
    def lower(self) -> float:
        from scipy.special import betaincinv

        return (
            0.0
            if self.failures == 0
            else float(betaincinv(self.failures, self.trials - self.failures + 1, 1 - self.level))
        )


@dataclass(frozen=True)
class Times:
    """Steps until the goal."""

    steps: tuple[int, ...]

    @property
    def mean(self) -> float:
        return fmean(self.steps)

    @property
    def error(self) -> float:
        return stdev(self.steps) / sqrt(len(self.steps))

    @property
    def interval(self) -> tuple[float, float]:
        return interval_of(self.mean, stdev(self.steps), len(self.steps)) or (self.mean, self.mean)

    def as_json(self) -> dict[str, Any]:
        return {"mean": self.mean, "interval": list(self.interval), "trials": len(self.steps)}


@dataclass(frozen=True)
class ClockResult:
    """`constants`: the numbers to use; `fails_at_most` what may be claimed of them, None if nothing may."""

    protocol: str
    spec: str
    fixed: dict[str, int]
    n: int
    failure: float
    seed: int
    name: str
    printed: int
    chosen: int | None
    points: tuple[ClockPoint, ...]
    certificates: tuple[ClockPoint, ...]
    times: dict[int, Times]
    seconds: float

    @property
    def verdict(self) -> str:
        if not self.certificates:
            return UNFINISHED
        return CERTIFIED if self.certificates[-1].upper <= self.failure else NOT_CERTIFIED

    @property
    def constants(self) -> dict[str, int] | None:
        return None if self.chosen is None else {self.name: self.chosen}

    @property
    def options(self) -> str:
        return "" if self.chosen is None else f"-p {self.name}={self.chosen}"

    @property
    def fails_at_most(self) -> float | None:
        return self.certificates[-1].upper if self.verdict == CERTIFIED else None

    @property
    def command(self) -> str:
        words = ["princeps", "tune", self.spec, "-n", str(self.n)]
        for name, value in self.fixed.items():
            words += ["-p", f"{name}={value}"]
        return shlex.join([*words, "--failure", f"{self.failure:g}", "--seed", str(self.seed)])

    def as_json(self) -> dict[str, Any]:
        times = {value: found.as_json() for value, found in self.times.items()}
        return {
            "protocol": self.protocol,
            "n": self.n,
            "failure": self.failure,
            "seed": self.seed,
            "verdict": self.verdict,
            "params": {**self.fixed, **(self.constants or {})},
            "constants": self.constants,
            "options": self.options,
            "fails_at_most": self.fails_at_most,
            "confidence": CONFIDENCE,
            "time": None if self.chosen is None else times.get(self.chosen),
            "printed": {"constants": {self.name: self.printed}, "time": times.get(self.printed)},
            "points": [_point(self.name, one) for one in self.points],
            "attempts": [_point(self.name, one) for one in self.certificates],
            "seconds": self.seconds,
            "command": self.command,
        }

    def report(self) -> Report:
        rows: list[tuple[str, str]] = []
        if self.chosen is not None:
            rows.append(("use", self.options))
        if self.certificates:
            last = self.certificates[-1]
            text = f"fails in at most {last.upper:.3g} of elections ({100 * CONFIDENCE:.0f} %, by simulation)"
            counted = f"{last.failures} of {last.trials:,} trials with fresh seeds"
            sure = self.verdict == CERTIFIED
            rows.append(("clock", f"{text}: {counted}" if sure else f"not certified: {text}: {counted}"))
        else:
            rows.append(("clock", "unfinished: nothing is certified yet"))
        for value, found in self.times.items():
            low, high = found.interval
            what = "elects in" if value == self.chosen else "formula"
            rows.append((what, f"-p {self.name}={value}: {found.mean:.4g} steps, 95 % in [{low:.4g}, {high:.4g}]"))
        for one in self.points:
            rows.append((f"{self.name} = {one.value}", f"failed in {one.failures} of {one.trials:,} trials"))
        rows += [("cost", f"{self.seconds:.1f} s"), ("repeat", self.command)]
        return Report(f"{self.protocol}, n = {self.n:,}, a clock that fails in {self.failure:g} of elections", rows)

    def __repr__(self) -> str:
        return self.report().text()

    def _repr_html_(self) -> str:
        return self.report().html()


def _point(name: str, one: ClockPoint) -> Mapping[str, Any]:
    return {"constants": {name: one.value}, "failures": one.failures, "trials": one.trials, "upper": one.upper}
