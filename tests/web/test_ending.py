"""Ctrl-C ends everything within a second, whatever is going on, and leaves no process and no port.

How long that takes is judged by what the command does after the signal, not by the clock, which others share: the processor
time that it uses, and the time for which all of its threads sleep, waiting for nothing that the processor could give them.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

import princeps
from princeps.engines.session import Session
from princeps.model.script import Steps
from princeps.model.script_codes import code_of
from tests.web.pages import SECONDS

TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
LOOK = 0.01  # seconds between two looks
SLOW_ENDINGS = {
    "it waits": "time.sleep(1.5)",
    "it works on": "[None for _ in iter(lambda: time.process_time() < used + 1.5, False)]",
}


@contextmanager
def watching(*words: Any, **environment: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "princeps", "watch", *map(str, words), "--no-browser"]
    environ = {**os.environ, **environment}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environ) as process:
        try:
            yield process
        finally:
            process.kill()


def processor_seconds(process: subprocess.Popen[str]) -> float:
    """That it has used until now."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def all_sleep(process: subprocess.Popen[str]) -> bool:
    """No thread runs, or would run if it were given a processor, or waits for a disk."""
    try:
        threads = [path.read_text() for path in Path(f"/proc/{process.pid}/task").glob("*/stat")]
    except (FileNotFoundError, ProcessLookupError):  # a thread has just ended
        return False
    return all(text.rpartition(")")[2].split()[0] == "S" for text in threads)


def interrupted(process: subprocess.Popen[str]) -> int:
    """The exit code after Ctrl-C, which came in time."""
    before, slept, looked = processor_seconds(process), 0.0, time.monotonic()
    end = looked + SECONDS
    process.send_signal(signal.SIGINT)
    while True:
        ended, status, used = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        now = time.monotonic()
        assert now < end, "it does not end"
        if all_sleep(process):
            slept += min(now - looked, 2 * LOOK)  # if this process had to wait, nobody knows what the other one did
        looked = now
        time.sleep(LOOK)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert used.ru_utime + used.ru_stime - before < 1, "it works on"
    assert slept < 1, "it waits"
    return process.returncode


def work_on(process: subprocess.Popen[str], seconds: float) -> None:
    """Until it has used so much processor time more, or has had time for it and nothing left to do."""
    before, end = processor_seconds(process), time.monotonic() + 10 * seconds
    while processor_seconds(process) < before + seconds and time.monotonic() < end:
        time.sleep(LOOK)


def free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


@contextmanager
def page_of(process: subprocess.Popen[str]) -> Iterator[tuple[int, Callable[..., None]]]:
    """The port, and what sends a word and waits for its answer; beside it a connection that never says what it wants."""
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    assert address.startswith("http://127.0.0.1:")
    port, token = int(address.split(":")[2].split("/")[0]), address.rstrip("/").rsplit("/", 1)[1]
    with (
        socket.create_connection(("127.0.0.1", port)) as silent,
        connect(f"ws://127.0.0.1:{port}/{token}/socket", origin=f"http://127.0.0.1:{port}") as page,
    ):
        silent.sendall(b"GET / HTTP/1.1\r\nHost: ")

        def ask(word: str, answered: bool = True, **given: Any) -> None:
            page.send(json.dumps({"id": 1, "do": word, **given}))
            while answered and '"reply":1' not in str(page.recv(timeout=SECONDS)):
                pass

        yield port, ask


@pytest.mark.medium
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processor time of another process is read from /proc")
@pytest.mark.parametrize("how", SLOW_ENDINGS)
def test_an_ending_that_takes_too_long_is_noticed(how: str) -> None:
    """Planted: a process that sleeps, or computes, for a second and a half after Ctrl-C."""
    ending = f"import time\ntry:\n    print(flush=True); time.sleep({SECONDS})\nexcept KeyboardInterrupt:\n"
    ending += f"    used = time.process_time(); {SLOW_ENDINGS[how]}\n"
    with subprocess.Popen([sys.executable, "-c", ending], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(AssertionError, match=how):
            interrupted(process)


@pytest.mark.medium
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processor time of another process is read from /proc")
def test_while_it_plays_at_full_speed() -> None:
    with watching("fratricide", "-n", 6, "--engine", "reference") as process, page_of(process) as (port, ask):
        ask("speed", value=None)
        ask("play")
        assert interrupted(process) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""
        assert free(port)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processor time of another process is read from /proc")
@pytest.mark.parametrize("phase", ["playing", "next", "replaying", "going back"])
def test_in_the_middle_of_long_work(phase: str) -> None:
    long = princeps.session("p_rl", 20, seed=1, engine="agents")
    assert isinstance(long, Session)
    with watching("p_rl", "-n", 20, "--seed", 1, "--engine", "agents") as process, page_of(process) as (port, ask):
        if phase == "playing":
            ask("choose", protocol="p_ll", n="1e6", seed=1, engine="agents")
            ask("speed", value=None)
            ask("play")
        elif phase == "next":
            ask("step", count=300_000)
            ask("next", answered=False, what="leaders")
        elif phase == "replaying":  # one piece of work of many seconds
            script = long.script
            steps = type(script)(script.command, script.identity, (Steps(8 * 10**9),))
            ask("open", answered=False, code=code_of(steps))
        else:
            ask("step", count=10**8)
            for step in range(20):
                ask("goto", answered=False, step=step)
                ask("goto", answered=False, step=10**8)
        work_on(process, 0.3)
        assert interrupted(process) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""
        assert free(port)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processor time of another process is read from /proc")
@pytest.mark.parametrize("phase", ["starting", "compiling"])
def test_before_it_serves(phase: str, tmp_path: Path) -> None:
    with watching("p_ll", "-n", 1000, PRINCEPS_CACHE_DIR=str(tmp_path)) as process:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            if phase == "starting" and processor_seconds(process) > 0.5:
                break
            if phase == "compiling" and list(tmp_path.rglob("*.lock")):
                time.sleep(0.5)
                break
            time.sleep(0.02)
        code = interrupted(process)
        assert process.stderr is not None
        said = process.stderr.read()
        assert code == 130, said
        assert said.splitlines()[-1] == "princeps: interrupted."
