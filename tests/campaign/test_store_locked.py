"""A store that others hold: it is waited for, read beside them, and shared by several sweeps at once."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from princeps.campaign.plan import distinct, grid
from princeps.campaign.store import open_store, read_store
from princeps.campaign.store_schema import SCHEMA
from princeps.errors import StoreError
from tests.campaign.campaign_tools import (
    MAIN,
    REFERENCE,
    Line,
    ask,
    assert_sound,
    count,
    patiently,
    points,
    running,
    slow_protocol,
    table,
)
from tests.campaign.store_tools import WORDS, refused, swept
from tests.conftest import Command, Outcome

# -- others hold it -----------------------------------------------------------------------------------------------


@contextmanager
def held(store: Path) -> Iterator[Callable[[], None]]:
    """Another process has the store for itself, until it is told to let go, or the block ends."""
    code = (
        "import sqlite3, sys\n"
        "connection = sqlite3.connect(sys.argv[1], timeout=60, isolation_level=None)\n"
        "connection.execute('BEGIN EXCLUSIVE')\n"
        "print('held', flush=True)\n"
        "sys.stdin.read()\n"
    )
    line = [sys.executable, "-c", code, str(store)]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == "held\n"
        yield process.stdin.close


IMPATIENT = f"import princeps.campaign.store_file as store_file; store_file.LOCK_SECONDS = 0.3; {MAIN}"


@pytest.mark.slow
def test_a_locked_store_is_told_and_the_same_command_goes_on_later(calm: Path, tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    assert swept(store, *WORDS[:5], 20, *WORDS[6:]).code == 0
    before = table(store)
    with held(store):
        sentence = refused(swept(store, code=IMPATIENT))
    assert sentence.startswith(f"princeps: store {str(store)!r} has been locked by another program for 0")
    assert sentence.endswith(" s: close it, then run the same command again; what was committed is kept.")
    assert table(store) == before
    assert_sound(store)
    assert swept(store).code == 0
    assert table(store) == table(calm)


@pytest.mark.slow
def test_a_store_that_is_locked_in_the_middle_of_a_sweep(tmp_path: Path) -> None:
    store, calm = tmp_path / "store.db", tmp_path / "calm.db"
    words = ("sweep", slow_protocol(tmp_path), "-n", "3,4", "--trials", 100, "--jobs", 2, *REFERENCE)
    with running(*words, "--store", store, code=IMPATIENT, nap=0.02) as process:
        patiently(lambda: count(store) > 0)
        with held(store):
            before = table(store)
            out, err = process.communicate(timeout=120)
        assert "locked by another program" in refused(Outcome(process.returncode, out, err))
    assert table(store) == before
    assert_sound(store)
    assert swept(calm, *words).code == 0
    assert set(before) < set(table(calm))
    assert swept(store, *words).code == 0
    assert table(store) == table(calm)


@pytest.mark.slow
def test_a_store_that_is_locked_for_a_moment_is_waited_for(calm: Path, tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    open_store(str(store)).close()
    with held(store) as let_go, running(*WORDS, "--store", store) as process:
        patience = threading.Timer(2, let_go)
        patience.start()
        _, err = process.communicate(timeout=120)
        patience.join()
        assert process.returncode == 0, err
    assert table(store) == table(calm)


# -- several at once ----------------------------------------------------------------------------------------------


def at_once(store: Path, *lines: tuple[object, ...]) -> list[Outcome]:
    """All of them started together."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "princeps", *map(str, line), "--store", str(store)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for line in lines
    ]
    try:
        ends = [process.communicate(timeout=120) for process in processes]
    finally:
        for process in processes:
            process.kill()
    return [Outcome(process.returncode, *end) for process, end in zip(processes, ends, strict=True)]


@pytest.mark.slow
def test_two_identical_sweeps_at_once_are_both_right(calm: Path, tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    outcomes = at_once(store, (*WORDS, "--json"), (*WORDS, "--json"))
    assert [outcome.code for outcome in outcomes] == [0, 0], [outcome.stderr for outcome in outcomes]
    for outcome in outcomes:
        assert [summary["trials"] for summary in outcome.objects] == [200, 200]
    assert table(store) == table(calm)
    assert points(store) == points(calm)
    assert_sound(store)


@pytest.mark.slow
def test_two_different_sweeps_at_once_are_both_right(calm: Path, tmp_path: Path) -> None:
    """One point is the same, one is each one's own; the seeds are different in the third."""
    store = tmp_path / "store.db"
    others = (
        ("sweep", "p_rl", "-n", "5,6", "--trials", 300, "--jobs", 1, *REFERENCE),
        ("sweep", "p_rl", "-n", "4,5", "--trials", 50, "--jobs", 1, "--seed", 1, *REFERENCE),
    )
    outcomes = at_once(store, WORDS, *others)
    assert [outcome.code for outcome in outcomes] == [0, 0, 0], [outcome.stderr for outcome in outcomes]
    expected: set[Line] = set(table(calm))
    for number, words in enumerate(others):
        assert swept(tmp_path / f"{number}.db", *words).code == 0
        expected |= set(table(tmp_path / f"{number}.db"))
    assert table(store) == sorted(expected)
    assert len(expected) == 400 + 400 + 100
    assert_sound(store)


@pytest.mark.slow
def test_many_may_make_the_same_store_at_once(tmp_path: Path) -> None:
    """All wait at a gate, and none is refused: forty stores, each opened by five processes that begin together."""
    code = (
        "import os, sys\n"
        "from princeps.campaign.store import open_store\n"
        "from princeps.errors import StoreError\n"
        "for number in range(40):\n"
        "    gate, opened = os.pipe()\n"
        "    children = []\n"
        "    for _ in range(5):\n"
        "        children.append(os.fork())\n"
        "        if not children[-1]:\n"
        "            os.close(opened)\n"
        "            os.read(gate, 1)\n"
        "            try:\n"
        "                open_store(f'{sys.argv[1]}/{number}.db').close()\n"
        "                os._exit(0)\n"
        "            except StoreError as error:\n"
        "                print(error, flush=True)\n"
        "            finally:\n"
        "                os._exit(1)\n"
        "    os.close(opened)\n"
        "    os.close(gate)\n"
        "    for child in children:\n"
        "        os.waitpid(child, 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert all(ask(tmp_path / f"{number}.db", "PRAGMA user_version") == [(SCHEMA,)] for number in range(40))


def test_a_store_that_another_is_just_making_is_waited_for(tmp_path: Path) -> None:
    """The file is there, and somebody is at it, for less than our patience."""
    store = tmp_path / "store.db"
    with closing(sqlite3.connect(store, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM sqlite_master").fetchall()
        end = threading.Timer(0.5, other.execute, ["COMMIT"])
        end.start()
        try:
            open_store(str(store)).close()
        finally:
            end.join()
    assert_sound(store)


@pytest.mark.slow
def test_results_can_be_read_while_a_sweep_writes(quick: Command, tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    words = ("sweep", slow_protocol(tmp_path), "-n", 3, "--trials", 300, "--jobs", 2, *REFERENCE)
    seen: list[int] = []
    with running(*words, "--store", store, nap=0.01) as process:
        patiently(lambda: count(store) > 0)
        while len(set(seen)) < 4 and process.poll() is None:
            outcome = quick("results", store, "--json")
            assert (outcome.code, outcome.stderr) == (0, "")
            seen.append(outcome.object["trials"])
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
    assert seen == sorted(seen)
    assert len(set(seen)) > 1
    assert count(store) == 300


@pytest.mark.slow
def test_a_reader_who_stays_does_not_stop_a_sweep(calm: Path, tmp_path: Path) -> None:
    """And sees what was there when he began."""
    store = tmp_path / "store.db"
    assert swept(store, *WORDS[:5], 20, *WORDS[6:]).code == 0
    with read_store(str(store)) as reader:
        reader.connection.execute("BEGIN")
        assert reader.connection.execute("SELECT count(*) FROM trials").fetchall() == [(40,)]
        assert swept(store).code == 0
        assert reader.connection.execute("SELECT count(*) FROM trials").fetchall() == [(40,)]
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reader.connection.execute("DELETE FROM trials")
    assert table(store) == table(calm)


def test_what_is_not_committed_is_not_there(tmp_path: Path) -> None:
    """All or nothing, whatever is raised in between; and the store can be used on."""

    def spoil(error: type[BaseException] | None) -> None:
        with store.transaction() as connection:
            connection.execute("UPDATE points SET n = 99")
            if error is not None:
                raise error
            connection.execute("INSERT INTO nowhere VALUES (1)")

    with open_store(str(tmp_path / "store.db")) as store:
        store.number(distinct(grid(["p_rl"], {}, n=4)))
        for error in (KeyboardInterrupt, ValueError, None):
            with pytest.raises(error or StoreError):
                spoil(error)
            assert list(store.select("SELECT n FROM points")) == [(4,)]
            assert not store.connection.in_transaction
