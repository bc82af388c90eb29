"""What a rule reaches may change from one cell of a notebook to the next: every engine then follows the new rule."""

from __future__ import annotations

import os
from typing import Any

import pytest

import princeps
from princeps.campaign.identity import identity
from princeps.errors import RunError
from princeps.lowering.memory import remembered
from princeps.model.reached import Reach
from princeps.model.reading import make_run
from tests.notebook_tools import CONSTANT, HELPER, MINE, START, Notebook, with_mine

CHANGES = {
    "a constant": "L = 2\n",
    "a helper": "def hit(a):\n    return a.x != L\n",
    "the rule": "def meet(a, b, p):\n    if a.leader == 1:\n        a.leader = 0\n\nMine.interact = staticmethod(meet)\n",
    "a table of the class": 'Mine.starts["initial"] = Blocks(lambda n, p: [(1, {"leader": 1, "x": L}), (n - 1, {})])\n',
    "code in place": "def other(a):\n    return a.x + 1 == L + 1\n\nhit.__code__ = other.__code__\n",
}
OTHER_ROOMS = {
    "a list": ("T = [1, 2]\n\ndef f(p):\n    return T[0]\n", "T[0] = 5\n"),
    "a table in a list": ("T = [{'a': 1}]\n\ndef f(p):\n    return T[0]['a']\n", "T[0]['a'] = 5\n"),
    "an array": ("import numpy\nT = numpy.array([1, 2])\n\ndef f(p):\n    return int(T[0])\n", "T[0] = 5\n"),
    "a class": ("class C:\n    K = 1\n\ndef f(p):\n    return C.K\n", "C.K = 5\n"),
    "an object": ("class C:\n    pass\n\nc = C()\nc.k = 1\n\ndef f(p):\n    return c.k\n", "c.k = 5\n"),
    "a closure": (
        "def make():\n    k = 1\n    def f(p):\n        return k\n    def more():\n        nonlocal k\n        k += 4\n"
        "    return f, more\n\nf, more = make()\n",
        "more()\n",
    ),
    "a default": ("def f(p, k=1):\n    return k\n", "f.__defaults__ = (5,)\n"),
    "a name that Python has": ("def f(p):\n    return max(1, 0)\n", "def max(x, y):\n    return 5\n"),
    "a module of yours": (
        "from types import ModuleType\nm = ModuleType('mine')\nm.K = 1\n\ndef f(p):\n    return m.K\n",
        "m.K = 5\n",
    ),
}


def seen(mine: Any, engine: str) -> tuple[Any, ...]:
    found = princeps.run(mine, n=30, seed=5, engine=engine, max_steps=400)
    return found.steps, found.leaders, found.converged, found.leader


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_compiled_engines_follow_a_change(monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    notebook = with_mine(monkeypatch)
    mine = notebook["Mine"]
    before = seen(mine, "reference")
    assert seen(mine, "agents") == before
    notebook.cell(change)
    assert seen(mine, "agents") == seen(mine, "reference")
    assert princeps.run(mine, n=3, seed=1, engine="agents").leaders <= 3


@pytest.mark.slow
def test_counts_and_exact_follow_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = with_mine(monkeypatch)
    mine = notebook["Mine"]
    steps = princeps.run(mine, n=50, seed=1, engine="counts").steps
    exact = princeps.exact(mine, 4, start="initial").mean
    notebook.cell("def hit(a):\n    return a.x == 3\n")
    assert not princeps.run(mine, n=50, seed=1, engine="counts", max_steps=10**6).converged
    assert princeps.exact(mine, 4, start="initial").mean == float("inf")
    notebook.cell(HELPER)
    notebook.cell("L = 3\n")
    assert princeps.run(mine, n=50, seed=1, engine="counts").steps == steps
    assert princeps.exact(mine, 4, start="initial").mean == exact


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_was_worked_out_is_forgotten_and_results_have_another_identity(
    monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    notebook = with_mine(monkeypatch)
    mine = notebook["Mine"]
    remembered(mine, "compiled").keep("x", 1)
    before = identity(make_run(mine, 30))
    assert remembered(mine, "compiled") == {"x": 1}
    notebook.cell(change)
    assert remembered(mine, "compiled") == {}
    assert identity(make_run(mine, 30)) != before or "other.__code__" in change


def test_a_change_that_is_taken_back_gives_the_same_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = with_mine(monkeypatch)
    before = identity(make_run(notebook["Mine"], 30))
    for text in ("L = 2\n", HELPER, CONSTANT, START, MINE):
        notebook.cell(text)
    assert identity(make_run(notebook["Mine"], 30)) == before


@pytest.mark.parametrize(("before", "change"), OTHER_ROOMS.values(), ids=OTHER_ROOMS)
def test_everything_that_is_reached_is_looked_at(monkeypatch: pytest.MonkeyPatch, before: str, change: str) -> None:
    notebook = Notebook(monkeypatch)
    notebook.cell(before)
    function = notebook["f"]
    reach = Reach([function])
    assert function(None) == 1
    assert reach.is_current()
    notebook.cell("unrelated = 1\n")
    assert reach.is_current()
    notebook.cell(change)
    assert function(None) == 5
    assert not reach.is_current()


def test_helpers_of_other_cells_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    from princeps.lowering.codegen import Writer
    from princeps.lowering.layout import make_layout

    notebook = with_mine(monkeypatch)
    protocol = notebook["Mine"](4)
    assert "l_x == 1" in Writer(protocol, make_layout(protocol)).advance(None)[0]
    notebook.cell("import numpy\nL = numpy.int64(3)\n")
    assert "l_x == 3" in Writer(protocol, make_layout(protocol)).advance(None)[0]


def test_a_session_that_began_with_another_rule_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = with_mine(monkeypatch)
    session = princeps.session(notebook["Mine"], n=5, seed=1, engine="reference").step(2)
    notebook.cell("L = 2\n")
    with pytest.raises(RunError, match="Mine, or a constant or function that it uses, has been changed since"):
        session.step()
    notebook.cell(CONSTANT)
    assert session.step().steps == 3


def test_a_file_may_be_edited_while_its_class_is_in_use(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "edited_by_a_test.py"
    path.write_text(f"from princeps import *\n\n{CONSTANT}\n{HELPER}\n{START}\n{MINE}")
    monkeypatch.syspath_prepend(tmp_path)
    from importlib import import_module

    mine = import_module("edited_by_a_test").Mine
    before = identity(make_run(mine, 5))
    path.write_text(path.read_text().replace("b.leader = 0", "a.leader = 0"))
    os.utime(path, (1, 1))
    assert identity(make_run(mine, 5)) == before
    result = princeps.run(mine, n=5, seed=1, engine="reference")
    assert result.command.startswith("# no command repeats this: ")
    assert "has been changed since Mine was defined" in result.command


CROWDED = """
from princeps import Bit, Blocks, Oracle, PopulationProtocol

LIMIT = 3

def crowded(c, p):
    return LIMIT * c.leaders > c.n

class Crowd(PopulationProtocol):
    leader = Bit()
    oracle = Oracle("crowded", crowded)
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

    def interact(a, b, p):
        if p.crowded == 1:
            b.leader = 0
        else:
            b.leader = 1
"""


def test_what_an_oracle_reads_is_part_of_the_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = Notebook(monkeypatch)
    notebook.cell(CROWDED)
    crowd = notebook["Crowd"]
    first = Reach([crowd])
    point = identity(make_run(crowd, 12, seed=1))
    assert first.is_current()
    notebook.cell("LIMIT = 1\n")
    assert not first.is_current()
    assert identity(make_run(crowd, 12, seed=1)) != point


@pytest.mark.slow
def test_compiled_engines_follow_what_an_oracle_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = Notebook(monkeypatch)
    notebook.cell(CROWDED)
    for limit in ("3", "1"):
        notebook.cell(f"LIMIT = {limit}\n")
        found = [
            princeps.run(notebook["Crowd"], n=12, seed=1, engine=engine, max_steps=60, until="leaders == 0").leaders
            for engine in ("reference", "agents")
        ]
        assert found[0] == found[1]
