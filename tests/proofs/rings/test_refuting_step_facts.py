"""Facts about marks and ghost fields that are wrong: the smallest ring, or the shortest run, executed by the plain rule."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

import princeps
from princeps.api.prove import command_of
from princeps.model import Agent, Bit, Param, Params, PopulationProtocol, WithGhosts, registry
from princeps.model.step_facts import Marked
from princeps.papers.altered import altered
from princeps.proofs.rings.certifying import statements
from princeps.proofs.rings.kept import kept_invariants
from princeps.proofs.rings.plain_marks import breaks_marked
from princeps.proofs.rings.proving import Limits, prove
from princeps.proofs.verdicts import NOT_PROVED, PROVED, REFUTED, Statement, Verdict
from tests.proofs.rings.faults import place_of
from tests.proofs.rings.test_refuting import shown

pytest.importorskip("z3")


def judged(place: str, name: str) -> tuple[Statement, Verdict]:
    """Without any search for invariants."""
    statement = next(one for one in statements(registry.find(place)) if one.id == name)
    return statement, prove(statement, kept_invariants("p_rl"), Limits(seeds=()))


@pytest.mark.medium
@pytest.mark.parametrize(
    ("fault", "fact", "n"),
    [
        ("line 7: no shield", "000.L4", 2),
        ("line 2: adds two", "000.L3", 2),
        ("line 2: adds two", "000.L5", 3),
        ("line 15: keeps the signal", "000.L3", 2),
    ],
)
def test_a_wrong_fact_about_marks_is_refuted(fault: str, fact: str, n: int, tmp_path: Path) -> None:
    place = place_of(fault, tmp_path)
    statement, verdict = judged(place, fact)
    assert verdict.verdict == REFUTED
    assert verdict.counterexample is not None
    assert len(verdict.counterexample.states) == n
    shown(verdict.counterexample, place, statement.what)


def test_what_is_right_about_marks_is_not_refuted(tmp_path: Path) -> None:
    assert judged(place_of("line 7: no shield", tmp_path), "000.L3")[1].verdict == PROVED


def test_nothing_is_bad_where_known_loops_reject() -> None:
    """000.L5 is about configurations in which every live bullet is modest."""
    cls = registry.find("p_rl")
    fact = cls.facts["000.L5"]
    assert isinstance(fact, Marked)
    protocol = cls(3, N=3)
    before = [(1, 0, 0, 0, 0), (0, 2, 0, 0, 1), (0, 0, 0, 0, 2)]  # a live bullet whose leader has no shield
    after = [before[0], before[1], (0, 0, 0, 0, 3)]
    assert not breaks_marked(fact, protocol, before, after, (1, 2))
    fine = [before[0], (0, 0, 0, 0, 1), before[2]]
    assert breaks_marked(fact, protocol, fine, [fine[0], fine[1], after[2]], (1, 2))


@pytest.mark.parametrize(
    ("old", "new", "meetings", "broken"),
    [
        ("min(l.distL + 1, p.N)", "min(l.distL, p.N)", 1, "a_move_a_distance"),
        ("        if r.distL == p.N:", "        if r.distL > p.N:", 2, "fewer_than_n_moves"),
        ("x.moves = 0", "x.moves = 1", 1, "a_move_a_distance"),
    ],
)
def test_a_wrong_count_is_refuted_by_a_run(old: str, new: str, meetings: int, broken: str, tmp_path: Path) -> None:
    place = altered("p_rl", [(old, new)], tmp_path)
    _, verdict = judged(place, "000.L1")
    assert verdict.verdict == REFUTED
    assert verdict.why.startswith(f"{broken} is not true of agent ")
    found = verdict.counterexample
    assert found is not None
    assert len(found.pairs) == meetings
    assert (len(found.states), found.protocol.given) == (2, {"N": 2})
    words = shlex.split(command_of(place, found))
    start, pairs = words[words.index("--start") + 1], words[words.index("--pairs") + 1]
    result = princeps.run(place, 2, N=2, start=start, pairs=pairs, snapshots=[0, meetings], engine="reference")
    assert result.snapshots is not None
    before, after = (moment.agents() for moment in result.snapshots.values())
    if broken == "fewer_than_n_moves":  # the bullet has gone once round, which N = 2 moves are
        assert [state[1] > 0 for state in before] == [state[1] > 0 for state in after]


def count(a: Agent, b: Agent, x: Agent, y: Agent, p: Params) -> None:
    x.passed = 0
    y.passed = a.passed + 1 if a.token == 1 else b.passed


def seldom(a: Agent, p: Params) -> int:
    return a.passed < p.most


def fits(a: Agent, p: Params) -> int:
    return a.token == 1 or a.passed == 0


class Relay(PopulationProtocol):
    name = "relay"
    topology = "complete"
    most = Param(min=2, default=3)
    leader, token = Bit(), Bit()
    facts = {
        "seldom": WithGhosts("a token is passed on seldom", ("passed",), count, (seldom,)),
        "fits": WithGhosts("only tokens are counted", ("passed",), count, (fits,)),
    }

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.token == 1:
            a.token, b.token = 0, 1


def test_counts_on_complete_graphs() -> None:
    verdicts = {name: prove(Statement(Relay, name, "", "lemma", what)) for name, what in Relay.facts.items()}
    assert verdicts["fits"].verdict == PROVED
    found = verdicts["seldom"]
    assert (found.verdict, found.why[-16:]) == (REFUTED, "after 2 meetings")
    assert found.counterexample is not None
    assert found.counterexample.protocol.given == {"most": 2}
    assert list(found.counterexample.pairs) in ([(0, 1), (1, 0)], [(1, 0), (0, 1)])


@pytest.mark.slow  # 8 s
def test_a_fact_that_is_true_but_not_inductive_is_neither_proved_nor_refuted(tmp_path: Path) -> None:
    place = altered(
        "p_rl", [("(fewer_than_n_moves, a_move_a_distance, leaders", "(fewer_than_n_moves, leaders")], tmp_path
    )
    assert judged(place, "000.L1")[1].verdict == NOT_PROVED
