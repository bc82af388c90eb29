"""Many machines: the same batches, handed to a running Dask cluster. The only file that knows Dask.

Dask itself notices a worker that dies and hands its batch to another one; it gives up on a batch that killed three.
Results come to the client, which alone writes to the store.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from princeps import __version__
from princeps.engines.crew import Answer
from princeps.engines.worker import answered
from princeps.errors import PrincepsError, RunError, WorkerLost

WAIT = "15s"
COUNT_SECONDS = 2.0
NOBODY_SECONDS = 60.0  # that a cluster may be without workers
_one_at_a_time = threading.Lock()  # the threads of a Dask worker share the compiled engines


def run_batch(description: Mapping[str, Any], trials: Sequence[int], version: str) -> list[tuple[int, Any, float]]:
    """On a worker of the cluster."""
    if version != __version__:
        sentence = f"a worker of the cluster has princeps {__version__}, this is {version}: install the same on both."
        return [(trial, PrincepsError(sentence), 0.0) for trial in trials]
    with _one_at_a_time:
        return list(answered(description, trials))


class Cluster:
    """A Dask cluster, used like a crew of local processes."""

    def __init__(self, address: str) -> None:
        try:
            from dask.distributed import Client
        except ImportError:
            raise RunError("--cluster needs Dask: pip install 'princeps[cluster]'.") from None
        try:
            connect: Any = Client  # which its package does not describe to type checkers
            self.client = connect(address, timeout=WAIT, set_as_default=False)
            self.client.wait_for_workers(1, timeout=15)
        except (OSError, ValueError, TimeoutError) as error:
            raise RunError(
                f"no Dask cluster answers at {address!r} ({str(error) or type(error).__name__}): start one with "
                f"`dask scheduler` and `dask worker {address}`."
            ) from None
        self._threads, self._counted, self._last_seen = 1, -COUNT_SECONDS, time.monotonic()
        self.lent: dict[Any, tuple[Any, list[int]]] = {}  # by future
        self.news: queue.SimpleQueue[Any] = queue.SimpleQueue()

    @property
    def size(self) -> int:
        """Threads of all workers, which come and go: asked for once in a while."""
        now = time.monotonic()
        if now - self._counted > COUNT_SECONDS:
            self._threads, self._counted = sum(self.client.nthreads().values()), now
            self._last_seen = now if self._threads else self._last_seen
            if now - self._last_seen > NOBODY_SECONDS:
                raise RunError(
                    f"the cluster has had no workers for {NOBODY_SECONDS:.0f} s: start some with `dask worker`, then run "
                    f"the same command again."
                )
        return max(1, self._threads)

    def room(self, ahead: int = 1) -> bool:
        return len(self.lent) < ahead * self.size

    @property
    def busy(self) -> bool:
        return bool(self.lent)

    def lease(self, key: Any, description: Mapping[str, Any], trials: Sequence[int]) -> None:
        future: Any = self.client.submit(run_batch, dict(description), list(trials), __version__, pure=False)
        self.lent[future] = key, list(trials)
        future.add_done_callback(self.news.put)

    def answers(self, patience: float) -> list[Answer]:
        found: list[Answer] = []
        try:
            future = self.news.get(timeout=patience)
            while True:
                found += self._outcome(future)
                future = self.news.get_nowait()
        except queue.Empty:
            pass
        if not found and self.client.status not in ("running", "connecting"):
            raise RunError("the Dask scheduler has gone: start it, then run the same command again.")
        return found

    def withdraw(self, key: Any) -> int:
        """What is under way under this key is cancelled; returns how many trials that were."""
        dropped = [future for future, (owner, _) in self.lent.items() if owner is key]
        for future in dropped:
            future.cancel()
        return sum(len(self.lent.pop(future)[1]) for future in dropped)

    def dismiss(self) -> list[Answer]:
        """What is under way is cancelled."""
        found: list[Answer] = []
        while not self.news.empty():
            found += self._outcome(self.news.get())
        for future in self.lent:
            future.cancel()
        self.lent.clear()
        self.client.close()
        return found

    def _outcome(self, future: Any) -> list[Answer]:
        if future not in self.lent:
            return []
        key, trials = self.lent.pop(future)
        try:
            outcomes = future.result()
        except Exception as error:
            name = type(error).__name__
            sentence = (
                f"trials {trials[0]}..{trials[-1]} killed the cluster's workers: run one alone with --trial."
                if name == "KilledWorker"
                else f"the cluster failed at trials {trials[0]}..{trials[-1]} ({name}: {error})."
            )
            outcomes = [(trial, WorkerLost(sentence), 0.0) for trial in trials]
        return [Answer(key, *outcome) for outcome in outcomes]
