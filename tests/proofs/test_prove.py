"""A user's own protocol: right lemmas are proved for every n, wrong ones are refuted by a command that replays."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.errors import RunError, UnknownName
from princeps.lowering.symbolic import Symbols
from princeps.model import registry
from princeps.proofs.clauses import HOLDS, UNKNOWN, ask
from princeps.proofs.meeting import Meeting
from princeps.proofs.plain import breaking
from princeps.proofs.prove import Context, prove_one, statements_of
from princeps.proofs.refuting import counterexample
from princeps.proofs.verdicts import NOT_PROVED, PROVED

pytest.importorskip("z3")
pytest.importorskip("cvc5")

MINE = """from princeps import *

def initial(a, i, n, p):
    a.leader = 1

class Mine(PopulationProtocol):
    limit = Param(min=1, default=3)
    leader, heat = Bit(), Range(lambda p: p.limit + 1)
    starts = {"initial": initial}
    predicates = {"cold": lambda a, p: a.heat == 0}
    invariants = {"led": lambda c, p: c.leaders >= 1, "two": lambda c, p: c.leaders >= 2}
    facts = {
        "kept": Stays("somebody leads for ever", "some:leader"),
        "safe": StaysElected("one leader leads for ever", "leader"),
        "left": Stays("cold agents remain", "some:cold"),
        "no leader": Never("nobody falls", lambda before, after, p: before.leader > after.leader, "some:leader"),
        "created": Never("nobody rises", lambda before, after, p: before.leader < after.leader, "every configuration"),
        "lukewarm": EveryAgent("leaders are cold", lambda a, p: a.leader == 0 or a.heat == 0),
        "hot": EveryAgent("nobody is hot", lambda a, p: a.heat < 2),
        "symmetric": Symmetric("roles do not matter"),
        "warmer": EveryMeeting("nobody cools", lambda a, b, x, y, p: x.heat >= a.heat and y.heat >= b.heat),
        "first leads": EveryMeeting("the first leads afterwards", lambda a, b, x, y, p: x.leader == 1),
    }
    def interact(a, b, p):
        if a.leader == 1 and b.leader == 1:
            b.leader = 0
        if b.leader == 0:
            b.heat = min(b.heat + 1, p.limit)
"""
RIGHT = {"groups", "led", "kept", "safe", "created", "lukewarm", "warmer"}
WRONG = {"two", "left", "no leader", "hot", "symmetric", "first leads"}


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("mine") / "mine.py"
    path.write_text(MINE)
    return f"{path}:Mine"


@pytest.fixture(scope="module")
def found(mine: str) -> dict[str, Any]:
    return {one.id: one for one in princeps.prove(mine, progress=False)}


@pytest.mark.medium
def test_right_lemmas_are_proved_for_every_n(found: dict[str, Any]) -> None:
    assert {name for name, one in found.items() if one.verdict == "proved for every n"} == RIGHT
    for name in RIGHT:
        assert found[name].counterexample is None
        assert found[name].certificate is not None
        assert "limit >= 1" in found[name].assumptions


@pytest.mark.medium
def test_wrong_lemmas_are_refuted_with_a_command(found: dict[str, Any]) -> None:
    assert {name for name, one in found.items() if one.verdict == "refuted"} == WRONG
    for name in WRONG:
        assert found[name].counterexample.startswith("princeps run ")
        assert "--pairs list:" in found[name].counterexample


@pytest.mark.medium
def test_the_command_of_a_counterexample_replays(found: dict[str, Any], mine: str) -> None:
    """`two`: the first meeting of two leaders leaves one."""
    words = shlex.split(found["two"].counterexample)
    assert words[:5] == ["princeps", "run", mine, "-n", "2"]
    start, pairs = words[words.index("--start") + 1], words[words.index("--pairs") + 1]
    assert princeps.run(mine, n=2, start=start, pairs=pairs, limit=3, engine="reference").leaders == 1


@pytest.mark.medium
def test_a_counterexample_is_executed_by_the_plain_rule(mine: str) -> None:
    for statement in statements_of(registry.find(mine), ["hot", "no leader"]):
        one = counterexample(statement)
        assert one is not None
        assert len(one.pairs) >= 1
        if len(one.pairs) == 1:
            assert breaking(statement, one.protocol, one.states, one.pairs[0]) is not None


@pytest.mark.medium
@pytest.mark.parametrize(
    ("name", "lemma", "verdict"),
    [
        ("fratricide", "kept", PROVED),
        ("timer", "kept", PROVED),
        ("tokens", "as many tokens as leaders", PROVED),
        ("fischer_jiang_complete", "safe", PROVED),
        ("p_ll", "L5", PROVED),  # by weights, and a fact that is found
        ("p_ll", "L11", PROVED),
        ("p_ll_symmetric", "symmetric", PROVED),
        ("silent_ranking", "reached", NOT_PROVED),
        ("p_rl", "000.T1a", NOT_PROVED),
    ],
)
def test_the_library(name: str, lemma: str, verdict: str) -> None:
    cls = registry.find(name)
    [statement] = statements_of(cls, [lemma])
    assert prove_one(statement, Context(cls)).verdict == verdict


@pytest.mark.medium
def test_the_rule_is_executed_once_for_all_lemmas(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many facts of agents are tried: that, and reading predicates anew, took most of the time."""
    executed: list[str] = []
    interact = Symbols.interact

    def counted(self: Symbols, *args: Any) -> Any:
        executed.append(self.cls.name)
        return interact(self, *args)

    monkeypatch.setattr(Symbols, "interact", counted)
    cls = registry.find("p_ll")
    context = Context(cls)
    for statement in statements_of(cls, ["L4", "L5"]):
        assert prove_one(statement, context).verdict == PROVED
    assert executed == ["p_ll"]


def test_a_clause_is_given_up_by_work_and_not_by_the_clock() -> None:
    cls = registry.find("p_ll")
    meeting = Meeting(cls)
    assert ask(meeting.terms, meeting.closed, work=1000).outcome == UNKNOWN
    assert ask(meeting.terms, meeting.closed).outcome == HOLDS


def test_what_is_refused(mine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownName, match="unknown lemma 'leed'"):
        princeps.prove(mine, "leed", progress=False)
    with pytest.raises(RunError, match="a_k is a ring algorithm"):
        princeps.prove("a_k", progress=False)
    monkeypatch.setitem(sys.modules, "z3", None)
    with pytest.raises(RunError, match=r"pip install 'princeps\[prove\]'"):
        princeps.prove(mine, progress=False)


def test_parameters_other_than_the_files_own_are_tried(tmp_path: Path) -> None:
    """True of K = 2, which the file proposes, and false at K = 1 and with a constant that is given."""
    path = tmp_path / "small.py"
    path.write_text("""from princeps import *

class Small(PopulationProtocol):
    K = Param(min=1, default=2)
    T = Derived(lambda p: p.K + 2, or_given=Param(min=1))
    leader, x = Bit(), Range(lambda p: p.K)
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}
    invariants = {"led": lambda c, p: c.leaders >= 1}
    facts = {
        "K": EveryMeeting("K is 2 at least", lambda a, b, x, y, p: p.K >= 2),
        "T": EveryMeeting("T is 3 at least", lambda a, b, x, y, p: p.T >= 3),
        "x": EveryMeeting("x is 5 at most", lambda a, b, x, y, p: a.x <= 5),
    }

    def interact(a, b, p):
        if p.K == 1:
            a.leader = 0
""")
    found = {one.id: one for one in princeps.prove(f"{path}:Small", progress=False)}
    assert [found[name].verdict for name in ("led", "K", "T")] == ["refuted"] * 3
    assert "-p K=1" in str(found["K"].counterexample)
    assert "-p K=1" in str(found["led"].counterexample)
    assert "-p T=1" in str(found["T"].counterexample)
    assert (found["x"].verdict, "-p K=" in str(found["x"].counterexample)) == ("refuted", True)
