"""The options of a run, of its trials and of a sweep.

The fields of `RunOptions` are the keyword arguments of `princeps.run` and of its relatives, and the options of the
verbs; a new one is added here and is then known everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from princeps.model.limits import read_jobs, read_trials
from princeps.model.numbers import Count, Integer
from princeps.model.options.declaring import (
    AXIS,
    FAULTS,
    FIXED,
    HOW,
    OUTPUT,
    POPULATION,
    RING,
    RINGS,
    UNTIL,
    WHERE,
    option,
    options_of,
)
from princeps.model.rings.scheduler import scheduler_forms


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """Everything that may be said of a run beside its protocol, its size and its parameters, as the user said it."""

    start: Any = option(
        None,
        "A start of the protocol, a state that all are in, counts:L=2,F=1, file:PATH, states:1,0;0,2 or json:LIST; in Python "
        "also a list of states, a mapping from states to numbers of agents, or a snapshot.",
        kinds=(POPULATION,),
        sweep=AXIS,
        exact=True,
        metavar="START",
    )
    until: str | None = option(
        None,
        "A goal of the protocol, or a condition like 'leaders == 1 and count(FIELD == 2) == 0'.",
        kinds=(POPULATION,),
        sweep=AXIS,
        exact=True,
        metavar="GOAL",
        group=UNTIL,
    )
    seed: Integer | None = option(
        None, "An integer; chosen and shown if left out.", exact=True, metavar="INTEGER", group=HOW
    )
    trial: Integer | None = option(None, "Only this trial of the seed, counted from 0.", metavar="INTEGER", group=HOW)
    engine: str = option("auto", "The engine, by its name in the registry.", sweep=FIXED, metavar="ENGINE", group=HOW)
    max_steps: Count | None = option(None, "Give up after this many steps.", sweep=FIXED, metavar="STEPS", group=UNTIL)
    faults: Sequence[str] = option(
        (),
        takes="str | Sequence[str]",
        help="STEP:K or every:STEPS:K; torn:STEP, torn:every:STEPS or torn:RATE%: an interaction of which only one side, "
        "drawn or named (torn:STEP:responder), takes its new state.",
        kinds=(POPULATION,),
        flags=("--fault",),
        repeated=True,
        sweep=FIXED,
        metavar="STEP:K",
        group=FAULTS,
    )
    hold: bool = option(False, "Go on until the unique leader is lost.", kinds=(POPULATION,), sweep=FIXED, group=UNTIL)
    check: bool = option(False, "Assert invariants on every step (slow).", kinds=(POPULATION,), group=HOW)
    scheduler: Any = option(
        None,
        "Who acts next. Populations: uniform, self-meeting, weighted:FILE, forwards, backwards, bursts, cliques, greedy:K, or "
        f"FILE.py:NAME. Rings: {', '.join(scheduler_forms())}",
        metavar="SCHEDULER",
        sweep=FIXED,
        group=WHERE,
    )
    schedule: str | None = option(
        None,
        "The same as --scheduler, for ring algorithms.",
        kinds=(RING,),
        sweep=FIXED,
        metavar="SCHEDULER",
        group=RINGS,
    )
    pairs: str | Sequence[tuple[int, int]] | None = option(
        None,
        takes="FilePath | Iterable[Sequence[int]] | None",
        help="Replay a schedule: a file with an ordered pair a line, or list:0-1,1-2.",
        kinds=(POPULATION,),
        metavar="PAIRS",
        group=WHERE,
    )
    graph: Any = option(
        None,
        "complete, ring (directed), undirected-ring, path, star, grid:RxC, torus:RxC, regular:D, er:P, list:0-1;1-2, or a "
        "file of edges; in Python also a list of edges, a matrix, or a graph of networkx.",
        kinds=(POPULATION,),
        sweep=AXIS,
        exact=True,
        metavar="GRAPH",
        group=WHERE,
    )
    ids: str | Sequence[int] | None = option(
        None,
        takes="str | Iterable[SupportsIndex] | None",
        help="Identifiers: a list like 3,1,2 or random:MAX.",
        kinds=(POPULATION,),
        sweep=FIXED,
        exact=True,
        metavar="IDS",
    )
    record: Sequence[str] | Mapping[str, str] = option(
        (),
        takes="str | Sequence[str] | Mapping[str, str]",
        help="Count this predicate over time, or with `states` every state.",
        kinds=(POPULATION,),
        repeated=True,
        metavar="PREDICATE",
        group=OUTPUT,
    )
    every: float | str = option(
        0.1, "Parallel time between two records.", kinds=(POPULATION,), metavar="TIME", group=OUTPUT
    )
    snapshots: Any = option(
        None,
        "Keep whole configurations at these steps: 0,100,1e6; in Python a list of them.",
        kinds=(POPULATION,),
        metavar="STEPS",
        group=OUTPUT,
    )
    force: bool = option(
        False,
        "A graph or ring that the protocol is not made for; replace files that princeps did not write.",
        sweep=FIXED,
        exact=True,
        group=WHERE,
    )
    labels: Any = option(
        None,
        "Ring: labels clockwise, 1,2,2 or ABAAB.",
        kinds=(RING,),
        exact=True,
        sweep=FIXED,
        metavar="LABELS",
        group=RINGS,
    )
    random: str | None = option(
        None,
        "Ring: n=1000,labels=50,max=20, asymmetric.",
        kinds=(RING,),
        exact=True,
        sweep=FIXED,
        metavar="SIZES",
        group=RINGS,
    )
    ring: str | None = option(
        None,
        takes="FilePath | None",
        help="Ring: a file of labels.",
        kinds=(RING,),
        exact=True,
        sweep=FIXED,
        metavar="FILE",
        group=RINGS,
    )


# What a session does step by step instead: attacks, recording, waiting.
OF_WHOLE_RUNS = ("faults", "hold", "record", "every", "snapshots")
STEP_BY_STEP = dict.fromkeys(
    OF_WHOLE_RUNS, "it is for a whole run, and this one is attacked and looked at step by step"
)
OF_RUNS_ONLY = tuple(name for name, declared in options_of(RunOptions).items() if not declared.exact)
OF_RACES = ("until", "seed", "engine", "max_steps", "graph", "scheduler", "force")  # for the worst start
NOT_OF_RACES = tuple(name for name in options_of(RunOptions) if name not in OF_RACES)
OF_ONE_RUN = tuple(name for name, declared in options_of(RunOptions).items() if not declared.sweep)


def shared_with_exact(options: RunOptions, kind: str) -> dict[str, Any]:
    """The options that an exact analysis of this kind of protocol takes from those of a run."""
    declared = options_of(RunOptions).items()
    return {name: getattr(options, name) for name, one in declared if one.exact and kind in one.kinds}


@dataclass(frozen=True, kw_only=True)
class TraceOptions:
    """How an execution is shown while it runs."""

    trace: Any = option(
        None, "Print every event or interaction, or write it to FILE.jsonl.", metavar="FILE", group=OUTPUT
    )
    diagram: str | None = option(
        None, "Draw the execution into FILE.svg, .pdf or .png: time downwards.", metavar="FILE", group=OUTPUT
    )
    window: Any = option(
        None,
        "Trace and draw only this part: 100..200, in steps; on a ring in time units.",
        metavar="A..B",
        group=OUTPUT,
    )


@dataclass(frozen=True, kw_only=True)
class TrialOptions:
    """How many trials are run, and over how many processes."""

    trials: Count = option(1, "How many trials.", metavar="NUMBER", group=HOW)
    jobs: Count = option(1, "How many worker processes.", metavar="NUMBER", group=HOW)

    def read(self) -> tuple[int, int]:
        return read_trials(self.trials), read_jobs(self.jobs)


@dataclass(frozen=True, kw_only=True)
class SweepOptions:
    """How a campaign is carried out; what is left out a plan may say, or its default holds."""

    trials: Count | None = option(None, "Trials of each point (100).", metavar="NUMBER", group=HOW)
    store: str | None = option(None, "The file that keeps the results (results.db).", metavar="FILE", group=OUTPUT)
    precision: float | str | None = option(
        None, "Stop at this precision of the mean, like 1%; --trials is the most.", metavar="SHARE", group=HOW
    )
    seed: Integer | None = option(None, "Of the campaign (0).", metavar="INTEGER", group=HOW)
    jobs: Count | None = option(None, "Worker processes (all processors).", metavar="NUMBER", group=HOW)
    cluster: str | None = option(None, "Use a Dask cluster: tcp://host:8786.", metavar="ADDRESS", group=HOW)
    rare: bool = option(
        False, "With --hold: then estimate the holding times by splitting, which no trial may see.", group=HOW
    )
