"""Whoever looks on at the network run of a ring algorithm: every event as the judge plays it, and what befell the processes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from princeps.network.onlooking import Moment, Onlooker, Order
from princeps.network.rings.judge import Judge
from princeps.network.rings.report import Death


class Attendance:
    """False if nobody looks on."""

    def __init__(self, onlooker: Onlooker | None, judge: Judge) -> None:
        self.onlooker, self.judge = onlooker, judge
        self.next_look = 0.0
        self._told = 0  # events of the judge's session

    def __bool__(self) -> bool:
        return self.onlooker is not None

    def is_due(self, now: float) -> bool:
        """In virtual time."""
        return self.onlooker is not None and now >= self.next_look

    def orders(
        self,
        now: float,
        deaths: Sequence[Death],
        running: Iterable[int],
        paused: Iterable[int],
        cut_off: Mapping[int, list[int]],
    ) -> list[Order]:
        """Everything new is told; what is to be done."""
        if self.onlooker is None:
            return []
        fresh = self.judge.session.events_since(self._told)
        self._told += len(fresh)
        for event in fresh:
            self.onlooker.heard(event)
        died = {death.process: death.incarnation for death in deaths}
        dead = frozenset(died) - frozenset(running)
        self.next_look = now + self.onlooker.portion
        self.onlooker.sees(Moment(now, died, dead, frozenset(paused), cut_off))
        return self.onlooker.orders()
