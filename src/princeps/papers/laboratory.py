"""The laboratory, which the check of a claim asks for evidence.

A check is plain code. What it asks for is noted; when it reads an answer that is not in the store yet, NotReady is
raised and the check ends for now. When all checks have asked, all missing evidence is collected together, over all
processors, and the checks are called again. So nothing is run twice, whatever the order of checks and sessions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from princeps.campaign import evidence
from princeps.campaign.identity import point_seed
from princeps.campaign.plan import distinct, grid
from princeps.campaign.point import Point
from princeps.campaign.store import Store
from princeps.errors import RunError
from princeps.model.registry import Named
from princeps.papers.altered import altered, source_of
from princeps.papers.answers import Measurement, SweepTrials
from princeps.papers.claims import Planted
from princeps.papers.pending import MeasuringTask, MissingEvidence
from princeps.papers.reached import reached_from
from princeps.papers.sources import (
    digest,
    found_at,
    place_of,
    reads_seed,
    source_of_module,
    sweep_command,
    without_look,
)
from princeps.papers.used import UsedEvidence

SKETCH, QUICK, FULL = "sketch", "quick", "full"  # a sketch is enough to see a planted fault


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
        missing: MissingEvidence | None = None,
        used: UsedEvidence | None = None,
    ) -> None:
        self.store, self.effort, self.seed, self.planted, self.folder = store, effort, seed, planted, folder
        self.missing = MissingEvidence() if missing is None else missing
        self.used = UsedEvidence() if used is None else used
        evidence.create_table(store)

    def pick(self, quick: Any, full: Any, sketch: Any = None) -> Any:
        """How much: for --quick, for --full, and (as for --quick if nothing is said) with a planted fault."""
        if self.effort == SKETCH:
            return quick if sketch is None else sketch
        return quick if self.effort == QUICK else full

    def protocol(self, name: Named) -> Named:
        """What to run under this name: the protocol, or its copy with the planted fault. A class is itself."""
        if not isinstance(name, str):
            return name
        edits = [(old, new) for of, old, new in (self.planted.edits if self.planted else ()) if of == name]
        if not edits:
            return name
        if self.folder is None:
            raise RunError("a fault cannot be planted without a folder for the altered protocol.")
        return altered(name, edits, self.folder)

    # -- asking -----------------------------------------------------------------------------------------------------

    def sweep(
        self,
        name: Named,
        n: int | Sequence[int],
        *,
        trials: int,
        start: str | None = None,
        until: str | None = None,
        max_steps: int | None = None,
        engine: str | None = None,
        hold: bool = False,
        ids: str | None = None,
        random: str | None = None,
        scheduler: str | None = None,
        **params: Any,
    ) -> SweepTrials:
        """Trials of a protocol at one or several sizes: the same points and the same seeds as `princeps sweep` has.

        A limit is not part of a point: a trial that another claim let run further is here with its later end, so that a
        judgement about the limit looks at the steps of each trial, not at whether it came to an end.
        """
        options: dict[str, Any] = {"n": n, "start": start, "until": until, "max_steps": max_steps, "engine": engine}
        options |= {"hold": hold or None, "ids": ids, "random": random, "scheduler": scheduler}
        given = {key: value for key, value in options.items() if value is not None}
        points = distinct(grid([self.protocol(name)], params, **given))
        for point in points:
            self.used.note_trials(point, self.seed, trials)
        return SweepTrials(self, points, trials, sweep_command(name, given, params, trials, self.seed))

    def measure(
        self, function: Callable[..., Any], *, parts: int = 1, command: str = "", **arguments: Any
    ) -> Measurement:
        """function(part, seed=..., **arguments) for each part, in worker processes; the answers are plain data.

        The function stands at the top of its file. An argument `protocol` is the name of a protocol, and `watchers` are
        places of classes. If the file of any of them is edited, or anything that they reach in another file
        (papers/reached.py), it is measured anew. Where the function does not look at its seed, the answer is that of every seed.
        """
        place = place_of(function)
        if "protocol" in arguments:
            arguments["protocol"] = self.protocol(arguments["protocol"])
        known = {**arguments}
        sources = [source_of_module(function.__module__)]
        watchers = arguments.get("watchers", ())
        sources += [source_of_module(watcher.rpartition(":")[0]) for watcher in watchers]
        roots = [function, *(found_at(watcher) for watcher in watchers)]
        sources += reached_from(roots, apart_from={root.__module__ for root in roots})
        if "protocol" in arguments:
            sources.append(without_look(source_of(arguments["protocol"])))
            known["protocol"] = sources[-1]
        name = f"{Path(place.rpartition(':')[0]).stem}:{function.__name__}"
        seed = point_seed(self.seed, digest([name, known]))
        of_seed = self.seed if reads_seed(function) else 0
        task = MeasuringTask(
            digest([name, sources, known, of_seed]), place, {**arguments, "seed": seed}, parts, function.__name__
        )
        self.used.note_task(task)
        return Measurement(self, task, command)

    def has_trials(self, point: Point, trials: int) -> bool:
        """All these trials are in the store, run as far as is asked for."""
        found = self.store.one("SELECT number FROM points WHERE id = ?", (point.id,))
        if not found:
            return False
        there = self.store.stored_trials(found[0], point.seed(self.seed), 0, trials, point.limit)
        return sum(engine is None for engine in there.values()) == trials
