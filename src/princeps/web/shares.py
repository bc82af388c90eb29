"""Work beside the engine that takes a small share of its time, however long it takes and however busy the machine is.

At full speed the share is counted in the processor time of this thread, which the engine would have had; at other
speeds the thread mostly waits, and the share is one of the time that passes.
"""

from __future__ import annotations

from threading import get_ident
from time import perf_counter, thread_time

LONG = 0.004  # seconds
CARRIED = 0.05  # seconds by which work that came late may be made up for: it is looked for between two portions only


class Share:
    """`with share:` around the work; `may` says whether it is due again."""

    def __init__(self, part: float, part_of_long: float | None = None) -> None:
        """Work of more than LONG seconds may get another part: it is never done often enough to look smooth."""
        self.part, self.part_of_long = part, part if part_of_long is None else part_of_long
        self.seconds = 0.0  # spent in all
        self._due = self._due_by_clock = self._began = 0.0
        self._thread = 0  # whose processor time it was

    def may(self, hurries: bool) -> bool:
        """`hurries`: the run plays at full speed."""
        return self.rest(hurries) <= 0

    def rest(self, hurries: bool) -> float:
        """Seconds until it is due."""
        if not hurries:
            return self._due_by_clock - perf_counter()
        return self._due - thread_time() if self._thread == get_ident() else 0.0

    def forgive(self) -> None:
        """It is due now, whatever was spent."""
        self._due = self._due_by_clock = 0.0

    def leave_out(self, seconds: float) -> None:
        """Within the work: so much of it belongs to another share."""
        self._began += seconds

    def __enter__(self) -> None:
        self._began, self._thread = thread_time(), get_ident()

    def __exit__(self, *_: object) -> None:
        now = thread_time()
        spent = now - self._began
        self.seconds += spent
        is_long, clock = spent > LONG, perf_counter()
        rest = spent / (self.part_of_long if is_long else self.part)
        carried = 0.0 if is_long or not self._due else CARRIED
        self._due = max(self._due, now - carried) + rest
        self._due_by_clock = max(self._due_by_clock, clock - carried) + rest
