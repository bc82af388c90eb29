"""Counts of agents over time: what `--record leaders` keeps."""

from __future__ import annotations

from reprlib import Repr
from typing import TYPE_CHECKING, Literal, overload

from princeps.errors import RunError

TIMES = ("steps", "parallel_time")
SHOWN_WHOLE = 100  # moments; a prompt shows the beginning of longer records
SHOWN = Repr()
SHOWN.maxlist = 8


class Record(dict[str, list[int] | list[float]]):
    """Columns by their names, all of one length: the moments as `steps` and `parallel_time`, and a count of agents for
    each predicate that was recorded."""

    if TYPE_CHECKING:  # a dictionary; editors know more about some of its keys

        @overload
        def __getitem__(self, name: Literal["steps", "leaders"]) -> list[int]: ...
        @overload
        def __getitem__(self, name: Literal["parallel_time"]) -> list[float]: ...
        @overload
        def __getitem__(self, name: str) -> list[int] | list[float]: ...
        def __getitem__(self, name: str) -> list[int] | list[float]: ...

    def __repr__(self) -> str:
        """As a dictionary; of a long record only how it begins."""
        moments = max(map(len, self.values()), default=0)
        if moments <= SHOWN_WHOLE:
            return super().__repr__()
        columns = ", ".join(f"{name!r}: {SHOWN.repr(column)}" for name, column in self.items())
        return f"<{moments:,} moments: {{{columns}}}>"

    def counts(self, name: str) -> list[int]:
        """The counts of one predicate: `record.counts("bullet == 2")`."""
        if name not in self or name in TIMES:
            raise RunError(f"{name!r} was not recorded: there are {', '.join(self.predicates)}.")
        return [int(count) for count in self[name]]

    @property
    def predicates(self) -> list[str]:
        """What was counted, in the order in which it was asked for."""
        return [name for name in self if name not in TIMES]
