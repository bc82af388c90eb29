"""Lemmas of the papers: what is proved holds in every plain configuration, what is refuted fails as the schedule shows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import inf
from typing import Any

import numpy as np
import pytest

import princeps as library
from princeps.errors import RunError
from princeps.exact.chain import Bits
from princeps.exact.lemmas import Finding
from princeps.model import (
    Agent,
    Bit,
    Counted,
    Counts,
    Never,
    Param,
    Params,
    PopulationProtocol,
    Range,
    Reaches,
    Stays,
    StaysElected,
    Uniform,
    Within,
)
from princeps.model.lemmas import EVERYTHING
from princeps.model.run import Run, make_run
from princeps.model.states import State
from princeps.protocols.p_rl import DUMMY, LIVE, PRL, created
from tests.chain_tools import Plain, obey, replayed
from tests.conftest import Command

DEMOTE, HURRY, UNSHIELD, PIERCE, DESPAIR, MUTE = 1, 2, 3, 4, 5, 6


class Faulty(PRL):
    """P_RL with a fault in one of its lines."""

    name = "faulty"
    fault = Param(min=0, default=0, doc="which one; 0 is none")

    @staticmethod
    def interact(l: Agent, r: Agent, p: Params) -> None:
        if l.leader == 1:  # 1
            l.distL = 0
        if r.leader == 1:  # 2
            r.distL = 0
        elif r.bullet == 0:
            r.distL = min(l.distL + (2 if p.fault == HURRY else 1), p.N)
        if r.distL == p.N and p.fault != DESPAIR:  # 3
            r.leader, r.distL = 1, 0  # 4
            r.bullet, r.shield, r.signal = LIVE, 1, 0  # 5
        if l.leader == 1 and l.signal == 1:  # 6
            l.bullet, l.shield, l.signal = LIVE, 0 if p.fault == UNSHIELD else 1, 0  # 7
        if r.leader == 1 and r.signal == 1:  # 8
            r.bullet, r.shield, r.signal = DUMMY, 0, 0  # 9
        if l.bullet > 0 and r.leader == 1:  # 10
            r.leader = 0 if l.bullet == LIVE and (r.shield == 0 or p.fault == PIERCE) else 1  # 11
            l.bullet = 0  # 12
        elif l.bullet > 0 and r.leader == 0:  # 13
            r.bullet = l.bullet if r.bullet == 0 else r.bullet  # 14
            l.bullet, r.signal = 0, 0  # 15
        l.signal = max(l.signal, r.signal, 0 if p.fault == MUTE else r.leader)  # 16
        if p.fault == DEMOTE and l.leader == 1 and r.leader == 0 and l.shield == 0:
            l.leader, r.leader = 0, 1


# -- the same claims, asked of every plain configuration ---------------------------------------------------------------


@cache
def members(plain: Plain, name: str) -> Bits:
    known = {"some:leader": plain.leaders > 0, "none:leader": plain.leaders == 0, "leader": plain.leaders == 1}
    known[EVERYTHING] = plain.leaders >= 0
    return plain.safe() if name == "safe" else known[name] if name in known else plain.goal(name)


def happens(run: Run, lemma: Never, before: Sequence[State], after: Sequence[State]) -> bool:
    agent: Any = run.protocol.agent
    pairs = zip(before, after, strict=True)
    return any(lemma.event(agent(old), agent(new), run.protocol.constants) for old, new in pairs)


def worst_time(plain: Plain, lemma: Within) -> tuple[float, Bits]:
    """The longest expected time from a configuration of its begin, and where it is attained."""
    target, begin = members(plain, lemma.target), members(plain, lemma.begin)
    hopeful = plain.leading_to(target, target)
    stray = plain.leading_to(~hopeful, target)
    times = np.where(stray, inf, plain.expected(target | stray))
    worst = float(times[begin].max())
    return worst, begin & (times >= worst * (1 - 1e-9))


def closed(plain: Plain, of: Bits) -> bool:
    return all(of[after[of]].all() for after in plain.after)


def is_true(plain: Plain, lemma: Any) -> bool:
    if isinstance(lemma, Stays):
        return closed(plain, members(plain, lemma.of))
    if isinstance(lemma, StaysElected):
        of = members(plain, lemma.of)
        return closed(plain, of) and bool((of <= plain.safe()).all())
    if isinstance(lemma, Reaches):
        target = members(plain, lemma.target)
        stray = plain.leading_to(~plain.leading_to(target, target), target)
        return not (members(plain, lemma.begin) & stray).any()
    if isinstance(lemma, Never):
        codes = np.flatnonzero(members(plain, lemma.begin))
        name = plain.configuration
        steps = ((name(code), name(after[code])) for code in codes for after in plain.after)
        return not any(happens(plain.run, lemma, before, after) for before, after in steps)
    return bool(lemma.order) or worst_time(plain, lemma)[0] <= lemma.bound(plain.n, plain.run.protocol.constants)


def check(plain: Plain, found: Sequence[Finding]) -> set[str]:
    """Every verdict against the truth, every schedule against the rule; the kinds that were refuted."""
    lemmas, refuted = type(plain.run.protocol).lemmas, set()
    assert [one.id for one in found] == list(lemmas)
    for one in found:
        lemma = lemmas[one.id]
        assert one.says == lemma.says
        if isinstance(lemma, Within):
            worst, _ = worst_time(plain, lemma)
            assert one.measured == pytest.approx(worst, rel=1e-9)
            assert one.bound == lemma.bound(plain.n, plain.run.protocol.constants)
            if lemma.order and worst < inf:
                assert one.verdict == "measured"
                continue
            assert (one.verdict == "refuted") == (worst > one.bound)
        else:
            assert one.verdict == ("proved" if is_true(plain, lemma) else "refuted")
        assert (one.schedule is not None) == (one.verdict == "refuted")
        if one.schedule is not None:
            refuted.add(type(lemma).__name__)
            check_schedule(plain, lemma, replayed(plain.run, one.schedule.states, one.schedule.pairs))
    return refuted


def check_schedule(plain: Plain, lemma: Any, way: list[list[State]]) -> None:
    """It really begins in the set and really ends where it should not."""
    first, last = plain.number(way[0]), plain.number(way[-1])
    assert members(plain, getattr(lemma, "of", "") or lemma.begin)[first]
    if isinstance(lemma, Stays):
        assert not members(plain, lemma.of)[last]
    elif isinstance(lemma, StaysElected):
        outputs = [[plain.run.protocol.leads(state) for state in states] for states in way]
        left = not members(plain, lemma.of)[last]
        assert left or sum(outputs[-1]) != 1 or outputs[-1] != outputs[0]
    elif isinstance(lemma, Never):
        assert len(way) == 2
        assert happens(plain.run, lemma, way[0], way[1])
    elif isinstance(lemma, Reaches):
        target = members(plain, lemma.target)
        assert not plain.leading_to(target, target)[last]
    else:
        assert worst_time(plain, lemma)[1][first]


FAULTS = {
    0: set(),
    DEMOTE: {"Stays", "StaysElected", "Never", "Reaches"},
    HURRY: {"Stays", "StaysElected", "Never"},
    UNSHIELD: {"Stays", "StaysElected"},
    PIERCE: {"StaysElected"},
    DESPAIR: {"Reaches", "Within"},
    MUTE: {"Reaches", "Within"},
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("reduce", [True, False])
def test_a_fault_in_p_rl_is_told_by_its_lemmas(fault: int, reduce: bool) -> None:
    found = library.exact(Faulty, 2, lemmas=True, reduce=reduce, fault=fault)
    plain = Plain(make_run(Faulty, 2, params={"fault": fault}))
    assert check(plain, found.lemmas) == FAULTS[fault]


@pytest.mark.parametrize(("n", "N"), [(2, 2), (2, 3), (3, 3)])
def test_all_lemmas_of_p_rl_hold(n: int, N: int) -> None:
    result = library.exact("p_rl", n, N=N, lemmas=True)
    found = {one.id: one for one in result.lemmas}
    assert list(found) == list(PRL.lemmas)
    for key, one in found.items():
        assert one.verdict == ("measured" if getattr(PRL.lemmas[key], "order", "") else "proved")
        assert one.schedule is None
    assert (found["000.L10"].bound, found["000.T1b"].bound, found["000.opt"].bound) == (3 * n * N, n * N, n * n)
    assert result.worst == pytest.approx({(2, 2): 6, (2, 3): 8}.get((n, N), result.worst))
    if (n, N) == (2, 2):
        assert found["000.L10"].measured == pytest.approx(5)
        check(Plain(make_run("p_rl", n, params={"N": N})), result.lemmas)
