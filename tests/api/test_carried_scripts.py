"""The script of a session with a class that no name leads to carries the class as text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.errors import RunError, UnknownProtocol
from princeps.model.description import read_command
from princeps.model.reading_scripts import load_script
from princeps.model.registry import find_any
from tests.conftest import Command
from tests.notebook_tools import MINE, Notebook, with_mine


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def saved(here: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Notebook]:
    notebook = with_mine(monkeypatch)
    one = princeps.session(notebook["Mine"], n=6, seed=1, engine="reference").step(20)
    one.corrupt(1).save("s.script")
    return one, notebook


def test_a_session_of_a_notebook_is_replayed_without_it(
    saved: tuple[Any, Notebook], quick: Command, here: Path
) -> None:
    one, _ = saved
    again = princeps.replay("s.script")
    assert again.counts == one.counts
    assert again.script == one.script
    assert again.command.startswith(
        "# no command repeats this: the script 's.script' keeps Mine as text: princeps run --"
    )
    outcome = quick("run", "--script", "s.script", "--json").object
    assert (outcome["steps"], outcome["leaders"]) == (one.steps, one.leaders)
    again.step(5).save("t.script")  # a replayed session can be saved like the first
    assert princeps.replay("t.script").counts == again.counts
    assert json.loads((here / "s.script").read_text().splitlines()[0])["command"].startswith("princeps run Mine -n 6 ")


def test_what_the_notebook_says_later_does_not_matter(saved: tuple[Any, Notebook]) -> None:
    one, notebook = saved
    notebook.cell(MINE.replace("b.leader = 0", "a.leader = 0"))
    assert princeps.replay("s.script").counts == one.counts
    with pytest.raises(RunError, match=r"the protocol has changed since 's.script' was written"):
        princeps.replay("s.script", protocol=notebook["Mine"])


def test_reading_a_script_executes_nothing(
    saved: tuple[Any, Notebook], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only a replay does, which a user asks for; whoever reads the command alone finds no protocol."""
    head, *events = (here / "s.script").read_text().splitlines()
    found = json.loads(head)
    found["gathered"]["text"] += "\nprint('executed')\n"
    (here / "altered.script").write_text("\n".join([json.dumps(found), *events]))
    with pytest.raises(RunError, match=r"altered.script:1: the text of Mine is not what was written"):
        princeps.replay("altered.script")
    script = load_script("s.script")
    assert script.gathered is not None
    with pytest.raises(UnknownProtocol):
        find_any(read_command(script.command).protocol)
    found["gathered"] = {"class": "Mine"}
    (here / "altered.script").write_text("\n".join([json.dumps(found), *events]))
    with pytest.raises(RunError, match=r'altered.script:1: "gathered" needs the texts "class", "hash" and "text"'):
        load_script("altered.script")
    assert capsys.readouterr().out == ""


def test_a_class_without_text_must_be_given(here: Path, monkeypatch: pytest.MonkeyPatch, quick: Command) -> None:
    notebook = with_mine(monkeypatch)
    notebook.cell("import threading\nLOCK = threading.Lock()\n")
    notebook.cell(MINE.replace("x = Range(4)", "x = Range(lambda p: 4 if LOCK else 5)"))
    one = princeps.session(notebook["Mine"], n=6, seed=1, engine="reference").step(20)
    one.save("s.script")
    assert princeps.replay("s.script", protocol=notebook["Mine"]).counts == one.counts
    with pytest.raises(
        RunError, match=r"s.script:1: .*LOCK.*: give the class, princeps.replay\('s.script', protocol=Mine\)"
    ):
        princeps.replay("s.script")
    assert quick("run", "--script", "s.script").code == 2


def test_scripts_of_named_protocols_carry_nothing(here: Path) -> None:
    princeps.session("fratricide", n=5, seed=1, engine="reference").save("s.script")
    assert list(json.loads((here / "s.script").read_text().splitlines()[0])) == ["script", "command", "identity"]
