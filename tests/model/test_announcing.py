"""Long work says so on stderr, once, and short work says nothing."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

import princeps
from princeps.model import announcing
from princeps.model.announcing import announced, announces, each_announced, said

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcing, "SILENT_SECONDS", 0.2)
    monkeypatch.setattr(announcing, "LOOK_SECONDS", 0.02)


def wait_for_watch() -> None:
    time.sleep(0.5)


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


def test_short_work_and_work_that_shows_itself_are_not(capsys: Captured) -> None:
    for _ in range(50):
        with announced("short"):
            time.sleep(0.005)
    with announced("shown"):
        said()
        wait_for_watch()
    said()  # outside of any work
    assert capsys.readouterr().err == ""


def test_the_watch_ends_and_begins_again(capsys: Captured) -> None:
    with announced("first"):
        wait_for_watch()
    time.sleep(0.2)
    assert not [one for one in threading.enumerate() if one.name == "princeps-announcing"]
    with announced("second"):
        wait_for_watch()
    assert [line.split()[1] for line in capsys.readouterr().err.splitlines()] == ["first", "second"]


def test_what_the_caller_does_between_two_items_is_not_announced(capsys: Captured) -> None:
    def items() -> Iterator[int]:
        yield 1
        yield 2

    for item in each_announced("items", items()):
        time.sleep(0.15 * item)
    assert capsys.readouterr().err == ""


def test_a_failure_ends_the_work() -> None:
    with pytest.raises(KeyError), announced("failing"):
        raise KeyError
    assert not announcing._going_on


def test_python_functions_and_sessions_say_that_they_take_long(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    how = {"n": 60, "N": 64, "seed": 1, "engine": "reference"}
    monkeypatch.setattr(announcing, "SILENT_SECONDS", 0.0)
    princeps.run("p_rl", **how, max_steps=20_000)
    assert "princeps.run takes longer" in capsys.readouterr().err
    session = princeps.session("p_rl", **how)
    capsys.readouterr()
    session.step(20_000)
    assert "session.step takes longer" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["run", "trials", "estimate", "exact", "sweep", "results", "fit", "merge", "plot", "paper",
                                  "ring", "impossible", "session", "replay"])  # fmt: skip
def test_every_public_function_is_announced(name: str) -> None:
    function = getattr(princeps, name)
    assert function.__code__.co_name == "announcing"
