"""Sessions from descriptions and scripts: one way for Python, the command line and the page."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Callable
from dataclasses import replace

from princeps.engines.dispatch import read_for_engine
from princeps.engines.registry import ENGINES
from princeps.engines.rings.session import RingSession
from princeps.engines.session import Session
from princeps.errors import RunError
from princeps.model.carried import Carried
from princeps.model.description import Description, Named, read_command
from princeps.model.limits import refuse_long_script
from princeps.model.numbers import duration_in_words, in_words
from princeps.model.options import RunOptions, is_given, options_of
from princeps.model.options.run import OF_WHOLE_RUNS
from princeps.model.run import Run
from princeps.model.script import Script, Steps

ANNOUNCED_SECONDS = 5


def session_described(description: Description) -> Session | RingSession:
    known = options_of(RunOptions)
    said = vars(description.options)
    unfit = next((option for option in OF_WHOLE_RUNS if is_given(said[option], known[option])), None)
    if unfit is not None:
        raise RunError(f"{unfit} is for a whole run: a session is attacked and looked at step by step. Leave it out.")
    made = read_for_engine(description)
    return Session(made) if isinstance(made, Run) else RingSession(made)


def description_of(script: Script, path: str, protocol: Named | None = None) -> Description:
    """The run of a script. A class of a script or a notebook is taken from the text that the file carries, which is executed."""
    description = read_command(script.command)
    if protocol is not None:
        return replace(description, protocol=protocol)
    if script.gathered is not None:
        return replace(description, protocol=_carried(script.gathered, path))
    if script.no_text:
        name = str(description.protocol).rpartition(":")[2]
        raise RunError(
            f"the script keeps no text of {name} ({script.no_text.rstrip('.')}): give the class, "
            f"princeps.replay({path!r}, protocol={name})."
        )
    return description


def _carried(text: Carried, path: str) -> Carried:
    """The class that a script carries. It is executed here and nowhere else: a replay is what the user asked for."""
    reason = (
        f"the script {path!r} keeps {text.class_name} as text: princeps run --script {shlex.quote(path)} replays it"
    )
    return replace(text, spec=text.class_name, no_command=reason)


def refuse_other_identity(begun: Session | RingSession, script: Script, path: str, strict: bool) -> None:
    """A protocol whose content has changed since; with a warning, where the script is replayed all the same."""
    now = begun.identity
    if script.identity is not None and now != script.identity:
        sentence = f"the protocol has changed since {path!r} was written (identity {script.identity}, now {now})"
        if strict:
            raise RunError(f"{sentence}: princeps.replay({path!r}, strict=False) replays it all the same.")
        warnings.warn(f"{sentence}: the replay may differ.", stacklevel=3)


def seconds_of(begun: Session | RingSession, script: Script) -> tuple[int, int | None]:
    """The steps of a script, and about how long they take."""
    steps = sum(event.count for event in script.events if isinstance(event, Steps))
    rate = ENGINES[begun.engine].steps_per_second if begun.engine in ENGINES else None
    return steps, None if rate is None else int(steps // rate)


def refuse_long(
    begun: Session | RingSession, script: Script, limit: int | None, announce: Callable[[str], None] | None
) -> None:
    """What takes more than a week, unless a limit allows as many steps; what takes a moment is announced."""
    steps, seconds = seconds_of(begun, script)
    if seconds is None:
        return
    refuse_long_script(steps, seconds, limit)
    if announce is not None and seconds > ANNOUNCED_SECONDS:
        announce(f"{in_words(steps)} steps are replayed, which take about {duration_in_words(seconds)}.")


def at_start(begun: Session | RingSession) -> Session | RingSession:
    """The same run once more, at its start."""
    run = begun.run
    return Session(run) if isinstance(run, Run) else RingSession(run)
