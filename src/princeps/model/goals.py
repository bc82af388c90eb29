"""Starts, predicates, goals and verdicts as the file of a protocol states them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from princeps.model.fields import Agent, Counts, Params

Config = Sequence[Agent]
Predicate = Callable[[Agent, Params], int]
StartRule = Callable[[Agent, int, int, Params], None]

ALWAYS_COUNTED = ("leaders", "n")  # what every goal may ask for
LISTING_STARTS = ("file:", "json:", "states:")  # a state for each agent, in a file or on the command line


@dataclass(frozen=True)
class Counted:
    """A goal that is a condition on counts of agents; its first hit is exact at no cost."""

    rule: Callable[[Counts, Params], int]
    closed: bool = False  # a promise: once true, true for ever (a checked run asserts it)


@dataclass(frozen=True)
class Closed:
    """A goal on the whole configuration, with the promise that once true it stays true."""

    rule: Callable[[Config, int, Params], int]
    closed: bool = True


@dataclass(frozen=True)
class AdHoc(Counted):
    """A condition on counts that a user wrote for one run; it brings the predicates of `count(...)` with it."""

    counting: tuple[tuple[str, Predicate], ...] = ()  # by the names under which the rule asks for their counts


Goal = Counted | Closed


def own_predicates(goal: Goal | None) -> dict[str, Predicate]:
    """The predicates that belong to a goal, beside those of its protocol."""
    return dict(goal.counting) if isinstance(goal, AdHoc) else {}


def as_goal(value: Any) -> Any:
    """A plain function of (c, p) is a condition on counts; that of a configuration needs the promise in Closed."""
    if isinstance(value, FunctionType) and value.__code__.co_argcount == 2:
        return Counted(value)
    return value


@dataclass(frozen=True)
class Uniform:
    """The start in which every agent's state is uniform over the legal states."""

    doc: str = "every agent in a uniformly random legal state"


@dataclass(frozen=True)
class Blocks:
    """A start given by numbers: (agents, {field: value}) for one block after the other, together n agents.

    The name of a state, or the number of that of the only field, may stand for its field and value, and a table {name: agents} for all blocks. Fields that a block
    does not mention are 0. The rule is plain Python, called once a run: nothing is done for each
    agent, so that such a start suits a population of 10^15.
    """

    rule: Callable[
        [int, Params], Sequence[tuple[int, Mapping[str, int | str] | str | int]] | Mapping[str, int] | Mapping[int, int]
    ]

    @property
    def doc(self) -> str:
        return getattr(self.rule, "doc", self.rule.__doc__) or ""


@dataclass(frozen=True)
class Verdict:
    """A judgement on the configuration in which the goal `at` is first met."""

    at: str
    rule: Callable[[Counts, Params], bool | None]
