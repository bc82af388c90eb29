"""`princeps.new`: a protocol file to start from."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass
from pathlib import Path

from princeps.api.arguments import a_path, reads
from princeps.api.templates import POPULATION_FILE, RING_FILE
from princeps.errors import RunError
from princeps.model.files import Kind, Output
from princeps.model.options import explained

TEMPLATE = Kind("a file that princeps new wrote", re.compile(rb"Made by princeps new; change what you like"))


@dataclass(frozen=True)
class NewFile:
    """What was written, and under which name it is run."""

    file: str
    protocol: str  # the class

    @property
    def spec(self) -> str:
        return f"{self.file}:{self.protocol}"


@explained
@reads(path=a_path)
def new(path: str, *, ring: bool = False, force: bool = False) -> NewFile:
    """Write a commented protocol file that runs as it stands; `ring` makes it a ring algorithm.

    The class is named after the file: `my_protocol.py` holds MyProtocol. A file that is there is replaced only with
    `force`, even one that princeps wrote: somebody may have worked on it.
    """
    file = Path(path)
    name = _class_name(file)
    if file.exists() and not force:
        raise RunError(f"{str(file)!r} is there already: choose another name, or insist with --force.")
    named = str(file) if file.is_absolute() or len(file.parts) > 1 else f"./{file}"
    text = (RING_FILE if ring else POPULATION_FILE).format(name=name, title=_title(name), path=named)
    with Output(str(file), TEMPLATE, (), force).replacing() as write:
        write(text.encode())
    return NewFile(named, name)


def _class_name(file: Path) -> str:
    words = [word for word in re.split(r"[^0-9A-Za-z]+", file.stem) if word]
    name = "".join(word[:1].upper() + word[1:] for word in words)
    if file.suffix != ".py":
        raise RunError(f"{str(file)!r} does not end with .py: a protocol is a Python file. Give a name like mine.py.")
    if not name.isidentifier() or keyword.iskeyword(name):
        raise RunError(f"{str(file)!r} gives no name for a class: begin the file's name with a letter, like mine.py.")
    return name


def _title(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
