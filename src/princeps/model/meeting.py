"""One interaction of a population, and one agent hit by a fault, as traces and pictures show them."""

from __future__ import annotations

from typing import Any, NamedTuple

from princeps.model.state_names import StateNames
from princeps.model.states import State


class Meeting(NamedTuple):
    """The interaction `step`, counted from 1: both agents with their states before and after it."""

    step: int
    initiator: int
    responder: int
    before: tuple[State, State]
    after: tuple[State, State]

    @property
    def changed(self) -> bool:
        return self.before != self.after

    @property
    def agents(self) -> tuple[tuple[int, State, State], ...]:
        """Each agent with its states before and after."""
        return (
            (self.initiator, self.before[0], self.after[0]),
            (self.responder, self.before[1], self.after[1]),
        )

    def as_json(self, names: StateNames) -> dict[str, Any]:
        return {
            "step": self.step,
            "pair": [self.initiator, self.responder],
            "before": [_fields(names, state) for state in self.before],
            "after": [_fields(names, state) for state in self.after],
            "changes": changes_of(self, names),
        }


class Strike(NamedTuple):
    """A fault after `step` interactions has put an agent into another state."""

    step: int
    agent: int
    before: State
    after: State

    @property
    def agents(self) -> tuple[tuple[int, State, State], ...]:
        return ((self.agent, self.before, self.after),)

    def as_json(self, names: StateNames) -> dict[str, Any]:
        return {
            "step": self.step,
            "fault": self.agent,
            "before": _fields(names, self.before),
            "after": _fields(names, self.after),
            "changes": changes_of(self, names),
        }


Happening = Meeting | Strike


class ShownState(tuple[int, ...]):
    """A state that prints as (role=LEADER, timer=3); otherwise it is the tuple of its values."""

    names: StateNames

    def __repr__(self) -> str:
        return f"({self.names.name(self)})"


def with_names(happening: Happening, names: StateNames) -> Happening:
    """The same for people: its states print with the names of fields and values."""

    def shown(state: State) -> State:
        found = ShownState(state)
        found.names = names
        return found

    if isinstance(happening, Strike):
        return happening._replace(before=shown(happening.before), after=shown(happening.after))
    (a, b), (c, d) = happening.before, happening.after
    return happening._replace(before=(shown(a), shown(b)), after=(shown(c), shown(d)))


def _fields(names: StateNames, state: State) -> dict[str, int]:
    """By number, as everywhere in JSON; `changes` has the names."""
    return dict(zip(names.fields, state, strict=True))


def changes_of(happening: Happening, names: StateNames) -> list[str]:
    """What changed, in words, of each agent that changed: `3: bullet 2 -> 0, signal 0 -> 1`."""
    found = []
    for agent, before, after in happening.agents:
        changed = [
            f"{field} {names.value(k, before[k])} -> {names.value(k, after[k])}"
            for k, field in enumerate(names.fields)
            if before[k] != after[k]
        ]
        found += [f"{agent}: {', '.join(changed)}"] if changed else []
    return found
