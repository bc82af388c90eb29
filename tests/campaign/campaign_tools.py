"""What the tests of campaigns share: the table of a store, workers by their parent, sweeps that take their time."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from princeps.campaign.rows import Row
from tests.conftest import launch

REFERENCE = ("--engine", "reference")
MAIN = "from princeps.cli import main; main()"
OWN = ", ".join(f"t.{name}" for name in Row._fields if name not in ("point", "seconds"))
on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")

Line = tuple[Any, ...]

DUEL = '''
import os
import time

from princeps.model import Agent, Bit, Params, PopulationProtocol

HERE = os.path.dirname(__file__)


def nap() -> None:
    """As long as the test wants; the law is the same without it."""
    time.sleep(float(os.getenv("NAP", "0")))


def in_worker() -> bool:
    return os.getenv("PRINCEPS_WORKER") is not None


def there(name: str) -> bool:
    return os.path.exists(os.path.join(HERE, name))


def once(name: str) -> bool:
    """True for the first process that asks, ever; the file then holds its number."""
    try:
        handle = os.open(os.path.join(HERE, name), os.O_CREAT | os.O_EXCL | os.O_WRONLY)
    except FileExistsError:
        return False
    os.write(handle, b"%d" % os.getpid())
    return True


def begun() -> int:
    """Trials, this one included."""
    with open(os.path.join(HERE, "begun")) as file:
        return len(file.readlines())


def stay() -> None:
    """For ever, that is as long as anybody waits."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(0.01)
    os._exit(1)


def initial(a: Agent, i: int, n: int, p: Params) -> None:
    a.leader = 1
    if i == 0:
        with open(os.path.join(HERE, "begun"), "a") as file:
            file.write("a trial\\n")


class Duel(PopulationProtocol):
    """Fratricide, for the reference engine only: meetings also do what the test wants."""

    leader = Bit()
    starts = {"initial": initial}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        MEETING
        if a.leader == 1 and b.leader == 1:
            b.leader = 0
'''

RARE = '''
import os

from princeps.model import Agent, Bit, Params, PopulationProtocol, Range, Uniform

HERE = os.path.dirname(__file__)


def trouble() -> None:
    """What a worker does that meets it, while the test lets it; elsewhere it is only noted."""
    if os.getenv("PRINCEPS_WORKER") is None:
        open(os.path.join(HERE, "met"), "w").close()
    elif os.path.exists(os.path.join(HERE, "deadly")):
        os._exit(9)


class Rare(PopulationProtocol):
    """Two equals are one too many or one too few; and one mark of many is trouble."""

    leader = Bit()
    mark = Range(MARKS)
    starts = {"random": Uniform()}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.mark == 0 or b.mark == 0:
            trouble()
        if a.leader == b.leader:
            b.leader = 1 - b.leader
'''


def duel_protocol(folder: Path, meeting: str) -> str:
    """Every meeting runs a statement of plain Python, and the file `begun` has a line a trial; how to name it."""
    path = folder / "duel.py"
    path.write_text(DUEL.replace("MEETING", meeting))
    return f"{path}:Duel"


def slow_protocol(folder: Path) -> str:
    """Every meeting takes NAP seconds, a variable of the environment."""
    return duel_protocol(folder, "nap()")


def begun(folder: Path) -> int:
    """Trials of a duel, in whatever process."""
    path = folder / "begun"
    return len(path.read_text().splitlines()) if path.exists() else 0


def rare_protocol(folder: Path, marks: int) -> str:
    """Few of its trials kill the worker they run in, always the same ones, as long as the file `deadly` is there."""
    path = folder / "rare.py"
    path.write_text(RARE.replace("MARKS", str(marks)))
    (folder / "deadly").touch()
    return f"{path}:Rare"


# -- the store, looked at without our own code --------------------------------------------------------------------


def ask(path: Path | str, query: str) -> list[Line]:
    """A store that is not there, or has no tables yet, holds nothing."""
    if not os.path.exists(path):
        return []
    with closing(sqlite3.connect(path, timeout=60)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'trials'").fetchall():
            return []
        return connection.execute(query).fetchall()


def table(path: Path | str) -> list[Line]:
    """Every trial, with the id of its point and without the time it took."""
    return ask(
        path, f"SELECT p.id, {OWN} FROM trials t JOIN points p ON p.number = t.point ORDER BY 1, t.seed, t.trial"
    )


def points(path: Path | str) -> list[Line]:
    return ask(path, "SELECT id, protocol, n, params, content FROM points ORDER BY id")


def count(path: Path | str) -> int:
    return sum(number for (number,) in ask(path, "SELECT count(*) FROM trials"))


def assert_sound(path: Path | str) -> None:
    """SQLite finds nothing broken, and no trial is without its point."""
    assert ask(path, "PRAGMA integrity_check") in ([("ok",)], [])
    assert ask(path, "PRAGMA foreign_key_check") == []


# -- processes ----------------------------------------------------------------------------------------------------


def _stat(pid: int) -> list[str]:
    """State, parent, ...: what follows the name in /proc/PID/stat."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def alive(pid: int) -> bool:
    """Runs; one that only waits to be buried does not."""
    return _stat(pid)[:1] not in ([], ["Z"], ["X"])


def children(pid: int) -> list[int]:
    """The workers of a supervisor."""
    found = []
    for one in sorted(int(name) for name in os.listdir("/proc") if name.isdigit()):
        stat = _stat(one)
        if stat and stat[0] not in "ZX" and int(stat[1]) == pid:
            try:
                words = Path(f"/proc/{one}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            found += [one] if b"princeps.campaign.worker" in words else []
    return found


def busy_seconds(pid: int) -> float:
    """Of a processor."""
    stat = _stat(pid)
    return int(stat[11]) / os.sysconf("SC_CLK_TCK") if stat else 0.0


def patiently(condition: Callable[[], object], seconds: float = 120) -> None:
    """As wait_for, but for what is dear to ask."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.04)


@contextmanager
def running(*words: object, code: str = MAIN, nap: float = 0, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """`princeps WORDS` in a process of its own, perhaps with something done before; it does not outlive the block."""
    line = [sys.executable, "-c", code, *map(str, words)]
    env = {**os.environ, "NAP": str(nap)}
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = launch(line, env=env, **{**pipes, **options})
    try:
        yield process
    finally:
        process.kill()
        process.communicate()
