"""A ring algorithm: its specification on random rings, the compiled engine beside plain Python, all interleavings of one."""

from __future__ import annotations

from typing import Any

from princeps.api.checking.report import NOT_TRIED, OK, WRONG, Finding, Findings, Stages, unseen
from princeps.api.exact import exact
from princeps.api.run import run
from princeps.engines.registry import REFERENCE
from princeps.engines.rings.registry import RING_ENGINES
from princeps.errors import PrincepsError
from princeps.model.rings.algorithm import RingAlgorithm
from princeps.model.rings.result import RingResult

SIZES = (2, 3, 4, 5, 6, 7, 8)
SCHEDULES = ("synchronous", "random", "adversarial")
COMPARED = ("converged", "leader", "time", "steps", "messages", "max_bits", "violations")
LIMIT = 20_000


def check_ring(cls: type[RingAlgorithm], spec: str, at: Stages = unseen) -> Findings:
    done, refused = 0, ""
    told: set[str] = set()
    for n in SIZES:
        for schedule in SCHEDULES:
            at(f"n = {n}, {schedule}")
            given: dict[str, Any] = {"schedule": schedule, "seed": n, "max_steps": 1_000_000}
            try:
                plain = run(cls, n, **given, engine=REFERENCE)
            except PrincepsError as error:
                refused = str(error)
                continue
            assert isinstance(plain, RingResult)
            if not plain.converged or plain.violations:
                what = "; ".join(map(str, plain.violations)) or "nobody was elected"
                yield Finding("specification", WRONG, f"n = {n}, {schedule}: {what}.", plain.command)
                return
            for name in RING_ENGINES:
                finding = _compare(cls, n, given, name, plain)
                if finding is not None and finding.about not in told:
                    told.add(finding.about)
                    yield finding
                    if finding.outcome == WRONG:
                        return
            done += 1
    if not done:
        yield Finding("specification", NOT_TRIED, f"no ring could be run: {refused}")
        return
    text = f"one leader, known to all, in {done} runs on rings of {SIZES[0]} to {SIZES[-1]} processes"
    yield Finding("specification", OK, f"{text}; all engines agree.")
    at("all interleavings")
    yield from _interleavings(cls, spec)


def _compare(cls: type[RingAlgorithm], n: int, given: dict[str, Any], engine: str, plain: Any) -> Finding | None:
    """A finding if this engine does not take the run, or differs from plain Python."""
    try:
        found = run(cls, n, **given, engine=engine)
    except PrincepsError as error:
        return Finding(f"engine {engine}", NOT_TRIED, str(error))
    differing = [key for key in COMPARED if getattr(plain, key) != getattr(found, key)]
    if not differing:
        return None
    text = f"n = {n}, {given['schedule']}: {', '.join(differing)} differ from plain Python: please report it."
    return Finding(f"engine {engine}", WRONG, text, found.command)


def _interleavings(cls: type[RingAlgorithm], spec: str) -> Findings:
    try:
        found: Any = exact(cls, 3, seed=3, limit=LIMIT)
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
