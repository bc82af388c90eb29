"""A finished trial as a row of the store."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from princeps import __version__
from princeps.model.result import Result
from princeps.model.rings.result import RingResult

MAX_FAULTS = 100  # of a trial that are stored, the last ones
# For each measure, in SQL (a million rows are read at once): which rows have a value, which were censored before they
# had one, and which never will. To all other rows the measure does not apply.
UNRECOVERED = "recovery_steps IS NULL AND json_extract(more, '$.faults[#-1][0]') IS NOT NULL"
HAS_ENDED = {
    "steps": "converged",
    "events": "converged AND events IS NOT NULL",
    "held_steps": "held = 0",
    "recovery_steps": "recovery_steps IS NOT NULL",
    "seconds": "1",
}
WAS_CUT = {
    "steps": "NOT converged AND NOT silent",
    "events": "NOT converged AND NOT silent AND events IS NOT NULL",
    "held_steps": "held = 1",
    "recovery_steps": f"NOT silent AND {UNRECOVERED}",
    "seconds": "0",
}
OVER_NETWORK = "network"  # in place of an engine
# A network run whose replay disagrees is kept, and no measure applies to it.
IS_DATA = f"(engine <> '{OVER_NETWORK}' OR json_extract(more, '$.network.replay') IS 'agrees')"
OF_NETWORKS = ("replay", "whole", "undone", "completed", "open", "torn", "refused", "unanswered", "bad_frames")
OF_RINGS = ("time", "messages", "bits")  # measures of ring algorithms
COLUMN = {
    measure: f"json_extract(more, '$.ring.{measure}')" for measure in OF_RINGS
}  # the others have one of that name
NETWORK_COLUMN = {name: f"json_extract(more, '$.network.{name}')" for name in OF_NETWORKS}
WILL_NEVER = {
    "steps": "silent AND NOT converged",
    "events": "silent AND NOT converged AND events IS NOT NULL",
    "recovery_steps": f"silent AND {UNRECOVERED}",
}
for _measure, _column in COLUMN.items():  # of a run that ended without a leader, nothing can be expected any more
    HAS_ENDED[_measure] = f"converged AND {_column} IS NOT NULL"
    WAS_CUT[_measure] = f"NOT converged AND NOT silent AND {_column} IS NOT NULL"
    WILL_NEVER[_measure] = f"silent AND NOT converged AND {_column} IS NOT NULL"


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
    more: str | None  # JSON: the last faults, and the protocol's own verdicts
    engine: str
    version: str
    seconds: float

    def has_ended(self, measure: str) -> bool:
        """As HAS_ENDED says of a row in the store, for what a campaign is about."""
        return self.held == 0 if measure == "held_steps" else bool(self.converged)

    def was_cut(self, measure: str) -> bool:
        return self.held == 1 if measure == "held_steps" else not self.converged and not self.silent

    def value(self, measure: str) -> str | None:
        """What was measured, as text."""
        if measure not in OF_RINGS:
            found: str | None = getattr(self, measure)
            return found
        return str(json.loads(self.more or "{}")["ring"][measure])


def row_of(number: int, result: Result | RingResult, limit: int | None) -> Row:
    """`number` is the point's in its store, `limit` the number of steps at which the run would have been cut off."""
    return _row_of_ring(number, result, limit) if isinstance(result, RingResult) else _row(number, result, limit)


def _row_of_ring(number: int, result: RingResult, limit: int | None) -> Row:
    costs = {"time": result.time, "messages": result.messages, "bits": result.max_bits, "kinds": result.kinds}
    return Row(
        *(number, result.seed, result.trial, str(result.steps), int(result.converged)),
        censored=int(result.limited and not result.converged),
        silent=int(not result.limited and not result.converged),
        leaders=result.leaders,
        leader=result.leader,
        events=None,
        held=None,
        held_steps=None,
        recovery_steps=None,
        total_steps=str(result.steps),
        max_steps=None if limit is None else str(limit),
        more=json.dumps({"ring": costs}),
        engine=result.engine,
        version=__version__,
        seconds=result.seconds,
    )


def _row(number: int, result: Result, limit: int | None) -> Row:
    faults = result.faults or ()
    recovery = faults[-1].recovery_steps if faults else None
    unfinished = not result.converged or bool(result.held) or (bool(faults) and recovery is None)
    more: dict[str, Any] = dict(result.verdicts)
    if faults:  # a steady rate may mean millions of them
        more["faults"] = [[fault.step, fault.agents, fault.recovery_steps] for fault in faults[-MAX_FAULTS:]]
    if len(faults) > MAX_FAULTS:
        more["earlier_faults"] = len(faults) - MAX_FAULTS
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
