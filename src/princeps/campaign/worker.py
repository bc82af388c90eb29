"""A worker process: reads batches of trials and writes answers until its input ends.

Answers are sent when a batch is done, and twenty times a second: sending each of them alone would take longer than
short trials do, and sending them only at the end of a batch would delay them while a long trial runs.
"""

from __future__ import annotations

import mmap
import os
import queue
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any, NoReturn

from princeps.campaign.pipes import TRIAL_NUMBER, receive, send
from princeps.campaign.tasks import Trials
from princeps.campaign.worker_path import extend_path
from princeps.errors import InternalError, PrincepsError
from princeps.model.announcing import leave_to_others
from princeps.model.crash_report import crash_report
from princeps.model.interruptions import ending_in_words, is_interruption
from princeps.wording import on_the_command_line

SEND_SECONDS = 0.05
FAULT = 70  # the exit code of a fault of ours


def serve(requests: IO[bytes], answers: IO[bytes], announce: Callable[[int], None] = lambda trial: None) -> None:
    batches: queue.SimpleQueue[tuple[Trials, list[int]]] = queue.SimpleQueue()
    outbox = Outbox(answers)
    threading.Thread(target=_listen, args=(requests, batches.put), daemon=True).start()
    threading.Thread(target=outbox.send_regularly, daemon=True).start()
    leave_to_others()
    while True:
        what, trials = batches.get()
        with on_the_command_line():  # whoever shows what is wrong rewords it
            for answer in answered(what, trials, announce):
                outbox.add(answer)
        outbox.send_all()


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
            outcome = PrincepsError(what.in_words(error))  # the sentence alone: the error itself may not be picklable
        except MemoryError:
            outcome = PrincepsError(f"the memory is full at n = {what.size}: lower -n, or --jobs.")
        except BaseException as error:
            if is_interruption(error):
                raise
            found = ending_in_words(error) or crash_report(error)
            kind = InternalError if isinstance(found, InternalError) else PrincepsError
            outcome = kind(f"trial {trial} of {what.name} failed: {found}")
        yield trial, outcome, time.perf_counter() - began


def announcer() -> Callable[[int], None]:
    """Writes the number of a trial into shared memory, where the supervisor reads it if this process dies."""
    shared = os.environ.get("PRINCEPS_CURRENT_TRIAL")
    if shared is None:
        return lambda trial: None
    memory = mmap.mmap(int(shared), TRIAL_NUMBER.size)
    return lambda trial: TRIAL_NUMBER.pack_into(memory, 0, trial + 1)


class Outbox:
    """Answers that wait to be sent, by a thread that sends them all every SEND_SECONDS."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self.pipe = pipe
        self.waiting: deque[tuple[int, Any, float]] = deque()
        self.filled = threading.Event()
        self.sending = threading.Lock()

    def add(self, answer: tuple[int, Any, float]) -> None:
        self.waiting.append(answer)
        if not self.filled.is_set():
            self.filled.set()

    def send_all(self) -> None:
        with self.sending:
            out = [self.waiting.popleft() for _ in range(len(self.waiting))]  # others may be added meanwhile
            if out:
                send(self.pipe, out)

    def send_regularly(self) -> None:
        try:
            while self.filled.wait():
                time.sleep(SEND_SECONDS)
                self.filled.clear()
                self.send_all()
        except OSError:  # nobody reads any more
            os._exit(0)


def _listen(requests: IO[bytes], put: Callable[[Any], None]) -> None:
    """When the supervisor has ended nobody waits for the answers: end at once, also in the middle of a trial."""
    try:
        while (item := receive(requests)) is not None:
            put(item)
    finally:
        os._exit(0)


def _end(error: BaseException | None) -> NoReturn:
    """At once, whichever thread calls it; without a word where the supervisor has ended, or ended us."""
    if error is None or isinstance(error, BrokenPipeError) or is_interruption(error):
        os._exit(0)
    os.write(2, f"princeps: {crash_report(error)}\n".encode(errors="backslashreplace"))
    os._exit(FAULT)


if __name__ == "__main__":
    from princeps.model import machine

    extend_path()
    machine.is_own_process = True
    machine.compiles_in_memory = "PRINCEPS_IN_MEMORY" in os.environ
    with os.fdopen(os.dup(1), "wb") as own:
        try:
            os.dup2(2, 1)  # what a user's file prints must not come between the answers
        except OSError:  # there is no stderr
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        threading.excepthook = lambda what: _end(what.exc_value)
        try:
            serve(sys.stdin.buffer, own, announcer())
        except BaseException as error:
            _end(error)
