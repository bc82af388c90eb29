"""What is known exactly of the small processes, solved with fractions and met by runs.

Statistical bounds are five standard errors and seeds are fixed: a right law always passes.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from statistics import fmean
from typing import Any

import pytest

import princeps
from princeps.engines.population import StopCondition
from princeps.engines.reference import Reference
from princeps.model.reading import make_run
from princeps.model.topology import Topology
from tests.analysis.plain_population import PlainPopulation
from tests.conftest import Sized
from tests.protocols.transcription import epidemic
from tests.protocols.transcription.majority import moves
from tests.tables import in_one_test


def harmonic(k: int) -> Fraction:
    return sum((Fraction(1, i) for i in range(1, k + 1)), Fraction())


# -- epidemic -----------------------------------------------------------------------------------------------------


@in_one_test("n", range(2, 9))
def test_an_infection_has_the_chance_that_the_rule_gives_it(n: int) -> None:
    """Counted over all ordered pairs of the complete graph, with the library's own rule."""
    protocol, graph = princeps.protocol("epidemic"), Topology("complete", n, "complete")
    for i in range(1, n):
        states = [(int(k < i),) for k in range(n)]
        spreads = 0
        for k in range(graph.arc_count):
            u, v = graph.arc(k)
            after = protocol.step(states[u], states[v])
            gained = sum(s[0] for s in after) - states[u][0] - states[v][0]
            assert gained in (0, 1)
            spreads += gained
        assert Fraction(spreads, graph.arc_count) == Fraction(2 * i * (n - i), n * (n - 1))


@in_one_test("n", [2, 3, 4, 5, 10, 20, 100])
def test_an_epidemic_takes_n_minus_1_times_a_harmonic_number(n: int) -> None:
    """A step infects with probability 2 i (n-i) / (n (n-1)) while i are infected; the waiting times add up."""
    assert epidemic.expected_steps(n) == (n - 1) * harmonic(n - 1)


@pytest.mark.medium
def test_epidemics_take_that_long(sized: Sized) -> None:
    n, trials = 20, sized(500, 2000)
    steps = [princeps.run("epidemic", n=n, seed=2, trial=t, engine="reference").steps for t in range(trials)]
    p = [2 * i * (n - i) / (n * (n - 1)) for i in range(1, n)]
    mean, error = float((n - 1) * harmonic(n - 1)), math.sqrt(sum((1 - q) / q**2 for q in p) / trials)
    assert abs(fmean(steps) - mean) < 5 * error
    assert 5 * error < sized(0.1, 0.05) * mean  # an epidemic that spreads from the initiator only takes twice as long


@pytest.mark.parametrize("n", [10, 1000, 10**6])
def test_the_estimate_of_an_epidemic_is_close(n: int) -> None:
    exact = (n - 1) * math.fsum(1 / k for k in range(1, n))
    protocol = princeps.protocol("epidemic")
    assert abs((protocol.expected_steps(n, protocol.constants) or 0) / exact - 1) < 0.03


# -- an election with an oracle -----------------------------------------------------------------------------------


@in_one_test("n", [2, 3, 4, 5, 6])
def test_an_oracle_and_k_leaders_take_n_n_minus_1_k_minus_1_over_k(n: int) -> None:
    """From every configuration, all of them listed; from no leader it is one step."""
    plain = PlainPopulation(make_run("fischer_jiang_complete", n))
    safe = plain.safe()
    assert (safe == (plain.leaders == 1)).all()
    assert plain.leading_to(safe, safe).all()
    for k, steps in zip(plain.leaders.tolist(), plain.expected(safe).tolist(), strict=True):
        assert math.isclose(steps, n * (n - 1) * (k - 1) / k if k else 1, abs_tol=1e-9)


def test_the_same_with_fractions() -> None:
    found = princeps.exact("fischer_jiang_complete", 4, rational=True)
    by_leaders = [Fraction(1), *(Fraction(12 * (k - 1), k) for k in range(1, 5))]
    mean = sum((math.comb(4, k) * steps for k, steps in enumerate(by_leaders)), Fraction()) / 16
    assert (found.worst_exact, found.mean_exact) == (9, mean)
    assert mean == Fraction(39, 8)


# -- majority -----------------------------------------------------------------------------------------------------


def chances(n: int) -> dict[tuple[int, int], Fraction]:
    """How likely each final (supporters of x, of y) is from the library's start, by solving the chain."""
    final = [(n, 0), (0, n), (0, 0)]
    inner = [(x, y) for x in range(n + 1) for y in range(n + 1 - x) if (x, y) not in final]
    place, pairs = {state: k for k, state in enumerate(inner)}, n * (n - 1) // 2
    rows = []
    for state in inner:
        row = [Fraction()] * (len(inner) + len(final))
        row[place[state]] += 1
        for after, ways in moves(*state, n).items():
            if after in place:
                row[place[after]] -= Fraction(ways, pairs)
            else:
                row[len(inner) + final.index(after)] += Fraction(ways, pairs)
        rows.append(row)
    for k in range(len(rows)):  # Gauss and Jordan
        swap = next(j for j in range(k, len(rows)) if rows[j][k])
        rows[k], rows[swap] = rows[swap], rows[k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for j in range(len(rows)):
            if j != k and rows[j][k]:
                factor = rows[j][k]
                rows[j] = [a - factor * b for a, b in zip(rows[j], rows[k], strict=True)]
    x = -(-51 * n // 100)
    return dict(zip(final, rows[place[x, n - x]][len(inner) :], strict=True))


@pytest.mark.slow
def test_majorities_end_as_often_as_the_chain_says() -> None:
    """Five agents, 3 against 2: x wins, y wins, or the last two opponents cancel and nobody is left."""
    n, trials = 5, 2000
    chance = chances(n)
    assert sum(chance.values()) == 1
    assert chance[0, 0] == Fraction(1, 39)
    ends: Counter[tuple[int, int]] = Counter()
    for trial in range(trials):
        population = Reference(make_run("majority", n, seed=3, trial=trial))
        found = (3, 2)
        while found not in chance:
            population.advance(5, StopCondition.NOTHING)
            opinions = Counter(state[0] for state in population.states)
            found = (opinions[1], opinions[2])
        ends[found] += 1
    for end, q in chance.items():
        assert abs(ends[end] / trials - q) < 5 * math.sqrt(q * (1 - q) / trials), end
    assert min(ends[end] for end in chance) > 20


# -- timer --------------------------------------------------------------------------------------------------------


@pytest.mark.medium
def test_a_timer_that_lasts_elects_as_quickly_as_fratricide(sized: Sized) -> None:
    """From k leaders it takes the sum of n (n-1) / (j (j-1)), j = 2..k; k is binomial at the random start."""
    n, trials = 12, sized(200, 1000)
    moments = [(Fraction(), Fraction())] * 2  # mean and variance from 0 (see below) and 1 leader
    for j in range(2, n + 1):
        q = Fraction(j * (j - 1), n * (n - 1))
        mean, variance = moments[-1]
        moments.append((mean + 1 / q, variance + (1 - q) / q**2))
    weights = [Fraction(math.comb(n, k), 2**n) for k in range(n + 1)]
    average = sum(w * m for w, (m, _) in zip(weights, moments, strict=True))
    second = sum(w * (v + m**2) for w, (m, v) in zip(weights, moments, strict=True))
    steps = []
    for trial in range(trials):
        run: dict[str, Any] = {"n": n, "t_max": 10**4, "seed": 4, "trial": trial, "engine": "reference"}
        led = princeps.run("timer", max_steps=0, **run).leaders > 0  # nobody leads in 1 of 4096 starts: left out
        steps += [princeps.run("timer", **run).steps] if led else []
    assert abs(fmean(steps) - average) < 5 * math.sqrt((second - average**2) / trials)


def test_a_timer_loses_and_finds_its_leader() -> None:
    """Short timers run out; whatever happens, once somebody leads somebody always does."""
    for seed in range(5):
        population = Reference(make_run("timer", 8, seed=seed, params={"t_max": 2}))
        seen = set()
        population.advance(200, StopCondition.NOTHING)
        for _ in range(500):
            population.advance(1, StopCondition.NOTHING)
            seen.add(population.leaders)
        assert 0 not in seen
        assert {1, 2} <= seen
