"""The same law is the same point, another law is another point."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from tests.campaign.identity_tools import (
    LAW,
    Change,
    Identify,
    edited,
    point,
)
from tests.tables import in_one_test

# -- the same law, written otherwise ----------------------------------------------------------------------------------


SAME: dict[str, list[Change]] = {
    "a comment": [("        advance(b, p)", "        advance(b, p)  # line 1")],
    "a docstring": [("def advance(a, p):\n", 'def advance(a, p):\n    """One more."""\n')],
    "another docstring of the goal": [("def rested(c, p):\n", "def rested(c, p):\n    'all are tired'\n")],
    "annotations of arguments": [("def advance(a, p):", "def advance(a: Agent, p: Params) -> None:")],
    "blank lines and brackets": [("    return a.x == p.top", "\n    return (\n        a.x\n        == p.top\n    )")],
    "a local renamed": [("spare", "nothing")],
    "the agents renamed": [
        ("def interact(a, b, p):\n        advance(b, p)", "def interact(l, r, p):\n        advance(r, p)"),
        (
            "a.leader == 1 and b.leader == 1:\n            spare = b.leader - 1\n            b.leader",
            "l.leader == 1 and r.leader == 1:\n            spare = r.leader - 1\n            r.leader",
        ),
    ],
    "the parameters renamed": [
        ("def tired(a, p):\n    return a.x == p.top", "def tired(a, q):\n    return a.x == q.top")
    ],
    "the arguments of a helper renamed": [
        (
            "def following(x, p):\n    return min(x + STEP, p.top)",
            "def following(y, q):\n    return min(y + STEP, q.top)",
        )
    ],
    "an argument called like a helper of others": [
        ("def tired(a, p):\n    return a.x == p.top", "def tired(advance, p):\n    return advance.x == p.top")
    ],
    "a helper renamed": [("advance", "go_on")],
    "the inner helper renamed": [("following", "next_of")],
    "the helpers swap their names": [("advance", "~"), ("following", "advance"), ("~", "following")],
    "the rule of a goal renamed": [("rested(", "at_rest("), ("(rested", "(at_rest")],
    "a goal renamed": [('"rested"', '"at_rest"')],
    "a start renamed": [('"initial": initial', '"first": initial')],
    "the rule of a start renamed": [("initial(a", "begin(a"), (": initial", ": begin")],
    "the rule of a predicate renamed": [("tired(a", "worn(a"), (": tired", ": worn")],
    "a constant renamed": [("STEP", "HOW_FAR")],
    "a constant computed": [("STEP = 1", "STEP = 3 - 2")],
    "a constant elsewhere": [("STEP = 1\n", ""), ("class Mine", "STEP = 1\n\n\nclass Mine")],
    "the class renamed": [("Mine", "Yours")],
    "helpers in another order": [
        ("def following(x, p):\n    return min(x + STEP, p.top)\n\n\n", ""),
        ("def advance", "def following(x, p):\n    return min(x + STEP, p.top)\n\n\ndef advance"),
    ],
    "the declarations in another order": [
        ('    default_goal = "rested"\n', ""),
        ("    k = Param", '    default_goal = "rested"\n    k = Param'),
    ],
    "a helper that nobody calls": [("class Mine", "def idle(a, p):\n    return 0\n\n\nclass Mine")],
    "a predicate that nobody asks for": [("return a.x == 0", "return a.x == 1")],
    "such a predicate removed": [(', "lively": lively', "")],
    "another goal changed": [
        ("def lonely(c, p):\n    return c.leaders == 1", "def lonely(c, p):\n    return c.leaders == 2")
    ],
    "another goal removed": [(', "lonely": Counted(lonely)', "")],
    "another start changed": [("a.leader = i == 0", "a.leader = i == 1")],
    "the default of a parameter given": [("default=3", "default=7")],  # with k = 3, see the test
    "a promise": [("Counted(rested)", "Counted(rested, closed=True)")],
    "a title, a paper, an estimate": [
        (
            "    k = Param",
            '    title, paper, name = "t", "p", "x"\n\n    @staticmethod\n    def expected_steps(n, p):\n'
            "        return 3.0\n\n    k = Param",
        )
    ],
    "fewer constants are named": [("from princeps.model import *", "import math\nfrom princeps.model import *")],
}


@in_one_test("changes", SAME.values(), ids=SAME.keys())
def test_the_same_law_is_the_same_point(identify: Identify, changes: list[Change]) -> None:
    assert identify(edited(*changes), params={"k": 3}) == identify(LAW, params={"k": 3})


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(("spare = ", "spare: int = "), id="of a local"),
        pytest.param(
            ("b.leader = spare", "b.leader: int = spare"),
            id="of a field",
        ),
        pytest.param(
            ("            spare =", "            spare: int\n            spare ="),
            id="alone",
        ),
    ],
)
def test_annotations_within_a_rule_do_not_matter(identify: Identify, change: Change) -> None:
    assert identify(edited(change)) == identify(LAW)


def test_neither_the_file_nor_its_folder_matters(identify: Identify) -> None:
    assert identify(LAW, file="one.py") == identify(LAW, file="other/two.py") == identify(LAW)


def test_a_library_protocol_copied_into_a_file_is_the_same_point(tmp_path: Path) -> None:
    for name in ("fratricide", "p_rl", "numbered", "majority"):
        source = Path(library.protocol(name, n=6).file() or "")
        copied = tmp_path / f"{name}_copy.py"
        copied.write_text(source.read_text().replace(f'name = "{name}"', 'name = "mine"'))
        assert point(str(copied)).id == point(name).id


def test_a_file_changed_in_place_is_read_again(identify: Identify, tmp_path: Path) -> None:
    before = identify(LAW, file="mine.py")
    os.utime(tmp_path / "mine.py", ns=(1, 1))
    assert identify(edited(("STEP = 1", "STEP = 2")), file="mine.py") != before
    os.utime(tmp_path / "mine.py", ns=(2, 2))
    assert identify("# the same as at first\n" + LAW, file="mine.py") == before


# -- another law ------------------------------------------------------------------------------------------------------


OTHER: dict[str, list[Change]] = {
    "a constant of the file": [("STEP = 1", "STEP = 2")],
    "a constant of the start": [("FEW = 2", "FEW = 3")],
    "a literal": [("b.leader - 1", "b.leader - 0")],
    "a comparison": [("if a.leader == 1", "if a.leader != 1")],
    "and, or": [("a.leader == 1 and b.leader == 1", "a.leader == 1 or b.leader == 1")],
    "the other agent": [("advance(b, p)", "advance(a, p)")],
    "the roles exchanged": [("interact(a, b, p)", "interact(b, a, p)")],
    "another field": [("b.leader = spare", "b.x = spare")],
    "the order of two statements": [
        ("        advance(b, p)\n", ""),
        ("            b.leader = spare\n", "            b.leader = spare\n        advance(b, p)\n"),
    ],
    "inside the condition instead of behind it": [("            b.leader = spare", "        b.leader = 0")],
    "the helper": [("a.x = following(a.x, p)", "a.x = following(a.x, p) - 1")],
    "the helper's helper": [("min(x + STEP", "max(x + STEP")],
    "another helper called": [("advance(b, p)\n", "tired(b, p)\n")],
    "an argument's order": [("following(a.x, p)", "following(p, a.x)")],
    "the goal": [("c.tired == c.n", "c.tired == c.n - 1")],
    "the kind of goal": [("Counted(rested)", "Closed(lambda u, n, p: False)")],
    "another count in the goal": [("c.tired == c.n", "c.lively == c.n")],
    "the predicate that the goal asks for": [("return a.x == p.top", "return a.x + 1 == p.top")],
    "a derived parameter": [("p.k + 1", "p.k + 2")],
    "how a derived parameter is computed": [("p.k + 1)\n", "2 * p.k - 2)\n")],  # the same, but at k = 3 only
    "the name of a derived parameter": [("top", "ceiling")],
    "the start": [("a.x = i % FEW", "a.x = 0")],
    "the size of a field": [("Range(lambda p: p.top + 1)", "Range(lambda p: p.top + 2)")],
    "a field more": [("    leader = Bit()", "    leader = Bit()\n    y = Bit()")],
    "which states are legal": [
        (
            "    @staticmethod\n    def interact",
            "    @staticmethod\n    def groups(p):\n        return [{'leader': 0, 'x': range(p.top + 1)}, {'leader': 1}]\n\n"
            "    @staticmethod\n    def interact",
        )
    ],
    "who leads": [
        (
            "    @staticmethod",
            "    @staticmethod\n    def is_leader(a, p):\n        return 1 - a.leader\n\n    @staticmethod",
        )
    ],
    "a verdict": [("    default_goal", '    verdicts = {"v": Verdict(at="lonely", rule=lonely)}\n    default_goal')],
}


def test_every_change_of_the_law_makes_a_point_of_its_own(identify: Identify) -> None:
    found: dict[str, str] = {identify(LAW): "the law itself"}
    for label, changes in OTHER.items():
        other = identify(edited(*changes))
        assert other not in found, f"{label}: the same id as {found[other]}"
        found[other] = label


OPTIONS: dict[str, dict[str, Any]] = {
    "nothing said": {},
    "n": {"n": 7},
    "a parameter": {"params": {"k": 4}},
    "start": {"start": "quiet"},
    "a random start": {"start": "random"},
    "states": {"start": "states:" + "1,0;" * 5 + "1,0"},
    "other states": {"start": "states:" + "1,0;" * 5 + "1,1"},
    "the same states in another order": {"start": "states:1,1;" + "1,0;" * 4 + "1,0"},
    "goal": {"until": "lonely"},
    "the goal that all have": {"until": "leader", "start": "quiet"},
    "graph": {"graph": "ring"},
    "undirected": {"graph": "undirected-ring"},
    "star": {"graph": "star"},
    "path": {"graph": "path"},
    "grid": {"graph": "grid:2x3"},
    "grid standing": {"graph": "grid:3x2"},
    "torus": {"graph": "torus:2x3"},
    "drawn": {"graph": "regular:3"},
    "drawn with another degree": {"graph": "regular:4"},
    "drawn edge by edge": {"graph": "er:0.9"},
    "hold": {"hold": True},
    "a fault": {"faults": ["5:1"]},
    "a later fault": {"faults": ["6:1"]},
    "a larger fault": {"faults": ["5:2"]},
    "two faults": {"faults": ["5:1", "6:1"]},
    "faults for ever": {"faults": ["every:5:1"], "max_steps": 100},
    "faults for ever, longer": {"faults": ["every:5:1"], "max_steps": 101},
}


def test_every_option_of_the_law_makes_a_point_of_its_own(identify: Identify) -> None:
    found: dict[str, str] = {}
    for label, options in OPTIONS.items():
        other = identify(LAW, **options)
        assert other not in found, f"{label}: the same id as {found[other]}"
        found[other] = label


@in_one_test(
    ("options", "others"),
    [
        ({}, {"engine": "reference"}),
        ({}, {"engine": "agents", "max_steps": 10}),
        ({"max_steps": "1e6"}, {"max_steps": 7}),
        ({"hold": True}, {"hold": True, "max_steps": 1000}),
        ({"faults": ["5:1"]}, {"faults": ["5:1"], "max_steps": 1000}),
        ({}, {"force": True}),
        ({}, {"params": {"k": 3}}),
        ({}, {"start": "initial", "until": "rested", "graph": "complete"}),
        ({"n": 2, "graph": "undirected-ring"}, {"n": 2, "graph": "complete"}),
        ({"graph": "ring"}, {"graph": "directed-ring"}),
        ({"faults": ["500:1", "1e3:2"]}, {"faults": ["1000:2", "500:1"]}),
    ],
    ids=str,
)
def test_how_it_is_run_or_typed_does_not_matter(
    identify: Identify, options: dict[str, Any], others: dict[str, Any]
) -> None:
    assert identify(LAW, **options) == identify(LAW, **others)


def test_faults_that_strike_together_may_be_typed_in_any_order(identify: Identify) -> None:
    assert identify(LAW, faults=["5:1", "5:2"]) == identify(LAW, faults=["5:2", "5:1"])


@pytest.mark.parametrize(("one", "other"), [("er:0.9", "er:.90"), ("regular:3", "regular:03")])
def test_a_drawn_graph_may_be_spelt_in_several_ways(one: str, other: str) -> None:
    assert point("infection", graph=one).id == point("infection", graph=other).id


def test_identifiers_are_part_of_the_law() -> None:
    options = [{}, {"ids": "3,1,2"}, {"ids": "1,3,2"}, {"ids": "3,1,4"}, {"ids": "random:9"}, {"ids": "random:10"}]
    assert len({point("infection", n=3, **one).id for one in options}) == len(options)
    assert point("infection", n=3, ids="3 1 2").id == point("infection", n=3, ids=[3, 1, 2]).id
    assert point("infection", n=3, ids="random:1e3").id == point("infection", n=3, ids="random:1000").id
