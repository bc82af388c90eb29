"""What the claims of paper 004 compute for themselves, against definitions written out here."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import comb, exp, log
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from princeps.model.reading import make_run
from princeps.model.starts import starting_states
from princeps.papers.altered import altered
from princeps.papers.p_pl.carrying import faintest
from princeps.papers.p_pl.convergence import line_of, no_slower, tau_of
from princeps.papers.p_pl.counting import ends_of_rounds, meetings, round_times
from princeps.papers.p_pl.halving import rounds_bar
from princeps.papers.p_pl.holding import factors
from princeps.papers.p_pl.laws import (
    Sizes,
    log_at_least,
    log_at_most,
    log_rounds,
    log_sum,
    log_unfinished,
    log_virtual,
    round_mean,
    unfinished,
    virtual_law,
    ways_to_fail,
)
from princeps.papers.p_pl.rule import TINY, Carried, facts
from princeps.papers.p_pl.spreading import epidemic_cases, virtual_runs, wear
from princeps.papers.p_pl.windows import rarely
from princeps.papers.verdicts import INCONCLUSIVE, NOT_TESTABLE, SUPPORTED, VIOLATED
from tests.tables import in_one_test

Pairs = list[tuple[int, int]]


def test_the_printed_constants_are_those_of_the_protocol() -> None:
    one = Sizes(64, 64)
    assert (one.ln, one.t_virus, one.t_emit, one.tau, one.settling) == (5, 300, 18_000, 230_400, 9600)
    for N, c in ((55, 1), (148, 2), (149, 1), (10**6, 4)):
        known = make_run("p_pl", 55, params={"N": N, "c": c}).protocol.constants.as_dict()
        size = Sizes(55, N, c)
        assert (size.t_virus, size.t_emit, size.t_emit) == (known["t_virus"], known["t_emit"], known["t_max"])


# -- binomial tails ----------------------------------------------------------------------------------------------------


@in_one_test(("trials", "p", "k"), [(30, 0.1, 12), (30, 0.1, 2), (7, 0.5, 7), (7, 0.5, 0), (40, 0.9, 40)])
def test_binomial_tails_are_the_sums_that_they_stand_for(trials: int, p: float, k: int) -> None:
    chance = Fraction(p)
    terms = [comb(trials, j) * chance**j * (1 - chance) ** (trials - j) for j in range(trials + 1)]
    assert log_at_least(trials, p, k) == pytest.approx(log(sum(terms[k:])), rel=1e-9, abs=1e-12)
    assert log_at_most(trials, p, k) == pytest.approx(log(sum(terms[: k + 1])), rel=1e-9, abs=1e-12)


def test_a_window_that_is_too_long_is_above_the_claim() -> None:
    cases, above, _ = meetings(0, 0, bounds=[64], within=1, often=True)
    assert (cases, above) == (6, 0)
    assert meetings(0, 0, bounds=[64], within=1.3, often=True)[:2] == [6, 6]
    assert meetings(0, 0, bounds=[64], within=5, often=False)[:2] == [6, 0]
    assert meetings(0, 0, bounds=[64], within=3, often=False)[:2] == [6, 6]


# -- epidemics ---------------------------------------------------------------------------------------------------------


def schedules(n: int, t: int) -> Any:
    """All of them, each as likely as any other."""
    return product(list(combinations(range(n), 2)), repeat=t)


def infected(pairs: Pairs, root: int) -> set[int]:
    found = {root}
    for pair in pairs:
        if found & set(pair):
            found |= set(pair)
    return found


@pytest.mark.parametrize(("n", "t"), [(2, 3), (3, 5), (4, 5)])
def test_the_tail_of_an_epidemic_counts_schedules(n: int, t: int) -> None:
    missing = sum(len(infected(list(pairs), 0)) < n for pairs in schedules(n, t))
    assert unfinished(n, t)[t] == pytest.approx(missing / comb(n, 2) ** t)


def test_bounds_of_epidemics_lie_above_them_and_not_far() -> None:
    exact = unfinished(64, 3000)
    for steps in (500, 1000, 3000):
        assert log(exact[steps]) <= log_unfinished(64, steps) <= log(exact[steps]) + 6


def test_lemma_4_is_compared_at_every_t() -> None:
    cases, above, (_, chance, bound), needed = epidemic_cases(0, 0, sizes=[16])
    assert (cases > 300, above) == (True, 0)
    assert chance <= bound
    tail = unfinished(16, needed)
    assert tail[needed] <= 1 / 16 < tail[needed - 2]


# -- virtual agents ----------------------------------------------------------------------------------------------------


def by_definition(pairs: Pairs, root: int, v: int) -> int | None:
    """VI(v, t) from infection times and the infection path, as the paper defines them."""
    times, parents = {root: -1}, {}
    for t, (i, j) in enumerate(pairs):
        for a, b in ((i, j), (j, i)):
            if a in times and times[a] < t and b not in times:
                times[b], parents[b] = t, a
    if v not in times:
        return None
    path = [v]
    while path[0] != root:
        path.insert(0, parents[path[0]])
    count = 0
    for t, pair in enumerate(pairs):
        on_the_way = any(times[a] <= t < times[b] and a in pair for a, b in pairwise(path))
        count += on_the_way or (t >= times[v] and v in pair)
    return count


def test_virtual_agents_on_a_schedule_made_by_hand() -> None:
    assert wear([(0, 1), (1, 2), (0, 1), (3, 4), (3, 2)], 0) == {0: 2, 1: 3, 2: 3, 3: 3}
    assert wear([(1, 2), (2, 3)], 0) == {0: 0}


def test_virtual_agents_are_those_of_the_definition() -> None:
    random = Random(4)
    for _ in range(200):
        n = random.randint(2, 6)
        pairs = [tuple(random.sample(range(n), 2)) for _ in range(random.randint(1, 25))]
        worn = wear(pairs, 0)
        assert {v: worn.get(v) for v in range(n)} == {v: by_definition(pairs, 0, v) for v in range(n)}


@pytest.mark.parametrize(("n", "t"), [(2, 4), (3, 5), (4, 5), (4, 6)])
def test_the_law_of_virtual_agents_counts_schedules(n: int, t: int) -> None:
    found: Counter[int] = Counter()
    for pairs in schedules(n, t):
        worn = wear(pairs, 0)
        if len(worn) == n:
            found[worn[1]] += 1
    law, complete = virtual_law(n, t)
    assert complete == pytest.approx(found.total() / comb(n, 2) ** t)
    assert law == pytest.approx([found[k] / found.total() for k in range(t + 1)])


def test_bounds_of_virtual_agents_lie_above_their_law() -> None:
    law, _ = virtual_law(24, 150)
    for many in (15, 25, 40, 60):
        assert log(law[many:].sum()) <= log_virtual(24, 150, many)
    assert log_virtual(24, 150, 60) < log(1e-12)


def test_virtual_agents_at_random() -> None:
    values = virtual_runs(0, 1, n=4, t=6, trials=4000)
    law, complete = virtual_law(4, 6)
    assert len(values) == pytest.approx(4000 * complete, rel=0.05)
    assert sum(values) / len(values) == pytest.approx(sum(k * p for k, p in enumerate(law)), rel=0.02)


# -- rounds ------------------------------------------------------------------------------------------------------------


def test_rounds_on_a_schedule_made_by_hand() -> None:
    pairs = [(0, 1), (0, 1), (1, 2), (2, 3), (0, 3), (1, 0), (1, 2), (0, 1)]
    assert ends_of_rounds(pairs, 4, 5) == [4, 7]
    assert ends_of_rounds(pairs, 4, 1) == [4]


def test_the_mean_of_a_round() -> None:
    assert [round_mean(n) for n in (2, 3, 4)] == pytest.approx([1, 2.5, 3.8])
    times = round_times(0, 3, n=4, rounds=10, trials=400)
    assert sum(times) / 400 == pytest.approx(38, rel=0.05)


def test_bounds_of_rounds_lie_above_them() -> None:
    # A round of three agents is one step and then a geometric time with success 2/3. Two of them take 12 steps or more
    # if at most one of nine trials succeeds.
    late = Fraction(1, 3) ** 9 + 9 * Fraction(2, 3) * Fraction(1, 3) ** 8
    assert log(late) <= log_rounds(3, 2, 12) <= log(late) + 3


def test_all_that_can_go_wrong_is_as_improbable_as_claimed() -> None:
    found = ways_to_fail(0, 0, sizes=[(64, 64, 1)])
    assert found["busy"] == pytest.approx(log(64) + log_at_least(230_400, 1 / 32, 9000))
    assert found["busy"] < -29 * log(64)
    assert found["late"] < -14 * log(64)
    assert log_sum(found["missed"], found["worn"]) < log(3) - 10 * log(64)
    assert exp(log_sum(log(0.25), log(0.5))) == pytest.approx(0.75)


# -- the rule ----------------------------------------------------------------------------------------------------------


@pytest.mark.medium
def test_the_facts_hold_of_the_rule_and_not_of_another(tmp_path: Path) -> None:
    right = facts(0, 0, protocol="p_pl", constants=[TINY], pairs=None)
    assert all(cases > 100 and breaches == 0 for cases, breaches, _ in right.values())
    spoilt = altered("p_pl", [("a0.virus, a0.shield = p.t_virus, 1", "a0.virus = p.t_virus")], tmp_path)
    wrong = facts(0, 0, protocol=spoilt, constants=[TINY], pairs=None)
    assert {name for name, (_, breaches, _) in wrong.items() if breaches} == {"sources", "tosses"}


def test_carried_values_are_watched() -> None:
    def agents(*timers: int) -> list[Any]:
        return [SimpleNamespace(timerL=timer, virus=0) for timer in timers]

    watcher = Carried(3, None)
    before: Any = SimpleNamespace()
    watcher.begin(agents(9, 0, 0))
    assert watcher.look(agents(8, 8, 0), 0, 1, before, before) is None
    assert watcher.look(agents(8, 7, 7), 1, 2, before, before) is None
    watcher.begin(agents(9, 0, 0))
    assert watcher.look(agents(8, 7, 0), 0, 1, before, before) is not None


# -- the starts --------------------------------------------------------------------------------------------------------


def sets_of(start: str) -> tuple[int, bool, bool, bool]:
    """Leaders, G_half, L_safe, V_clean, by their definitions."""
    run = make_run("p_pl", 60, start=start)
    p = run.protocol.constants
    states = [run.protocol.space.name_values(state) for state in starting_states(run)]
    safe = any(a["leader"] and a["shield"] and a["timerI"] >= p.t_emit / 2 for a in states)
    half = all(a["timerL"] >= p.t_max / 2 for a in states)
    return sum(a["leader"] for a in states), half, safe, all(a["virus"] == 0 for a in states)


def test_the_starts_are_in_the_sets_that_they_are_used_for() -> None:
    assert sets_of("one_leader_clean") == (1, True, False, True)
    assert sets_of("one_leader_shielded") == (1, True, True, False)
    assert sets_of("one_leader_doomed") == (1, False, False, False)
    assert sets_of("no_leader_half_timers") == (0, True, False, True)
    assert sets_of("infected") == (0, True, False, False)
    assert sets_of("two_leaders") == (2, True, True, True)
    assert sets_of("all_leaders_shielded") == (60, True, True, True)


def test_the_faintest_virus_is_that_of_whom_it_has_not_reached() -> None:
    assert faintest(0, 0, protocol="p_pl", cases=[(60, 1)], trials=2) == [(300, 0)] * 2
    ((full, least),) = faintest(0, 0, protocol="p_pl", cases=[(2, 7)], trials=1)
    assert (full, least) == (60, 53)


@in_one_test("start", ["no_leader_half_timers", "one_leader_clean", "one_leader_shielded"])
def test_the_edge_of_g_half_is_within_it_where_t_max_is_odd(start: str) -> None:
    run = make_run("p_pl", 3, start=start, params={"N": 20, "virus_factor": 1, "emit_factor": 1})
    p = run.protocol.constants
    assert p.t_max % 2 == 1
    agents: list[Any] = [run.protocol.agent(state) for state in starting_states(run)]  # type: ignore[call-arg]
    assert {agent.timerL for agent in agents} == {(p.t_max + 1) // 2}


# -- judgements --------------------------------------------------------------------------------------------------------


def test_a_tiny_bound_is_not_confirmed_by_any_sample_and_refuted_by_one_failure() -> None:
    tiny = -50 * log(10)
    assert rarely(0, 10**6, tiny, "it").verdict == NOT_TESTABLE
    refuted = rarely(1, 10**6, tiny, "it", "a run from somewhere")
    assert refuted.verdict == VIOLATED
    assert refuted.says.endswith("first a run from somewhere")
    assert rarely(0, 0, tiny, "it").verdict == INCONCLUSIVE
    assert rarely(0, 1000, log(0.1), "it").verdict == SUPPORTED


def sampled(size: tuple[int, int, int], means: float, trials: int = 100) -> Any:
    """Trials around this multiple of tau, half of them 10 % above it and half below."""
    steps = tau_of(*size) * means * np.tile([0.9, 1.1], trials // 2)
    return size, SimpleNamespace(only=SimpleNamespace(steps=steps), trials=trials)


def test_a_line_with_a_term_of_lower_order_is_found() -> None:
    runs = [sampled((n, n, 1), 3 * log(n) - 2) for n in (64, 256, 1024)]
    (a, a_error), (b, b_error) = line_of(runs)
    assert (a, b) == (pytest.approx(3), pytest.approx(-2))
    assert 0 < a_error < 0.2
    assert 0 < b_error < 1


def test_which_start_is_the_slowest() -> None:
    worst = [sampled((n, n, 1), 10) for n in (64, 256)]
    assert no_slower([sampled((n, n, 1), 8) for n in (64, 256)], worst, "x").verdict == SUPPORTED
    assert no_slower(worst, worst, "x").verdict == INCONCLUSIVE
    assert no_slower([sampled((64, 64, 1), 12), sampled((256, 256, 1), 5)], worst, "x").verdict == VIOLATED


def test_the_bar_of_corollary_21_is_above_what_coins_need() -> None:
    """Leaders that toss a fair coin each round, where those with tails fall if anybody has heads."""
    rng, n, late = Random(5), 64, 0
    rounds = round(rounds_bar(n, n) / 2.5) - 2
    for _ in range(3000):
        left = n
        for _ in range(rounds):
            left = sum(rng.random() < 0.5 for _ in range(left)) or left
        late += left > 1
    assert late / 3000 < 2 / n


def test_factors_have_the_errors_of_both_means() -> None:
    def run(mean: float) -> Any:
        values = np.tile([0.5, 1.5], 50) * mean
        return SimpleNamespace(
            only=SimpleNamespace(sample=lambda what: SimpleNamespace(ended=values, is_complete=True))
        )

    ((n, c, factor, error),) = factors({(3, 1): run(10), (3, 2): run(70)})
    assert (n, c, factor) == (3, 2, pytest.approx(7))
    assert error == pytest.approx(7 * 2**0.5 * 0.5 / 99**0.5, rel=1e-3)
