"""How a command names a protocol's class, and why none can where none can.

A class of the library has a name, one of a file is FILE:CLASS, one that a store keeps is STORE:CLASS. The class of a
script is named by the script's file only if loading that file does nothing but define things, and gives the same class.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from princeps.errors import PrincepsError
from princeps.model.carried import ORIGIN
from princeps.model.class_checks import file_of
from princeps.model.class_content import class_content
from princeps.model.modules import USERS, module_of
from princeps.model.parameters import Parametrised
from princeps.model.reached import Reach
from princeps.model.safe_files import effect_of_loading
from princeps.model.sources import PLACE, Place
from princeps.model.texts import text_of_file

ATTRIBUTE = "how it is named"  # of a class; no name that a class of a user's could have
IN_A_STORE = "a sweep keeps it in its store, from where `princeps run STORE:{} ...` takes it"


@dataclass(frozen=True)
class Name:
    """What to type; `no_command` says why that finds nothing, or something else."""

    spec: str
    no_command: str = ""


class NameOfClass(str):
    """What results call a class that was itself given: of several contents of that name, the class says which."""

    cls: type[Parametrised]

    def __new__(cls, given: type[Parametrised]) -> NameOfClass:
        made = super().__new__(cls, given.name)
        made.cls = given
        return made


def command_or_reason(command: str, no_command: str) -> str:
    """The command, or a comment that says why there is none."""
    return f"# no command repeats this: {no_command}." if no_command else command


def name_of_user_class(cls: type[Parametrised]) -> Name:
    """Of a class that is not in the library."""
    known: Name | None = vars(cls).get(ORIGIN)
    if known is not None:
        return known
    file = _file(cls)
    if cls.__module__.startswith(USERS) and file is not None and "<locals>" not in cls.__qualname__:
        return Name(f"{file}:{cls.__qualname__}")
    return _remembered(cls, file)


def _file(cls: type[Parametrised]) -> str | None:
    place: Place | None = vars(cls).get(PLACE)
    return file_of(cls) or (place.file if place is not None else cls.file())


def _remembered(cls: type[Parametrised], file: str | None) -> Name:
    """Worked out again when the file, or something that the class reaches, has changed."""
    stamp = _stamp(file)
    known: tuple[Any, Reach, Name] | None = vars(cls).get(ATTRIBUTE)
    if known is None or known[0] != stamp or not known[1].is_current():
        reach = Reach([cls])
        reason = _reason(cls, file, stamp is not None)
        spec = f"{file if file and stamp else '<' + (file or 'prompt').strip('<>') + '>'}:{cls.__qualname__}"
        if reason:
            reason = f"{reason}; {IN_A_STORE.format(cls.__name__)}"
        known = (stamp, reach, Name(spec, reason))
        setattr(cls, ATTRIBUTE, known)
    return known[2]


def _stamp(file: str | None) -> Any:
    try:
        found = os.stat(file or "")
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size


def _reason(cls: type[Parametrised], file: str | None, is_file: bool) -> str:
    """Why no command can name the class; empty where one can."""
    if not is_file or file is None or Path(file).suffix != ".py":
        return f"{cls.__name__} is not defined in a file"
    if cls.__qualname__ != cls.__name__:
        return f"{cls.__name__} is not defined at the top level of {file}"
    source = text_of_file(file)
    place: Place | None = vars(cls).get(PLACE)
    if place is None or not source or place.file != file:
        return f"{cls.__name__} is not defined in a file"
    if source != Path(file).read_text(encoding="utf-8", errors="replace"):
        return f"{file} has been changed since {cls.__name__} was defined"
    try:
        effect = effect_of_loading(source, place.names)
        if effect is not None:
            line, text = effect
            return f'loading {file} would run line {line}, `{_short(text)}`, which is not under `if __name__ == "__main__":`'
        twin = vars(module_of(Path(file).resolve())).get(cls.__name__)
        same = isinstance(twin, type) and class_content(twin) == class_content(cls)
    except (PrincepsError, OSError, SyntaxError) as error:
        return f"{file} cannot be loaded ({str(error).rstrip('.')})"
    return "" if same else f"{cls.__name__} is not what {file} says any more"


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
