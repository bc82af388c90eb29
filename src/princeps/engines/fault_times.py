"""When the faults of a run are due, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from typing import NamedTuple

from princeps.model.faults import AnyFault, Fault, TornFault
from princeps.model.protocol import usual_steps
from princeps.model.randomness import Stream
from princeps.model.run import Run


class Due(NamedTuple):
    """After this many steps something is to be done: agents are overwritten, or the next interaction is torn."""

    at: int
    fault: AnyFault


def fault_times(run: Run, stream: Stream) -> Iterator[Due]:
    """All faults in the order of their steps; a steady rate goes on to the limit.

    At the same step agents are overwritten before an interaction is torn.
    """
    single = sorted(
        (Due(_at(fault, fault.step), fault) for fault in run.faults if not fault.every),
        key=lambda due: (due.at, isinstance(due.fault, TornFault), due.fault.agents),
    )
    steady = [_repeated(fault, run, stream) for fault in run.faults if fault.every]
    return merge(single, *steady, key=lambda due: (due.at, isinstance(due.fault, TornFault)))


def _at(fault: AnyFault, step: int) -> int:
    """The clock stands there before the fault: interaction number `step` is torn after step - 1 of them."""
    return step - 1 if isinstance(fault, TornFault) else step


def _repeated(fault: AnyFault, run: Run, stream: Stream) -> Iterator[Due]:
    assert run.max_steps is not None
    step = 0
    while True:
        step = step + fault.step if isinstance(fault, Fault) else fault.next_after(step, stream)
        if not _at(fault, step) < run.max_steps:
            return
        yield Due(_at(fault, step), fault)


def default_limit(run: Run) -> int | None:
    """Without --max-steps a run ends at its goal; where recovery may never come, long after the last fault."""
    if run.max_steps is not None or not run.faults or run.protocol.recovers:
        return run.max_steps
    usual = usual_steps(run.protocol, run.n) or 0
    return max(fault.step for fault in run.faults) + max(10 * run.n * run.n, 1000 * int(usual))
