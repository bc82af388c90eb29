"""What an exact analysis is asked for: the user's options, and what the caller needs to know of its progress."""

from __future__ import annotations

from dataclasses import dataclass

from princeps.analysis.progress import ProgressCallback, no_progress
from princeps.model.options import ExactOptions


@dataclass(frozen=True, kw_only=True)
class AnalysisOptions(ExactOptions):
    inputs: tuple[str, ...] = ()  # files that are read
    stated: bool = False  # refuse if the goal `safe` that the protocol states is not the largest safe set
    progress: ProgressCallback = no_progress
