"""Values of fields by name: what the names mean in rules, who accepts them, and what is refused."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.errors import PrincepsError, ProtocolError, RunError, StateError
from princeps.lowering.rings.codegen import RingWriter
from princeps.model.carried import carry
from princeps.model.class_content import class_identity
from princeps.model.meeting import Meeting
from princeps.model.registry import find_any
from princeps.model.state_names import names_of
from tests.notebook_tools import Notebook

ZOMBIES = """
def initial(a, i, n, p):
    a.role = ZOMBIE if i == 0 else LEADER

def rests(a):
    return a.role not in (LEADER, ZOMBIE)

def is_resting(a, p):
    return rests(a)

class Zombies(PopulationProtocol):
    role = OneOf("LEADER", "ZOMBIE", "FOLLOWER")
    starts = {"initial": initial}
    predicates = {"resting": is_resting}
    goals = {"quiet": lambda c, p: c.resting == c.n - 1 and c.leaders == 1}

    def is_leader(a, p):
        return a.role == LEADER

    def interact(a, b, p):
        if a.role == LEADER and b.role == LEADER:
            b.role = ZOMBIE
        elif a.role == LEADER and b.role == ZOMBIE:
            b.role = FOLLOWER
"""


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Notebook:
    return Notebook(monkeypatch)


def reference(cls: Any, **options: Any) -> Any:
    return princeps.run(cls, 10, seed=1, engine="reference", **options)


# -- what works -----------------------------------------------------------------------------------------------------


def test_a_cell_that_says_it_as_the_manual_does(notebook: Notebook) -> None:
    notebook.cell(ZOMBIES)
    assert notebook["LEADER"] == 0
    assert reference(notebook["Zombies"], until="quiet").converged


def test_a_file(tmp_path: Path) -> None:
    file = tmp_path / "zombies.py"
    file.write_text(f"from princeps.model import *\n{ZOMBIES}")
    found = reference(f"{file}:Zombies", until="quiet")
    assert found.steps == reference(find_any(f"{file}:Zombies"), until="quiet").steps


def test_a_script_may_name_states(tmp_path: Path) -> None:
    file, script = tmp_path / "zombies.py", tmp_path / "script.jsonl"
    file.write_text(f"from princeps.model import *\n{ZOMBIES}")
    session = princeps.session(f"{file}:Zombies", n=4, seed=1, engine="reference").set(2, role="FOLLOWER").step(3)
    script.write_text(session.script.text().replace('{"role": 2}', '{"role": "FOLLOWER"}'))
    assert "FOLLOWER" in script.read_text()
    assert princeps.replay(str(script)).counts == session.counts


def test_the_gathered_class_is_the_same(notebook: Notebook) -> None:
    notebook.cell(ZOMBIES)
    twin = carry(notebook["Zombies"]).load()
    assert class_identity(twin) == class_identity(notebook["Zombies"])
    assert twin.fields_["role"].names == ("LEADER", "ZOMBIE", "FOLLOWER")  # type: ignore[attr-defined]
    assert reference(twin).steps == reference(notebook["Zombies"]).steps


def test_names_that_are_arguments_or_variables_are_their_own(notebook: Notebook) -> None:
    """Letters are names of states in many tables."""
    notebook.cell(
        'class Mine(PopulationProtocol):\n    table = {("a", "n"): ("a", "a"), ("p", "x"): ("p", "p")}\n    leaders = "a"\n'
        '    predicates = {"q": lambda a, p: a.state == x}\n'
        '    starts = {"initial": Blocks(lambda n, p: {"a": 1, "n": n - 1})}\n'
    )
    assert reference(notebook["Mine"], until="leader").converged
    assert notebook["x"] == 3
    assert "n" not in notebook.names  # nothing but what is read


def test_constants_that_the_file_has_itself(notebook: Notebook) -> None:
    notebook.cell("LEADER, ZOMBIE, FOLLOWER = range(3)")
    notebook.cell(ZOMBIES)
    assert reference(notebook["Zombies"]).converged


def test_an_enumeration(notebook: Notebook) -> None:
    notebook.cell("from enum import IntEnum\nclass Role(IntEnum):\n    LEADER = 0\n    ZOMBIE = 1\n    FOLLOWER = 2\n")
    notebook.cell(ZOMBIES.replace('OneOf("LEADER", "ZOMBIE", "FOLLOWER")', "OneOf(Role)"))
    assert notebook["Zombies"].fields_["role"].names == ("LEADER", "ZOMBIE", "FOLLOWER")
    assert reference(notebook["Zombies"]).converged


def test_a_class_that_is_defined_anew_with_another_order(notebook: Notebook) -> None:
    notebook.cell(ZOMBIES)
    old = notebook["Zombies"]
    notebook.cell(ZOMBIES.replace('"LEADER", "ZOMBIE"', '"ZOMBIE", "LEADER"'))
    assert notebook["LEADER"] == 1
    assert reference(notebook["Zombies"]).converged
    with pytest.raises(
        ProtocolError, match="reads 'LEADER', which is 0 of 'role' and 1 in this notebook, since Zombies"
    ):
        reference(old)


def test_names_that_another_class_no_longer_has_are_bound_again(notebook: Notebook) -> None:
    notebook.cell(ZOMBIES)
    other = 'class Other(PopulationProtocol):\n    role = OneOf("LEADER", "REST")\n    leaders = "LEADER"\n'
    other += '    starts = {"initial": "LEADER"}\n\n    def interact(a, b, p):\n        b.role = LEADER\n        a.role = REST\n'
    notebook.cell(other)
    notebook.cell(ZOMBIES.replace("LEADER", "CHIEF"))
    assert "ZOMBIE" in notebook.names
    assert princeps.protocol(notebook["Other"]).delta("LEADER", "REST") == ({"role": 1}, {"role": 0})


def test_a_class_that_is_gone_keeps_no_names(notebook: Notebook) -> None:
    notebook.cell(ZOMBIES)
    renamed = ZOMBIES.replace('"LEADER", "ZOMBIE"', '"ZOMBIE", "LEADER"').replace("class Zombies", "class Undead")
    with pytest.raises(
        ProtocolError, match=r"since Zombies .<cell \d+>:11. declares it so: `del Zombies` if it is no longer needed, "
    ):
        notebook.cell(renamed)  # both are there
    old = notebook["Zombies"]
    notebook.cell("del Zombies")
    notebook.cell(renamed)
    assert (notebook["ZOMBIE"], notebook["LEADER"]) == (0, 1)
    assert reference(notebook["Undead"], until="quiet").converged
    with pytest.raises(ProtocolError, match="which is 0 of 'role' and 1 in this notebook, since Undead"):
        reference(old)  # somebody has kept it under another name


def test_two_classes_with_dotted_names_number_them_differently(notebook: Notebook) -> None:
    for name, order in (("One", '"L", "F"'), ("Two", '"F", "L"')):
        notebook.cell(
            f"R{name} = OneOf({order})\nclass {name}(PopulationProtocol):\n    role = R{name}\n    leaders = 'L'\n"
            f"    starts = {{'initial': 'L'}}\n    def interact(a, b, p):\n        if a.role == R{name}.L == b.role:\n"
            f"            b.role = R{name}.F\n"
        )
    assert [reference(notebook[name]).steps for name in ("One", "Two")] == [reference(notebook["One"]).steps] * 2
    assert reference(carry(notebook["Two"]).load()).converged


# -- states that people give and see --------------------------------------------------------------------------------


def test_states_by_name_or_number(notebook: Notebook, tmp_path: Path) -> None:
    notebook.cell(ZOMBIES)
    cls = notebook["Zombies"]
    p = princeps.protocol(cls)
    assert p.delta({"role": "LEADER"}, "ZOMBIE") == p.delta({"role": 0}, {"role": 1}) == ({"role": 0}, {"role": 2})
    lists: list[Any] = [
        ["ZOMBIE", "LEADER", "LEADER"],
        [1, 0, 0],
        [{"role": "ZOMBIE"}, {"role": 0}, {"role": "LEADER"}],
        "states:ZOMBIE;0;LEADER",
        {"role": ["ZOMBIE", "LEADER", "LEADER"]},
    ]
    runs = [princeps.run(cls, 3, start=start, seed=4, engine="reference") for start in lists]
    assert len({run.steps for run in runs}) == 1
    session = princeps.session(cls, n=4, seed=1, engine="reference").set(2, role="FOLLOWER").set(3, role=2)
    assert [session.state(i)["role"] for i in range(4)] == [1, 0, 2, 2]
    lines = [json.loads(line) for line in session.script.text().splitlines()[1:]]
    assert [line[2] for line in lines if line[0] == "set"] == [{"role": 2}, {"role": 2}]


def test_groups_of_legal_states_by_name(notebook: Notebook) -> None:
    groups = '    def groups(p):\n        return [{"role": "LEADER", "x": range(2)}, {"role": "ZOMBIE"}]\n'
    notebook.cell(ZOMBIES.replace("    starts", f"    x = Range(2)\n{groups}    starts"))
    assert princeps.protocol(notebook["Zombies"]).state_count == 3


def test_values_show_their_names_and_are_numbers_in_json(notebook: Notebook) -> None:
    notebook.cell(ZOMBIES)
    session = princeps.session(notebook["Zombies"], n=3, seed=1, engine="reference")
    state = session.state(0)
    assert str(state) == "{'role': ZOMBIE}"
    assert f"{state['role']:>8}" == "  ZOMBIE"
    assert json.dumps(state) == '{"role": 1}'
    names = names_of(princeps.protocol(notebook["Zombies"]).space)
    told = Meeting(1, 0, 1, ((0,), (0,)), ((0,), (1,))).as_json(names)
    assert (told["after"], told["changes"]) == ([{"role": 0}, {"role": 1}], ["1: role LEADER -> ZOMBIE"])
    assert str(pickle.loads(pickle.dumps(state))) == str(state)
    assert str(session.counts) == "{(ZOMBIE,): 1, (LEADER,): 2}"
    assert session.counts[0,] == 2


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (
            lambda cls: princeps.run(cls, 2, start=["LEADER", "ZOMBY"]),
            "role = 'ZOMBY': it must be one of LEADER, ZOMBIE",
        ),
        (lambda cls: princeps.protocol(cls).delta("LEADER", {"role": 3}), "role = 3, outside its domain 0..2"),
        (lambda cls: princeps.session(cls, n=3, engine="reference").set(0, role="x"), "role = 'x': it must be one of"),
    ],
)
def test_unknown_values_are_refused(call: Any, says: str, notebook: Notebook) -> None:
    notebook.cell(ZOMBIES)
    with pytest.raises((StateError, RunError), match=says):
        call(notebook["Zombies"])


# -- refusals -------------------------------------------------------------------------------------------------------

OTHER = """from princeps.model import *

class One(PopulationProtocol):
    role = OneOf("A", "B")
    leaders = "A"

    def interact(a, b, p):
        b.role = A

class Two(PopulationProtocol):
    role = OneOf("B", "A")
    leaders = "A"

    def interact(a, b, p):
        b.role = A
"""
BODY = """from princeps.model import *
BEFORE
class Mine(PopulationProtocol):
    role = OneOf("LEADER", "ZOMBIE")
    DECLARED
    def is_leader(a, p):
        return a.role == LEADER

    def interact(a, b, p):
        RULE
"""
REFUSED = {
    "a capture": ("", "", "match (a.role, b.role):\n            case (LEADER, _):\n                b.role = 1", 9,
                  "interact binds 'LEADER', a value of 'role', to something else, as `case LEADER` does"),
    "a text": ("", "", 'b.role = 1 if a.role == "LEADER" else 0', 9, "has the text 'LEADER' .*: write LEADER without quotes, or, after `case`, Role.LEADER with"),
    "a text in a tuple": ("", "", 'b.role = a.role in ("LEADER", "x")', 9, "write LEADER without quotes"),
    "another meaning": ("LEADER = 4", "", "b.role = 0", 6, "reads 'LEADER', which is 0 of 'role' and 4 in this file"),
    "a word of Python's": ("", 'x = OneOf("max", "min")', "b.role = a.x == max", 9, "'max', a value of 'x' and a word of Python's own"),
    "a name twice": ("", 'x = OneOf("A", "A")', "b.role = 0", 5, "'x' has the value 'A' twice"),
    "a number": ("", "x = OneOf(1, 2)", "b.role = 0", 5, "its values are named by texts"),
    "nothing": ("", "x = OneOf()", "b.role = 0", 5, "'x' has size 0"),
    "no brackets": ("", "x = OneOf", "b.role = 0", 5, "x = OneOf is no declaration"),
    "a misleading number": ("", 'x = OneOf("1", "2")', "b.role = 0", 5, "has a value called '1' whose number is 0"),
    "two fields": ("", 'x = OneOf("ZOMBIE", "LEADER")', "b.role = 0", 5, "'ZOMBIE' is number 0 of 'x' and number 1 of 'role'"),
    "leaders twice": ("", 'leaders = "LEADER"', "b.role = 0", 5, "Mine has leaders and is_leader"),
    "an unknown start": ("", 'starts = {"initial": "CHIEF"}', "b.role = 0", 5, "starts names the state 'CHIEF': the states are"),
    "an unknown predicate": ("", 'predicates = {"x": ("CHIEF",)}', "b.role = 0", 5, "predicates names the state 'CHIEF'"),
}  # fmt: skip


@pytest.mark.parametrize(("before", "declared", "rule", "line", "says"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(before: str, declared: str, rule: str, line: int, says: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(BODY.replace("BEFORE", before).replace("DECLARED", declared).replace("RULE", rule))
    with pytest.raises(ProtocolError, match=f"mine.py:{line}: .*{says}"):
        find_any(f"{file}:Mine")


def test_two_classes_of_a_file_that_number_a_name_differently(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(OTHER)
    with pytest.raises(
        ProtocolError, match=r"mine\.py:14: interact reads 'A', which is 1 of 'role' and 0 in this file, since One"
    ):
        find_any(f"{file}:Two")


def test_a_later_cell_that_binds_the_name(notebook: Notebook) -> None:
    notebook.cell(ZOMBIES)
    notebook.cell("LEADER = 2")
    with pytest.raises(ProtocolError, match="which is 0 of 'role' and 2 in this notebook: rename"):
        reference(notebook["Zombies"])


def test_a_text_assigned_in_a_start(notebook: Notebook) -> None:
    notebook.cell("def begin(text):\n    return text.upper()")
    notebook.cell(ZOMBIES.replace("ZOMBIE if i == 0 else LEADER", "begin('leader')"))
    with pytest.raises(PrincepsError, match="role = 'LEADER' is not an integer: write LEADER without quotes"):
        reference(notebook["Zombies"])


# -- rings ----------------------------------------------------------------------------------------------------------


def test_ring_algorithms_read_the_names_as_well(notebook: Notebook) -> None:
    notebook.cell(
        """
TOKEN = Message("<x>")

@start
def S(p, c):
    yield p.state in (IDLE,)
    match p.state:
        case Phase.IDLE:
            p.state = BUSY
    p.send(TOKEN, p.id)

@on(TOKEN)
def forward(p, x, c):
    yield x not in (p.id,) and p.state == BUSY
    p.send(TOKEN, x)

@on(TOKEN)
def win(p, x, c):
    yield x == p.id
    p.isLeader = p.done = 1
    p.leader = p.id
    p.halt()

Phase = OneOf("IDLE", "BUSY")

class Mine(RingAlgorithm):
    state = Phase
    actions = (S, forward, win)
"""
    )
    found = princeps.run(notebook["Mine"], labels="2,1,3", engine="reference", seed=1, force=True)
    algorithm = notebook["Mine"]()
    assert algorithm.show(algorithm.initial())["state"] == "IDLE"
    assert found.messages > 3
    assert "me_state == 0" in RingWriter(algorithm).source()  # the compiled engine understands it as well
