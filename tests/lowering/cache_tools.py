"""What the tests of the cache share: kernels in a cache directory, processes that load them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import princeps
from princeps.lowering.field_code import HEADER

PACKAGE = Path(princeps.__file__).parent


SMALL = (
    HEADER.format(imports="from princeps.lowering.interning import ID_BITS")
    + """
from princeps.lowering.jit import cfunc

@njit(cache=True)
def shifted(x):
    return x << ID_BITS

@cfunc("int64(int64)")
def twice(x):
    return 2 * x
"""
)


PROBE = f"""
import ctypes
from princeps.lowering.cache import load_kernel
module = load_kernel({SMALL!r}, str)
twice = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(module.twice.address)
print(module.shifted(1), twice(21), module.shifted.found, module.twice.found)
"""


def python(code: str, folder: object, package: Path = PACKAGE, **more: Any) -> subprocess.CompletedProcess[str]:
    """A process of its own with this cache directory and this copy of the package."""
    env = {**os.environ, "PYTHONPATH": str(package.parent), "PRINCEPS_CACHE_DIR": str(folder), **more.pop("env", {})}
    env.pop("XDG_CACHE_HOME", None)
    line = [sys.executable, "-c", code]
    return subprocess.run(line, env=env, capture_output=True, text=True, timeout=100, **more)
