"""The command that repeats a session with everything that was done to it."""

from __future__ import annotations

from princeps.engines.rings.session import RingSession
from princeps.engines.session import Session
from princeps.errors import RunError
from princeps.model.script_codes import code_of, command_of_code


def scripted_command(session: Session | RingSession, missing: str) -> str:
    """With its script; where no command line can hold that, the plain one with a remark that says what is missing."""
    try:
        script = session.script
        return command_of_code(script, code_of(script))
    except RunError:  # too long for a command line, the class of a notebook, or a start in a file
        return f"{session.command}  # without {missing}: save the page instead"


def recorded_command(session: Session | RingSession) -> str:
    """Of a recording, which shows the attacks."""
    return (
        scripted_command(session, "its attacks, which no command line can hold") if session.attacks else session.command
    )
