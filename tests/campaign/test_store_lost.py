"""A store that is removed, replaced, cut short or overwritten while a sweep runs: everything is kept in a new file."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps.campaign import sweep as sweeping
from princeps.campaign.journal import Journal
from princeps.campaign.rescue import rescued_if_lost
from princeps.campaign.store import open_store
from princeps.errors import LostStore
from tests.campaign.campaign_tools import count, on_linux, running, slow_protocol, table
from tests.campaign.store_tools import refused
from tests.campaign.stored_rows import a_point, a_row, stored
from tests.campaign.sweep_tools import rows_of, swept
from tests.conftest import Command, Outcome

TRIALS, BEFORE = 60, 20  # BEFORE of them are in the store when the sweep begins
SWEEP = ("sweep", "fratricide", "-n", "5,6", "--engine", "reference", "--jobs", 1, "--trials", TRIALS)


def removed(store: Path) -> None:
    store.unlink()


def replaced_by_an_older_one(store: Path) -> None:
    shutil.copy(store.with_name("older.db"), store.with_name("new"))
    os.replace(store.with_name("new"), store)


def replaced_by_a_text(store: Path) -> None:
    store.with_name("new").write_text("mine")
    os.replace(store.with_name("new"), store)


def emptied(store: Path) -> None:
    os.truncate(store, 0)


def cut_short(store: Path) -> None:
    os.truncate(store, store.stat().st_size // 2)


def without_its_log(store: Path) -> None:
    Path(f"{store}-wal").unlink()


def without_its_folder(store: Path) -> None:
    shutil.rmtree(store.parent)


WHOLE = (removed, replaced_by_an_older_one, replaced_by_a_text, without_its_log, without_its_folder)
DAMAGED = (emptied, cut_short)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, on_the_spot: None) -> Path:
    """It holds a part of the sweep; every batch is a transaction."""
    monkeypatch.setattr(sweeping, "COMMIT_SECONDS", -1)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    path = tmp_path / "folder" / "results.db"
    path.parent.mkdir()
    swept("fratricide", [5, 6], str(path), trials=5)
    shutil.copy(path, path.with_name("older.db"))
    swept("fratricide", [5, 6], str(path), trials=BEFORE)
    return path


def disturbed(store: Path, harm: Callable[[Path], None], trials: int = 30) -> Callable[[Any], None]:
    """Does it once, when so many trials have been run."""
    left = [harm]

    def watch(sweep: Any) -> None:
        if left and sweep.trials_run >= trials:
            left.pop()(store)

    return watch


def new_store(tmp_path: Path) -> Path:
    (found,) = tmp_path.glob("**/*rescued*.db")
    return found


@pytest.mark.medium
@pytest.mark.parametrize("harm", [*WHOLE, *DAMAGED], ids=lambda harm: harm.__name__)
def test_everything_is_kept_in_a_new_file_and_gone_on_with(
    store: Path, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    ran: list[int] = []

    def watch(sweep: Any) -> None:
        ran.append(sweep.trials_run)
        disturb(sweep)

    disturb = disturbed(store, harm)
    held = rows_of(str(store))
    with pytest.raises(LostStore) as told:
        swept("fratricide", [5, 6], str(store), trials=TRIALS, watch=watch)
    rescued = new_store(tmp_path)
    assert str(rescued) in str(told.value)
    assert rescued.parent == (tmp_path / "here" if harm is without_its_folder else store.parent)
    kept = rows_of(str(rescued))
    if harm in WHOLE:
        assert held.items() <= kept.items()
        assert len(kept) >= 2 * BEFORE + ran[-1]
    assert len(kept) >= ran[-1] >= 30
    assert sorted(path.name for path in rescued.parent.iterdir() if "rescued" in path.name) == [rescued.name]

    swept("fratricide", [5, 6], str(rescued), trials=TRIALS)
    swept("fratricide", [5, 6], str(tmp_path / "calm.db"), trials=TRIALS)
    assert rows_of(str(rescued)) == rows_of(str(tmp_path / "calm.db"))


def test_a_loss_after_the_last_transaction_is_noticed(store: Path, tmp_path: Path) -> None:
    with pytest.raises(LostStore):
        swept("fratricide", [5, 6], str(store), trials=TRIALS, watch=disturbed(store, removed, 2 * (TRIALS - BEFORE)))
    assert len(rows_of(str(new_store(tmp_path)))) == 2 * TRIALS


def test_a_store_that_is_overwritten_in_place_does_not_pass_for_whole(store: Path, tmp_path: Path) -> None:
    """By a store that is sound, and holds less; as `cp` does it."""
    stored(store, [a_row(trial, 5) for trial in range(3000)], a_point(7))

    def overwritten(path: Path) -> None:
        path.write_bytes(path.with_name("older.db").read_bytes())

    with pytest.raises(LostStore):
        swept("fratricide", [5, 6, 7], str(store), trials=TRIALS, watch=disturbed(store, overwritten))
    assert len(rows_of(str(new_store(tmp_path)))) >= 30


def test_nothing_is_overwritten_by_what_is_rescued(store: Path, tmp_path: Path) -> None:
    store.with_name("results.rescued.db").write_text("mine")
    with pytest.raises(LostStore, match=r"results\.rescued-2\.db"):
        swept("fratricide", [5, 6], str(store), trials=TRIALS, watch=disturbed(store, removed))
    assert store.with_name("results.rescued.db").read_text() == "mine"
    assert len(rows_of(str(store.with_name("results.rescued-2.db")))) >= 2 * BEFORE + 30


def test_what_replaced_the_store_is_left_alone(store: Path) -> None:
    with pytest.raises(LostStore, match="replaced by another file"):
        swept("fratricide", [5, 6], str(store), trials=TRIALS, watch=disturbed(store, replaced_by_an_older_one))
    assert store.read_bytes() == store.with_name("older.db").read_bytes()
    assert rows_of(str(store)) == rows_of(str(store.with_name("older.db")))
    with pytest.raises(LostStore, match="replaced by another file"):
        swept("fratricide", [5, 6], str(store), trials=TRIALS, watch=disturbed(store, replaced_by_a_text))
    assert store.read_text() == "mine"


def test_where_nothing_can_be_kept_it_is_said(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("princeps.campaign.rescue.tempfile.gettempdir", lambda: str(tmp_path / "nowhere"))
    monkeypatch.setattr("princeps.campaign.rescue.os.getcwd", lambda: str(tmp_path / "nowhere"))
    with pytest.raises(LostStore, match="nothing could be kept"):
        swept("fratricide", [5, 6], str(store), trials=TRIALS, watch=disturbed(store, without_its_folder))


def test_a_new_store_without_results_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "new.db"

    def lose_it() -> None:
        with open_store(str(path)) as store, rescued_if_lost(store):
            store.number([a_point()])
            path.unlink()
            store.add([])

    with pytest.raises(LostStore, match="nothing had been finished; run the same command again"):
        lose_it()
    assert list(tmp_path.iterdir()) == []


def test_a_journal_on_a_full_disk_ends_there(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("princeps.campaign.journal.pickle.dump", full)
    with pytest.raises(LostStore):
        swept("fratricide", [5, 6], str(store), trials=TRIALS, watch=disturbed(store, removed))
    assert len(rows_of(str(new_store(tmp_path)))) >= 2 * BEFORE + 30


def test_a_journal_gives_back_what_it_was_given() -> None:
    journal = Journal()
    journal.note_evidence(("id", 0, "task", "{}", "1", "0.2.0", 0.5))
    journal.note_evidence(("id", 1, "task", "{}", "2", "0.2.0", 0.5))
    assert [rows[0][1] for _, rows in journal.entries()] == [0, 1]
    journal.close()


# -- on the command line ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [(), ("--json",)], ids=["table", "json"])
def test_the_command_says_where_it_is_and_fails(
    quick: Command, store: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    disturb = disturbed(store, removed)

    @contextmanager
    def watching() -> Iterator[Callable[[Any], None]]:
        yield disturb

    monkeypatch.setattr("princeps.cli.sweep_progress.watching_sweep", watching)
    monkeypatch.chdir(store.parent)
    outcome = quick(*SWEEP, "--store", "results.db", *words)
    sentence = refused(outcome)
    assert outcome.stdout == ""
    assert sentence.startswith("princeps: store 'results.db' was removed while it was in use: what could be kept, ")
    assert sentence.endswith(" trials, is in 'results.rescued.db'; go on with --store results.rescued.db.")
    assert quick(*SWEEP, "--store", "results.rescued.db").code == 0
    assert len(library.results("results.rescued.db")) == 2


@pytest.mark.slow
@on_linux
@pytest.mark.parametrize("ends", ["by itself", "by ctrl-c"])
def test_a_sweep_over_processes_notices_it(princeps: Command, tmp_path: Path, ends: str) -> None:
    store, calm = tmp_path / "results.db", tmp_path / "calm.db"
    words = ("sweep", slow_protocol(tmp_path), "-n", 4, "--trials", 100, "--jobs", 2, "--engine", "reference")
    with running(*words, "--store", store, nap=0.01) as process:
        while count(store) < 10:
            time.sleep(0.05)
        for path in tmp_path.glob("results.db*"):
            path.unlink()
        if ends == "by ctrl-c":
            process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    sentence = refused(Outcome(process.returncode, out, err))
    rescued = tmp_path / "results.rescued.db"
    assert repr(str(rescued)) in sentence
    assert count(rescued) >= 10
    assert princeps(*words, "--store", rescued).code == 0
    assert princeps(*words, "--store", calm).code == 0
    assert table(rescued) == table(calm)
