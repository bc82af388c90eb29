"""The states that have been shown, numbered in the order in which they were first shown.

The page learns of every state once (`entries`); a frame then is one number an agent. Numbers of a large population are
looked up by arrays: an agent of the compiled engines is an interned id or packed words, and both are translated with
numpy. Nothing here changes the run.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from princeps.engines.forms import Interned, Packed, columns
from princeps.engines.session import Session
from princeps.model.protocol import PopulationProtocol
from princeps.model.states import State
from princeps.web.bound_look import BoundLook, Choice, look_of

MAX_CLASSES = 16  # colours in a picture of pixels; what does not fit is "others"
OTHERS = "others"
LARGEST = (1 << 53) - 1


class StateTable:
    """Numbers of states, and how each is drawn."""

    def __init__(self, protocol: PopulationProtocol, look: BoundLook | None = None) -> None:
        self.protocol, self.look = protocol, look or look_of(protocol)
        self.states: list[State] = []
        self._numbers: dict[State, int] = {}
        self._drawn: list[dict[str, Any]] = []
        self._words: dict[bytes, int] = {}  # packed agents -> numbers
        self._interned: tuple[Any, Any] | None = None  # a table of the engine, and the number of each of its ids
        self._classes: dict[str, list[int]] = {}
        self._predicates = list(type(protocol).all_predicates().values())

    def __len__(self) -> int:
        return len(self.states)

    def number_of(self, state: State) -> int:
        """The number of a state, a new one if it has not been shown yet."""
        found = self._numbers.get(state)
        if found is None:
            found = self._numbers[state] = len(self.states)
            self.states.append(state)
        return found

    # -- what an agent looks like -------------------------------------------------------------------------------

    def entries(self, first: int = 0) -> list[dict[str, Any]]:
        """How agents in the states from this number on are drawn."""
        while len(self._drawn) < len(self.states):
            self._drawn.append(self._entry(self.states[len(self._drawn)]))
        return self._drawn[first:]

    def _entry(self, state: State) -> dict[str, Any]:
        protocol, look = self.protocol, self.look
        agent = protocol.agent(state)  # type: ignore[call-arg]
        bar = look.bar_of(state)
        return {
            "f": [as_json(value) for value in state],
            "t": look.text_of(state),
            "p": [int(bool(protocol.ask(rule, agent, protocol.constants))) for rule in self._predicates],
            "leader": int(protocol.leads(state)),
            "crown": int(look.crown(state)),
            "marks": look.marks_of(state),
            "bar": None if bar is None else round(bar, 4),
        }

    # -- numbers of agents --------------------------------------------------------------------------------------

    def ids(self, session: Session) -> Any:
        """One number an agent, uint32."""
        form = getattr(session.population, "form", None)
        if isinstance(form, Interned):
            return self._of_interned(form)
        if isinstance(form, Packed):
            return self._of_packed(form)
        states = getattr(session.population, "states", None)
        listed = states if states is not None else map(session.population.state, range(session.n))
        return np.fromiter((self.number_of(tuple(state)) for state in listed), np.uint32, session.n)

    def _of_interned(self, form: Interned) -> Any:
        table = form.state_table
        if self._interned is None or self._interned[0] is not table or len(self._interned[1]) < table.size:
            present = np.flatnonzero(form.sizes()).tolist()
            number = np.full(table.size, -1, np.int64)
            for known, state in zip(present, states_of(form.kernels, table.words[present]), strict=True):
                number[known] = self.number_of(state)
            self._interned = (table, number)
        found = self._interned[1][form.agents]
        if found.min(initial=0) < 0:  # a state of the engine that nobody was in before
            self._interned = None
            return self._of_interned(form)
        return found.astype(np.uint32)

    def _of_packed(self, form: Packed) -> Any:
        words = form.agents.reshape(len(form.agents), -1)
        if words.shape[1] == 1:
            distinct, place = np.unique(words[:, 0], return_inverse=True)
            distinct = distinct.reshape(-1, 1)
        else:
            distinct, place = np.unique(words, axis=0, return_inverse=True)
        new = [k for k, row in enumerate(distinct) if row.tobytes() not in self._words]
        for k, state in zip(new, states_of(form.kernels, distinct[new]), strict=True):
            self._words[distinct[k].tobytes()] = self.number_of(state)
        number = np.fromiter((self._words[row.tobytes()] for row in distinct), np.uint32, len(distinct))
        return number[place.reshape(-1)]

    # -- colours ------------------------------------------------------------------------------------------------

    def classes(self, choice: str | None) -> Any:
        """For each known state its colour class, uint8."""
        wanted = self.look.choice(choice)
        known = self._classes.setdefault(wanted.name, [])
        while len(known) < len(self.states):
            known.append(self._class_of(wanted, self.states[len(known)]))
        return np.array(known, np.uint8)

    def class_labels(self, choice: str | None) -> list[dict[str, Any]]:
        """What the classes mean, and their hues."""
        return [{"label": label, "hue": number % 10} for number, label in enumerate(self._labels(choice))]

    def _labels(self, choice: str | None) -> list[str]:
        wanted = self.look.choice(choice)
        if wanted.by == "predicate":
            return [f"not {wanted.name}", wanted.name]
        size = self.protocol.fields[wanted.name]
        if size is None:
            return ["0", "1", *(f"{1 << k}..{(2 << k) - 1}" for k in range(1, MAX_CLASSES - 2)), "more"]
        if wanted.values is not None or size <= MAX_CLASSES:
            labels = [self.look.value_text(wanted.name, value) for value in range(size)]
            return labels if size <= MAX_CLASSES else [*labels[: MAX_CLASSES - 1], OTHERS]
        ends = [-(-size * k // MAX_CLASSES) for k in range(MAX_CLASSES + 1)]
        pairs = pairwise(ends)
        return [str(low) if low + 1 == high else f"{low}..{high - 1}" for low, high in pairs]

    def _class_of(self, choice: Choice, state: State) -> int:
        if choice.by == "predicate":
            protocol = self.protocol
            rule = type(protocol).all_predicates()[choice.name]
            return int(bool(protocol.ask(rule, protocol.agent(state), protocol.constants)))  # type: ignore[call-arg]
        value = state[self.protocol.space.names.index(choice.name)]
        size = self.protocol.fields[choice.name]
        if size is None:
            return min(int(value).bit_length(), MAX_CLASSES - 1)
        if choice.values is not None or size <= MAX_CLASSES:
            return min(int(value), MAX_CLASSES - 1)
        return int(value) * MAX_CLASSES // size


def as_json(value: int) -> int | str:
    """A text where JavaScript's numbers would round it."""
    return int(value) if abs(value) <= LARGEST else str(int(value))


def states_of(kernels: Any, words: Any) -> list[State]:
    """Rows of packed words as states."""
    found = columns(kernels, words)
    return list(zip(*(found[name].tolist() for name in kernels.protocol.space.names), strict=True))
