"""The laboratory: a claim asks it for evidence, and gets it once it is there.

A check is plain code. What it asks for is noted, and where an answer is looked into that is not in the store yet, the
check is given up for the moment. When all checks have asked, everything that is missing is run together, over all
processors; then the checks are called again. So nothing is run twice, in whatever order and in however many sessions.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from princeps.campaign import evidence
from princeps.campaign.fit import Fit, fit_series
from princeps.campaign.identity import point_seed
from princeps.campaign.plan import distinct, grid
from princeps.campaign.point import Point
from princeps.campaign.results import StoredPoint, read_points
from princeps.campaign.rows import HAS_ENDED, WAS_CUT
from princeps.campaign.sample import Sample
from princeps.campaign.series import Series
from princeps.campaign.store import Store
from princeps.errors import RunError
from princeps.papers.altered import altered, source_of
from princeps.papers.claims import Planted

SKETCH, QUICK, FULL = "sketch", "quick", "full"  # a sketch is enough to see a planted fault
DIGITS = 20


class NotYet(Exception):
    """The evidence is not in the store; it has been noted as missing."""


class Failed(Exception):
    """The evidence could not be had; the sentence says why."""


@dataclass(frozen=True)
class Task:
    """A function, by its place, that is called for the parts 0..parts-1."""

    id: str
    place: str
    arguments: dict[str, Any]
    parts: int
    name: str


@dataclass
class Missing:
    """What has been asked for and is not there, and what could not be had. Several labs may share it."""

    sweeps: dict[tuple[str, int], tuple[Point, int]] = field(default_factory=dict)  # points with their trials
    tasks: dict[str, Task] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)  # ids of points and tasks, and the sentences

    def clear(self) -> None:
        """All of it has been tried."""
        self.sweeps.clear()
        self.tasks.clear()


class Lab:
    """`effort` is quick or full; `planted` is a fault that the claim under test must notice."""

    def __init__(
        self,
        store: Store,
        *,
        effort: str = QUICK,
        seed: int = 0,
        planted: Planted | None = None,
        folder: Path | None = None,
        missing: Missing | None = None,
    ) -> None:
        self.store, self.effort, self.seed, self.planted, self.folder = store, effort, seed, planted, folder
        self.missing = Missing() if missing is None else missing
        evidence.create_table(store)

    def pick(self, quick: Any, full: Any, sketch: Any = None) -> Any:
        """How much: for --quick, for --full, and (as for --quick if nothing is said) with a planted fault."""
        if self.effort == SKETCH:
            return quick if sketch is None else sketch
        return quick if self.effort == QUICK else full

    def protocol(self, name: str) -> str:
        """What to run under this name: the protocol, or its copy with the planted fault."""
        edits = [(old, new) for of, old, new in (self.planted.edits if self.planted else ()) if of == name]
        if not edits:
            return name
        if self.folder is None:
            raise RunError("a fault cannot be planted without a folder for the altered protocol.")
        return altered(name, edits, self.folder)

    # -- asking -----------------------------------------------------------------------------------------------------

    def sweep(
        self,
        name: str,
        n: int | Sequence[int],
        *,
        trials: int,
        start: str | None = None,
        until: str | None = None,
        max_steps: int | None = None,
        engine: str | None = None,
        hold: bool = False,
        ids: str | None = None,
        **params: Any,
    ) -> Sampled:
        """Trials of a protocol at one or several sizes: the same points and the same seeds as `princeps sweep` has.

        A limit is not part of a point: a trial that another claim let run further is here with its later end, so that a
        judgement about the limit looks at the steps of each trial, not at whether it came to an end.
        """
        options: dict[str, Any] = {"n": n, "start": start, "until": until, "max_steps": max_steps, "engine": engine}
        options |= {"hold": hold or None, "ids": ids}
        given = {key: value for key, value in options.items() if value is not None}
        points = distinct(grid([self.protocol(name)], params, **given))
        return Sampled(self, points, trials, _sweep_command(name, given, params, trials, self.seed))

    def measure(self, function: Callable[..., Any], *, parts: int = 1, command: str = "", **arguments: Any) -> Measured:
        """function(part, seed=..., **arguments) for each part, in worker processes; the answers are plain data.

        The function stands at the top of its file. An argument `protocol` is the name of a protocol, and `watchers` are
        places of classes. If the file of any of them is edited, it is measured anew.
        """
        place = place_of(function)
        if "protocol" in arguments:
            arguments["protocol"] = self.protocol(arguments["protocol"])
        known = {**arguments}
        sources = [inspect_source(function.__module__)]
        sources += [inspect_source(watcher.rpartition(":")[0]) for watcher in arguments.get("watchers", ())]
        if "protocol" in arguments:
            sources.append(source_of(arguments["protocol"]))
            known["protocol"] = sources[-1]
        name = f"{Path(place.rpartition(':')[0]).stem}:{function.__name__}"
        seed = point_seed(self.seed, _digest([name, known]))
        task = Task(
            _digest([name, sources, known, self.seed]), place, {**arguments, "seed": seed}, parts, function.__name__
        )
        return Measured(self, task, command)

    def has_trials(self, point: Point, trials: int) -> bool:
        """All these trials are in the store, run as far as is asked for."""
        found = self.store.one("SELECT number FROM points WHERE id = ?", (point.id,))
        if not found:
            return False
        there = self.store.stored_trials(found[0], point.seed(self.seed), 0, trials, point.limit)
        return sum(engine is None for engine in there.values()) == trials


@dataclass
class Sampled:
    """Trials of the points of one sweep; looked into, they are all there or NotYet is raised."""

    lab: Lab
    points: tuple[Point, ...]
    trials: int
    command: str

    def __post_init__(self) -> None:
        for point in self.points:
            if not self.lab.has_trials(point, self.trials):
                wanted = self.lab.missing.sweeps.get((point.id, self.trials))
                self.lab.missing.sweeps[point.id, self.trials] = wanted or (point, self.trials)

    @cached_property
    def found(self) -> list[Found]:
        """In the order in which they were asked for."""
        for point in self.points:
            if point.id in self.lab.missing.failures:
                raise Failed(self.lab.missing.failures[point.id])
            if (point.id, self.trials) in self.lab.missing.sweeps:
                raise NotYet
        stored = {point.id: point for point in read_points(self.lab.store)}
        return [Found(self.lab, stored[point.id], point.seed(self.lab.seed), self.trials) for point in self.points]

    def __iter__(self) -> Any:
        return iter(self.found)

    @property
    def only(self) -> Found:
        (one,) = self.found
        return one

    def fit(self, measure: str = "steps", by: str = "n", smallest: float = 0) -> Fit:
        """The law by which it grows over these sizes."""
        found = self.found
        series = Series(
            *(found[0].point.protocol, {}, tuple(one.point for one in found), measure),
            tuple(one.sample(measure) for one in found),
        )
        return fit_series(series, by, smallest)


@dataclass
class Found:
    """The trials 0..trials-1 of one point, whatever else the store may hold of it."""

    lab: Lab
    point: StoredPoint
    seed: int
    trials: int

    @property
    def n(self) -> int:
        return self.point.n

    def column(self, expression: str, condition: str = "1") -> Any:
        rows = self.lab.store.select(
            f"SELECT {expression} FROM trials WHERE point = ? AND seed = ? AND trial < ? AND ({condition})"
            " ORDER BY trial",
            (self.point.number, self.seed, self.trials),
        )
        return np.array([float(value) for (value,) in rows])

    def sample(self, measure: str = "steps") -> Sample:
        """As the campaign's statistics know it: with trials that were cut off."""
        if measure == "parallel_time":
            return self.sample("steps").over(self.n)
        ended, cut = self.column(measure, HAS_ENDED[measure]), self.column(measure, WAS_CUT[measure])
        return Sample(ended, cut, self.trials - len(ended) - len(cut))

    @property
    def steps(self) -> Any:
        """Of trials that all came to their end."""
        sample = self.sample()
        if not sample.is_complete:
            raise Failed(f"{len(sample.cut) + sample.never} of {sample.trials} trials did not end at n = {self.n}")
        return sample.ended

    @property
    def leaders(self) -> Any:
        """At the end of each trial."""
        return self.column("leaders")

    def verdict(self, name: str) -> Any:
        """The protocol's own verdict of each trial, as 0 and 1."""
        return self.column(f"coalesce(json_extract(more, '$.{name}'), 0)")


@dataclass
class Measured:
    """The answers of all parts of a measurement."""

    lab: Lab
    task: Task
    command: str

    def __post_init__(self) -> None:
        if len(evidence.saved_parts(self.lab.store, self.task.id, self.task.parts)) < self.task.parts:
            self.lab.missing.tasks[self.task.id] = self.task

    @cached_property
    def parts(self) -> list[Any]:
        if self.task.id in self.lab.missing.failures:
            raise Failed(self.lab.missing.failures[self.task.id])
        if self.task.id in self.lab.missing.tasks:
            raise NotYet
        there = evidence.saved_parts(self.lab.store, self.task.id, self.task.parts)
        return [there[part] for part in range(self.task.parts)]

    @property
    def only(self) -> Any:
        (one,) = self.parts
        return one


def law_of(xs: Sequence[float], samples: Sequence[Any]) -> Fit:
    """The law, in x, by which samples grow that are not trials of a sweep: their values at each of the xs."""
    points = tuple(
        StoredPoint(k, "", "", "", round(x), {}, {"x": x}, ({},), "", "", "", {})  # type: ignore[dict-item]
        for k, x in enumerate(xs)
    )
    own = tuple(Sample(np.asarray(values, float), np.array([])) for values in samples)
    return fit_series(Series("", {}, points, "steps", own), "x")


# -- what a thing is called --------------------------------------------------------------------------------------------


def place_of(function: Callable[..., Any]) -> str:
    """By which a worker finds a function or a class: a module of the package, or a user's file."""
    module = sys.modules[function.__module__]
    if "." in function.__qualname__ or getattr(module, function.__name__, None) is not function:
        raise RunError(f"{function.__qualname__} cannot be found by a worker: define it at the top of its file.")
    if function.__module__.startswith("princeps_user_"):
        return f"{module.__file__}:{function.__name__}"
    return f"{function.__module__}:{function.__name__}"


def inspect_source(module: str) -> str:
    """The file of a module, which may be a user's file."""
    if module.endswith(".py"):
        return Path(module).read_text(encoding="utf-8")
    return inspect.getsource(sys.modules[module])


def _digest(what: Any) -> str:
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:DIGITS]


def _sweep_command(name: str, options: Mapping[str, Any], params: Mapping[str, Any], trials: int, seed: int) -> str:
    words = ["princeps", "sweep", name]
    sizes = options["n"]
    words += ["-n", ",".join(map(str, sizes)) if isinstance(sizes, Sequence) else str(sizes)]
    for key, value in params.items():
        words += ["-p", f"{key}={','.join(map(str, value)) if isinstance(value, (list, tuple)) else value}"]
    for key in ("start", "until", "max_steps", "engine", "ids"):
        words += [f"--{key.replace('_', '-')}", str(options[key])] if key in options else []
    words += ["--hold"] if options.get("hold") else []
    return shlex.join([*words, "--trials", str(trials), *(["--seed", str(seed)] if seed else [])])
