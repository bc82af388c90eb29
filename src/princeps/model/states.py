"""The states of one protocol with its parameters fixed: which are legal, how many, and a uniformly random one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from princeps.errors import ProtocolError, StateError
from princeps.model.fields import Agent, Field, GroupSpec, Params
from princeps.model.randomness import Stream

State = tuple[int, ...]


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
            total += prod(len(values) for values in group if values is not None)
        return total

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
        for group in self.random_groups:
            size = prod(len(values) for values in group)
            if k < size:
                break
            k -= size
        digits = []
        for values in reversed(group):
            k, digit = divmod(k, len(values))
            digits.append(values[digit])
        return tuple(reversed(digits))

    @property
    def random_count(self) -> int:
        return sum(prod(len(values) for values in group) for group in self.random_groups)

    def read(self, given: Mapping[str, int], what: str = "state") -> State:
        """A state from a mapping, or a sentence about the first thing wrong with it."""
        if not isinstance(given, Mapping):
            raise StateError(f"{what} {given!r} is not a mapping of fields: give {', '.join(self.names)}.")
        unknown = [name for name in given if name not in self.names]
        if unknown:
            raise StateError(f"{what} has an unknown field {unknown[0]!r}: the fields are {', '.join(self.names)}.")
        values = []
        for name, size in zip(self.names, self.sizes, strict=True):
            if name not in given:
                raise StateError(f"{what} lacks the field {name!r}: give all of {', '.join(self.names)}.")
            value = given[name]
            if not isinstance(value, int):
                raise StateError(f"{what} has {name} = {value!r}: it must be an integer.")
            if value < 0 or (size is not None and value >= size):
                legal = "0, 1, 2, ..." if size is None else f"0..{size - 1}"
                raise StateError(f"{what} has {name} = {value}, outside its domain {legal}.")
            values.append(int(value))
        state = tuple(values)
        if not self.is_legal(state):
            raise StateError(f"{what} {dict(given)} is in none of the protocol's groups of legal states.")
        return state

    def name_values(self, state: Sequence[int]) -> dict[str, int]:
        return dict(zip(self.names, state, strict=True))


def make_space(fields: Mapping[str, Field], groups: Sequence[GroupSpec] | None, p: Params) -> Space:
    scratch = tuple(name for name, field in fields.items() if field.is_scratch)
    fields = {name: field for name, field in fields.items() if not field.is_scratch}
    names = tuple(fields)
    sizes = tuple(field.resolve(p) for field in fields.values())
    for name, size in zip(names, sizes, strict=True):
        if size is not None and size < 1:
            raise ProtocolError(f"field {name!r} has size {size}: a domain needs at least one value.")

    def bound(field: Field) -> range:
        below = field.random_below
        if field.is_input or below is None:
            return range(1)
        try:
            return range(below(p) if callable(below) else below)
        except AttributeError:  # the bound needs identifiers, and none are given yet: nothing random can be asked for
            return range(1)

    everything = [range(size) if size is not None else None for size in sizes]
    legal: list[tuple[range | None, ...]] = []
    for group in groups if groups is not None else [None]:
        if group is None:
            legal.append(tuple(everything))
            continue
        stepped = [name for name, values in group.items() if isinstance(values, range) and values.step != 1]
        if stepped:
            raise ProtocolError(
                f"a group gives {stepped[0]!r} a range with a step: list its values in groups of their own."
            )
        missing = [name for name in group if name not in fields]
        if missing:
            raise ProtocolError(f"a group of states names the field {missing[0]!r}, which the protocol does not have.")
        given = [group.get(name, 0) for name in names]
        legal.append(tuple(range(g, g + 1) if isinstance(g, int) else g for g in given))
    for k, one in enumerate(legal):
        for other in legal[:k]:
            if all(overlap(a, b) for a, b in zip(one, other, strict=True)):
                raise ProtocolError("two groups of states overlap: a state must be in one of them only.")
    random = tuple(
        tuple(bound(field) if values is None else values for values, field in zip(group, fields.values(), strict=True))
        for group in legal
    )
    return Space(names, tuple(fields.values()), sizes, tuple(legal), random, scratch)


def overlap(a: range | None, b: range | None) -> bool:
    if a is None or b is None:
        return True
    return max(a.start, b.start) < min(a.stop, b.stop)


def agent_class(space: Space) -> type[Agent]:
    """A record with one slot a field whose writes are checked against the domains."""
    sizes: dict[str, int | None] = dict(zip(space.names, space.sizes, strict=True))
    sizes.update(dict.fromkeys(space.scratch, 2))
    inputs = {name for name, field in zip(space.names, space.fields, strict=True) if field.is_input}
    put = object.__setattr__

    class Record(Agent):
        __slots__ = (*space.names, *space.scratch)

        def __init__(self, values: Sequence[int]) -> None:
            for name, value in zip(space.names, values, strict=True):
                put(self, name, value)
            for name in space.scratch:
                put(self, name, 0)

        def __getattr__(self, name: str) -> int:
            raise StateError(f"unknown field {name!r}: the fields are {', '.join(space.names)}.")

        def __setattr__(self, name: str, value: int) -> None:
            size = sizes.get(name, 0)
            if name in inputs:
                raise StateError(f"field {name!r} is an input: no rule may write it.")
            if not isinstance(value, int):
                raise StateError(f"{name} = {value!r} is not an integer.")
            if value < 0 or (size is not None and value >= size):
                if name not in sizes:
                    raise StateError(f"unknown field {name!r}: the fields are {', '.join(space.names)}.")
                legal = "0, 1, 2, ..." if size is None else f"0..{size - 1}"
                raise StateError(f"{name} = {value} is outside its domain {legal}.")
            put(self, name, int(value))

        def values(self) -> State:
            return tuple([getattr(self, name) for name in space.names])

    return Record
