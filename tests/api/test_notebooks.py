"""A protocol in the cells of a real notebook, executed by Jupyter's own kernel: every function takes the class."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Command

CELLS = [
    "import princeps\nfrom princeps import *",
    "L = 1",
    "def hit(a):\n    return a.x == L",
    """
class Mine(PopulationProtocol):
    leader = Bit()
    x = Range(4)
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1, "x": L})])}

    def interact(a, b, p):
        if a.leader == 1 and b.leader == 1 and hit(a):
            b.leader = 0
""",
    "print([princeps.run(Mine, n=20, seed=1, engine=engine).steps for engine in ('reference', 'agents')])",
    "L = 2",
    "print([princeps.run(Mine, n=20, seed=1, engine=engine).steps for engine in ('reference', 'agents')])",
    "def hit(a):\n    return a.x == L and a.leader == 1",
    "print([princeps.run(Mine, n=20, seed=1, engine=engine).steps for engine in ('reference', 'agents')])",
    "print([one.steps for one in princeps.trials(Mine, n=20, trials=4, jobs=2, seed=1, engine='reference')])",
    "print([one.steps for one in princeps.trials(Mine, n=20, trials=4, jobs=1, seed=1, engine='reference')])",
    "print([one.trials for one in princeps.sweep(Mine, n=[4, 5], trials=3, jobs=2, store='s.db', engine='reference')])",
    "print(next(iter(princeps.results('s.db', protocol=Mine))).command)",
    "print(princeps.exact(Mine, 3).mean)",
    "print(princeps.session(Mine, n=5, seed=1).step(3).steps)",
    "print(princeps.protocol(Mine, n=5).fields)",
    "print(princeps.run(Mine, n=5, seed=1, engine='reference').command)",
]


def executed(cells: list[str], folder: Path) -> list[str]:
    """What each cell printed."""
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    return ["".join(_text(output) for output in cell.outputs).strip() for cell in notebook.cells]


def _text(output: Any) -> str:
    if output.output_type == "display_data":  # how far a call was, on a slow machine
        assert output.data["text/plain"].startswith("princeps.")
        return ""
    assert (output.output_type, output.name) == ("stream", "stdout")
    return str(output.text)


@pytest.mark.slow
def test_a_class_of_a_notebook_is_a_full_citizen(
    quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = executed(CELLS, tmp_path)
    runs = [printed[k] for k in (4, 6, 8)]
    assert len(set(runs)) == 1  # the rule is the same with L = 1 and L = 2, in both engines
    reference, agents = runs[0].strip("[]").split(", ")
    assert reference == agents
    assert printed[9] == printed[10]
    assert printed[11] == "[3, 3]"
    assert shlex.split(printed[12])[:3] == ["princeps", "run", "s.db:Mine"]
    assert printed[13:16] == ["4.0", "3", "{'leader': 2, 'x': 4}"]
    assert printed[16].startswith("# no command repeats this: Mine is not defined in a file; a sweep keeps it")
    monkeypatch.chdir(tmp_path)
    again = quick(*shlex.split(printed[12])[1:-1], 0, "--json")
    assert (again.code, again.object["leaders"]) == (0, 1)
