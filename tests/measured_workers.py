"""Workers of a sweep that can be measured: they are asked to end before they are killed.

What a process executed is written down when it ends, and a killed process writes nothing. A sweep kills its workers when
it has what it needs, so that without this file nothing that runs in workers only would be counted: their own loop, and
the measurements of the papers. A worker whose input ends leaves by `os._exit`, at which coverage saves its data.

pytest loads this file with `-p`, in its own workers as well; `python -m tests.measured_workers paper --all` is the
command line. Workers of the processes that tests start are killed as ever.
"""

from __future__ import annotations

import subprocess
from contextlib import suppress
from typing import Any

WORKER = "princeps.campaign.worker"
SECONDS = 10.0  # for a worker to end: it may still be loading its modules

_kill = subprocess.Popen.kill


def end_or_kill(process: subprocess.Popen[Any]) -> None:
    words = process.args
    if isinstance(words, list) and WORKER in words and process.stdin is not None and process.poll() is None:
        with suppress(OSError, ValueError):  # it has just died
            process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            process.wait(SECONDS)
    _kill(process)


subprocess.Popen.kill = end_or_kill  # type: ignore[method-assign, assignment]

if __name__ == "__main__":
    from princeps.cli import entry

    entry()
