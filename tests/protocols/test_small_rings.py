"""Self-stabilizing elections on directed rings: every configuration of small ones, by `exact` and by simple methods."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

import princeps
from princeps.engines.population import StopCondition
from princeps.engines.reference import Reference
from princeps.errors import ParameterError
from princeps.model import Params
from princeps.model.reading import make_run
from princeps.protocols.aafj import AAFJ
from tests.analysis.plain_population import PlainPopulation


@dataclass(frozen=True)
class Small:
    """A ring with the largest safe set, and the exact worst and mean number of steps to it."""

    name: str
    n: int
    safe: int
    worst: str
    mean: str
    params: tuple[tuple[str, int], ...] = ()
    goal: str = "safe"  # of the file
    size: int | None = None  # of the goal, where it is smaller

    @property
    def label(self) -> str:
        return "-".join([self.name, str(self.n), *(f"{name}{value}" for name, value in self.params)])


def slow(small: Small) -> object:
    return pytest.param(small, marks=pytest.mark.slow, id=small.label)


RINGS = [
    Small("aafj", 2, 528, "10", "415/128", (("k", 3),), "elected", 432),
    slow(Small("aafj", 3, 3624, "159/7", "377575350485/64210599936", (("k", 2),), "elected", 3552)),
    Small("fischer_jiang", 3, 126, "19", "406727/57344"),
    slow(Small("fischer_jiang", 4, 680, "36", "115685881721/8439137280")),
    Small("p_rl_oracle", 2, 196, "5", "695/576"),
    slow(Small("p_rl_oracle", 3, 2700, "119869/7420", "24910778323/5539000320")),
]


@pytest.mark.medium
@pytest.mark.parametrize("small", RINGS, ids=lambda small: small.label)
def test_exact_numbers(small: Small) -> None:
    found = princeps.exact(small.name, small.n, rational=True, **dict(small.params))
    assert found.reachable
    assert (found.target, found.target_size) == ("safe", small.safe)
    assert (found.worst_exact, found.mean_exact) == (Fraction(small.worst), Fraction(small.mean))


@pytest.mark.parametrize("small", RINGS, ids=lambda small: small.label)
def test_every_configuration_leads_to_one_leader(small: Small) -> None:
    """With all configurations listed: the file's goal is safe, in most files the largest such set, and always reached."""
    plain = PlainPopulation(make_run(small.name, small.n, params=dict(small.params)))
    safe = plain.safe()
    assert safe.sum() == small.safe
    goal = plain.goal(small.goal)
    assert goal.sum() == (small.size or small.safe)
    assert safe[goal].all()
    assert plain.leading_to(goal, goal).all()
    steps = plain.expected(safe)
    assert np.isclose(steps.max(), float(Fraction(small.worst)), rtol=1e-9)
    assert np.isclose(steps.mean(), float(Fraction(small.mean)), rtol=1e-9)


def test_aafj_is_hopeless_where_k_divides_n() -> None:
    """Without a barrier, labels tell nothing: no configuration is safe, as the theory demands."""

    class Undemanding(AAFJ):
        name = "undemanding"

        @staticmethod
        def demands(n: int, p: Params) -> str | None:
            return None

    plain = PlainPopulation(make_run(Undemanding, 2, params={"k": 2}))
    assert plain.size == 32**2
    assert plain.safe().sum() == 0
    with pytest.raises(ParameterError, match=r"n = 2 is a multiple of k = 2.* k=3"):
        make_run("aafj", 2, params={"k": 2})
    assert princeps.protocol("aafj", n=12).params == {"k": 5}  # the smallest that does not divide n


def test_the_oracle_replaces_what_p_rl_counts() -> None:
    """From leaders that cannot all be killed, P_RL creates none: step by step it is the same as with the oracle."""
    for seed in (1, 2, 3):
        told = Reference(make_run("p_rl_oracle", 12, start="all_leaders", seed=seed))
        counting = Reference(make_run("p_rl", 12, start="all_leaders", seed=seed))
        for _ in range(2000):
            told.advance(1, StopCondition.NOTHING)
            counting.advance(1, StopCondition.NOTHING)
            assert [state[:4] for state in counting.states] == told.states
        assert told.events > 200
        assert told.leaders == 1
