"""The answer of `hold`: how long a unique leader is held, or why that cannot be said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from princeps.model.report import Report
from princeps.rare.comparison import Comparison
from princeps.rare.statistics import (
    ESTIMATED,
    INCONCLUSIVE,
    INCONSISTENT,
    NO_ESTIMATE,
    Interval,
    Rate,
    agree,
    total,
)

METHOD = "fixed-effort splitting"


@dataclass(frozen=True)
class LevelEstimate:
    """The rate of one kind of loss by one level function."""

    level: str
    levels: int  # thresholds
    rate: Rate
    why_not: str = ""

    @property
    def verdict(self) -> str:
        return NO_ESTIMATE if self.why_not else self.rate.verdict

    def as_json(self) -> dict[str, Any]:
        known = self.verdict != NO_ESTIMATE
        low, middle, high = self.rate.spread if known else (None, None, None)
        return {
            "level": self.level,
            "levels": self.levels,
            "verdict": self.verdict,
            "rate": self.rate.mean if known else None,
            "interval": list(self.rate.interval) if known else None,
            "relative_error": self.rate.relative_error if known else None,
            "replicas": {"number": len(self.rate.replicas), "min": low, "median": middle, "max": high},
            **({"why": self.why_not} if self.why_not else {}),
        }


@dataclass(frozen=True)
class ModeEstimate:
    """One way to lose the leader, by two level functions or more, of which the first gives the estimate."""

    name: str
    kind: str
    estimates: tuple[LevelEstimate, ...]

    @property
    def rate(self) -> Rate:
        return self.estimates[0].rate

    @property
    def verdict(self) -> str:
        if self.estimates[0].verdict != ESTIMATED:
            return self.estimates[0].verdict
        if any(one.verdict != ESTIMATED for one in self.estimates):
            return INCONCLUSIVE  # nothing confirms the first
        return ESTIMATED if agree([one.rate for one in self.estimates]) else INCONSISTENT

    def as_json(self) -> dict[str, Any]:
        return {
            "mode": self.name,
            "kind": self.kind,
            "verdict": self.verdict,
            "estimates": [one.as_json() for one in self.estimates],
        }


@dataclass(frozen=True)
class HoldResult:
    """`mean`: 1 / the quasi-stationary rate of losing the unique leader, in steps; None where there is no estimate."""

    protocol: str
    params: dict[str, int]
    n: int
    seed: int
    effort: int
    modes: tuple[ModeEstimate, ...]
    comparison: Comparison | None
    others: int  # losses of an undeclared kind
    steps: int
    seconds: float
    command: str

    @property
    def verdict(self) -> str:
        verdicts = {mode.verdict for mode in self.modes}
        if INCONSISTENT in verdicts or (self.comparison is not None and not self.comparison.agrees):
            return INCONSISTENT
        for bad in (NO_ESTIMATE, INCONCLUSIVE):
            if bad in verdicts:
                return bad
        return INCONCLUSIVE if self.others else ESTIMATED

    @property
    def rate(self) -> float | None:
        return total([mode.rate for mode in self.modes])[0] if self.verdict == ESTIMATED else None

    @property
    def relative_error(self) -> float | None:
        mean, error, _ = total([mode.rate for mode in self.modes])
        return error / mean if self.verdict == ESTIMATED else None

    @property
    def mean(self) -> float | None:
        return 1 / self.rate if self.rate else None

    @property
    def interval(self) -> Interval | None:
        """Of the mean holding time, 95 %."""
        if self.verdict != ESTIMATED:
            return None
        low, high = total([mode.rate for mode in self.modes])[2]
        return 1 / high, 1 / low if low > 0 else float("inf")

    def as_json(self) -> dict[str, Any]:
        interval = self.interval
        return {
            "protocol": self.protocol,
            "params": self.params,
            "n": self.n,
            "seed": self.seed,
            "verdict": self.verdict,
            "mean": self.mean,
            "interval": None if interval is None else [_finite(end) for end in interval],
            "relative_error": self.relative_error,
            "method": METHOD,
            "levels": [
                {"mode": mode.name, "level": one.level, "levels": one.levels}
                for mode in self.modes
                for one in mode.estimates
            ],
            "modes": [mode.as_json() for mode in self.modes],
            "comparison": _comparison(self.comparison),
            "undeclared_losses": self.others,
            "cost": {"steps": self.steps, "effort": self.effort, "seconds": self.seconds},
            "command": self.command,
        }

    def report(self) -> Report:
        rows = [("held", self._in_words())]
        for mode in self.modes:
            rows.append((mode.name, f"{mode.verdict} (then {_KINDS[mode.kind]})"))
            rows += [(f"  {one.level}", _level_text(one)) for one in mode.estimates]
        rows += self._compared()
        if self.others:
            rows.append(("undeclared", f"{self.others} losses of a kind that no declared loss has"))
        rows.append(("cost", f"{self.steps:.3g} steps, {self.seconds:.1f} s"))
        rows.append(("repeat", self.command))
        return Report(f"{self.protocol}, n = {self.n:,}, how long a unique leader is held", rows)

    def _in_words(self) -> str:
        if self.mean is None or self.interval is None or self.relative_error is None:
            return _WHY[self.verdict]
        low, high = self.interval
        return (
            f"{self.mean:.3g} steps +-{100 * self.relative_error:.1f} %, 95 % in [{low:.3g}, {high:.3g}], by simulation"
        )

    def _compared(self) -> list[tuple[str, str]]:
        found = self.comparison
        if found is None:
            return [("exact", "not compared")]
        if not found.compared:
            return [("exact", f"not compared: {found.why_not}")]
        constants = ", ".join(f"{name} = {value}" for name, value in found.params.items())
        rows = [("exact", f"the same estimator at n = {found.n}, {constants}:")]
        for one in found.compared:
            estimate = f"{1 / one.rate.mean:.4g}" if one.rate.mean else "no estimate"
            text = f"{estimate} +-{100 * one.rate.relative_error:.1f} % beside {1 / one.exact:.6g}"
            rows.append((f"  {one.loss} {one.level + 1}", f"{text} steps, {one.deviation:+.1f} standard errors"))
        return rows

    def __repr__(self) -> str:
        return self.report().text()

    def _repr_html_(self) -> str:
        return self.report().html()


_KINDS = {"created": "more than one leads", "fallen": "nobody leads", "moved": "somebody else leads"}
_WHY = {
    NO_ESTIMATE: "no estimate: no trial lost the leader",
    INCONCLUSIVE: "inconclusive: replicas differ too much, or nothing confirms the estimate",
    INCONSISTENT: "inconsistent: level functions, or the exact rate at small n, contradict one another; trust none",
}


def _finite(value: float) -> float | None:
    return value if value != float("inf") else None


def _level_text(one: LevelEstimate) -> str:
    if one.verdict == NO_ESTIMATE:
        return f"no estimate{f': {one.why_not}' if one.why_not else ': no trial lost the leader'}"
    low, high = one.rate.interval
    _, middle, largest = one.rate.spread
    return (
        f"rate {one.rate.mean:.4g} +-{100 * one.rate.relative_error:.1f} %, 95 % in [{low:.3g}, {high:.3g}], "
        f"{one.levels} levels, {len(one.rate.replicas)} replicas, largest / median {largest / middle if middle else float('inf'):.2g}"
    )


def _comparison(found: Comparison | None) -> dict[str, Any] | None:
    if found is None:
        return None
    if not found.compared:
        return {"why": found.why_not}
    return {
        "n": found.n,
        "params": found.params,
        "agrees": found.agrees,
        "levels": [
            {
                "mode": one.loss,
                "level": one.level,
                "exact": one.exact,
                "rate": one.rate.mean,
                "relative_error": _finite(one.rate.relative_error),
                "standard_errors": one.deviation,
            }
            for one in found.compared
        ],
    }
