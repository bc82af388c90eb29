"""The states of one protocol with its parameters fixed: which are legal, how many, and a uniformly random one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from operator import attrgetter
from typing import Any, SupportsIndex

from princeps.errors import ProtocolError, StateError
from princeps.model.fields import Agent, Field, GroupSpec, NotDeclared, Size
from princeps.model.named_states import named, number_of
from princeps.model.randomness import Stream
from princeps.model.values import plain_number, shown, whole_number

State = tuple[int, ...]
GivenState = (
    Mapping[str, Any] | str | SupportsIndex
)  # values by number, also one of numpy, or by name; the name or the number alone of the only field
PLAIN = re.compile(r"[\w.+*'-]+")  # a name that may stand in `--start states:...`


@dataclass(frozen=True)
class Space:
    """Fields with their sizes, and the groups of states that are legal.

    A group gives each field a range of values; fields that a group does not mention are 0 there. Groups are disjoint,
    so that sizes add up and a uniform state is a uniform number below their sum.
    """

    names: tuple[str, ...]
    fields: tuple[Field, ...]
    sizes: tuple[int | None, ...]
    groups: tuple[tuple[range | None, ...], ...]  # None: any natural number
    random_groups: tuple[tuple[range, ...], ...]  # the same with a bound where there is none; inputs stay 0
    scratch: tuple[str, ...]  # flags that live only during an interaction

    @property
    def state_count(self) -> int | None:
        total = 0
        for group in self.groups:
            for values in group:
                if values is None:
                    return None
            total += prod(size_of(values) for values in group if values is not None)
        return total

    def listed(self) -> list[State]:
        """Every legal state, where they are finitely many."""
        found: list[State] = []
        for group in self.groups:
            found += product(*(values for values in group if values is not None))
        return found

    def is_legal(self, state: State) -> bool:
        return any(
            all(v >= 0 if values is None else v in values for v, values in zip(state, group, strict=True))
            for group in self.groups
        )

    def random_state(self, stream: Stream, inputs: State) -> State:
        """Uniform over the legal states; input fields keep the value they have in `inputs`."""
        digits = self.numbered_state(stream.below(self.random_count))
        return tuple(
            own if field.is_input else digit for own, digit, field in zip(inputs, digits, self.fields, strict=True)
        )

    def numbered_state(self, k: int) -> State:
        """The k-th of the legal states among which a random one is drawn."""
        place = 0
        while k >= self._random_sizes[place]:
            k -= self._random_sizes[place]
            place += 1
        digits = []
        for values in reversed(self.random_groups[place]):
            k, digit = divmod(k, size_of(values))
            digits.append(values[digit])
        return tuple(reversed(digits))

    @cached_property
    def _random_sizes(self) -> tuple[int, ...]:
        return tuple(prod(size_of(values) for values in group) for group in self.random_groups)

    @cached_property
    def random_count(self) -> int:
        return sum(self._random_sizes)

    def read(self, given: GivenState, what: str = "state") -> State:
        """A state from a mapping, or a sentence about the first thing wrong with it.

        Where values have names, either is accepted; the name or the number alone, if there is no other field.
        """
        if len(self.names) == 1 and (
            self.fields[0].names if isinstance(given, str) else whole_number(given) is not None
        ):
            given = {self.names[0]: given}
        if not isinstance(given, Mapping):
            raise StateError(f"{what} {given!r} is not a mapping of fields: give {', '.join(self.names)}.")
        unknown = [name for name in given if name not in self.names]
        if unknown:
            raise StateError(f"{what} has an unknown field {unknown[0]!r}: the fields are {', '.join(self.names)}.")
        values = []
        for name, size, field in zip(self.names, self.sizes, self.fields, strict=True):
            if name not in given:
                raise StateError(f"{what} lacks the field {name!r}: give all of {', '.join(self.names)}.")
            one = number_of(given[name], field.names)
            value = int(one) if isinstance(one, bool) else whole_number(one)
            if value is None:
                wanted = f"one of {', '.join(field.names)}, or its number" if field.names else "an integer"
                raise StateError(f"{what} has {name} = {shown(one)}: it must be {wanted}.")
            if value < 0 or (size is not None and value >= size):
                legal = "0, 1, 2, ..." if size is None else f"0..{size - 1}"
                raise StateError(f"{what} has {name} = {value}, outside its domain {legal}.")
            values.append(value)
        state = tuple(values)
        if not self.is_legal(state):
            raise StateError(f"{what} {dict(given)} is in none of the protocol's groups of legal states.")
        return state

    def name_values(self, state: Sequence[int]) -> dict[str, int]:
        """For people: every value under its field, shown by its name where it has one."""
        return dict(zip(self.names, self.shown(state), strict=True))

    def values_by_name(self, state: State) -> Mapping[str, int]:
        """The same, worked out when somebody looks: of a million agents nobody looks at all."""
        return ValuesByName(self, state)

    def written(self, state: Sequence[int]) -> list[str]:
        """For a command: by name, unless the name has marks that separate values."""
        return [str(value if PLAIN.fullmatch(str(value)) else int(value)) for value in self.shown(state)]

    @cached_property
    def has_names(self) -> bool:
        return any(field.names for field in self.fields)

    def shown(self, state: Sequence[int]) -> State:
        """For people: the values show their names, where they have some."""
        if not self.has_names:
            return tuple(state)
        return tuple(named(value, field.names) for value, field in zip(state, self.fields, strict=True))


class ValuesByName(Mapping[str, int]):
    """A state as a mapping of its fields."""

    __slots__ = ("space", "state")

    def __init__(self, space: Space, state: State) -> None:
        self.space, self.state = space, state

    def __getitem__(self, name: str) -> int:
        return self.space.name_values(self.state)[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.space.names)

    def __len__(self) -> int:
        return len(self.space.names)

    def __repr__(self) -> str:
        return repr(self.space.name_values(self.state))


def make_space(
    fields: Mapping[str, Field], groups: Sequence[GroupSpec] | None, resolve: Callable[[str, Size | None], int | None]
) -> Space:
    """`resolve` makes a number of a field's size, or of the bound below which random states draw it."""
    scratch = tuple(name for name, field in fields.items() if field.is_scratch)
    fields = {name: field for name, field in fields.items() if not field.is_scratch}
    sizes = {name: resolve(name, field.size) for name, field in fields.items()}
    everything = tuple(range(size) if size is not None else None for size in sizes.values())
    legal = [everything] if groups is None else [_legal_group(_by_number(group, fields), sizes) for group in groups]
    for k, one in enumerate(legal):
        for other in legal[:k]:
            if all(overlap(a, b) for a, b in zip(one, other, strict=True)):
                raise ProtocolError("two groups of states overlap: a state must be in one of them only.")

    def bound(name: str, field: Field) -> range:
        return range(1) if field.is_input else range(resolve(name, field.random_below) or 1)

    random = tuple(
        tuple(bound(*field) if values is None else values for values, field in zip(group, fields.items(), strict=True))
        for group in legal
    )
    return Space(tuple(sizes), tuple(fields.values()), tuple(sizes.values()), tuple(legal), random, scratch)


def _by_number(group: Any, fields: Mapping[str, Field]) -> Any:
    """A group in which values may be given by their names."""
    if not isinstance(group, Mapping):
        return group
    numbers = {name: number_of(value, fields[name].names) if name in fields else value for name, value in group.items()}
    return {name: plain_number(value) for name, value in numbers.items()}


def _legal_group(group: Any, sizes: Mapping[str, int | None]) -> tuple[range | None, ...]:
    if not isinstance(group, Mapping):
        raise ProtocolError(f"a group of states is {shown(group)}: give {{field: value or range}}.")
    for name, values in group.items():
        if name not in sizes:
            raise ProtocolError(f"a group of states names the field {name!r}, which the protocol does not have.")
        if not isinstance(values, (int, range)):
            raise ProtocolError(f"a group gives {name!r} {shown(values)}: give a number or a range.")
        if isinstance(values, range) and values.step != 1:
            raise ProtocolError(f"a group gives {name!r} a range with a step: list its values in groups of their own.")
    given = [group.get(name, 0) for name in sizes]
    found = tuple(values if isinstance(values, range) else range(values, values + 1) for values in given)
    for (name, size), values in zip(sizes.items(), found, strict=True):
        if size_of(values) == 0 or values.start < 0 or (size is not None and values.stop > size):
            legal = "0, 1, 2, ..." if size is None else f"0..{size - 1}"
            raise ProtocolError(f"a group gives {name!r} the values {values}, which are not in its domain {legal}.")
    return found


def size_of(values: range) -> int:
    """How many values a range without steps has: len() ends at 2^63 - 1."""
    return max(values.stop - values.start, 0)


def overlap(a: range | None, b: range | None) -> bool:
    if a is None or b is None:
        return True
    return max(a.start, b.start) < min(a.stop, b.stop)


def agent_class(space: Space) -> type[Agent]:
    """A record with one slot a field whose writes are checked against the domains."""
    sizes: dict[str, int | None] = dict(zip(space.names, space.sizes, strict=True))
    sizes.update(dict.fromkeys(space.scratch, 2))
    inputs = {name for name, field in zip(space.names, space.fields, strict=True) if field.is_input}
    names = {name: field.names for name, field in zip(space.names, space.fields, strict=True)}
    put = object.__setattr__

    class Record(Agent):
        __slots__ = (*space.names, *space.scratch)

        def __init__(self, values: Sequence[int]) -> None:
            for name, value in zip(space.names, values, strict=True):
                put(self, name, value)
            for name in space.scratch:
                put(self, name, 0)

        def __getattr__(self, name: str) -> int:
            raise NotDeclared(f"unknown field {name!r}: the fields are {', '.join(space.names)}.")

        def __setattr__(self, name: str, value: Any) -> None:
            size = sizes.get(name, 0)
            if name in inputs:
                raise StateError(f"field {name!r} is an input: no rule may write it.")
            if not isinstance(value, int):
                number = whole_number(value)  # a constant of numpy's, say
                if number is None:
                    raise StateError(f"{name} = {shown(value)} is not an integer{_remedy(value, names.get(name, ()))}.")
                value = number
            if value < 0 or (size is not None and value >= size):
                if name not in sizes:
                    raise NotDeclared(f"unknown field {name!r}: the fields are {', '.join(space.names)}.")
                legal = "0, 1, 2, ..." if size is None else f"0..{size - 1}"
                raise StateError(f"{name} = {shown(value)} is outside its domain {legal}.")
            put(self, name, int(value))

        def __repr__(self) -> str:
            return f"an agent ({', '.join(f'{name}={value}' for name, value in space.name_values(values_of(space)(self)).items())})"

    return Record


def _remedy(value: object, names: tuple[str, ...]) -> str:
    return f": write {value} without quotes" if isinstance(value, str) and value in names else ""


def values_of(space: Space) -> Callable[[Agent], State]:
    """Reads the state of an agent. A method of the agent could not have any name that a field may not have."""
    if len(space.names) == 1:
        only = attrgetter(space.names[0])
        return lambda agent: (only(agent),)
    return attrgetter(*space.names)
