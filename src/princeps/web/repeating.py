"""What was done to a run, done once more to a twin of it: to see what happened when."""

from __future__ import annotations

from princeps.model.script import Script, ScriptEvent, Steps
from princeps.web.branches import Held


def repeat(twin: Held, event: ScriptEvent) -> None:
    """An event of a script."""
    twin.perform(Script("", None, (event,)))


def steps_of(event: ScriptEvent) -> int:
    """Steps of the schedule that an event asks for."""
    return event.count if isinstance(event, Steps) else 0
