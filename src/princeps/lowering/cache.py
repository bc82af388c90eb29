"""Generated kernels on disk, named by their content, so that numba's own cache finds them in the next run."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import sys
import tempfile
import types
from functools import cache
from pathlib import Path

_loaded: dict[str, types.ModuleType] = {}
_told = False
without_blas = False  # set by processes of our own, which need no BLAS in any kernel


def cache_directory() -> Path:
    """PRINCEPS_CACHE_DIR, or princeps/ in the user's cache directory."""
    chosen = os.environ.get("PRINCEPS_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "princeps"


def load_kernel(source: str) -> types.ModuleType:
    """The module with this source, compiled at first use and cached on disk where that is possible."""
    name = _name(source)
    if name not in _loaded:
        if without_blas and not _loaded:
            _wake_numba_without_blas()
        _loaded[name] = _import(name, source)
    return _loaded[name]


def _wake_numba_without_blas() -> None:
    """Let numba set itself up while scipy.linalg is hidden: it would import it only to ask for BLAS (0.2 s)."""
    if "scipy.linalg" in sys.modules:
        return
    sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
    try:
        from numba.core.registry import cpu_target

        cpu_target.typing_context.refresh()
        cpu_target.target_context.refresh()
    finally:
        del sys.modules["scipy.linalg"]


def load_file(path: str) -> types.ModuleType:
    """The kernels written in a file of ours, compiled and cached like generated ones."""
    source = Path(path).read_text(encoding="utf-8")
    kept = cache_directory() / "kernels" / "__pycache__"
    if sys.stderr.isatty() and not any(kept.glob(f"{_name(source)}.*")):
        print("princeps: compiling an engine, once on this machine ...", file=sys.stderr, flush=True)
    return load_kernel(source)


def _name(source: str) -> str:
    return "k" + hashlib.sha256((_shared_source() + source).encode()).hexdigest()[:24]


@cache
def _shared_source() -> str:
    """What is inlined into kernels: a change of it must make new ones."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("*.py")))
    return "".join(text for text in texts if re.search("@(njit|compiled|intrinsic)", text))


def _import(name: str, source: str) -> types.ModuleType:
    try:
        path = _write(cache_directory() / "kernels", name, source)
    except OSError as error:
        return _in_memory(name, source, error)
    full_name = f"princeps_kernel_{name}"
    spec = importlib.util.spec_from_file_location(full_name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[full_name] = module  # numba's cache looks the module up by name when it loads machine code
    spec.loader.exec_module(module)
    return module


def _write(folder: Path, name: str, source: str) -> Path:
    """Write whole or not at all: several processes may want the same kernel at once."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.py"
    if not path.exists():
        handle, temporary = tempfile.mkstemp(dir=folder, suffix=".part")
        with os.fdopen(handle, "w") as file:
            file.write(source)
        os.replace(temporary, path)
    elif not os.access(folder, os.W_OK):
        raise PermissionError(f"{folder} is read-only")
    return path


def _in_memory(name: str, source: str, error: OSError) -> types.ModuleType:
    global _told
    if not _told:
        _told = True
        print(f"princeps: kernels are compiled in memory and not kept ({error}).", file=sys.stderr)
    module = types.ModuleType(f"princeps_kernel_{name}")
    exec(compile(source.replace("cache=True", "cache=False"), f"<{name}>", "exec"), module.__dict__)
    return module
