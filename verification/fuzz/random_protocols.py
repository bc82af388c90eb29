"""Random protocols through every engine and the exact analysis, beside plain Python."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from fuzz import brute_checks, event_checks, law_checks, run_checks
from fuzz.inputs import Category, Input, Trouble
from fuzz.random_rules import Written, random_protocol
from fuzz.workers import pulse

FILE = "random_protocol.py"
CHECKS: tuple[Callable[[type, Written, Random], list[Trouble]], ...] = (
    run_checks.pairs_agree,
    run_checks.runs_agree,
    event_checks.events_agree,
    run_checks.sessions_equal_runs,
    law_checks.laws_agree,
    brute_checks.exact_agrees,
)


def check(written: Written, seed: str, only: Callable[..., Any] | None = None) -> list[Trouble]:
    """All checks, or the one that failed before; each has its own random numbers."""
    from princeps.model import registry

    Path(FILE).write_text(written.text)
    cls: Any = registry.find(f"./{FILE}")
    for one in CHECKS:
        if only is None or one is only:
            pulse()
            found = one(cls, written, Random(seed))
            if found:
                return [Trouble(trouble.kind, f"{one.__name__}: {trouble.text}") for trouble in found]
    return []


def make(rng: Random) -> Input:
    written, seed = random_protocol(rng), str(rng.random())
    return Input(written.text, lambda: check(written, seed))


CATEGORY = Category("protocols", "random protocols over all engines and exact", make, batch=1, cpu_seconds=60.0)
