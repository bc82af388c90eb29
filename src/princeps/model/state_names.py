"""How a state reads: `leader=1, bullet=0`; a value that has a name is called by it, `role=LEADER`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from princeps.model.states import Space, State


class StateNames(NamedTuple):
    """The fields of a state, and the names of their values where they have any."""

    fields: tuple[str, ...]
    value_names: tuple[tuple[str, ...], ...]

    def columns(self, *taken: str) -> list[str]:
        """The fields as columns of a table that has others, too: a field of the same name gets an underscore."""
        return [f"{field}_" if field in taken else field for field in self.fields]

    def value(self, field: int, value: int) -> str:
        names = self.value_names[field]
        return names[value] if 0 <= value < len(names) else str(value)

    def values(self, state: State) -> list[int | str]:
        """A name where there is one, else the number itself."""
        return [self.value(k, one) if self.value_names[k] else one for k, one in enumerate(state)]

    def name(self, state: State) -> str:
        return ", ".join(f"{field}={self.value(k, state[k])}" for k, field in enumerate(self.fields))

    def column(self, field: int, values: Sequence[int]) -> list[int] | list[str]:
        """The values of many agents, as a frame shows them."""
        return [self.value(field, one) for one in values] if self.value_names[field] else list(values)


def names_of(space: Space) -> StateNames:
    return StateNames(space.names, tuple(tuple(getattr(field, "names", ())) for field in space.fields))
