"""Frames for pages that wait for them: made when there is something newer to show than a page has, and at full speed only
so often that they take a small share of the engine's time."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field

from princeps.errors import PrincepsError, RunError
from princeps.web.branches import Held
from princeps.web.frames import Frames
from princeps.web.page_words import page_sentence
from princeps.web.shares import Share
from princeps.web.watch import Watch

FRAME_SHARE = 0.03  # of the time, while the run plays at full speed: fifty frames a second of a million agents; what
# they push out of the caches costs the engine about as much again
LONG_FRAME_SHARE = 0.02  # for frames that take long, as where many states are new


@dataclass
class WantedFrame:
    """A page waits for something newer than `v`."""

    v: int
    choice: str | None
    known: int
    table: int
    future: Future[bytes] = field(default_factory=Future)


class FrameService:
    """In the player's thread."""

    def __init__(self) -> None:
        self._frames: Frames | None = None
        self._wanted: deque[WantedFrame] = deque()
        self._share = Share(FRAME_SHARE, LONG_FRAME_SHARE)
        self._hurried = False  # when a frame was last asked for

    def open(self, session: Held) -> None:
        """Another run: another table of states."""
        number = 0 if self._frames is None else self._frames.number + 1
        self._frames = Frames(session, number)

    def want(self, wanted: WantedFrame) -> None:
        self._wanted = deque(one for one in self._wanted if not one.future.cancelled())
        self._wanted.append(wanted)

    @property
    def waiting(self) -> list[Future[bytes]]:
        return [wanted.future for wanted in self._wanted]

    @property
    def seconds(self) -> float:
        """Spent on frames."""
        return self._share.seconds

    def serve(self, watch: Watch) -> float | None:
        """Frames that somebody waits for; seconds until the next may be made, if one is due."""
        if self._frames is None:
            return None
        fresh = [one for one in self._wanted if one.v < watch.version]
        if not fresh:
            return None
        hurries = watch.hurries
        if hurries and not self._hurried:
            self._share.forgive()  # what was spent while nothing ran did not slow it
        self._hurried = hurries
        if hurries and not self._share.may(hurries):
            return self._share.rest(hurries)
        is_first = any(one.table != self._frames.number for one in fresh)
        with self._share:
            before = self._frames.tallying_seconds
            for wanted in fresh:
                self._wanted.remove(wanted)
                if wanted.future.set_running_or_notify_cancel():
                    self._make(self._frames, watch, wanted)
            self._share.leave_out(self._frames.tallying_seconds - before)
        if is_first:
            self._share.forgive()  # the first frame of a page takes long, once: its next one need not wait a second for it
        return None

    def _make(self, frames: Frames, watch: Watch, wanted: WantedFrame) -> None:
        assert watch.branches is not None
        try:
            made = frames.make(
                watch.session,
                watch.version,
                watch.branches.current.number,
                choice=wanted.choice,
                known=wanted.known,
                table=wanted.table,
                steadily=watch.hurries,
                beside=watch.beside_frame(),
            )
        except Exception as error:
            wanted.future.set_exception(error if isinstance(error, PrincepsError) else RunError(page_sentence(error)))
            return
        wanted.future.set_result(made)
