"""Terms: numbers to fence with.

A term is count * n + agent: two agents never have the same one, and term % n says whose it is. An agent takes a new term
when it begins to lead, and again, at most once in PAUSE seconds, when it leads and has heard of a larger one than its own.
A new term is larger than every term that the agent has heard of, and than every one that it had before, in any incarnation.
Terms that were heard of travel with the frames. So as long as several agents lead, their terms overtake each other; once
one alone leads, and has heard of all others, its term stays, and is the largest.
"""

from __future__ import annotations

from collections.abc import Callable

LARGEST = 1 << 63
PAUSE = 1.0  # seconds between two terms of an agent that goes on to lead


class Terms:
    """`reserve(count)` writes down, before it is used, that counts up to this one may have been used."""

    def __init__(self, agent: int, n: int, reserved: int, reserve: Callable[[int], None]) -> None:
        self.agent, self.n, self._reserve = agent, n, reserve
        self.heard = reserved * n + n - 1 if reserved else 0  # the largest
        self.own = 0  # the last of this agent's; 0: none
        self.leads = False
        self._not_before = 0.0  # when it may overtake others

    def see(self, now: float, leads: bool) -> None:
        """What the agent's state says."""
        if leads and (not self.leads or (self.heard > self.own and now >= self._not_before)):
            self._not_before = now + PAUSE
            self._new()
        self.leads = leads

    def hear(self, term: int) -> None:
        self.heard = max(self.heard, term)

    def outbid(self, term: int) -> None:
        """Somebody knows this term and wants a larger one."""
        self.hear(term)
        if self.leads and self.heard > self.own:
            self._new()

    def _new(self) -> None:
        count = self.heard // self.n + 1
        self._reserve(count)
        self.own = self.heard = count * self.n + self.agent
