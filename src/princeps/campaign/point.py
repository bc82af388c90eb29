"""A point of a campaign: one law, of which trials are samples."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from princeps.campaign.identity import content_of, point_id, point_seed
from princeps.engines.conduct import default_limit
from princeps.errors import RunError
from princeps.model import registry
from princeps.model.ring_algorithm import RingAlgorithm
from princeps.model.run import make_run

NOT_HERE = ("pairs", "check", "record", "every")  # of one run, not of many


@dataclass(frozen=True)
class Point:
    """`id` is the hash of `content`; `description` is what make_run is told, without seed and trial."""

    id: str
    content: dict[str, Any]
    description: dict[str, Any]
    typed: dict[str, str]  # the parameters as the user wrote them, without those that have their default
    protocol: str
    n: int
    params: dict[str, int]
    constants: dict[str, int]  # the parameters and what derives from them
    graph: str
    start: str
    until: str
    limit: int | None  # of the steps; trials that reach it are censored
    file: str | None = None  # the user's own, that workers read again
    stamp: tuple[int, int] | None = None  # of that file, when it was read

    @property
    def measure(self) -> str:
        """What the campaign is about: the time to the goal, or how long it is held."""
        return "held_steps" if self.description["hold"] else "steps"

    @property
    def rule(self) -> str:
        """The same for all sizes and parameters of one protocol under one goal."""
        return point_id({key: self.content[key] for key in ("interact", "leads", "goal", "of_inputs")})

    def check_file(self) -> None:
        """A worker that starts later reads the file as it is then."""
        if self.file is not None and stamp(self.file) != self.stamp:
            raise RunError(
                f"{self.file} was changed while its trials were running: run the same command again. What was committed "
                f"before is of the old file, and kept as such."
            )

    def seed(self, campaign_seed: int) -> int:
        return point_seed(campaign_seed, self.id)

    def described(self, campaign_seed: int) -> dict[str, Any]:
        """For a worker: everything but the number of the trial."""
        return {**self.description, "seed": self.seed(campaign_seed)}

    @property
    def label(self) -> str:
        typed = "".join(f", {name}={value}" for name, value in self.typed.items())
        return f"{self.protocol}, n = {self.n:,}{typed}"


def make_point(description: Mapping[str, Any], typed: Mapping[str, str]) -> Point:
    """Read and check one point; whatever is wrong with it is told before anything is run."""
    unfit = next((name for name in NOT_HERE if description.get(name)), None)
    if unfit is not None:
        raise RunError(f"--{unfit} is about a single run: use princeps run for it.")
    name = description["name"]
    if isinstance(name, str) and issubclass(registry.find_any(name), RingAlgorithm):
        raise RunError(
            f"{name} is a ring algorithm, and sweeps are of population protocols: use princeps run {name} ... --trials."
        )
    run = make_run(**description, seed=0, trial=0)
    content = content_of(run)
    if any(fault.every for fault in run.faults):  # such a run always goes on to its limit, which shapes what is seen
        content["max_steps"] = str(run.max_steps)
    file = None if isinstance(name, str) and name in registry.names() else run.protocol.file()
    defaults = type(run.protocol)(run.n).given if _has_defaults(run) else {}
    return Point(
        id=point_id(content),
        content=content,
        description=dict(description),
        typed={name: text for name, text in typed.items() if run.protocol.given.get(name) != defaults.get(name)},
        protocol=run.protocol.name,
        n=run.n,
        params=run.protocol.params,
        constants=run.protocol.constants.as_dict(),
        graph=run.topology.text,
        start=run.start,
        until=run.until,
        limit=default_limit(run),
        file=file,
        stamp=None if file is None else stamp(file),
    )


def stamp(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _has_defaults(run: Any) -> bool:
    """Every parameter has a default at this n (that of some needs an identifier or is missing)."""
    try:
        type(run.protocol)(run.n)
    except Exception:
        return False
    return True
