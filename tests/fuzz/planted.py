"""Inputs that end badly on purpose, each in one way, between good ones."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

sys.path.append(str(Path(__file__).parents[2] / "verification"))
inputs: Any = __import__("fuzz.inputs").inputs
attack: Any = __import__("fuzz.attack").attack


def compute() -> None:
    while True:
        pass


def compute_and_say_so() -> None:
    print("this takes an hour", file=sys.stderr, flush=True)
    compute()


def compute_and_print() -> None:
    """Which is no word about how long it takes."""
    print("a result", flush=True)
    compute()


def wait_and_say_so() -> None:
    print("this takes an hour", file=sys.stderr, flush=True)
    wait()


def wait() -> None:
    time.sleep(1000)


def fail() -> None:
    raise KeyError("planted")


def crash() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def leave() -> None:
    os._exit(3)


def eat() -> None:
    bytearray(3 << 30)


def lie() -> Any:
    return inputs.wrong("two and two are five")


def overwrite() -> None:
    Path("notes.txt").write_text("mine")


def execute() -> None:
    Path("pwned").touch()


def nothing() -> None:
    pass


PLANTED = {
    compute: "hang",
    compute_and_print: "hang",
    wait: "hang",
    fail: "traceback",
    crash: "crash",
    leave: "crash",
    eat: "memory",
    lie: "wrong",
    overwrite: "wrong",
    execute: "wrong",
}


def attacked(
    functions: list[Any], folder: Path, prepare: Callable[[Any], object] = lambda tally: None, **more: Any
) -> tuple[Any, list[Any]]:
    """What an attack with these inputs finds, in this order; `prepare` is told of the tally before."""

    def make(rng: Random) -> Any:
        raise AssertionError

    template = folder / "template"
    template.mkdir()
    (template / "notes.txt").write_text("theirs")

    class Listed(inputs.Category):
        def input(self, seed: int, number: int) -> Any:
            function = functions[number]
            return inputs.Input(function.__name__, lambda: function() or [])

    tally = attack.Tally(Listed("planted", "", make, cpu_seconds=0.3, **more), len(functions))
    prepare(tally)
    reports: list[Any] = []
    deadline = time.monotonic() + 300
    whole = attack.Attack([tally], 1, folder, 2, deadline)
    whole.run(lambda _, report: reports.append(report) if report else None)
    return tally, reports
