"""A worker process: batches of trials come in, answers go out one by one, until the input ends."""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Callable, Mapping
from typing import IO, Any

from princeps.engines.crew import portable, receive, send
from princeps.engines.trials import one_trial
from princeps.errors import PrincepsError


def serve(questions: IO[bytes], answers: IO[bytes]) -> None:
    batches: queue.SimpleQueue[tuple[Mapping[str, Any], list[int]]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(questions, batches.put), daemon=True).start()
    while True:
        description, trials = batches.get()
        for trial in trials:
            try:
                outcome: Any = one_trial(description, trial)
            except PrincepsError as error:
                outcome = portable(error)
            except MemoryError:
                outcome = PrincepsError(f"the memory is full at n = {description.get('n')}: lower -n, or --jobs.")
            send(answers, (trial, outcome))


def _listen(questions: IO[bytes], put: Callable[[Any], None]) -> None:
    """When the supervisor is gone nobody waits for the answers: end at once, in the middle of a trial too."""
    try:
        while (item := receive(questions)) is not None:
            put(item)
    finally:
        os._exit(0)


if __name__ == "__main__":
    from princeps.lowering import cache

    cache.without_blas = True
    with os.fdopen(os.dup(1), "wb") as own:
        os.dup2(2, 1)  # what a user's file prints must not come between the answers
        try:
            serve(sys.stdin.buffer, own)
        except BrokenPipeError:
            os._exit(0)
