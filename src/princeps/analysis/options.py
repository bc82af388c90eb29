"""What an exact analysis of a population computes besides the worst and the mean hitting time."""

from __future__ import annotations

from dataclasses import dataclass, field

from princeps.analysis.progress import ProgressCallback, no_progress


@dataclass(frozen=True)
class ExactOptions:
    """The options of `princeps exact` that need no simulation."""

    rational: bool = False  # exact fractions
    variance: bool = False
    distribution: bool = False  # quantiles of the hitting time
    leaders: bool = False  # how many there are when the target is reached
    hold: bool = False  # how long the leader is held
    sets: bool = False  # properties of every named set
    lemmas: bool = False
    reduce: bool = True  # merge configurations that nothing distinguishes
    past_target: bool = False  # from a start: also what comes after the target
    stated: bool = False  # refuse if the goal `safe` that the protocol states is not the largest safe set
    automorphisms: str | None = None
    export: str | None = None  # a path
    check: str | None = None  # another program
    progress: ProgressCallback = field(default=no_progress)
