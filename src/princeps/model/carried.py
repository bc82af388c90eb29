"""A protocol's class as text: what worker processes, clusters and stores get of a class that no name leads to.

Nobody executes a user's script or notebook again. The class, with everything that it reaches, is gathered into one
module (gathering.py), which is named by its hash. It is loaded here once, too: if what it says is not what the class is,
that is refused before anything runs.
"""

from __future__ import annotations

import hashlib
import linecache
import sys
from bisect import bisect
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from princeps.errors import PrincepsError, ProtocolError
from princeps.model.class_content import class_content
from princeps.model.gathering import Gathering
from princeps.model.parameters import Parametrised
from princeps.model.reached import Reach
from princeps.model.sources import GATHERED, MISSING, PLACE, Place
from princeps.model.user_code import FAILURES, in_words

MAX_LOADED = 256  # modules that are kept, the last ones that were asked for
ATTRIBUTE = "what is carried"  # of a class; no name that a class of a user's could have
ORIGIN = "what it is called"  # of a class that was loaded: how a command names it
_loaded: dict[str, ModuleType] = {}


@dataclass(frozen=True)
class Carried:
    """The text of a module, the name of the class in it, and how commands name the class."""

    class_name: str
    text: str
    spec: str = ""
    no_command: str = ""  # why there is no command that finds the class
    places: tuple[tuple[int, str, int], ...] = field(default=(), compare=False)  # line here, file and line of origin

    @property
    def hash(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    @property
    def module_name(self) -> str:
        return f"{GATHERED}{self.hash}"  # the rest is the hash of its text

    @property
    def file(self) -> str:
        """By this name the text is found in tracebacks."""
        return f"<{self.module_name}>"

    @property
    def as_json(self) -> dict[str, str]:
        """As stores and scripts keep it."""
        return {"class": self.class_name, "hash": self.hash, "text": self.text}

    def load(self) -> type[Parametrised]:
        found: type[Parametrised] = getattr(self._module(), self.class_name)
        return found

    def _module(self) -> ModuleType:
        name = self.module_name
        module = _loaded.pop(name, None) or self._executed()
        _loaded[name] = module  # the last one now
        if len(_loaded) > MAX_LOADED:
            unload(next(iter(_loaded)))
        return module

    def _executed(self) -> ModuleType:
        module = ModuleType(self.module_name)
        module.__file__ = self.file
        linecache.cache[self.file] = (len(self.text), None, self.text.splitlines(True), self.file)
        sys.modules[self.module_name] = module
        try:
            exec(compile(self.text, self.file, "exec", dont_inherit=True), vars(module))
        except FAILURES as error:
            _forget(self.module_name)
            said = str(error) if isinstance(error, PrincepsError) else in_words(error)
            raise ProtocolError(f"what {self.class_name} reaches cannot be gathered into one module: {said}") from error
        return module

    def original(self, sentence: str) -> str:
        """A sentence about a line of the module says instead where that line was written."""
        head = f"{self.file}:"
        if not sentence.startswith(head):
            return sentence
        number, colon, rest = sentence.removeprefix(head).partition(":")
        k = bisect([line for line, _, _ in self.places], int(number)) - 1 if colon and number.isdigit() else -1
        if k < 0:
            return f"{self.class_name}: {rest.strip() or sentence}"
        line, file, there = self.places[k]
        return f"{file}:{there + int(number) - line}:{rest}"


def read_carried(found: Any) -> Carried:
    """What `as_json` gave; nothing of it is executed. Raises ValueError."""
    if not isinstance(found, dict) or not all(isinstance(found.get(key), str) for key in ("class", "hash", "text")):
        raise ValueError('"gathered" needs the texts "class", "hash" and "text"')
    one = Carried(found["class"], found["text"])
    if one.hash != found["hash"]:
        raise ValueError(f"the text of {one.class_name} is not what was written")
    return one


def unload(name: str) -> None:
    """Classes of the module that are still in use go on working."""
    _loaded.pop(name, None)
    _forget(name)


def _forget(name: str) -> None:
    sys.modules.pop(name, None)
    linecache.cache.pop(f"<{name}>", None)


def carry(cls: type[Parametrised]) -> Carried:
    """The class with everything that it reaches now; gathered again only if something of it has changed."""
    known: tuple[Reach, Carried] | None = vars(cls).get(ATTRIBUTE)
    if known is None or not known[0].is_current():
        reach = Reach([cls])
        text, places = Gathering(cls).text()
        made = Carried(cls.__name__, text, places=tuple(places))
        _check(cls, made)
        known = (reach, made)
        setattr(cls, ATTRIBUTE, known)
    return known[1]


def note_text(cls: type[Parametrised], carried: Carried) -> None:
    """A class that was loaded from a text is carried as this text."""
    if ATTRIBUTE not in vars(cls):
        setattr(cls, ATTRIBUTE, (Reach([cls]), Carried(carried.class_name, carried.text, places=carried.places)))


def _check(cls: type[Parametrised], made: Carried) -> None:
    changed = _changed_since(cls)
    try:
        twin = made.load()
        same = class_content(cls) == class_content(twin)
    except ProtocolError as error:
        if changed:
            raise _not_the_same(cls, changed) from error
        raise
    if not same:
        raise _not_the_same(cls, changed)


def _changed_since(cls: type[Parametrised]) -> list[str]:
    """The names that the body of the class read when it was executed, and that mean something else now."""
    place: Place | None = vars(cls).get(PLACE)
    return (
        []
        if place is None
        else [name for name, value in place.read.items() if place.names.get(name, MISSING) is not value]
    )


def _not_the_same(cls: type[Parametrised], changed: list[Any]) -> ProtocolError:
    if changed:
        names = ", ".join(changed)
        return ProtocolError(
            f"the body of {cls.__name__} was executed before {names} changed, so that it is not what its text says now: "
            f"execute the definition of {cls.__name__} again."
        )
    return ProtocolError(
        f"{cls.__name__} is not what its text says: it was changed after its definition, or depends on something else "
        f"than the names it reads. Define it at the top level of a file, and give './mine.py:{cls.__name__}'."
    )
