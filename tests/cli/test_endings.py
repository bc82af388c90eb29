"""How commands end: whatever happens is one sentence with the right exit code, and never a traceback."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps.cli import ending
from princeps.errors import InternalError, ProtocolError, RunError, shortened
from tests.conftest import PATIENCE, Command

MINE = """
import sys
from princeps.model import *

def end():
    {end}

{top}

class Mine(PopulationProtocol):
    size = Param(min=1, default=lambda n, p: {default} or 1)
    double = Derived(lambda p: {derived} or 2)
    leader = Bit()
    starts = {{"initial": Blocks(lambda n, p: {start} or [(n, {{"leader": 1}})])}}
    predicates = {{"busy": lambda a, p: {predicate} or a.leader == 1}}
    goals = {{"counted": Counted(lambda c, p: {counted} or c.leaders == 1), "closed": Closed(lambda u, n, p: {closed})}}

    @staticmethod
    def interact(a, b, p):
        {rule}
        if a.leader == 1 and b.leader == 1:
            b.leader = 0
"""
PLACES = ("top", "derived", "start", "predicate", "counted", "closed", "rule")
UNTIL = {"counted": ("--until", "counted"), "closed": ("--until", "closed"), "predicate": ("--record", "busy")}
ENDS = {
    "sys.exit()": "sys.exit() is called here",
    "sys.exit(0)": "sys.exit() is called here",
    "raise KeyboardInterrupt": "KeyboardInterrupt is raised here",
    "raise GeneratorExit": "GeneratorExit is raised here",
    "raise BaseException('x')": "BaseException is raised here",
}


def write(folder: Path, place: str, end: str) -> Path:
    calls = {name: "end()" if name == place else "0" for name in ("default", *PLACES)}
    calls["top"] = end if place == "top" else ""
    path = folder / f"{place}_{list(ENDS).index(end) if end in ENDS else 0}.py"
    path.write_text(MINE.format(end=end, **calls).replace("lambda n, p: 0 or 1", "1"))
    return path


@pytest.mark.parametrize("place", PLACES)
def test_code_of_a_user_that_would_end_the_program(quick: Command, tmp_path: Path, place: str) -> None:
    for end, words in ENDS.items():
        path = write(tmp_path, place, end)
        done = quick("run", path, "-n", 4, "--seed", 1, "--engine", "reference", *UNTIL.get(place, ()))
        assert (done.code, done.stdout) == (2, ""), end
        line = path.read_text().splitlines().index(end if place == "top" else f"    {end}") + 1
        assert done.stderr.startswith(f"princeps: {path}:{line}: {words}, which would end princeps itself: "), end
        assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("place", ["start", "rule"])
def test_the_same_in_workers_and_in_a_sweep(princeps: Command, tmp_path: Path, place: str) -> None:
    for end, words in ENDS.items():
        path = write(tmp_path, place, end)
        how = ("-n", 4, "--trials", 3, "--jobs", 2, "--engine", "reference")
        for verb in (("run", path, *how), ("sweep", path, *how, "--store", tmp_path / "s.db")):
            done = princeps(*verb)
            assert done.code == 2
            assert f"{path}:6: {words}, which would end princeps itself" in done.stderr
            assert "Traceback" not in done.stderr


def test_in_python_it_is_an_error_of_the_protocol_or_stays_what_it_is(tmp_path: Path) -> None:
    path = write(tmp_path, "rule", "raise KeyboardInterrupt")
    with pytest.raises(ProtocolError, match="KeyboardInterrupt is raised here"):
        library.run(str(path), n=4, engine="reference")


# -- faults of ours ----------------------------------------------------------------------------------------------------


def broken(*_: object, **__: object) -> None:
    raise KeyError("an unforeseen\nkey")


@pytest.fixture
def fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A verb with a fault; the folder of its reports."""
    monkeypatch.setenv("PRINCEPS_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("princeps.model.rings.facts.ring_facts", broken)
    return tmp_path / "cache" / "reports"


def test_a_fault_of_ours_is_one_sentence_with_a_report(quick: Command, fault: Path) -> None:
    done = quick("ring", "1,2,2")
    assert (done.code, done.stdout) == (70, "")
    (path,) = fault.iterdir()
    sentence = r"princeps: princeps has a fault \(KeyError: 'an unforeseen\\nkey', in .*test_endings\.py:\d+\): "
    assert re.fullmatch(sentence + f"please report it with {path}, which holds the details.\n", done.stderr)
    report = path.read_text()
    for part in (f"princeps {library.__version__}\n", "ring 1,2,2\n", "python   3.", "platform ", "Traceback (most"):
        assert part in report


def test_developers_see_the_traceback(quick: Command, fault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRINCEPS_TRACEBACK", "1")
    done = quick("ring", "1,2,2")
    assert done.code == 70
    assert "Traceback (most recent call last)" in done.stderr


def test_a_report_that_can_be_written_nowhere(quick: Command, fault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    done = quick("ring", "1,2,2")
    assert done.code == 70
    assert done.stderr.count("\n") == 1
    for part in ("please report this line", library.__version__, "princeps/api/rings.py:", "could not be written"):
        assert part in done.stderr


def test_a_fault_outside_of_verbs(quick: Command, fault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("princeps.cli.import_module", broken)
    assert quick("list").code == 70


def test_in_python_an_exception_stays_one(fault: Path) -> None:
    with pytest.raises(KeyError):
        library.ring("1,2,2")
    assert not fault.exists()


def test_a_fault_in_a_worker(fault: Path) -> None:
    from princeps.campaign.tasks import FunctionTrials
    from princeps.campaign.worker import answered

    what = FunctionTrials("something", "princeps.model.rings.facts:ring_facts", {})
    ((trial, outcome, _),) = answered(what, [3])
    assert trial == 3
    assert isinstance(outcome, InternalError)
    (path,) = fault.iterdir()
    assert str(outcome).startswith("trial 3 of something failed: princeps has a fault (KeyError")
    assert str(path) in str(outcome)


def test_what_ends_a_thread_is_told(fault: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    monkeypatch.setattr(ending, "_in_threads", [])
    ending.watch_threads()
    thread = threading.Thread(target=broken)
    thread.start()
    thread.join()
    assert capsys.readouterr().err.startswith("princeps: princeps has a fault (KeyError")
    assert (ending.worst(0), ending.worst(1), ending.worst(2)) == (70, 1, 2)


def test_ctrl_c_that_python_drops_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is raised while an object is removed goes to a hook and no further."""
    others: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda dropped: others.append(dropped.exc_type))
    monkeypatch.setattr(ending, "REPEAT_SECONDS", 0.5)  # not before it is waited for
    ending.hear_interruptions()

    class Removed:
        def __init__(self, error: type[BaseException]) -> None:
            self.error = error

        def __del__(self) -> None:
            raise self.error

    Removed(ValueError)
    Removed(KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        time.sleep(PATIENCE)
    assert others == [ValueError]


# -- the standard streams ----------------------------------------------------------------------------------------------

REFUSED = "princeps: the system refused ([Errno 28] No space left on device): is the disk full, or the output closed?\n"


@pytest.mark.slow
@pytest.mark.parametrize("words", ["ring 1,2,2", "ring 1,2,2 --json", "--help", "run --help", "list", "--version"])
@pytest.mark.parametrize(
    ("streams", "code", "told"),
    [
        (">&-", 0, ""),
        (">/dev/full", 2, REFUSED),
        ("2>&-", 0, ""),
        ("2>/dev/full", 0, ""),
        ("<&-", 0, ""),
        (">&- 2>&- <&-", 0, ""),
        (">/dev/full 2>/dev/full", 2, ""),
        ("| true", 0, ""),
    ],
)
def test_streams_that_are_closed_or_full(words: str, streams: str, code: int, told: str) -> None:
    line = f"set -o pipefail; {sys.executable} -m princeps {words} {streams}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (code, told)


@pytest.mark.slow
@pytest.mark.parametrize("streams", ["2>&-", "2>/dev/full", ">&- 2>&-"])
def test_a_refusal_that_nobody_hears(streams: str) -> None:
    line = f"{sys.executable} -m princeps run nobody {streams}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


@pytest.mark.slow
def test_a_closed_stream_is_not_the_number_of_a_file(tmp_path: Path) -> None:
    """What a user's file prints would be written into it."""
    path = write(tmp_path, "top", "import os; os.write(1, b'into the results')")
    line = f"{sys.executable} -m princeps run {path} -n 4 --seed 1 --engine reference -o {tmp_path}/o.jsonl >&-"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "o.jsonl").read_text().startswith('{"protocol": "mine"')


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_paths_that_are_no_text(tmp_path: Path, encoding: str) -> None:
    good = write(tmp_path, "", "pass").rename(os.fsdecode(os.fsencode(tmp_path) + b"/mine\xff.py"))
    env = {**os.environ, "PYTHONIOENCODING": encoding}

    def call(*words: object) -> subprocess.CompletedProcess[bytes]:
        line = [sys.executable, "-m", "princeps", *map(os.fsencode, map(str, words))]
        return subprocess.run(line, capture_output=True, timeout=PATIENCE, env=env)

    how = ("-n", 4, "--seed", 1, "--engine", "reference")
    done = call("run", good, *how)
    assert done.returncode == 0
    assert b"mine\xff.py" in done.stdout  # the command that repeats it can be copied
    assert call("run", good, *how, "--json", "-o", tmp_path / "out\udcff.jsonl").returncode == 0
    done = call("run", "no\udcff.py", *how)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    done = call("run", "p_ll", "-n", 4, "--n\udcff")
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)


# -- sentences ---------------------------------------------------------------------------------------------------------


def test_long_values_are_shortened_and_remedies_stay() -> None:
    value = "x" * 10_000
    for sentence in (f"name {value!r} is odd: take -p N=3.", f"n = {'7' * 5000} is large: take -p N=3."):
        short = shortened(sentence)
        assert len(short) < 300
        assert short.endswith((" is odd: take -p N=3.", " is large: take -p N=3."))
        assert " more)..." in short
    assert len(str(RunError("word " * 10_000))) < 1700
    assert str(RunError("a short sentence.")) == "a short sentence."
    assert shortened(shortened(f"{value!r}")) == shortened(f"{value!r}")


def test_control_characters_do_not_reach_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    ending.complain("one\ntwo\r\x1b[31mthree\x9b")
    assert capsys.readouterr().err == "princeps: one two  [31mthree \n"


@pytest.mark.parametrize(
    "words", [("run", "x" * 5000), ("x" * 5000,), ("run", "p_ll", "-n", "9" * 5000), ("ring", "--" + "x" * 5000)]
)
def test_no_sentence_is_longer_than_a_screen(quick: Command, words: tuple[str, ...]) -> None:
    done = quick(*words)
    assert done.code == 2
    assert len(done.stderr) < 24 * 80


def test_ctrl_c_within_a_text_that_python_executes_ends_with_130(tmp_path: Path) -> None:
    """As in an import that makes a dataclass: `python -m` would end by the signal, though everything was told."""
    (tmp_path / "ending_so.py").write_text("""if True:
        from princeps import cli
        def interrupted():
            try:
                exec("raise KeyboardInterrupt")
            except KeyboardInterrupt:
                return cli.INTERRUPTED
        cli._exit_code = interrupted
        cli.entry()
    """)
    done = subprocess.run([sys.executable, "-m", "ending_so"], cwd=tmp_path, check=False)
    assert done.returncode == 130
