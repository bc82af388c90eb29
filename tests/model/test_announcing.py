"""Long work says so on stderr, once, and short work says nothing."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import princeps
from princeps.api import progress
from princeps.model import announcing, machine
from princeps.model.announcing import announced, announces, asked_to_take, compiles, compiling, each_announced, said

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRINCEPS_SILENT_SECONDS", "0.2")
    monkeypatch.setattr(announcing, "LOOK_SECONDS", 0.02)
    monkeypatch.setattr(announcing, "_watch", None)  # one of an earlier test may look less often


def wait_for_watch() -> None:
    """Until something was said about the work of this thread, however busy the machine is."""
    for _ in range(1000):
        if announcing._going_on[threading.get_ident()].is_said:
            break
        time.sleep(0.02)
    time.sleep(0.1)


def test_long_work_is_announced_once_and_names_the_remedy(capsys: Captured) -> None:
    @announces("princeps.paper", observer="watch")
    def work() -> int:
        with announced("inner work"):
            wait_for_watch()
        return 7

    assert work() == 7
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert err.startswith("princeps: princeps.paper takes longer than 0 s and goes on: Ctrl-C ends it, and watch= ")


@pytest.mark.medium
def test_short_work_and_work_that_shows_itself_are_not(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    with announced("shown"):
        said()
        time.sleep(0.4)
    monkeypatch.setenv("PRINCEPS_SILENT_SECONDS", "1.0")
    for _ in range(25):
        with announced("short"):
            time.sleep(0.05)
    said()  # outside of any work
    assert capsys.readouterr().err == ""


@pytest.mark.medium
def test_the_watch_ends_and_begins_again(capsys: Captured) -> None:
    with announced("first"):
        wait_for_watch()
    assert announcing._watch is not None
    announcing._watch.join(timeout=20)
    assert not announcing._watch.is_alive()
    with announced("second"):
        wait_for_watch()
    assert [line.split()[1] for line in capsys.readouterr().err.splitlines()] == ["first", "second"]


@pytest.mark.medium
def test_what_the_caller_does_between_two_items_is_not_announced(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRINCEPS_SILENT_SECONDS", "0.5")

    def items() -> Iterator[int]:
        yield 1
        yield 2

    for item in each_announced("items", items()):
        time.sleep(0.4 * item)
    assert capsys.readouterr().err == ""


def wait_until(condition: Callable[[], bool]) -> None:
    for _ in range(1000):
        if condition():
            return
        time.sleep(0.02)


@pytest.mark.parametrize("watched", [True, False])
def test_long_compiling_is_named_once_where_somebody_watches(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, watched: bool
) -> None:
    monkeypatch.setattr(machine, "is_watched", lambda: watched)
    monkeypatch.setattr(announcing, "COMPILING_SECONDS", 0.05)
    monkeypatch.setenv("PRINCEPS_SILENT_SECONDS", "600")
    with announced("princeps.run"):
        compiles("mine for engine agents")
        work = announcing._going_on[threading.get_ident()]
        for _ in range(2):
            with compiling(), compiling():  # of a function that the other calls
                wait_until(lambda: work.compiling_is_said if watched else work.is_compiling_long(time.monotonic()))
                time.sleep(0.1)
        assert work.compiling_since is None
    assert capsys.readouterr().err == ("princeps: compiling mine for engine agents ...\n" if watched else "")


def test_what_numba_compiles_is_compiling(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from princeps.lowering.jit import njit

    monkeypatch.setenv("PRINCEPS_CACHE_DIR", str(tmp_path))
    spent = []
    for _ in range(2):

        @njit(cache=True)
        def successor(x: int) -> int:
            return x + 1

        with announced("princeps.run"):
            assert successor(1) == 2
            spent.append(announcing._going_on[threading.get_ident()].compiled_seconds)
    assert spent[0] > 0
    assert spent[1] == 0  # it is in the cache


def test_a_display_takes_the_place_of_the_sentence(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    monkeypatch.setattr(machine, "is_own_process", False)  # which a verb of another test may have set
    monkeypatch.setattr(progress, "_writer", lambda: (written.append, written.append))
    with announced("princeps.run"), progress.displayed("princeps.run") as display:
        wait_for_watch()
        assert display is not None
        assert len(written) == 1  # by the thread that looks after silent work
        display.due = 0.0
        display.show(lambda: "half of it")
    assert [line.partition(":")[0] for line in written] == ["princeps.run"] * 3
    assert written[1] == "princeps.run: half of it"
    assert written[0].endswith(" s")
    assert capsys.readouterr().err == ""


def test_what_is_left_to_others_is_not_announced(capsys: Captured) -> None:
    def work() -> None:
        announcing.leave_to_others()
        with announced("a trial"):
            time.sleep(0.4)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    announcing._going_on.clear()
    assert capsys.readouterr().err == ""


def test_what_was_asked_to_take_long_is_silent_until_then(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcing, "_begin_watch", lambda: None)
    monkeypatch.setenv("PRINCEPS_SILENT_SECONDS", "7")
    with announced("princeps.net"):
        work = announcing._going_on[threading.get_ident()]
        began = work.began
        asked_to_take(60.0)
        announcing._look_at(work, began + 66.0)
        assert capsys.readouterr().err == ""
        announcing._look_at(work, began + 68.0)
        assert "takes longer than 7 s" in capsys.readouterr().err


@pytest.mark.parametrize(("transport", "asked"), [("memory", []), ("udp", [0.2])])
def test_virtual_time_says_nothing_about_the_clock(
    transport: str, asked: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[float] = []
    monkeypatch.setattr("princeps.api.net.asked_to_take", found.append)
    princeps.net("fratricide", n=2, seed=1, duration="0.2s", transport=transport)
    assert found == asked


def test_a_failure_ends_the_work() -> None:
    with pytest.raises(KeyError), announced("failing"):
        raise KeyError
    assert not announcing._going_on


def test_sessions_are_announced_as_functions_are(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []

    @contextmanager
    def noting(name: str, remedy: str = "") -> Iterator[None]:
        begun.append(name)
        yield

    monkeypatch.setattr(announcing, "announced", noting)
    how = {"n": 4, "seed": 1, "engine": "reference"}
    princeps.run("fratricide", **how)
    session = princeps.session("fratricide", **how)
    session.step(3)
    session.run_until()
    session.back().goto(0)
    steps = {"session.step", "session.run_until"}
    assert set(begun) == steps | {"princeps.run", "princeps.session", "session.back", "session.goto"}
    begun.clear()
    ring = princeps.session("a_k", labels="1,2,2", k=2)
    ring.step()
    ring.run_until()
    assert set(begun) == steps | {"princeps.session"}


@pytest.mark.parametrize("name", ["run", "trials", "estimate", "exact", "sweep", "results", "fit", "merge", "plot", "paper", "table",
                                  "ring", "impossible", "session", "replay", "net"])  # fmt: skip
def test_every_public_function_is_announced(name: str) -> None:
    function = getattr(princeps, name)
    assert function.__code__.co_name == "announcing"


def test_the_environment_says_how_long_work_may_be_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, seconds in (("0.5", 0.5), ("600", 600.0), ("", 7.0), ("soon", 7.0)):
        monkeypatch.setenv("PRINCEPS_SILENT_SECONDS", text)
        assert announcing.silent_seconds() == seconds
    monkeypatch.delenv("PRINCEPS_SILENT_SECONDS")
    assert announcing.silent_seconds() == 7.0
