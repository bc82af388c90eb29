"""A recording of a network run: that of its interactions, with the times of the network, who was dead, stopped or cut off,
and the verdict.

"network" is {"clock": [[step, seconds]..], "result"}; the "events" also have [step, "killed", agent] and [step, "returned", agent],
of a process, [step, "paused", agent] and [step, "resumed", agent]. "dead" is an agent that does not come back.
"""

from __future__ import annotations

from typing import Any

from princeps.web.branches import Held
from princeps.web.network_tape import Processes, Tape
from princeps.web.recording import Recording, record

MAX_MOMENTS = 2000  # of the clock


def network_recording(
    tape: Tape, session: Held, told: dict[str, Any], result: dict[str, Any] | None = None
) -> Recording:
    """Up to the step at which the session, a fork of the tape's, stands."""
    end = session.steps
    marks = [list(mark) for mark in tape.branch.series.marks if mark[0] <= end]
    made = record(session, told=told, marks=marks)
    if "events" in made:
        own = [event for event in _events(tape) if event[0] <= end]
        made["events"] = sorted([*made["events"], *own], key=lambda event: int(event[0]))
    clock = [moment for moment in tape.clock if moment[0] <= end]
    apart = max(1, -(-len(clock) // MAX_MOMENTS))
    kept = [*clock[::apart], *clock[-1:]]
    made["network"] = {"clock": [[step, round(seconds, 3)] for step, seconds in kept], "result": result}
    return made


def _events(tape: Tape) -> list[list[Any]]:
    """What befell the processes, as a recording has it."""
    found: list[list[Any]] = []
    before = Processes()
    for step, now in tape.processes:
        for kind, end, was, there in (
            ("killed", "returned", before.dead, now.dead),
            ("paused", "resumed", before.paused, now.paused),
        ):
            found += [[step, kind, agent] for agent in there if agent not in was]
            found += [[step, end, agent] for agent in was if agent not in there]
        found += [[step, "cut", *arc] for arc in now.cuts if arc not in before.cuts]
        found += [[step, "heal", *arc] for arc in before.cuts if arc not in now.cuts]
        before = now
    return found
