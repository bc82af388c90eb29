"""Storms of kill -9 over sweeps: nothing that was committed is lost, nothing is counted twice, and what is lost is run
again with the same seeds. After every death the store is compared with what it held before, and in the end, row by
row, with the store of a sweep that nobody disturbed.
"""

from __future__ import annotations

import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.campaign.campaign_tools import (
    MAIN,
    REFERENCE,
    Line,
    alive,
    assert_sound,
    children,
    count,
    on_linux,
    patiently,
    points,
    running,
    slow_protocol,
    table,
)
from tests.conftest import Command, Outcome

pytestmark = [on_linux, pytest.mark.medium]

SUPERVISOR, WORKER = "supervisor", "worker"
SPAWNED, HIRED, GREW = "as soon as it is started", "when it has workers", "when it has committed more"


class Campaign:
    """The same command again and again, and what its store has held so far."""

    def __init__(self, princeps: Command, folder: Path, *words: object) -> None:
        self.princeps, self.folder, self.words = princeps, folder, words
        self.seed = 0
        self.growths = 0  # lives that left more than they found
        self._begin()

    def _begin(self) -> None:
        self.seed += 1
        self.store, calm = self.folder / f"storm{self.seed}.db", self.folder / f"calm{self.seed}.db"
        assert self._run(calm).code == 0
        self.whole, self.points = table(calm), points(calm)
        self.seen: list[Line] = []

    def line(self, store: Path) -> tuple[object, ...]:
        return ("sweep", *self.words, "--seed", self.seed, "--store", store, "--json")

    def _run(self, store: Path) -> Outcome:
        return self.princeps(*self.line(store))

    def compare(self) -> None:
        """Whatever was there before still is, nothing else than what belongs there has come, and all in one piece."""
        now = table(examined(self.store))
        assert set(self.seen) <= set(now) <= set(self.whole)
        assert len(now) == len(set(now))
        self.growths += len(now) > len(self.seen)
        self.seen = now

    def complete(self) -> None:
        """Undisturbed at last; then the tables are the same."""
        outcome = self._run(self.store)
        assert outcome.code == 0, outcome.stderr
        self.compare()
        assert self.seen == self.whole
        assert points(self.store) == self.points
        assert sum(summary["trials"] for summary in outcome.objects) == len(self.whole)

    def start_over(self) -> None:
        """It was done before the storm was: check, and go on with another seed."""
        self.complete()
        self._begin()


def examined(store: Path) -> Path:
    """A copy, as the dead process left it: only a sweep itself repairs what there may be to repair."""
    copies = store.parent / "examined"
    shutil.rmtree(copies, ignore_errors=True)
    copies.mkdir()
    for path in (store, Path(f"{store}-wal"), Path(f"{store}-journal")):
        with suppress(FileNotFoundError):
            shutil.copy(path, copies)
    assert_sound(copies / store.name)
    return copies / store.name


def storm(campaign: Campaign, orders: list[tuple[str, str]], seed: int, nap: float) -> Counter[str]:
    """Kill them in random order, at moments that are random within what is ordered; returns how many died.

    The last to die are workers; then the sweep is left alone, with what they held.
    """
    chance, killed = random.Random(seed), Counter[str]()
    chance.shuffle(orders)
    orders.sort(key=lambda order: order[0] == SUPERVISOR or chance.random() < 0.8)  # what comes first is done last
    while orders:
        with running(*campaign.line(campaign.store), nap=nap) as process:
            while orders and came(campaign, process, orders[-1][1]):
                time.sleep(chance.uniform(0, 0.25))
                workers = children(process.pid)
                victims = [process.pid] if orders[-1][0] == SUPERVISOR else workers
                if not victims or process.poll() is not None:
                    continue
                try:
                    os.kill(chance.choice(victims), signal.SIGKILL)
                except ProcessLookupError:  # dismissed in this very moment
                    continue
                victim, _ = orders.pop()
                killed[victim] += 1
                if victim == SUPERVISOR:
                    assert process.wait() == -signal.SIGKILL
                    patiently(lambda workers=workers: not any(map(alive, workers)), 30)
            _, complaint = process.communicate(timeout=120)
            code = process.returncode
        campaign.compare()
        if code == 0 and orders:
            campaign.start_over()
        if code not in (0, -signal.SIGKILL):  # three times the same trial was hit: that is said
            assert (code, "killed 3 workers" in complaint) == (2, True), complaint
    return killed


def came(campaign: Campaign, process: subprocess.Popen[str], moment: str) -> bool:
    """Wait for it; False if the sweep has ended first."""
    before = count(campaign.store)
    due: Callable[[], object] = {
        SPAWNED: lambda: True,
        HIRED: lambda: children(process.pid),
        GREW: lambda: count(campaign.store) > before,
    }[moment]
    patiently(lambda: process.poll() is not None or due())
    return process.poll() is None


@pytest.mark.slow
def test_kills_at_random_moments_change_nothing(princeps: Command, tmp_path: Path) -> None:
    """Fifty of them."""
    words = (slow_protocol(tmp_path), "-n", "3,4", "--trials", 120, "--jobs", 2, *REFERENCE)
    campaign = Campaign(princeps, tmp_path, *words)
    orders = 4 * [(SUPERVISOR, SPAWNED)] + 4 * [(SUPERVISOR, HIRED)]
    orders += 6 * [(SUPERVISOR, GREW)] + 30 * [(WORKER, HIRED)] + 6 * [(WORKER, GREW)]
    assert storm(campaign, orders, seed=1, nap=0.005) == {SUPERVISOR: 14, WORKER: 36}
    assert campaign.growths >= 6
    campaign.complete()


@pytest.mark.slow
def test_kills_of_a_compiled_sweep_change_nothing(princeps: Command, tmp_path: Path) -> None:
    words = ("fratricide", "-n", "600,800", "--trials", 150, "--jobs", 2, "--engine", "agents")
    campaign = Campaign(princeps, tmp_path, *words)
    orders = [(SUPERVISOR, HIRED), (SUPERVISOR, GREW), (WORKER, HIRED), (WORKER, GREW)]
    assert storm(campaign, orders, seed=2, nap=0) == {SUPERVISOR: 2, WORKER: 2}
    campaign.complete()


# -- in the middle of a commit, for certain ---------------------------------------------------------------------------

FATE = '''
import os
import resource
import signal
import sqlite3

connect = sqlite3.connect


def arrange(way, moment):
    """Before this statement, within this step of an insertion, or at this byte of a file the process is gone."""
    passed, inserting = 0, False

    def one():
        nonlocal passed
        passed += 1
        if passed == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    def statement(text):
        nonlocal inserting
        inserting = text.startswith("INSERT INTO trials")
        if way == "statement" or (way == "insertion" and inserting) or (way == "commit" and text == "COMMIT"):
            one()

    def step():
        if inserting:
            one()

    def watched(*args, **options):
        connection = connect(*args, **options)
        connection.set_trace_callback(statement)
        if way == "step":
            connection.set_progress_handler(step, 1)
        return connection

    if way == "byte":  # the system kills who writes further, in the middle of the writing
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (moment, moment))
    sqlite3.connect = watched
'''

LIVES = '''
import sys
import traceback

from princeps.campaign import point_queue, store, sweep
from princeps.campaign.plan import distinct, grid
from princeps.campaign.tally import student
from princeps.campaign.worker_pool import Answer, BatchSizes
from princeps.campaign.trials import run_trials

sweep.COMMIT_SECONDS = -1  # a transaction for each batch
BatchSizes.batch_size = lambda batch_sizes, left, workers: 3
point_queue.INITIAL_TRIALS = 6


class Alone:
    """This process does the work itself."""

    size = 1

    def __init__(self):
        self.held = []

    @property
    def busy(self):
        return bool(self.held)

    def has_room(self, ahead=1):
        return not self.held

    def assign(self, *batch):
        self.held.append(batch)

    def answers(self, timeout):
        if not self.held:
            return []
        key, what, trials = self.held.pop()
        return [Answer(key, result.trial, result) for result in run_trials(what, trials)]

    def cancel(self, key):
        return 0

    def stop(self):
        return []


points = distinct(grid(["p_rl"], {}, n="4,5", engine="reference"))
student(5)  # loads what takes long to load
for line in sys.stdin:
    path, way, moment, trials, precision = line.split("\\t")
    child = os.fork()
    if child == 0:
        try:
            arrange(way, int(moment))
            with store.open_store(path) as opened:
                sweep.Sweep(points, opened, trials=int(trials), seed=5, precision=float(precision) or None).run(Alone())
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    print(os.waitpid(child, 0)[1], flush=True)
'''


class Lives:
    """Short sweeps without workers, each in a process of its own that was forked from a warm one."""

    def __init__(self) -> None:
        line = [sys.executable, "-c", FATE + LIVES]
        env = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # only this one thread is forked
        self.process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, text=True)

    def one(self, path: Path, way: str = "", moment: int = 0, trials: int = 6, precision: float = 0) -> int:
        """The signal that ended it, or 0 when all was done."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(path, way, moment, trials, precision, sep="\t", file=self.process.stdin, flush=True)
        status = int(self.process.stdout.readline())
        assert os.WIFSIGNALED(status) or status == 0
        return os.WTERMSIG(status) if status else 0


@pytest.fixture(scope="module")
def lives() -> Iterator[Lives]:
    found = Lives()
    yield found
    found.process.kill()
    found.process.communicate()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "apart"),
    [("statement", 1), ("step", 31), ("byte", 1_999)],
    ids=["before and after every statement", "inside an insertion", "inside a write to the disk"],
)
def test_a_sweep_may_die_anywhere_in_a_transaction(lives: Lives, tmp_path: Path, way: str, apart: int) -> None:
    """Each life on a new store, each dies a little later, until one gets through."""
    assert lives.one(tmp_path / "calm.db") == 0
    whole = table(tmp_path / "calm.db")
    assert len(whole) == 12
    left = []
    for moment in itertools.count(1, apart):
        path = tmp_path / f"{moment}.db"
        died = lives.one(path, way, moment)
        found = table(examined(path))
        assert set(found) <= set(whole)
        assert len(found) % 3 == 0  # a batch is committed as a whole
        assert lives.one(path) == 0
        assert table(path) == whole
        if not died:
            break
        assert died == (signal.SIGXFSZ if way == "byte" else signal.SIGKILL)
        left.append(len(found))
    assert len(left) > 15
    assert 0 in left
    assert len(set(left)) >= 3  # some died after a transaction


@pytest.mark.slow
def test_one_store_survives_deaths_without_a_pause(lives: Lives, tmp_path: Path) -> None:
    """Never an undisturbed life: each dies a little later than it began, and each leaves no less than it found."""
    assert lives.one(tmp_path / "calm.db", trials=30) == 0
    whole, path, seen = table(tmp_path / "calm.db"), tmp_path / "storm.db", set[Line]()
    ways = random.Random(3)
    deaths = 0
    for _ in range(200):
        way = ways.choice(["statement", "insertion", "commit", "step"])
        died = lives.one(
            path, way, ways.randrange(1, {"statement": 40, "insertion": 9, "commit": 5, "step": 300}[way]), 30
        )
        deaths += died == signal.SIGKILL
        now = table(examined(path))
        assert seen <= set(now) <= set(whole)
        seen = set(now)
        if not died:
            break
    assert deaths >= 20
    assert table(path) == whole


@pytest.mark.slow
def test_an_adaptive_sweep_comes_to_the_same_end_after_a_death(lives: Lives, tmp_path: Path) -> None:
    """How many trials are wanted does not depend on when it was interrupted."""
    assert lives.one(tmp_path / "calm.db", trials=60, precision=0.4) == 0
    whole = table(tmp_path / "calm.db")
    assert 2 * 6 < len(whole) < 2 * 60
    left = set()
    for moment in itertools.count(20, 9):
        path = tmp_path / f"{moment}.db"
        died = lives.one(path, "statement", moment, trials=60, precision=0.4)
        left.add(len(table(examined(path))))
        assert lives.one(path, trials=60, precision=0.4) == 0
        assert table(path) == whole
        if not died:
            break
    assert len(left) > 4


@pytest.mark.slow
def test_a_supervisor_with_workers_dies_in_the_middle_of_its_commits(princeps: Command, tmp_path: Path) -> None:
    words = ("p_rl", "-n", "4,5", "--trials", 300, "--jobs", 2, *REFERENCE)
    campaign = Campaign(princeps, tmp_path, *words)
    for way, moment in [("commit", 2), ("commit", 3), ("commit", 6), ("insertion", 2), ("insertion", 99), ("step", 99)]:
        soon = "import princeps.campaign.sweep as sweep; sweep.COMMIT_SECONDS = -1"
        with running(
            *campaign.line(campaign.store), code=f"{FATE}\narrange({way!r}, {moment})\n{soon}\n{MAIN}"
        ) as process:
            workers: set[int] = set()
            patiently(lambda: workers.update(children(process.pid)) or process.poll() is not None)  # noqa: B023
            assert process.poll() == -signal.SIGKILL
            patiently(lambda: not any(map(alive, workers)), 30)  # noqa: B023
        campaign.compare()
    assert campaign.growths >= 1
    assert len(campaign.seen) < len(campaign.whole)
    campaign.complete()
