"""Processes that try alterations: one that says nothing for too long is ended, and the claim at which it stood is left."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paper_mutants.alterations import Alteration

VERIFICATION = Path(__file__).parents[1]
NO_END = "no end"  # within the time that a claim has
Answer = dict[str, Any]


@dataclass
class Trying:
    """The claims that are left of one alteration, and the process that is at the first of them."""

    alteration: Alteration
    claims: list[str]
    seconds: float  # that a claim may take
    process: subprocess.Popen[bytes] | None = None
    since: float = 0.0
    unread: bytes = b""
    answers: list[Answer] = field(default_factory=list)

    def start(self) -> None:
        line = [sys.executable, "-m", "paper_mutants.trying", self.alteration.protocol, str(self.alteration.number)]
        environment = {**os.environ, "PYTHONPATH": str(VERIFICATION)}
        self.process = subprocess.Popen(
            [*line, *self.claims], stdout=subprocess.PIPE, env=environment, start_new_session=True
        )
        self.since, self.unread = time.monotonic(), b""

    def look(self) -> list[Answer]:
        """What it has said since the last time; restarted behind a claim that does not end."""
        assert self.process is not None
        assert self.process.stdout is not None
        found: list[Answer] = []
        chunk = os.read(self.process.stdout.fileno(), 1 << 16) if _readable(self.process) else None
        if chunk:
            *lines, self.unread = (self.unread + chunk).split(b"\n")
            found = [json.loads(line) for line in lines if line.startswith(b"{")]
            self.since = time.monotonic()
        ended = chunk == b""
        self.claims = self.claims[len(found) :]
        if self.claims and (ended or time.monotonic() - self.since > self.seconds):
            self.end()
            spent = round(time.monotonic() - self.since, 2)
            found.append({"claim": self.claims.pop(0), "verdict": NO_END, "changed": False, "seconds": spent})
            if self.claims:
                self.start()
        return found

    def end(self) -> None:
        """With the workers that it has started."""
        if self.process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.process = None


def _readable(process: subprocess.Popen[bytes]) -> bool:
    assert process.stdout is not None
    return bool(select.select([process.stdout], [], [], 0)[0])


def tried(
    todo: Sequence[tuple[Alteration, list[str]]], jobs: int, seconds: float
) -> Iterator[tuple[Alteration, Answer]]:
    """Every answer as soon as it is there."""
    waiting = [Trying(alteration, list(claims), seconds) for alteration, claims in todo]
    running: list[Trying] = []
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                running.append(waiting.pop(0))
                running[-1].start()
            time.sleep(0.1)
            for one in list(running):
                for answer in one.look():
                    yield one.alteration, answer
                if not one.claims:
                    one.end()
                    running.remove(one)
    finally:
        for one in running:
            one.end()
