"""Machine code in the cache directory is never stale."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import without_times
from tests.lowering.cache_tools import PACKAGE, PROBE, SMALL, python

RUN = "run fratricide -n 40 --seed 5 --engine agents --json"


def substitute(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


@pytest.mark.slow
def test_a_run_with_damaged_files_and_one_with_another_layout(copy: Path, tmp_path: Path) -> None:
    """By the command that users give, whose kernels are reached by address; one process after the other."""
    folder = tmp_path / "cache"

    def result() -> dict[str, Any]:
        done = python(
            f"import sys; sys.argv[1:] = {RUN!r}.split(); from princeps.cli import entry; entry()", folder, copy
        )
        assert (done.returncode, done.stderr) == (0, "")
        return without_times(json.loads(done.stdout))

    def files() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}

    before = result()
    damaged = [path for path in files() if re.search(r"\.(meet|intern_all)-", path.name)]
    assert len(damaged) >= 2
    for path in damaged:
        os.truncate(path, path.stat().st_size // 2)
    assert result() == before
    healed = files()
    assert result() == before
    assert files() == healed

    # Both constants are frozen into several kernels, and stand in a file without a decorator.
    interning = copy / "lowering/interning.py"
    substitute(interning, "\nID_BITS = 13 ", "\nID_BITS = 12 ")
    substitute(interning, "\nSIZE, MISSES, CAPACITY, WIDTH, WORDS,", "\nWORDS, WIDTH, CAPACITY, MISSES, SIZE,")
    assert result() == before


@pytest.mark.slow
def test_a_changed_constant_reaches_a_generated_kernel(copy: Path, tmp_path: Path) -> None:
    assert python(PROBE, tmp_path, copy).stdout == f"{1 << 13} 42 0 0\n"
    substitute(copy / "lowering/interning.py", "\nID_BITS = 13 ", "\nID_BITS = 12 ")
    assert python(PROBE, tmp_path, copy).stdout == f"{1 << 12} 42 0 0\n"


@pytest.fixture
def keys(copy: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], tuple[str, ...]]]:
    """The keys of some kernels of the copied package, read from its files."""
    from princeps.lowering import kernel_key

    monkeypatch.setattr(kernel_key, "ROOT", copy)
    kept = [
        kernel_key._text,
        kernel_key._is_package,
        kernel_key._lowering,
        kernel_key.shared_digest,
        kernel_key.settings_of_numba,
        kernel_key.module_key,
    ]

    def forget() -> None:
        for function in kept:
            function.cache_clear()

    def ask() -> tuple[str, ...]:
        forget()
        modules = ("princeps.lowering.chance", "princeps.engines.counts_kernel")
        return (kernel_key.source_key(SMALL), *(kernel_key.module_key(name) for name in modules))

    yield ask
    forget()


def all_differ(some: tuple[str, ...], others: tuple[str, ...]) -> bool:
    return all(a != b for a, b in zip(some, others, strict=True))


@pytest.mark.medium
def test_every_file_of_lowering_is_in_every_key(copy: Path, keys: Callable[[], tuple[str, ...]]) -> None:
    (copy / "lowering" / "deeper").mkdir()
    (copy / "lowering" / "deeper" / "places.py").write_text("PLACE = 1\n")
    (copy / "lowering" / "deeper" / "__init__.py").touch()
    before = keys()
    assert keys() == before
    files = [*copy.glob("lowering/**/*.py"), copy / "model/randomness.py"]
    assert len(files) > 20
    for path in files:
        text = path.read_text()
        path.write_text(text + "\n# altered\n")
        assert all_differ(keys(), before), path
        path.write_text(text)
    assert keys() == before


def test_what_a_kernel_file_imports_is_in_its_key(copy: Path, keys: Callable[[], tuple[str, ...]]) -> None:
    (copy / "engines" / "places.py").write_text("from princeps.engines import others\nPLACE = others.OTHER\n")
    (copy / "engines" / "others.py").write_text("OTHER = 1\n")
    substitute(
        copy / "engines/counts_kernel.py",
        "\n\n\n@njit(cache=True)\ndef advance",
        "\nfrom princeps.engines.places import PLACE\n@njit(cache=True)\ndef advance",
    )
    before = keys()
    (copy / "engines" / "others.py").write_text("OTHER = 2\n")
    after = keys()
    assert after[:2] == before[:2]
    assert after[2] != before[2]


@pytest.mark.slow
def test_the_key_follows_every_import(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a search of the text finds is no less than what the syntax trees say, and no more than the rooms allow."""
    from princeps.lowering import kernel_key
    from tests.test_architecture import imports

    for path in PACKAGE.rglob("*_kernel.py"):
        found = kernel_key.reached([".".join(("princeps", *path.relative_to(PACKAGE).with_suffix("").parts))])
        assert len(found) > 1
        for name in found:
            base = PACKAGE.joinpath(*name.split(".")[1:])
            file = base.with_suffix(".py") if base.with_suffix(".py").exists() else base / "__init__.py"
            for imported, _ in imports(file):
                module = imported if kernel_key._text(imported) is not None else imported.rpartition(".")[0]
                assert not module.startswith("princeps.") or module in found, f"{name} imports {imported}"
    assert {name.split(".")[1] for name in kernel_key._lowering()} <= {"lowering", "model", "errors", "wording"}


@pytest.mark.parametrize(
    "change",
    [
        *(
            "princeps.lowering.kernel_key.__version__",
            "princeps.lowering.kernel_key.version_of_numba",
            "llvmlite.__version__",
            "numpy.__version__",
        ),
        *("sys.version", "numba.config.BOUNDSCHECK"),
        *("llvmlite.binding.get_host_cpu_name", "llvmlite.binding.get_host_cpu_features"),
    ],
)
def test_versions_and_the_processor_are_in_every_key(
    keys: Callable[[], tuple[str, ...]], monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    from llvmlite import binding

    before = keys()
    other: object = "0.0.0"
    if change.endswith("name"):
        other = lambda: "z80"  # noqa: E731
    elif change.endswith("features"):
        features = binding.get_host_cpu_features()
        features["avx512-of-tomorrow"] = True
        other = lambda: features  # noqa: E731
    elif change.endswith("version_of_numba"):
        other = lambda: b"0.0.0"  # noqa: E731
    monkeypatch.setattr(change, other)
    assert all_differ(keys(), before)
