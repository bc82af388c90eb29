"""A finished trial as a row of the store."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from princeps import __version__
from princeps.model.result import Result

LARGEST = (1 << 63) - 1  # that SQLite keeps as an integer


class Row(NamedTuple):
    """Steps are decimal text, because 10^24 of them are nothing unusual."""

    point: int
    seed: int
    trial: int
    steps: str
    converged: int
    censored: int  # the limit came first: before the goal, before the leader was lost, or before a recovery
    silent: int
    leaders: int
    leader: int | None
    events: str | None
    held: int | None
    held_steps: str | None
    recovery_steps: str | None  # after the last fault; none if it never came
    total_steps: str
    max_steps: str | None
    more: str | None  # JSON: all faults, and the protocol's own verdicts
    engine: str
    version: str
    seconds: float


def row_of(number: int, result: Result, limit: int | None) -> Row:
    """`number` is the point's in its store, `limit` the number of steps at which the run would have been cut off."""
    faults = result.faults or ()
    recovery = faults[-1].recovery_steps if faults else None
    unfinished = not result.converged or bool(result.held) or (bool(faults) and recovery is None)
    more: dict[str, Any] = dict(result.verdicts)
    if faults:
        more["faults"] = [[fault.step, fault.agents, fault.recovery_steps] for fault in faults]
    return Row(
        point=number,
        seed=result.seed,
        trial=result.trial,
        steps=str(result.steps),
        converged=int(result.converged),
        censored=int(unfinished and not result.silent and not result.steady_faults),
        silent=int(result.silent),
        leaders=result.leaders,
        leader=result.leader,
        events=None if result.events is None else str(result.events),
        held=None if result.held is None else int(result.held),
        held_steps=None if result.held_steps is None else str(result.held_steps),
        recovery_steps=None if recovery is None else str(recovery),
        total_steps=str(result.total_steps),
        max_steps=None if limit is None else str(limit),
        more=json.dumps(more) if more else None,
        engine=result.engine,
        version=__version__,
        seconds=result.seconds,
    )
