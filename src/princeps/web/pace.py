"""How fast a watch plays: the steps that are due by the clock, and how many are done before somebody may look up."""

from __future__ import annotations

from collections.abc import Callable

from princeps.engines.session import Session
from princeps.web.branches import Held

PORTION_SECONDS = 0.015  # of processor time in a portion: frames are made, and words answered, between two of them, so
# that a page that needs up to twice as long for a frame of a million agents has 33 of them a second
FRAME_SECONDS = 1 / 60  # between two looks at a steady speed
MAX_DEBT = 0.25  # seconds by which a speed may lag behind before it is given up
FEW = 64  # steps of the first portion
LARGEST_PORTION = 1 << 62
USUAL_SPEED = 10.0  # steps a second, until somebody chooses another
LARGEST_SPEED = 1e18


class Pace:
    """`due` and `did` around every portion, and then `wait`."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.speed: float | None = USUAL_SPEED  # steps a second; None: as fast as the engine goes
        self.portion = FEW
        self._is_chosen = False
        self._since, self._done = 0.0, 0  # the clock, and the steps that were done by this speed since then
        self._now, self._due, self._wanted = 0.0, 0, 0

    def open(self, session: Held) -> None:
        """Another run."""
        self.portion = FEW
        if not self._is_chosen:
            self.speed = usual_speed(session)

    def choose(self, speed: float | None) -> None:
        self.speed, self._is_chosen = speed, True
        self.begin()

    def begin(self) -> None:
        """From now on; what was slept is not made up for."""
        self._since, self._done = self.clock(), 0

    def due(self) -> int:
        """Steps of the next portion; 0 if it is too early."""
        if self.speed is None:
            return self.portion
        self._now = self.clock()
        self._due = int((self._now - self._since) * self.speed) - self._done
        self._wanted = max(0, min(self._due, self.portion))
        return self._wanted

    def did(self, steps: int) -> None:
        """So many of them were done; more, where an engine stands at certain steps only."""
        if self.speed is None:
            return
        self._done += min(steps, self._wanted)
        self._due -= min(steps, self._wanted)
        if self._due / self.speed > MAX_DEBT:
            self.begin()

    def wait(self) -> float:
        """Seconds until something is due again."""
        if self.speed is None or self._due >= 1:
            return 0.0
        if self._wanted == 0:
            return max(0.0, self._since + (self._done + 1) / self.speed - self._now)
        return max(0.0, min(FRAME_SECONDS, 1 / self.speed) - (self.clock() - self._now))

    def took(self, seconds: float, steps: int) -> None:
        """Portions that take about as long as they should; of processor time, or a busy machine would make them small."""
        if steps >= self.portion or seconds > PORTION_SECONDS:
            factor = PORTION_SECONDS / max(seconds, 1e-6)
            self.portion = max(1, min(int(steps * min(2.0, max(0.25, factor))), LARGEST_PORTION))


def usual_speed(session: Held) -> float:
    """Of a population that is only counted, one unit of parallel time a second: less would show nothing."""
    if isinstance(session, Session) and not session.cut_free:
        return max(USUAL_SPEED, min(float(session.n), LARGEST_SPEED))
    return USUAL_SPEED
