"""A pool of worker processes that run trials in batches.

Each worker is a separate interpreter that is assigned small batches of trials and answers as they are finished, so that
little is lost if it dies. Trials that a dead worker had not answered are assigned again, with the same seeds. The trial
it was running (its number is in eight bytes of shared memory) is held responsible for the death and is run again at
once, alone; after three deaths it is given up. A worker that is killed (SIGKILL) before its first answer may have been
killed from outside while it was starting: that counts as a third of a death, and its trials are assigned again after
everything else.

Threads read the answers, because not every system can wait for several pipes at once.
"""

from __future__ import annotations

import mmap
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import IO, Any

from princeps.campaign import worker_path
from princeps.campaign.pipes import TRIAL_NUMBER, receive, send
from princeps.campaign.tasks import Trials
from princeps.errors import WorkerLost
from princeps.model import machine

DEATHS_ALLOWED = 3
DEATH, POSSIBLE_DEATH = 3, 1  # in thirds of a death
KILLED = -getattr(signal, "SIGKILL", 9)
BATCH_SECONDS = 0.25  # of work in a batch: little is lost with it, and sending it takes far less time
LARGEST_BATCH = 1000
READ_TIMEOUT = 5.0  # seconds to read what is left in the pipes at the end
SHORT_TRIAL_SECONDS = 0.05  # if trials are shorter, a worker is assigned its next batch before it has finished one


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
    current_trial: mmap.mmap | None  # the number of the trial that it is running, plus one; only on POSIX systems
    batches: deque[Batch] = field(default_factory=deque)
    has_answered: bool = False
    reader: threading.Thread | None = None


class BatchSizes:
    """How many trials a batch has, estimated from how long earlier trials took."""

    def __init__(self, trials: int = 0, seconds: float = 0.0) -> None:
        self.trials, self.seconds = trials, seconds

    def note(self, seconds: float) -> None:
        self.trials += 1
        self.seconds += seconds

    @property
    def mean(self) -> float | None:
        return self.seconds / self.trials if self.trials else None

    def batch_size(self, left: int, workers: int) -> int:
        """At first one trial; towards the end few enough that all workers finish at about the same time."""
        if self.mean is None:
            return 1
        share = -(-left // (2 * workers))
        return max(1, min(int(BATCH_SECONDS / max(self.mean, 1e-9)), 8 * self.trials, share, LARGEST_BATCH))

    @property
    def ahead(self) -> int:
        """Batches that a worker may hold: with a second one it never waits, but long trials are better left to others."""
        return 2 if self.mean is None or self.mean < SHORT_TRIAL_SECONDS else 1


class WorkerPool:
    """Local processes: `assign` sends them trials, `answers` returns their results."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.workers: list[Worker] = []
        self.suspects: deque[Batch] = deque()  # single trials at which a worker died: run again before new ones
        self.returned: deque[Batch] = deque()  # the other trials of such workers
        self.deaths: dict[tuple[Any, int], int] = {}  # of workers, by key and trial; in thirds
        self.has_started = False
        self.messages: queue.SimpleQueue[tuple[Worker, Any]] = queue.SimpleQueue()

    def has_room(self, ahead: int = 1) -> bool:
        """Some worker holds fewer than `ahead` batches."""
        return not self.suspects and self._has_free_worker(ahead)

    def _has_free_worker(self, ahead: int) -> bool:
        return len(self.workers) < self.size or any(len(worker.batches) < ahead for worker in self.workers)

    @property
    def busy(self) -> bool:
        return bool(self.suspects or self.returned) or any(worker.batches for worker in self.workers)

    def assign(self, key: Any, what: Trials, trials: Iterable[int]) -> None:
        self._assign(Batch(key, what, deque(trials)))

    def answers(self, timeout: float) -> list[Answer]:
        """The answers that have arrived; waits at most `timeout` seconds for the first."""
        for waiting in (self.suspects, self.returned):
            while waiting and self._has_free_worker(1):
                self._assign(waiting.popleft())
        found: list[Answer] = []
        try:
            item = self.messages.get(timeout=timeout)  # on some systems a wait without timeout ignores Ctrl-C
            while True:
                self._process(*item, found)
                item = self.messages.get_nowait()
        except queue.Empty:
            return found

    def stop(self) -> list[Answer]:
        """End all workers at once; returns the answers that they had already sent."""
        found: list[Answer] = []
        workers, self.workers = self.workers, []
        for worker in workers:
            worker.process.kill()
            worker.process.wait()
            if worker.reader is not None:
                worker.reader.join(timeout=READ_TIMEOUT)  # what was in the pipe already
        while not self.messages.empty():
            worker, item = self.messages.get()
            found += [_answer_of(worker, answer) for answer in item or ()]
        self.suspects.clear()
        self.returned.clear()
        return found

    def cancel(self, key: Any) -> int:
        """Drop the trials of this key that wait to be assigned again; returns their number."""
        waiting = [*self.suspects, *self.returned]
        self.suspects = deque(batch for batch in self.suspects if batch.key is not key)
        self.returned = deque(batch for batch in self.returned if batch.key is not key)
        return sum(len(batch.trials) for batch in waiting if batch.key is key)

    # -- one worker ---------------------------------------------------------------------------------------------

    def _assign(self, batch: Batch) -> None:
        worker = min(self.workers, key=lambda worker: len(worker.batches), default=None)
        if worker is None or (worker.batches and len(self.workers) < self.size):
            worker = self._start_worker()
        worker.batches.append(batch)
        try:
            assert worker.process.stdin is not None
            send(worker.process.stdin, (batch.what, list(batch.trials)))
        except OSError:
            pass  # it has died: its reader notices

    def _start_worker(self) -> Worker:
        environment = {**os.environ, "PRINCEPS_WORKER": str(len(self.workers))}
        environment[worker_path.VARIABLE] = worker_path.search_path()
        if machine.compiles_in_memory or self.has_started:  # one process says it for all
            environment["PRINCEPS_IN_MEMORY"] = "said"
        self.has_started = True
        arguments: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "env": environment}
        with _shared_file() as shared:
            current_trial = None
            if shared is not None:
                shared.truncate(TRIAL_NUMBER.size)
                current_trial = mmap.mmap(shared.fileno(), TRIAL_NUMBER.size)
                arguments["pass_fds"] = (shared.fileno(),)
                environment["PRINCEPS_CURRENT_TRIAL"] = str(shared.fileno())
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "princeps.campaign.worker"],  # a file token.py here is not Python's own
                **arguments,
                start_new_session=True,  # Ctrl-C is for the supervisor, which then stops the workers
            )
        worker = Worker(process, current_trial)
        self.workers.append(worker)
        worker.reader = threading.Thread(target=self._read, args=(worker,), daemon=True)
        worker.reader.start()
        return worker

    def _read(self, worker: Worker) -> None:
        """In a thread of its own: puts every answer into the queue, and None at the end."""
        assert worker.process.stdout is not None
        with worker.process.stdout as answers:
            try:
                while (item := receive(answers)) is not None:
                    self.messages.put((worker, item))
            except Exception:
                worker.process.kill()  # a pickle was cut off, or is none of ours
            finally:
                self.messages.put((worker, None))

    def _process(self, worker: Worker, item: Any, found: list[Answer]) -> None:
        if worker not in self.workers:
            return
        if item is not None:
            found += [_answer_of(worker, answer) for answer in item]
            return
        self.workers.remove(worker)
        worker.process.kill()
        code = worker.process.wait()
        if worker.process.stdin is not None:
            with suppress(OSError):
                worker.process.stdin.close()
        if worker.batches:
            self._reassign(worker, code, found)

    def _reassign(self, worker: Worker, code: int, found: list[Answer]) -> None:
        """The trials of a dead worker; the one that it was running is counted as the cause of the death."""
        batch = worker.batches[0]
        (number,) = TRIAL_NUMBER.unpack(worker.current_trial) if worker.current_trial is not None else (0,)
        culprit = next((one for one in worker.batches if number - 1 in one.trials), batch)
        trial = number - 1 if number - 1 in culprit.trials else culprit.trials[0]
        from_outside = code == KILLED and not worker.has_answered
        place = (culprit.key, trial)
        self.deaths[place] = self.deaths.get(place, 0) + (POSSIBLE_DEATH if from_outside else DEATH)
        if self.deaths[place] >= DEATHS_ALLOWED * DEATH:
            culprit.trials.remove(trial)
            text = f"trial {trial} killed {DEATHS_ALLOWED} workers: run it alone with --trial {trial}."
            found.append(Answer(culprit.key, trial, WorkerLost(text)))
        elif not from_outside:  # at once, and alone
            culprit.trials.remove(trial)
            self.suspects.append(Batch(culprit.key, culprit.what, deque([trial])))
        self.returned.extend(batch for batch in worker.batches if batch.trials)


def _shared_file() -> AbstractContextManager[IO[bytes] | None]:
    """For the eight bytes that a worker shares: without a name, in memory if possible, since no folder may be writable."""
    if os.name == "posix":
        for make in (_in_memory, tempfile.TemporaryFile):
            with suppress(OSError, AttributeError):
                return make()
    return nullcontext()


def _in_memory() -> IO[bytes]:
    return os.fdopen(os.memfd_create("princeps"), "w+b")


def _answer_of(worker: Worker, item: tuple[int, Any, float]) -> Answer:
    trial, outcome, seconds = item
    batch = worker.batches[0]
    batch.trials.remove(trial)
    if not batch.trials:
        worker.batches.popleft()
    worker.has_answered = True
    return Answer(batch.key, trial, outcome, seconds)
