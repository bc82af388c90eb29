"""The command line that repeats precisely what is shown: the run up to this step, or its script with all attacks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from princeps.errors import RunError
from princeps.model.script import SetStates
from princeps.model.script_codes import code_of, command_of_code
from princeps.web.branches import Branches, Held
from princeps.web.series import GOAL

MAX_LINES = 50_000  # agents that were set: the script of more is not worth packing


class ShownCommand:
    """The last command is kept, since packing a script takes long."""

    def __init__(self) -> None:
        self._last: tuple[Any, str] = None, ""

    def of(self, branches: Branches, run: int, moves: bool) -> str:
        """While the run moves the step changes all the time: then the run's own command is given, or, if somebody has acted
        in it, the script of the last attack."""
        session, first = branches.session, branches.next_mark(GOAL, -1)
        attacks = sum(step <= session.steps for step, _ in session.attacks)
        if not session.words or (not attacks and (moves or session.steps == 0)):
            return session.command
        key = (run, branches.current.number, attacks, first, None if moves else session.steps)
        if self._last[0] != key:
            self._last = key, _command(session, attacks, first, branches.goals_are_marked)
        return self._last[1]


def _command(session: Held, attacks: int, first: int | None, is_first_known: bool) -> str:
    """`first` is the first step at which the goal was met: there a run ends."""
    here = session.steps
    if not attacks and here == first:
        return session.command
    if not attacks and session.cut_free and is_first_known and (first is None or here < first):
        return replace(session.run, max_steps=here).command()
    try:
        script = session.script
        if sum(len(event.changes) for event in script.events if isinstance(event, SetStates)) > MAX_LINES:
            raise RunError("the script is too long for a command line.")
        return command_of_code(script, code_of(script))
    except RunError:  # too long, the class of a notebook, or a start in a file
        missing = "its attacks, which no command line can hold" if attacks else f"its end at step {here}"
        return f"{session.command}  # without {missing}: save the page instead"
