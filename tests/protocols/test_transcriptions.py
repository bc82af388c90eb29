"""Every rule equals an independent transcription of its pseudocode, as plain Python and as machine code."""

from __future__ import annotations

from itertools import chain

import pytest

import princeps
from princeps.errors import ParameterError, RunError, StateError, UnknownProtocol
from princeps.model import registry
from princeps.model.states import State
from tests.conftest import Sized
from tests.protocols.kernel_check import assert_kernel_agrees, with_inputs
from tests.protocols.library import CASES, Case, behaviour
from tests.protocols.sampling import EXHAUSTIVE_PAIRS, pairs_of_states


@pytest.mark.medium
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
def test_the_rule_is_the_pseudocode(case: Case, sized: Sized) -> None:
    """Python's delta and the compiled kernel, on all pairs of states, or on 10^5 random ones for each protocol."""
    protocol = case.protocol()
    name_values = protocol.space.name_values
    for told in protocol.oracle_values:
        count, exhaustive = sized(case.pairs // 20, case.pairs), sized(5_000, EXHAUSTIVE_PAIRS)
        before: list[State] = []
        after: list[State] = []
        for turn, pair in enumerate(pairs_of_states(protocol, count, exhaustive=exhaustive)):
            a, b = with_inputs(protocol, pair, turn)
            wanted = case.expected(protocol, a, b, told)
            assert behaviour(protocol, a, b, told) == wanted, (name_values(a), name_values(b), told)
            reached = list(wanted) if isinstance(wanted, dict) else [wanted]
            if turn % 10 == 0:  # the legal states are closed
                assert all(map(protocol.space.is_legal, chain(*reached))), (name_values(a), name_values(b))
            before += [a, b]
            after += reached[0]
        if not protocol.tosses:  # what is drawn in a kernel is compared toss by toss in tests/engines
            assert_kernel_agrees(protocol, before, after, told)


def test_symmetric_p_ll_does_not_ask_who_initiates(sized: Sized) -> None:
    protocol = princeps.protocol("p_ll_symmetric", n=3, m=3)
    for a, b in pairs_of_states(protocol, sized(2_000, 20_000), seed=2):
        assert protocol.step(a, b) == protocol.step(b, a)[::-1]


def test_fields_and_state_counts_are_the_papers() -> None:
    p_rl = princeps.protocol("p_rl", N=8)
    assert p_rl.fields == {"leader": 2, "bullet": 3, "shield": 2, "signal": 2, "distL": 9}
    assert p_rl.state_count == 24 * (8 + 1)
    p_pl = princeps.protocol("p_pl", N=1000)
    assert (p_pl.constants.t_virus, p_pl.constants.t_max, p_pl.constants.t_emit) == (420, 35280, 35280)
    assert p_pl.state_count == 4 * 421 * 35281 * 35281
    assert princeps.protocol("numbered").fields == {
        "aid": None, "leader": None, "isLeader": 2, "electionComplete": 2, "conversions": None, "metFollowers": None,
    }  # fmt: skip
    assert princeps.protocol("infection").state_count is None
    assert list(princeps.protocol("p_ll", m=4).fields) == [
        "leader", "status", "epoch", "init", "color", "count", "levelQ", "done", "rand", "levelB",
    ]  # fmt: skip


def test_the_states_of_p_ll_grow_linearly_in_m() -> None:
    """Group by group: doubling m twice about doubles the count twice, where the product of fields grows like m^4."""
    small, middle, large = (princeps.protocol("p_ll", m=m).state_count or 0 for m in (8, 16, 32))
    assert 1.9 < middle / small < 2.1
    assert 1.9 < large / middle < 2.1


def test_delta_is_pure_and_refuses_illegal_states() -> None:
    p = princeps.protocol("p_rl", N=3)
    a = {"leader": 1, "bullet": 2, "shield": 1, "signal": 0, "distL": 0}
    b = {"leader": 1, "bullet": 0, "shield": 0, "signal": 0, "distL": 2}
    assert p.delta(a, b) == ({**a, "bullet": 0}, {**b, "leader": 0, "distL": 0})
    assert a["bullet"] == 2
    assert b["leader"] == 1
    for wrong in (
        {**a, "distL": 4},
        {**a, "distL": -1},
        {k: v for k, v in a.items() if k != "shield"},
        {**a, "hat": 1},
    ):
        with pytest.raises(StateError):
            p.delta(wrong, b)
    assert (p.output(a), p.output({**b, "leader": 0})) == ("L", "F")
    q = princeps.protocol("p_ll", m=2)
    timer = dict.fromkeys(q.fields, 0) | {"status": 2, "epoch": 1, "init": 1, "count": 5}
    q.delta(timer, timer)
    with pytest.raises(StateError, match="none of the protocol's groups"):
        q.delta(timer | {"levelQ": 1}, timer)


def test_a_default_that_needs_n_needs_n() -> None:
    with pytest.raises(ParameterError, match="needs N"):
        princeps.protocol("p_rl")
    with pytest.raises(ParameterError, match="an integer >= 2"):
        princeps.protocol("p_rl", N=1)
    with pytest.raises(UnknownProtocol, match="p_rl"):
        princeps.protocol("p_lr")
    assert princeps.protocol("p_rl", n=7).params == {"N": 7}
    assert princeps.protocol("p_ll", n=1000).params == {"m": 10, "printed": 0}
    assert princeps.protocol("p_pl", n=9).params == {"N": 9, "c": 1, "virus_factor": 60, "emit_factor": 12}
    assert princeps.protocol("numbered", n=9).params == {"m": 4, "min_interactions": 0, "printed": 0}


def test_every_protocol_tells_what_it_is() -> None:
    for name in princeps.library("population"):
        cls = type(princeps.protocol(name, n=10))
        assert cls.title
        assert cls.paper
        assert cls.default_start in cls.starts
        assert cls.default_goal in cls.all_goals()
        assert all(goal.rule.__doc__ for goal in cls.all_goals().values())


def test_every_ring_algorithm_tells_what_it_is() -> None:
    for name in princeps.library("ring"):
        cls = registry.find_ring(name)
        assert cls.name == name
        assert cls.title
        assert cls.paper
        assert cls.guarantee == "terminating"
        assert set(cls.bounds) <= {"time", "messages", "max_bits"}
        assert all(param.doc for param in cls.params_.values())
        assert len({action.name for action in cls.actions}) == len(cls.actions)


def test_the_library_is_of_two_kinds() -> None:
    populations, rings = princeps.library("population"), princeps.library("ring")
    assert sorted(populations + rings) == princeps.library()
    assert {"a_k", "b_k"} <= set(rings)
    assert {"p_rl", "p_pl", "p_ll"} <= set(populations)
    with pytest.raises(RunError, match="a_k is a ring algorithm"):
        princeps.protocol("a_k", n=10)
    with pytest.raises(RunError, match="p_rl is a population protocol"):
        princeps.impossible("p_rl")
