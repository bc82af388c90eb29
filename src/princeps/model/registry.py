"""Finds a protocol by its name in the library, or in a user's own file (`./mine.py:Mine`)."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TypeGuard

from princeps.errors import ProtocolError, RunError, UnknownProtocol
from princeps.model.modules import module_of
from princeps.model.options import POPULATION, RING
from princeps.model.parameters import Parametrised
from princeps.model.protocol import PopulationProtocol
from princeps.model.rings.algorithm import RingAlgorithm

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


def find(name: str) -> type[PopulationProtocol]:
    """The population protocol behind a name; nothing need be registered."""
    return require_population(find_any(name))


def require_population(cls: type[Parametrised]) -> type[PopulationProtocol]:
    if not issubclass(cls, PopulationProtocol):
        raise RunError(f"{cls.name} is a ring algorithm, which runs by messages on labels: give --labels 1,2,2.")
    return cls


def find_ring(name: str) -> type[RingAlgorithm]:
    """The ring algorithm behind a name."""
    return require_ring(find_any(name))


def require_ring(cls: type[Parametrised]) -> type[RingAlgorithm]:
    if not issubclass(cls, RingAlgorithm):
        known = ", ".join(names("ring"))
        raise RunError(
            f"{cls.name} is a population protocol, which has no labeled ring: the ring algorithms are {known}."
        )
    return cls


def find_any(name: str) -> type[Parametrised]:
    """The class behind a name, whatever its kind."""
    if name.startswith("<"):  # <stdin>:Mine
        raise ProtocolError(
            f"the protocol {name!r} was defined at a prompt, where nobody finds it again: put it into a file, or give the "
            f"class itself."
        )
    if ".py" in name or "/" in name:
        return _from_file(name)
    if name not in names():
        raise UnknownProtocol(name, names())
    return _only_protocol(importlib.import_module(f"princeps.protocols.{name}"), None, name)


def checked(given: object) -> type[Parametrised]:
    """What was given instead of a name, if it is a protocol's class."""
    if not _is_protocol(given):
        raise RunError(
            f"protocol {given!r} is not understood: give a name of princeps list, a file like './mine.py:Mine', or the "
            f"class of a protocol."
        )
    return given


def require_file(cls: type[Parametrised]) -> None:
    """Another process, or a later one, finds a class only in a file."""
    file = cls.file()
    if file is None or not Path(file).is_file():
        raise ProtocolError(
            f"{cls.__qualname__} is defined in {file or 'no file'}, where no other process finds it: put it into a file, "
            f"and give './mine.py:{cls.__qualname__}'."
        )


def spec(cls: type[Parametrised]) -> str:
    """What to type for this class: its name in the library, or file and class."""
    if cls.__module__ == f"princeps.protocols.{cls.name}":
        return cls.name
    return f"{getattr(sys.modules.get(cls.__module__), '__file__', cls.file())}:{cls.__qualname__}"


def _from_file(spec: str) -> type[Parametrised]:
    path_text, colon, class_name = spec.rpartition(":") if ".py:" in spec else (spec, "", "")
    path = Path(path_text).expanduser().resolve()
    if not path.is_file():
        raise ProtocolError(f"there is no file {path_text!r}: give it as ./mine.py:Mine.")
    return _only_protocol(module_of(path), class_name if colon else None, spec)


def _is_protocol(value: object) -> TypeGuard[type[Parametrised]]:
    return inspect.isclass(value) and issubclass(value, tuple(KINDS.values()))


def _only_protocol(module: ModuleType, class_name: str | None, spec: str) -> type[Parametrised]:
    found: dict[str, type[Parametrised]] = {
        name: value
        for name, value in vars(module).items()
        if _is_protocol(value) and value.__module__ == module.__name__
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
