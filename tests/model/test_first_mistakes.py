"""Mistakes of a first protocol: one sentence with file and line, the same from every engine and from Python."""

from __future__ import annotations

from pathlib import Path

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
    "a state": (FILE.replace(INITIAL, '{"initial": {"leader": 1}}'), "starts =", "[(n, {'leader': 1})]) if all n"),
    "a lambda": (
        FILE.replace(INITIAL, '{"initial": lambda a, i, n, p: setattr(a, "leader", 1)}'),
        "starts =",
        "write `def initial(a, i, n, p):`",
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
