"""What is counted in a network run.

Each interaction that was applied anywhere is in exactly one of five classes, found by joining the lines of both sides:

    whole      applied at both sides
    undone     applied by an initiator that died holding it: nobody has seen its new state
    completed  the responder's incarnation died after granting it: it happened, and then the responder died
    open       at the end of the run the responder still holds its grant
    torn       applied by the initiator, which went on, while the responder took itself back: only a lease can do that

so that applied = whole + undone + completed + open + torn. The other numbers are what nodes count for themselves. A request is
applied, refused, unanswered, or on its way at the end, so that requests >= applied + refused + unanswered, also if an agent
was killed before it said what it had counted: x has the number of the request.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from princeps.network.wire import Refusal

FATES = ("whole", "undone", "completed", "open", "torn")


class Tally:
    """What one incarnation of an agent counts. A killed process takes what it counted since its last line with it."""

    NAMES: ClassVar = ("requests", "refused", "unanswered", "repeated", "duplicates", "bad_frames")
    __slots__ = ("bad", "requests", "refused", "unanswered", "repeated", "duplicates", "bad_frames")

    def __init__(self) -> None:
        self.requests = self.refused = self.unanswered = self.repeated = self.duplicates = self.bad_frames = 0
        self.bad: dict[Refusal, int] = {}

    def refuse(self, why: Refusal) -> None:
        self.bad_frames += 1
        self.bad[why] = self.bad.get(why, 0) + 1

    def text(self) -> str:
        numbers = [f'"{name}":{getattr(self, name)}' for name in self.NAMES]
        return "{" + ",".join(numbers + [f'"{why.value}":{count}' for why, count in self.bad.items()]) + "}"


@dataclass
class Counters:
    applied: int = 0  # interactions that some initiator has applied
    whole: int = 0
    undone: int = 0
    completed: int = 0
    open: int = 0
    torn: int = 0
    starts: int = 0  # of agents, the first ones included
    forged: int = 0  # frames of the attacker that must be refused
    replayed: int = 0  # frames of the run that it sent again
    tallies: dict[tuple[int, int], dict[str, int]] = field(default_factory=dict)  # by agent and incarnation
    asked: dict[tuple[int, int], int] = field(default_factory=dict)  # the number of its last request that was applied

    def add_tally(self, agent: int, incarnation: int, numbers: Mapping[str, Any]) -> None:
        """Numbers since the start of this incarnation: they replace those that it said before."""
        self.tallies[agent, incarnation] = {name: int(number) for name, number in numbers.items()}

    def told(self, name: str) -> int:
        """The sum of what all nodes counted under a name."""
        return sum(numbers.get(name, 0) for numbers in self.tallies.values())

    @property
    def requests(self) -> int:
        """All that are known of: a killed process takes what it has not said with it."""
        known = self.tallies.keys() | self.asked.keys()
        return sum(max(self.tallies.get(one, {}).get("requests", 0), self.asked.get(one, 0)) for one in known)

    @property
    def adds_up(self) -> bool:
        return self.applied == self.whole + self.undone + self.completed + self.open + self.torn

    @property
    def refused_share(self) -> float:
        """Of all requests."""
        requests = self.requests
        return self.told("refused") / requests if requests else 0.0

    def as_json(self) -> dict[str, int]:
        found = {fate: getattr(self, fate) for fate in FATES}
        return (
            found
            | {name: self.told(name) for name in Tally.NAMES}
            | {
                "requests": self.requests,
                "starts": self.starts,
                "forged": self.forged,
                "replayed": self.replayed,
            }
        )
