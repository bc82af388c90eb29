"""Names for compiled code that change with everything that can be frozen into it.

Machine code holds the values of the constants that its source imports, whatever file they stand in, so the key covers
the text of all of lowering/ and of every module of the package that can be reached from there or from the kernel.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from princeps import __version__

ROOT = Path(__file__).parents[1]
LENGTH = 24  # hexadecimal digits

# Any mention counts, so that modules imported late or by a string are found as well: looking for import statements
# in syntax trees would find fewer and take twenty times as long.
_MENTION = re.compile(rb"princeps\.([\w.]*\w)(?: import (\([^)]*\)|.*))?")

# Settings of numba, from the environment or a file of its own, that change the machine code, and what they are if
# nobody has set them; AVX is used if the processor has it, unless it is one of those that it makes slower.
_SETTINGS: dict[str, object] = {
    "CPU_NAME": None,
    "CPU_FEATURES": None,
    "OPT": 3,
    "LOOP_VECTORIZE": 1,
    "SLP_VECTORIZE": 0,
    "BOUNDSCHECK": None,
    "DEBUGINFO_DEFAULT": 0,
}
_AVX_IS_SLOW = ("corei7-avx", "core-avx-i", "sandybridge", "ivybridge")
_VARIABLES = {f"NUMBA_{name}" for name in (*_SETTINGS, "ENABLE_AVX", "DEBUGINFO", "ENABLE_PROFILING")}
_FILE_OF_NUMBA = ".numba_config.yaml"


def source_key(source: str) -> str:
    """The key of a generated kernel."""
    text = source.encode()
    return _key(f"generated\n{len(text)}\n".encode() + text, reached(_mentioned(text)))


@cache
def module_key(name: str) -> str:
    """The key of the kernels in a module of the package, which need not be imported."""
    return _key(f"module {name}\n".encode(), reached([name]))


def reached(names: Iterable[str]) -> dict[str, bytes]:
    """The texts of these modules of the package and of all that they mention, directly or through others."""
    found: dict[str, bytes] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found and (text := _text(name)) is not None:
            found[name] = text
            waiting += _mentioned(text)
    return found


def _mentioned(text: bytes) -> Iterator[str]:
    for dotted, imported in _MENTION.findall(text):
        module = f"princeps.{dotted.decode()}"
        yield module
        if imported and _is_package(module):
            yield from (f"{module}.{name}" for name in re.findall(r"\w+", imported.decode()))


@cache
def _is_package(name: str) -> bool:
    return ROOT.joinpath(*name.split(".")[1:]).is_dir()


@cache
def _text(name: str) -> bytes | None:
    base = str(ROOT.joinpath(*name.split(".")[1:]))
    for path in (f"{base}.py", f"{base}/__init__.py"):
        try:
            with open(path, "rb") as file:
                return file.read()
        except OSError:
            continue
    return None


def _key(own: bytes, texts: dict[str, bytes]) -> str:
    digest = hashlib.sha256(shared_digest() + own)
    _add(digest, {name: text for name, text in texts.items() if name not in _lowering()})
    return f"k{digest.hexdigest()[:LENGTH]}"


@cache
def _lowering() -> dict[str, bytes]:
    files = ROOT.glob("lowering/**/*.py")
    return reached(".".join(("princeps", *path.relative_to(ROOT).with_suffix("").parts)) for path in files)


@cache
def shared_digest() -> bytes:
    """What the keys of all kernels have in common: versions, processor, settings, and the text of lowering/."""
    digest = hashlib.sha256(repr(_surroundings()).encode())
    _add(digest, _lowering())
    return digest.digest()


def _add(digest: hashlib._Hash, texts: dict[str, bytes]) -> None:
    for name in sorted(texts):
        digest.update(f"\n{name} {len(texts[name])}\n".encode())
        digest.update(texts[name])


def _surroundings() -> list[object]:
    """Without importing numba, unless somebody has set it up otherwise than it is."""
    import llvmlite
    import numpy as np
    from llvmlite import binding

    return [
        *(__version__, version_of_numba(), llvmlite.__version__, np.__version__),
        *(sys.version, sys.flags.optimize, sys.platform),
        *(binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()),
        settings_of_numba(),
    ]


def version_of_numba() -> bytes:
    """The file in which numba keeps it."""
    spec = find_spec("numba")
    if spec is None or spec.origin is None:
        return b""
    try:
        return Path(spec.origin).with_name("_version.py").read_bytes()
    except OSError:
        return str(sys.modules["numba"].__version__ if "numba" in sys.modules else spec.origin).encode()


@cache
def settings_of_numba() -> tuple[tuple[str, object], ...]:
    """Those that are not what they usually are, as they were when the first key was asked for."""
    is_usual = not (_VARIABLES & os.environ.keys() or os.path.exists(_FILE_OF_NUMBA))
    return () if is_usual and "numba" not in sys.modules else _settings_now()


def settings_are_those_of_the_key() -> bool:
    """A script may change them at any time."""
    return _settings_now() == settings_of_numba()


def _settings_now() -> tuple[tuple[str, object], ...]:
    import numba
    from llvmlite import binding

    config: Any = numba.config
    found = {name: getattr(config, name, None) for name in _SETTINGS}
    unusual = {name: str(value) for name, value in found.items() if value != _SETTINGS[name]}
    has_avx = binding.get_host_cpu_features().get("avx", False)
    if has_avx and bool(config.ENABLE_AVX) != (binding.get_host_cpu_name() not in _AVX_IS_SLOW):
        unusual["ENABLE_AVX"] = str(config.ENABLE_AVX)
    return tuple(unusual.items())
