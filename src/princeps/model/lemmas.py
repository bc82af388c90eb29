"""What a paper claims of its protocol's configurations, in a form that can be proved or refuted for small populations.

Sets are named as targets are: a goal of the protocol, `safe` (the largest safe set), `some:PREDICATE`,
`all:PREDICATE`, `none:PREDICATE`; EVERYTHING is all configurations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from princeps.model.fields import Agent, Params
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


Lemma = Stays | StaysElected | Reaches | Never | Within


def lemma_complaint(value: object) -> str | None:
    """What is wrong with a stated lemma, if anything is."""
    if not isinstance(value, Lemma):
        return f"is {shown(value)}: write Stays(...), StaysElected(...), Reaches(...), Never(...) or Within(...)"
    if isinstance(value, Never):
        return function_complaint(value.event, "before, after, p")
    return function_complaint(value.bound, "n, p") if isinstance(value, Within) else None
