"""How many agents were in each state, over time: what `--record states` gives."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from princeps.errors import RunError
from princeps.model.formatting import counted
from princeps.model.frames import pandas_frame, polars_frame
from princeps.model.report import Table
from princeps.model.state_names import StateNames
from princeps.model.states import State

if TYPE_CHECKING:
    from princeps.model.frames import Columns, PandasFrame, PolarsFrame

MAX_WIDE = 2000  # states, each of which is a column of the wide form
SHOWN_STATES, SHOWN_MOMENTS = 20, 6  # at a prompt
ENTRY_BYTES, STATE_BYTES = 16, 400  # of a state that is occupied at a moment, and of a state that ever was
SAFE_JSON_INTEGER = 1 << 53


class StateHistory:
    """The occupied states at recorded moments, each with its number of agents.

    `history["leader=1"]` is the number of agents in that state at each moment of `steps`; `columns`, `to_pandas` and
    `to_polars` give all of them, one column a state, or with long=True one row for each state that is occupied.
    """

    def __init__(self, state_names: StateNames, n: int) -> None:
        self.state_names, self.n = state_names, n
        self.steps: list[int] = []
        self._numbers: dict[State, int] = {}
        self._by_number: list[State] = []
        self._moments: list[tuple[array[int], array[int]]] = []  # numbers of states, and how many agents
        self.entries = 0

    # -- recording ----------------------------------------------------------------------------------------------

    def add(self, step: int, tally: Iterable[tuple[State, int]]) -> None:
        ordered = sorted(tally)  # whatever the order in which an engine lists them
        numbers = array("L", (self._numbers.setdefault(state, len(self._numbers)) for state, _ in ordered))
        self.steps.append(step)
        self._moments.append((numbers, array("q", (size for _, size in ordered))))
        self.entries += len(ordered)

    def drop_after(self, step: int) -> None:
        kept = bisect_right(self.steps, step)
        del self.steps[kept:], self._moments[kept:]

    @property
    def bytes_held(self) -> int:
        """About how much memory it takes."""
        return ENTRY_BYTES * self.entries + STATE_BYTES * len(self._numbers)

    # -- reading ------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """The number of recorded moments."""
        return len(self.steps)

    @property
    def parallel_time(self) -> list[float]:
        return [step / self.n for step in self.steps]

    @property
    def states(self) -> list[State]:
        """Every state that was ever occupied, in the order of `names`."""
        return sorted(self._numbers)

    @property
    def names(self) -> list[str]:
        return [self.state_names.name(state) for state in self.states]

    def __getitem__(self, name: str) -> list[int]:
        wanted = next((number for state, number in self._numbers.items() if self.state_names.name(state) == name), None)
        if wanted is None:
            raise RunError(f"no agent was ever in a state {name!r}: see .names, like {self.names[0]!r}.")
        return self._column(wanted)

    def _column(self, wanted: int) -> list[int]:
        return [sizes[numbers.index(wanted)] if wanted in numbers else 0 for numbers, sizes in self._moments]

    def at(self, step: int) -> dict[str, int]:
        """The configuration at the last recorded moment up to this step: how many agents are in each occupied state."""
        place = bisect_right(self.steps, step) - 1
        if place < 0:
            raise RunError(f"nothing was recorded up to step {step}: the first moment is step {self.steps[0]}.")
        return {self.state_names.name(state): size for state, size in self.tally(place)}

    def _listed(self) -> list[State]:
        """By number; made once for all moments that are read one after the other."""
        if len(self._by_number) < len(self._numbers):
            self._by_number = list(self._numbers)
        return self._by_number

    def tally(self, place: int) -> list[tuple[State, int]]:
        """The same by states, of the moment with this number."""
        states = self._listed()
        return [(states[number], size) for number, size in zip(*self._moments[place], strict=True)]

    # -- as tables ----------------------------------------------------------------------------------------------

    def columns(self, long: bool = False) -> Columns:
        """Plain columns: steps, parallel_time, and one for each state; long: state, its fields, and count."""
        if long:
            return self._long()
        if len(self._numbers) > MAX_WIDE:
            raise RunError(
                f"{len(self._numbers):,} states would be as many columns, more than {MAX_WIDE:,}: give long=True, which has a "
                f"row for each state that is occupied."
            )
        dense = [[0] * len(self) for _ in self._numbers]
        for place, (numbers, sizes) in enumerate(self._moments):
            for number, size in zip(numbers, sizes, strict=True):
                dense[number][place] = size
        counts = {self.state_names.name(state): dense[self._numbers[state]] for state in self.states}
        return cast("Columns", {"steps": list(self.steps), "parallel_time": self.parallel_time, **counts})

    def _long(self) -> Columns:
        names = {state: self.state_names.name(state) for state in self._numbers}
        shown = {state: self.state_names.values(state) for state in self._numbers}
        fields = self.state_names.columns("steps", "parallel_time", "state", "count")
        found: Columns = {name: [] for name in ("steps", "parallel_time", "state", *fields, "count")}
        for place, step in enumerate(self.steps):
            for state, size in self.tally(place):
                row = [step, step / self.n, names[state], *shown[state], size]
                for column, value in zip(found.values(), row, strict=True):
                    column.append(value)
        return found

    def to_pandas(self, long: bool = False) -> PandasFrame:
        return pandas_frame(self.columns(long))

    def to_polars(self, long: bool = False) -> PolarsFrame:
        return polars_frame(self.columns(long))

    def as_json(self) -> list[dict[str, Any]]:
        """One object for each moment; steps beyond 2^53 are strings of digits."""
        return [
            {
                "steps": step if step <= SAFE_JSON_INTEGER else str(step),
                "parallel_time": step / self.n,
                "counts": {self.state_names.name(state): size for state, size in self.tally(place)},
            }
            for place, step in enumerate(self.steps)
        ]

    # -- at a prompt --------------------------------------------------------------------------------------------

    def _ranked(self) -> list[State]:
        """First the states that most agents were ever in."""
        most = [0] * len(self._numbers)
        for numbers, sizes in self._moments:
            for number, size in zip(numbers, sizes, strict=True):
                most[number] = max(most[number], size)
        return sorted(self.states, key=lambda state: -most[self._numbers[state]])

    def largest(self, count: int) -> list[tuple[str, list[int]]]:
        """The names of these states, with their numbers of agents over time."""
        return [(self.state_names.name(state), self._column(self._numbers[state])) for state in self._ranked()[:count]]

    def _table(self) -> Table:
        """The states that most agents were ever in, at some of the moments."""
        ranked = self._ranked()
        shown = ranked[:SHOWN_STATES]
        last = len(self) - 1
        places = sorted({last * k // (SHOWN_MOMENTS - 1) for k in range(SHOWN_MOMENTS)})
        columns = [dict(self.tally(place)) for place in places]
        headings = ("parallel time", *(f"{self.steps[place] / self.n:,.6g}" for place in places))
        rows = [[self.state_names.name(state), *(f"{column.get(state, 0):,}" for column in columns)] for state in shown]
        hidden = len(ranked) - len(shown)
        below = f"... and {hidden:,} more states" if hidden else ""
        title = f"{counted(len(self), 'moments')}, {counted(len(ranked), 'states')}; .to_pandas() gives all"
        return Table(title, headings, rows, left=headings[:1], below=below)

    def __repr__(self) -> str:
        return self._table().text()

    def _repr_html_(self) -> str:
        return self._table().html()
