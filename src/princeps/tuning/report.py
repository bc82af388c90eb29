"""The answer of `tune`: constants, how long they hold a leader, how fast they elect one, and what else was tried."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from princeps.model.report import Report
from princeps.tuning.certifying import CONFIDENCE, Certificate
from princeps.tuning.convergence import Convergence

CERTIFIED, NOT_CERTIFIED, UNFINISHED = "certified", "not certified", "unfinished"


@dataclass(frozen=True)
class Point:
    """One choice of constants, as the search saw it."""

    constants: Mapping[str, int]
    holding: float  # steps, estimated
    at_least: float  # by the upper end of the rate, as the search reckons
    convergence: Convergence  # from the slowest start
    slowest: tuple[str, ...]  # starts
    hold: float

    @property
    def fits(self) -> bool:
        return self.at_least >= self.hold

    def beats(self, other: Point) -> bool:
        """As good in both ways, and better in one."""
        mine, its = (-self.holding, self.convergence.mean), (-other.holding, other.convergence.mean)
        return mine != its and mine[0] <= its[0] and mine[1] <= its[1]


@dataclass(frozen=True)
class Printed:
    """The constants that the paper's formulas give, from the start that is slowest with those chosen."""

    constants: Mapping[str, int]
    convergence: Convergence


@dataclass(frozen=True)
class TuneResult:
    """`constants` are the numbers to use, `holds_at_least` what may be claimed of them, None if nothing may."""

    protocol: str
    spec: str
    fixed: dict[str, int]
    n: int
    hold: float
    seed: int
    starts: tuple[str, ...]  # if they were chosen by the user
    points: tuple[Point, ...]
    chosen: Point | None
    certificates: tuple[Certificate, ...]
    printed: Printed | None
    effort: int
    notes: tuple[str, ...]
    steps: int
    seconds: float

    @property
    def verdict(self) -> str:
        if not self.certificates:
            return UNFINISHED
        return CERTIFIED if self.certificates[-1].holds else NOT_CERTIFIED

    @property
    def constants(self) -> dict[str, int] | None:
        return None if self.chosen is None else dict(self.chosen.constants)

    @property
    def options(self) -> str:
        """As they follow a command."""
        return _options(self.constants or {})

    @property
    def holds_at_least(self) -> float | None:
        return self.certificates[-1].at_least if self.verdict == CERTIFIED else None

    @property
    def times_faster(self) -> float | None:
        """Than with the formulas' constants."""
        if self.printed is None or self.chosen is None:
            return None
        return self.printed.convergence.mean / self.chosen.convergence.mean

    @property
    def pareto(self) -> tuple[Point, ...]:
        """Those that no other beats, by holding time."""
        best = [one for one in self.points if not any(other.beats(one) for other in self.points)]
        return tuple(sorted(best, key=lambda one: one.holding))

    @property
    def command(self) -> str:
        words = ["princeps", "tune", self.spec, "-n", str(self.n)]
        for name, value in self.fixed.items():
            words += ["-p", f"{name}={value}"]
        words += ["--hold", f"{self.hold:g}", *(["--start", self.starts[0]] if self.starts else [])]
        return shlex.join([*words, "--effort", str(self.effort), "--seed", str(self.seed)])

    def as_json(self) -> dict[str, Any]:
        last = self.certificates[-1].found if self.certificates else None
        interval = None if last is None or last.interval is None else list(last.interval)
        front = self.pareto
        return {
            "protocol": self.protocol,
            "n": self.n,
            "hold": self.hold,
            "seed": self.seed,
            "verdict": self.verdict,
            "params": {**self.fixed, **(self.constants or {})},
            "constants": self.constants,
            "options": self.options,
            "holds_at_least": self.holds_at_least,
            "confidence": CONFIDENCE,
            "mean": None if last is None else last.mean,
            "interval": interval,
            "convergence": None if self.chosen is None else self.chosen.convergence.as_json(),
            "printed": None
            if self.printed is None
            else {"constants": dict(self.printed.constants), "convergence": self.printed.convergence.as_json()},
            "times_faster": self.times_faster,
            "points": [
                {
                    "constants": dict(one.constants),
                    "holding": one.holding,
                    "convergence": one.convergence.as_json(),
                    "fits": one.fits,
                    "pareto": one in front,
                }
                for one in self.points
            ],
            "attempts": [{"constants": dict(one.constants), **one.found.as_json()} for one in self.certificates],
            "notes": list(self.notes),
            "cost": {"steps": self.steps, "seconds": self.seconds},
            "command": self.command,
        }

    def report(self) -> Report:
        rows: list[tuple[str, str]] = []
        if self.chosen is not None:
            rows.append(("use", self.options or "what was given"))
        rows.append(("claim", self._holds()))
        if self.chosen is not None:
            rows.append(("elects in", _time(self.chosen.convergence)))
        if self.printed is not None:
            text = f"{_options(self.printed.constants)}: {_time(self.printed.convergence)}"
            rows.append(("formulas", f"{text}, {self.times_faster:.3g} times as long"))
        front = self.pareto
        for one in sorted(self.points, key=lambda point: point.holding):
            mark = " *" if one in front else ""
            text = f"holds {one.holding:.3g}, elects in {_time(one.convergence)}"
            rows.append((f"tried{mark}", f"{_options(one.constants)}: {text}"))
        for number, tried in enumerate(self.certificates, 1):
            rows += [(f"attempt {number}", _options(tried.constants) or "what was given")]
            rows += [(f"  {name}", text) for name, text in tried.found.report().rows if name not in ("cost", "repeat")]
        rows += [("note", note) for note in self.notes]
        rows += [("cost", f"{self.steps:.3g} steps, {self.seconds:.1f} s"), ("repeat", self.command)]
        return Report(f"{self.protocol}, n = {self.n:,}, constants that hold a leader for {self.hold:.3g} steps", rows)

    def _holds(self) -> str:
        if self.verdict == UNFINISHED:
            return "unfinished: nothing is certified yet"
        found = self.certificates[-1]
        bound = found.at_least
        if bound is None:
            return "not certified: the estimate with fresh seeds cannot be trusted, see below"
        text = f"holds at least {bound:.3g} steps ({100 * CONFIDENCE:.0f} %, by simulation)"
        return text if found.holds else f"not certified: {text}, which is less than {self.hold:.3g}"

    def __repr__(self) -> str:
        return self.report().text()

    def _repr_html_(self) -> str:
        return self.report().html()


def _options(constants: Mapping[str, int]) -> str:
    return " ".join(f"-p {name}={value}" for name, value in constants.items())


def _time(found: Convergence) -> str:
    low, high = found.interval
    cut = f", {found.unfinished} of them given up" if found.unfinished else ""
    return f"{found.mean:.3g} steps from {found.start}, 95 % in [{low:.3g}, {high:.3g}], {len(found.steps)} trials{cut}"
