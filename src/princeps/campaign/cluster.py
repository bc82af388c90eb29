"""Trials on a running Dask cluster, in the same batches as on local workers. The only file that imports Dask.

Dask notices a worker that dies and assigns its batch to another one; after three deaths it gives the batch up. Results
are sent to the client, which alone writes to the store.
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
from princeps.campaign.tasks import Trials
from princeps.campaign.worker import answered
from princeps.campaign.worker_pool import Answer, Batch
from princeps.errors import PrincepsError, RunError, WorkerLost

DASK_LOGGERS = tuple(f"distributed.{part}" for part in ("client", "utils", "comm", "core", "batched"))
SCHEDULER_GONE = "the Dask scheduler has gone: start it, then run the same command again; what had come back is kept."
CONNECT_SECONDS = 15
COUNT_SECONDS = 2.0
NO_WORKERS_SECONDS = 60.0  # that a cluster may be without workers
_one_at_a_time = threading.Lock()  # the threads of a Dask worker share the compiled engines


def run_batch(what: Trials, trials: Sequence[int], version: str) -> list[tuple[int, Any, float]]:
    """On a worker of the cluster."""
    if version != __version__:
        sentence = f"a worker of the cluster has princeps {__version__}, this is {version}: install the same on both."
        return [(trial, PrincepsError(sentence), 0.0) for trial in trials]
    with _one_at_a_time:
        return list(answered(what, trials))


class Cluster:
    """A Dask cluster, used like a pool of local processes."""

    def __init__(self, address: str) -> None:
        try:
            from dask.distributed import Client
        except ImportError:
            raise RunError("--cluster needs Dask: pip install 'princeps[cluster]'.") from None
        for name in DASK_LOGGERS:  # what a user must know is said by our own sentences
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            if not re.fullmatch(r"(tcp|tls|ws|wss|ucx|inproc)://.+", address):
                raise ValueError("write it like tcp://host:8786")
            connect: Any = Client  # which its package does not describe to type checkers
            self.client = connect(address, timeout=CONNECT_SECONDS, set_as_default=False)
            self.client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except (OSError, ValueError, TimeoutError) as error:
            raise RunError(
                f"no Dask cluster answers at {address!r} ({str(error) or type(error).__name__}): start one with "
                f"`dask scheduler` and `dask worker {address}`."
            ) from None
        self._threads, self._counted, self._last_seen = 1, -COUNT_SECONDS, time.monotonic()
        self.assigned: dict[Any, Batch] = {}  # by future
        self.suspects: deque[Batch] = deque()  # single trials that Dask gave up on
        self.scheduler_gone = False
        self.tried: set[tuple[Any, int]] = set()  # trials that were run alone
        self.done_futures: queue.SimpleQueue[Any] = queue.SimpleQueue()

    @property
    def size(self) -> int:
        """Threads of all workers, which may change: asked for every COUNT_SECONDS."""
        now = time.monotonic()
        if now - self._counted > COUNT_SECONDS:
            try:
                self._threads, self._counted = sum(self.client.nthreads().values()), now
            except (OSError, TimeoutError, ValueError):
                raise RunError(SCHEDULER_GONE) from None
            self._last_seen = now if self._threads else self._last_seen
            if now - self._last_seen > NO_WORKERS_SECONDS:
                raise RunError(
                    f"the cluster has had no workers for {NO_WORKERS_SECONDS:.0f} s: start some with `dask worker`, then run "
                    f"the same command again."
                )
        return max(1, self._threads)

    def has_room(self, ahead: int = 1) -> bool:
        return len(self.assigned) < ahead * self.size

    @property
    def busy(self) -> bool:
        return bool(self.assigned or self.suspects)

    def assign(self, key: Any, what: Trials, trials: Sequence[int]) -> None:
        try:
            future: Any = self.client.submit(run_batch, what, list(trials), __version__, pure=False)
        except (OSError, RuntimeError):
            raise RunError(SCHEDULER_GONE) from None
        self.assigned[future] = Batch(key, what, deque(trials))
        future.add_done_callback(self.done_futures.put)

    def answers(self, timeout: float) -> list[Answer]:
        if self.suspects and not self.assigned:  # alone, so that no other trial can be the cause
            suspect = self.suspects.popleft()
            self.assign(suspect.key, suspect.what, suspect.trials)
        if self.scheduler_gone:
            raise RunError(SCHEDULER_GONE)
        found: list[Answer] = []
        try:
            future = self.done_futures.get(timeout=timeout)
            while True:
                found += self._outcome(future)
                future = self.done_futures.get_nowait()
        except queue.Empty:
            pass
        if self.client.status not in ("running", "connecting"):
            self.scheduler_gone = True  # raised by the next call: this one still returns its answers
        return found

    def cancel(self, key: Any) -> int:
        """Cancel all trials of this key; returns their number."""
        cancelled = [future for future, batch in self.assigned.items() if batch.key is key]
        for future in cancelled:
            future.cancel()
        dropped = [self.assigned.pop(future) for future in cancelled]
        dropped += [batch for batch in self.suspects if batch.key is key]
        self.suspects = deque(batch for batch in self.suspects if batch.key is not key)
        return sum(len(batch.trials) for batch in dropped)

    def stop(self) -> list[Answer]:
        """Cancel everything; returns the answers that had already arrived."""
        found: list[Answer] = []
        while not self.done_futures.empty():
            found += self._outcome(self.done_futures.get())
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
            self.scheduler_gone = True
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
