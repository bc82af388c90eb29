"""A row of the table, and how much is measured for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from princeps.model.description import describe, read
from princeps.model.run import Run

SMALL_FACTORS = {"p_pl": {"virus_factor": 2, "emit_factor": 1}}  # of the paper's constants


@dataclass(frozen=True)
class Row:
    test: str
    measured: str
    bar: str
    holds: bool

    def markdown(self, part: str) -> str:
        return f"| {part} | {self.test} | {self.measured} | {self.bar} | {'yes' if self.holds else '**no**'} |"


@dataclass(frozen=True)
class Sizes:
    """Those of the bars; `--scale` makes all of them smaller."""

    conducted_steps: int = 1000
    elections: int = 200
    storm_agents: int = 16
    storm_seconds: float = 60.0
    recoveries: int = 1000  # simulated ones
    rings: int = 50
    frames: int = 1_000_000
    starts: int = 100
    strikes: int = 25  # Ctrl-C, and kills of the launcher, of each kind of run
    throughput_seconds: float = 5.0

    def scaled(self, scale: float) -> Sizes:
        if scale == 1:
            return self
        return Sizes(
            conducted_steps=max(20, round(self.conducted_steps * scale)),
            elections=max(10, round(self.elections * scale)),
            storm_agents=max(6, round(self.storm_agents * scale)),
            storm_seconds=max(2.0, self.storm_seconds * scale),
            recoveries=max(50, round(self.recoveries * scale)),
            rings=max(2, round(self.rings * scale)),
            frames=max(10_000, round(self.frames * scale)),
            starts=max(4, round(self.starts * scale)),
            strikes=max(4, round(self.strikes * scale)),
            throughput_seconds=max(1.0, self.throughput_seconds * scale),
        )


def read_run(name: str, n: int, **given: Any) -> Run:
    params = SMALL_FACTORS.get(name, {})
    run = read(describe(name, n, **params, **given))
    assert isinstance(run, Run)
    return run
