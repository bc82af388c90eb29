"""Runs that tests of the network use."""

from __future__ import annotations

from typing import Any

from princeps.model.description import describe, read
from princeps.model.run import Run


def read_run(name: str, n: int, **given: Any) -> Run:
    run = read(describe(name, n, **given))
    assert isinstance(run, Run)
    return run
