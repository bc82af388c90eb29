"""What happened in one run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import fmean
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeVar, cast, overload

from princeps.errors import nearest
from princeps.model.formatting import counted
from princeps.model.record import Record
from princeps.model.report import Report, Table, curve
from princeps.model.snapshots import Snapshots
from princeps.model.state_history import StateHistory

if TYPE_CHECKING:
    from princeps.model.frames import Columns, PandasFrame, PolarsFrame

SAFE_JSON_INTEGER = 1 << 53
SHOWN_CURVES = 6  # of states, in a notebook


@dataclass(frozen=True)
class FaultResult:
    """`recovery_steps` from the fault to the next moment the goal held; None: never, within the limit."""

    step: int
    agents: int
    recovery_steps: int | None
    torn: str | None = None  # of a torn interaction, the side that took its new state

    def __repr__(self) -> str:
        """Of what it has: only some faults tear."""
        return f"FaultResult({', '.join(f'{name}={value!r}' for name, value in self.as_json().items())})"

    def as_json(self) -> dict[str, Any]:
        torn = {} if self.torn is None else {"torn": self.torn}
        return {"step": self.step, "agents": self.agents, "recovery_steps": self.recovery_steps, **torn}


@dataclass(frozen=True)
class Result:
    """`steps` is the first hit of the goal if it was reached; else how far the run went, or the step of the last change
    if nothing can change any more (`stuck`).

    `leaders` and `leader` are those of the last configuration, which with --hold or faults is a later one.
    """

    protocol: str
    params: dict[str, int]
    n: int
    graph: str
    start: str
    until: str
    seed: int
    trial: int
    engine: str
    steps: int
    converged: bool
    leaders: int
    leader: int | None
    seconds: float
    events: int | None = None
    why: str = ""  # this engine was chosen
    total_steps: int = 0
    interrupted: bool = False
    stuck: bool = False  # nothing can change any more, and the goal is not met
    stopped: str = (
        ""  # by what, in words, where it was neither the goal, the limit, Ctrl-C nor a stuck one; not in the JSON
    )
    hold: bool = False
    steady_faults: bool = False
    held: bool | None = None  # with --hold: still holding when the run ended; None if the goal was never met
    held_steps: int | None = None
    faults: tuple[FaultResult, ...] | None = None
    verdicts: dict[str, bool | None] = field(default_factory=dict)
    record: Record | None = None  # None without record=[...]
    states: StateHistory | None = None  # None without record="states"
    snapshots: Snapshots | None = None  # by step; None without snapshots=[...]
    command: str = ""
    not_repeatable: str = ""  # why there is no command, in words; not in the JSON

    def report(self, identifier: int | None = None) -> Report:
        """What the command line prints."""
        from princeps.model.result_report import report_on

        return report_on(self, identifier)

    def __repr__(self) -> str:
        return self.report().text()

    def _repr_html_(self) -> str:
        pictures = ""
        for name, values in (self.record or {}).items():
            if self.record is not None and name not in ("steps", "parallel_time"):
                pictures += curve(self.record["parallel_time"], values, name)
        if self.states is not None:
            for name, values in self.states.largest(SHOWN_CURVES):
                pictures += curve(self.states.parallel_time, values, name)
        return self.report().html(pictures)

    @property
    def silent(self) -> bool:
        """The name of `stuck` in 0.1.0."""
        return self.stuck

    @property
    def parallel_time(self) -> float:
        return self.steps / self.n

    @property
    def succeeded(self) -> bool:
        """The goal was met, also after every fault; a steady rate of faults is measured, not overcome."""
        recovered = all(fault.recovery_steps is not None for fault in self.faults or ())
        return self.steady_faults or (self.converged and recovered)

    def __getattr__(self, name: str) -> bool | None:
        """A protocol's own verdicts read like attributes: `result.correct`."""
        verdicts: dict[str, bool | None] = self.__dict__.get("verdicts", {})
        if name in verdicts:
            return verdicts[name]
        raise AttributeError(unknown_attribute(self, name, verdicts))

    def as_json(self) -> dict[str, Any]:
        """The object that `--json` prints; `steps` beyond 2^53, also those of a record, are strings of digits."""
        out: dict[str, Any] = {
            "protocol": self.protocol,
            "params": self.params,
            "n": self.n,
            "graph": self.graph,
            "start": self.start,
            "until": self.until,
            "seed": self.seed,
            "trial": self.trial,
            "engine": self.engine,
            "why": self.why,
            "steps": _json_steps(self.steps),
            "parallel_time": self.parallel_time,
            "converged": self.converged,
            "stuck": self.stuck,
            "leaders": self.leaders,
            "leader": self.leader,
            "events": self.events,
            "seconds": round(self.seconds, 6),
        }
        out.update(self.verdicts)
        if self.hold:
            out["held"], out["held_steps"] = self.held, self.held_steps
        if self.faults is not None:
            out["faults"] = [fault.as_json() for fault in self.faults]
        if self.record is not None:
            out["record"] = {**self.record, "steps": [_json_steps(steps) for steps in self.record["steps"]]}
        if self.states is not None:
            out["states"] = self.states.as_json()
        if self.snapshots is not None:
            out["snapshots"] = self.snapshots.as_json()
            out["snapshots_missed"] = [_json_steps(step) for step in self.snapshots.missed]
        if self.interrupted:
            out["interrupted"] = True
        if self.stuck:
            out["silent"] = True
        out["command"] = self.command
        return out


def _json_steps(steps: int) -> int | str:
    return steps if steps <= SAFE_JSON_INTEGER else str(steps)


def unknown_attribute(owner: Any, name: str, more: Iterable[str] = ()) -> str:
    """In words; with what may have been meant."""
    known = [one for one in {*dir(owner), *more} if not one.startswith("_")]
    near = [] if name.startswith("_") else nearest(name, sorted(known), cutoff=0.6)
    meant = f": did you mean {' or '.join(near)}?" if near else "."
    return f"{type(owner).__name__} has no attribute {name!r}{meant}"


R = TypeVar("R")  # Result or RingResult


class Trials(list[R]):
    """Results of several trials, in their order: a list that shows its statistics. `wanted` is how many were asked for."""

    def __init__(self, results: Iterable[R] = (), wanted: int | None = None) -> None:
        super().__init__(results)
        self.wanted = len(self) if wanted is None else wanted

    if TYPE_CHECKING:  # a slice is of the same kind, so that it shows its statistics, too

        @overload
        def __getitem__(self, place: SupportsIndex) -> R: ...
        @overload
        def __getitem__(self, place: slice) -> Trials[R]: ...
        def __getitem__(self, place: SupportsIndex | slice) -> R | Trials[R]: ...

    else:

        def __getitem__(self, place):
            found = super().__getitem__(place)
            return Trials(found, self.wanted) if isinstance(place, slice) else found

    @property
    def mean(self) -> float | None:
        """Of the steps, on a ring of the time; None if there is no trial, or some did not reach the goal."""
        values = [
            (one.steps if isinstance(one, Result) else one.time, one.converged) for one in cast("list[Any]", self)
        ]
        return fmean(value for value, _ in values) if values and all(ended for _, ended in values) else None

    def to_pandas(self) -> PandasFrame:
        """A frame of pandas with a line for each trial."""
        from princeps.model.frames import pandas_frame

        return pandas_frame(self.columns())

    def to_polars(self) -> PolarsFrame:
        """The same as a frame of polars."""
        from princeps.model.frames import polars_frame

        return polars_frame(self.columns())

    def columns(self) -> Columns:
        """The keys of `--json` that are one value, and each of the parameters, as lists."""
        rows: list[dict[str, Any]] = []
        for one in cast("list[Any]", self):
            told = {**one.as_json(), "steps": one.steps}
            plain = {key: value for key, value in told.items() if not isinstance(value, dict | list | tuple)}
            rows.append(
                {**{f"param_{name}" if name in plain else name: value for name, value in one.params.items()}, **plain}
            )
        names = dict.fromkeys(name for row in rows for name in row)
        return {name: [row.get(name) for row in rows] for name in names}

    def __repr__(self) -> str:
        return self._table().text() if self else self._nothing()

    def _repr_html_(self) -> str:
        return self._table().html() if self else f"<p>{self._nothing()}</p>"

    def _nothing(self) -> str:
        return f"none of {counted(self.wanted, 'trials', 'd')}" if self.wanted else "no trials"

    def _table(self) -> Table:
        from princeps.model.result_report import trials_table
        from princeps.model.rings.result_report import ring_trials_table

        table: Any = trials_table if isinstance(self[0], Result) else ring_trials_table
        return cast(Table, table(self, self.wanted))
