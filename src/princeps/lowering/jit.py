"""numba's decorators with a cache of our own: `cache=True` keeps machine code in the cache directory, checked when read.

numba itself would keep it beside the source, under a name that knows nothing of constants from other files, and
unpickle whatever it finds there.
"""

from __future__ import annotations

import gc
import hashlib
import pickle
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import Any, TypeVar, overload

from numba.core import config, sigutils
from numba.core.caching import _Cache
from numba.core.ccallback import CFunc
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from princeps.lowering import kernel_lock, kernel_store
from princeps.lowering.kernel_key import module_key
from princeps.lowering.parts import KernelCompiler, Part, compiling_parts, kernel_of
from princeps.model.announcing import compiling

F = TypeVar("F", bound=Callable[..., Any])

GENERATED = "princeps_kernel_"  # and its key: the name of a module that holds a generated kernel


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
    if getattr(config, "DISABLE_JIT", 0):
        return function
    options = {"nopython": True, "nogil": True, "boundscheck": None, **options}
    if not cache:
        return Part(function, options)
    compiled = kernel_of(function, options)
    kept = compiled._cache = MachineCode(function)
    compile_now = compiled.compile

    def compile_once(sig: Any) -> Any:
        with kept.alone(sig), without_collections(), compiling_parts():
            return compile_now(sig)

    compiled.compile = compile_once
    return compiled


def intrinsic(function: Callable[..., Any]) -> Any:
    """Like numba.extending.intrinsic, which a type checker would take for the function that generates its code."""
    from numba.extending import intrinsic as numba_intrinsic

    return numba_intrinsic(function)


def cfunc(signature: Any, *, cache: bool = False, **options: Any) -> Callable[[Any], Any]:
    """Like numba.cfunc, which compiles at once."""

    def decorate(function: Any) -> Any:
        normal = sigutils.normalize_signature(signature)  # type: ignore[no-untyped-call]
        callback: Any = CFunc(function, normal, locals={}, options=options, pipeline_class=KernelCompiler)
        if cache:
            kept = callback._cache = MachineCode(function)
            with kept.alone(callback._sig), without_collections(), compiling_parts():
                callback.compile()
        else:
            callback.compile()
        return callback

    return decorate


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


class MachineCode(_Cache):
    """What numba asks for the machine code of one function, a file for each signature."""

    def __init__(self, function: Any) -> None:
        module = function.__module__
        self.key = module.removeprefix(GENERATED) if module.startswith(GENERATED) else module_key(module)
        self.function = f"{function.__qualname__}-{function.__code__.co_firstlineno}"
        self.enabled = True

    @property
    def cache_path(self) -> str | None:
        try:
            return str(kernel_store.folder())
        except OSError:
            return None

    def alone(self, sig: Any) -> AbstractContextManager[Any]:
        """While this is compiled; while another process compiles it, wait for what it will have written."""
        name = self._name(sig)
        if self.enabled and kernel_store.is_there(name):
            return nullcontext()
        return self._compiling(name)

    @contextmanager
    def _compiling(self, name: str) -> Iterator[None]:
        kernels = kernel_store.made_folder() if self.enabled else None
        with ExitStack() as stack:
            stack.enter_context(compiling())
            if kernels is not None:
                lock = kernel_lock.alone(kernels / f"{name}.lock", lambda: kernel_store.is_there(name))
                stack.enter_context(lock)
            yield

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        payload = kernel_store.read(self._name(sig)) if self.enabled else None
        if payload is None:
            return None
        try:
            signature, parts = pickle.loads(payload)
            if signature != sig:  # two of them with the same digest
                return None
            return CompileResult._rebuild(target_context, *parts)  # type: ignore[no-untyped-call]
        except Exception:  # whatever the reason, the remedy is to compile
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        lasting = not data.library.has_dynamic_globals and all(loop.can_cache for loop in data.lifted)
        if self.enabled and lasting:
            payload = dumps((sig, data._reduce()))  # type: ignore[no-untyped-call]
            kernel_store.write(self._name(sig), payload)

    def enable(self) -> None:
        self.enabled = True

    def disable(self) -> None:
        self.enabled = False

    def flush(self) -> None:
        for name in kernel_store.names(f"{self.key}.{self.function}"):
            kernel_store.remove(name)

    def _name(self, sig: Any) -> str:
        return f"{self.key}.{self.function}.{hashlib.sha256(repr(sig).encode()).hexdigest()[:16]}"
