"""What the system says of itself, and what is assumed where it says nothing."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from princeps.model import machine

MEMINFO = "MemTotal:       16000000 kB\nMemFree:         1000000 kB\nMemAvailable:    4000000 kB\n"
LIMIT, USED = "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"

Files = Callable[[dict[str, str]], None]


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> Files:
    """`files({path: text})`: no others can be read."""

    def install(given: dict[str, str]) -> None:
        def read(path: str) -> io.StringIO:
            if path not in given:
                raise FileNotFoundError(path)
            return io.StringIO(given[path])

        monkeypatch.setattr(machine, "open", read, raising=False)

    return install


def test_memory_is_what_is_available(files: Files) -> None:
    files({"/proc/meminfo": MEMINFO})
    assert machine.available_bytes() == 4_000_000 * 1024


def test_memory_within_the_limit_of_a_container(files: Files) -> None:
    files({"/proc/meminfo": MEMINFO, LIMIT: "3000\n", USED: "1000\n"})
    assert machine.available_bytes() == 2000
    files({"/proc/meminfo": MEMINFO, LIMIT: f"{10**12}\n", USED: "1000\n"})
    assert machine.available_bytes() == 4_000_000 * 1024
    files({"/proc/meminfo": MEMINFO, LIMIT: "max\n", USED: "1000\n"})
    assert machine.available_bytes() == 4_000_000 * 1024


def test_memory_within_the_limit_of_the_process() -> None:
    """`ulimit -v`, in a process of its own; the estimate of a run sees it, too."""
    code = (
        "import resource; from princeps.model.machine import available_bytes\n"
        "free = available_bytes(); resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31)); print(free, available_bytes())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, limited = map(int, done.stdout.split())
    assert before > limited
    assert 2**30 < limited < 2**31


def test_memory_where_linux_does_not_say(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    values = {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 1000}
    for given in ({}, {"/proc/meminfo": "MemTotal: 16000000 kB\n"}):  # kernels before 3.14 have no MemAvailable
        files(given)
        monkeypatch.setattr(os, "sysconf", values.__getitem__, raising=False)
        assert machine.available_bytes() == 4096 * 1000
        monkeypatch.delattr(os, "sysconf")
        assert machine.available_bytes() is None
    files({LIMIT: "3000\n", USED: "1000\n"})
    assert machine.available_bytes() == 2000


def test_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 3, 5}, raising=False)
    assert machine.processors() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert machine.processors() == 7
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert machine.processors() == 1


@pytest.mark.parametrize(
    ("system", "variables", "expected"),
    [
        ("linux", {"PRINCEPS_CACHE_DIR": "/chosen", "XDG_CACHE_HOME": "/xdg"}, "/chosen"),
        ("linux", {"XDG_CACHE_HOME": "/xdg"}, "/xdg/princeps"),
        ("linux", {}, "/home/me/.cache/princeps"),
        ("darwin", {"XDG_CACHE_HOME": "/xdg"}, "/home/me/Library/Caches/princeps"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/princeps"),
        ("win32", {}, "/home/me/.cache/princeps"),
    ],
)
def test_the_cache_directory(
    monkeypatch: pytest.MonkeyPatch, system: str, variables: dict[str, str], expected: str
) -> None:
    for name in ("PRINCEPS_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/me"))
    assert machine.cache_directory() == Path(expected)


def test_a_sentence_goes_to_stderr_if_there_is_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.say("the cache cannot be written.")
    assert capsys.readouterr().err == "princeps: the cache cannot be written.\n"

    class Full(io.StringIO):
        def write(self, text: str) -> Any:
            raise OSError("no space left")

    closed = io.StringIO()
    closed.close()
    for stream in (None, Full(), closed):
        monkeypatch.setattr(sys, "stderr", stream)
        machine.say("nobody hears this.")
