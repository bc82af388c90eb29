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
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path

import princeps
from network_bars.rows import Row, Sizes

MARK = "PRINCEPS_TEST_MARK"
LASTS = "LASTS"  # stands for how long a run goes on
POPULATION = ["timer", "-n", "10", "--for", LASTS]
POPULATION += ["--chaos", "200ms: kill random every 60ms; 250ms: pause random for 100ms every 150ms; garbage 200/s"]
RING = ["a_k", "--labels", "3,1,1,2,4,2", "-p", "k=2", "--restart", "durable"]
RING += [
    "--chaos",
    f"0.001ms: cut 0-2|3-5 for {LASTS}; reset 20/s; 30ms: kill random every 60ms; 25ms: pause 1 for 300ms; "
    "garbage 100/s",
]
KINDS = {"population": POPULATION, "ring": RING}
SHORT, LONG = 0.7, 600.0  # seconds; no strike comes after LONG, however busy the machine is
PHASES = START, MIDDLE, END = "start", "middle", "end"
LONGEST = 10.0  # seconds until nothing is left
PROGRAM = """
import contextlib, io, json, os, signal, sys
from princeps.cli import entry, main

for words in ("timer -n 3", "a_k --labels 1,2,2 -p k=2"):
    sys.argv = ["princeps", "net", *words.split(), "--seed", "1", "--transport", "memory"]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main()
print("ready", flush=True)
for line in sys.stdin:
    pid = os.fork()
    if pid:
        os.setpgid(pid, pid)  # before anybody can interrupt the group
        print(pid, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
        continue
    code = 130
    try:
        try:
            sys.stdin.close()
            sys.stdout = open(os.devnull, "w")
            sys.argv = ["princeps", *json.loads(line)]
            entry()
        except SystemExit as end:
            code = end.code
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            sys.stderr.flush()
    except KeyboardInterrupt:  # before the command line had begun to listen, or after its end: an interpreter of its own
        pass  # would end without a word
    finally:
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


def becomes_true(question: Callable[[], bool], seconds: float = LONGEST) -> bool:
    end = time.monotonic() + seconds
    while not question():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


@dataclass
class Endings:
    """How runs ended, and what was left of them."""

    runs: int = 0
    during: int = 0  # were struck while they went on
    most_processes: int = 0
    most_ports: int = 0
    left: list[str] = field(default_factory=list)  # sentences

    def __add__(self, other: Endings) -> Endings:
        most = max(self.most_processes, other.most_processes), max(self.most_ports, other.most_ports)
        return Endings(self.runs + other.runs, self.during + other.during, *most, self.left + other.left)


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

    def start(self, words: list[str], seed: int, seconds: float) -> int:
        """A run that goes on for so long."""
        assert self.process.stdin is not None
        own = [word.replace(LASTS, f"{seconds:g}s") for word in words]
        print(json.dumps(["net", *own, "--seed", str(seed)]), file=self.process.stdin, flush=True)
        return int(self.line())

    def running(self) -> list[int]:
        return [pid for pid in marked(self.mark) if pid != self.process.pid]

    def is_there(self, found: Endings) -> bool:
        """Six agents of the run, or more, have processes and ports; or it has ended."""
        ports, running = self.look(found), len(self.running())
        return min(len(ports), running - 1) >= 6 or not running

    def look(self, found: Endings) -> set[Port]:
        """The ports that are bound now."""
        running = self.running()
        ports = ports_of(running)
        found.most_processes = max(found.most_processes, len(running))
        found.most_ports = max(found.most_ports, len(ports))
        return ports

    def end(self, ports: set[Port], found: Endings, struck: int, may_be_over: bool) -> None:
        """The command line ends, and nothing of it should be left; `struck` is the exit code of a run that was struck."""
        code = int(self.line())
        found.runs += 1
        found.during += code == struck
        if code != struck and not (may_be_over and code in (0, 1)):
            found.left.append(f"exit code {code}")
        if not becomes_true(lambda: not self.running()):
            found.left.append(f"{len(self.running())} processes")
        if not becomes_true(lambda: all(is_free(port) for port in ports)):
            found.left.append(f"ports {sorted(port for port in ports if not is_free(port))}")
        errors = self.errors.read_text()
        if "Traceback" in errors:
            found.left.append(errors)
            self.errors.write_text("")


@contextmanager
def commands() -> Iterator[Commands]:
    with tempfile.TemporaryDirectory() as folder:
        made = Commands(Path(folder) / "errors")
        try:
            yield made
        finally:
            made.process.kill()
            made.process.communicate()


def strikes(own: Commands, words: list[str], runs: int, strike: Callable[[int, int], None], struck: int) -> Endings:
    """Runs that are struck while processes are started, agents elect and are killed, and the run ends.

    A run that is struck at its start or in the middle would go on for very long. At the end it may be over before.
    """
    chance, found = random.Random(5), Endings()
    for number in range(runs):
        phase = PHASES[number % len(PHASES)]
        pid = own.start(words, number, SHORT if phase == END else LONG)
        if phase == START:
            time.sleep(chance.uniform(0.0, 0.15))
        else:
            becomes_true(lambda: own.is_there(found), LONG)
            time.sleep(SHORT + chance.uniform(-0.2, 0.3) if phase == END else chance.uniform(0.0, 0.8))
        ports = own.look(found)
        with suppress(ProcessLookupError) if phase == END else nullcontext():
            strike(pid, number)
        own.end(ports, found, struck, may_be_over=phase == END)
    return found


def interrupted(own: Commands, words: list[str], runs: int) -> Endings:
    """Ctrl-C, as a terminal sends it."""

    def strike(pid: int, number: int) -> None:
        os.killpg(pid, signal.SIGINT)
        for _ in range(number // len(PHASES) % 3):  # impatient users
            time.sleep(0.01)
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGINT)

    return strikes(own, words, runs, strike, 130)


def killed(own: Commands, words: list[str], runs: int) -> Endings:
    """kill -9 of the launcher."""
    return strikes(own, words, runs, lambda pid, number: os.kill(pid, signal.SIGKILL), -signal.SIGKILL)


def started_and_stopped(runs: int) -> Endings:
    """In this process, half of them rings."""

    def held() -> tuple[int, set[Port]]:
        return len(os.listdir("/proc/self/fd")), ports_of([os.getpid()])

    princeps.net("fratricide", n=3, seed=0, rate=300)
    before, found = held(), Endings()
    for seed in range(runs):
        found.runs += 1
        if seed % 2:
            replay = princeps.net("chang_roberts", labels="3,1,2", seed=seed).replay
        else:
            replay = princeps.net("fratricide", n=3, seed=seed, rate=300).replay
        if replay != "agrees":
            found.left.append(f"a replay: {replay}")
        with suppress(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)
            found.left.append("a process")
    if held() != before:
        found.left.append(f"descriptors and ports: {held()} instead of {before}")
    return found


def rows(sizes: Sizes) -> Iterator[Row]:
    measured, total = list[str](), Endings()
    with commands() as own:
        for name, words in KINDS.items():
            for verb, way in (("Ctrl-C", interrupted), ("kill -9 of the launcher", killed)):
                found = way(own, words, sizes.strikes)
                measured.append(f"{found.runs} {verb} of a {name}, {found.during} of them while it ran")
                total += found
    found = started_and_stopped(sizes.starts)
    measured.append(f"{found.runs} starts and stops")
    total += found
    yield Row(
        f"{sizes.starts} starts and stops; Ctrl-C in every phase; the launcher killed with -9",
        f"{', '.join(measured)}: up to {total.most_processes} processes and {total.most_ports} ports at once, "
        f"{len(total.left)} times something left{': ' if total.left else ''}{'; '.join(total.left)}",
        "no process and no port left, no traceback",
        not total.left,
    )
