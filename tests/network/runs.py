"""Runs that tests of the network use. Those over sockets end when something has happened, not when time has passed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from princeps.model.description import describe, read
from princeps.model.run import Run
from princeps.network.launcher import Launcher
from princeps.network.observer import Observer
from princeps.network.planning import Plan
from princeps.network.report import NetResult
from princeps.network.running import run_network
from tests.conftest import PATIENCE, wait_for


def read_run(name: str, n: int, **given: Any) -> Run:
    run = read(describe(name, n, **given))
    assert isinstance(run, Run)
    return run


def run_until(run: Run, plan: Plan, done: Callable[[Observer], bool]) -> NetResult:
    """The run goes on until this is true of it."""
    return run_network(run, replace(plan, duration=PATIENCE), lambda observer, _: done(observer))


def listen(launcher: Launcher, observer: Observer, done: Callable[[], bool], restarts: bool = False) -> list[int]:
    """Until this is true; those whose pauses end go on. Who died meanwhile."""
    died = list[int]()

    def is_done() -> bool:
        launcher.resume(launcher.seconds)
        for line in list(launcher.read(0.1)):
            observer.read(line, launcher.seconds)
            if line[0] == "dead":
                died.append(line[1])
                if restarts:
                    launcher.restart([line[1]])
        return done()

    wait_for(is_done)
    return died
