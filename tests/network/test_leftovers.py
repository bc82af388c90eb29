"""However a run ends, and whenever: no process and no port is left, and nobody sees a traceback.

Processes are found by a mark in their environment, which those that are forked inherit; ports by their sockets.
"""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import princeps
from tests.conftest import wait_for

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]

MARK = "PRINCEPS_TEST_MARK"
POPULATION = ["timer", "-n", "10", "--for", "800ms"]
POPULATION += ["--chaos", "200ms: kill random every 60ms; 250ms: pause random for 100ms every 150ms; garbage 200/s"]
RING = ["a_k", "--labels", "3,1,1,2,4,2", "-p", "k=2", "--restart", "durable"]
RING += [
    "--chaos",
    "reset 20/s; 30ms: kill random every 60ms; 20ms: cut 0-2|3-5 for 500ms; 25ms: pause 1 for 300ms; garbage 100/s",
]
KINDS = [pytest.param(POPULATION, id="population"), pytest.param(RING, id="ring")]
PROGRAM = """
import contextlib, io, json, os, sys
from princeps.cli import entry, main

for words in ("timer -n 3", "a_k --labels 1,2,2 -p k=2"):
    sys.argv = ["princeps", "net", *words.split(), "--seed", "1", "--transport", "memory"]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main()
print("ready", flush=True)
for line in sys.stdin:
    pid = os.fork()
    if pid:
        print(pid, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
        continue
    code = 130
    try:
        os.setsid()
        sys.stdin.close()
        sys.stdout = open(os.devnull, "w")
        sys.argv = ["princeps", *json.loads(line)]
        entry()
    except SystemExit as end:
        code = end.code
    except KeyboardInterrupt:  # before the command line had begun to listen, or after its end
        pass
    finally:
        sys.stderr.flush()
        os._exit(code)
"""
Port = tuple[str, int]


def marked(mark: str) -> list[int]:
    """Processes whose environment has the mark."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() in (path / "environ").read_bytes():
                found.append(int(path.name))
        except OSError:
            continue
    return found


def ports_of(pids: list[int]) -> set[Port]:
    """Ports to which sockets of these processes are bound."""
    inodes = set()
    for pid in pids:
        try:
            links = [os.readlink(path) for path in Path(f"/proc/{pid}/fd").iterdir()]
        except OSError:
            continue
        inodes |= {link[8:-1] for link in links if link.startswith("socket:[")}
    found = set()
    for kind in ("udp", "tcp"):
        for line in Path(f"/proc/net/{kind}").read_text().splitlines()[1:]:
            words = line.split()
            if words[9] in inodes and (kind == "udp" or words[3] == "0A"):  # it listens
                found.add((kind, int(words[1].partition(":")[2], 16)))
    return found


def is_free(port: Port) -> bool:
    kind, number = port
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM if kind == "udp" else socket.SOCK_STREAM) as own:
        if kind == "tcp":
            own.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # of connections that have just ended
        try:
            own.bind(("127.0.0.1", number))
        except OSError:
            return False
    return True


class Commands:
    """A process that has loaded everything, and forks for each command line."""

    def __init__(self, errors: Path) -> None:
        self.mark, self.errors = uuid.uuid4().hex, errors
        with errors.open("w") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-c", PROGRAM],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=file,
                text=True,
                env={**os.environ, MARK: self.mark},
            )
        assert self.line() == "ready"

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def start(self, words: list[str], seed: int) -> int:
        assert self.process.stdin is not None
        print(json.dumps(["net", *words, "--seed", str(seed)]), file=self.process.stdin, flush=True)
        return int(self.line())

    def running(self) -> list[int]:
        return [pid for pid in marked(self.mark) if pid != self.process.pid]

    def end(self, ports: set[Port]) -> int:
        """The exit code of the command line, of which nothing is left."""
        code = int(self.line())
        wait_for(lambda: not self.running(), 10)
        wait_for(lambda: all(is_free(port) for port in ports), 10)
        assert "Traceback" not in self.errors.read_text()
        return code


@pytest.fixture
def commands(tmp_path: Path) -> Iterator[Commands]:
    made = Commands(tmp_path / "errors")
    yield made
    made.process.kill()
    made.process.communicate()


@pytest.mark.parametrize("words", KINDS)
def test_ctrl_c_at_any_moment(commands: Commands, words: list[str]) -> None:
    """While processes are started, agents elect and are killed, and the run ends; as a terminal sends it, to the group."""
    chance, codes, bound = random.Random(5), set(), 0
    for seed in range(24):
        pid = commands.start(words, seed)
        time.sleep(chance.uniform(0.0, 0.15) if seed % 2 else chance.uniform(0.0, 1.2))
        ports = ports_of(commands.running())
        bound = max(bound, len(ports))
        for _ in range(1 + seed % 3):  # impatient users
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGINT)
            time.sleep(0.01)
        codes.add(commands.end(ports))
    assert codes <= {0, 1, 130, -signal.SIGINT}
    assert 130 in codes
    assert bound >= 6


@pytest.mark.parametrize("words", KINDS)
def test_a_launcher_that_is_killed_at_any_moment(commands: Commands, words: list[str]) -> None:
    chance, seen, bound = random.Random(6), 0, 0
    for seed in range(16):
        pid = commands.start(words, seed)
        time.sleep(chance.uniform(0.0, 0.1) if seed % 2 else chance.uniform(0.0, 0.8))
        running = commands.running()
        ports = ports_of(running)
        seen, bound = max(seen, len(running)), max(bound, len(ports))
        os.kill(pid, signal.SIGKILL)
        assert commands.end(ports) in (0, -signal.SIGKILL)
    assert min(seen, bound) >= 6


def test_a_hundred_starts_and_stops() -> None:
    def held() -> tuple[int, set[Port]]:
        return len(os.listdir("/proc/self/fd")), ports_of([os.getpid()])

    princeps.net("fratricide", n=3, seed=0, rate=300)
    before = held()
    for seed in range(50):
        assert princeps.net("fratricide", n=3, seed=seed, rate=300).replay == "agrees"
        assert princeps.net("chang_roberts", labels="3,1,2", seed=seed).converged
        with pytest.raises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)
    assert held() == before
