"""Ctrl-C at any moment of a command ends with 130 and a word, also before and after the verb itself is at work."""

from __future__ import annotations

import subprocess
import sys

import pytest

from princeps import cli
from tests.conftest import PATIENCE, Command


def interrupted(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    "place",
    [
        "princeps.cli._understood",  # reading the words
        "princeps.cli.import_module",  # loading the verb
        "typer.Typer",  # making the command line
        "typer.core.TyperGroup.make_context",  # typer reads it: it would end with 130 itself, without a word
        "typer.core.TyperGroup.invoke",
        "princeps.model.rings.facts.ring_facts",  # the verb
        "princeps.cli.ring_tables.print_ring_facts",
    ],
)
def test_one_word_wherever_it_comes(quick: Command, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    monkeypatch.setattr(place, interrupted)
    done = quick("ring", "1,2,2")
    assert (done.code, done.stdout, done.stderr) == (130, "", "princeps: interrupted.\n")


def test_while_it_is_being_told_how_the_command_ended(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("princeps.cli.frame.exit_code_of", interrupted)
    monkeypatch.setattr("princeps.cli.ending.exit_code_of", interrupted)
    done = quick("ring", "1")
    assert (done.code, done.stdout, done.stderr) == (130, "", "princeps: interrupted.\n")


def interrupted_in_a_class(*_: object, **__: object) -> None:
    """As Python 3.11 has it if Ctrl-C comes in `__set_name__`, while a module is loaded."""
    raise RuntimeError("Error calling __set_name__ on 'cached_property' instance") from KeyboardInterrupt()


def test_while_a_class_is_made(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("princeps.model.rings.facts.ring_facts", interrupted_in_a_class)
    done = quick("ring", "1,2,2")
    assert (done.code, done.stdout, done.stderr) == (130, "", "princeps: interrupted.\n")
    monkeypatch.setattr("princeps.cli.import_module", interrupted_in_a_class)
    assert quick("ring", "1,2,2").stderr == "princeps: interrupted.\n"
    monkeypatch.setattr("princeps.cli.frame.exit_code_of", interrupted_in_a_class)
    monkeypatch.setattr("princeps.cli.ending.exit_code_of", interrupted_in_a_class)
    assert quick("ring", "1").stderr == "princeps: interrupted.\n"


def test_while_a_class_is_made_before_there_is_a_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("princeps.cli.streams.prepare", interrupted_in_a_class)
    with pytest.raises(SystemExit) as left:
        cli.entry()
    assert (left.value.code, capsys.readouterr().err) == (130, "princeps: interrupted.\n")


SIGNALLED = """
import os, signal, sys
from princeps.cli import entry
sys.argv = ["princeps", "ring", "1,2,2"]
seen = 0
def trace(frame, event, argument):
    global seen
    seen += 1
    if seen == {after}:
        sys.settrace(None)
        os.kill(os.getpid(), signal.SIGINT)
    return trace
sys.settrace(trace)
entry()
"""


@pytest.mark.slow
def test_at_any_line_of_a_process() -> None:
    """A signal of the system after so many lines of Python: from the second line of `entry` on."""
    for after in (3, 5, 10, 20, 50, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 200_000):
        line = [sys.executable, "-c", SIGNALLED.format(after=after)]
        done = subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE)
        told = (done.returncode, done.stderr) == (130, "princeps: interrupted.\n")
        assert told or (done.returncode == 0 and "ring 1,2,2" in done.stdout), (after, done)
