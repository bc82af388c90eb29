"""What a later cell assigns to a class: every engine takes the new rule, and what cannot be followed is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import princeps
from princeps.errors import ProtocolError
from tests.notebook_tools import Notebook, with_mine

RULE = "def other(a, b, p):\n    if a.leader == 1 and b.leader == 1:\n        a.leader = 0\n\n"
TABLE = 'class Mine(PopulationProtocol):\n    table = {("L", "L"): ("L", "F")}\n    leaders, starts = "L", {"initial": "L"}\n'


def test_every_engine_takes_a_rule_that_is_assigned_later(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    notebook = with_mine(monkeypatch)
    mine = notebook["Mine"]
    first = princeps.protocol(mine, 5).delta({"leader": 1, "x": 1}, {"leader": 1, "x": 1})
    notebook.cell(RULE + "Mine.interact = other\n")
    after = princeps.protocol(mine, 5).delta({"leader": 1, "x": 1}, {"leader": 1, "x": 1})
    assert after == first[::-1]
    runs = [princeps.run(mine, 9, seed=2, engine=engine) for engine in ("reference", "agents")]
    assert runs[0].leader == runs[1].leader
    assert princeps.exact(mine, 3).mean == 4
    found = princeps.sweep(mine, n=[4, 5], trials=3, jobs=1, seed=1, store=tmp_path / "s.db", engine="reference")
    assert [one.trials for one in found] == [3, 3]
    kept = princeps.run(f"{tmp_path / 's.db'}:Mine", 9, seed=2, engine="reference")
    assert kept.leader == runs[0].leader


def test_tables_of_names_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = Notebook(monkeypatch)
    notebook.cell(TABLE)
    notebook.cell('Mine.starts = {"quiet": "F", "initial": "L"}\nMine.goals = {"none": lambda c, p: c.leaders == 0}\n')
    result = princeps.run(notebook["Mine"], 5, start="quiet", until="none", seed=1, engine="reference")
    assert (result.steps, result.converged) == (0, True)


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ('Mine.table = {("L", "L"): ("F", "F")}', "Mine.table was assigned later, and the class was read"),
        ('Mine.leaders = "F"', "Mine.leaders was assigned later"),
        ("Mine.x = Range(3)", "Mine.x was assigned later"),
        ("Mine.leader = 1", "Mine.leader was assigned later"),
        ("Mine.k = Param()", "Mine.k was assigned later"),
        (RULE + "Mine.interact = other", "Mine has a table, and Mine.interact was assigned later"),
        ("Mine.interact = 5", "interact is 5, where a function"),
        ("Mine.interct = print", "did you mean interact"),
    ],
)
def test_what_cannot_be_followed_is_refused(monkeypatch: pytest.MonkeyPatch, cell: str, says: str) -> None:
    notebook = with_mine(monkeypatch)
    if "table" in says or "leaders" in says:
        notebook.cell(TABLE)
    notebook.cell(cell)
    with pytest.raises(ProtocolError, match=says) as refused:
        princeps.run(notebook["Mine"], 5, seed=1, engine="reference")
    assert "assigned later" not in says or "run the cell of the class again" in str(refused.value)


ROLES = """
class Mine(PopulationProtocol):
    role = Role if isinstance(Role, OneOf) else OneOf(Role)
    leaders, starts = "LEAD", {"initial": "LEAD"}

    def interact(a, b, p):
        if a.role == Role.LEAD and b.role == Role.LEAD:
            b.role = Role.FOLLOW
"""


@pytest.mark.parametrize(
    "role",
    ['OneOf("LEAD", "FOLLOW")', 'IntEnum("Role", "LEAD FOLLOW", start=0)'],
)
def test_named_states_in_another_order_are_refused(monkeypatch: pytest.MonkeyPatch, role: str) -> None:
    notebook = Notebook(monkeypatch)
    notebook.cell(f"from enum import IntEnum\nRole = {role}\n")
    notebook.cell(ROLES)
    assert princeps.run(notebook["Mine"], 5, seed=1, engine="reference").converged
    notebook.cell(f"Role = {role}\n")
    assert princeps.run(notebook["Mine"], 5, seed=1, engine="reference").converged
    swapped = role.replace("LEAD", "?").replace("FOLLOW", "LEAD").replace("?", "FOLLOW")
    notebook.cell(f"Role = {swapped}\n")
    says = r"interact reads Role.FOLLOW, which is 0 of Role now and was 1 when Mine was defined: run the cell of the class again\."
    with pytest.raises(ProtocolError, match=says):
        princeps.run(notebook["Mine"], 5, seed=1, engine="reference")
