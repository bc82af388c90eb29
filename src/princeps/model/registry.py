"""Finds a protocol by its name in the library, or in a user's own file (`./mine.py:Mine`)."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
import sys
import traceback
from pathlib import Path
from types import ModuleType

from princeps.errors import PrincepsError, ProtocolError, UnknownProtocol
from princeps.model.protocol import PopulationProtocol

_user_classes: dict[tuple[str, int, str], type[PopulationProtocol]] = {}  # by path, time and class: loaded once


def names() -> list[str]:
    package = importlib.import_module("princeps.protocols")
    return sorted(module.name for module in pkgutil.iter_modules(package.__path__))


def find(name: str) -> type[PopulationProtocol]:
    """The class behind a name; nothing need be registered."""
    if ".py" in name or "/" in name:
        return _from_file(name)
    if name not in names():
        raise UnknownProtocol(name, names())
    return _only_protocol(importlib.import_module(f"princeps.protocols.{name}"), None, name)


def spec(cls: type[PopulationProtocol]) -> str:
    """What to type for this class: its name in the library, or file and class."""
    if cls.__module__ == f"princeps.protocols.{cls.name}":
        return cls.name
    return f"{getattr(sys.modules.get(cls.__module__), '__file__', cls.file())}:{cls.__qualname__}"


def _from_file(spec: str) -> type[PopulationProtocol]:
    path_text, colon, class_name = spec.rpartition(":") if ".py:" in spec else (spec, "", "")
    path = Path(path_text).expanduser().resolve()
    if not path.is_file():
        raise ProtocolError(f"there is no file {path_text!r}: give it as ./mine.py:Mine.")
    key = (str(path), path.stat().st_mtime_ns, class_name)
    if key not in _user_classes:
        _user_classes[key] = _load(path, class_name if colon else None, spec)
    return _user_classes[key]


def _load(path: Path, class_name: str | None, spec: str) -> type[PopulationProtocol]:
    module_name = f"princeps_user_{path.stem}_{abs(hash(str(path))):x}"
    loader = importlib.util.spec_from_file_location(module_name, path)
    if loader is None or loader.loader is None:
        raise ProtocolError("this is not a Python file: give it as ./mine.py:Mine.", str(path))
    module = importlib.util.module_from_spec(loader)
    sys.modules[module_name] = module
    try:
        loader.loader.exec_module(module)
    except PrincepsError:
        raise
    except SyntaxError as error:
        raise ProtocolError(f"{error.msg}.", str(path), error.lineno) from error
    except (Exception, SystemExit) as error:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
        line = frames[-1].lineno if frames else None
        raise ProtocolError(f"{type(error).__name__}: {error}.", str(path), line) from error
    return _only_protocol(module, class_name, spec)


def _only_protocol(module: ModuleType, class_name: str | None, spec: str) -> type[PopulationProtocol]:
    found = {
        name: value
        for name, value in vars(module).items()
        if inspect.isclass(value) and issubclass(value, PopulationProtocol) and value.__module__ == module.__name__
    }
    if class_name is not None:
        if class_name not in found:
            known = ", ".join(found) or "none"
            raise ProtocolError(f"no protocol class {class_name!r} here; found: {known}.", str(module.__file__))
        return found[class_name]
    if len(found) != 1:
        known = ", ".join(found) or "none"
        raise ProtocolError(f"name one of the protocol classes ({known}), like {spec}:Mine.", str(module.__file__))
    return next(iter(found.values()))
