"""Mistakes of a first protocol: one sentence with file and line, the same from every engine and from Python."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import princeps as library
from princeps.errors import ProtocolError
from tests.conftest import Command

FILE = """\
from princeps import Bit, Counted, PopulationProtocol


def initial(a, i, n, p):
    a.leader = 1  # start


def leads(a, p):
    return a.leader == 1  # predicate


class Mine(PopulationProtocol):
    leader = Bit()
    predicates = {"leads": leads}
    starts = {"initial": initial}

    def interact(a, b, p):
        if a.leader == 1 and b.leader == 1:
            b.leader = 0  # rule
"""
KINGS = """\
from princeps import OneOf, PopulationProtocol


class Mine(PopulationProtocol):
    role = OneOf("KING", "PAWN")
    leaders = "KING"
    starts = {"initial": "KING"}

    def interact(a, b, p):
        match (a.role, b.role):
            case (KING, KING):
                b.role = PAWN
"""
RING = """\
from princeps import Message, OneOf, RingAlgorithm, on, start
import random

HELLO = Message("<HELLO, x>")


@start
def S(p, c):
    yield True
    p.send(HELLO, p.id)


@on(HELLO)
def T(p, x, c):
    yield random.random() < 0.5
    p.halt()


class Mine(RingAlgorithm):
    actions = (S, T)
"""
RULE, START = "b.leader = 0  # rule", "a.leader = 1  # start"
INITIAL = '{"initial": initial}'
DRAW = "draw with coin(), which is 0 or 1, or draw(k)"
ENGINES = ("reference", "agents", "counts", "events", "auto")


def with_import(line: str, old: str, new: str) -> str:
    return f"{FILE.replace(old, new)}\n{line}\n"  # read when the rule is: the lines above stay where they are


# what the file is, the line that is blamed, and what is said of it
MISTAKES = {
    "no coin": (FILE.replace(RULE, "b.leader = coin()  # rule"), "# rule", "write `from princeps import coin`"),
    "no draw": (FILE.replace(RULE, "b.leader = draw(2)  # rule"), "# rule", "write `from princeps import draw`"),
    "random": (with_import("import random", RULE, "b.leader = random.randint(0, 1)  # rule"), "# rule", DRAW),
    "no random": (FILE.replace(RULE, "b.leader = random.random() < 0.5  # rule"), "# rule", DRAW),
    "a function of random": (
        with_import("from random import randint", RULE, "b.leader = randint(0, 1)  # rule"),
        "# rule",
        DRAW,
    ),
    "a generator": (
        with_import("import random\nRNG = random.Random(1)", RULE, "b.leader = RNG.randint(0, 1)  # rule"),
        "# rule",
        DRAW,
    ),
    "numpy": (with_import("import numpy as np", RULE, "b.leader = int(np.random.rand())  # rule"), "# rule", DRAW),
    "a helper": (
        with_import("import random\ndef hit():\n    return random.random()  # helper", RULE, "b.leader = hit() > 1"),
        "# helper",
        DRAW,
    ),
    "a random start": (
        with_import("import random", START, "a.leader = random.randint(0, 1)  # start"),
        "# start",
        "only the rule `interact` may draw",
    ),
    "an answer": (FILE.replace(RULE, "return b, a  # rule"), "# rule", "returns nothing: assign to their fields"),
    "a coin that nobody tosses": (
        with_import("from princeps import coin", "if a.leader == 1 and", "if coin and  a.leader == 1 and"),
        "if coin",
        "`coin` is a function: write coin() to draw.",
    ),
    "a coin of another weight": (
        with_import("from princeps import coin", RULE, "b.leader = int(coin() < 0.25)  # rule"),
        "# rule",
        "`coin() < 0.25`: coin() is 0 or 1; for probability 1/4 write draw(4) < 1 (",
    ),
    "a coin that exceeds a half": (
        with_import("from princeps import coin\nHALF = 0.5", RULE, "b.leader = int(HALF < coin())  # rule"),
        "# rule",
        "`HALF < coin()`: coin() is 0 or 1, each with probability 1/2: write coin() == 0; for another probability write "
        "draw(k) < j (",
    ),
    "a float": (
        FILE.replace(RULE, "b.leader = int(a.leader * 0.3 > 1)  # rule"),
        "# rule",
        "`0.3` is a float, and rules compute with integers: multiply both sides, or divide with //; for an event of "
        "probability 3/10 write draw(10) < 3 (",
    ),
    "a coin that is a number": (
        with_import("coin = 5", RULE, "b.leader = coin()  # rule"),
        "# rule",
        "`coin()` is called, but coin is 5 here: rename that, and write `from princeps import coin`.",
    ),
    "a parameter": (
        with_import("from princeps import draw", RULE, "b.leader = int(draw(k) < 1)  # rule")
        .replace("    leader = Bit()", "    leader = Bit()\n    k = library.Param(default=3)")
        .replace("from princeps", "import princeps as library; from princeps", 1),
        "# rule",
        "'k' is a parameter: write p.k.",
    ),
    "a whole float": (FILE.replace(RULE, "b.leader = a.leader < 1e3  # rule"), "# rule", "a float, and rules"),
    "a division": (FILE.replace(RULE, "b.leader = int(a.leader / 2)  # rule"), "# rule", "write // for whole numbers"),
    "a float of a helper": (
        with_import("HALF = 0.5\ndef hit(a):\n    return a.leader > HALF  # helper", RULE, "b.leader = int(hit(a))"),
        "# helper",
        "`HALF` is 0.5, a float",
    ),
    "a float in a start": (FILE.replace(START, "a.leader = int(i < n * 0.5)  # start"), "# start", "`0.5` is a float"),
    "a state": (FILE.replace(INITIAL, '{"initial": {"leader": 1}}'), "starts =", "[(n, {'leader': 1})]) if all n"),
    "a lambda": (
        FILE.replace(INITIAL, '{"initial": lambda a, i, n, p: setattr(a, "leader", 1)}'),
        "starts =",
        "write `def initial(a, i, n, p):`",
    ),
    "names of the class": (
        KINGS.replace("(KING, KING)", "(Mine.KING, Mine.KING)"),
        "def interact",
        "interact reads Mine.KING, which a class does not have: write KING alone, or, as `case` needs a dot, Role.KING with "
        "Role = OneOf(...) outside of the class and role = Role in it",
    ),
    "a name twice in a case": (KINGS, "case (KING, KING)", "write Role.KING with Role = OneOf(...)"),
}


@pytest.mark.parametrize("case", MISTAKES.values(), ids=MISTAKES.keys())
def test_every_engine_and_python_say_the_same(quick: Command, tmp_path: Path, case: tuple[str, str, str]) -> None:
    text, blamed, says = case
    path = tmp_path / "mine.py"
    path.write_text(text)
    line = next(number for number, one in enumerate(text.splitlines(), 1) if blamed in one)
    said = {quick("run", path, "-n", 6, "--engine", engine).stderr for engine in ENGINES}
    said |= {quick("exact", path, "-n", 3).stderr}
    (sentence,) = said
    assert sentence.startswith(f"princeps: {path}:{line}: ")
    assert says in sentence
    with pytest.raises(ProtocolError) as refused:
        library.run(str(path), n=6, engine="reference")
    assert f"princeps: {refused.value}\n" == sentence


def test_every_engine_says_the_same_of_an_oracle_that_is_not_declared(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(FILE.replace(RULE, "b.leader = p.nobody_leads"))
    commands = [("run", path, "-n", 6, "--engine", engine) for engine in ("reference", "agents", "counts")]
    (said,) = {quick(*words).stderr for words in [*commands, ("exact", path, "-n", 3)]}
    assert said == (
        f"princeps: {path}:19: unknown parameter 'nobody_leads': declare oracle = NobodyLeads() in the class; the rule "
        f"alone may read it.\n"
    )


HELPERS = """\
def kill(b):
    b.leader = 0
"""


def test_functions_with_a_dot_are_those_of_a_module_or_of_a_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "of_mine_17.py").write_text(HELPERS)
    monkeypatch.syspath_prepend(tmp_path)
    base = FILE.replace("class Mine", "class Base").replace(RULE, "of_mine_17.kill(b)")
    text = (
        f"import of_mine_17\n{base}\n\nclass Mine(Base):\n    def interact(a, b, p):\n        Base.interact(a, b, p)\n"
    )
    (tmp_path / "mine.py").write_text(text)
    found = [
        library.run(tmp_path / "mine.py:Mine", 6, seed=1, engine=engine).steps for engine in ("reference", "agents")
    ]
    assert found == [library.run("fratricide", 6, seed=1, engine="reference").steps] * 2


def test_what_is_imported_later_in_a_notebook_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(FILE.replace(RULE, "b.leader = coin()  # rule"))
    with pytest.raises(ProtocolError, match="coin is not imported"):
        library.run(str(path), n=6, engine="reference", seed=1)
    cls = type(library.protocol(_with_coin(path), n=6))
    assert library.run(cls, n=6, engine="reference", seed=1).leaders == 1


def _with_coin(path: Path) -> str:
    path.write_text(path.read_text().replace("import Bit", "import coin, Bit"))
    return f"{path}:Mine"


def test_an_action_of_a_ring_tosses(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(RING)
    said = quick("run", path, "--labels", "1,2,3").stderr
    assert said.startswith(f"princeps: {path}:15: `random.random()` draws from a generator")
    assert "draw with p.toss(k), one of 0..k-1." in said


def test_mistakes_in_a_notebook_name_the_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    """As IPython's tracebacks do, by the compiler that IPython compiles cells with."""
    compiler = pytest.importorskip("IPython.core.compilerop").CachingCompiler()
    shell = SimpleNamespace(compile=compiler)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    names: dict[str, Any] = {"__name__": "__main__"}
    kings = KINGS.replace("match (a.role, b.role):", "if a.role == b.role == KING:").replace(
        "case (KING, KING):", "if 1:"
    )
    cells = [kings, kings.replace('"KING", "PAWN"', '"PAWN", "KING"').replace("class Mine", "\nclass Other")]
    files = [compiler.cache(text, number) for number, text in enumerate(cells, 1)]
    exec(compile(cells[0], files[0], "exec"), names)
    with pytest.raises(ProtocolError) as refused:
        exec(compile(cells[1], files[1], "exec"), names)
    said = str(refused.value)
    assert said.startswith(
        "cell In[2], line 10: interact reads 'PAWN', which is 0 of 'role' and 1 in this notebook, since"
    )
    assert "since Mine (cell In[1], line 4) declares it so: `del Mine` if it is no longer needed" in said
    text = cells[1].replace("    leaders", "    role = OneOf('A')\n    leaders").replace("Other", "Twice")
    with pytest.raises(ProtocolError, match=r"cell In\[2\], line 7: 'role' is declared twice"):
        exec(compile(text, compiler.cache(text, 2), "exec"), names)
