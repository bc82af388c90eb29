"""Facts about every interaction that need more than the fields of two agents: ghost fields, and marks by scans."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from princeps.model.fields import Agent, Params
from princeps.model.values import function_complaint

OfAgent = Callable[[Agent, Params], int]
OfMeeting = Callable[[Agent, Agent, Agent, Agent, Params], int]


@dataclass(frozen=True)
class WithGhosts:
    """All of `holds(a, p)` are true of every agent at any time, from every configuration, its ghost fields being 0.

    Ghost fields exist in the proof only. Where initiator a has become x and responder b has become y,
    `count(a, b, x, y, p)` sets those of x and y, which are as before otherwise.
    """

    says: str
    ghosts: tuple[str, ...]
    count: Callable[[Agent, Agent, Agent, Agent, Params], None]
    holds: tuple[OfAgent, ...]


@dataclass(frozen=True)
class Marked:
    """No meeting is ever `bad(a, b, x, y, p)`, and none makes any third agent `bad_elsewhere(a, x, p)`.

    Agents have further fields, the marks: 1 unless a loop of the set `of` returns 0 at that agent (`c_ni.1` is the first
    loop of the function c_ni). In a configuration without a leader all marks are 0. The loops in `known` return 0
    nowhere before the interaction.
    """

    says: str
    of: str
    marks: Mapping[str, str]  # field -> loop
    bad: OfMeeting
    bad_elsewhere: Callable[[Agent, Agent, Params], int] | None = None
    known: tuple[str, ...] = ()


def step_fact_complaint(value: WithGhosts | Marked) -> str | None:
    """What is wrong with it, if anything is."""
    if isinstance(value, WithGhosts):
        found = [function_complaint(value.count, "a, b, x, y, p")]
        found += [function_complaint(one, "a, p") for one in value.holds]
    else:
        found = [function_complaint(value.bad, "a, b, x, y, p")]
        if value.bad_elsewhere is not None:
            found.append(function_complaint(value.bad_elsewhere, "a, x, p"))
    return next((complaint for complaint in found if complaint is not None), None)
