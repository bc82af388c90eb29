"""A run of a ring algorithm: algorithm + ring + scheduler + seed, all of it read."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from princeps.model.naming import command_or_reason
from princeps.model.randomness import Stream
from princeps.model.rings.algorithm import RingAlgorithm
from princeps.model.rings.ring import Ring
from princeps.model.rings.scheduler import RingScheduler


@dataclass(frozen=True)
class RingRun:
    """One run, fully determined."""

    algorithm: RingAlgorithm
    spec: str
    ring: Ring
    ring_words: tuple[str, ...]  # how the ring was given on the command line
    scheduler: RingScheduler
    seed: int
    trial: int = 0
    engine: str = "auto"
    max_steps: int | None = None
    force: bool = False
    no_command: str = ""  # why no command can name the algorithm

    def stream(self, purpose: str) -> Stream:
        return Stream.of(self.seed, self.trial, purpose)

    def command(self) -> str:
        """The command line that repeats this run; where none finds the algorithm, a comment that says why."""
        return command_or_reason(self.words(), self.no_command)

    def words(self) -> str:
        """The same with whatever stands for the algorithm, which whoever replays a script may give instead."""
        words = ["princeps", "run", self.spec, *self.ring_words]
        for name, value in self.algorithm.given.items():
            words += ["-p", f"{name}={value}"]
        words += ["--schedule", self.scheduler.text, "--seed", str(self.seed)]
        words += ["--trial", str(self.trial)] if self.trial else []
        words += ["--engine", self.engine] if self.engine != "auto" else []
        words += ["--max-steps", str(self.max_steps)] if self.max_steps is not None else []
        words += ["--force"] if self.force else []
        return shlex.join(words)
