"""All interleavings of a ring algorithm on one ring, as plain data."""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from princeps.analysis.progress import ProgressCallback, no_progress
from princeps.analysis.rings.interleavings import Interleavings, all_interleavings, refuse_too_many_processes
from princeps.errors import RunError
from princeps.model.limits import RING_CONFIGURATIONS, read_limit
from princeps.model.naming import command_or_reason
from princeps.model.numbers import read_count
from princeps.model.options import Count
from princeps.model.report import Report
from princeps.model.rings.reading import make_ring_run
from princeps.model.rings.run import RingRun


@dataclass(frozen=True)
class ExactRing:
    """`agreed`: every execution meets the specification and elects the same process; `confluent`: with the same
    messages and one terminal configuration."""

    protocol: str
    params: dict[str, int]
    n: int
    labels: list[int] | list[str]
    configurations: int
    steps: int
    endings: int
    messages: list[int]
    leaders: list[int]
    agreed: bool
    confluent: bool
    broken: str | None
    command: str | None  # replays what is broken
    seconds: float

    def report(self) -> Report:
        """What the command line prints."""
        from princeps.analysis.exact_report import exact_ring_report

        return exact_ring_report(self)

    def __repr__(self) -> str:
        return self.report().text()

    def _repr_html_(self) -> str:
        return self.report().html()

    def as_json(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}


def exact_ring(
    name: Any,
    n: Any,
    *,
    params: Mapping[str, Any],
    limit: Count | None = None,
    progress: ProgressCallback | None = None,
    **ring: Any,
) -> ExactRing:
    """`limit`: of the configurations that are explored."""
    began = time.perf_counter()
    most = read_limit(limit, RING_CONFIGURATIONS)
    if n is not None:
        refuse_too_many_processes(read_count(n, "n"), most)  # before its labels are drawn
    run = make_ring_run(name, n, params=params, **ring)
    if run.algorithm.tosses():
        raise RunError(
            f"{run.algorithm.name} tosses coins: it has infinitely many executions, so run it with --trials."
        )
    found = all_interleavings(run.algorithm, run.ring, most, progress or no_progress)
    return ExactRing(
        protocol=run.algorithm.name,
        params=run.algorithm.params,
        n=run.ring.n,
        labels=list(run.ring.labels),  # type: ignore[arg-type]
        configurations=found.configurations,
        steps=found.steps,
        endings=found.endings,
        messages=list(found.messages),
        leaders=list(found.leaders),
        agreed=found.agreed,
        confluent=found.confluent,
        broken=found.broken,
        command=_replay(run, found),
        seconds=time.perf_counter() - began,
    )


def _replay(run: RingRun, found: Interleavings) -> str | None:
    if found.schedule is None:
        return None
    words = ["princeps", "run", run.spec, "--labels", run.ring.text]
    for key, value in run.algorithm.given.items():
        words += ["-p", f"{key}={value}"]
    words += ["--schedule", f"order:{','.join(map(str, found.schedule))}"]
    words += ["--force"] if run.force else []
    return command_or_reason(shlex.join([*words, "--trace"]), run.no_command)
