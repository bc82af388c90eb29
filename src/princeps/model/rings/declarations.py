"""What the file of a ring algorithm declares: the variables of a process, kinds of messages, guarded actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from princeps.model.fields import Params
from princeps.model.named_states import OneOf as OneOf
from princeps.model.named_states import names_complaint
from princeps.model.rings.ring import Label
from princeps.model.rings.words import Word
from princeps.model.values import function_complaint, shown

Guarded = Iterator[Any]  # what an action is: it yields its guard once, then acts
RingValue: TypeAlias = int | Label | Word | None  # of a variable, or in a message; None: a label that has no value yet
Bound = int | Callable[[Params], int]
NUMBER, LABEL, WORD = "number", "label", "word"
LEFT, RIGHT = "left", "right"


@dataclass(frozen=True)
class Variable:
    """Something a process remembers: a number in low..high (high None: unbounded), a label, or a word of labels."""

    kind: str
    low: int = 0
    high: Bound | None = None
    names: tuple[str, ...] = ()
    first: int | None = None  # the initial number, if not `low`

    def complaint(self) -> str | None:
        """What is wrong with the declaration, if anything is."""
        low: object = self.low
        high: object = self.high
        if not isinstance(low, int):
            return f"begins at {shown(low)}: give an integer"
        if callable(high):
            return function_complaint(high, "c")
        if not isinstance(high, int | None):
            return f"ends at {shown(high)}: give an integer, or a function of the parameters"
        if high is not None and high < low:
            return f"lies in {low}..{high}: a domain needs at least one value"
        said = names_complaint(self.names)
        if said is not None:
            return said
        first = self.low if self.first is None else self.first
        if not isinstance(first, int) or first < low or (high is not None and first > high):
            return f"begins with {shown(first)}, which is not in its domain"
        return None

    @property
    def initial(self) -> RingValue:
        values: dict[str, RingValue] = {
            NUMBER: self.low if self.first is None else self.first,
            LABEL: None,
            WORD: Word(),
        }
        return values[self.kind]

    def domain(self, top: int | None = None) -> str:
        """In words; `top` is the bound where the parameters are known."""
        if self.kind != NUMBER:
            return f"a {self.kind}"
        if self.names:
            return ", ".join(self.names)
        if self.high is None:
            return f"{self.low} and above"
        known = self.high if isinstance(self.high, int) else top
        return f"{self.low} to {'a bound of the parameters' if known is None else known}"

    def show(self, value: Any) -> str:
        return self.names[value] if self.names and value is not None else "-" if value is None else str(value)


def Flag(initially: int = 0) -> Variable:  # noqa: N802 - reads as a type in an algorithm's file
    """A Boolean."""
    return Variable(NUMBER, 0, 1, first=initially)


def named_variable(names: tuple[str, ...]) -> Variable:
    """What OneOf declares: initially it is the first."""
    return Variable(NUMBER, 0, len(names) - 1, names)


def Number(low: int = 0, high: Bound | None = None) -> Variable:  # noqa: N802
    """An integer from `low` (its initial value) to `high`; without `high` a counter without bound."""
    return Variable(NUMBER, low, high)


def LabelVariable() -> Variable:  # noqa: N802
    """A label, initially undefined."""
    return Variable(LABEL)


def WordVariable() -> Variable:  # noqa: N802
    """A string of labels, initially empty; it grows by `p.string = p.string + x`."""
    return Variable(WORD)


class Message:
    """A kind of message in the papers' notation: `<PHASE_SHIFT, x>`. Capitals are its name, `#hops` is a number."""

    def __init__(self, notation: str) -> None:
        parts = [part.strip() for part in notation.strip("<> ").split(",")]
        self.notation = notation
        self.fixed = tuple(part for part in parts if part.isupper())
        values = [part for part in parts if not part.isupper()]
        self.values = tuple(part.lstrip("#") for part in values)
        self.kinds = tuple(NUMBER if part.startswith("#") else LABEL for part in values)
        self.name = "_".join(self.fixed) or "token"

    def show(self, values: Sequence[Any]) -> str:
        return f"<{', '.join([*self.fixed, *map(str, values)])}>"

    def __repr__(self) -> str:
        return self.notation


@dataclass(frozen=True)
class Action:
    """A guarded action; `message` None: the start."""

    name: str
    body: Callable[..., Guarded]
    message: Message | None
    side: str = LEFT

    def complaint(self) -> str | None:
        """What is wrong with the declaration, if anything is."""
        message: object = self.message
        if not isinstance(message, Message | None):
            return f"is under @on({shown(message)}): give a Message"
        if self.side not in (LEFT, RIGHT):
            return f'receives from {shown(self.side)}: a message comes from the "left" or the "right"'
        values = () if message is None else message.values
        arguments = ", ".join(["p", *values, "c"])
        return function_complaint(self.body, arguments, is_generator=True)


def start(body: Callable[..., Guarded]) -> Action:
    """The action that every process runs first, without a message."""
    return Action(body.__name__, body, None)


def on(message: Message, side: str = LEFT) -> Callable[[Callable[..., Guarded]], Action]:
    """An action on a message at the head of the link from the left (or, in a bidirectional ring, right) neighbour."""
    return lambda body: Action(body.__name__, body, message, side)


class Sent(NamedTuple):
    """A message on its way; `side` is the neighbour it goes to."""

    side: str
    message: Message
    values: tuple[Any, ...]

    def __str__(self) -> str:
        return self.message.show(self.values)


class Local(NamedTuple):
    """The state of one process: its variables in the order of declaration, and whether it has started and halted."""

    values: tuple[Any, ...]
    started: bool = False
    halted: bool = False
