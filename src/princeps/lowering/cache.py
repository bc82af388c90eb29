"""Kernels as modules: generated ones from their text, those in files of ours by name.

Their machine code is kept in the cache directory and found by the next process (jit.py, kernel_key.py,
kernel_store.py); nothing else is, so that no file in that directory is ever executed as Python.
"""

from __future__ import annotations

import importlib
import sys
import types

from princeps.model import machine

_loaded: dict[str, types.ModuleType] = {}


def load_kernel(source: str) -> types.ModuleType:
    """The module with this source, compiled at first use."""
    _wake_numba()
    from princeps.lowering.jit import GENERATED
    from princeps.lowering.kernel_key import source_key

    name = GENERATED + source_key(source)
    if name not in _loaded:
        module = types.ModuleType(name)
        sys.modules[name] = module  # numba looks the module up by name when it loads machine code
        exec(compile(source, f"<{name}>", "exec", dont_inherit=True), module.__dict__)
        _loaded[name] = module
    return _loaded[name]


def kernel_module(name: str) -> types.ModuleType:
    """The kernels in a module of ours, by its full name."""
    if name not in _loaded:
        _wake_numba()
        if sys.stderr.isatty():
            _announce(name)
        _loaded[name] = importlib.import_module(name)
    return _loaded[name]


def _announce(name: str) -> None:
    from princeps.lowering.kernel_key import module_key
    from princeps.lowering.kernel_store import names

    if not names(module_key(name)):
        print("princeps: compiling an engine, once on this machine ...", file=sys.stderr, flush=True)


def _wake_numba() -> None:
    """Let numba set itself up while scipy.linalg is hidden: it would import it only to ask for BLAS (0.2 s)."""
    if _loaded or not machine.is_own_process or "scipy.linalg" in sys.modules:
        return
    sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
    try:
        from numba.core.registry import cpu_target

        cpu_target.typing_context.refresh()
        cpu_target.target_context.refresh()
    finally:
        del sys.modules["scipy.linalg"]
