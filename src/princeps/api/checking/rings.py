"""A ring algorithm: its specification on random rings, the compiled engine beside plain Python, all interleavings of one."""

from __future__ import annotations

from typing import Any

from princeps.api.checking.report import NOT_TRIED, OK, WRONG, Finding, Findings
from princeps.api.exact import exact
from princeps.api.run import run
from princeps.errors import PrincepsError
from princeps.model.rings.algorithm import RingAlgorithm

SIZES = (2, 3, 4, 5, 6, 7, 8)
SCHEDULES = ("synchronous", "random", "adversarial")
COMPARED = ("converged", "leader", "time", "steps", "messages", "max_bits", "violations")
LIMIT = 20_000


def check_ring(cls: type[RingAlgorithm], spec: str) -> Findings:
    done, refused = 0, ""
    for n in SIZES:
        for schedule in SCHEDULES:
            given: dict[str, Any] = {"schedule": schedule, "seed": n, "max_steps": 1_000_000}
            try:
                plain = run(cls, n, **given, engine="reference")
            except PrincepsError as error:
                refused = str(error)
                continue
            if not plain.converged or plain.violations:
                what = "; ".join(map(str, plain.violations)) or "nobody was elected"
                yield Finding("specification", WRONG, f"n = {n}, {schedule}: {what}.", plain.command)
                return
            try:
                compiled = run(cls, n, **given, engine="compiled")
            except PrincepsError as error:
                yield Finding("engine compiled", NOT_TRIED, f"it runs in plain Python only: {error}")
                compiled = plain
            differing = [key for key in COMPARED if getattr(plain, key) != getattr(compiled, key)]
            if differing:
                text = f"n = {n}, {schedule}: {', '.join(differing)} differ from plain Python: please report it."
                yield Finding("engine compiled", WRONG, text, compiled.command)
                return
            done += 1
    if not done:
        yield Finding("specification", NOT_TRIED, f"no ring could be run: {refused}")
        return
    text = f"one leader, known to all, in {done} runs on rings of {SIZES[0]} to {SIZES[-1]} processes"
    yield Finding("specification", OK, f"{text}; compiled code and plain Python agree.")
    yield from _interleavings(cls, spec)


def _interleavings(cls: type[RingAlgorithm], spec: str) -> Findings:
    try:
        found = exact(cls, 3, seed=3, limit=LIMIT)
    except PrincepsError as error:
        yield Finding("proof", NOT_TRIED, str(error))
        return
    labels = ",".join(map(str, found.labels))
    command = f"princeps exact {spec} --labels {labels}"
    if not found.agreed:
        yield Finding("proof", WRONG, f"labels {labels}: {found.broken}", found.command or command)
    else:
        text = (
            f"labels {labels}: the specification holds in all interleavings ({found.configurations:,} configurations)."
        )
        yield Finding("proof", OK, text, command)
