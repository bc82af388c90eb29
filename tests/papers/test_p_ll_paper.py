"""What P_LL's page computes without running anything, and the configurations that its claims start from."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil, comb, exp
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import princeps
from princeps.model.reading import make_run
from princeps.model.starts import starting_states
from princeps.papers.p_ll import laws
from princeps.papers.p_ll.backup import about_to_tick, beside_meetings, by_meetings
from princeps.papers.p_ll.coins import fair_pairs, flips_of_levels
from princeps.papers.p_ll.epidemics import compared, epidemic_half
from princeps.papers.p_ll.symmetric import turned_round
from princeps.papers.p_ll.watchers import NewColors, explored
from princeps.papers.verdicts import INCONCLUSIVE, NOT_TESTABLE, PROVED, SUPPORTED, VIOLATED, Part
from tests.papers.altering import found_with, verdict_of

# -- the lottery -------------------------------------------------------------------------------------------------------


def test_the_lottery_of_two_and_three_players_by_hand() -> None:
    law = laws.winners_exactly(3)
    assert law[1][1:] == [1]
    assert law[2][1:] == [Fraction(2, 3), Fraction(1, 3)]
    # Three players: all fall at once with 1/7; else one goes on (3/7), or two do (3/7) and play among themselves.
    assert law[3][1:] == [
        Fraction(3, 7) + Fraction(3, 7) * Fraction(2, 3),
        Fraction(3, 7) * Fraction(1, 3),
        Fraction(1, 7),
    ]


@pytest.mark.parametrize("head", [Fraction(1, 2), Fraction(1, 5)])
def test_two_ways_to_the_same_law(head: Fraction) -> None:
    law = laws.winners_exactly(25, head)
    assert sum(law[25]) == 1
    for i in range(1, 26):
        assert laws.winners(25, i, float(head)) == pytest.approx(float(law[25][i]), rel=1e-10)


def test_many_players_come_near_the_limit() -> None:
    for i in (1, 2, 3):
        assert laws.winners(4000, i) == pytest.approx(laws.winners_limit(i), abs=3e-5)
    assert sum(laws.winners_limit(i) for i in range(1, 200)) == pytest.approx(1)


def test_ties_halvings_and_rounds_by_listing_all_outcomes() -> None:
    for i, values in ((2, 4), (3, 4), (4, 3)):
        outcomes = list(product(range(values), repeat=i))
        tied = sum(one.count(max(one)) > 1 for one in outcomes)
        assert laws.tie(i, values) == pytest.approx(tied / len(outcomes))
    for k in (1, 2, 3, 6):
        outcomes = list(product((0, 1), repeat=k + 1))
        assert laws.halving(k) == sum(1 <= sum(one) <= 1 + k // 2 for one in outcomes) / len(outcomes)
    assert (laws.rounds(1), laws.rounds(2)) == (0, 2)
    # Three leaders: after a round three are left with 1/4, two with 3/8, one with 3/8.
    assert laws.rounds(3) == pytest.approx((1 + 3 / 8 * 2) / (3 / 4))


# -- meetings ----------------------------------------------------------------------------------------------------------


def test_the_epidemic_tail_of_three_agents_by_hand() -> None:
    # 2 of 3 pairs infect the second agent, and 2 of 3 the third one.
    slow = Fraction(1, 3)
    for steps in range(1, 8):
        expected = slow**steps + steps * (1 - slow) * slow ** (steps - 1)
        assert laws.epidemic_tails(3, 3, steps, 1)[-1] == pytest.approx(float(expected))


def test_an_epidemic_in_a_part_takes_its_mean() -> None:
    tails = laws.epidemic_tails(12, 5, 20_000, 1)
    mean = sum(comb(12, 2) / (k * (5 - k)) for k in range(1, 5))
    assert 1 + tails.sum() == pytest.approx(mean, rel=1e-9)
    assert laws.epidemic_tails(12, 5, 10, 6) == pytest.approx(tails[5:60:6])
    assert epidemic_half(12, 5) == ceil(mean)


def test_lemma_1_holds_as_repaired_and_not_as_printed() -> None:
    assert compared(0, 0, sizes=[12], scaled=True, times=2)["breaches"] == 0
    assert compared(0, 0, sizes=[12], scaled=False, times=2)["breaches"] > 0
    assert laws.epidemic_bound(12, 5, 24) == pytest.approx(5 * exp(-2))


def test_untouched_agents_by_listing_all_schedules() -> None:
    pairs = [(i, j) for i in range(4) for j in range(i)]
    for steps in (2, 3, 4):
        schedules = list(product(pairs, repeat=steps))
        left = sum(len(set(sum(one, ()))) < 4 for one in schedules)
        assert laws.untouched(4, steps) == Fraction(left, len(schedules))


def test_leaders_that_meet_take_the_time_of_fratricide() -> None:
    assert laws.pairwise(10, 10) == pytest.approx(81)
    exact = princeps.exact("fratricide", n=5)
    assert laws.pairwise(5, 5) == pytest.approx(exact.mean)


def test_a_bound_that_meetings_alone_keep_says_nothing_about_backup() -> None:
    for n, steps in ((4, 5), (10, 200)):
        assert by_meetings(n, 2, steps) == pytest.approx((1 - 2 / (n * (n - 1))) ** steps)
        assert by_meetings(n, 3, steps) == pytest.approx(min(1, 3 * by_meetings(n, 2, steps)))
    seen, broken = Part(SUPPORTED, "none late"), Part(VIOLATED, "many late")
    found: Any = SimpleNamespace(n=10)
    assert beside_meetings(seen, found, "backup_pair", 2000, 0.1).verdict == NOT_TESTABLE
    assert beside_meetings(seen, found, "backup_pair", 5, 0.1) is seen  # two leaders that only meet would be late
    assert beside_meetings(broken, found, "backup_pair", 2000, 0.1) is broken


@pytest.mark.slow
def test_the_mean_time_of_backup_is_not_that_of_meetings(tmp_path: Path) -> None:
    """With levels frozen (line 51) two leaders only meet, and the time grows with n."""
    frozen = ("p_ll", "a0.levelB = min(a0.levelB + 1, p.c_max)", "a0.levelB = min(a0.levelB, p.c_max)")
    assert verdict_of("003.L16", tmp_path, frozen) == VIOLATED


@pytest.mark.slow
def test_a_rule_that_asks_who_initiates_is_not_symmetric(tmp_path: Path) -> None:
    text = "        for a, b in ((a0, a1), (a1, a0)):\n            if a.coin == J and b.coin == K:"
    found = found_with(
        "003.sym", tmp_path, ("p_ll_symmetric", text, text.replace("((a0, a1), (a1, a0))", "((a0, a1),)"))
    )
    assert found.parts[0]["verdict"] == VIOLATED


def test_some_pairs_support_and_all_pairs_prove() -> None:
    (some,), (every,) = (turned_round([(9, 0, ""), (8, 0, "")], "states", whole) for whole in (False, True))
    assert (some.verdict, every.verdict) == (SUPPORTED, PROVED)
    for whole in (False, True):
        (wrong,) = turned_round([(9, 0, ""), (8, 1, "this pair")], "states", whole)
        assert wrong.verdict == VIOLATED
        assert "this pair" in wrong.says


# -- coins -------------------------------------------------------------------------------------------------------------


def test_chi_square_notices_what_it_should() -> None:
    assert laws.uniform_test([25, 25, 25, 25]) == (0, 1)
    assert laws.uniform_test([10, 20, 30, 40])[0] == pytest.approx(20)
    assert laws.uniform_test([10, 20, 30, 40])[1] == pytest.approx(1.6974e-4, rel=1e-3)
    rng = np.random.default_rng(1)
    cells = [0.3, 0.25, 0.25, 0.2]
    noticed = np.mean([laws.uniform_test(rng.multinomial(500, cells))[1] < 0.01 for _ in range(2000)])
    assert laws.uniform_test_power(500, cells, 0.01) == pytest.approx(noticed, abs=0.05)


def test_dependent_tosses_are_not_fair_pairs() -> None:
    rng = np.random.default_rng(2)
    fair = rng.integers(2, size=10_000).tolist()
    assert fair_pairs(fair, "fair").verdict == SUPPORTED
    assert fair_pairs(fair[:200], "few").verdict == INCONCLUSIVE
    assert fair_pairs((rng.random(10_000) < 0.6).astype(int).tolist(), "biased").verdict == VIOLATED
    repeated = [flip for flip in fair[:5000] for _ in range(2)]
    assert fair_pairs(repeated, "each toss twice").verdict == VIOLATED


def test_a_leaders_first_toss_is_always_head() -> None:
    flips = flips_of_levels(0, 3, protocol="p_ll", n=50, runs=4, steps=200)
    assert flips.count(2) > 20
    assert flips.count(3) == 0
    assert {0, 1} <= set(flips)


# -- configurations ----------------------------------------------------------------------------------------------------


def led_to(n: int, pairs: list[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Where a schedule leads from the initial configuration."""
    run = make_run("p_ll", n)
    states = starting_states(run)
    for i, j in pairs:
        states[i], states[j] = run.protocol.step(states[i], states[j])
    return states


def test_the_start_with_one_timer_is_reachable() -> None:
    pairs = [(0, 1), (2, 0), (2, 3), (2, 4)]
    assert sorted(led_to(5, pairs)) == sorted(starting_states(make_run("p_ll", 5, start="one_timer")))


@pytest.mark.parametrize("start", ["backup", "exhausted"])
def test_the_starts_in_backup_are_reachable(start: str) -> None:
    """Two leaders, each alone with its timer: as the responder a leader stays at its level, as the initiator it rises."""
    limit = 41 * 2
    aside = [(2 * k, 2 * k + 1) for k in range(2)]
    pairs = [pair for pair in aside for _ in range(limit)]  # colour 1
    pairs += [(j, i) for i, j in aside for _ in range(limit)]  # colour 2, epoch 3, level 0
    if start == "exhausted":
        rounds = 3 * ceil(limit / 3)
        pairs += [pair for pair in aside for _ in range(rounds * limit)]
    assert sorted(led_to(4, pairs)) == sorted(starting_states(make_run("p_ll", 4, start=start)))


def test_about_to_tick_is_one_interaction_from_the_next_colour() -> None:
    run = make_run("p_ll", 8, start=about_to_tick(8, 123, leaders=3, level=5, color=1))
    agents = [run.protocol.space.name_values(state) for state in starting_states(run)]
    assert sum(agent["leader"] for agent in agents) == 3
    assert {agent["levelB"] for agent in agents if agent["status"] == 1} == {5}
    assert {agent["color"] for agent in agents} == {1}
    assert max(agent["count"] for agent in agents) == 122


@pytest.mark.medium
def test_all_configurations_of_two_agents_are_looked_at() -> None:
    found = explored(0, 0, protocol="p_ll", sizes=[(2, 1, 0)])
    assert found["TimerExists"] == {"cases": 6027, "breaches": 0, "breach": ""}
    assert found["AlwaysLed"]["breaches"] == 0
    assert found["HalfAndHalf"]["cases"] == 6027


def test_a_timer_that_waits_too_long_is_told() -> None:
    run = make_run("p_ll", 2)
    made, p = run.protocol.agent, run.protocol.constants
    state = dict.fromkeys(run.protocol.space.names, 0) | {"status": 2, "epoch": 1, "init": 1}
    timer = made(tuple(state.values()))  # type: ignore[call-arg]
    watcher = NewColors(2, p)
    watcher.begin([timer, timer])
    sentences = [watcher.look([timer, timer], 0, 1, timer, timer) for _ in range(p.c_max)]
    assert sentences[:-1] == [None] * (p.c_max - 1)
    assert sentences[-1] is not None
