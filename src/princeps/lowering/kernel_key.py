"""Names for compiled code that change with everything that can be frozen into it.

Machine code holds the values of the constants that its source imports, whatever file they stand in, so the key covers
the text of all of lowering/ and of every module of the package that can be reached from there or from the kernel.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from princeps import __version__

ROOT = Path(__file__).parents[1]
LENGTH = 24  # hexadecimal digits

# Any mention counts, so that modules imported late or by a string are found as well: looking for import statements
# in syntax trees would find fewer and take twenty times as long.
_MENTION = re.compile(rb"princeps\.([\w.]*\w)(?: import (\([^)]*\)|.*))?")

# Settings of numba, from the environment or a file of its own, that change the machine code.
_SETTINGS = (
    *("CPU_NAME", "CPU_FEATURES", "ENABLE_AVX", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE"),
    *("BOUNDSCHECK", "DEBUGINFO_DEFAULT"),
)


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
    import llvmlite
    import numba
    import numpy as np
    from llvmlite import binding

    return [
        *(__version__, numba.__version__, llvmlite.__version__, np.__version__),
        *(sys.version, sys.flags.optimize, sys.platform),
        *(binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()),
        *(getattr(numba.config, name, None) for name in _SETTINGS),
    ]
