"""A protocol's file is edited between two sweeps into one store: two contents of one name, which are told apart."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps.campaign import point as points
from princeps.errors import ProtocolError, StoreError
from princeps.model import registry
from princeps.model.naming import NameOfClass
from tests.campaign.sweep_tools import OWN, assert_repeats, rows_of, swept
from tests.conftest import Command
from tests.figures.conftest import legend

EDITED = OWN.replace("b.leader = 0", "a.leader = 0")
SPEC = "./mine.py:Mine"
Write = Callable[[str], None]


@pytest.fixture(autouse=True)
def _without_processes(on_the_spot: None) -> None:
    """Where workers are does not matter here."""


@pytest.fixture
def write(here: Path) -> Write:
    """Writes the file; its time differs each time, however fast the disk is."""
    times = iter(range(1, 100))

    def one(text: str) -> None:
        (here / "mine.py").write_text(text)
        os.utime("mine.py", (10**9 + (now := next(times)), 10**9 + now))

    return one


@pytest.fixture
def edited(write: Write) -> list[str]:
    """A store with three sizes of either rule; the names that tell them apart."""
    for text in (OWN, EDITED):
        write(text)
        swept(SPEC, [5, 6, 7], "s.db", trials=2)
    return list(dict.fromkeys(one.protocol for one in library.results("s.db")))


def named(store: str = "s.db", **which: Any) -> list[str]:
    """How the commands of the points name their protocol."""
    return [shlex.split(one.command)[2] for one in library.results(store, **which)]


@pytest.mark.medium
def test_two_contents_of_one_name_are_told_apart_everywhere(edited: list[str], quick: Command) -> None:
    first, second = edited
    assert first != second
    assert all(name.startswith("mine@") and len(name) == len("mine@12345678") for name in edited)
    found = library.results("s.db")
    assert found.columns("points")["protocol"] == [first] * 3 + [second] * 3
    assert set(found.columns("trials")["protocol"]) == {first, second}
    assert first in repr(found)
    assert second in quick("results", "s.db").stdout
    assert [one.protocol for one in library.fit("s.db")] == [one.series for one in library.fit("s.db")] == edited
    drawn = legend(library.plot("s.db", kind="growth"))[:2]
    assert {text.split(":")[0] for text in drawn} == set(edited)


@pytest.mark.medium
def test_every_trial_of_either_rule_can_be_repeated(edited: list[str], quick: Command) -> None:
    """The command of the old rule takes it from the store; that of the new one names the file, as it is what it was."""
    assert named() == [f"s.db:{edited[0].capitalize()}"] * 3 + [SPEC] * 3
    assert_repeats(quick, quick("results", "s.db", "--json"), "s.db")


def test_one_of_them_can_be_asked_for(edited: list[str], quick: Command) -> None:
    in_store = f"s.db:{edited[0].capitalize()}"
    for name, its in ((edited[0], in_store), (edited[0].capitalize(), in_store), (edited[1][: len("mine@123")], SPEC)):
        found = library.results("s.db", protocol=name)
        assert [(one.protocol, one.n) for one in found] == [("mine", 5), ("mine", 6), ("mine", 7)]
        assert named(protocol=name) == [its] * 3
    assert len(library.results("s.db", protocol="mine")) == 6
    assert [one.series for one in library.fit("s.db", protocol=edited[1])] == ["mine"]
    assert len(library.results("s.db").of(edited[0])) == 3
    assert len(quick("results", "s.db", "--protocol", edited[0], "--json").objects) == 3
    sentence = f"store 's.db' has no trials of 'mine@nosuch': it has {', '.join(sorted(edited))}"
    with pytest.raises(StoreError, match=sentence):
        library.results("s.db", protocol="mine@nosuch")


def test_a_name_that_means_both_is_refused(edited: list[str]) -> None:
    first, second = (name.capitalize() for name in edited)
    with pytest.raises(ProtocolError, match=f"'s.db:Mine' may mean several protocols: .*s.db:{first}, s.db:{second}"):
        library.run("s.db:Mine", n=5)
    for name in (first, edited[0]):  # also as tables call it
        assert library.run(f"s.db:{name}", n=5, seed=1, engine="reference").leaders == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a.leader = 1", "a.leader, a.x = 1, 1"),  # the start
        ("p.k + 1", "p.k + 2"),  # a field
        ("    k = Param", '    goals = {"leader": Counted(lambda c, p: c.leaders <= 2)}\n    k = Param'),
    ],
)
def test_whatever_makes_other_points_is_another_content(write: Write, old: str, new: str) -> None:
    text = OWN.replace("import Bit,", "import Bit, Counted,")
    for one in (text, text.replace(old, new)):
        write(one)
        assert swept(SPEC, 5, "s.db", trials=1)[1].trials == 1
    assert len({one.protocol for one in library.results("s.db")}) == 2


def test_an_addition_is_no_other_content(write: Write) -> None:
    """Names and tables stay as they are; the command of the older point still repeats it."""
    write(OWN)
    swept(SPEC, 5, "s.db", trials=1)
    write(OWN.replace('{"initial": initial}', '{"initial": initial, "other": initial}') + "# a comment\n")
    swept(SPEC, [5, 6], "s.db", trials=1)
    assert {one.protocol for one in library.results("s.db")} == {"mine"}
    older, newer = named()
    assert older.startswith("s.db:Mine@")
    assert newer == SPEC


def test_the_command_names_the_store_once_the_file_is_edited_or_gone(write: Write, quick: Command) -> None:
    write(OWN)
    swept(SPEC, 5, "s.db", trials=2)
    rows = rows_of("s.db")
    assert named() == [SPEC]
    write(EDITED)
    assert named() == ["s.db:Mine"]
    assert_repeats(quick, quick("results", "s.db", "--json"), "s.db")
    os.remove("mine.py")
    assert named() == ["s.db:Mine"]
    assert swept("s.db:Mine", 5, "other.db", trials=2)[1].trials == 2
    assert rows_of("other.db") == rows
    assert named("other.db") == ["other.db:Mine"]


def test_an_edited_module_beside_the_file_is_noticed(here: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(here))
    (here / "constants_of_mine.py").write_text("FOLLOWER = 0\n")
    write("from constants_of_mine import FOLLOWER\n" + OWN.replace("b.leader = 0", "b.leader = FOLLOWER"))
    swept(SPEC, 5, "s.db", trials=1)
    assert named() == [SPEC]
    (here / "constants_of_mine.py").write_text("FOLLOWER = 1\n")
    assert named() == ["s.db:Mine"]


def test_what_has_no_text_says_so_once_the_file_is_edited(write: Write) -> None:
    odd = OWN.replace(
        "class Mine",
        "import threading\nLOCK = threading.Lock()\n\ndef size(p):\n    LOCK\n    return p.k + 1\n\nclass Mine",
    )
    write(odd.replace("Range(lambda p: p.k + 1)", "Range(size)"))
    swept(SPEC, 5, "s.db", trials=1)
    assert named() == [SPEC]
    write(EDITED)
    (summary,) = library.results("s.db")
    assert summary.command.startswith(
        "# no command repeats this: mine.py has been changed since, and its text could not"
    )
    assert "LOCK" in summary.command


def test_stores_without_texts_are_told_apart_by_content(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """As princeps 0.1.0 wrote them. Which of the rules its file holds now is not known without executing it."""
    monkeypatch.setattr(points, "kept_of", lambda named: {})
    write(OWN)
    swept(SPEC, 5, "s.db", trials=1)
    assert named() == [SPEC]
    write(EDITED)
    swept(SPEC, 5, "s.db", trials=1)
    first, second = library.results("s.db")
    assert first.protocol != second.protocol
    assert len(library.results("s.db", protocol=first.protocol)) == 1
    for one in (first, second):
        assert one.command.startswith(
            "# no command repeats this: the store keeps the text of no protocol called mine, of"
        )
        assert one.protocol in one.command
    with pytest.raises(
        ProtocolError, match=r"it keeps only the names of those that were swept into it, .* \./mine.py:Mine"
    ):
        library.run("s.db:Mine", n=5)


@pytest.mark.medium
def test_a_class_means_the_content_that_it_has(write: Write) -> None:
    write(OWN)
    swept(SPEC, [5], "s.db", trials=2)
    first = library.results("s.db", protocol=registry.find("./mine.py:Mine"))
    assert [one.protocol for one in first] == ["mine"]
    write(EDITED)
    swept(SPEC, [5], "s.db", trials=3)
    now = registry.find("./mine.py:Mine")
    assert [one.trials for one in library.results("s.db", protocol=now)] == [3]
    assert [one.trials for one in library.results("s.db").of(NameOfClass(now))] == [3]
    assert {one.trials for one in library.results("s.db", protocol="mine")} == {2, 3}
    write(OWN.replace("b.leader = 0", "b.leader = b.leader = 0"))
    with pytest.raises(StoreError, match=r"holds mine@\w+ and mine@\w+, and neither is Mine as it is now: give one"):
        library.results("s.db", protocol=registry.find("./mine.py:Mine"))
