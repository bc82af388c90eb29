"""What tests of every room share: the command line, in a process of its own or in this one, and how large a test is."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.identity_tools import identify  # noqa: F401 - a fixture of two files

# No test depends on luck: a run that is given no seed, here or in a process that a test starts, has this one.
os.environ["PRINCEPS_SEED"] = "1"
# Nor on the load: a machine that is busy compiles for longer than it may take without a word.
os.environ["PRINCEPS_SILENT_SECONDS"] = "600"
# Nor on how it was started: a shell has Ctrl-C ignored in what it runs in the background, and Python leaves it so.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
PATIENCE = 600.0  # seconds after which what a test waits for will not come, also where others use the processors


def pytest_collection_finish() -> None:
    """What all tests share lives as long as they do: with numba's objects, looking through it for garbage again and
    again was a seventh of the suite's time. Tests of what is let go call gc.collect() themselves."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    stdout: str
    stderr: str

    @property
    def objects(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.stdout.splitlines()]

    @property
    def object(self) -> dict[str, Any]:
        (only,) = self.objects
        return only


Command = Callable[..., Outcome]
Start = Callable[..., subprocess.Popen[str]]
Sized = Callable[[int, int], int]


def with_slow(values: Iterable[Any], slow: Callable[[Any], bool]) -> list[Any]:
    """Values for `parametrize`, of which some are for `make test-slow`."""
    return [pytest.param(value, marks=pytest.mark.slow) if slow(value) else value for value in values]


@pytest.fixture(params=["small", pytest.param("full", marks=pytest.mark.slow)])
def sized(request: pytest.FixtureRequest) -> Sized:
    """`sized(2_000, 100_000)`: the first in `make test`, the second in `make test-slow`; the test is the same."""
    return lambda small, full: full if request.param == "full" else small


def launch(line: Sequence[str], env: Mapping[str, str] | None = None, **options: Any) -> subprocess.Popen[str]:
    """A process that Ctrl-C reaches: whatever a shell puts into the background has it ignored, and so do its children.

    `make coverage` does not measure it: a third of such processes would wait for ever at the lock of coverage's tracer,
    which holds it when Ctrl-C arrives in the tracer's own code.
    """

    def hear_interrupts() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    own = {name: value for name, value in (env or os.environ).items() if not name.startswith("COVERAGE_PROCESS")}
    return subprocess.Popen(line, text=True, preexec_fn=hear_interrupts, env=own, **options)


def wait_for(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Poll; a condition that never comes true is a failure, not a hang."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.01)


def without_times(result: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in result.items() if key != "seconds"}


@pytest.fixture
def princeps() -> Command:
    """`princeps("run", "p_rl", "-n", 10)` in a process of its own."""

    def call(*words: object, **options: Any) -> Outcome:
        line = [sys.executable, "-m", "princeps", *map(str, words)]
        done = subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE, **options)
        return Outcome(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture
def start() -> Iterator[Start]:
    """A process that the test talks to while it runs; it does not outlive the test."""
    started = []

    def call(*words: object) -> subprocess.Popen[str]:
        line = [sys.executable, "-m", "princeps", *map(str, words)]
        started.append(launch(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        return started[-1]

    yield call
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The same within this process."""
    from princeps.cli import main

    def call(*words: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["princeps", *map(str, words)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main()
        seen = capsys.readouterr()
        return Outcome(int(str(left.value.code)), seen.out, seen.err)

    return call


DUEL = '''
import itertools
import os
import time
from pathlib import Path

from princeps.model import Agent, Bit, Params, PopulationProtocol

HERE = Path(__file__).parent
WORKER = "PRINCEPS_WORKER" in os.environ
meetings = itertools.count()


def once(name: str) -> bool:
    """True for the first process that asks, ever; the file then holds its number."""
    try:
        handle = os.open(HERE / name, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
    except FileExistsError:
        return False
    os.write(handle, b"%d" % os.getpid())
    return True


def stay() -> None:
    """For ever, that is as long as anybody waits."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(0.01)
    os._exit(1)


def initial(a: Agent, i: int, n: int, p: Params) -> None:
    a.leader = 1
    if i == 0:
        with open(HERE / "begun", "a") as file:
            file.write(f"{os.getpid()}\\n")


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


@pytest.fixture
def duel(tmp_path: Path) -> Callable[[str], str]:
    """Writes a protocol whose every meeting runs a statement of plain Python; returns how to name it."""

    def write(meeting: str) -> str:
        path = tmp_path / "duel.py"
        path.write_text(DUEL.replace("MEETING", meeting))
        return f"{path}:Duel"

    return write


@pytest.fixture
def in_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Surveys run in the reference engine: nothing need be compiled for a few small rings."""
    from princeps.engines.rings import survey as ring_survey

    monkeypatch.setattr(ring_survey, "survey", partial(ring_survey.survey, engine="reference"))


RASH = """
from princeps.model.rings.algorithm import RingAlgorithm, start


@start
def S(p, c):
    yield 1
    p.isLeader = 1
    p.leader = p.id
    p.done = 1
    p.halt()


class Rash(RingAlgorithm):
    actions = (S,)
"""


@pytest.fixture
def rash(tmp_path: Path) -> str:
    """An algorithm by which everybody leads at once and nobody sends anything."""
    path = tmp_path / "rash.py"
    path.write_text(RASH)
    return f"{path}:Rash"
