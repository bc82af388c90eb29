"""Whole configurations at given steps: what `--snapshots 0,100,1e6` keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, cast

from princeps.errors import ParameterError, RunError
from princeps.model.formatting import counted
from princeps.model.frames import pandas_frame, polars_frame
from princeps.model.numbers import in_words, read_count
from princeps.model.report import MAX_ROWS, Table
from princeps.model.state_names import StateNames
from princeps.model.states import State
from princeps.wording import either

if TYPE_CHECKING:
    from princeps.model.frames import Columns, IntegerArray, PandasFrame, PolarsFrame

SAFE_JSON_INTEGER = 1 << 53
MAX_SNAPSHOTS = 10**6  # of one run: a range may have any number
MOST_LISTED = 10**6  # agents without numbers, as a list


@dataclass(frozen=True, repr=False)
class Snapshot:
    """One configuration. `snapshot["leader"]` is the array of a field, indexed by agent; the engine `counts` numbers no
    agents and has `counts` only, the number of agents in each occupied state."""

    step: int
    n: int
    state_names: StateNames
    tally: tuple[tuple[State, int], ...]  # the occupied states, and how many agents are in each
    fields: Mapping[str, IntegerArray] | None  # an array for each field, by agent
    leading: frozenset[State] = frozenset()  # those of the states that lead; not looked for among very many

    @property
    def parallel_time(self) -> float:
        return self.step / self.n

    @cached_property
    def counts(self) -> dict[str, int]:
        return {self.state_names.name(state): size for state, size in self.tally}

    def __getitem__(self, field: str) -> IntegerArray:
        if self.fields is None:
            raise RunError(
                'engine="counts" has no agents with numbers, so there is no array of a field: read .counts, or use engine="agents".'
            )
        if field not in self.fields:
            raise RunError(f"{field!r} is no field of this protocol: it has {', '.join(self.fields)}.")
        return self.fields[field]

    def agents(self) -> list[State]:
        """The state of every agent; of the engine `counts`, which numbers none, in the order of the states."""
        if self.fields is not None:
            return list(zip(*(values.tolist() for values in self.fields.values()), strict=True))
        if self.n > MOST_LISTED:
            raise RunError(
                f"{self.n:,} agents of the engine counts are too many for a list of states, more than {MOST_LISTED:,}: read .counts."
            )
        return [state for state, size in self.tally for _ in range(size)]

    def columns(self) -> Columns:
        """One row an agent: its number and its fields. Of the engine `counts` one row a state: its fields, and count."""
        names = self.state_names
        if self.fields is None:
            rows = [names.values(state) for state, _ in self.tally]
            fields = names.columns("count")
            found: Columns = {field: [row[k] for row in rows] for k, field in enumerate(fields)}
            found["count"] = [size for _, size in self.tally]
            return found
        arrays = list(self.fields.values())
        columns = {field: names.column(k, arrays[k].tolist()) for k, field in enumerate(names.columns("agent"))}
        return cast("Columns", {"agent": list(range(self.n)), **columns})

    def to_pandas(self) -> PandasFrame:
        return pandas_frame(self.columns())

    def to_polars(self) -> PolarsFrame:
        return polars_frame(self.columns())

    def as_json(self) -> dict[str, Any]:
        """`agents`: the values of each field by agent; of the engine `counts` only `counts`."""
        step = self.step if self.step <= SAFE_JSON_INTEGER else str(self.step)
        found: dict[str, Any] = {"step": step, "parallel_time": self.parallel_time}
        if self.fields is not None:
            return found | {"agents": {name: values.tolist() for name, values in self.fields.items()}}
        return found | {"counts": self.counts}

    def _table(self) -> Table:
        title = f"step {self.step:,}, parallel time {self.parallel_time:,.6g}: {counted(self.n, 'agents')} in {counted(len(self.tally), 'states')}"
        largest = sorted(self.tally, key=lambda pair: -pair[1])
        rows = [[self.state_names.name(state), f"{size:,}"] for state, size in largest[: MAX_ROWS + 1]]
        more = len(largest) - len(rows)
        below = f"... and {more:,} more states" if more > 0 else ""
        return Table(title, ("state", "agents"), rows[:MAX_ROWS] if more > 0 else rows, left=("state",), below=below)

    def __repr__(self) -> str:
        return self._table().text()

    def _repr_html_(self) -> str:
        return self._table().html()


class Snapshots(dict[int, Snapshot]):
    """Configurations by their steps; `missed` are the steps that the run never came to."""

    def __init__(self, found: Iterable[Snapshot] = (), missed: Sequence[int] = ()) -> None:
        super().__init__((snapshot.step, snapshot) for snapshot in found)
        self.missed = tuple(missed)

    def __reduce__(self) -> Any:
        return Snapshots, (list(self.values()), self.missed)

    def __missing__(self, step: int) -> Snapshot:
        why = "the run ended before it" if step in self.missed else f"there are {_listed(list(self)) or 'none'}"
        raise RunError(f"there is no snapshot of step {step!r}: {why}.")

    def as_json(self) -> list[dict[str, Any]]:
        return [snapshot.as_json() for snapshot in self.values()]

    def in_words(self) -> str:
        """`3 configurations, of steps 0, 10, 100; 1e6 was not reached`."""
        found = f"{len(self):,} whole configuration{'' if len(self) == 1 else 's'}"
        found += f", of step{'' if len(self) == 1 else 's'} {_listed(list(self))}" if self else ""
        if self.missed:
            found += f"; {_listed(self.missed)} {'was' if len(self.missed) == 1 else 'were'} not reached"
        return found

    def __repr__(self) -> str:
        return self.in_words()


def _listed(steps: Sequence[int]) -> str:
    shown = [in_words(step) for step in steps]
    return ", ".join(shown) if len(shown) <= 8 else ", ".join([*shown[:6], "...", shown[-1]])


def _remedy() -> str:
    return f"give steps like {either('0,100,1e6', '[0, 100, 1000]')}"


def read_snapshots(given: Any) -> tuple[int, ...]:
    """The steps in their order, from 0,100,1e6 or a list of numbers."""
    if given is None:
        return ()
    plain = given.tolist() if hasattr(given, "tolist") else given
    if isinstance(plain, str):
        parts: list[Any] = [part.strip() for part in plain.split(",")]
    else:
        parts = list(islice(plain, MAX_SNAPSHOTS + 1)) if isinstance(plain, Iterable) else [plain]
    if len(parts) > MAX_SNAPSHOTS:
        raise ParameterError(f"snapshots has more than {MAX_SNAPSHOTS:,} steps: take fewer.")
    for part in parts:
        if isinstance(part, bool) or (not isinstance(part, str | int | float) and not hasattr(part, "__index__")):
            raise ParameterError(f"snapshots has {part!r}, which is no step: {_remedy()}.")
    steps = [read_count(part if isinstance(part, str | float) else int(part), "snapshots") for part in parts]
    for step in steps:
        if step < 0:
            raise ParameterError(f"snapshots has {step}, which is negative: {_remedy()}.")
    ordered = sorted(steps)
    twice = next((a for a, b in pairwise(ordered) if a == b), None)
    if twice is not None:
        raise ParameterError(f"snapshots has {twice} twice: name each step once.")
    return tuple(ordered)
