"""A user's own file as a module, wherever it is stored; a mistake in it is reported with file and line."""

from __future__ import annotations

import hashlib
import importlib.abc
import importlib.util
import linecache
import os
import re
import sys
import traceback
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from princeps.errors import PrincepsError, ProtocolError

MAX_LOADED = 256  # files whose modules are kept, the last ones that were asked for
_loaded: dict[str, tuple[int, ModuleType]] = {}  # by path: when it was changed, and its module as of then
USERS = "princeps_user_"  # begins the name of the module that a user's file becomes
_loading: list[str] = []  # the files that are being executed now


def module_of(path: Path) -> ModuleType:
    """The module of a file; loaded again only when the file has changed."""
    changed = path.stat().st_mtime_ns
    known = _loaded.get(str(path))
    if known is None or known[0] != changed:
        known = (changed, load_module(path))
    _loaded.pop(str(path), None)
    _loaded[str(path)] = known  # the last one now
    if len(_loaded) > MAX_LOADED:
        _unload(next(iter(_loaded)))
    return known[1]


def _unload(path: str) -> None:
    """Classes of the module that are still in use go on working; whoever asks for the file again loads it anew."""
    _, module = _loaded.pop(path)
    if sys.modules.get(module.__name__) is module:
        del sys.modules[module.__name__]
    linecache.cache.pop(path, None)


def refuse_while_loading(what: str) -> None:
    """A file that is loaded for a class in it runs nothing: nobody has asked for that."""
    if _loading:
        raise ProtocolError(
            f"{what} is called while this file is being loaded only for what it defines: put the call under "
            f'`if __name__ == "__main__":`.',
            _loading[-1],
        )


class _FromText(SourceFileLoader):
    """Always compiles the text. Python's cached bytecode is that of an older text, without a word, where a file was changed
    within the same second to one of the same length; and users want no folder beside their file."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code


def _spec_of(module_name: str, file: str) -> ModuleSpec | None:
    loader = _FromText(module_name, file)
    return importlib.util.spec_from_file_location(module_name, file, loader=loader)


class _OfUsers(importlib.abc.MetaPathFinder):
    """Finds these modules again: `%autoreload` of IPython reloads whatever has a file."""

    def find_spec(self, fullname: str, path: Any, target: ModuleType | None = None) -> ModuleSpec | None:
        loader = getattr(target, "__loader__", None)  # all that is left of the module then, with its name
        file = getattr(loader, "path", None) if fullname.startswith(USERS) else None
        return None if file is None else _spec_of(fullname, file)


def load_module(path: Path) -> ModuleType:
    if str(path) in _loading:
        raise ProtocolError(
            "this file asks for itself while it is being loaded, which would never end: put the call under "
            '`if __name__ == "__main__":`.',
            str(path),
        )
    digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:12]  # the same in every process
    module_name = f"{USERS}{path.stem}_{digest}"
    loader = _spec_of(module_name, str(path))
    if loader is None or loader.loader is None:
        raise ProtocolError("this is not a Python file: give it as ./mine.py:Mine.", str(path))
    module = importlib.util.module_from_spec(loader)
    sys.modules[module_name] = module
    if not any(isinstance(finder, _OfUsers) for finder in sys.meta_path):
        sys.meta_path.append(_OfUsers())
    linecache.checkcache(str(path))  # the source that belongs to what is loaded now
    _loading.append(str(path))
    try:
        loader.loader.exec_module(module)
    except PrincepsError:
        raise
    except SyntaxError as error:
        raise ProtocolError(f"{error.msg}{_remedy_for(error)}.", str(path), error.lineno) from error
    except BaseException as error:
        from princeps.model.interruptions import ending_in_words, is_interruption

        if is_interruption(error):
            raise
        if not isinstance(error, Exception):
            raise ending_in_words(error) or error from None
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
        line = frames[-1].lineno if frames else None
        raise ProtocolError(f"{type(error).__name__}: {error}.", str(path), line) from error
    finally:
        _loading.pop()
    return module


def _remedy_for(error: SyntaxError) -> str:
    """What was meant by `case (KING, KING)`: Python takes a name without a dot for a variable, which it may bind once."""
    bound_twice = re.fullmatch(r"multiple assignments to name '(\w+)' in pattern", error.msg)
    if bound_twice is None:
        return ""
    return (
        f": in a `case` a name without a dot is no value, so write Role.{bound_twice[1]} with Role = OneOf(...) outside of "
        f"the class, or use `if` (see docs/writing-protocols.md)"
    )
