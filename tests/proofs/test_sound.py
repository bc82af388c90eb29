"""Lemmas that are false, in files that once made a proof of them: a name, a demand, an oracle, a constant was misread."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.lowering.symbolic import Symbols
from princeps.model import registry
from princeps.proofs.clauses import HOLDS, Answer
from princeps.proofs.prove import Context, prove_one, statements_of
from princeps.proofs.verdicts import NOT_PROVED, REFUTED

pytest.importorskip("z3")
pytest.importorskip("cvc5")

PREFACE = """from princeps import *

ALL_LEAD = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

def some_leader(u, n):
    for i in range(n):
        if u[i].leader == 1:
            return i
    return -1

def is_led(u, n, p):
    return some_leader(u, n) >= 0

def near(u, n, p):
    k = some_leader(u, n)
    if k < 0:
        return 0
    far = 0
    for d in range(n):
        i = (k + d) % n
        if u[i].leader == 1:
            far = 0
        else:
            far += 1
        if u[i].x > far:
            return 0
    return 1

def as_the_leader(u, n, p):
    k = some_leader(u, n)
    if k < 0:
        return 0
    c = 0
    c_new = 0
    for d in range(n):
        i = (k + d) % n
        if u[i].leader == 1:
            c = u[i].x
            c_new = 5
        if u[i].leader == 0 and u[i].x != c and c_new == 5:
            return 0
    return 1

"""
FALSE = {
    "groups listed by a loop": """
        K = Param(min=2, default=3)
        leader, x, y = Bit(), Range(lambda p: p.K), Range(lambda p: p.K)
        starts = ALL_LEAD
        def groups(p):
            return [{"leader": range(2), "x": v, "y": v} for v in range(p.K)]
        def interact(a, b, p):
            a.y = b.x
    """,
    "a constant below the range in which it may be given": """
        x = Param(min=1, default=2)
        t = Derived(lambda p: p.x - 5, or_given=Param(min=1))
        leader = Bit()
        starts = ALL_LEAD
        facts = {"false": Stays("somebody leads", "some:leader")}
        def interact(a, b, p):
            if p.t < 0:
                a.leader = b.leader = 0
    """,
    "another oracle than NobodyLeads": """
        topology = "ring"
        oracle = Oracle("somebody", lambda c, p: c.leaders >= 1)
        leader = Bit()
        goals = {"led": Closed(is_led)}
        lemmas = {"false": Stays("somebody leads", "led")}
        def interact(l, r, p):
            if p.somebody == 1:
                l.leader = r.leader = 0
    """,
    "demands as a conditional expression": """
        topology = "ring"
        N = Param(min=2, default="n")
        leader = Bit()
        goals = {"led": Closed(is_led)}
        lemmas = {"false": Stays("somebody leads", "led")}
        def interact(l, r, p):
            l.leader = 0
        def demands(n, p):
            return f"{n} are too many" if n > p.N else None
    """,
    "demands that return an empty text": """
        topology = "ring"
        leader = Bit()
        goals = {"led": Closed(is_led)}
        lemmas = {"false": Stays("somebody leads", "led")}
        def interact(l, r, p):
            l.leader = 0
        def demands(n, p):
            if n < 100:
                return ""
            return None
    """,
    "demands that cannot be read": """
        topology = "ring"
        leader = Bit()
        goals = {"led": Closed(is_led)}
        lemmas = {"false": Stays("somebody leads", "led")}
        def interact(l, r, p):
            l.leader = 0
        def demands(n, p):
            message = "too many"
            if n < 10:
                message = ""
            return message
    """,
    "a parameter called k, as the size of a part of a ring is": """
        topology = "ring"
        k = Param(min=0, default=3)
        leader, x = Bit(), Range(50)
        goals = {"near": Closed(near)}
        lemmas = {"false": Stays("x is at most the distance", "near")}
        def interact(l, r, p):
            if l.leader == 0 and r.leader == 0 and p.k == 3:
                r.x = l.x + 2 if l.x < 48 and l.x > 2 else 0
    """,
    "a register called as another one is afterwards": """
        topology = "ring"
        leader, x = Bit(), Range(50)
        goals = {"same": Closed(as_the_leader)}
        lemmas = {"false": Stays("all have the x of their leader", "same")}
        def interact(l, r, p):
            if l.leader == 1:
                l.x = 7
    """,
    "a predicate called as one of the proof's is": """
        leader, x = Bit(), Bit()
        starts = ALL_LEAD
        predicates = {"witness": lambda a, p: a.x == 1}
        invariants = {"false": lambda c, p: c.witness >= 1}
        hints = {"false": Top(key=(lambda a, p: 0,), witness=lambda a, p: a.leader == 1, waiting=lambda a, p: 0)}
        def interact(a, b, p):
            a.leader = 1
    """,
}


def class_of(body: str, folder: Path) -> Any:
    path = folder / "wrong.py"
    path.write_text(f"{PREFACE}class Wrong(PopulationProtocol):{body}")
    return registry.find(f"{path}:Wrong")


@pytest.mark.parametrize("what", FALSE)
def test_what_is_false_is_not_proved(what: str, tmp_path: Path) -> None:
    cls = class_of(FALSE[what], tmp_path)
    wanted = ["groups"] if "groups" in what else ["false"]
    verdicts = {one.id: one.verdict for one in princeps.prove(cls, *wanted, progress=False)}
    assert verdicts == {wanted[0]: REFUTED}


GHOST = """
        leader, x = Bit(), Range(9)
        facts = {
            "false": WithGhosts(
                "x is 0 at first", ghosts=("x",), count=lambda a, b, x, y, p: None, holds=(lambda a, p: a.x == 0,)
            )
        }
        def interact(a, b, p):
            a.leader = 1
"""
MARK = """
        leader, x = Bit(), Range(9)
        goals = {"near": Closed(near)}
        facts = {
            "false": Marked("", of="near", marks={"far": "near.1"}, bad=lambda a, b, x, y, p: x.far == 0 and a.far == 1)
        }
        def interact(a, b, p):
            if b.leader == 0:
                b.x = min(a.x + 1, 8)
"""


NOTHING = """
        K = Param(min=5, max=5, default=5)
        leader, x = Bit(), Range(lambda p: p.K - 5)
        facts = {"false": EveryMeeting("", lambda a, b, x, y, p: False)}
        def interact(a, b, p):
            a.leader = 1
"""
NO_RING = """
        topology = "ring"
        N = Param(min=2, default=2)
        leader = Bit()
        goals = {"led": Closed(is_led)}
        lemmas = {"false": Stays("somebody leads", "led")}
        def interact(l, r, p):
            l.leader = 0
        def demands(n, p):
            if p.N > 1:
                return "N is too large"
            return None
"""


@pytest.mark.parametrize(
    "body",
    [GHOST, MARK, NOTHING, NO_RING],
    ids=["a ghost that is a field", "marks, but not on a ring", "a field without values", "no ring is accepted"],
)
def test_facts_that_mean_nothing_are_not_proved(body: str, tmp_path: Path) -> None:
    cls = class_of(body, tmp_path)
    (statement,) = statements_of(cls, ["false"])
    assert prove_one(statement, Context(cls)).verdict == NOT_PROVED


def test_a_parameter_has_a_symbol_of_its_own(tmp_path: Path) -> None:
    names = ("k", "the_k", "d", "left_x", "N")
    body = "\n" + "".join(f"        {name} = Param(min=1, default=1)\n" for name in names)
    cls = class_of(
        f"{body}        leader = Bit()\n        def interact(a, b, p):\n            a.leader = 1\n", tmp_path
    )
    symbols = {name: str(term) for name, term in Symbols(cls).params.items()}
    assert len(set(symbols.values())) == len(names)
    assert not {"k", "d", "left_x"} & set(symbols.values())
    assert symbols["N"] == "N"  # certificates name it


def test_a_formula_for_groups_is_needed_only_for_the_groups_themselves(tmp_path: Path) -> None:
    """Whatever is proved of every combination of values is true of the legal ones."""
    body = FALSE["groups listed by a loop"] + (
        '    facts = {"x": EveryMeeting("x stays", lambda a, b, x, y, p: x.x == a.x)}\n'
    )
    cls = class_of(body, tmp_path)
    (found,) = princeps.prove(cls, "x", progress=False)
    assert found.verdict == "proved for every n"
    assert any("every combination" in one for one in found.assumptions)


def test_what_is_proved_is_tried_on_a_few_agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if every clause held: a fault of the prover is noticed by the plain rule, and told as such."""
    monkeypatch.setattr("princeps.proofs.meeting.ask", lambda terms, clause: Answer(HOLDS))
    body = FALSE["a constant below the range in which it may be given"]
    (found,) = princeps.prove(class_of(body, tmp_path), "false", progress=False)
    assert found.verdict == REFUTED
    assert "fault of princeps" in found.why
    assert found.certificate is None
    assert found.counterexample is not None
    assert "--pairs list:" in found.counterexample
