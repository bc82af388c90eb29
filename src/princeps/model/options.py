"""What a user may ask of a run, declared once: type, default, help, and for which kinds of run it is.

The fields of `RunOptions` are the keyword arguments of `princeps.run` and of its relatives, and the options of the
verbs; a new one is added here and is then known everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cache
from inspect import Parameter, Signature
from typing import Any, TypeVar

from princeps.errors import ParameterError, RunError, UnknownName

POPULATION, RING = "population", "ring"
KIND_NAMES = {POPULATION: "a population protocol", RING: "a ring algorithm"}
EVERY_KIND = (POPULATION, RING)
AXIS, FIXED = "axis", "fixed"  # how a sweep takes an option

Count = int | str | float  # a whole number as people type it: 1000, "1e6"
T = TypeVar("T")


@dataclass(frozen=True)
class Option:
    """One option of a verb and keyword of its function. `flags` are its spellings on the command line."""

    name: str
    type: str  # as the annotation says it
    default: Any
    help: str
    kinds: tuple[str, ...]
    flags: tuple[str, ...]
    metavar: str | None = None
    repeated: bool = False  # may be given several times on the command line; a sequence in Python
    sweep: str = ""  # AXIS: a sweep takes several values; FIXED: it takes one; else it is about a single run

    @property
    def is_flag(self) -> bool:
        return isinstance(self.default, bool)

    @property
    def flag(self) -> str:
        return self.flags[0]


def option(
    default: Any,
    help: str,
    *,
    kinds: tuple[str, ...] = EVERY_KIND,
    flags: tuple[str, ...] = (),
    metavar: str | None = None,
    repeated: bool = False,
    sweep: str = "",
) -> Any:
    """A field of a class of options."""
    more = {"help": help, "kinds": kinds, "flags": flags, "metavar": metavar, "repeated": repeated, "sweep": sweep}
    return field(default=default, metadata=more)


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """Everything that may be said of a run beside its protocol, its size and its parameters, as the user said it."""

    start: str | None = option(
        None,
        "A start of the protocol, file:PATH, or inline states:1,0;0,2 or json:LIST.",
        kinds=(POPULATION,),
        sweep=AXIS,
    )
    until: str | None = option(None, "The goal.", kinds=(POPULATION,), sweep=AXIS)
    seed: int | str | None = option(None, "An integer; chosen and shown if left out.")
    trial: int | str | None = option(None, "Only this trial of the seed, counted from 0.")
    engine: str = option(
        "auto", "auto, reference, agents, events or counts; for ring algorithms auto, reference, compiled.", sweep=FIXED
    )
    max_steps: Count | None = option(None, "Give up after this many steps.", sweep=FIXED)
    faults: Sequence[str] = option(
        (), "STEP:K or every:STEPS:K; repeatable.", kinds=(POPULATION,), flags=("--fault",), repeated=True, sweep=FIXED
    )
    hold: bool = option(False, "Go on until the unique leader is lost.", kinds=(POPULATION,), sweep=FIXED)
    check: bool = option(False, "Assert invariants on every step (slow).", kinds=(POPULATION,))
    scheduler: Any = option(
        None,
        "Who acts next. Populations: uniform, self-meeting, weighted:FILE, forwards, backwards, bursts, cliques, or "
        "FILE.py:NAME. Rings: synchronous, random, slow:EDGE, adversarial, order:0,1,...",
        metavar="SCHEDULER",
        sweep=FIXED,
    )
    schedule: str | None = option(None, "The same as --scheduler, for ring algorithms.", kinds=(RING,))
    pairs: str | Sequence[tuple[int, int]] | None = option(
        None, "Replay a schedule: a file with an ordered pair a line, or list:0-1,1-2.", kinds=(POPULATION,)
    )
    graph: str | None = option(
        None,
        "complete, ring (directed), undirected-ring, path, star, grid:RxC, torus:RxC, regular:D, er:P, or a file of edges.",
        kinds=(POPULATION,),
        sweep=AXIS,
    )
    ids: str | Sequence[int] | None = option(
        None, "Identifiers: a list like 3,1,2 or random:MAX.", kinds=(POPULATION,), sweep=FIXED
    )
    record: Sequence[str] | Mapping[str, str] = option(
        (), "Count this predicate over time; repeatable.", kinds=(POPULATION,), repeated=True
    )
    every: float | str = option(0.1, "Parallel time between two records.", kinds=(POPULATION,))
    force: bool = option(False, "Run on a graph or ring the protocol is not made for.", sweep=FIXED)
    labels: Any = option(None, "Ring: labels clockwise, 1,2,2 or ABAAB.", kinds=(RING,))
    random: str | None = option(None, "Ring: n=1000,labels=50,max=20, asymmetric.", kinds=(RING,))
    ring: str | None = option(None, "Ring: a file of labels.", kinds=(RING,))


@dataclass(frozen=True, kw_only=True)
class TraceOptions:
    """How an execution is shown while it runs."""

    trace: Any = option(None, "Ring: print every event, or write it to FILE.jsonl.", kinds=(RING,))
    diagram: str | None = option(None, "Ring: draw the execution into FILE.svg, .pdf or .png.", kinds=(RING,))


@dataclass(frozen=True, kw_only=True)
class TrialOptions:
    """How many trials are run, and over how many processes."""

    trials: Count = option(1, "How many trials.")
    jobs: Count = option(1, "How many worker processes.")

    def read(self) -> tuple[int, int]:
        from princeps.model.numbers import read_count

        counts = (read_count(self.trials, "trials"), read_count(self.jobs, "jobs"))
        for value, what in zip(counts, ("trials", "jobs"), strict=True):
            if value < 1:
                raise ParameterError(f"{what} = {value} is too small: give at least 1.")
        return counts


@dataclass(frozen=True, kw_only=True)
class SweepOptions:
    """How a campaign is carried out; what is left out a plan may say, or its default holds."""

    trials: Count | None = option(None, "Trials of each point (100).")
    store: str | None = option(None, "The file that keeps the results (results.db).")
    precision: float | str | None = option(None, "Stop at this precision of the mean, like 1%; --trials is the most.")
    seed: int | str | None = option(None, "Of the campaign (0).")
    jobs: Count | None = option(None, "Worker processes (all processors).")
    cluster: str | None = option(None, "Use a Dask cluster: tcp://host:8786.")


@cache
def options_of(cls: type) -> dict[str, Option]:
    """The options that a class declares, by name."""
    return {declared.name: _option(declared) for declared in fields(cls)}


def _option(declared: Field[Any]) -> Option:
    more = dict(declared.metadata)
    flags = more.pop("flags") or (f"--{declared.name.replace('_', '-')}",)
    assert declared.default is not MISSING
    return Option(declared.name, str(declared.type), declared.default, flags=flags, **more)


def is_given(value: Any, declared: Option) -> bool:
    """Something was said, other than the default."""
    if declared.repeated:
        return bool(value)
    return value is not None and value != declared.default and str(value) != str(declared.default)


def refuse_other_kinds(options: Any, kind: str, name: str) -> None:
    """An option that does not fit the kind of protocol is refused, not ignored."""
    cls: type = type(options)
    for declared in options_of(cls).values():
        if kind not in declared.kinds and is_given(getattr(options, declared.name), declared):
            raise RunError(f"{name} is {KIND_NAMES[kind]}: {declared.flag} is not for it. Leave it out.")


def split(given: Mapping[str, Any], cls: type) -> tuple[dict[str, Any], dict[str, Any]]:
    """Keyword arguments as options of the class, and the others: parameters of a protocol."""
    known = options_of(cls)
    return (
        {name: value for name, value in given.items() if name in known},
        {name: value for name, value in given.items() if name not in known},
    )


def takes_options(
    cls: type, without: Sequence[str] = (), also: Mapping[str, Any] | None = None
) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Gives a function of **options the signature that help() and notebooks show: the options by name and default."""

    def decorate(function: Callable[..., T]) -> Callable[..., T]:
        from inspect import signature

        own = signature(function)
        parameters = [p for p in own.parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
        taken = {p.name for p in parameters}
        for declared in options_of(cls).values():
            if declared.name not in taken and declared.name not in without:
                parameters.append(
                    Parameter(declared.name, Parameter.KEYWORD_ONLY, default=declared.default, annotation=declared.type)
                )
        parameters.append(Parameter("params", Parameter.VAR_KEYWORD, annotation="int"))
        function.__signature__ = Signature(parameters, return_annotation=own.return_annotation)  # type: ignore[attr-defined]
        lines = [
            f"    {declared.name}: {declared.help}"
            for declared in options_of(cls).values()
            if declared.name not in without
        ]
        function.__doc__ = f"{(function.__doc__ or '').rstrip()}\n\n    Options:\n" + "\n".join(lines)
        return function

    return decorate


def check_choice(value: str, what: str, known: Sequence[str]) -> str:
    if value not in known:
        raise UnknownName(what, value, known)
    return value
