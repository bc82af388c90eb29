"""A class that was swept is kept in the store as text: `princeps run s.db:Mine` takes it from there."""

from __future__ import annotations

import json
import shlex
import sqlite3
from pathlib import Path

import pytest

import princeps as library
from princeps.errors import ProtocolError, StoreError
from princeps.model import registry
from tests.campaign.sweep_tools import rows_of, swept
from tests.conftest import Command
from tests.notebook_tools import CONSTANT, HELPER, MINE, START, with_mine

FILE = f"from princeps import *\n\n{CONSTANT}\n\n{HELPER}\n\n{START}\n{MINE}"


@pytest.fixture(autouse=True)
def _without_processes(on_the_spot: None, here: Path) -> None:
    """Where workers are does not matter here."""


def test_every_trial_of_a_class_can_be_repeated(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = with_mine(monkeypatch)
    found, count = swept(notebook["Mine"], [5, 6], "s.db", trials=3)
    assert count.trials == 6
    rows = rows_of("s.db")
    for summary in found:
        words = shlex.split(summary.command)
        assert words[:3] == ["princeps", "run", "s.db:Mine"]
        for trial in range(3):
            again = quick(*words[1:-1], trial, "--json").object
            (row,) = [row for (point, _, k), row in rows.items() if (point, k) == (summary.point, trial)]
            assert (again["steps"], again["leader"]) == (row["steps"], row["leader"])
    assert quick("show", "s.db:Mine").code == 0
    assert library.protocol("s.db", n=4).fields == {"leader": 2, "x": 4}
    assert len(library.results("s.db", protocol=notebook["Mine"])) == 2


def test_a_store_resumes_wherever_the_class_comes_from(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a notebook, from a file by its name, as a class of that file, from the store itself."""
    notebook = with_mine(monkeypatch)
    assert swept(notebook["Mine"], 5, "s.db", trials=3)[1].trials == 3
    (here / "mine.py").write_text(FILE)
    from_file = registry.find_any("./mine.py:Mine")
    for again in ("./mine.py:Mine", from_file, "s.db:Mine", library.protocol("s.db:Mine", n=5).__class__):
        assert swept(again, 5, "s.db", trials=3)[1].trials == 0


def test_two_classes_of_one_name_are_told_apart(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = with_mine(monkeypatch)
    swept(notebook["Mine"], 5, "s.db", trials=1)
    notebook.cell(MINE.replace("b.leader = 0", "a.leader = 0"))
    swept(notebook["Mine"], 5, "s.db", trials=1)
    commands = [summary.command for summary in library.results("s.db")]
    assert len({shlex.split(command)[2] for command in commands}) == 2
    for command in commands:
        assert shlex.split(command)[2].startswith("s.db:Mine@")
        assert quick(*shlex.split(command)[1:-1], 0).code == 0
    with pytest.raises(ProtocolError, match=r"'s.db:Mine' may mean several protocols: name one of them \(s.db:Mine@"):
        library.run("s.db:Mine", n=5)


def test_a_comment_makes_no_other_class(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = with_mine(monkeypatch)
    swept(notebook["Mine"], 5, "s.db", trials=1)
    notebook.cell(MINE.replace("b.leader = 0", "b.leader = 0  # the responder follows"))
    assert swept(notebook["Mine"], [5, 6], "s.db", trials=1)[1].trials == 1
    assert library.run("s.db:Mine", n=5, seed=1, engine="reference").leaders == 1


def test_what_no_store_keeps_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    swept("fratricide", 5, "names.db", trials=1)
    swept(with_mine(monkeypatch)["Mine"], 5, "s.db", trials=1)
    for name, sentence in {
        "names.db:Mine": "no protocol can be taken from store 'names.db': it keeps only the names .* are fratricide",
        "s.db:Other": "store 's.db' keeps no protocol 'Other': it keeps Mine",
        "none.db:Mine": "there is no store 'none.db': check the path",
    }.items():
        with pytest.raises(ProtocolError, match=sentence):
            library.run(name, n=5)


def test_a_text_that_was_altered_is_not_executed(monkeypatch: pytest.MonkeyPatch) -> None:
    swept(with_mine(monkeypatch)["Mine"], 5, "s.db", trials=1)
    with sqlite3.connect("s.db") as connection:
        (text,) = connection.execute("SELECT description FROM points").fetchone()
        described = json.loads(text)
        described["gathered"]["text"] += "\nraise SystemExit\n"
        connection.execute("UPDATE points SET description = ?", (json.dumps(described),))
    connection.close()
    with pytest.raises(StoreError, match="the text of Mine is not what was written"):
        library.run("s.db:Mine", n=5)


def test_stores_with_classes_are_merged(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = with_mine(monkeypatch)
    for name, n in (("a.db", 5), ("b.db", 6)):
        swept(notebook["Mine"], n, name, trials=2)
    library.merge("a.db", "b.db", output="c.db")
    assert library.run("c.db:Mine", n=5, seed=1, engine="reference").command.startswith("princeps run c.db:Mine ")
    assert [shlex.split(one.command)[2] for one in library.results("c.db")] == ["c.db:Mine"] * 2
