"""Marks are the paper's predicates, ghosts count what they should, and faults are noticed without any search."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from princeps.lowering.symbolic import Symbols
from princeps.lowering.symbolic_terms import cvc5_library, z3_library
from princeps.model import Agent, Bit, Config, Params, PopulationProtocol, WithGhosts, registry
from princeps.model.goals import Closed
from princeps.model.randomness import Stream
from princeps.papers.altered import altered
from princeps.papers.p_rl.watchers import modest, peaceful, secure
from princeps.proofs.rings.certifying import statements
from princeps.proofs.rings.ghosts import Ghosts
from princeps.proofs.rings.kept import kept_invariants
from princeps.proofs.rings.plain_marks import CannotJudge, rejected_at
from princeps.proofs.rings.proving import Rechecking
from princeps.proofs.rings.reading import read_set
from tests.proofs.rings.faults import alteration
from tests.proofs.rings.plain_scans import PlainSet
from tests.proofs.rings.test_sets import configurations

pytest.importorskip("z3")
pytest.importorskip("cvc5")


@pytest.mark.slow
def test_loops_judge_agents_as_the_paper_does() -> None:
    cls = registry.find("p_rl")
    goal = cls.goals["c_ni"]
    assert isinstance(goal, Closed)
    symbols = Symbols(cls)
    plain = PlainSet(symbols, read_set(symbols, "c_ni", goal.rule))
    seen = set()
    for n, N in ((2, 2), (3, 4), (5, 5), (6, 8)):
        protocol = cls(n, N=N)
        agent: Any = protocol.agent
        for states in configurations(protocol, n, 150, Stream.of(5, n, "marks")):
            u = [agent(state) for state in states]
            marks = {one: plain.violated_at(protocol, states, one) for one in ("c_pb.1", "c_ni.1", "c_ni.2")}
            for i in range(n):
                live = u[i].bullet == 2
                for loop, found in marks.items():
                    assert found[i] == (i in rejected_at(protocol, "c_ni", loop, states))
                assert marks["c_pb.1"][i] == (live and not peaceful(u, i))
                assert marks["c_ni.1"][i] == (not secure(u, i, N))
                assert (marks["c_pb.1"][i] or marks["c_ni.2"][i]) == (live and not modest(u, i))
                seen.add((live, marks["c_pb.1"][i], marks["c_ni.1"][i], marks["c_ni.2"][i]))
    assert {live for live, *_ in seen} == {False, True}
    assert all(any(one[k] for one in seen) for k in (1, 2, 3))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("min(l.distL + 1, p.N)", "min(l.distL, p.N)"),  # distances do not grow
        ("        if r.distL == p.N:", "        if r.distL > p.N:"),  # nobody becomes a leader
        ("x.moves = 0", "x.moves = 1"),  # not a count of moves
        ("(fewer_than_n_moves, a_move_a_distance, leaders", "(fewer_than_n_moves, leaders"),  # not inductive alone
    ],
)
def test_a_count_that_is_wrong_is_not_proved(old: str, new: str, tmp_path: Path) -> None:
    cls = registry.find(altered("p_rl", [(old, new)], tmp_path))
    fact = cls.facts["000.L1"]
    assert isinstance(fact, WithGhosts)
    assert Ghosts(Symbols(cls, z3_library()), fact).failing() is not None
    assert Ghosts(Symbols(cls, cvc5_library()), fact).failing() is not None


@pytest.mark.parametrize(
    ("fault", "lemmas"),
    [
        ("line 7: no shield", ("000.L4",)),
        ("line 2: adds two", ("000.L3", "000.L4", "000.L5")),
        ("line 15: keeps the signal", ("000.L3", "000.L4")),
    ],
)
def test_faults_invalidate_what_is_kept_about_single_agents(
    fault: str, lemmas: tuple[str, ...], tmp_path: Path
) -> None:
    cls = alteration(fault, tmp_path)
    checking = Rechecking(cls, kept_invariants("p_rl"), z3_library())
    failing = {one.id: checking.failing(one) for one in statements(cls) if one.id in lemmas}
    assert all(one is not None and "clause" in one for one in failing.values()), failing


def without_asking(u: Config, n: int, p: Params) -> int:
    """a round returns 0 and has asked nobody"""
    for d in range(n):
        if d > 1:
            return 0
        if u[(0 + d) % n].mark == 1:
            return 0
    return 1


def test_a_loop_that_names_no_agent_has_no_marks() -> None:
    class Odd(PopulationProtocol):
        name = "odd"
        topology = "ring"
        leader, mark = Bit(), Bit()
        goals = {"odd": Closed(without_asking)}

        @staticmethod
        def interact(l: Agent, r: Agent, p: Params) -> None:
            r.mark = l.mark

    assert rejected_at(Odd(2), "odd", "without_asking.1", [(1, 0), (0, 1)]) == {1}
    with pytest.raises(CannotJudge, match="without having asked"):
        rejected_at(Odd(3), "odd", "without_asking.1", [(1, 0), (0, 1), (0, 0)])
    with pytest.raises(CannotJudge, match="no loop 2"):
        rejected_at(Odd(2), "odd", "without_asking.2", [(1, 0), (0, 1)])
