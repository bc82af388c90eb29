"""How long a leader is held, and whole populations whose answers are known: against one dense system of all agents."""

from __future__ import annotations

from fractions import Fraction
from math import comb, inf
from typing import Any

import numpy as np
import pytest

import princeps
from princeps.analysis.chain import Bits
from princeps.analysis.holding import holding
from princeps.model import Agent, Bit, Params, PopulationProtocol, Range, Reaches
from princeps.model.reading import make_run
from tests.analysis.chain_tools import exact_squares, exact_times, make_chain, within
from tests.analysis.example_protocols import Anything, Fuse, Wander
from tests.analysis.plain_population import Comparison, PlainPopulation, replayed

TINY_P_PL = {"virus_factor": 1, "emit_factor": 1}


def may_follow(plain: PlainPopulation, wanted: Any) -> Any:
    """From where a wanted configuration can be reached while no output changes."""
    while True:
        steps = zip(plain.after, plain.changes_output, strict=True)
        wider = wanted | np.any([wanted[after] & ~changes_output for after, changes_output in steps], axis=0)
        if (wider == wanted).all():
            return wanted
        wanted = wider


def check(plain: PlainPopulation, chosen: Any, found: Any, start: Any = None) -> None:
    """Shortest and mean over all configurations of a set that have one leader; a change of any output is a loss."""
    lost = plain.leaders != 1
    changes_output = np.any(plain.changes_output, axis=0)
    for_ever = may_follow(plain, ~may_follow(plain, changes_output) & ~lost)
    times = np.where(for_ever, inf, plain.expected(lost | for_ever, lost_at_once=True))
    starts = np.flatnonzero(chosen & ~lost)
    assert found.starts == len(starts)
    if not len(starts):
        assert (found.shortest, found.mean) == (inf, inf)
        return
    assert found.shortest == pytest.approx(times[starts].min(), rel=1e-9)
    assert found.mean == pytest.approx(times[starts].mean(), rel=1e-9)
    for value, interval in ((found.shortest, found.shortest_interval), (found.mean, found.mean_interval)):
        assert interval[0] <= value <= interval[1]
        assert value == inf or interval[1] - interval[0] <= 1e-9 * value
    if start is not None:
        assert chosen[plain.number(start)]
        assert times[plain.number(start)] == pytest.approx(found.shortest, rel=1e-9)


LOOSE = [
    ("timer", 2, {"t_max": 3}),
    ("timer", 3, {"t_max": 2}),
    ("timer", 3, {"t_max": 3}),
    ("p_pl", 2, {"N": 2, **TINY_P_PL}),
    ("p_pl", 2, {"N": 3, **TINY_P_PL}),
]


@pytest.mark.parametrize(
    ("name", "n", "params", "reduce"),
    [
        *((*case, True) for case in LOOSE[:-1]),
        *((*case, False) for case in LOOSE[:-1]),
        pytest.param(*LOOSE[-1], True, marks=pytest.mark.slow),
    ],
)
def test_loosely_stabilizing_protocols(name: str, n: int, params: dict[str, int], reduce: bool) -> None:
    plain = PlainPopulation(make_run(name, n, params=params))
    for target in ("leader", *(["s"] if name == "p_pl" else [])):
        found = princeps.exact(name, n, target=target, hold=True, reduce=reduce, **params)
        goal = plain.leaders == 1
        if target == "s":
            goal = plain.satisfying(lambda states: in_s(plain.run.protocol.constants, states))
        check(plain, goal, found.holding, found.holding_start)
        as_json = found.as_json()["holding"]
        for key in ("shortest", "mean"):
            assert as_json[key] == (None if getattr(found.holding, key) == inf else getattr(found.holding, key))


def in_s(p: Any, states: Any) -> bool:
    """The paper's set S, from leader, shield, virus, timerL and timerI."""
    leads = [state for state in states if state[0] == 1]
    half = all(2 * state[3] >= p.t_max for state in states)
    shielded = any(state[1] == 1 and 2 * state[4] >= p.t_emit for state in leads)
    return len(leads) == 1 and half and (shielded or all(state[2] == 0 for state in states))


def test_known_times() -> None:
    """Two agents with t_max = 1: any meeting of the only leader is a timeout, after which the initiator leads."""
    found = princeps.exact("timer", 2, t_max=1, hold=True).holding
    assert (found.shortest, found.mean) == pytest.approx((2, 2))
    fuse = princeps.exact(Fuse, 2, target="leader", hold=True).holding  # every second meeting counts down, from 0 to 3
    assert (fuse.shortest, fuse.mean) == pytest.approx((2, 5))
    wander = princeps.exact(Wander, 4, graph="ring", target="leader", hold=True).holding  # one arc of four moves it on
    assert (wander.starts, wander.shortest, wander.mean) == pytest.approx((4, 4, 4))


@pytest.mark.medium
@pytest.mark.parametrize(("graph", "n"), [("ring", 3), ("complete", 3), ("complete", 4)])
def test_arbitrary_protocols(graph: str, n: int) -> None:
    seen: set[tuple[bool, bool]] = set()
    for u in range(40):
        comparison = Comparison(
            make_run(Anything, n, graph=graph, params={"u": u, "busy": (10, 25)[u % 2]}), ("leader", "calm")
        )
        for name in ("leader", "calm", "safe"):
            found = holding(comparison.space, comparison.space.members(name))
            first = found.shortest_start
            start = None if first is None else comparison.space.configurations.states_of(first)
            check(comparison.plain, comparison.each(comparison.space.members(name)), found, start)
            seen.add((found.shortest < inf, found.mean < inf))
    assert seen == {(True, True), (True, False), (False, False)}


def test_a_self_stabilizing_protocol_holds_for_ever() -> None:
    for target in ("safe", "s_rl"):
        found = princeps.exact("p_rl", 2, N=3, target=target, hold=True)
        assert (found.holding.shortest, found.holding.mean) == (inf, inf)
        assert found.holding.starts == found.target_size
        assert found.as_json()["holding"]["shortest"] is None
    leader = princeps.exact("p_rl", 2, N=3, target="leader", hold=True)
    plain = PlainPopulation(make_run("p_rl", 2, params={"N": 3}))
    check(plain, plain.leaders == 1, leader.holding, leader.holding_start)
    assert leader.holding.shortest < leader.holding.mean == inf


# -- answers that are known otherwise --------------------------------------------------------------------------------


@pytest.mark.parametrize(("N", "worst", "mean"), [(2, 6, Fraction(3409, 1728)), (3, 8, Fraction(227, 96))])
def test_p_rl_of_two(N: int, worst: int, mean: Fraction) -> None:
    found = princeps.exact("p_rl", 2, N=N, rational=True)
    assert (found.worst_exact, found.mean_exact) == (worst, mean)
    assert within(found.mean_interval[0], mean, found.mean_interval[1])
    assert within(found.worst_interval[0], Fraction(worst), found.worst_interval[1])
    plain = PlainPopulation(make_run("p_rl", 2, params={"N": N}))
    times = plain.expected(plain.safe())
    assert (times.max(), times.mean()) == pytest.approx((worst, float(mean)))
    assert sum(start.configurations for start in found.worst_starts) == (times > worst - 1e-9).sum()
    assert all(times[plain.number(start.states)] == pytest.approx(worst) for start in found.worst_starts)


@pytest.mark.parametrize("n", [2, 3, 5, 10, 100])
def test_fratricide_and_epidemic(n: int) -> None:
    found = princeps.exact("fratricide", n, rational=True)
    assert (found.start, found.mean_exact) == ("initial", (n - 1) ** 2)
    assert within(found.mean_interval[0], Fraction((n - 1) ** 2), found.mean_interval[1])
    spread = (n - 1) * sum(Fraction(1, k) for k in range(1, n))
    epidemic = princeps.exact("epidemic", n, rational=True, variance=True)
    assert epidemic.mean_exact == spread
    waits = [Fraction(k * (n - k), comb(n, 2)) for k in range(1, n)]  # k know it: geometric, one after the other
    assert epidemic.variance_interval is not None
    assert within(
        epidemic.variance_interval[0], sum((1 - q) / q**2 for q in waits) + Fraction(0), epidemic.variance_interval[1]
    )


@pytest.mark.parametrize("reduce", [True, False])
@pytest.mark.parametrize(("name", "n", "params"), [("timer", 2, {"t_max": 4}), ("timer", 3, {"t_max": 1})])
def test_mean_and_variance_over_all_starts(name: str, n: int, params: dict[str, int], reduce: bool) -> None:
    """A start drawn uniformly adds its own variance: the second moment is averaged, not the variances."""
    plain = PlainPopulation(make_run(name, n, params=params))
    steps = [[(int(after[x]), 1) for after in plain.after] for x in range(plain.size)]
    chain, target = make_chain(steps, len(plain.arcs)), plain.leaders == 1
    mean = sum(map(Fraction, exact_times(chain, target))) / plain.size
    variance = sum(map(Fraction, exact_squares(chain, target))) / plain.size - mean**2
    found = princeps.exact(name, n, variance=True, leaders=True, rational=True, reduce=reduce, **params)
    assert found.mean_exact == mean
    assert within(found.mean_interval[0], mean, found.mean_interval[1])
    assert found.variance_interval is not None
    assert within(found.variance_interval[0], variance, found.variance_interval[1])
    assert found.variance_interval[1] - found.variance_interval[0] < 1e-9 * variance
    assert found.variance == pytest.approx(float(variance))
    (chance, off) = found.leaders_at_target[1]
    assert abs(Fraction(chance) - 1) <= off < 1e-9


def everyone(a: Agent, i: int, n: int, p: Params) -> None:
    a.leader = 1


class Fall(PopulationProtocol):
    """Leaders fall one by one, the last one too: behind the target there is no way back to it."""

    leader = Bit()
    starts = {"initial": everyone}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 1 and b.leader == 1:
            b.leader = 0
        elif a.leader == 1:
            a.leader = 0


@pytest.mark.parametrize("past", [True, False])
@pytest.mark.parametrize("option", ["rational", "variance", "distribution", "leaders"])
def test_what_lies_behind_the_target_makes_no_difference(past: bool, option: str) -> None:
    found = princeps.exact(Fall, 4, past_target=past, **{option: True})
    waits = [Fraction(k * (k - 1) + k * (4 - k), 12) for k in (4, 3, 2)]  # k lead: geometric, one after the other
    mean = sum(1 / q for q in waits)
    assert (found.reachable, found.mean) == (True, pytest.approx(float(mean)))
    assert found.mean_exact == (mean if option == "rational" else None)
    assert option != "variance" or found.variance == pytest.approx(float(sum((1 - q) / q**2 for q in waits)))
    assert option != "leaders" or list(found.leaders_at_target) == [1]
    assert option != "distribution" or found.quantiles["start"] == found.quantiles["worst"] == {
        0.5: 4,
        0.9: 6,
        0.99: 10,
    }


def at_the_entrance(a: Agent, i: int, n: int, p: Params) -> None:
    a.leader = 1 if i == 0 else 0


class Maze(PopulationProtocol):
    """From 0 by 1 to 4, where it ends, or by 2 and 3; but from there 1 can still be reached."""

    leader, x = Bit(), Range(5)
    starts = {"initial": at_the_entrance}
    lemmas = {"1": Reaches("everybody who begins comes by 1", "some:x==1", "all:x==0")}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 1 and b.leader == 0:
            if a.x == 0 or a.x == 2:
                a.x = a.x + 1
            elif a.x == 1 or a.x == 3:
                a.x = 4
        elif a.leader == 0 and b.leader == 1:
            if b.x == 0:
                b.x = 2
            elif b.x == 2 or b.x == 3:
                b.x = 1


@pytest.mark.parametrize("past", [True, False])
def test_a_trap_is_entered_without_meeting_the_target(past: bool) -> None:
    found = princeps.exact(Maze, 2, target="some:x==1", past_target=past)
    run = make_run(Maze, 2)
    assert not found.reachable
    assert [states[0][1] for states in replayed(run, found.trap.states, found.trap.pairs)] == [0, 2, 3, 4]
    (lemma,) = princeps.exact(Maze, 2, start="all", target="some:x==1", lemmas=True).lemmas
    assert lemma.verdict == "refuted"
    way = replayed(run, lemma.schedule.states, lemma.schedule.pairs)
    assert not any(x == 1 for states in way for _, x in states)
    assert all(x == 0 for _, x in way[0])


def test_with_how_many_leaders_a_target_is_met() -> None:
    """Against what is left of the chain after 2^14 steps."""
    found = princeps.exact("timer", 3, t_max=2, target="some:leader and timer==2", leaders=True)
    plain = PlainPopulation(make_run("timer", 3, params={"t_max": 2}))
    target = plain.satisfying(lambda states: (1, 2) in states)
    steps = [[(int(after[x]), 1) for after in plain.after] for x in range(plain.size)]
    matrix = np.zeros((plain.size, plain.size))
    for x, out in enumerate(steps):
        for y, _ in [(x, 1)] * len(out) if target[x] else out:
            matrix[x, y] += 1 / len(plain.arcs)
    last = np.linalg.matrix_power(matrix, 2**14)
    for leaders, (chance, off) in found.leaders_at_target.items():
        assert abs(chance - last[:, target & (plain.leaders == leaders)].sum() / plain.size) <= off + 1e-12
    assert sum(chance for chance, _ in found.leaders_at_target.values()) == pytest.approx(1)
    assert set(found.leaders_at_target) == {1, 2, 3}


def reached_by(plain: PlainPopulation, target: Bits, steps: int) -> list[Any]:
    """The share of all schedules of this length in which the target is reached, from each configuration."""
    now: Any = target.astype(object) * 1
    for step in range(steps):
        sum_ = sum(now[after] for after in plain.after)
        now = np.where(target, len(plain.arcs) ** (step + 1), sum_)
    return [Fraction(int(ways), len(plain.arcs) ** steps) for ways in now]


@pytest.mark.parametrize(
    ("name", "n", "params"),
    [("timer", 2, {"t_max": t}) for t in (1, 2, 6, 8)] + [("timer", 3, {"t_max": 2}), ("p_rl", 2, {"N": 2})],
)
@pytest.mark.parametrize("reduce", [True, False])
def test_quantiles_are_those_of_all_schedules(name: str, n: int, params: dict[str, int], reduce: bool) -> None:
    found = princeps.exact(name, n, distribution=True, reduce=reduce, **params)
    plain = PlainPopulation(make_run(name, n, params=params))
    target = plain.safe() if found.target == "safe" else plain.leaders == 1
    assert found.quantiles is not None
    worst = plain.number(found.worst_starts[0].states)
    for who, quantiles in found.quantiles.items():
        assert list(quantiles) == [0.5, 0.9, 0.99]
        for q, steps in quantiles.items():
            for when in range(max(0, steps - 1), steps + 1):
                chances = reached_by(plain, target, when)
                chance = sum(chances) / plain.size if who == "start" else chances[worst]
                assert (chance >= Fraction(str(q))) == (when == steps), (who, q, when)
