"""What a paper claims of its protocol's configurations, in a form that can be proved or refuted for small populations.

Sets are named as targets are: a goal of the protocol, `safe` (the largest safe set), `some:PREDICATE`,
`all:PREDICATE`, `none:PREDICATE`; EVERYTHING is all configurations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from princeps.model.fields import Agent, Params
from princeps.model.step_facts import Marked, WithGhosts, step_fact_complaint
from princeps.model.values import function_complaint, shown

EVERYTHING = "every configuration"
OfSize = Callable[[int, Params], float]  # of n and the parameters


@dataclass(frozen=True)
class Stays:
    """No interaction leads out of the set."""

    says: str
    of: str


@dataclass(frozen=True)
class StaysElected:
    """The set is closed, exactly one agent leads in it, and that agent leads for ever."""

    says: str
    of: str


@dataclass(frozen=True)
class Reaches:
    """From every configuration of `begin` the target can be reached, hence is reached with probability 1."""

    says: str
    target: str
    begin: str = EVERYTHING


@dataclass(frozen=True)
class Never:
    """No interaction in a configuration of `begin` makes `event(before, after, p)` true of an agent."""

    says: str
    event: Callable[[Agent, Agent, Params], int]
    begin: str


@dataclass(frozen=True)
class Within:
    """From every configuration of `begin` the target takes at most `bound` steps in expectation.

    An order (O of something) is no bound at one size: the worst start is then given as a multiple of it.
    """

    says: str
    target: str
    bound: OfSize
    begin: str = EVERYTHING
    order: str = ""  # how the bound is written if it is only an order, like "n N"


@dataclass(frozen=True)
class EveryAgent:
    """From the default start on, `holds(a, p)` is true of every agent at any time."""

    says: str
    holds: Callable[[Agent, Params], int]


@dataclass(frozen=True)
class EveryMeeting:
    """Whatever two legal states meet: `holds(a, b, x, y, p)`, where initiator a becomes x and responder b becomes y."""

    says: str
    holds: Callable[[Agent, Agent, Agent, Agent, Params], int]


@dataclass(frozen=True)
class Symmetric:
    """The rule does not ask who initiates: where a, b become x, y, there b, a become y, x, for all legal states."""

    says: str


@dataclass(frozen=True)
class Top:
    """A hint for a proof that somebody of `witness(a, p)` is never behind.

    At any time all agents are `waiting(a, p)`, or some witness has a key that nobody exceeds. The key is one or more
    numbers, of which the first that differs decides.
    """

    key: tuple[Callable[[Agent, Params], int], ...]
    witness: Callable[[Agent, Params], int]
    waiting: Callable[[Agent, Params], int]


Fact = (  # for every n at once: `princeps prove`
    EveryAgent | EveryMeeting | Symmetric | Stays | StaysElected | Never | WithGhosts | Marked
)
Lemma = Stays | StaysElected | Reaches | Never | Within


def lemma_complaint(value: object) -> str | None:
    """What is wrong with a stated lemma, if anything is."""
    if not isinstance(value, Lemma):
        return f"is {shown(value)}: write Stays(...), StaysElected(...), Reaches(...), Never(...) or Within(...)"
    if isinstance(value, Never):
        return function_complaint(value.event, "before, after, p")
    return function_complaint(value.bound, "n, p") if isinstance(value, Within) else None


def fact_complaint(value: object) -> str | None:
    """What is wrong with a stated fact, if anything is."""
    if not isinstance(value, Fact):
        return f"is {shown(value)}: write EveryAgent(...), EveryMeeting(...), Symmetric(...), Stays(...) or Never(...)"
    if isinstance(value, Never):
        return function_complaint(value.event, "before, after, p")
    if isinstance(value, WithGhosts | Marked):
        return step_fact_complaint(value)
    if not isinstance(value, EveryAgent | EveryMeeting):
        return None
    return function_complaint(value.holds, "a, p" if isinstance(value, EveryAgent) else "a, b, x, y, p")


def hint_complaint(value: object) -> str | None:
    """What is wrong with a hint, if anything is."""
    if not isinstance(value, Top):
        return f"is {shown(value)}: write Top(key=(...), witness=..., waiting=...)"
    if not isinstance(value.key, tuple) or not value.key:
        return f"has the key {shown(value.key)}: give one or more functions, key=(f, g)"
    found = (function_complaint(part, "a, p") for part in (*value.key, value.witness, value.waiting))
    return next((complaint for complaint in found if complaint is not None), None)
