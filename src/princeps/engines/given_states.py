"""States that agents of a session are put into: read, found legal, and written down. Of a million agents in a second."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

from princeps.errors import PrincepsError, StateError
from princeps.model.formatting import counted
from princeps.model.script import SetStates, at_place
from princeps.model.states import Space, State

if TYPE_CHECKING:
    from princeps.engines.session import Session

Named = tuple[State, Mapping[str, int]]  # a state, and its values by name


@contextmanager
def without_collecting() -> Iterator[None]:
    """A million states are made, of which none is garbage: looking for it again and again takes most of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class Reading:
    """States of agents as mappings: the state, and its values by name. Many agents are put into few states, each read once."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self._known: dict[tuple[Any, ...], Named] = {}

    def __call__(self, agent: int, given: Mapping[str, int]) -> Named:
        try:
            key = (*given, *given.values(), *map(type, given.values()))
            found = self._known.get(key)
        except (TypeError, AttributeError):  # no values: a sentence says so
            key, found = (), None
        if found is None:
            state = self.space.read(given, f"agent {agent}")
            found = self._known[key] = state, self.space.name_values(state)
        return found


def read_changes(
    session: Session, changes: Sequence[tuple[int, Mapping[str, int]]], places: Sequence[str]
) -> list[tuple[int, Named]]:
    """Lines of `set`: agents that there are, in legal states with the inputs that they have. Equal states are read once."""
    read, name = Reading(session.run.protocol.space), session.run.protocol.input_field
    found = []
    for (number, given), place in zip(changes, places or repeat(""), strict=False):
        try:
            agent = session.agent_number(number)
            named = read(agent, given)
            if name is not None and named[1][name] != session.state(agent)[name]:
                raise StateError(f"{name} is an input of agent {agent}: nothing overwrites it.")
        except PrincepsError:
            with at_place(place):  # entered for every line it would take seconds
                raise
        found.append((agent, named))
    return found


def states_for_all(session: Session, states: Sequence[State]) -> list[tuple[int, State]]:
    """A state for every agent, in their order: legal ones, with the inputs that the agents have."""
    own, space = session.run.protocol.input_field, session.run.protocol.space
    if len(states) != session.n:
        raise StateError(f"{counted(len(states), 'states')} are given for {session.n} agents: give one for each.")
    if own is not None:
        place, kept = space.names.index(own), session.configuration[own].tolist()
        states = [(*state[:place], value, *state[place + 1 :]) for state, value in zip(states, kept, strict=True)]
    if not _are_legal(space, states):
        for agent, state in enumerate(states):
            space.read(dict(zip(space.names, state, strict=False)), f"agent {agent}")  # a sentence about the first
    return list(enumerate(states))


def _are_legal(space: Space, states: Sequence[State]) -> bool:
    """Space.is_legal of all of them at once."""
    import numpy as np

    states = list(set(states))
    if any(len(state) != len(space.names) for state in states):
        return False
    try:
        values = np.fromiter(chain.from_iterable(states), np.int64, len(states) * len(space.names))
    except OverflowError:  # numbers that only plain Python holds
        return all(space.is_legal(state) for state in states)
    columns, legal = values.reshape(len(states), -1).T, np.zeros(len(states), bool)
    for group in space.groups:
        here = np.ones(len(states), bool)
        for column, allowed in zip(columns, group, strict=True):
            here &= column >= (0 if allowed is None else allowed.start)
            if allowed is not None:
                here &= column < allowed.stop
        legal |= here
    return bool(legal.all())


def written(space: Space, changes: Sequence[tuple[int, State]], draws: int = 0) -> SetStates:
    """As an event of a script; agents in the same state share it."""
    names = {state: space.values_by_name(state) for state in dict.fromkeys(state for _, state in changes)}
    return SetStates(tuple((agent, names[state]) for agent, state in changes), draws)
