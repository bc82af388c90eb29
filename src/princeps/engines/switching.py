"""When the agents engine passes from ids to packed words and back: by counting how often a pair was new.

Interned agents are faster where few pairs are new. So ids are tried for a while; if too many pairs were new, the agents
are packed for eight times as long and then tried again. No trajectory depends on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from princeps.engines.forms import Form, Interned, Packed, interned, new_table
from princeps.lowering.interning import MISSES
from princeps.lowering.kernels import Kernels
from princeps.model.protocol import Predicate

TRIAL = 1 << 18  # interned steps after which it is judged for the first time whether interning pays
PROBE = 1 << 14  # the same when it is tried again, and at the beginning where nearly every pair is new
NEVER = 1 << 200  # steps
FORGET = 1 << 22  # steps between two times at which states nobody is in are forgotten
SAMPLED = 1 << 12  # agents whose states are compared before interning is tried again
NEW_PAIRS = 6  # it pays if fewer than one pair in six is new: learning one costs as much as six compiled rules


@dataclass
class FormSwitch:
    """The present trial: when it began and ends, and how many pairs had been learnt when it began."""

    kernels: Kernels
    predicates: Sequence[Predicate]
    n: int
    length: int  # of a trial of interned agents
    began: int
    ends: int
    misses_before: int
    forgot_at: int = 0

    @classmethod
    def at_start(cls, kernels: Kernels, predicates: Sequence[Predicate], form: Form, n: int, now: int) -> FormSwitch:
        is_packed = isinstance(form, Packed)
        if kernels.protocol.has_choices:  # no memo of delta holds
            return cls(kernels, predicates, n, TRIAL, now, NEVER, 0, now)
        ends = now + (8 * TRIAL if is_packed else min(PROBE, TRIAL))
        misses = int(form.state_table.header[MISSES]) if isinstance(form, Interned) else 0
        return cls(kernels, predicates, n, TRIAL, now, ends, misses, now)

    def review(self, form: Form, now: int, any_two: bool) -> Form:
        """At the end of a trial: interned if it pays, else packed for eight times as long, then tried again.

        `any_two`: each two agents meet equally often.
        """
        if now < self.ends:
            return form
        if isinstance(form, Interned):
            misses = int(form.state_table.header[MISSES])
            new, all_pairs = misses - self.misses_before, now - self.began
            if self.began == 0 and now < TRIAL and 4 * new < 3 * all_pairs:
                self.ends = TRIAL  # so early most pairs are new
                return form
            self._begin(misses, now, self.length)
            return self.pack(form, now) if new * NEW_PAIRS >= all_pairs else form
        again = None
        if not (any_two and is_hopeless(form.agents)):
            again = interned(self.kernels, form.agents, new_table(self.kernels, self.predicates))
        if again is None:
            return self.pack(form, now)
        self._begin(0, now, PROBE)
        return again

    def _begin(self, misses: int, now: int, length: int) -> None:
        self.misses_before, self.began, self.ends = misses, now, now + length

    def pack(self, form: Form, now: int) -> Packed:
        self.length = max(4 * self.length, self.n)
        self.ends = now + 8 * self.length
        return Packed(self.kernels, form.words())

    def make_room(self, form: Form, now: int) -> Form:
        """Forgetting the states that nobody is in costs as much as a million steps: not too often."""
        assert isinstance(form, Interned)
        if form.table_is_largest:
            if now - self.forgot_at < FORGET:
                return self.pack(form, now)
            self.forgot_at = now
        return form if form.make_room() else self.pack(form, now)


def is_hopeless(words: Any) -> bool:
    """Would most pairs of a probe be new, if any two agents meet, and stay in the states in which they are?

    Two meetings are of the same states with the square of the probability that two agents are, so that of so many of them
    at most half that many times it have been seen before. (On a ring the same two agents meet again and again.) To learn a
    thousand states takes time: without this question P_PL takes 1.1 to 1.2 times as long at n = 10^3.
    """
    rows = words.reshape(len(words), -1)[:: max(1, len(words) // SAMPLED)]
    asked = len(rows)
    states = rows[:, 0] if rows.shape[1] == 1 else rows
    _, sizes = np.unique(states, return_counts=True, axis=0 if states.ndim == 2 else None)
    alike = float((sizes * (sizes - 1.0)).sum()) / (asked * (asked - 1.0)) + 1 / len(words)
    return PROBE * alike**2 < 1.0
