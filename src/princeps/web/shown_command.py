"""The command line that repeats precisely what is shown: the run up to this step, or its script with all attacks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from princeps.errors import RunError
from princeps.model.script import SetStates
from princeps.model.script_codes import code_of, command_of_code
from princeps.web.branches import Branch, Held

MAX_LINES = 50_000  # agents that were set: the script of more is not worth packing


class ShownCommand:
    """The last command is kept, since packing a script takes long."""

    def __init__(self) -> None:
        self._last: tuple[Any, str] = None, ""

    def of(self, session: Held, branch: Branch, run: int, moves: bool) -> str:
        """While the run moves the step changes all the time: then the run's own command is given, or, if somebody has acted
        in it, the script of the last attack."""
        attacks = sum(step <= session.steps for step, _ in session.attacks)
        if not session.words or (not attacks and (moves or session.steps == 0)):
            return session.command
        key = (run, branch.number, attacks, branch.hit, None if moves else session.steps)
        if self._last[0] != key:
            self._last = key, _command(session, branch, attacks)
        return self._last[1]


def _command(session: Held, branch: Branch, attacks: int) -> str:
    here = session.steps
    if not attacks and here == branch.hit:
        return session.command  # a run ends where its goal is met
    may_be_met = branch.is_met and (branch.hit is None or branch.hit < here)
    if not attacks and session.cut_free and not may_be_met:
        return replace(session.run, max_steps=here).command()
    try:
        script = session.script
        if sum(len(event.changes) for event in script.events if isinstance(event, SetStates)) > MAX_LINES:
            raise RunError("the script is too long for a command line.")
        return command_of_code(script, code_of(script))
    except RunError:  # too long, the class of a notebook, or a start in a file
        missing = "its attacks, which no command line can hold" if attacks else f"its end at step {here}"
        return f"{session.command}  # without {missing}: save the page instead"
