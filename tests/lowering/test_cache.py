"""Machine code in the cache directory: never damaged, never a reason to fail, compiled by one process."""

from __future__ import annotations

import ctypes
import errno
import json
import os
import re
import subprocess
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from princeps.lowering import cache, kernel_lock
from princeps.model import machine
from tests.lowering.cache_tools import PACKAGE, PROBE, SMALL, python


class Owner:
    """Kernels of these tests are loaded for it."""


NOWHERE = "/dev/null/nowhere"  # below a file: not even root can write there


@pytest.fixture
def kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache directory of this process."""
    monkeypatch.setenv("PRINCEPS_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(machine, "compiles_in_memory", False)
    return tmp_path / "cache" / "kernels"


def load(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """As a new process would."""
    monkeypatch.setattr(cache, "_loaded", {})
    return cache.load_kernel(SMALL, Owner)


def hits(module: types.ModuleType) -> tuple[int, int]:
    """Works it right, and which of its two functions came from the disk?"""
    twice = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(module.twice.address)
    assert (module.shifted(1), twice(21)) == (1 << 13, 42)
    return module.shifted.found, module.twice.found


# -- never damaged -------------------------------------------------------------------------------------------------


def flipped(place: float) -> Callable[[bytes], bytes]:
    def flip(content: bytes) -> bytes:
        k = int(place * (len(content) - 1))
        return content[:k] + bytes([content[k] ^ 1]) + content[k + 1 :]

    return flip


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda content: b"",
    "one byte": lambda content: content[:1],
    "cut in two": lambda content: content[: len(content) // 2],
    "last byte lost": lambda content: content[:-1],
    "longer": lambda content: content + b"\n",
    "zeros": lambda content: bytes(len(content)),
    "nonsense": lambda content: b"no machine code",
    **{f"a bit flipped at {place}": flipped(place) for place in (0, 0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 1)},
}


@pytest.mark.medium
def test_damaged_files_are_made_anew(kernels: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    assert hits(load(monkeypatch)) == (0, 0)
    assert hits(load(monkeypatch)) == (1, 1)
    files = [path for path in kernels.rglob("*") if path.is_file()]
    assert len(files) == 2
    for name, damage in DAMAGES.items():
        for path in files:
            content = path.read_bytes()
            path.write_bytes(damage(content))
            assert path.read_bytes() != content
            assert sum(hits(load(monkeypatch))) == 1, f"{path.name} {name}"
            assert hits(load(monkeypatch)) == (1, 1), f"{path.name} {name}"
    assert [path for path in kernels.rglob("*") if path.is_file()] == files
    assert capfd.readouterr() == ("", "")


def test_machine_code_under_another_name_is_not_loaded(kernels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hits(load(monkeypatch))
    first, second = kernels.iterdir()
    contents = first.read_bytes(), second.read_bytes()
    first.write_bytes(contents[1])
    second.write_bytes(contents[0])
    assert hits(load(monkeypatch)) == (0, 0)
    assert hits(load(monkeypatch)) == (1, 1)


def test_a_directory_in_the_place_of_a_file(kernels: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    hits(load(monkeypatch))
    for path in list(kernels.iterdir()):
        path.unlink()
        path.mkdir()
    assert hits(load(monkeypatch)) == (0, 0)
    assert capfd.readouterr().err.count("in memory") == 1


def test_no_python_from_the_cache_directory_is_executed(kernels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hits(load(monkeypatch))
    assert not [path for path in kernels.rglob("*") if path.suffix in (".py", ".pyc")]
    key = next(kernels.iterdir()).name.partition(".")[0]
    for name in (f"{key}.py", f"princeps_kernel_{key}.py"):
        (kernels / name).write_text("raise SystemExit('executed')\n")
    assert hits(load(monkeypatch)) == (1, 1)


# -- never a reason to fail ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", [NOWHERE, "/proc/nowhere"])
def test_a_directory_that_cannot_be_written(
    folder: str, monkeypatch: pytest.MonkeyPatch, kernels: Path, capfd: Any
) -> None:
    monkeypatch.setenv("PRINCEPS_CACHE_DIR", folder)
    assert hits(load(monkeypatch)) == (0, 0)
    assert hits(load(monkeypatch)) == (0, 0)
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith(f"princeps: kernels are compiled in memory and not kept ({folder}/kernels: ")
    assert err.count("\n") == 1


@pytest.mark.slow
def test_no_room_on_the_disk(tmp_path: Path) -> None:
    """A file may not grow beyond a few bytes: writing begins and fails."""
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))\n"
    done = python(limit + PROBE, tmp_path, env={"PYTHONDONTWRITEBYTECODE": "1"})
    assert done.stdout == f"{1 << 13} 42 0 0\n"
    assert str(tmp_path / "kernels") in done.stderr
    assert done.stderr.count("\n") == 1
    assert list((tmp_path / "kernels").iterdir()) == []


def test_a_cache_that_can_only_be_read_is_used(kernels: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    hits(load(monkeypatch))

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    for path in kernels.iterdir():
        os.utime(path, (0, 0))  # used long ago, which is to be noted in vain
    for name in ("os.utime", "os.replace"):
        monkeypatch.setattr(name, refuse)
    assert hits(load(monkeypatch)) == (1, 1)
    assert capfd.readouterr() == ("", "")


def test_a_user_without_a_home(kernels: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("PRINCEPS_CACHE_DIR")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", nobody)
    assert hits(load(monkeypatch)) == (0, 0)
    assert "home" in capfd.readouterr().err


@pytest.mark.slow
def test_a_package_and_a_home_that_cannot_be_written(copy: Path) -> None:
    """As in a container: Python's own cache beside the modules is a file here, so that nothing can be put into it."""
    for folder in (copy / "lowering", copy / "engines", copy / "analysis", copy):
        if folder.is_dir():
            (folder / "__pycache__").touch()
    code = "from princeps.lowering.kernels import shuffled_identifiers; print(shuffled_identifiers(9, 1, 0).tolist())"
    places = {"HOME": NOWHERE, "PRINCEPS_CACHE_DIR": "", "NUMBA_CACHE_DIR": ""}
    done = python(code, "", copy, env=places)
    assert done.returncode == 0, done.stderr
    assert sorted(json.loads(done.stdout)) == list(range(1, 10))
    assert f"{NOWHERE}/.cache/princeps/kernels" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_nothing_is_kept_beside_the_package(copy: Path, tmp_path: Path) -> None:
    code = "from princeps.lowering.kernels import shuffled_identifiers; shuffled_identifiers(9, 1, 0)"
    assert python(code, tmp_path / "cache", copy, env={"PYTHONDONTWRITEBYTECODE": "1"}).stderr == ""
    assert not list(copy.rglob("__pycache__"))
    assert list(tmp_path.glob("cache/kernels/*"))


def test_no_file_uses_the_cache_of_numba() -> None:
    users = [path for path in PACKAGE.rglob("*.py") if "cache=True" in path.read_text()]
    assert len(users) > 10
    assert not [path for path in users if re.search(r"from numba import.*\b(jit|njit|cfunc)\b", path.read_text())]


@pytest.mark.slow
def test_of_several_processes_one_compiles_and_the_others_wait(kernels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    env = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    line = [sys.executable, "-c", PROBE]
    crowd = [
        subprocess.Popen(line, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)
    ]
    found = [process.communicate(timeout=100) for process in crowd]
    assert {(out[:8], err) for out, err in found} == {(f"{1 << 13} 42 ", "")}
    assert sum(int(hit) for out, _ in found for hit in out.split()[2:]) == 2 * 2  # each function was compiled once
    assert len(list(kernels.iterdir())) == 2
    assert hits(load(monkeypatch)) == (1, 1)


# -- the rest ------------------------------------------------------------------------------------------------------


def test_a_process_that_is_stopped_while_it_compiles_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel_lock, "MAX_WAIT_SECONDS", 0.1)
    with kernel_lock.alone(tmp_path / "x.lock", lambda: False), kernel_lock.alone(tmp_path / "x.lock", lambda: False):
        assert (tmp_path / "x.lock").exists()


def test_files_that_nobody_has_used_for_long_are_removed(kernels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from princeps.lowering import kernel_store

    kernel_store._remove_unused.cache_clear()
    (kernels / "__pycache__").mkdir(parents=True)
    old, key = time.time() - 100 * 86400, "k" + 24 * "0"
    unused = [kernels / f"{key}.f-1.0", kernels / f"{key}.py", kernels / "__pycache__" / f"{key}.advance-1.py311.1.nbc"]
    stays = [kernels / f"{key}.g-1.0", kernels / "notes.txt"]
    for path in (*unused, *stays):
        path.touch()
        if path != stays[0]:
            os.utime(path, (old, old))
    hits(load(monkeypatch))
    assert not any(path.exists() for path in unused)
    assert all(path.exists() for path in stays)


def test_a_file_that_is_read_counts_as_used(kernels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hits(load(monkeypatch))
    for path in kernels.iterdir():
        os.utime(path, (0, 0))
    assert hits(load(monkeypatch)) == (1, 1)
    assert all(path.stat().st_mtime > 0 for path in kernels.iterdir())


def test_every_kernel_file_has_its_name_right() -> None:
    named = {
        name for path in PACKAGE.rglob("*.py") for name in re.findall(r'kernel_module\("([\w.]+)"\)', path.read_text())
    }
    files = {
        ".".join(("princeps", *path.relative_to(PACKAGE).with_suffix("").parts))
        for path in PACKAGE.rglob("*_kernel.py")
    }
    assert named == files
