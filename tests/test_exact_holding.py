"""How long a leader is held, and whole populations whose answers are known: against one dense system of all agents."""

from __future__ import annotations

from fractions import Fraction
from math import comb, inf
from typing import Any

import numpy as np
import pytest

import princeps
from princeps.exact.holding import holding
from princeps.model.run import make_run
from tests.chain_tools import Both, Plain, exact_squares, exact_times, make_chain, within
from tests.test_exact_safety import Anything, Fuse, Wander

TINY_P_PL = {"virus_factor": 1, "emit_factor": 1}


def may_follow(plain: Plain, wanted: Any) -> Any:
    """From where a wanted configuration can be reached while no output changes."""
    while True:
        steps = zip(plain.after, plain.loud, strict=True)
        wider = wanted | np.any([wanted[after] & ~loud for after, loud in steps], axis=0)
        if (wider == wanted).all():
            return wanted
        wanted = wider


def check(plain: Plain, chosen: Any, found: Any, start: Any = None) -> None:
    """Shortest and mean over all configurations of a set that have one leader; a change of any output is a loss."""
    lost = plain.leaders != 1
    loud = np.any(plain.loud, axis=0)
    for_ever = may_follow(plain, ~may_follow(plain, loud) & ~lost)
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


@pytest.mark.parametrize(
    ("name", "n", "params"),
    [
        ("timer", 2, {"t_max": 3}),
        ("timer", 3, {"t_max": 2}),
        ("timer", 3, {"t_max": 3}),
        ("p_pl", 2, {"N": 2, **TINY_P_PL}),
        ("p_pl", 2, {"N": 3, **TINY_P_PL}),
        ("p_pl", 2, {"N": 2, "virus_factor": 2, "emit_factor": 1}),
    ],
)
@pytest.mark.parametrize("reduce", [True, False])
def test_loosely_stabilizing_protocols(name: str, n: int, params: dict[str, int], reduce: bool) -> None:
    both = Both(make_run(name, n, params=params), ("leader",), reduce)
    for target in ("leader", *(["s"] if name == "p_pl" else [])):
        found = princeps.exact(name, n, target=target, hold=True, reduce=reduce, **params)
        goal = both.plain.leaders == 1
        if target == "s":
            goal = both.plain.satisfying(lambda states: in_s(both.run.protocol.constants, states))
        check(both.plain, goal, found.holding, found.holding_start)
        told = found.as_json()["holding"]
        for key in ("shortest", "mean"):
            assert told[key] == (None if getattr(found.holding, key) == inf else getattr(found.holding, key))


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


@pytest.mark.parametrize(("graph", "n"), [("ring", 3), ("complete", 3), ("complete", 4)])
def test_arbitrary_protocols(graph: str, n: int) -> None:
    seen: set[tuple[bool, bool]] = set()
    for u in range(40):
        both = Both(make_run(Anything, n, graph=graph, params={"u": u, "busy": (10, 25)[u % 2]}), ("leader", "calm"))
        for name in ("leader", "calm", "safe"):
            found = holding(both.ground, both.ground.set(name))
            first = found.shortest_start
            start = None if first is None else both.ground.space.states_of(first)
            check(both.plain, both.each(both.ground.set(name)), found, start)
            seen.add((found.shortest < inf, found.mean < inf))
    assert seen == {(True, True), (True, False), (False, False)}


def test_a_self_stabilizing_protocol_holds_for_ever() -> None:
    for target in ("safe", "s_rl"):
        found = princeps.exact("p_rl", 2, N=3, target=target, hold=True)
        assert (found.holding.shortest, found.holding.mean) == (inf, inf)
        assert found.holding.starts == found.target_size
        assert found.as_json()["holding"]["shortest"] is None
    leader = princeps.exact("p_rl", 2, N=3, target="leader", hold=True)
    both = Both(make_run("p_rl", 2, params={"N": 3}), ("leader",))
    check(both.plain, both.plain.leaders == 1, leader.holding, leader.holding_start)
    assert leader.holding.shortest < leader.holding.mean == inf


# -- answers that are known otherwise --------------------------------------------------------------------------------


@pytest.mark.parametrize(("N", "worst", "mean"), [(2, 6, Fraction(3409, 1728)), (3, 8, Fraction(227, 96))])
def test_p_rl_of_two(N: int, worst: int, mean: Fraction) -> None:
    found = princeps.exact("p_rl", 2, N=N, rational=True)
    assert (found.worst_exact, found.mean_exact) == (worst, mean)
    assert within(found.mean_interval[0], mean, found.mean_interval[1])
    assert within(found.worst_interval[0], Fraction(worst), found.worst_interval[1])
    plain = Plain(make_run("p_rl", 2, params={"N": N}))
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
@pytest.mark.parametrize(("name", "n", "params"), [("timer", 2, {"t_max": 3}), ("timer", 3, {"t_max": 1})])
def test_mean_and_variance_over_all_starts(name: str, n: int, params: dict[str, int], reduce: bool) -> None:
    """A start drawn uniformly adds its own variance: the second moment is averaged, not the variances."""
    plain = Plain(make_run(name, n, params=params))
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


def test_with_how_many_leaders_a_target_is_met() -> None:
    """Against what is left of the chain after 2^14 steps."""
    found = princeps.exact("timer", 3, t_max=2, target="some:leader and timer==2", leaders=True)
    plain = Plain(make_run("timer", 3, params={"t_max": 2}))
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
