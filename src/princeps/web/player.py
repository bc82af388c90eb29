"""The thread that owns a watch. Everybody else hands it jobs and gets futures; pages ask for frames, which it makes.

Jobs are done in the order in which they come, between two portions of the run, and only so many may wait.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, Full, Queue
from time import perf_counter
from typing import Any, TypeVar

from princeps.errors import PrincepsError, RunError
from princeps.model.announcing import leave_to_others
from princeps.web.actions import Actions, Answer
from princeps.web.frame_service import FrameService, WantedFrame
from princeps.web.page_words import page_sentence
from princeps.web.shares import Share
from princeps.web.watch import Watch

MAX_JOBS = 64
STATUS_SECONDS = 0.1  # between two statuses
STATUS_SHARE = 0.01  # of the time at full speed: on a busy machine the clock alone would let them come too often
IDLE_SECONDS = 60.0
STOP_SECONDS = 0.2  # that somebody waits for the thread's end
SAVE = "save"
BUSY = {  # words that may take a while
    "open": "the run of the link is replayed",
    "choose": "the run is prepared",
    "branch": "the branch is replayed",
    "compare": "the branches are compared",
    SAVE: "the page is made",
}
MANY_ATTACKED = 2000  # agents; an attack on fewer takes no time
LOOKED_FOR = ("next", "step", "goto")  # words that are answered when what they look for is found

Listener = Callable[[dict[str, Any]], None]
T = TypeVar("T")


@dataclass
class Job:
    do: Callable[[], Any]
    future: Future[Any]
    word: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)


class Player:
    """`listener` hears of every status and of a new run, in the player's thread."""

    def __init__(self, watch: Watch, actions: Actions, listener: Listener | None = None) -> None:
        self.watch, self.actions = watch, actions
        self.listeners: list[Listener] = [] if listener is None else [listener]
        self._jobs: Queue[Job | None] = Queue(MAX_JOBS)
        self._waiting: list[tuple[Future[Any], int]] = []  # what is answered when nothing is looked for any more
        self.frames = FrameService()
        self._shown_run = -1
        self._hurried = False  # the run has just played a portion at full speed
        self._status_due, self._status_share = 0.0, Share(STATUS_SHARE)
        self._told: dict[str, Any] | None = None
        self._ending = False
        self.about: dict[str, Any] | None = None
        self._thread = threading.Thread(target=self._run, name="princeps-watch", daemon=True)

    # -- from any thread ----------------------------------------------------------------------------------------

    def start(self) -> Player:
        if self._thread.ident is None:
            self._thread.start()
        return self

    def begin(self, do: Callable[[], T]) -> T:
        """The first thing that the thread does; what goes wrong goes wrong here. Meanwhile Ctrl-C is heard."""
        self.start()

        def tried() -> tuple[T | None, BaseException | None]:
            try:
                return do(), None
            except BaseException as error:
                return None, error

        try:
            done, error = self.submit(tried).result()
        except BaseException:
            self.stop(0)
            raise
        if error is not None:
            self.stop()
            raise error
        return done  # type: ignore[no-any-return]

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """It ends after the portion that it is in; a longer piece of work is not waited for, nor a second time."""
        seconds = 0.0 if self._ending else seconds
        self._ending = True
        with suppress(Full):  # it looks up after the next job
            self._jobs.put_nowait(None)
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(seconds)

    def ask(self, word: str, arguments: dict[str, Any]) -> Future[Answer]:
        """A word of a page."""
        return self.submit(lambda: self.actions.perform(word, arguments), word, arguments)

    def submit(self, do: Callable[[], Any], word: str = "", arguments: dict[str, Any] | None = None) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            if self._ending:
                raise Full
            self._jobs.put_nowait(Job(do, future, word, arguments or {}))
        except Full:
            future.set_exception(RunError(f"{MAX_JOBS} things are to be done already: wait for their answers."))
        return future

    def frame(self, wanted: WantedFrame) -> Future[bytes]:
        """The newest frame, as soon as there is one newer than the page has."""
        queued = self.submit(lambda: self.frames.want(wanted))
        if queued.done() and (refused := queued.exception()) is not None:
            wanted.future.set_exception(refused)
        return wanted.future

    # -- the thread ---------------------------------------------------------------------------------------------

    def _run(self) -> None:
        leave_to_others()
        wait: float | None = None
        while not self._ending:
            try:
                pause = IDLE_SECONDS if wait is None else wait
                job = self._jobs.get(timeout=pause) if pause > 0 else self._jobs.get_nowait()
                while job is not None:
                    self._do(job)
                    job = self._jobs.get_nowait()
                if job is None:
                    break
            except Empty:
                pass
            wait = self._turn()
        self._end()

    def _turn(self) -> float | None:
        """What is due between two jobs; seconds until something is due again."""
        watch = self.watch
        if watch.hurries and self._hurried:
            self._serve_frames()  # whoever has asked need not wait for the next portion: twice as many frames a second
        elif watch.hurries:
            self._status_share.forgive()  # what was spent while nothing ran did not slow it
        self._hurried = watch.hurries
        try:
            wait = watch.tick()
        except Exception as error:  # a rule that fails, a full memory: the run stands before it
            watch.pause(page_sentence(error))
            wait = None
        self._answer_waiting()
        later = [self._serve_frames(), self._tell_status()]
        waits = [one for one in [wait, *later] if one is not None]
        return min(waits) if waits else None

    def _do(self, job: Job) -> None:
        if not job.future.set_running_or_notify_cancel():
            return
        try:
            if (busy := self._busy_with(job)) is not None:
                self._tell({**self.watch.status(), "busy": busy})
            answer = job.do()
        except Exception as error:
            self.watch.version += 1
            job.future.set_exception(error if isinstance(error, PrincepsError) else RunError(page_sentence(error)))
            return
        if job.word in LOOKED_FOR and self.watch.seeking is not None:
            self._waiting.append((job.future, self.watch.run_number))
        else:
            job.future.set_result(answer)

    def _busy_with(self, job: Job) -> str | None:
        """What the pages are told before a job that may take a while."""
        if job.word != "attack" or not self.watch.is_open:
            return BUSY.get(job.word)
        session, kind = self.watch.session, job.arguments.get("kind")
        hit = {"corrupt": job.arguments.get("count") or 0, "corrupt_leaders": session.leaders, "start": session.n}
        return "the attack is prepared" if hit.get(str(kind), 0) > MANY_ATTACKED else None

    def _answer_waiting(self) -> None:
        if self.watch.seeking is None and self._waiting:
            for future, run in self._waiting:
                found = bool(self.watch.found) and run == self.watch.run_number
                future.set_result({"found": found, "step": str(self.watch.session.steps)})
            self._waiting.clear()

    def _serve_frames(self) -> float | None:
        """Of the run that is watched now; seconds until the next may be made, if one is due."""
        watch = self.watch
        if watch.is_open and watch.run_number != self._shown_run:
            self._shown_run = watch.run_number
            self.frames.open(watch.session)
            self.about = watch.about()
            self._send({"about": self.about})
        return self.frames.serve(watch)

    def _tell_status(self) -> float | None:
        now = perf_counter()
        if self._told is not None and self._told["v"] == self.watch.version and self._told["busy"] is None:
            return None
        if now < self._status_due:
            return self._status_due - now
        if self.watch.hurries and not self._status_share.may(hurries=True):
            return self._status_share.rest(hurries=True)
        try:
            with self._status_share:
                self._tell(self.watch.status())
        except Exception as error:
            self.watch.pause(page_sentence(error))
        self._status_due = perf_counter() + STATUS_SECONDS
        return None

    def _tell(self, status: dict[str, Any]) -> None:
        self._told = status
        self._send({"status": status})

    def _send(self, what: dict[str, Any]) -> None:
        for listener in list(self.listeners):
            listener(what)

    @property
    def told(self) -> dict[str, Any] | None:
        """The last status."""
        return self._told

    def _end(self) -> None:
        """Whoever still waits is told."""
        ended = RunError("the watch has ended.")
        left = [future for future, _ in self._waiting] + self.frames.waiting
        while True:
            try:
                job = self._jobs.get_nowait()
            except Empty:
                break
            left += [] if job is None else [job.future]
        for future in left:
            if not future.done() and not future.cancel():
                future.set_exception(ended)
