"""Finds a protocol by its name in the library, or in a user's own file (`./mine.py:Mine`)."""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TypeGuard

from princeps.errors import ProtocolError, RunError, UnknownProtocol
from princeps.model.carried import ORIGIN, Carried, carry, note_text
from princeps.model.modules import module_of
from princeps.model.naming import Name, name_of_user_class
from princeps.model.options import POPULATION, RING
from princeps.model.parameters import Parametrised
from princeps.model.protocol import PopulationProtocol
from princeps.model.rings.algorithm import RingAlgorithm
from princeps.model.stored_classes import stored_class

MAIN = "__main__"
Named = str | type[Parametrised] | Carried
KINDS: dict[str, type[Parametrised]] = {POPULATION: PopulationProtocol, RING: RingAlgorithm}


def names(kind: str | None = None) -> list[str]:
    """All names in the library, or those of population protocols or ring algorithms."""
    found = list(_library())
    return found if kind is None else [name for name in found if issubclass(find_any(name), KINDS[kind])]


@cache
def _library() -> tuple[str, ...]:
    package = importlib.import_module("princeps.protocols")
    return tuple(sorted(module.name for module in pkgutil.iter_modules(package.__path__)))


def kind_of(cls: type[Parametrised]) -> str:
    """ "population" or "ring": decided here and nowhere else."""
    return next(kind for kind, base in KINDS.items() if issubclass(cls, base))


def find(name: Named) -> type[PopulationProtocol]:
    """The population protocol behind a name, or the class itself; nothing need be registered."""
    return require_population(find_any(name))


def require_population(cls: type[Parametrised]) -> type[PopulationProtocol]:
    if not issubclass(cls, PopulationProtocol):
        raise RunError(f"{cls.name} is a ring algorithm, which runs by messages on labels: give --labels 1,2,2.")
    return cls


def find_ring(name: Named) -> type[RingAlgorithm]:
    """The ring algorithm behind a name, or the class itself."""
    return require_ring(find_any(name))


def require_ring(cls: type[Parametrised]) -> type[RingAlgorithm]:
    if not issubclass(cls, RingAlgorithm):
        known = ", ".join(names("ring"))
        raise RunError(
            f"{cls.name} is a population protocol, which has no labeled ring: the ring algorithms are {known}."
        )
    return cls


def find_any(name: Named) -> type[Parametrised]:
    """The class behind a name, whatever its kind; a class is itself."""
    if isinstance(name, Carried):
        return loaded(name, Name(name.spec, name.no_command))
    if not isinstance(name, str):
        return checked(name)
    if name.startswith("<"):  # <stdin>:Mine
        raise ProtocolError(
            f"the protocol {name!r} was defined at a prompt or in a notebook, where nobody finds it again: put it into a "
            f"file, or give the class itself."
        )
    if name not in _library():
        kept = stored_class(name)
        if kept is not None:
            return loaded(kept, Name(kept.spec))
        if ".py" in name or "/" in name:
            return _from_file(name)
        raise UnknownProtocol(name, names(), f"./{name}.py" if name and os.path.isfile(f"{name}.py") else "")
    return _only_protocol(importlib.import_module(f"princeps.protocols.{name}"), None, name)


def checked(given: object) -> type[Parametrised]:
    """What was given instead of a name, if it is a protocol's class."""
    if not is_protocol(given):
        raise RunError(
            f"protocol {given!r} is not understood: give a name of princeps list, a file like './mine.py:Mine', or the "
            f"class of a protocol."
        )
    return given


def loaded(carried: Carried, name: Name) -> type[Parametrised]:
    """The class of a gathered module, and how commands name it."""
    cls = carried.load()
    if not is_protocol(cls):
        raise ProtocolError(f"{carried.class_name} in {carried.spec} is no protocol.")
    setattr(cls, ORIGIN, name)
    note_text(cls, carried)
    return cls


def is_in_library(cls: type[Parametrised]) -> bool:
    return cls.__module__ == f"princeps.protocols.{cls.name}"


def name_of(cls: type[Parametrised]) -> Name:
    """How a command names the class, and why none can where none can."""
    return Name(cls.name) if is_in_library(cls) else name_of_user_class(cls)


def sendable(named: Named) -> str | Carried:
    """For another process, which finds the protocol by its name, or loads the text that it gets.

    A script is not loaded again, also where it is named by its file.
    """
    cls = find_any(named) if isinstance(named, str) else checked(named) if isinstance(named, type) else None
    if cls is None:
        return named  # type: ignore[return-value]  # it is carried already
    if isinstance(named, str) and cls.__module__ != MAIN:
        return named
    name = name_of(cls)
    if is_in_library(cls):
        return name.spec
    try:
        carried = carry(cls)
    except ProtocolError:
        if name.no_command:
            raise
        return name.spec  # the file says the same, and may reach what has no text
    return replace(carried, spec=named if isinstance(named, str) else name.spec, no_command=name.no_command)


def path_and_class(spec: str) -> tuple[Path, str | None]:
    """Of `./mine.py:Mine`; the class may be left out."""
    path_text, colon, class_name = spec.rpartition(":") if ".py:" in spec else (spec, "", "")
    return Path(path_text).expanduser().resolve(), class_name if colon else None


def _from_file(spec: str) -> type[Parametrised]:
    path, class_name = path_and_class(spec)
    if not path.is_file():
        path_text = spec if class_name is None else spec.removesuffix(f":{class_name}")
        raise ProtocolError(f"there is no file {path_text!r}: give it as ./mine.py:Mine.")
    main = sys.modules.get(MAIN)
    if main is not None and _is_file_of(main, path):  # the script that is running: what it has defined is there already
        return _only_protocol(main, class_name, spec)
    return _only_protocol(module_of(path), class_name, spec)


def _is_file_of(module: ModuleType, path: Path) -> bool:
    file = getattr(module, "__file__", None)
    return isinstance(file, str) and Path(file).resolve() == path


def is_protocol(value: object) -> TypeGuard[type[Parametrised]]:
    return inspect.isclass(value) and issubclass(value, tuple(KINDS.values()))


def _only_protocol(module: ModuleType, class_name: str | None, spec: str) -> type[Parametrised]:
    found: dict[str, type[Parametrised]] = {
        name: value
        for name, value in vars(module).items()
        if is_protocol(value) and value.__module__ == module.__name__
    }
    if not found:
        raise ProtocolError(
            "there is no protocol in this file: derive a class from PopulationProtocol or RingAlgorithm.",
            str(module.__file__),
        )
    if class_name is not None:
        if class_name not in found:
            known = ", ".join(found)
            raise ProtocolError(f"no protocol class {class_name!r} here; found: {known}.", str(module.__file__))
        return found[class_name]
    if len(found) != 1:
        known = ", ".join(found)
        raise ProtocolError(f"name one of the protocol classes ({known}), like {spec}:Mine.", str(module.__file__))
    return next(iter(found.values()))
