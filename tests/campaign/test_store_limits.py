"""A store that cannot be opened, written or shared says so in one sentence and is not harmed, and the same command
goes on when the obstacle is gone. Several may use it at once. A sweep's memory does not grow with its trials.
"""

from __future__ import annotations

import shutil
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
from princeps.campaign.store_file import APPLICATION, SCHEMA
from princeps.errors import StoreError
from tests.campaign.campaign_tools import (
    MAIN,
    REFERENCE,
    Line,
    ask,
    assert_sound,
    count,
    on_linux,
    patiently,
    points,
    running,
    slow_protocol,
    table,
)
from tests.conftest import Command, Outcome

WORDS = ("sweep", "p_rl", "-n", "4,5", "--trials", 200, "--jobs", 2, *REFERENCE)


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of an undisturbed sweep."""
    path = tmp_path_factory.mktemp("calm") / "calm.db"
    assert swept(path).code == 0
    return path


def swept(store: Path, *words: object, code: str = MAIN, nap: float = 0) -> Outcome:
    """The sweep of these tests, or another, in a process of its own; perhaps with something done before."""
    with running(*(words or WORDS), "--store", store, code=code, nap=nap) as process:
        out, err = process.communicate(timeout=120)
    return Outcome(process.returncode, out, err)


def refused(outcome: Outcome) -> str:
    """The one sentence, below the lines of progress."""
    assert outcome.code == 2, outcome.stderr
    assert "Traceback" not in outcome.stderr
    (sentence,) = (line for line in outcome.stderr.splitlines() if line.startswith("princeps: "))
    assert outcome.stderr.rstrip().endswith(sentence)
    return sentence


def as_anybody(code: str = MAIN) -> str:
    """Without the right to write everywhere, which the superuser has."""
    drop = "for right in (1, 2): ctypes.CDLL(None).prctl(24, right, 0, 0, 0)"
    again = f"os.execv(sys.executable, [sys.executable, '-c', {code!r}, *sys.argv[1:]])"
    return f"import ctypes, os, sys\nif sys.platform == 'linux':\n    {drop}\n{again}"


# -- the disk is full ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "room", [60_000, *(pytest.param(k, marks=pytest.mark.slow) for k in (0, 4_000, 20_000, 40_000))]
)
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


# -- it is no store, or not for us --------------------------------------------------------------------------------


def not_sqlite(path: Path) -> None:
    path.write_text("steps,seconds\n" * 1000)


def of_others(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine');")


def of_others_with_our_tables(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE trials (point, seed, trial); CREATE TABLE points (number);")


def newer(path: Path) -> None:
    open_store(str(path)).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA + 1}")


def a_folder(path: Path) -> None:
    path.mkdir()


def in_no_folder(path: Path) -> None:
    path.parent.rmdir()


OBSTACLES: dict[Callable[[Path], None], str] = {
    not_sqlite: "is not a store of princeps",
    of_others: "is a database, but not a store of princeps: choose another file.",
    of_others_with_our_tables: "is a database, but not a store of princeps: choose another file.",
    newer: f"has format {SCHEMA + 1}, but this version of princeps reads format {SCHEMA}: use the version that wrote it.",
    a_folder: "",
    in_no_folder: "",
}


@pytest.mark.parametrize("obstacle", OBSTACLES, ids=lambda obstacle: obstacle.__name__)
def test_what_is_no_store_of_ours_is_refused_and_left_alone(
    quick: Command, tmp_path: Path, obstacle: Callable[[Path], None]
) -> None:
    store = tmp_path / "folder" / "store.db"
    store.parent.mkdir()
    obstacle(store)
    before = store.read_bytes() if store.is_file() else None
    for words in (WORDS, ("results",), ("fit",)):
        outcome = quick(*words, *(("--store", store) if words is WORDS else (store,)))
        sentence = refused(outcome)
        assert outcome.stdout == ""
        assert OBSTACLES[obstacle] in sentence
        assert str(store) in sentence
        assert (store.read_bytes() if store.is_file() else None) == before
    assert [path.name for path in store.parent.glob("*")] == ([store.name] if store.exists() else [])


def test_what_was_in_the_way_may_go_away(quick: Command, calm: Path, tmp_path: Path) -> None:
    store = tmp_path / "folder" / "store.db"
    assert "its folder does not exist" in refused(quick(*WORDS, "--store", store))
    store.parent.mkdir()
    assert quick(*WORDS, "--store", store).code == 0
    assert table(store) == table(calm)


def test_an_empty_file_is_a_store_that_nobody_has_used(quick: Command, calm: Path, tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    store.touch()
    assert quick(*WORDS, "--store", store).code == 0
    assert table(store) == table(calm)
    assert ask(store, "PRAGMA application_id") == [(APPLICATION,)]


@pytest.mark.parametrize("words", [("results",), WORDS], ids=["results", "sweep"])
def test_a_damaged_store_is_told(calm: Path, tmp_path: Path, words: tuple[object, ...]) -> None:
    """Pages in its middle are gone; what it says of itself is right."""
    store = tmp_path / "store.db"
    content = bytearray(calm.read_bytes())
    assert len(content) > 16 * 4096
    content[6 * 4096 : -4096] = b"\xff" * (len(content) - 7 * 4096)
    store.write_bytes(content)
    with running(*words, *(("--store", store) if words is WORDS else (store,))) as process:
        out, err = process.communicate(timeout=120)
    assert str(store) in refused(Outcome(process.returncode, out, err))


# -- it may not be written ----------------------------------------------------------------------------------------


@pytest.mark.slow
@on_linux
def test_a_store_that_may_only_be_read_is_read_but_not_written(calm: Path, tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    assert swept(store, *WORDS[:5], 20, *WORDS[6:]).code == 0
    before = table(store)
    store.chmod(0o444)
    sentence = refused(swept(store, code=as_anybody()))
    assert sentence.startswith(f"princeps: store {str(store)!r} cannot be ")
    with running("results", store, "--json", code=as_anybody()) as process:
        out, err = process.communicate(timeout=120)
    assert [summary["trials"] for summary in Outcome(process.returncode, out, err).objects] == [20, 20]
    store.chmod(0o644)
    assert table(store) == before
    assert swept(store).code == 0
    assert table(store) == table(calm)


@pytest.fixture
def sealed(tmp_path: Path) -> Iterator[Callable[[], Path]]:
    """A folder into which nothing can be written any more."""
    folder = tmp_path / "sealed"
    folder.mkdir()

    def seal() -> Path:
        for path in folder.iterdir():
            path.chmod(0o444)
        folder.chmod(0o555)
        return folder

    yield seal
    folder.chmod(0o755)


@on_linux
def test_a_store_in_a_folder_that_may_only_be_read_can_be_read(
    calm: Path, tmp_path: Path, sealed: Callable[[], Path]
) -> None:
    shutil.copy(calm, tmp_path / "sealed" / "store.db")
    store = sealed() / "store.db"
    with running("results", store, "--json", code=as_anybody()) as process:
        out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    assert [summary["trials"] for summary in Outcome(0, out, err).objects] == [200, 200]
    assert [path.name for path in store.parent.iterdir()] == ["store.db"]
    assert str(store) in refused(swept(store, code=as_anybody()))
    assert str(store.parent) in refused(swept(store.with_name("new.db"), code=as_anybody()))


@on_linux
def test_a_store_that_cannot_be_read_as_a_whole_is_not_read_in_part(
    calm: Path, tmp_path: Path, sealed: Callable[[], Path]
) -> None:
    """Its last transactions are beside it, as a killed sweep leaves them, where nothing can be written."""
    store = tmp_path / "store.db"
    shutil.copy(calm, store)
    with closing(sqlite3.connect(store, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("UPDATE trials SET trial = trial + 1000 WHERE trial < 50")
        connection.execute(
            "INSERT INTO trials SELECT point, seed, trial - 1000, steps, converged, censored, silent, leaders, leader,"
            " events, held, held_steps, recovery_steps, total_steps, max_steps, more, engine, version, seconds"
            " FROM trials WHERE trial >= 1000"
        )
        for path in (store, Path(f"{store}-wal")):
            shutil.copy(path, tmp_path / "sealed")
    with running("results", sealed() / "store.db", "--json", code=as_anybody()) as process:
        out, err = process.communicate(timeout=120)
    outcome = Outcome(process.returncode, out, err)
    if outcome.code:
        refused(outcome)
    else:
        assert [summary["trials"] for summary in outcome.objects] == [250, 250]


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
