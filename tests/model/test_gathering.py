"""A class is gathered into one module with everything that it reaches, and means there what it means here."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.errors import ProtocolError
from princeps.model.carried import Carried, carry
from princeps.model.class_content import class_identity
from princeps.model.registry import find_any
from tests.notebook_tools import MINE, Notebook, with_mine

REACHING = {
    "a module": ("", "math.ceil(math.log2(p.N)) + 1"),
    "a module under another name": ("import math as m", "m.ceil(m.log2(p.N)) + 1"),
    "an imported function": ("from math import ceil as up", "up(p.N / 3)"),
    "an imported constant": ("from math import pi", "int(pi * p.N)"),
    "a table": ("T = {'a': [1, 2, (3,)], 'b': {4}}", "T['a'][2][0] + len(T['b'])"),
    "a numpy integer": ("import numpy\nK = numpy.int64(3)", "K + p.N"),
    "an array": ("import numpy\nA = numpy.array([[1, 2], [3, 4]])", "int(A[1, 0]) + p.N"),
    "an enumeration": ("from enum import IntEnum\n\nclass C(IntEnum):\n    RED = 2\n", "C.RED + p.N"),
    "a member of one": ("from enum import Enum\n\nclass C(Enum):\n    RED = 2\n\nR = C.RED", "R.value + p.N"),
    "a fraction": ("from fractions import Fraction\nF = Fraction(1, 3)", "int(F * p.N) + 1"),
    "a lambda": ("double = lambda x: 2 * x", "double(p.N)"),
    "a lambda in a table": ("T = {'f': lambda x: 2 * x}", "T['f'](p.N)"),
    "a partial function": ("from functools import partial\nadd = partial(pow, 2)", "add(3) + p.N"),
    "a cached function": (
        "from functools import lru_cache\n\n@lru_cache\ndef f(k):\n    return 1 if k == 0 else f(k - 1) + 1\n",
        "f(p.N)",
    ),
    "functions that call each other": (
        "def even(k):\n    return 1 if k == 0 else odd(k - 1)\n\ndef odd(k):\n    return 0 if k == 0 else even(k - 1)\n",
        "even(p.N) + 1",
    ),
    "a closure": ("def make(k):\n    def f(x):\n        return x + k\n    return f\n\nf = make(3)", "f(p.N)"),
    "a default that has changed": ("K = 2\n\ndef f(x, k=K):\n    return x + k\n\nK = 5", "f(p.N) + K"),
    "a named tuple": (
        "from collections import namedtuple\nfrom typing import NamedTuple\n\nclass P(NamedTuple):\n    x: int\n\nQ = P(3)",
        "Q.x + p.N",
    ),
    "a name that Python has, too": ("def max(x):\n    return x + 7\n", "max(p.N)"),
    "the name of the module": ("", "len(__name__) + p.N"),
}
DERIVING = """
class Mine(PopulationProtocol):
    N = Param(min=2, default=5)
    t = Derived(lambda p: EXPRESSION)
    leader = Bit()
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

    def interact(a, b, p):  # two leaders meet
        if a.leader and b.leader:
            b.leader = 0
"""


@pytest.mark.parametrize(("before", "expression"), REACHING.values(), ids=REACHING)
def test_what_is_gathered_means_the_same(monkeypatch: pytest.MonkeyPatch, before: str, expression: str) -> None:
    notebook = Notebook(monkeypatch)
    notebook.cell(before + "\n")
    notebook.cell(DERIVING.replace("EXPRESSION", expression))
    mine = notebook["Mine"]
    carried = carry(mine)
    twin: Any = carried.load()
    assert twin is not mine
    assert carried.hash in twin.__module__
    assert class_identity(twin) == class_identity(mine)
    assert twin(4).constants.t == mine(4).constants.t
    assert "__name__" in expression or "# two leaders meet" in carried.text  # the text is theirs, unless names change


@pytest.mark.parametrize("oracle", ["NobodyLeads()", 'Oracle("crowded", crowded)'])
def test_an_oracle_is_carried(monkeypatch: pytest.MonkeyPatch, oracle: str) -> None:
    notebook = Notebook(monkeypatch)
    notebook.cell("LIMIT = 2\n\ndef crowded(c, p):\n    return c.leaders > LIMIT\n")
    notebook.cell(
        DERIVING.replace("EXPRESSION", "p.N").replace("leader = Bit()", f"leader = Bit()\n    oracle = {oracle}")
    )
    mine = notebook["Mine"]
    twin: Any = carry(mine).load()
    assert class_identity(twin) == class_identity(mine)
    assert twin.oracle.name == mine.oracle.name
    notebook.cell("LIMIT = 3\n")
    assert (class_identity(twin) == class_identity(mine)) == (oracle == "NobodyLeads()")


def test_one_name_may_mean_two_things_in_two_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "neighbour_of_a_test.py").write_text("L = 7\n\ndef hit(a):\n    return a.x == L\n")
    monkeypatch.syspath_prepend(tmp_path)
    notebook = with_mine(monkeypatch)
    notebook.cell("import neighbour_of_a_test as other\nfrom neighbour_of_a_test import hit as theirs\n")
    notebook.cell(MINE.replace("and hit(a)", "and hit(a) or theirs(a) or other.hit(b) or b.x == other.L"))
    try:
        text = carry(notebook["Mine"]).text
    finally:
        del sys.modules["neighbour_of_a_test"]
    assert "L = 1\n" in text
    assert "L_2 = 7\n" in text
    assert "neighbour_of_a_test" not in text


def test_a_class_is_derived_from_another_cell_or_from_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = with_mine(monkeypatch)
    notebook.cell("class Other(Mine):\n    default_goal = 'leader'\n")
    notebook.cell("from princeps.protocols.fratricide import Fratricide\n\nclass Third(Fratricide):\n    pass\n")
    for name in ("Other", "Third"):
        assert class_identity(carry(notebook[name]).load()) == class_identity(notebook[name])
    assert "class Mine" in carry(notebook["Other"]).text
    assert "from princeps.protocols.fratricide import Fratricide" in carry(notebook["Third"]).text


def test_a_class_within_a_function_is_gathered(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = Notebook(monkeypatch)
    body = "".join(f"    {line}\n" for line in DERIVING.replace("EXPRESSION", "k + p.N").splitlines())
    notebook.cell(f"k = 100\n\ndef make(k):\n{body.replace('Bit()', 'Range(k)')}    return Mine\n")
    mine = notebook["make"](3)
    twin: Any = carry(mine).load()
    assert twin(4).fields == mine(4).fields == {"leader": 3}
    assert twin(4).constants.t == 8


def test_ring_algorithms_are_gathered(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = Notebook(monkeypatch)
    notebook.cell('TOKEN = Message("<x>")\n')
    notebook.cell(RING)
    mine, twin = notebook["Mine"], carry(notebook["Mine"]).load()
    assert class_identity(mine) == class_identity(twin)
    given: dict[str, Any] = {"labels": "3,1,2", "seed": 1, "engine": "reference"}
    assert princeps.run(twin, **given).messages == princeps.run(mine, **given).messages == 5
    assert [found.messages for found in princeps.trials(mine, trials=1, **given)] == [5]


RING = """
@start
def A1(p, c):
    yield True
    p.leader = p.id
    p.send(TOKEN, p.id)

@on(TOKEN)
def A2(p, x, c):
    yield x > p.id
    p.send(TOKEN, x)

@on(TOKEN)
def A3(p, x, c):
    yield x < p.id

@on(TOKEN)
def A4(p, x, c):
    yield x == p.id
    p.isLeader = 1
    p.done = 1
    p.halt()

class Mine(RingAlgorithm):
    actions = [A1, A2, A3, A4]
"""

REFUSED = {
    "an open file": (
        "import os\nK = open(os.devnull)",
        "K.fileno()",
        r"reaches 'K', of type TextIOWrapper.*use numbers",
    ),
    "an object": ("class Box:\n    pass\n\nK = Box()\n", "id(K)", "reaches 'K', of type Box"),
    "an iterator": ("import itertools\nK = itertools.count()", "next(K)", "reaches 'K', of type count"),
    "within a table": ("import threading\nK = {'a': threading.Lock()}", "len(K)", "reaches 'K', of type dict"),
}


@pytest.mark.parametrize(("before", "expression", "sentence"), REFUSED.values(), ids=REFUSED)
def test_what_has_no_text_is_refused_by_its_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, before: str, expression: str, sentence: str
) -> None:
    notebook = Notebook(monkeypatch)
    notebook.cell(before + "\n")
    notebook.cell(DERIVING.replace("EXPRESSION", expression))
    with pytest.raises(ProtocolError, match=sentence):
        princeps.sweep(notebook["Mine"], n=4, trials=1, store=tmp_path / "s.db")
    assert not (tmp_path / "s.db").exists()


def test_what_the_body_of_a_class_has_read_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = with_mine(monkeypatch)
    notebook.cell(MINE.replace("Range(4)", "Range(L + 3)"))
    notebook.cell("L = 2\n")
    notebook.cell("def initial(n, p):\n    return [(n, {})]\n")
    twin: Any = carry(notebook["Mine"]).load()
    assert twin(4).fields["x"] == notebook["Mine"](4).fields["x"] == 4
    assert twin.starts["initial"].rule(3, None) == [(3, {"leader": 1, "x": 2})]
    assert twin(4).delta({"leader": 1, "x": 2}, {"leader": 1, "x": 0})[1] == {"leader": 0, "x": 0}


def test_a_class_that_its_cells_no_longer_say_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = with_mine(monkeypatch)
    cell = MINE.replace("Range(4)", "Range(L + 3)").replace("hit(a)", "a.x == L")
    notebook.cell(cell)
    carry(notebook["Mine"])
    notebook.cell("L = 2\n")
    with pytest.raises(ProtocolError, match=r"executed before L changed.*: execute the definition of Mine again"):
        carry(notebook["Mine"])
    notebook.cell(cell)
    twin: Any = carry(notebook["Mine"]).load()
    assert twin(4).fields["x"] == 5


def test_it_is_gathered_again_when_something_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = with_mine(monkeypatch)
    first = carry(notebook["Mine"])
    assert carry(notebook["Mine"]) is first
    notebook.cell("L = 2\n")
    second = carry(notebook["Mine"])
    assert "L = 2\n" in second.text
    assert second.module_name != first.module_name
    assert class_identity(first.load()) != class_identity(second.load())


def test_mistakes_are_told_with_the_line_in_which_they_were_made(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = with_mine(monkeypatch)
    notebook.cell("def hit(a):\n    b = 1\n    return a.x // (b - 1) == L\n")
    carried = carry(notebook["Mine"])
    with pytest.raises(ProtocolError) as found:
        princeps.run(find_any(carried), n=5, seed=1, engine="reference")
    assert carried.file in str(found.value)
    file = notebook["hit"].__code__.co_filename
    assert carried.original(str(found.value)).startswith(f"{file}:3: ZeroDivisionError")
    assert Carried("Mine", "").original("another sentence") == "another sentence"


LINES = """\
import functools, math
from princeps import *


def same(f):
    @functools.wraps(f)
    def g(x):  # a comment

        return f(x)
    return g


@same
@same
def down(x, by=LEAST,
         of=3):
    # another comment

    return x // (by - 1)  # line 19


def make(m, k):
    @functools.partial(lambda cls: cls)
    class Mine(PopulationProtocol):
        leader = Bit()

        # a third one
        x = Range(4)
        starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

        def interact(a, b, p):
            a.x = ("é", m.floor(k), down)[1]

            a.x = EXPRESSION  # line 34
    return Mine


Mine = make(math, 2)
"""


@pytest.mark.parametrize(
    ("expression", "says"),
    [("down(a.x)", "19: ZeroDivisionError"), ("a.x // (k - 2)", "34: ZeroDivisionError"), ("k + 7", "34: x = 9")],
)
def test_lines_stay_where_names_are_written_anew(monkeypatch: pytest.MonkeyPatch, expression: str, says: str) -> None:
    notebook = Notebook(monkeypatch)
    notebook.cell("LEAST = 1\n")
    notebook.cell(LINES.replace("EXPRESSION", expression))
    carried = carry(notebook["Mine"])
    with pytest.raises(ProtocolError) as found:
        princeps.run(find_any(carried), n=5, seed=1, engine="reference")
    file = notebook["make"].__code__.co_filename
    assert carried.original(str(found.value)).startswith(f"{file}:{says}")
