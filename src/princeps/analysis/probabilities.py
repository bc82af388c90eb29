"""The probability of a temporal question from every configuration, with proved bounds of the error, or as fractions.

Within k steps: the answer is 1 where the question is answered with yes and 0 where with no; elsewhere it is followed for
k steps. A step multiplies by nonnegative numbers and adds, so that with at most d steps from a configuration its
relative error grows by at most d + 5 roundings, and after k steps is at most that of k (d + 5) roundings.

However long it takes: the graph of steps alone says where the answer is 0 or 1 for certain. From everywhere else one of
these configurations is reached for certain, and hitting_times.probabilities solves the equations and bounds the error.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis import rational
from princeps.analysis.chain import Bits
from princeps.analysis.components import Components, find_components
from princeps.analysis.hitting_times import expected_times, probabilities
from princeps.analysis.state_space import StateSpace
from princeps.errors import TooLarge
from princeps.lowering.cache import kernel_module
from princeps.model.numbers import duration_in_words, in_words

PORTION = 1 << 26  # steps of single configurations between two reports of progress
MAX_WORK = 4e11  # of them: ten minutes
STEPS_A_SECOND = 7e8
MAX_DIGITS_WORK = 3e9  # words of integers that are multiplied for exact fractions: a minute
WORDS_A_SECOND = 5e7
UNIT = 2.0**-53  # the relative error of one rounded operation
SMALLEST_FLOAT = 5e-324
WIDEST = 0.01  # relative error beyond which an answer is none


def kernel() -> Any:
    return kernel_module("princeps.analysis.probabilities_kernel")


@dataclass(frozen=True)
class Bounded:
    """A value for each configuration, and bounds of the true one."""

    values: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


class VisitProblem:
    """`yes` is visited before `no`, within `steps` (None: however long it takes), from every configuration."""

    def __init__(self, space: StateSpace, yes: Bits, no: Bits, steps: int | None) -> None:
        self.space, self.chain, self.steps = space, space.chain, steps
        self.yes, self.no = yes, no & ~yes

    @cached_property
    def components(self) -> Components:
        return find_components(self.chain, self.yes | self.no, self.space.progress)

    @cached_property
    def possible(self) -> Bits:
        """Configurations from which `yes` can be visited."""
        return self.components.can_reach(self.yes)

    @cached_property
    def certain(self) -> Bits:
        """Configurations from which `yes` is visited with probability 1, sooner or later."""
        return self.components.reaches_only(self.possible)

    def answer(self) -> Bounded:
        return self._eventually() if self.steps is None else self._within(self.steps)

    # -- floating point -----------------------------------------------------------------------------------------------

    def _eventually(self) -> Bounded:
        known = self.yes | self.no | ~self.possible | self.certain
        sure = (self.yes | self.certain).astype(np.float64)
        everywhere = np.ones(self.chain.size, np.bool_)
        times = expected_times(self.components, known, everywhere, None, self.space.progress)
        values, errors = probabilities(self.components, known, times, sure, self.space.progress)
        values = np.where(known, sure, values)
        errors = np.where(known, 0.0, errors)
        return Bounded(values, np.clip(values - errors, 0.0, 1.0), np.clip(values + errors, 0.0, 1.0))

    def _within(self, steps: int) -> Bounded:
        now = self.yes.astype(np.float64)
        then = now.copy()
        open_states = np.flatnonzero(self.possible & ~self.yes & ~self.no)
        degrees = np.diff(self.chain.offsets)[open_states]
        work = (int(degrees.sum()) + len(open_states)) * steps  # which may be too large for a float
        if work > MAX_WORK:
            duration = duration_in_words(work // int(STEPS_A_SECOND)).removeprefix("about ")
            raise TooLarge(
                f"{in_words(steps)} steps of {len(open_states):,} configurations take about {duration}: ask for fewer steps, or without a bound, as 'F' and 'U' do."
            )
        stays, chain = self._stays(open_states), self.chain
        portion, done = max(1, int(PORTION // max(1, work / max(1, steps)))), 0
        while done < steps and len(open_states):
            wanted = min(portion, steps - done)
            more = kernel().follow(
                *(chain.offsets, chain.successors, chain.weights, stays.astype(np.float64), float(chain.total)),
                *(open_states, now, then, wanted),
            )
            self.space.progress("following the distribution", done, steps)
            if more < wanted:  # nothing changes any more, and never will
                break
            done += wanted
        roundings = steps * (int(degrees.max(initial=0)) + 5) * UNIT
        if roundings > WIDEST:
            raise TooLarge(
                f"after {in_words(steps)} steps roundings may add up to {100 * roundings:.2g} % of a probability: ask for "
                f"fewer steps, or without a bound, as 'F' and 'U' do."
            )
        relative = roundings / (1 - roundings) * (1 + 2 * UNIT)
        underflow = steps * (int(degrees.max(initial=0)) + 1) * SMALLEST_FLOAT
        exact = ~self.possible | self.yes | self.no
        low = np.where(exact, now, np.maximum(now * (1 - relative) - underflow, 0.0))
        high = np.where(exact, now, np.minimum(now * (1 + relative) + underflow, 1.0))
        return Bounded(now, low, high)

    def _stays(self, states: NDArray[np.int64]) -> NDArray[np.int64]:
        """The weights with which nothing changes."""
        chain = self.chain
        leaving = chain.weights if len(chain.weights) else np.ones(len(chain.successors), np.int64)
        source = np.repeat(np.arange(chain.size), np.diff(chain.offsets))
        leaving = np.where(chain.successors == source, 0, leaving)
        sums = np.concatenate([[0], np.cumsum(leaving)])
        return np.asarray((chain.total - (sums[chain.offsets[1:]] - sums[chain.offsets[:-1]]))[states])

    # -- fractions ----------------------------------------------------------------------------------------------------

    def fractions(self) -> list[Fraction]:
        return self._exactly_eventually() if self.steps is None else self._exactly_within(self.steps)

    def _exactly_eventually(self) -> list[Fraction]:
        known = self.yes | self.no | ~self.possible | self.certain
        given = [Fraction(int(one)) for one in (self.yes | self.certain).tolist()]
        return rational.hitting_times(self.chain, known, self.components.component_of, self._fraction_progress, given)

    def _exactly_within(self, steps: int) -> list[Fraction]:
        """Integers over the power of the common denominator."""
        open_states = np.flatnonzero(self.possible & ~self.yes & ~self.no)
        stays = dict(zip(open_states.tolist(), self._stays(open_states).tolist(), strict=True))
        rows = {x: [(y, w) for y, w in self.chain.steps(x) if self.possible[y]] for x in stays}
        total = self.chain.total
        shared = gcd(total, *stays.values(), *(w for row in rows.values() for _, w in row))
        total //= shared
        entries = len(rows) + sum(map(len, rows.values()))
        work = entries * steps * (8 + steps * total.bit_length() / 128)
        if work > MAX_DIGITS_WORK:
            raise TooLarge(
                f"exact fractions after {in_words(steps)} steps of {len(rows):,} configurations have up to "
                f"{in_words(int(steps * total.bit_length() * 0.302))} digits and take about "
                f"{duration_in_words(work / WORDS_A_SECOND)}: leave --rational out for a certified interval, or ask for "
                f"fewer steps."
            )
        inside = {x: [(y, w // shared) for y, w in row if y in rows] for x, row in rows.items()}
        inside = {x: [(x, stays[x] // shared), *row] for x, row in inside.items()}
        arriving = {x: sum(w for y, w in row if self.yes[y]) // shared for x, row in rows.items()}
        values, power = dict.fromkeys(rows, 0), 1
        for done in range(steps):
            values = {x: arriving[x] * power + sum(w * values[y] for y, w in row) for x, row in inside.items()}
            power *= total
            self._fraction_progress(done, steps)
        found = [Fraction(int(one)) for one in self.yes.tolist()]
        for x, value in values.items():
            found[x] = Fraction(value, power)
        return found

    def _fraction_progress(self, done: int, total: int) -> None:
        self.space.progress("exact fractions", done, total)
