"""The script of a session with a class that no command can name: it carries the class as text."""

from __future__ import annotations

from dataclasses import replace

from princeps.errors import ProtocolError
from princeps.model.carried import Carried, carry
from princeps.model.parameters import Parametrised
from princeps.model.rings.run import RingRun
from princeps.model.run import Run
from princeps.model.script import Script


def with_text(script: Script, run: Run | RingRun, cls: type[Parametrised]) -> Script:
    """The command then names the class as the text does; where it has no text, the script says why."""
    if not run.no_command:
        return script
    try:
        carried = carry(cls)
    except ProtocolError as error:
        return replace(script, no_text=str(error))
    command = replace(run, spec=carried.class_name).words()
    return replace(script, command=command, gathered=Carried(carried.class_name, carried.text))
