"""What a long analysis reports while it works: the phase, how much is done, and of how much (0 if that is unknown)."""

from __future__ import annotations

from collections.abc import Callable

from princeps.model.announcing import only_costs

ProgressCallback = Callable[[str, int, int], None]
no_progress: ProgressCallback = only_costs
