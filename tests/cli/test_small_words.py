"""Words of the command line that are easily got wrong: empty values, verbs by other names, one of something."""

from __future__ import annotations

from pathlib import Path

import pytest

import princeps as library
from princeps import errors
from princeps.api.checking.report import WRONG, Checked, Finding
from princeps.model.formatting import counted
from tests.cli.refusals import assert_refused
from tests.conftest import Command

EMPTY = {"start": "unknown start ''", "until": "''", "graph": "graph ''"}


@pytest.mark.parametrize("option", EMPTY)
def test_an_empty_value_is_not_the_default(quick: Command, option: str) -> None:
    said = EMPTY[option]
    outcome = quick("run", "fratricide", "-n", 5, f"--{option}", "", "--engine", "reference")
    assert_refused(outcome, said, ": ")
    with pytest.raises(errors.PrincepsError, match=said):
        library.run("fratricide", n=5, engine="reference", **{option: ""})


def test_what_a_verb_does_under_another_name(quick: Command) -> None:
    said = "unknown verb 'compare': write princeps plot STORE -o FIGURE --kind compare."
    assert_refused(quick("compare", "p_ll", "p_rl"), "'compare'", said)
    assert_refused(quick("sho"), "'sho'", "did you mean show?")


def test_one_of_something() -> None:
    assert [counted(k, "steps") for k in (0, 1, 2, 1000)] == ["0 steps", "1 step", "2 steps", "1,000 steps"]
    assert counted(1.0, "steps", ".6g") == "1 step"


def test_the_headline_of_a_check() -> None:
    found = Checked("t", None)
    assert repr(found) == "t: nothing is wrong"
    found.findings.append(Finding("runs", WRONG, "never"))
    assert repr(found).splitlines()[0] == "t: 1 finding is wrong"
    assert repr(Checked("t", "t.py", found.findings * 2)).splitlines()[0] == "t (t.py): 2 findings are wrong"


def test_a_file_of_another_kind_is_replaced_on_request(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("mine")
    words = ("run", "fratricide", "-n", 5, "--seed", 1, "--engine", "reference", "-o", path)
    assert_refused(quick(*words), str(path), "would be lost: choose another path, or insist with --force.")
    assert path.read_text() == "mine"
    for count in (1, 2):  # what was begun anew is added to
        assert quick(*words, "--force").code == 0
        assert [line[:24] for line in path.read_text().splitlines()] == ['{"protocol": "fratricide'] * count
