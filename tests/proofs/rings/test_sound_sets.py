"""Sets of rings that once were read as other sets, so that something false was proved of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.lowering.symbolic import Symbols
from princeps.model import registry
from princeps.model.goals import Closed
from princeps.proofs.rings.reading import read_set
from princeps.proofs.rings.sets import NotAScan
from princeps.proofs.verdicts import NOT_PROVED, PROVED, REFUTED

pytest.importorskip("z3")
pytest.importorskip("cvc5")

PREFACE = """from princeps import *

def first(u, n):
    for i in range(n):
        if u[i].leader == 1:
            return i
    return -1

def last(u, n):
    k = -1
    for i in range(n):
        if u[i].leader == 1:
            k = i
    return k

def counted(u, n):
    count = 0
    for i in range(n):
        if u[i].leader == 1:
            count += 1
    return count

def without(u, n, v):
    k = first(u, n)
    if k < 0:
        return 0
    for d in range(n):
        i = (k + d) % n
        if u[i].x == v:
            return 0
    return 1

"""
CREATES = "if l.leader == 1 and l.x == 0: r.leader = 1"
FALSE = {  # a set, a rule that leaves it, and the size of the smallest ring that shows it
    "the first leader is the last one": (
        """
            k = first(u, n)
            if k < 0 or k != last(u, n):
                return 0
            return 1
        """,
        CREATES,
        2,
    ),
    "one leader, or else no x": (
        """
            k = last(u, n)
            if k < 0:
                return 0
            if counted(u, n) == 1:
                return 1
            for d in range(n):
                i = (k + d) % n
                if u[i].x == 1:
                    return 0
            return 1
        """,
        CREATES,
        2,
    ),
    "one of two calls of the same loop": (
        """
            return without(u, n, 0) or without(u, n, 1)
        """,
        "if l.x == 0: r.x = 1",
        2,
    ),
    "agents by their numbers": (  # beyond the sizes that `contradiction` tries
        """
            k = first(u, n)
            if counted(u, n) != 1:
                return 0
            for d in range(n):
                i = (k + d) % n
                if i >= 4 and u[i].x == 1:
                    return 0
            return 1
        """,
        "if l.leader == 1: r.x = 1",
        5,
    ),
}


def class_of(body: str, rule: str, folder: Path, more: str = "") -> Any:
    lines = "\n".join(line.removeprefix("        ") for line in body.strip("\n").splitlines())
    path = folder / "wrong.py"
    path.write_text(f"""{PREFACE}
def judged(u, n, p):
{lines}

class Wrong(PopulationProtocol):
    topology = "ring"
    leader, x = Bit(), Range(3)
    goals = {{"judged": Closed(judged)}}
    lemmas = {{"false": Stays("no meeting leads out", "judged")}}
    {more}

    def interact(l, r, p):
        {rule}
""")
    return registry.find(f"{path}:Wrong")


@pytest.mark.parametrize("what", FALSE)
def test_what_is_false_is_refuted_by_the_smallest_ring(what: str, tmp_path: Path) -> None:
    body, rule, n = FALSE[what]
    (found,) = princeps.prove(class_of(body, rule, tmp_path), "false", progress=False)
    assert (found.verdict, "fault of princeps" in found.why) == (REFUTED, False), found.why
    assert found.counterexample is not None
    assert f" -n {n} " in found.counterexample


@pytest.mark.parametrize("what", FALSE)
def test_such_a_set_is_no_scan(what: str, tmp_path: Path) -> None:
    """Unless all it says is how many lead: that is read exactly."""
    body, rule, _ = FALSE[what]
    cls = class_of(body, rule, tmp_path)
    goal = cls.goals["judged"]
    assert isinstance(goal, Closed)
    if "first leader" in what:
        assert read_set(Symbols(cls), "judged", goal.rule).one
        return
    with pytest.raises(NotAScan, match=r"leader stands|how many lead|may be outside of what without returns"):
        read_set(Symbols(cls), "judged", goal.rule)


def test_ghosts_may_not_set_the_fields_of_the_protocol(tmp_path: Path) -> None:
    """`count` would make every agent what the lemma says, in the proof only."""
    path = tmp_path / "wrong.py"
    path.write_text("""from princeps import *

def counts(a, b, x, y, p):
    x.met = 1
    x.x = 0

def kept(a, b, x, y, p):
    x.met = 1

class Wrong(PopulationProtocol):
    leader, x = Bit(), Range(3)
    facts = {
        "false": WithGhosts("x is 0 then", ("met",), counts, (lambda a, p: a.met == 0 or a.x == 0,)),
        "true": WithGhosts("once or never", ("met",), kept, (lambda a, p: a.met <= 1,)),
    }

    def interact(a, b, p):
        a.x = 2
""")
    found = {one.id: one for one in princeps.prove(f"{path}:Wrong", "false", "true", progress=False)}
    assert found["true"].verdict == PROVED
    assert found["false"].verdict == NOT_PROVED
    assert "sets the field 'x' of the protocol" in found["false"].why


def test_a_loop_of_unknown_length_is_said_in_a_sentence(tmp_path: Path) -> None:
    """A traceback once: the code of which the sentence quotes a line has no line numbers."""
    body = """
            k = first(u, n)
            if k < 0:
                return 0
            for d in range(min(u[k].x + 1, n)):
                if d >= 2:
                    return 0
            return 1
        """
    (found,) = princeps.prove(class_of(body, CREATES, tmp_path), "false", progress=False)
    assert found.verdict == NOT_PROVED
    assert "`for v0_d in range(" in found.why
    assert "loop of unknown length" in found.why
