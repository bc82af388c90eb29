"""A point of a campaign of a ring algorithm: the algorithm by its content, how its ring is drawn, and who acts next.

A ring is given as for a single run: by its labels, by a file, by `--random`, or by n alone. In a sweep n may stand beside
`--random`, which then leaves it out and may say the rest as formulas: `-n 8,16 --random labels=n/2,max=2`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from princeps.campaign.formula import whole_number
from princeps.campaign.identity import point_id
from princeps.campaign.point import Point, is_default
from princeps.model.canonical import content_of_value
from princeps.model.description import Description, read
from princeps.model.options import RING
from princeps.model.registry import require_ring
from princeps.model.rings.algorithm import RingAlgorithm
from princeps.model.rings.reading_rings import random_parts
from princeps.model.rings.run import RingRun

NUMBERED, ANONYMOUS, RANDOM, LISTED = "numbered", "anonymous", "random", "labels"
ELECTED = "elected"  # what every run goes on to


@dataclass(frozen=True)
class RingPoint(Point):
    """Its `start` is how the ring is given, its graph always the ring."""

    @property
    def measure(self) -> str:
        return "time"

    @property
    def rule(self) -> str:
        """The same for all sizes and parameters of one algorithm under one schedule."""
        return point_id({"algorithm": self.content["algorithm"], "schedule": self.content["schedule"]})

    @property
    def stored(self) -> dict[str, Any]:
        run = cast(RingRun, read(self.description, 0))
        return {**super().stored, "kind": RING, "n": self.n, "ring_words": list(run.ring_words)}


def make_ring_point(
    description: Description, options: Mapping[str, Any], typed: Mapping[str, str], n: int | None
) -> RingPoint:
    """Read and check one point; whatever is wrong with it is refused before anything is run."""
    asked = description.options.random
    if asked is not None and n is not None and "n" not in random_parts(asked):
        description = replace(description.with_options(random=_sized(asked, n)), n=None)
    run = cast(RingRun, read(description, 0))
    content = content_of_ring(run, description.params)
    params = {name: run.algorithm.given[name] for name in content["params"]}
    kept = {name: value for name, value in options.items() if name not in ("schedule", "labels")}
    return RingPoint(
        id=point_id(content),
        content=content,
        description=description,
        options={**kept, "scheduler": run.scheduler.text},
        typed={key: text for key, text in typed.items() if not is_default(description.cls, key, text)},
        protocol=run.algorithm.name,
        n=run.ring.n,
        params=params,
        constants=params,
        graph="ring",
        start=_in_words(run, asked),
        until=ELECTED,
        limit=run.max_steps,
    )


def content_of_ring(run: RingRun, given: Mapping[str, Any]) -> dict[str, Any]:
    """Everything that the law of a run depends on. `given` are the parameters that the user gave.

    Where each trial draws labels that may repeat, the default of a parameter may be another one in each trial.
    """
    ring = _ring(run)
    params = {name: value for name, value in run.algorithm.given.items() if ring[0] != RANDOM or name in given}
    return {
        "algorithm": _algorithm(require_ring(type(run.algorithm))),
        "params": {name: str(value) for name, value in sorted(params.items())},
        "n": run.ring.n,
        "ring": ring,
        "schedule": run.scheduler.text,
    }


def _algorithm(cls: type[RingAlgorithm]) -> dict[str, Any]:
    """What its executions depend on: not the names of actions, nor what is promised or demanded of rings."""
    return {
        "actions": [
            [content_of_value(action.body), None if action.message is None else action.message.notation, action.side]
            for action in cls.actions
        ],
        "variables": content_of_value(cls.variables_),
        "defaults": {name: content_of_value(param.default) for name, param in sorted(cls.params_.items())},
        "derived": {name: content_of_value(derived.of) for name, derived in sorted(cls.derived_.items())},
        "flags": [cls.bidirectional, cls.anonymous, cls.elects_true_leader],
    }


def _ring(run: RingRun) -> list[Any]:
    """How the labels of a trial come about."""
    way, text = run.ring_words
    if way == "-n":
        return [ANONYMOUS if type(run.algorithm).anonymous else NUMBERED]
    if way == "--random":
        parts = {name: value for name, value in random_parts(text).items() if name != "n"}
        return [RANDOM, *sorted(parts.items())] if parts else [NUMBERED]
    return [LISTED, list(run.ring.labels)]


def _in_words(run: RingRun, asked: str | None) -> str:
    """For tables, which have no room for a thousand labels."""
    kind = _ring(run)[0]
    if kind == RANDOM:
        return (
            f"random:{','.join(f'{name}={value}' for name, value in random_parts(asked or '').items() if name != 'n')}"
        )
    return f"labels:{run.ring.short}" if kind == LISTED else str(kind)


def _sized(text: str, n: int) -> str:
    parts = random_parts(text)
    sized = {name: value if value == "k" else str(whole_number(value, name, n)) for name, value in parts.items()}
    return ",".join(f"{name}={value}" for name, value in {"n": n, **sized}.items())
