"""The look of one protocol with its parameters fixed: declared in its file, and completed from its fields.

Where a file declares nothing, leaders wear crowns, fields with few values become marks, the largest field becomes a bar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from princeps.model.look import HUES, Condition, Look, Mark, takes_agent_only
from princeps.model.predicates import names_of_values, read_predicates
from princeps.model.protocol import PopulationProtocol
from princeps.model.states import State

DERIVED_SHAPES = ("dot", "square", "triangle", "flag", "ring", "cross", "spark")  # of fields, one after the other
FEW_VALUES = 4  # of a field whose values become marks
MAX_DERIVED_MARKS = 6
LEADERS = "leaders"  # the predicate that every protocol has

Drawn = dict[str, Any]


@dataclass(frozen=True)
class Choice:
    """What agents may be coloured by."""

    by: str  # "field" or "predicate"
    name: str
    values: tuple[str, ...] | None = None

    def as_json(self) -> dict[str, Any]:
        listed = {} if self.by == "predicate" else {"values": None if self.values is None else list(self.values)}
        return {"by": self.by, "name": self.name, **listed}


def look_of(protocol: PopulationProtocol) -> BoundLook:
    return BoundLook(protocol)


class BoundLook:
    """Says of a state how an agent in it is drawn."""

    def __init__(self, protocol: PopulationProtocol) -> None:
        self.protocol = protocol
        declared = protocol.look
        self.names = value_names(protocol, declared)
        look = declared or derived_look(protocol, self.names)
        self.crown = self._condition(look.crown) if look.crown is not None else protocol.leads
        self.marks = tuple(look.marks)
        self._marked = [self._condition(mark.when) for mark in self.marks]
        self.bar = look.bar
        self._bar_place = None if self.bar is None else protocol.space.names.index(self.bar)
        predicates = type(protocol).all_predicates()
        self.choices = [
            *(Choice("field", name, self.names.get(name)) for name in protocol.space.names),
            *(Choice("predicate", name) for name in predicates if name not in protocol.fields),
        ]
        self.color = look.color or LEADERS

    def _condition(self, when: Condition) -> Callable[[State], bool]:
        protocol: Any = self.protocol
        rule: Any = read_predicates(protocol, {"": when})[""] if isinstance(when, str) else when
        given = () if takes_agent_only(rule) else (protocol.constants,)
        return lambda state: bool(protocol.ask(rule, protocol.agent(state), *given))

    def marks_of(self, state: State) -> list[int]:
        """The numbers of the marks that an agent in this state has."""
        return [number for number, holds in enumerate(self._marked) if holds(state)]

    def bar_of(self, state: State) -> float | None:
        """Between 0 and 1."""
        if self._bar_place is None:
            return None
        size, value = self.protocol.space.sizes[self._bar_place], state[self._bar_place]
        return share_of(value, None if size is None else size - 1)

    def text_of(self, state: State) -> str:
        named = zip(self.protocol.space.names, state, strict=True)
        return " ".join(f"{name}={self.value_text(name, value)}" for name, value in named)

    def value_text(self, name: str, value: int) -> str:
        names = self.names.get(name, ())
        return names[value] if 0 <= value < len(names) else str(value)

    def choice(self, name: str | None) -> Choice:
        """By its name; an unknown one is the default."""
        wanted = next((choice for choice in self.choices if choice.name == name), None)
        return wanted or next(choice for choice in self.choices if choice.name in (self.color, LEADERS))

    @cached_property
    def as_json(self) -> dict[str, Any]:
        label = None if self.bar is None else {"field": self.bar, "label": self.bar}
        return {
            "crown": "leads" if self.protocol.look is None or self.protocol.look.crown is None else "own",
            "color": self.color,
            "marks": marks_json(self.marks),
            "bar": label,
            "choices": [choice.as_json() for choice in self.choices],
        }


def marks_json(marks: Sequence[Mark]) -> list[Drawn]:
    return [
        {"shape": mark.shape, "label": mark.label, "hue": 1 + number % (HUES - 1) if mark.hue is None else mark.hue}
        for number, mark in enumerate(marks)
    ]


def share_of(value: int, top: int | None) -> float:
    """How full a bar is; a number without a largest value fills it ever more slowly."""
    if top is None:
        return value / (value + 8)
    return min(value / top, 1.0) if top > 0 else 0.0


def value_names(protocol: PopulationProtocol, declared: Look | None) -> dict[str, tuple[str, ...]]:
    """The fields whose values have names, by the field's declaration or by the look."""
    said = {} if declared is None else {name: tuple(values) for name, values in declared.names.items()}
    return {**said, **names_of_values(protocol)}


def derived_look(protocol: PopulationProtocol, names: dict[str, tuple[str, ...]]) -> Look:
    """From the fields alone."""
    sizes = protocol.fields
    inputs = protocol.input_field
    few = [name for name, size in sizes.items() if size is not None and 1 < size <= FEW_VALUES and name != "leader"]
    large = [
        (size, name) for name, size in sizes.items() if size is not None and size > FEW_VALUES and name not in names
    ]
    unbounded = [name for name, size in sizes.items() if size is None and name != inputs]
    bar = max(large, key=lambda found: found[0])[1] if large else next(iter(unbounded), None)
    named = next((name for name in sizes if name in names), None)
    marks = list(islice(_marks(few, sizes, names, skip=named if len(sizes) == 1 else None), MAX_DERIVED_MARKS))
    return Look(marks=marks, bar=bar, color=named)


def _marks(
    few: Sequence[str], sizes: dict[str, int | None], names: dict[str, tuple[str, ...]], skip: str | None
) -> Iterator[Mark]:
    """One shape a field, one colour a value (the first colour is the page's grey); 0 is drawn as nothing."""
    hue = 1
    for place, name in enumerate(name for name in few if name != skip):
        for value in range(1, sizes[name] or 0):
            named = names.get(name, ())
            meaning = named[value] if value < len(named) else str(value)
            label = name if sizes[name] == 2 and not named else f"{name} = {meaning}"
            shape = DERIVED_SHAPES[place % len(DERIVED_SHAPES)]
            yield Mark(shape, label, when=_is_value(name, value), hue=hue)
            hue = hue % (HUES - 1) + 1


def _is_value(name: str, value: int) -> Callable[..., bool]:
    return lambda a: getattr(a, name) == value
