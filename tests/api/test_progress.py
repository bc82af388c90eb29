"""Progress of calls from Python: one line in a terminal or a notebook, nothing elsewhere."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import princeps
from princeps.api import progress
from princeps.model import machine
from tests.tables import in_one_test

PLAIN: dict[str, Any] = {"engine": "reference", "seed": 1}
CALLS: dict[str, tuple[Callable[..., Any], str]] = {  # what is called, and what is said at last
    "run": (lambda **given: princeps.run("fratricide", 40, **PLAIN, **given), " leader"),
    "trials": (lambda **given: princeps.trials("fratricide", 4, trials=3, **PLAIN, **given), "3 of 3 trials"),
    "exact": (lambda **given: princeps.exact("fratricide", 3, **given), "exploring: 3 of 3"),
}


@pytest.fixture(autouse=True)
def from_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "is_own_process", False)  # which a verb of another test may have set


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Cell:
    """What IPython would show: the outputs of a cell, each with its last content."""

    def __init__(self) -> None:
        self.outputs: list[dict[str, str]] = []

    def display(self, content: dict[str, str], *, raw: bool, display_id: bool) -> Any:
        assert raw
        assert display_id
        self.outputs.append(content)
        return SimpleNamespace(update=lambda content, raw: self.outputs.__setitem__(-1, content))


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRINCEPS_PROGRESS_SECONDS", "0")
    monkeypatch.setattr(progress, "EVERY_SECONDS", 0.0)
    monkeypatch.delitem(sys.modules, "IPython", raising=False)


def shown_on_terminal(call: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> str:
    """pytest sets stderr before each test: it is replaced during the call."""
    found = Terminal()
    monkeypatch.setenv("COLUMNS", "100")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", found)
        call()
    return found.getvalue()


@pytest.fixture
def cell(monkeypatch: pytest.MonkeyPatch) -> Cell:
    found = Cell()
    shell = SimpleNamespace(kernel=None)
    module = SimpleNamespace(get_ipython=lambda: shell, display=SimpleNamespace(display=found.display))
    monkeypatch.setitem(sys.modules, "IPython", module)
    return found


@in_one_test("name", CALLS)
def test_a_terminal_shows_one_line_that_goes_away(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    call, last = CALLS[name]
    text = shown_on_terminal(call, monkeypatch)
    lines = text.split(progress.CLEAR)
    assert lines[-1] == ""
    assert lines[-2].startswith(f"princeps.{name}: ")
    assert any(last in line for line in lines)
    assert all(len(line) < 100 for line in lines[1:])  # before the first, a kernel may have been compiled


def test_a_check_shows_what_it_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    for part in ("engines.engines", "proofs.proofs"):  # which compile
        monkeypatch.setattr(f"princeps.api.checking.{part}", lambda *given: iter(()))
    text = shown_on_terminal(lambda: princeps.check("fratricide"), monkeypatch)
    lines = text.split(progress.CLEAR)
    assert lines[-1] == ""
    assert "princeps.check: 1 finding, n = 2, complete, from initial" in lines
    assert lines[-2].startswith("princeps.check: ")
    assert shown_on_terminal(lambda: princeps.check("fratricide", progress=False), monkeypatch) == ""
    with progress.displayed("princeps check", of_a_verb=True) as display:
        assert display is None  # stderr is no terminal


@in_one_test("name", CALLS)
def test_it_can_be_switched_off_or_watched_by_oneself(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    call, _ = CALLS[name]
    assert shown_on_terminal(lambda: call(progress=False), monkeypatch) == ""
    if name != "trials":
        assert shown_on_terminal(lambda: call(observer=lambda *what: None), monkeypatch) == ""


@in_one_test("name", CALLS)
def test_nothing_is_shown_where_nobody_sees_it_change(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    call, _ = CALLS[name]
    call()
    assert capsys.readouterr() == ("", "")


@in_one_test("name", CALLS)
def test_a_notebook_has_one_output_that_is_updated(name: str, cell: Cell) -> None:
    cell.outputs.clear()
    call, _ = CALLS[name]
    call()
    (shown,) = cell.outputs
    assert shown["text/plain"].startswith(f"princeps.{name}: ")
    assert shown["text/plain"].endswith(" s")
    assert shown["text/html"].startswith("<code>")
    assert len(shown["text/html"]) < 300


def test_results_are_the_same_with_a_line(cell: Cell) -> None:
    shown = princeps.run("fratricide", 40, **PLAIN)
    assert len(cell.outputs) == 1
    assert shown.steps == princeps.run("fratricide", 40, progress=False, **PLAIN).steps


def test_what_ends_soon_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRINCEPS_PROGRESS_SECONDS", "1000")
    assert shown_on_terminal(CALLS["run"][0], monkeypatch) == ""


def test_the_last_state_is_kept_also_if_it_came_too_early_to_be_shown(
    monkeypatch: pytest.MonkeyPatch, cell: Cell
) -> None:
    monkeypatch.setattr(progress, "EVERY_SECONDS", 1000.0)
    CALLS["trials"][0]()
    (shown,) = cell.outputs
    assert shown["text/plain"].startswith("princeps.trials: 3 of 3 trials, ")


def test_a_sweep_and_papers_in_words(cell: Cell, tmp_path: Path) -> None:
    store = str(tmp_path / "s.db")
    princeps.sweep("fratricide", n=[4, 5], trials=2, jobs=1, engine="reference", store=store)
    (shown,) = cell.outputs
    assert shown["text/plain"].startswith("princeps.sweep: 2 of 2 points, 4 trials run")
    with progress.displayed("princeps.paper") as display:
        progress.watching_evidence(display)(3, 1000, "steps of <p_rl>")
    assert cell.outputs[1]["text/plain"].startswith("princeps.paper: 3 of 1,000, steps of <p_rl>, ")
    assert "&lt;p_rl&gt;" in cell.outputs[1]["text/html"]


@pytest.mark.slow
def test_a_real_notebook_keeps_one_short_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    cells = [
        "import princeps",
        "found = princeps.sweep('fratricide', n=[4, 5, 6], trials=40, jobs=1, engine='reference', store='s.db')",
        "found = princeps.trials('fratricide', 5, trials=50, engine='reference')",
        "found = princeps.trials('fratricide', 5, trials=50, engine='reference', progress=False)",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    first, swept, tried, silent = (cell.outputs for cell in notebook.cells)
    assert (first, silent) == ([], [])
    for (output,), name in ((swept, "sweep"), (tried, "trials")):
        assert output.output_type == "display_data"
        assert output.data["text/plain"].startswith(f"princeps.{name}: ")
        assert len(str(output.data)) < 500
    assert "3 of 3 points, 120 trials run" in swept[0].data["text/plain"]


def test_a_sentence_does_not_stand_behind_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def call() -> None:
        with progress.displayed("princeps.run") as display:
            assert display is not None
            display.show(lambda: "half way")
            machine.say("compiling.")

    text = shown_on_terminal(call, monkeypatch)
    assert f"half way{progress.CLEAR}princeps: compiling.\n" in text
    assert machine.before_saying is None
