"""The worst that a noisy adversary can do: a step is its own with probability 1 - noise, and uniform otherwise.

The longest expected time satisfies V(x) = 1 + (1 - noise) max V(y) + noise (mean of V after a uniform step), where y runs over
what some interaction makes of x, and V = 0 on the target. It is found by policy iteration. A policy chooses one listed step
of every configuration, or to stay where some interaction changes nothing. With it the population is a Markov chain over the
same steps with other weights, whose strongly connected components are those of the uniform one.

The certificate is that of hitting_times.py, for the policy that is best for the computed values f. What it gains in one step
is then what any policy gains at most, so that f / low is a super-solution for every policy, and f / high is a sub-solution
for this one. Both need no trust in the iteration. As all steps keep a positive probability, the target is reached for
certain from where it is reached under the uniform scheduler.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from princeps.analysis import rational
from princeps.analysis.chain import Bits, Chain
from princeps.analysis.configurations import MAX_WEIGHT
from princeps.analysis.hitting_problem import HittingProblem
from princeps.analysis.hitting_times import UNIT_COSTS, CertifiedTimes, certify, expected_times
from princeps.analysis.state_space import StateSpace
from princeps.errors import TooLarge
from princeps.model.numbers import in_words

MAX_ROUNDS = 500  # of the iteration; what it has come to by then is certified all the same
GAIN = 1e-12  # relative: a policy that gains less is kept, since its values are rounded
STAYS = -1

Policy = NDArray[np.int64]  # for every configuration the number of a listed step, or STAYS


@dataclass(frozen=True)
class Noise:
    """What an analysis says of its noisy adversary: also the worst expected time under the uniform scheduler."""

    noise: Fraction
    rounds: int
    uniform_worst: float


def refuse_fine_noise(total: int, noise: Fraction) -> None:
    """Weights of steps beyond what floats hold exactly; `total` is at least the number of arcs, known before anything is listed."""
    if total * noise.denominator > MAX_WEIGHT:
        raise TooLarge(
            f"the probabilities of steps have the denominator {in_words(total * noise.denominator)}, above 2^53: give a "
            f"noise with fewer digits, or lower -n."
        )


class Choices:
    """The steps of a chain as what an adversary may choose."""

    def __init__(self, chain: Chain, noise: Fraction) -> None:
        self.chain, self.noise = chain, noise
        refuse_fine_noise(chain.total, noise)
        self.weights = chain.weights if len(chain.weights) else np.ones(len(chain.successors), np.int64)
        self.has_steps = np.flatnonzero(np.diff(chain.offsets) > 0)
        self.firsts = chain.offsets[self.has_steps]
        leaving = np.zeros(chain.size, np.int64)
        if len(self.firsts):
            leaving[self.has_steps] = np.add.reduceat(self.weights, self.firsts)
        self.may_stay: Bits = leaving < chain.total
        self.source = np.repeat(np.arange(chain.size), np.diff(chain.offsets))

    def under(self, policy: Policy) -> Chain:
        """The chain of this policy; the rest of the weight is that of staying."""
        weights = self.weights * self.noise.numerator
        chosen = policy[policy != STAYS]
        weights[chosen] += (self.noise.denominator - self.noise.numerator) * self.chain.total
        return replace(self.chain, weights=weights, total=self.chain.total * self.noise.denominator)

    def best(self, values: NDArray[np.float64]) -> Policy:
        """The first step to the largest value; to stay only where no step leads to a value as large."""
        after = values[self.chain.successors]
        largest = np.full(self.chain.size, -np.inf)
        policy = np.full(self.chain.size, STAYS, np.int64)
        if len(self.firsts):
            largest[self.has_steps] = np.maximum.reduceat(after, self.firsts)
            number = np.where(after == largest[self.source], np.arange(len(after)), len(after))
            policy[self.has_steps] = np.minimum.reduceat(number, self.firsts)
        policy[self.may_stay & (values > largest)] = STAYS
        return policy

    def chosen(self, policy: Policy, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The value that the policy leads to, from every configuration."""
        after = values[self.chain.successors[policy]] if len(self.chain.successors) else values
        return np.where(policy == STAYS, values, after)


class NoisyProblem(HittingProblem):
    """The hitting time of one set against a noisy adversary, from every configuration."""

    def __init__(self, space: StateSpace, target: str, noise: Fraction) -> None:
        super().__init__(space, target)
        self.choices = Choices(space.chain, noise)
        self.noise, self.rounds = noise, 0

    @cached_property
    def given(self) -> Bits:
        """Configurations whose time is 0 or infinite."""
        return np.asarray(self.target | ~self.certain)

    @cached_property
    def uniform_times(self) -> CertifiedTimes:
        return expected_times(self.components, self.target, self.certain, None, self.space.progress)

    @cached_property
    def policy(self) -> Policy:
        """The best that was found; `times` are computed on the way."""
        return self._solved[0]

    @cached_property
    def times(self) -> CertifiedTimes:
        return self._solved[1]

    @cached_property
    def _solved(self) -> tuple[Policy, CertifiedTimes]:
        choices, progress = self.choices, self.space.progress
        policy = choices.best(self.uniform_times.values)
        while True:
            self.rounds += 1
            progress("policies of the adversary", self.rounds, 0)
            components = replace(self.components, chain=choices.under(policy))
            times = expected_times(components, self.target, self.certain, None, progress)
            best = choices.best(times.values)
            gain = choices.chosen(best, times.values) > choices.chosen(policy, times.values) * (1 + GAIN)
            if not (gain & ~self.given).any() or self.rounds == MAX_ROUNDS:
                low, high = certify(choices.under(best), self.given, times.values, (UNIT_COSTS, UNIT_COSTS), progress)
                return policy, CertifiedTimes(times.values, low, high, times.sweeps)
            policy = np.where(gain, best, policy)

    def fractions(self, progress: Callable[[int, int], None] | None = None) -> list[Fraction]:
        """Exactly, by the same iteration: it ends where no other step is better, and fractions are not rounded."""
        policy, component_of = self.policy.copy(), self.components.component_of
        offsets, successors = self.space.chain.offsets.tolist(), self.space.chain.successors.tolist()
        may_stay, unknown = self.choices.may_stay.tolist(), np.flatnonzero(~self.given).tolist()
        while True:
            values = rational.hitting_times(self.choices.under(policy), self.given, component_of, progress)
            improved = False
            for x in unknown:
                chosen = values[x] if policy[x] == STAYS else values[successors[policy[x]]]
                for k in range(offsets[x], offsets[x + 1]):
                    if values[successors[k]] > chosen:
                        chosen, policy[x], improved = values[successors[k]], k, True
                if may_stay[x] and values[x] > chosen:
                    policy[x], improved = STAYS, True
            if not improved:
                return values

    def about_noise(self) -> Noise:
        worst = float(self.uniform_times.values[self.visited].max())
        assert self.times is not None  # the rounds are counted on the way
        return Noise(self.noise, self.rounds, worst)
