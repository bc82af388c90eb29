"""The notebooks of examples/ and docs/: their form at every edit, their outputs in the slow suite (`make notebooks` makes them)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat")

from tests.notebook_outputs import NOTEBOOKS, ROOT, executed, normalised, texts, without_durations  # noqa: E402

EXPECTED = {
    "docs/tutorial.ipynb",
    "examples/comparing_protocols.ipynb",
    "examples/exact_and_simulation.ipynb",
    "examples/faults_and_recovery.ipynb",
    "examples/first_protocol.ipynb",
    "examples/homonym_rings.ipynb",
}
MAX_BYTES = 300_000
MAX_LINES = 30  # of a cell
MACHINE_PATH = re.compile(r"(?<![\w.:/])/(?:root|home|tmp|var|work|usr|opt|Users|private)/|[A-Z]:\\")
LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def test_all_are_there() -> None:
    assert {path.relative_to(ROOT).as_posix() for path in NOTEBOOKS} == EXPECTED


@each_notebook
def test_form(path: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    first, *cells = notebook.cells
    assert (first.cell_type, first.source[:2]) == ("markdown", "# ")
    code = [cell for cell in cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    for cell in code:
        assert len(cell.source.splitlines()) <= MAX_LINES, cell.source
    kinds = {kind for shown in texts(notebook) for kind, _ in shown}
    assert not kinds & {"error", "stderr"}
    assert any(kind.startswith("image/") for kind in kinds)
    text = path.read_text(encoding="utf-8")
    assert len(text) <= MAX_BYTES
    assert MACHINE_PATH.search(text) is None
    assert text == nbformat.writes(normalised(notebook)) + "\n", "not in the form that `make notebooks` writes"


@each_notebook
def test_links(path: Path) -> None:
    for cell in read(path).cells:
        if cell.cell_type == "markdown":
            for target in LINK.findall(cell.source):
                assert (path.parent / target).exists(), target


@pytest.mark.slow
@each_notebook
def test_outputs_are_those_of_now(path: Path) -> None:
    committed, now = read(path), executed(path)
    for cell, before, after in zip(now.cells, texts(committed), texts(now), strict=True):
        assert after == before, f"`make notebooks` makes it anew: {cell.source}"


def test_only_durations_are_left_out() -> None:
    assert without_durations("steps    5\nseconds  0.31\n") == "steps    5\nseconds  ...\n"
    assert (
        without_durations('<th>seconds</th><td a="b">0.3</td><td>7</td>')
        == '<th>seconds</th><td a="b">...</td><td>7</td>'
    )
    assert without_durations("10 seconds  0.31") == "10 seconds  0.31"
