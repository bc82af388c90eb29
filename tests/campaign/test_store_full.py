"""A disk that is full is told, nothing is lost, and the same command goes on; memory does not grow with the trials."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.campaign.campaign_tools import (
    MAIN,
    ask,
    assert_sound,
    count,
    on_linux,
    table,
)
from tests.campaign.store_tools import WORDS, refused, swept

# -- the disk is full ---------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("room", [0, 4_000, 20_000, 40_000, 60_000])
def test_a_full_disk_is_told_and_nothing_is_lost(calm: Path, tmp_path: Path, room: int) -> None:
    """The system refuses to let any file grow beyond this: the store is not made, or not added to."""
    store = tmp_path / "store.db"
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room})); {MAIN}"
    sentence = refused(swept(store, code=limit))
    assert sentence.startswith(f"princeps: store {str(store)!r} cannot be written (")
    assert sentence.endswith("): make room on the disk, then run the same command again; what was committed is kept.")
    assert_sound(store)
    before = table(store)
    assert set(before) < set(table(calm))
    assert swept(store).code == 0
    assert set(before) <= set(table(store))
    assert table(store) == table(calm)


@pytest.mark.slow
def test_a_store_that_may_not_grow_keeps_what_it_has(calm: Path, tmp_path: Path) -> None:
    """SQLite's own limit, in the middle of a sweep; what was committed in time is kept."""
    store = tmp_path / "store.db"
    assert swept(store, *WORDS[:5], 20, *WORDS[6:]).code == 0
    before = table(store)
    (pages,) = ask(store, "PRAGMA page_count")[0]
    small = (
        "import princeps.campaign.campaign as verbs; opened = verbs.open_store\n"
        "def small(path):\n"
        "    store = opened(path)\n"
        f"    store.connection.execute('PRAGMA max_page_count = {pages + 2}')\n"
        "    return store\n"
        "verbs.open_store = small\n"
    )
    assert "full" in refused(swept(store, code=small + MAIN))
    assert_sound(store)
    assert set(before) <= set(table(store)) < set(table(calm))
    assert swept(store).code == 0
    assert table(store) == table(calm)


@pytest.fixture
def tiny(tmp_path: Path) -> Iterator[Path]:
    """A disk of 600 kB."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    line = ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(line, capture_output=True).returncode:
        pytest.skip("needs the right to mount")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.slow
@on_linux
def test_a_disk_that_is_really_full_is_told(tiny: Path, calm: Path) -> None:
    store, ballast = tiny / "store.db", tiny / "ballast"
    ballast.write_bytes(bytes(520_000))
    sentence = refused(swept(store))
    assert "cannot be written" in sentence
    assert_sound(shutil.copytree(tiny, tiny.parent / "copy") / "store.db")
    ballast.unlink()
    assert swept(store).code == 0
    assert table(store) == table(calm)


# -- memory -------------------------------------------------------------------------------------------------------


MANY = '''
import sys
from dataclasses import replace

import princeps
from princeps.campaign.plan import distinct, grid
from princeps.campaign.store import open_store
from princeps.campaign.sweep import Sweep
from princeps.campaign.worker_pool import Answer

path, trials = sys.argv[1], int(sys.argv[2])
result = princeps.run("p_rl", n=4, seed=0, engine="reference")


class Quick:
    """Workers without processes, which know every result at once."""

    size = 2

    def __init__(self):
        self.held = []

    @property
    def busy(self):
        return bool(self.held)

    def has_room(self, ahead=1):
        return len(self.held) < ahead

    def assign(self, *batch):
        self.held.append(batch)

    def answers(self, timeout):
        key, what, trials = self.held.pop(0)
        found = replace(result, seed=what.description.options.seed, seconds=1e-4)
        return [Answer(key, trial, replace(found, trial=trial)) for trial in trials]

    def cancel(self, key):
        return 0

    def stop(self):
        return []


with open_store(path) as store:
    Sweep(distinct(grid(["p_rl"], {}, n=4, engine="reference")), store, trials=trials).run(Quick())
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
'''


@pytest.mark.slow
@on_linux
def test_the_memory_of_a_sweep_does_not_grow_with_its_trials(tmp_path: Path) -> None:
    """Six times the trials: their rows would take forty megabytes more."""
    peaks = []
    for trials in (16_000, 96_000):
        line = [sys.executable, "-c", MANY, str(tmp_path / f"{trials}.db"), str(trials)]
        done = subprocess.run(line, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        peaks.append(int(done.stdout))
        assert count(tmp_path / f"{trials}.db") == trials
    assert peaks[1] - peaks[0] < 10_000  # kB
