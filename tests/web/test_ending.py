"""Ctrl-C ends everything within a second, whatever is going on, and leaves no process and no port.

How long that takes is judged by the processor time that the command still uses after the signal, and by the clock with
an allowance for how busy the machine is.
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


def how_busy() -> float:
    """Seconds that pass while this process computes for one."""
    began, used = time.monotonic(), time.process_time()
    while time.process_time() - used < 0.1:
        pass
    return (time.monotonic() - began) / 0.1


def interrupted(process: subprocess.Popen[str]) -> int:
    """The exit code after Ctrl-C, which came in time."""
    before, began = processor_seconds(process), time.monotonic()
    process.send_signal(signal.SIGINT)
    _, status, used = os.wait4(process.pid, 0)
    took = time.monotonic() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    assert used.ru_utime + used.ru_stime - before < 1
    assert took < 1 + 2 * how_busy()  # 0.3 s to 0.8 s where nobody else uses the machine
    return process.returncode


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
        time.sleep(0.3)
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
