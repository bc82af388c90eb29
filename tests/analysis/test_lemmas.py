"""Lemmas of the papers: what is proved holds in every plain configuration, what is refuted fails as the schedule shows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import inf, nextafter
from typing import Any

import numpy as np
import pytest

import princeps as library
from princeps.analysis.chain import Bits
from princeps.analysis.counterexamples import Counterexample
from princeps.analysis.lemmas import LemmaResult
from princeps.errors import ProtocolError, RunError
from princeps.model import Agent, Bit, Param, Params, PopulationProtocol, Uniform
from princeps.model.lemmas import EVERYTHING, Never, Reaches, Stays, StaysElected, Within
from princeps.model.reading import make_run
from princeps.model.run import Run
from princeps.model.states import State
from princeps.protocols.p_rl import DUMMY, LIVE, PRL
from tests.analysis.example_protocols import Fork, Wander
from tests.analysis.plain_population import PlainPopulation, replayed, run_command
from tests.conftest import Command, with_slow

HURRY, UNSHIELD, PIERCE, DESPAIR, MUTE = 1, 2, 3, 4, 5


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


# -- the same claims, checked for every plain configuration ---------------------------------------------------------------


@cache
def members(plain: PlainPopulation, name: str) -> Bits:
    known = {"some:leader": plain.leaders > 0, "none:leader": plain.leaders == 0, "leader": plain.leaders == 1}
    known[EVERYTHING] = plain.leaders >= 0
    return plain.safe() if name == "safe" else known[name] if name in known else plain.goal(name)


def happens(run: Run, lemma: Never, states: Sequence[State], pair: tuple[int, int]) -> bool:
    """To one of the two that meet."""
    agent: Any = run.protocol.agent
    before = [states[one] for one in pair]
    comparison = zip(before, run.protocol.step(*before), strict=True)
    return any(lemma.event(agent(old), agent(new), run.protocol.constants) for old, new in comparison)


def worst_time(plain: PlainPopulation, lemma: Within) -> tuple[float, Bits]:
    """The longest expected time from a configuration of its begin, and where it is attained."""
    target, begin = members(plain, lemma.target), members(plain, lemma.begin)
    hopeful = plain.leading_to(target, target)
    stray = plain.leading_to(~hopeful, target)
    times = np.where(stray, inf, plain.expected(target | stray))
    return (worst := float(times[begin].max())), begin & (times >= worst * (1 - 1e-9))


def closed(plain: PlainPopulation, of: Bits) -> bool:
    return all(of[after[of]].all() for after in plain.after)


def is_true(plain: PlainPopulation, lemma: Any) -> bool:
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
        begin = map(plain.configuration, np.flatnonzero(members(plain, lemma.begin)))
        return not any(happens(plain.run, lemma, states, arc) for states in begin for arc in plain.arcs)
    return bool(lemma.order) or worst_time(plain, lemma)[0] <= lemma.bound(plain.n, plain.run.protocol.constants)


def check(plain: PlainPopulation, found: Sequence[LemmaResult]) -> None:
    """Every verdict against the truth, every schedule against the rule."""
    for one in found:
        lemma = type(plain.run.protocol).lemmas[one.id]
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
            check_schedule(plain, lemma, one.schedule)


def check_schedule(plain: PlainPopulation, lemma: Any, schedule: Counterexample) -> None:
    """It really begins in the set and really ends where it should not."""
    way = replayed(plain.run, schedule.states, schedule.pairs)
    first, last = plain.number(way[0]), plain.number(way[-1])
    assert members(plain, getattr(lemma, "of", "") or lemma.begin)[first]
    if isinstance(lemma, Stays):
        assert not members(plain, lemma.of)[last]
    elif isinstance(lemma, StaysElected):
        before, after = ([plain.run.protocol.leads(state) for state in states] for states in (way[0], way[-1]))
        assert not members(plain, lemma.of)[last] or sum(after) != 1 or after != before
    elif isinstance(lemma, Never):
        (pair,) = schedule.pairs
        assert happens(plain.run, lemma, schedule.states, pair)
    elif isinstance(lemma, Reaches):
        target = members(plain, lemma.target)
        assert not plain.leading_to(target, target)[last]
    else:
        assert worst_time(plain, lemma)[1][first]


FAULTS = {  # which lemmas fail at n = 2
    0: "",
    HURRY: "T1a L7 L8",
    UNSHIELD: "T1a L2 L6 L8",
    PIERCE: "T1a T1b L2 L6 L8 L10 L11 opt",
    DESPAIR: "T1a T1b L10 L11 opt",
    MUTE: "T1a T1b L13 opt",
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("reduce", with_slow([True, False], lambda reduce: not reduce))
def test_a_fault_in_p_rl_is_told_by_its_lemmas(fault: int, reduce: bool) -> None:
    found = library.exact(Faulty, 2, lemmas=True, reduce=reduce, fault=fault)
    check(PlainPopulation(make_run(Faulty, 2, params={"fault": fault})), found.lemmas)
    refuted = [one.id.removeprefix("000.") for one in found.lemmas if one.verdict == "refuted"]
    assert refuted == FAULTS[fault].split()


@pytest.mark.slow  # seven seconds, nearly all of them compiling
def test_a_refuted_lemma_is_replayed_by_its_command(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("exact", f"{__file__}:Faulty", "-n", 2, "-p", f"fault={UNSHIELD}", "--lemmas")
    outcome = quick(*words, "--json")
    assert outcome.code == 1
    refuted = [one for one in outcome.object["lemmas"] if one["verdict"] == "refuted"]
    assert len(refuted) == 4
    run, shown = make_run(Faulty, 2, params={"fault": UNSHIELD}), quick(*words).stdout
    for one in refuted:
        schedule = one["schedule"]
        assert schedule["command"] in shown
        states = [tuple(state.values()) for state in schedule["start"]]
        assert run_command(schedule["command"], quick, monkeypatch) == replayed(run, states, schedule["pairs"])[-1]
    assert quick(*words[:5], "fault=0", "--lemmas").code == 0


@pytest.mark.medium
@pytest.mark.parametrize(("n", "N"), [(2, 2), (2, 3), (3, 3)])
def test_all_lemmas_of_p_rl_hold(n: int, N: int) -> None:
    result = library.exact("p_rl", n, N=N, lemmas=True)
    found = {one.id: one for one in result.lemmas}
    for key, lemma in PRL.lemmas.items():
        assert found[key].verdict == ("measured" if getattr(lemma, "order", "") else "proved")
        assert found[key].schedule is None
    assert (found["000.L10"].bound, found["000.T1b"].bound, found["000.opt"].bound) == (3 * n * N, n * N, n * n)
    assert result.worst == pytest.approx({(2, 2): 6, (2, 3): 8}.get((n, N), result.worst))
    if (n, N) == (2, 2):
        assert found["000.L10"].measured == pytest.approx(5)
        check(PlainPopulation(make_run("p_rl", n, params={"N": N})), result.lemmas)


# -- a protocol of our own ------------------------------------------------------------------------------------------------


def lowered(before: Agent, after: Agent, p: Params) -> int:
    return after.x < before.x


class Forks(Fork):
    guarantee = "self-stabilizing"
    starts = {"random": Uniform()}
    lemmas = {
        "down": Never("nobody goes back", lowered, EVERYTHING),
        "all": Stays("no step leads anywhere else", EVERYTHING),
        "chance": Reaches("from 0 everybody ends at 1", "all:x==1", "all:x==0"),
        "nowhere": Within("from nowhere it takes no time", "all:x==1", lambda n, p: 1, "all:x==0 and x==1"),
        "empty": Stays("what is nowhere stays there", "all:x==0 and x==1"),
    }


def test_lemmas_about_everything_nothing_and_chance() -> None:
    found = {one.id: one for one in library.exact(Forks, 2, target="all:x==1", lemmas=True).lemmas}
    verdicts = {key: one.verdict for key, one in found.items()}
    assert verdicts.pop("chance") == "refuted"  # the target can be reached, but is missed as often
    assert set(verdicts.values()) == {"proved"}
    way = replayed(make_run(Forks, 2), found["chance"].schedule.states, found["chance"].schedule.pairs)
    assert ([x for _, x in way[0]], 2 in {x for _, x in way[-1]}) == ([0, 0], True)
    assert "-1" not in found["nowhere"].detail


def fallen(before: Agent, after: Agent, p: Params) -> int:
    return before.leader == 1 and after.leader == 0


class Duel(PopulationProtocol):
    """From three leaders it takes 4 steps to one."""

    guarantee = "self-stabilizing"
    leader = Bit()
    starts = {"random": Uniform()}
    lemmas = {
        "loose": Within("at most 5", "leader", lambda n, p: 5, "some:leader"),
        "tight": Within("at most 4", "leader", lambda n, p: 4, "some:leader"),
        "hair": Within("at most a hair less", "leader", lambda n, p: nextafter(4, 0), "some:leader"),
        "wrong": Within("at most 3.99", "leader", lambda n, p: 3.99, "some:leader"),
        "set": StaysElected("some leader is a leader", "some:leader"),
        "falls": Never("no leader falls", fallen, "some:leader"),
        "lone": Never("no lone leader falls", fallen, "leader"),
        "never": Within("at most 5 from anywhere", "leader", lambda n, p: 5, order="1"),
    }

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 1 and b.leader == 1:
            b.leader = 0


def test_bounds_are_compared_with_certified_numbers() -> None:
    found = library.exact(Duel, 3, target="leader", lemmas=True).lemmas
    verdicts = {one.id: one.verdict for one in found}
    assert verdicts.pop("tight") in ("proved", "measured")  # equal within rounding: not refuted
    assert verdicts.pop("hair") in ("refuted", "measured")  # more within rounding: not proved
    check(PlainPopulation(make_run(Duel, 3)), [one for one in found if one.id != "hair"])
    assert [key for key, verdict in verdicts.items() if verdict == "refuted"] == ["wrong", "set", "falls", "never"]
    assert [key for key, verdict in verdicts.items() if verdict == "proved"] == ["loose", "lone"]


class Restless(Wander):
    lemmas = {"closed": Stays("one leader stays one", "leader"), "same": StaysElected("and the same", "leader")}


@pytest.mark.parametrize(("graph", "n"), [("ring", 3), ("complete", 2), ("complete", 3)])
def test_another_leader_is_not_the_same(graph: str, n: int) -> None:
    found = library.exact(Restless, n, target="leader", graph=graph, lemmas=True).lemmas
    check(PlainPopulation(make_run(Restless, n, graph=graph)), found)
    assert [one.verdict for one in found] == ["proved", "refuted"]


def marked(before: Agent, after: Agent, p: Params) -> int:
    return before.y == 1


class Marked(Duel):
    y = Bit()  # of which nobody takes notice
    lemmas = {"y": Never("nobody marked meets anybody", marked, "leader")}


def test_an_event_is_told_of_those_who_meet_and_of_states_that_are_not_merged() -> None:
    with pytest.raises(ProtocolError, match="marked tells states apart that nothing else does: use reduce=False"):
        library.exact(Marked, 3, target="leader", lemmas=True)
    found = library.exact(Marked, 3, target="leader", lemmas=True, reduce=False)
    check(PlainPopulation(make_run(Marked, 3)), found.lemmas)
    assert [one.verdict for one in found.lemmas] == ["refuted"]


def test_lemmas_are_of_all_configurations() -> None:
    with pytest.raises(RunError, match="lemmas=True speaks of all configurations, not of start 'all_leaders'"):
        library.exact("p_rl", 2, lemmas=True, start="all_leaders")
    assert library.exact("p_rl", 2, lemmas=True, start="all").lemmas


@pytest.mark.parametrize("name", ["timer", "fratricide"])
def test_a_protocol_without_lemmas_says_so(name: str, quick: Command) -> None:
    outcome = quick("exact", name, "-n", 3, "--lemmas")
    assert outcome.code == 2
    assert f"{name} states no lemmas: add lemmas = {{...}} to its file" in outcome.stderr
