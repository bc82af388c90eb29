"""Worker processes and their supervisor.

Each worker is a separate interpreter that is assigned small batches of trials and answers as they are finished, so that
little is lost with it. What a worker that dies has not answered is assigned again, with the same seeds. The trial it
was running (eight bytes of shared memory tell which) bears the blame and is tried again at once; one that killed three workers is
given up. A worker that is killed (SIGKILL) before its first answer may have been killed by anybody while it was
starting: that counts a third, and what it held is assigned again after everything else.

Threads read the answers, because not every system can wait for several pipes at once.
"""

from __future__ import annotations

import mmap
import os
import pickle
import queue
import signal
import struct
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO, Any

from princeps.campaign.tasks import Trials
from princeps.errors import WorkerLost

DEATHS_ALLOWED = 3
WHOLE, THIRD = 3, 1  # of a death
KILLED = -getattr(signal, "SIGKILL", 9)
SOON = 0.25  # seconds of work in a batch: little is lost with it, and handing it over costs nothing beside it
LARGEST_BATCH = 1000
READING = 5.0  # seconds that are granted for it at the end
NUMBER = struct.Struct("<q")
SHORT = 0.05  # seconds: workers at shorter trials are assigned the next batch before they ask for it


@dataclass(frozen=True)
class Answer:
    """What became of one trial: its result, or why there is none."""

    key: Any
    trial: int
    outcome: Any  # a Result, a RingResult or a PrincepsError
    seconds: float = 0.0  # that it took, from its beginning


@dataclass
class Batch:
    """Trials that a worker holds, in the order in which it runs them."""

    key: Any
    what: Trials
    trials: deque[int]


@dataclass(eq=False)
class Worker:
    process: subprocess.Popen[bytes]
    at: mmap.mmap | None  # the number of the trial it is at, plus one; where the system shares memory so
    batches: deque[Batch] = field(default_factory=deque)
    has_answered: bool = False
    reader: threading.Thread | None = None


class Pace:
    """How many trials make a batch, learnt from how long they take."""

    def __init__(self, trials: int = 0, seconds: float = 0.0) -> None:
        self.trials, self.seconds = trials, seconds

    def note(self, seconds: float) -> None:
        self.trials += 1
        self.seconds += seconds

    @property
    def mean(self) -> float | None:
        return self.seconds / self.trials if self.trials else None

    def batch_size(self, left: int, workers: int) -> int:
        """At first one by one; towards the end so few that all workers finish together."""
        if self.mean is None:
            return 1
        fair = -(-left // (2 * workers))
        return max(1, min(int(SOON / max(self.mean, 1e-9)), 8 * self.trials, fair, LARGEST_BATCH))

    @property
    def ahead(self) -> int:
        """Batches that a worker may hold: a second one spares it waiting, but a long one would wait for it."""
        return 2 if self.mean is None or self.mean < SHORT else 1


class Crew:
    """Local processes. `assign` gives them trials, `answers` gives what has come back."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.workers: list[Worker] = []
        self.suspects: deque[Batch] = deque()  # at which a worker died: tried again before anything new is assigned
        self.returned: deque[Batch] = deque()  # what else such workers held
        self.blame: dict[tuple[Any, int], int] = {}
        self.news: queue.SimpleQueue[tuple[Worker, Any]] = queue.SimpleQueue()

    def room(self, ahead: int = 1) -> bool:
        """Some worker holds fewer than `ahead` batches."""
        return not self.suspects and self._has_place(ahead)

    def _has_place(self, ahead: int) -> bool:
        return len(self.workers) < self.size or any(len(worker.batches) < ahead for worker in self.workers)

    @property
    def busy(self) -> bool:
        return bool(self.suspects or self.returned) or any(worker.batches for worker in self.workers)

    def assign(self, key: Any, what: Trials, trials: Iterable[int]) -> None:
        self._assign(Batch(key, what, deque(trials)))

    def answers(self, patience: float) -> list[Answer]:
        """What has come back; waits for something at most `patience` seconds."""
        for waiting in (self.suspects, self.returned):
            while waiting and self._has_place(1):
                self._assign(waiting.popleft())
        found: list[Answer] = []
        try:
            item = self.news.get(timeout=patience)  # a wait without an end would not hear Ctrl-C everywhere
            while True:
                self._take(*item, found)
                item = self.news.get_nowait()
        except queue.Empty:
            return found

    def dismiss(self) -> list[Answer]:
        """End all workers at once; what they had already answered is not lost."""
        found: list[Answer] = []
        workers, self.workers = self.workers, []
        for worker in workers:
            worker.process.kill()
            worker.process.wait()
            if worker.reader is not None:
                worker.reader.join(timeout=READING)  # what was in the pipe already
        while not self.news.empty():
            worker, item = self.news.get()
            found += [_settle(worker, answer) for answer in item or ()]
        self.suspects.clear()
        self.returned.clear()
        return found

    def withdraw(self, key: Any) -> int:
        """Forget what waits to be assigned again under this key; returns how many trials that were."""
        waiting = [*self.suspects, *self.returned]
        self.suspects = deque(batch for batch in self.suspects if batch.key is not key)
        self.returned = deque(batch for batch in self.returned if batch.key is not key)
        return sum(len(batch.trials) for batch in waiting if batch.key is key)

    # -- one worker ---------------------------------------------------------------------------------------------

    def _assign(self, batch: Batch) -> None:
        idlest = min(self.workers, key=lambda worker: len(worker.batches), default=None)
        if idlest is None or (idlest.batches and len(self.workers) < self.size):
            idlest = self._hire()
        idlest.batches.append(batch)
        try:
            assert idlest.process.stdin is not None
            send(idlest.process.stdin, (batch.what, list(batch.trials)))
        except OSError:
            pass  # it has died: its reader will tell

    def _hire(self) -> Worker:
        environment = {**os.environ, "PRINCEPS_WORKER": str(len(self.workers))}
        arguments: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "env": environment}
        with tempfile.TemporaryFile() as shared:
            at = None
            if os.name == "posix":
                shared.truncate(NUMBER.size)
                at = mmap.mmap(shared.fileno(), NUMBER.size)
                arguments["pass_fds"] = (shared.fileno(),)
                environment["PRINCEPS_AT"] = str(shared.fileno())
            process = subprocess.Popen(
                [sys.executable, "-m", "princeps.campaign.worker"],
                **arguments,
                start_new_session=True,  # Ctrl-C is for the supervisor, which then dismisses the workers
            )
        worker = Worker(process, at)
        self.workers.append(worker)
        worker.reader = threading.Thread(target=self._read, args=(worker,), daemon=True)
        worker.reader.start()
        return worker

    def _read(self, worker: Worker) -> None:
        """In a thread of its own: every answer, and None when there will be no more."""
        assert worker.process.stdout is not None
        with worker.process.stdout as answers:
            try:
                while (item := receive(answers)) is not None:
                    self.news.put((worker, item))
            except Exception:
                worker.process.kill()  # it was torn from its sentence, or speaks another language
            finally:
                self.news.put((worker, None))

    def _take(self, worker: Worker, item: Any, found: list[Answer]) -> None:
        if worker not in self.workers:
            return
        if item is not None:
            found += [_settle(worker, answer) for answer in item]
            return
        self.workers.remove(worker)
        worker.process.kill()
        code = worker.process.wait()
        if worker.process.stdin is not None:
            with suppress(OSError):
                worker.process.stdin.close()
        if worker.batches:
            self._blame(worker, code, found)

    def _blame(self, worker: Worker, code: int, found: list[Answer]) -> None:
        batch = worker.batches[0]
        (number,) = NUMBER.unpack(worker.at) if worker.at is not None else (0,)
        culprit = next((one for one in worker.batches if number - 1 in one.trials), batch)
        trial = number - 1 if number - 1 in culprit.trials else culprit.trials[0]
        by_anybody = code == KILLED and not worker.has_answered
        place = (culprit.key, trial)
        self.blame[place] = self.blame.get(place, 0) + (THIRD if by_anybody else WHOLE)
        if self.blame[place] >= DEATHS_ALLOWED * WHOLE:
            culprit.trials.remove(trial)
            text = f"trial {trial} killed {DEATHS_ALLOWED} workers: run it alone with --trial {trial}."
            found.append(Answer(culprit.key, trial, WorkerLost(text)))
        elif not by_anybody:  # at once, and alone
            culprit.trials.remove(trial)
            self.suspects.append(Batch(culprit.key, culprit.what, deque([trial])))
        self.returned.extend(batch for batch in worker.batches if batch.trials)


def _settle(worker: Worker, item: tuple[int, Any, float]) -> Answer:
    trial, outcome, seconds = item
    batch = worker.batches[0]
    batch.trials.remove(trial)
    if not batch.trials:
        worker.batches.popleft()
    worker.has_answered = True
    return Answer(batch.key, trial, outcome, seconds)


# -- the language between them: a length, then a pickle ---------------------------------------------------------------


def send(pipe: IO[bytes], item: Any) -> None:
    packed = pickle.dumps(item, pickle.HIGHEST_PROTOCOL)
    pipe.write(struct.pack(">I", len(packed)) + packed)
    pipe.flush()


def receive(pipe: IO[bytes]) -> Any:
    """The next item; None at the end, also if it comes in the middle of one."""
    head = pipe.read(4)
    if len(head) < 4:
        return None
    (length,) = struct.unpack(">I", head)
    packed = pipe.read(length)
    return pickle.loads(packed) if len(packed) == length else None
