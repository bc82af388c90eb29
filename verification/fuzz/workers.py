"""Processes that carry out inputs, one after the other, and the watch over them.

A worker is a fork of a process that has loaded everything, in a folder of its own. It says which input it begins and
what became of it; the watch notices what a worker cannot say itself: that it died, or that it computes without a word.
Time is processor time, so that other programs on the machine make nothing a hang.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fuzz.inputs import BYTES, CRASH, HANG, MEMORY, TRACEBACK, Category, Input, Trouble
from fuzz.output import Output
from fuzz.serving import serves
from fuzz.workspace import TEMPLATE, Workspace

IDLE_SECONDS = 90.0  # of the clock, for an input that waits without computing
SAID_SECONDS = 20.0  # the same, if it has said that it takes long
WAITING_SHARE = 0.05  # of the clock: whoever computes less than this waits
TICK = os.sysconf("SC_CLK_TCK")
CURRENT, STACK = "current", "stack"  # files beside the workspace: the input that is carried out, and where it stood

_report = -1  # in a worker: the pipe to its watch


def pulse() -> None:
    """Called by a long input between its parts: each of them has the time of an input."""
    if _report >= 0:
        os.write(_report, b'{"pulse": 1}\n')


@dataclass(frozen=True)
class Report:
    """What became of one input."""

    number: int
    text: str = ""
    troubles: tuple[Trouble, ...] = ()


@dataclass(eq=False)
class Worker:
    """A process that carries out the inputs `first` to `end` - 1 of a category."""

    category: Category
    seed: int
    first: int
    end: int
    folder: Path  # holds its workspace
    pid: int = 0
    pipe: int = -1
    begun: int | None = None  # the input that is carried out
    done: int = 0
    waiting: bytes = b""
    since: tuple[float, float] = (0.0, 0.0)  # processor time and clock at the beginning of the input
    announced: int = 0  # inputs that took long and said so
    reports: list[Report] = field(default_factory=list)

    def start(self) -> None:
        receiving, sending = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid:
            os.close(sending)
            os.set_blocking(receiving, False)
            self.pipe, self.since = receiving, (self._cpu(), time.monotonic())
            return
        code = 1
        try:
            os.close(receiving)
            _serve(self.category, self.seed, self.first, self.end, self.folder, sending)
            code = 0
        except BaseException:
            with suppress(OSError):
                (self.folder / "harness").write_text(traceback.format_exc())
        finally:
            os._exit(code)

    def _cpu(self) -> float:
        """Of the process and of those that it started and waited for."""
        try:
            text = Path(f"/proc/{self.pid}/stat").read_text()
        except OSError:
            return 0.0
        return sum(map(int, text.rpartition(")")[2].split()[11:15])) / TICK

    def look(self) -> bool:
        """Read what it said; False if it has come to its end."""
        try:
            while chunk := os.read(self.pipe, 1 << 16):
                self.waiting += chunk
        except BlockingIOError:
            self._hear()
            return self._in_time()
        self._hear()
        self._ended(os.waitpid(self.pid, 0)[1])
        return False

    def _hear(self) -> None:
        *lines, self.waiting = self.waiting.split(b"\n")
        for line in lines:
            said = json.loads(line)
            if "begin" in said:
                self.begun = said["begin"]
            elif "end" in said:
                troubles = tuple(Trouble(*both) for both in said["troubles"])
                self._note(Report(said["end"], said.get("text", ""), troubles))
        if lines:
            self.since = (self._cpu(), time.monotonic())

    def _note(self, report: Report) -> None:
        self.done += 1
        self.begun = None
        if report.troubles:
            self.reports.append(report)

    def _in_time(self) -> bool:
        cpu, clock = self._cpu() - self.since[0], time.monotonic() - self.since[1]
        waits = cpu < WAITING_SHARE * clock and clock > SAID_SECONDS
        if self.begun is None or (cpu <= self.category.cpu_seconds and not waits):
            return True
        said = self._read("stderr").strip()
        if cpu <= self.category.cpu_seconds and clock <= IDLE_SECONDS and not said:
            return True
        if said:
            self.announced += 1
            self._note(Report(self.begun))
        else:
            spent = f"{cpu:.0f} s of computing" if cpu > self.category.cpu_seconds else f"{clock:.0f} s of waiting"
            self._note(
                Report(self.begun, self._read(CURRENT), (Trouble(HANG, f"{spent} without a word\n{self._stack()}"),))
            )
        self.kill()
        return False

    def _stack(self) -> str:
        """Where it is; faulthandler answers the signal."""
        with suppress(OSError):
            os.kill(self.pid, signal.SIGUSR1)
            time.sleep(0.3)
        lines = self._read(STACK).splitlines()
        return "\n".join(lines[:12])

    def _ended(self, status: int) -> None:
        os.close(self.pipe)
        with suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)  # processes that an input has left behind
        if self.begun is None:
            if status and self.done < self.end - self.first:
                raise RuntimeError(f"a worker failed: {self._read('harness') or status}")
            return
        if os.waitstatus_to_exitcode(status) in (0, 130) and serves(self._read(CURRENT).split()[1:]):
            # The command left a thread behind in the middle of something, and ended the process: that is its way, also
            # when it was interrupted before its address was there.
            self._note(Report(self.begun))
            return
        why = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit code {os.WEXITSTATUS(status)}"
        text = f"the process died: {why}\n{self._read('harness')}{self._read(STACK)}"
        self._note(Report(self.begun, self._read(CURRENT), (Trouble(CRASH, text),)))

    def _read(self, name: str) -> str:
        try:
            return (self.folder / name).read_text(errors="backslashreplace")
        except OSError:
            return ""

    @staticmethod
    def in_child(function: Callable[..., None], *given: Any) -> None:
        """Do something in a process of its own, which leaves nothing in the memory of this one."""
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                function(*given)
                code = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(code)
        if os.waitpid(pid, 0)[1]:
            raise RuntimeError(f"{function.__name__} failed")

    def kill(self) -> None:
        for pid in descendants(self.pid):  # workers of a sweep are groups of their own
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        with suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)
        with suppress(OSError):
            os.kill(self.pid, signal.SIGKILL)  # it may not have made its group yet
        os.waitpid(self.pid, 0)
        os.close(self.pipe)


def descendants(pid: int) -> list[int]:
    """The processes that a process has started, and those that these have."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            children.setdefault(int(entry.read_text().rpartition(")")[2].split()[1]), []).append(int(entry.parent.name))
    found = [pid]
    for one in found:
        found += children.get(one, [])
    return found[1:]


def _serve(category: Category, seed: int, first: int, end: int, folder: Path, pipe: int) -> None:
    global _report
    import faulthandler

    os.setsid()
    _report = pipe
    stack = open(folder / STACK, "w")  # noqa: SIM115 - as long as the process
    faulthandler.enable(stack)
    faulthandler.register(signal.SIGUSR1, stack)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    output = Output(folder)
    limit_memory()
    workspace = Workspace(folder / "here" / "work", folder.parent / TEMPLATE)
    for number in range(first, end):
        workspace.enter()
        output.clear()
        os.write(pipe, b'{"begin": %d}\n' % number)
        said: dict[str, Any] = {"end": number, "troubles": []}
        made = category.input(seed, number)
        (folder / CURRENT).write_bytes(made.text.encode("utf-8", "surrogateescape"))
        troubles = [*carry_out(made), *workspace.troubles(made.text)]
        if troubles:
            said |= {"text": made.text, "troubles": [(trouble.kind, trouble.text) for trouble in troubles]}
        os.write(pipe, json.dumps(said).encode() + b"\n")


def carry_out(made: Input) -> list[Trouble]:
    try:
        return made.run()
    except MemoryError:
        return [Trouble(MEMORY, f"more than {BYTES >> 30} GiB\n{_tail(traceback.format_exc())}")]
    except BaseException:
        return [Trouble(TRACEBACK, _tail(traceback.format_exc()))]


def _tail(text: str, most: int = 4000) -> str:
    return text if len(text) <= most else f"...{text[-most:]}"


def limit_memory() -> None:
    """As on a machine with so much memory: more is not given, and the package sees that there is not more."""
    from princeps.model import machine

    used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (used + BYTES, used + BYTES))
    machine._free_bytes = lambda: BYTES
