"""Many machines: the same batches, handed to a running Dask cluster. The only file that knows Dask.

Dask itself notices a worker that dies and hands its batch to another one; it gives up on a batch that killed three.
Results come to the client, which alone writes to the store.
"""

from __future__ import annotations

import logging
import queue
import re
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from princeps import __version__
from princeps.campaign.crew import Answer, Batch
from princeps.campaign.tasks import Trials
from princeps.campaign.worker import answered
from princeps.errors import PrincepsError, RunError, WorkerLost

CHATTER = tuple(f"distributed.{part}" for part in ("client", "utils", "comm", "core", "batched"))
GONE = "the Dask scheduler has gone: start it, then run the same command again; what had come back is kept."
WAIT = "15s"
COUNT_SECONDS = 2.0
NOBODY_SECONDS = 60.0  # that a cluster may be without workers
_one_at_a_time = threading.Lock()  # the threads of a Dask worker share the compiled engines


def run_batch(what: Trials, trials: Sequence[int], version: str) -> list[tuple[int, Any, float]]:
    """On a worker of the cluster."""
    if version != __version__:
        sentence = f"a worker of the cluster has princeps {__version__}, this is {version}: install the same on both."
        return [(trial, PrincepsError(sentence), 0.0) for trial in trials]
    with _one_at_a_time:
        return list(answered(what, trials))


class Cluster:
    """A Dask cluster, used like a crew of local processes."""

    def __init__(self, address: str) -> None:
        try:
            from dask.distributed import Client
        except ImportError:
            raise RunError("--cluster needs Dask: pip install 'princeps[cluster]'.") from None
        for name in CHATTER:  # what concerns us we say ourselves, in a sentence
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            if not re.fullmatch(r"(tcp|tls|ws|wss|ucx|inproc)://.+", address):
                raise ValueError("write it like tcp://host:8786")
            connect: Any = Client  # which its package does not describe to type checkers
            self.client = connect(address, timeout=WAIT, set_as_default=False)
            self.client.wait_for_workers(1, timeout=15)
        except (OSError, ValueError, TimeoutError) as error:
            raise RunError(
                f"no Dask cluster answers at {address!r} ({str(error) or type(error).__name__}): start one with "
                f"`dask scheduler` and `dask worker {address}`."
            ) from None
        self._threads, self._counted, self._last_seen = 1, -COUNT_SECONDS, time.monotonic()
        self.assigned: dict[Any, Batch] = {}  # by future
        self.suspects: deque[Batch] = deque()  # single trials that Dask gave up on
        self.gone = False  # the scheduler
        self.tried: set[tuple[Any, int]] = set()  # alone
        self.news: queue.SimpleQueue[Any] = queue.SimpleQueue()

    @property
    def size(self) -> int:
        """Threads of all workers, which come and go: asked for once in a while."""
        now = time.monotonic()
        if now - self._counted > COUNT_SECONDS:
            try:
                self._threads, self._counted = sum(self.client.nthreads().values()), now
            except (OSError, TimeoutError, ValueError):
                raise RunError(GONE) from None
            self._last_seen = now if self._threads else self._last_seen
            if now - self._last_seen > NOBODY_SECONDS:
                raise RunError(
                    f"the cluster has had no workers for {NOBODY_SECONDS:.0f} s: start some with `dask worker`, then run "
                    f"the same command again."
                )
        return max(1, self._threads)

    def room(self, ahead: int = 1) -> bool:
        return len(self.assigned) < ahead * self.size

    @property
    def busy(self) -> bool:
        return bool(self.assigned or self.suspects)

    def assign(self, key: Any, what: Trials, trials: Sequence[int]) -> None:
        try:
            future: Any = self.client.submit(run_batch, what, list(trials), __version__, pure=False)
        except (OSError, RuntimeError):
            raise RunError(GONE) from None
        self.assigned[future] = Batch(key, what, deque(trials))
        future.add_done_callback(self.news.put)

    def answers(self, patience: float) -> list[Answer]:
        if self.suspects and not self.assigned:  # alone, so that nobody else can be blamed
            suspect = self.suspects.popleft()
            self.assign(suspect.key, suspect.what, suspect.trials)
        if self.gone:
            raise RunError(GONE)
        found: list[Answer] = []
        try:
            future = self.news.get(timeout=patience)
            while True:
                found += self._outcome(future)
                future = self.news.get_nowait()
        except queue.Empty:
            pass
        if self.client.status not in ("running", "connecting"):
            self.gone = True  # told at the next call: what came with the bad news is not lost
        return found

    def withdraw(self, key: Any) -> int:
        """What is under way or waits under this key is cancelled; returns how many trials that were."""
        cancelled = [future for future, batch in self.assigned.items() if batch.key is key]
        for future in cancelled:
            future.cancel()
        dropped = [self.assigned.pop(future) for future in cancelled]
        dropped += [batch for batch in self.suspects if batch.key is key]
        self.suspects = deque(batch for batch in self.suspects if batch.key is not key)
        return sum(len(batch.trials) for batch in dropped)

    def dismiss(self) -> list[Answer]:
        """What is under way is cancelled."""
        found: list[Answer] = []
        while not self.news.empty():
            found += self._outcome(self.news.get())
        with suppress(OSError, RuntimeError):
            for future in self.assigned:
                future.cancel()
        self.assigned.clear()
        self.suspects.clear()
        with suppress(OSError, TimeoutError):
            self.client.close()
        return found

    def _outcome(self, future: Any) -> list[Answer]:
        """A batch that Dask gave up may have died with another one: its trials are tried once more, each alone."""
        if future not in self.assigned:
            return []
        batch = self.assigned.pop(future)
        try:
            return [Answer(batch.key, *answer) for answer in future.result()]
        except Exception as error:
            name, text = type(error).__name__, str(error)
        if name in ("CancelledError", "FutureCancelledError") or self.client.status != "running":
            self.gone = True
            return []
        if name == "KilledWorker" and (batch.key, batch.trials[0]) not in self.tried:
            for trial in batch.trials:
                self.tried.add((batch.key, trial))
                self.suspects.append(Batch(batch.key, batch.what, deque([trial])))
            return []
        what = f"trial {batch.trials[0]} killed the cluster's workers: run it alone with --trial {batch.trials[0]}."
        if name != "KilledWorker":
            what = f"the cluster failed at trial {batch.trials[0]} ({name}: {text})."
        return [Answer(batch.key, trial, WorkerLost(what)) for trial in batch.trials]
