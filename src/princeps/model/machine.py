"""The memory, the processors and the places for files that there are, and whether this process is the package's own."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from princeps.wording import reworded

compiles_in_memory = False  # machine code cannot be kept, and this was said
is_own_process = False  # set by the command line and by workers: only this package uses numba there, without BLAS


before_saying: Callable[[], None] | None = None  # takes away a line that is being rewritten on the same terminal


def say(sentence: str) -> None:
    """On stderr, if there is one: whoever cannot be told goes without."""
    if before_saying is not None:
        before_saying()
    if sys.stderr is not None:
        with suppress(OSError, ValueError):
            print("princeps:", reworded(sentence), file=sys.stderr, flush=True)


def in_notebook() -> bool:
    """This process is the kernel of one; nothing is imported that is not there."""
    interactive = sys.modules.get("IPython")
    shell = interactive.get_ipython() if interactive is not None else None
    return hasattr(shell, "kernel")


def is_watched() -> bool:
    """Somebody sees what is written on stderr while it is written: in a terminal or a notebook."""
    return in_notebook() or (sys.stderr is not None and sys.stderr.isatty())


def available_bytes() -> int | None:
    """Memory that is free, within the limits of a container and of this process; None where the system does not say."""
    bounds = [_free_bytes()]
    with suppress(OSError, ValueError):  # no such file, or no limit
        bounds.append(_number_in("/sys/fs/cgroup/memory.max") - _number_in("/sys/fs/cgroup/memory.current"))
    bounds.append(_addresses_left())
    known = [bound for bound in bounds if bound is not None]
    return max(0, min(known)) if known else None


def _addresses_left() -> int | None:
    """What `ulimit -v` leaves, which job schedulers set; workers inherit it."""
    try:
        import resource

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        if limit == resource.RLIM_INFINITY:
            return None
        with open("/proc/self/statm") as file:
            return limit - int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (ImportError, OSError, ValueError):  # a system without such limits
        return None


def _free_bytes() -> int | None:
    try:
        with open("/proc/meminfo") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return None


def _number_in(path: str) -> int:
    with open(path) as file:
        return int(file.read())


def processors() -> int:
    """That this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


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
