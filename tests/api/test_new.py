"""`princeps new` writes files that run as they stand, and never over somebody's work."""

from __future__ import annotations

from pathlib import Path

import pytest

import princeps as library
from princeps.errors import PrincepsError, RunError
from tests.conftest import Command


def test_a_new_protocol_runs_as_it_stands(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "my_protocol.py"
    made = quick("new", path, "--json")
    assert made.code == 0
    assert made.object == {"file": str(path), "protocol": "MyProtocol", "spec": f"{path}:MyProtocol"}
    for until in ("leader", "settled"):
        found = quick("run", path, "-n", 30, "--seed", 1, "--until", until, "--engine", "reference", "--json").object
        assert (found["converged"], found["leaders"]) == (True, 1)


def test_a_new_ring_algorithm_elects_the_smallest_label(tmp_path: Path) -> None:
    made = library.new(tmp_path / "mine.py", ring=True)
    result = library.run(made.spec, labels=[3, 1, 2, 5], engine="reference", seed=1)
    assert (result.converged, result.leader_label, result.violations) == (True, 1, ())
    with pytest.raises(PrincepsError, match="distinct"):
        library.run(made.spec, labels=[3, 1, 1], seed=1)


def test_a_file_that_is_there_is_kept(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("work of years\n")
    refused = quick("new", path)
    assert refused.code == 2
    assert "is there already: choose another name, or insist with --force" in refused.stderr
    assert path.read_text() == "work of years\n"
    assert quick("new", path, "--force").code == 0
    assert "class Mine(" in path.read_text()
    path.write_text(path.read_text() + "# changed\n")
    assert quick("new", path).code == 2  # even one of ours: somebody may have worked on it


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("mine", "does not end with .py"),
        ("3d.py", "begin the file's name with a letter"),
        ("...py", "gives no name for a class"),
        ("nowhere/mine.py", "nowhere"),
    ],
)
def test_names_that_are_none(name: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RunError) as refused:
        library.new(name)
    assert sentence in str(refused.value)
    assert list(tmp_path.iterdir()) == []
