"""A point is known by what it means: renaming, moving and commenting change nothing, changing the law makes a new one."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps.campaign.point import Point, make_point
from princeps.errors import ProtocolError
from princeps.model.identity import point_seed

# An accidental change of the identity would make every store that exists forget what it holds.
GOLDEN = {"fratricide": "ac7cde2edad88e121000", "p_rl": "024fb020b1541cc84c94"}
GOLDEN_SEED = 67608912502125  # of the point 00...0

LAW = """\
from princeps.model import *

STEP = 1
FEW = 2


def initial(a, i, n, p):
    a.leader = 1
    a.x = i % FEW


def quiet(a, i, n, p):
    a.leader = i == 0


def advance(a, p):
    a.x = following(a.x, p)


def following(x, p):
    return min(x + STEP, p.top)


def tired(a, p):
    return a.x == p.top


def lively(a, p):
    return a.x == 0


def rested(c, p):
    return c.leaders == 1 and c.tired == c.n


def lonely(c, p):
    return c.leaders == 1


class Mine(PopulationProtocol):
    guarantee = "loosely-stabilizing"
    k = Param(min=1, default=3)
    top = Derived(lambda p: p.k + 1)
    leader = Bit()
    x = Range(lambda p: p.top + 1)
    starts = {"initial": initial, "quiet": quiet, "random": Uniform()}
    predicates = {"tired": tired, "lively": lively}
    goals = {"rested": Counted(rested), "lonely": Counted(lonely)}
    default_goal = "rested"

    @staticmethod
    def interact(a, b, p):
        advance(b, p)
        if a.leader == 1 and b.leader == 1:
            spare = b.leader - 1
            b.leader = spare
"""

Change = tuple[str, str]
Identify = Callable[..., str]
_numbers = itertools.count()


def edited(*changes: Change, text: str = LAW) -> str:
    """The text with each passage replaced, which must be there."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def point(name: str, n: int | None = 6, params: dict[str, int] | None = None, **options: Any) -> Point:
    return make_point({"name": name, "n": n, "hold": False, "params": params or {}, **options}, {})


@pytest.fixture
def identify(tmp_path: Path) -> Identify:
    """The id of a protocol written into a file of its own; the last class in it is meant."""

    def call(text: str, file: str = "", **options: Any) -> str:
        path = tmp_path / (file or f"law{next(_numbers)}.py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return point(f"{path}:{text.rpartition('class ')[2].partition('(')[0]}", **options).id

    return call


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


@pytest.mark.parametrize("changes", SAME.values(), ids=SAME.keys())
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
    "the kind of goal": [("Counted(rested)", "Closed(rested)")],
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


@pytest.mark.parametrize(
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


# -- files beside the protocol's --------------------------------------------------------------------------------------


def test_a_graph_file_is_known_by_its_edges(tmp_path: Path) -> None:
    def of(name: str, text: str) -> str:
        (tmp_path / name).write_text(text)
        return point("infection", n=None, graph=str(tmp_path / name)).id

    square = of("square.txt", "0 1\n1 2\n2 3\n3 0\n")
    assert of("other.txt", "3 0  # the last\n\n2,3\n1 2\n0 1\n") == square
    assert of("turned.txt", "1 0\n2 1\n3 2\n0 3\n") == square
    assert of("arcs.txt", "0 > 1\n1 > 0\n1 2\n2 3\n3 0\n") == square
    different = {
        of("chord.txt", "0 1\n1 2\n2 3\n3 0\n0 2\n"),
        of("relabelled.txt", "0 2\n2 1\n1 3\n3 0\n"),
        of("directed.txt", "0 > 1\n1 2\n2 3\n3 0\n"),
        of("ring.txt", "0 > 1\n1 > 2\n2 > 3\n3 > 0\n"),
        square,
    }
    assert len(different) == 5
    assert point("infection", n=4, graph="ring").id == point("infection", n=None, graph=str(tmp_path / "ring.txt")).id


def test_a_graph_that_every_trial_draws_is_known_by_its_law(identify: Identify) -> None:
    made = point("infection", n=8, graph="regular:3")
    assert made.id == point("infection", n=8, graph="regular:3", ids=None).id
    assert "arcs" not in str(made.content["graph"])


def test_a_listed_start_is_known_by_its_states(identify: Identify, tmp_path: Path) -> None:
    def of(text: str) -> str:
        path = tmp_path / f"states{next(_numbers)}.json"
        path.write_text(text)
        return identify(LAW, n=2, start=f"file:{path}")

    first = of('[{"leader": 1, "x": 0}, {"leader": 0, "x": 2}]')
    assert of('[\n {"x":0, "leader":1},\n {"x":2, "leader":0}\n]\n') == first
    assert identify(LAW, n=2, start="states:1,0;0,2") == first
    assert identify(LAW, n=2, start='json:[{"leader": 1, "x": 0}, {"leader": 0, "x": 2}]') == first
    assert of('[{"leader": 0, "x": 2}, {"leader": 1, "x": 0}]') != first
    assert of('[{"leader": 1, "x": 1}, {"leader": 0, "x": 2}]') != first


# -- functions of every form ------------------------------------------------------------------------------------------

FORM = """\
from functools import cache, partial
from princeps.model import *

TOP


class Form(PopulationProtocol):
    leader, x = Bit(), Range(9)
    starts = {"initial": Blocks(START)}
    predicates = {"many": MANY}
    goals = {"goal": GOAL}
    default_goal = "goal"
    FIELDS

    @staticmethod
    def interact(a, b, p):
        RULE
"""
DEFAULTS = {
    "TOP": "",
    "START": "lambda n, p: [(n, {'leader': 1})]",
    "MANY": "lambda a, p: a.x > 1",
    "GOAL": "Counted(lambda c, p: c.leaders == 1 and c.many == 0)",
    "FIELDS": "",
    "RULE": "b.leader = 0",
}


def form(**parts: str) -> str:
    """A protocol with these parts; a function `start` or `goal` that TOP defines is used."""
    top = parts.get("TOP", "")
    own = {"START": "start"} if "start" in top else {}
    own |= {"GOAL": "Counted(goal)"} if "def goal(c" in top else {"GOAL": "Closed(goal)"} if "def goal(u" in top else {}
    text = FORM
    for key, value in {**DEFAULTS, **own, **parts}.items():
        text = text.replace(key, value)
    return text


def test_a_lambda_is_found_among_others(identify: Identify) -> None:
    alone = identify(form(START="lambda n, p: [(2, {'leader': 1}), (n - 2, {})]"))
    several = "ä, one, two, three = 'äöü€', " + ", ".join(
        f"lambda n, p: [({k}, {{'leader': 1}}), (n - {k}, {{}})]" for k in (1, 2, 3)
    )
    assert identify(form(TOP=several, START="two")) == alone
    assert len({identify(form(TOP=several, START=name)) for name in ("one", "two", "three")}) == 3
    lines = "TABLE = {\n    'one': lambda n, p: [\n        (1, {'leader': 1}),\n        (n - 1, {}),\n    ],\n"
    lines += "    'two': (lambda n, p:\n[(2, {'leader': 1}), (n - 2, {})]), 'f': (lambda: lambda n, p: [(n, {})]),\n}"
    assert identify(form(TOP=lines, START="TABLE['two']")) == alone
    assert identify(form(TOP=lines, START="TABLE['one']")) == identify(form(TOP=several, START="one"))
    assert identify(form(TOP=lines, START="TABLE['f']()")) == identify(form(START="lambda n, p: [(n, {})]"))


def test_a_lambda_within_a_lambda_counts(identify: Identify) -> None:
    text = "lambda n, p: (lambda k: [(k, {'leader': 1}), (n - k, {})])(COUNT)"
    one, two = (identify(form(START=text.replace("COUNT", count))) for count in "12")
    assert one != two
    renamed = text.replace("n, p", "m, q").replace("n -", "m -").replace("k", "j")
    assert identify(form(START=renamed.replace("COUNT", "1"))) == one


def test_def_and_lambda_are_the_same_function(identify: Identify) -> None:
    text = "def start(n, p):\n    return [(n, {'leader': 1})]"
    assert identify(form(TOP=text)) == identify(form())


CLOSURE = """\
def some(k):
    def start(n, p):
        return [(k, {'leader': 1}), (n - k, {})]
    return start
"""


def test_what_a_closure_has_closed_over_counts(identify: Identify) -> None:
    one, two = (identify(form(TOP=CLOSURE, START=f"some({k})")) for k in (1, 2))
    assert one != two
    assert identify(form(TOP=CLOSURE.replace("k", "many"), START="some(1)")) == one


def test_a_closure_over_a_function_means_the_function(identify: Identify) -> None:
    text = "def around(f):\n    def start(n, p):\n        return f(n)\n    return start\n"
    text += "def inner(n):\n    return [(COUNT, {'leader': 1}), (n - COUNT, {})]\n"
    one, two = (identify(form(TOP=text.replace("COUNT", k), START="around(inner)")) for k in "12")
    assert one != two


def test_helpers_may_call_each_other(identify: Identify) -> None:
    """One that calls itself has a tree, too; and what it calls counts at any depth."""
    text = "def even(k):\n    return k == 0 or odd(k - 1)\ndef odd(k):\n    return k > 1 and even(k - STEP)\nSTEP = 1\n"
    text += "def start(n, p):\n    return [(n, {'leader': int(even(n))})]"
    one = identify(form(TOP=text))
    assert identify(form(TOP=edited(("even", "gerade"), ("odd", "ungerade"), text=text))) == one
    assert identify(form(TOP=edited(("k > 1", "k > 0"), text=text))) != one
    assert identify(form(TOP=edited(("STEP = 1", "STEP = 2"), text=text))) != one
    assert identify(form(TOP=edited(("odd(k - 1)", "even(k - 1)"), text=text))) != one


def test_a_decorated_helper_counts_with_its_decorator(identify: Identify) -> None:
    text = "def twice(f):\n    def both(n):\n        return COUNT * f(n)\n    return both\n"
    text += "@twice\ndef some(n):\n    return OTHER\n\n"
    text += "def start(n, p):\n    return [(some(n), {'leader': 1}), (n - some(n), {})]"
    texts = [text.replace("COUNT", count).replace("OTHER", other) for count in "12" for other in "12"]
    assert len({identify(form(TOP=one)) for one in texts}) == 4


def test_a_function_of_another_name_from_a_module_counts(identify: Identify) -> None:
    text = "from math import NAME as rounded\ndef start(n, p):\n    return [(rounded(n / 4), {}), (n - rounded(n / 4), {})]"
    assert identify(form(TOP=text.replace("NAME", "ceil"))) != identify(form(TOP=text.replace("NAME", "floor")))


GENERATED = "def goal(u, n, p):\n    return all(u[i].x == LIMIT for i in range(n))"
# Two texts that mean different laws, each with the word WHAT replaced by the one or the other.
DIFFERENT: dict[str, tuple[dict[str, str], str, str]] = {
    "a list of the file": ({"TOP": "T = [WHAT]\ndef start(n, p):\n    return [(n, {'x': T[0]})]"}, "1", "2"),
    "a dictionary of the file": ({"TOP": "T = {0: WHAT}\ndef start(n, p):\n    return [(n, {'x': T[0]})]"}, "1", "2"),
    "an operator": ({"RULE": "b.x = min(a.x WHAT 1, 8)"}, "|", "^"),
    "a shift": ({"RULE": "b.x = a.x WHAT 1"}, "<<", ">>"),
    "an augmented assignment": ({"RULE": "b.x WHAT 1"}, "|=", "&="),
    "a branch": ({"RULE": "b.x = WHAT"}, "a.x if b.x else 0", "b.x if a.x else 0"),
    "a chain of comparisons": ({"RULE": "b.x = WHAT"}, "a.x < b.x < 3", "a.x < b.x and a.x < 3"),
    "the sign": ({"RULE": "b.x = max(WHATa.x, 0)"}, "-", "+"),
    "brackets that matter": ({"RULE": "b.x = WHAT"}, "a.x - b.x - 1 & 7", "a.x - (b.x - 1) & 7"),
    "nested or one after the other": (
        {"RULE": "if a.x:\n            b.x = 0\n        WHATif b.x:\n            a.x = 0"},
        "",
        "el",
    ),
    "a loop over the roles": ({"RULE": "for u, v in WHAT:\n            v.x = u.x"}, "((a, b),)", "((b, a),)"),
    "break": (
        {"RULE": "for u in (a, b):\n            if u.x:\n                u.x = 0\n                WHAT"},
        "break",
        "pass",
    ),
    "which local is meant": ({"RULE": "s = a.x\n        t = b.x\n        b.x = WHAT"}, "s", "t"),
    "locals exchanged": ({"RULE": "s, t = a.x, b.x\n        a.x, b.x = WHAT"}, "s, t", "t, s"),
    "a helper's default": ({"TOP": "def h(k=WHAT):\n    return k", "RULE": "b.x = h()"}, "1", "2"),
    "an argument by name": ({"TOP": "def h(k=1, m=1):\n    return k + 2 * m", "RULE": "b.x = h(WHAT=0)"}, "k", "m"),
    "a helper that hides a builtin": (
        {"TOP": "def WHAT(x, y):\n    return x + y", "RULE": "b.x = min(a.x, 1)"},
        "min",
        "max",
    ),
    "the whole configuration": (
        {
            "TOP": "def goal(u, n, p):\n    for i in range(n):\n        if u[i].x != WHAT:\n            return 0\n    return 1"
        },
        "1",
        "2",
    ),
    "a predicate's helper": ({"TOP": "def h(x):\n    return x > WHAT", "MANY": "lambda a, p: h(a.x)"}, "1", "2"),
    "the default of a lambda": ({"START": "lambda n, p, k=WHAT: [(k, {'leader': 1}), (n - k, {})]"}, "1", "2"),
    "an unbounded field's bound": ({"FIELDS": "y = Natural(random_below=WHAT)"}, "3", "4"),
    "a default that names a constant": (
        {"TOP": "K = WHAT\ndef start(n, p, k=K):\n    return [(k, {'leader': 1}), (n - k, {})]"},
        *("1", "2"),
    ),
    "a constant within a generator": ({"TOP": f"LIMIT = WHAT\n{GENERATED}"}, "1", "2"),
    "a helper within a generator": (
        {"TOP": f"def same(x):\n    return x == WHAT\n{GENERATED.replace('u[i].x == LIMIT', 'same(u[i].x)')}"},
        *("1", "2"),
    ),
    "a constant within a list of blocks": (
        {"TOP": "K = WHAT\ndef start(n, p):\n    return [(n // 2, {'x': j * K}) for j in (0, 1)]"},
        *("1", "2"),
    ),
    "a constant within an inner lambda": (
        {"TOP": "K = WHAT\ndef start(n, p):\n    return (lambda k: [(k * K, {'leader': 1}), (n - k * K, {})])(1)"},
        *("1", "2"),
    ),
    "the predicate that the goal's helper asks for": (
        {
            "TOP": "def ready(c):\n    return c.many == c.n\ndef goal(c, p):\n    return ready(c)",
            "MANY": "lambda a, p: a.x > WHAT",
        },
        *("1", "2"),
    ),
    "the predicate that the goal asks for by another name": (
        {"TOP": "def goal(c, p):\n    d = c\n    return d.many == c.n", "MANY": "lambda a, p: a.x > WHAT"},
        *("1", "2"),
    ),
    "the predicate of a goal with bare positions": (
        {"TOP": "def goal(c, p, /):\n    return c.many == c.n", "MANY": "lambda a, p: a.x > WHAT"},
        *("1", "2"),
    ),
    "the predicate that a verdict asks for": (
        {
            "FIELDS": "verdicts = {'v': Verdict(at='goal', rule=lambda c, p: c.few == 1)}\n"
            "    predicates['few'] = lambda a, p: a.x < WHAT"
        },
        *("1", "2"),
    ),
    "a function imported within": (
        {"TOP": "def start(n, p):\n    from math import WHAT as f\n    return [(f(n / 4), {}), (n - f(n / 4), {})]"},
        *("ceil", "floor"),
    ),
    "inner functions that swap their names": (
        {"TOP": "def start(n, p):\n    WHAT\n    return [(one(), {'leader': 1}), (n - one(), {})]"},
        "def one(): return 1\n    def two(): return 2",
        "def two(): return 1\n    def one(): return 2",
    ),
    "the bound of an unbounded field of numbered agents": (
        {"FIELDS": "aid, most = Input(), OfInputs(max)\n    y = Natural(random_below=lambda p: WHAT * p.most)"},
        *("1", "2"),
    ),
}


@pytest.mark.parametrize(("parts", "one", "other"), DIFFERENT.values(), ids=DIFFERENT.keys())
def test_different_laws_are_different_points(identify: Identify, parts: dict[str, str], one: str, other: str) -> None:
    text = form(**parts)
    assert identify(text.replace("WHAT", one)) != identify(text.replace("WHAT", other))


# The same, of laws that have one id today.
UNTOLD: dict[str, tuple[dict[str, str], str, str]] = {
    "the default of a lambda made in a loop": (
        {
            "TOP": "TABLE = {k: lambda n, p, k=k: [(k, {'leader': 1}), (n - k, {})] for k in (1, 2)}",
            "START": "TABLE[WHAT]",
        },
        *("1", "2"),
    ),
    "the default of a function made by another": (
        {
            "TOP": "def some(j):\n    return lambda n, p, k=j: [(k, {'leader': 1}), (n - k, {})]",
            "START": "some(WHAT)",
        },
        *("1", "2"),
    ),
    "a constant that a comprehension hides elsewhere": (
        {"TOP": "k = WHAT\ndef start(n, p):\n    m = sum([k for k in (1,)])\n    return [(k, {'x': m}), (n - k, {})]"},
        *("1", "2"),
    ),
    "a constant that an inner lambda hides elsewhere": (
        {"TOP": "k = WHAT\ndef start(n, p):\n    m = (lambda k: k)(1)\n    return [(k, {'x': m}), (n - k, {})]"},
        *("1", "2"),
    ),
    "a number or its text": (
        {"TOP": "K = WHAT\ndef start(n, p):\n    return [(n, {'x': int(K == 1)})]"},
        *("1", "'1'"),
    ),
    "the order of a dictionary": (
        {"TOP": "T = WHAT\ndef start(n, p):\n    return [(n // 2, {'x': x}) for x in T]"},
        *("{1: 0, 2: 0}", "{2: 0, 1: 0}"),
    ),
    "the names within a tuple": (
        {
            "TOP": "from collections import namedtuple\nK = namedtuple('K', 'WHAT')(1, 2)\n"
            "def start(n, p):\n    return [(n, {'x': K.one})]"
        },
        *("one two", "two one"),
    ),
}


@pytest.mark.parametrize(
    ("parts", "one", "other"),
    [pytest.param(parts, one, other, id=label) for label, (parts, one, other) in UNTOLD.items()],
)
def test_laws_that_differ_out_of_sight_are_different_points(
    identify: Identify, parts: dict[str, str], one: str, other: str
) -> None:
    text = form(**parts)
    assert identify(text.replace("WHAT", one)) != identify(text.replace("WHAT", other))


def test_listed_states_mean_the_fields_they_name(identify: Identify) -> None:
    """The first value is x in one file and y in the other."""
    ids = {
        identify(form(FIELDS=f"{order} = Bit(), Bit()"), n=2, start="states:0,0,1,0;0,0,0,0")
        for order in ("y, z", "z, y")
    }
    assert len(ids) == 2


def test_the_same_point_has_the_same_trials(identify: Identify, tmp_path: Path) -> None:
    """Whatever has one id must give one result for a seed; else two stores of one campaign contradict each other."""
    rule = "b.leader, b.y = a.leader & b.y, a.z"
    ids, steps = set(), set()
    for order in ("y, z", "z, y"):
        text = form(
            FIELDS=f"{order} = Bit(), Bit()\n    starts['random'] = Uniform()", RULE=rule, MANY="lambda a, p: 0"
        )
        ids.add(identify(text, file=f"{order[0]}.py", start="random"))
        run = partial(library.run, f"{tmp_path}/{order[0]}.py", n=6, engine="reference", start="random", max_steps=99)
        steps.add(tuple(run(seed=seed).steps for seed in range(9)))
    assert len(ids) == len(steps)


def test_arguments_of_any_kind_may_be_renamed(identify: Identify) -> None:
    text = "def start(*all):\n    return [(all[0], {})]"
    assert identify(form(TOP=text)) == identify(form(TOP=text.replace("all", "every")))


@pytest.mark.parametrize(
    "text",
    ["partial(lambda k, n, p: [(n, {'x': k})], WHAT)", "cache(lambda n, p: [(n, {'x': WHAT})])"],
    ids=["partial", "cache"],
)
def test_a_callable_that_is_no_function_is_known_by_its_content_or_refused(identify: Identify, text: str) -> None:
    found = []
    for what in "12":
        try:
            found.append(identify(form(START=text.replace("WHAT", what))))
        except ProtocolError:
            found.append("refused")
    assert found == ["refused", "refused"] or len(set(found)) == 2


def test_a_function_without_a_file_is_refused_in_a_sentence(identify: Identify) -> None:
    text = "scope = {}\nexec('def start(n, p): return [(n, {})]', scope)"
    with pytest.raises(ProtocolError, match="the source of start cannot be read: keep the protocol in a file"):
        identify(form(TOP=text, START="scope['start']"))


# -- everywhere the same ----------------------------------------------------------------------------------------------


def elsewhere(specs: list[str], folder: Path, hash_seed: str) -> list[str]:
    """The ids of these protocols, in a process of its own that was started in this folder."""
    code = (
        "import sys\nfrom princeps.campaign.point import make_point\nfrom princeps.errors import ProtocolError\n"
        "for name in sys.argv[1:]:\n"
        "    try:\n"
        "        print(make_point({'name': name, 'n': 6, 'hold': False, 'params': {}}, {}).id)\n"
        "    except ProtocolError:\n"
        "        print('refused')"
    )
    line = [sys.executable, "-c", code, *specs]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    return subprocess.run(line, capture_output=True, text=True, check=True, cwd=folder, env=environment).stdout.split()


def test_the_ids_of_the_library_are_all_different() -> None:
    names = library.library("population")
    assert len({point(name).id for name in names}) == len(names) >= 11


def test_the_ids_are_those_that_are_written_down() -> None:
    assert {name: point(name).id for name in GOLDEN} == GOLDEN


def test_neither_the_process_nor_its_folder_matters(identify: Identify, tmp_path: Path) -> None:
    expected = [identify(LAW, file="mine.py"), identify(form(TOP=CLOSURE, START="some(2)"), file="form.py")]
    expected += [point("p_rl").id, point("p_pl").id]
    library_names = ["p_rl", "p_pl"]
    (tmp_path / "deeper").mkdir()
    assert elsewhere(["mine.py:Mine", "form.py", *library_names], tmp_path, "1") == expected
    assert elsewhere(["../mine.py", f"{tmp_path}/form.py", *library_names], tmp_path / "deeper", "2") == expected


FOREIGN = {
    "an attribute of a class": ("class K:\n    LIMIT = WHAT", "b.x = K.LIMIT"),
    "a member of an enumeration": ("from enum import IntEnum\nclass K(IntEnum):\n    LIMIT = WHAT", "b.x = K.LIMIT"),
    "a function of a class": ("class K:\n    @staticmethod\n    def f():\n        return WHAT", "b.x = K.f()"),
    "a helper that is cached": ("@cache\ndef f():\n    return WHAT", "b.x = f()"),
    "a list of functions": ("def f():\n    return WHAT\nTABLE = [f]", "b.x = TABLE[0]()"),
    "a set of words": ("WORDS = {'one', 'two', 'three', 'four', 'five'} | {'WHAT'}", "b.x = len(WORDS)"),
}


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """For each of them three ids: with 1, with 1 in another folder and process, with 2 in the first folder."""
    found = []
    base = tmp_path_factory.mktemp("foreign")
    for what, folder, hash_seed in (("1", "here", "1"), ("1", "there", "2"), ("2", "here", "1")):
        (base / folder).mkdir(exist_ok=True)
        for k, (top, rule) in enumerate(FOREIGN.values()):
            (base / folder / f"mine{k}.py").write_text(form(TOP=top, RULE=rule).replace("WHAT", what))
        found.append(elsewhere([f"mine{k}.py" for k in range(len(FOREIGN))], base / folder, hash_seed))
    return {label: list(ids) for label, *ids in zip(FOREIGN, *found, strict=True)}


@pytest.mark.parametrize(
    "label",
    [*FOREIGN],
)
def test_whatever_a_rule_uses_has_one_meaning_in_all_processes(label: str, foreign: dict[str, list[str]]) -> None:
    """It may be refused; but if it is accepted, then by its content, else a sweep never finds its own trials again."""
    one, again, other = foreign[label]
    assert one == again
    assert one == "refused" or one != other


# -- seeds ------------------------------------------------------------------------------------------------------------


def test_a_trial_s_seed_comes_from_campaign_and_point() -> None:
    one, other = point("fratricide"), point("fratricide", n=7)
    assert one.seed(3) == point_seed(3, one.id) == point("fratricide", engine="reference").seed(3)
    assert len({one.seed(0), one.seed(1), one.seed(-1), other.seed(0), other.seed(1)}) == 5
    assert all(0 <= one.seed(seed) < 2**48 for seed in range(100))
    assert point_seed(0, "0" * 20) == GOLDEN_SEED


def test_all_sizes_of_a_protocol_have_one_rule() -> None:
    """By which the points of a series are found, and told from those of another protocol or goal."""
    rules = {point("p_pl", n=n, params={"c": c}).rule for n in (6, 60) for c in (1, 2)}
    assert len(rules) == 1
    assert rules.isdisjoint({point("p_pl", until="leader").rule, point("timer").rule})
