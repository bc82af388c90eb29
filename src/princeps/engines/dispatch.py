"""One function for every run: a population goes to a population engine, a ring to a ring engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from princeps.model.result import Result
from princeps.model.rings.result import RingResult
from princeps.model.rings.run import RingRun
from princeps.model.run import Run


def simulate(run: Run | RingRun, observer: Callable[[Any], None] | None = None) -> Result | RingResult:
    """The run from beginning to end; an observer is shown its progress from time to time."""
    if isinstance(run, Run):
        from princeps.engines.simulate import simulate as simulate_population

        return simulate_population(run, observer)
    from princeps.engines.rings.simulate import simulate_ring

    return simulate_ring(run, observer)
