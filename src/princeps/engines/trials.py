"""Many trials of one run over worker processes.

Each worker is a separate interpreter that is handed one trial at a time. A worker that dies costs the trial it held,
which another one runs again with the same seed; a trial that kills three workers is given up with an error.
"""

from __future__ import annotations

import base64
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from princeps.errors import PrincepsError, WorkerLost
from princeps.model.result import Result

DEATHS_ALLOWED = 3


def run_trials(description: Mapping[str, Any], trials: Sequence[int], jobs: int = 1) -> Iterator[Any]:
    """Results as they finish; `description` holds the arguments of make_run without the trial."""
    if jobs <= 1 or len(trials) <= 1:
        yield from (one_trial(description, trial) for trial in trials)
        return
    team = Team(description, trials, min(jobs, len(trials)))
    try:
        yield from team.results()
    finally:
        team.dismiss()


def one_trial(description: Mapping[str, Any], trial: int) -> Any:
    """A Result, or the RingResult of a ring algorithm, which is known by its schedule."""
    arguments = {**description, "trial": trial}
    if "schedule" in arguments:
        from princeps.engines.rings import simulate_ring
        from princeps.model.ring_run import make_ring_run

        result: Any = simulate_ring(make_ring_run(**arguments))
    else:
        from princeps.engines.simulate import simulate
        from princeps.model.run import make_run

        result = simulate(make_run(**arguments))
    if result.interrupted:
        raise KeyboardInterrupt
    return result


class Team:
    """Workers, each led by a thread that writes a trial and reads its result."""

    def __init__(self, description: Mapping[str, Any], trials: Sequence[int], size: int) -> None:
        self.description, self.expected = dict(description), len(trials)
        self.waiting: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self.finished: queue.SimpleQueue[Result | BaseException] = queue.SimpleQueue()
        self.deaths: dict[int, int] = {}
        self.dismissed = False
        self.processes: dict[int, subprocess.Popen[bytes]] = {}
        self.lock = threading.Lock()
        for trial in trials:
            self.waiting.put(trial)
        self.threads = [threading.Thread(target=self._lead, args=(k,), daemon=True) for k in range(size)]
        for thread in self.threads:
            thread.start()

    def results(self) -> Iterator[Result]:
        for _ in range(self.expected):
            item = self._next()
            if isinstance(item, BaseException):
                raise item
            yield item

    def _next(self) -> Result | BaseException:
        while True:
            try:
                return self.finished.get(timeout=0.2)  # a wait without an end would not hear Ctrl-C everywhere
            except queue.Empty:
                continue

    def dismiss(self) -> None:
        self.dismissed = True
        for _ in self.threads:
            self.waiting.put(None)
        with self.lock:
            for process in self.processes.values():
                process.kill()
        for thread in self.threads:
            thread.join(timeout=5)

    # -- in a leading thread ------------------------------------------------------------------------------------

    def _lead(self, place: int) -> None:
        process = None
        try:
            while True:
                trial = self.waiting.get()
                if trial is None:
                    break
                if process is None or process.poll() is not None:
                    process = self._hire(place)
                if process is None:
                    break
                answer = self._ask(process, trial)
                if answer is None:
                    process = None
                    self._mourn(trial)
                else:
                    self.finished.put(answer)
        except BaseException as error:
            self.finished.put(error)
        finally:
            if process is not None:
                process.kill()
                process.wait()

    def _hire(self, place: int) -> subprocess.Popen[bytes] | None:
        """A new worker; none once the team is dismissed."""
        with self.lock:
            if self.dismissed:
                return None
            process = self.processes[place] = subprocess.Popen(
                [sys.executable, "-m", "princeps.engines.trials"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "PRINCEPS_WORKER": str(place)},
                start_new_session=True,  # Ctrl-C is for the supervisor, which then dismisses the workers
            )
        return process

    def _ask(self, process: subprocess.Popen[bytes], trial: int) -> Result | BaseException | None:
        """The worker's answer, or None if it died over the question."""
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(encode((self.description, trial)))
            process.stdin.flush()
            line = process.stdout.readline()
            if line.endswith(b"\n"):
                answer: Result | BaseException = decode(line)
                return answer
        except OSError:
            pass
        process.kill()
        process.wait()
        return None

    def _mourn(self, trial: int) -> None:
        if self.dismissed:
            return
        self.deaths[trial] = self.deaths.get(trial, 0) + 1
        if self.deaths[trial] >= DEATHS_ALLOWED:
            self.finished.put(
                WorkerLost(f"trial {trial} killed {DEATHS_ALLOWED} workers: run it alone with --trial {trial}.")
            )
        else:
            self.waiting.put(trial)


def encode(item: object) -> bytes:
    return base64.b64encode(pickle.dumps(item)) + b"\n"


def decode(line: bytes) -> Any:
    return pickle.loads(base64.b64decode(line))


def serve(questions: Any, answers: Any, handle: Callable[[Mapping[str, Any], int], Result] = one_trial) -> None:
    """A worker: a description and a trial a line, until the input ends."""
    for line in questions:
        try:
            answer: Result | PrincepsError = handle(*decode(line))
        except PrincepsError as error:
            answer = PrincepsError(str(error))
        answers.write(encode(answer))
        answers.flush()


if __name__ == "__main__":
    from princeps.lowering import cache

    cache.without_blas = True
    with os.fdopen(os.dup(1), "wb") as own:
        os.dup2(2, 1)  # what a user's file prints must not come between the answers
        serve(sys.stdin.buffer, own)
