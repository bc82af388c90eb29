"""A worker process: batches of trials come in, answers go out, until the input ends.

Answers are sent when a batch is done, and twenty times a second: sent one by one they would cost more than short
trials take, and kept to the end of a batch they would wait for a long one.
"""

from __future__ import annotations

import mmap
import os
import queue
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any

from princeps.campaign.crew import NUMBER, receive, send
from princeps.campaign.tasks import Trials
from princeps.errors import PrincepsError

SECONDS = 0.05


def serve(questions: IO[bytes], answers: IO[bytes], announce: Callable[[int], None] = lambda trial: None) -> None:
    batches: queue.SimpleQueue[tuple[Trials, list[int]]] = queue.SimpleQueue()
    outbox = Outbox(answers)
    threading.Thread(target=_listen, args=(questions, batches.put), daemon=True).start()
    threading.Thread(target=outbox.post, daemon=True).start()
    while True:
        what, trials = batches.get()
        for answer in answered(what, trials, announce):
            outbox.add(answer)
        outbox.empty()


def answered(
    what: Trials, trials: Sequence[int], announce: Callable[[int], None] = lambda trial: None
) -> Iterator[tuple[int, Any, float]]:
    """Each trial with its result, or with the sentence that says why there is none; and the seconds it took."""
    repeat: Callable[[int], Any] | None = None
    for trial in trials:
        announce(trial)
        began = time.perf_counter()
        try:
            repeat = repeat or what.repeater()
            outcome = repeat(trial)
        except PrincepsError as error:
            outcome = PrincepsError(str(error))  # its sentence is all that matters, and can be sent
        except MemoryError:
            outcome = PrincepsError(f"the memory is full at n = {what.size}: lower -n, or --jobs.")
        except (Exception, SystemExit) as error:
            outcome = PrincepsError(f"trial {trial} of {what.name} failed: {_place(error)}.")
        yield trial, outcome, time.perf_counter() - began


def _place(error: BaseException) -> str:
    """What a user's own file did, and where."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f", {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}: {error}{where}" if str(error) else f"{type(error).__name__}{where}"


def announcer() -> Callable[[int], None]:
    """Writes the number of a trial where the supervisor finds it if this process dies."""
    shared = os.environ.get("PRINCEPS_AT")
    if shared is None:
        return lambda trial: None
    place = mmap.mmap(int(shared), NUMBER.size)
    return lambda trial: NUMBER.pack_into(place, 0, trial + 1)


class Outbox:
    def __init__(self, pipe: IO[bytes]) -> None:
        self.pipe = pipe
        self.waiting: deque[tuple[int, Any, float]] = deque()
        self.filled = threading.Event()
        self.sending = threading.Lock()

    def add(self, answer: tuple[int, Any, float]) -> None:
        self.waiting.append(answer)
        if not self.filled.is_set():
            self.filled.set()

    def empty(self) -> None:
        with self.sending:
            out = [self.waiting.popleft() for _ in range(len(self.waiting))]  # others may be added meanwhile
            if out:
                send(self.pipe, out)

    def post(self) -> None:
        try:
            while self.filled.wait():
                time.sleep(SECONDS)
                self.filled.clear()
                self.empty()
        except OSError:  # nobody reads any more
            os._exit(0)


def _listen(questions: IO[bytes], put: Callable[[Any], None]) -> None:
    """When the supervisor is gone nobody waits for the answers: end at once, in the middle of a trial too."""
    try:
        while (item := receive(questions)) is not None:
            put(item)
    finally:
        os._exit(0)


if __name__ == "__main__":
    from princeps.model import machine

    machine.is_own_process = True
    with os.fdopen(os.dup(1), "wb") as own:
        os.dup2(2, 1)  # what a user's file prints must not come between the answers
        try:
            serve(sys.stdin.buffer, own, announcer())
        except BrokenPipeError:
            os._exit(0)
