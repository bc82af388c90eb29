"""Ctrl-C for commands that serve a page: nobody else ends them, and they must end soon."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Sequence

from fuzz.inputs import Trouble, wrong
from fuzz.output import Output

ADDRESS = "http://"
WITHOUT_ADDRESS = 6.0  # seconds of computing after which one that has printed none is interrupted as well
WAITING = 60.0  # seconds of the clock for the same
ENDING = 4.0  # seconds of computing and of the clock that the end may take; a busy machine makes the clock alone longer
LOOKING = 0.005


def serves(words: Sequence[str]) -> bool:
    return bool(words) and (words[0] == "watch" or "--watch" in words) and "--help" not in words


class Interruption:
    """Around a call: one SIGINT, as soon as the address is printed. What was said until then is kept apart, so that
    waiting afterwards is waiting without a word."""

    def __init__(self) -> None:
        self.sent_at: tuple[float, float] | None = None
        self.said = ""
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Interruption:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        computed, waited = time.process_time() + WITHOUT_ADDRESS, time.monotonic() + WAITING
        while not self._over.wait(LOOKING):
            out, err = Output.current.written()
            if ADDRESS in out or time.process_time() > computed or time.monotonic() > waited:
                Output.current.forget_errors()
                self.said, self.sent_at = err, (time.process_time(), time.monotonic())
                os.kill(os.getpid(), signal.SIGINT)
                return

    def troubles(self) -> list[Trouble]:
        if self.sent_at is None:
            return []
        computed, waited = time.process_time() - self.sent_at[0], time.monotonic() - self.sent_at[1]
        slow = computed > ENDING or (waited > ENDING and computed < ENDING / 4)
        return wrong(f"Ctrl-C took {computed:.1f} s of computing, {waited:.1f} s of waiting") if slow else []
