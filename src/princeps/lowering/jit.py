"""The decorators `njit`, `cfunc` and `intrinsic`: numba's, but numba is not imported before something must be compiled.

A function with `cache=True` is kept as object code in the cache directory, checked when it is read, and called through
ctypes (entry_points.py, object_code.py): a process that finds all its kernels there never imports numba, which takes a
second. All other functions are parts: they exist only as source, until a kernel that calls them is compiled (parts.py).
"""

from __future__ import annotations

import gc
import hashlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, update_wrapper
from typing import Any, TypeVar, overload

from princeps.lowering import entry_points, kernel_store, object_code
from princeps.lowering.kernel_key import module_key
from princeps.lowering.kernel_lock import alone
from princeps.lowering.object_code import Loaded, ObjectCode
from princeps.model import machine
from princeps.model.announcing import compiling

F = TypeVar("F", bound=Callable[..., Any])

GENERATED = "princeps_kernel_"  # and its key: the name of a module that holds a generated kernel

_loading = threading.RLock()  # one thread looks for machine code at a time, so that none is made twice


def _forget_other_threads() -> None:
    global _loading
    _loading = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_other_threads)


@overload
def njit(function: F, /) -> F: ...
@overload
def njit(*, cache: bool = False, **options: Any) -> Callable[[F], F]: ...
def njit(function: Any = None, /, *, cache: bool = False, **options: Any) -> Any:
    """Like numba.njit; to a type checker the compiled function is the function itself."""
    if function is None:
        return lambda decorated: _compiled(decorated, cache, options)
    return _compiled(function, cache, options)


def _compiled(function: Any, cache: bool, options: dict[str, Any]) -> Any:
    """No kernel touches a Python object, so that other threads (a server, a display) go on while one runs."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return function
    return (Kernel if cache else Part)(function, {"nopython": True, "nogil": True, "boundscheck": None, **options})


def intrinsic(function: Callable[..., Any]) -> Any:
    """Like numba.extending.intrinsic, which a type checker would take for the function that generates its code."""
    return Intrinsic(function)


def cfunc(signature: str) -> Callable[[Any], Any]:
    """Like numba.cfunc: a function with an address. The signature is a text in the names of numba's types."""
    return lambda function: Callback(function, signature)


class Intrinsic:
    """A function that generates code; numba asks for its type when it compiles a function that calls it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.__name__, self.__doc__ = function.__name__, function.__doc__

    @cached_property
    def _numba_type_(self) -> Any:
        from numba.core.registry import cpu_target
        from numba.extending import intrinsic as numba_intrinsic

        declared = numba_intrinsic(self.function)
        cpu_target.typing_context.refresh()
        return cpu_target.typing_context.resolve_value_type(declared)


class Part:
    """A function that only kernels call; tests call it from Python, and then it is compiled in memory."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        self.py_func, self.targetoptions = function, options  # by the names under which numba looks for them
        update_wrapper(self, function)

    @cached_property
    def dispatcher(self) -> Any:
        set_up_numba()
        from princeps.lowering.parts import PartDispatcher

        return PartDispatcher(self.py_func, self.targetoptions)

    @property
    def _numba_type_(self) -> Any:
        return self.dispatcher._numba_type_

    def __call__(self, *args: Any) -> Any:
        return self.dispatcher(*args)


class Kept(Part):
    """One whose object code is kept, in a file for each signature."""

    @cached_property
    def key(self) -> str:
        module = self.py_func.__module__
        key = module.removeprefix(GENERATED) if module.startswith(GENERATED) else module_key(module)
        return f"{key}.{self.py_func.__qualname__}-{self.py_func.__code__.co_firstlineno}"

    def found_or_made(self, signature: object, make: Callable[[], ObjectCode | None]) -> tuple[Loaded | None, bool]:
        """Its object code for this signature, and whether it was on the disk; None if only numba itself can call it."""
        name = f"{self.key}.{hashlib.sha256(repr(signature).encode()).hexdigest()[:16]}"
        found = _read(name)
        if found is not None:
            return found, True
        folder = kernel_store.made_folder()
        with compiling(), without_collections():
            set_up_numba()
            if folder is None:
                return _kept(name, make()), False
            with alone(folder / f"{name}.lock", lambda: kernel_store.is_there(name)):
                found = _read(name)  # by another process, while this one waited
                return (found, True) if found is not None else (_kept(name, make()), False)


def _read(name: str) -> Loaded | None:
    payload = kernel_store.read(name)
    if payload is None:
        return None
    try:
        return object_code.load(object_code.unpacked(payload))
    except Exception:  # whatever the reason, the remedy is to compile
        return None


def _kept(name: str, made: ObjectCode | None) -> Loaded | None:
    """What was compiled just now, loaded as the next process will load it."""
    loaded = object_code.load(made) if made is not None else None
    if made is not None and loaded is not None and made.lasts:
        kernel_store.write(name, object_code.packed(made))
    return loaded


class Kernel(Kept):
    """A function that Python calls with arrays and numbers."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        super().__init__(function, options)
        self._entries: dict[entry_points.Shape, Callable[..., Any]] = {}
        self.found = 0  # how many signatures came from the disk

    def __call__(self, *args: Any) -> Any:
        shape = entry_points.shape_of(args)
        entry = self._entries.get(shape)
        if entry is None:
            with _loading:
                entry = self._entries[shape] = self._entry(args)
        return entry(*args)

    def _entry(self, args: tuple[Any, ...]) -> Callable[..., Any]:
        kinds = entry_points.kinds_of(args)
        if kinds is None:
            return self._by_numba()
        loaded, was_kept = self.found_or_made(kinds, lambda: self._object_code(kinds))
        self.found += was_kept
        return (
            entry_points.entry(loaded, kinds, entry_points.are_plain(args)) if loaded is not None else self._by_numba()
        )

    def _object_code(self, kinds: tuple[entry_points.Kind, ...]) -> ObjectCode | None:
        from princeps.lowering.compiling import kernel_code

        return kernel_code(self, kinds)

    def _by_numba(self) -> Callable[..., Any]:
        """Compiled in memory and called by numba: arguments, results or symbols that object code cannot have."""
        found: Callable[..., Any] = self.dispatcher.as_kernel
        return found


class Callback(Kept):
    """A function with an address, for the kernels that serve every protocol."""

    def __init__(self, function: Any, signature: str) -> None:
        super().__init__(function, {"nopython": True, "nogil": True, "boundscheck": None})
        self.signature = signature
        self.found = 0

    @cached_property
    def loaded(self) -> Loaded:
        with _loading:
            loaded, was_kept = self.found_or_made(self.signature, self._object_code)
        self.found += was_kept
        if loaded is None:
            from princeps.lowering.compiling import loaded_callback

            loaded = loaded_callback(self)
        return loaded

    @property
    def address(self) -> int:
        return self.loaded.address

    def _object_code(self) -> ObjectCode | None:
        from princeps.lowering.compiling import callback_code

        return callback_code(self)


def set_up_numba() -> None:
    """Import it while scipy.linalg is hidden, which it would import only to look for BLAS (0.2 s)."""
    if "numba" in sys.modules or not machine.is_own_process or "scipy.linalg" in sys.modules:
        return
    sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
    try:
        from numba.core.registry import cpu_target

        cpu_target.typing_context.refresh()
        cpu_target.target_context.refresh()
    finally:
        del sys.modules["scipy.linalg"]


@contextmanager
def without_collections() -> Iterator[None]:
    """While numba builds its trees, which all live until it is done, looking for garbage is a tenth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
