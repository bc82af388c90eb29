"""Kernels as modules: generated ones from their text, those in files of ours by name.

Their machine code is kept in the cache directory and found by the next process (jit.py, kernel_key.py,
kernel_store.py); nothing else is, so that no file in that directory is ever executed as Python.
"""

from __future__ import annotations

import importlib
import sys
import types
from collections import Counter
from weakref import WeakKeyDictionary, finalize

_loaded: dict[str, types.ModuleType] = {}
_owners: Counter[str] = Counter()  # by generated module: how many classes use it
_modules_of: WeakKeyDictionary[type, set[str]] = WeakKeyDictionary()


def load_kernel(source: str, owner: type) -> types.ModuleType:
    """The module with this source, compiled at first use.

    It is unloaded when all classes that it was loaded for are gone, so that a notebook may define its protocol often.
    Not earlier: engines hold addresses of functions in it, and a class as long as they run.
    """
    from princeps.lowering.jit import GENERATED
    from princeps.lowering.kernel_key import source_key

    name = GENERATED + source_key(source)
    if name not in _loaded:
        module = types.ModuleType(name)
        sys.modules[name] = module  # numba looks the module up by name when it loads machine code
        exec(compile(source, f"<{name}>", "exec", dont_inherit=True), module.__dict__)
        _loaded[name] = module
    module = _loaded[name]
    _own(owner, name)
    return module


def _own(owner: type, name: str) -> None:
    names = _modules_of.get(owner)
    if names is None:
        names = _modules_of[owner] = set()
        finalize(owner, _release, names).atexit = False
    if name not in names:
        names.add(name)
        _owners[name] += 1


def _release(names: set[str]) -> None:
    for name in names:
        _owners[name] -= 1
        if _owners[name] == 0:
            del _owners[name]
            sys.modules.pop(name, None)
            module = _loaded.pop(name, None)
            if module is not None:  # numba refers to the namespace of what it compiled, and so to the functions in it
                vars(module).clear()


def kernel_module(name: str) -> types.ModuleType:
    """The kernels in a module of ours, by its full name."""
    if name not in _loaded:
        _loaded[name] = importlib.import_module(name)
    return _loaded[name]
