"""Who reads the log while it is written: the order of interactions, the replay, leaders over time, recoveries."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from princeps.model.run import Run
from princeps.network.fairness import Fairness, fairness
from princeps.network.linearize import DEAD, SET, Event, Linearizer
from princeps.network.log import Line
from princeps.network.replay import Replay
from princeps.network.report import RecoveryReport
from princeps.network.tape import Tape

LONGEST_HISTORY = 10_000  # changes of the number of leaders that are kept


@dataclass
class Recovery:
    """From the moment at which an agent came back in another state to the goal; from its death if it stays dead."""

    agent: int
    died: float  # seconds after the start
    restarted_at: int | None = None  # interactions
    interactions: int | None = None  # to the goal; None: not yet
    seconds: float | None = None
    since: int | None = None  # interactions at that moment

    def as_json(self) -> RecoveryReport:
        seconds = None if self.seconds is None else round(self.seconds, 6)
        return {
            "agent": self.agent,
            "died": round(self.died, 6),
            "restarted_at": self.restarted_at,
            "interactions": self.interactions,
            "seconds": seconds,
        }


class Observer:
    """Takes lines with the moment at which they were read, in seconds after the start.

    Agents that `stay_dead` are no part of the population any more, `absent` ones not before they have started.
    """

    def __init__(self, run: Run, conducted: bool = False, stay_dead: bool = False, absent: Iterable[int] = ()) -> None:
        self.run = run
        self.linearizer, self.replay = Linearizer(run.n, conducted, stay_dead), Replay(run, absent)
        self.counters = self.linearizer.counters
        self.seconds_to_goal: float | None = 0.0 if self.replay.holds else None
        self.history: list[tuple[float, int, int]] = [(0.0, 0, self.replay.leaders)]
        self.tape = Tape(run)
        self.recoveries: list[Recovery] = []
        self._waiting: list[Recovery] = []
        self.heard: Callable[[Event], None] | None = None  # is told of every event, in the order

    def read(self, line: Line, seconds: float) -> None:
        if line[0] == "dead":
            found = Recovery(line[1], seconds)
            self.recoveries.append(found)
            self._waiting.append(found)
        elif line[0] == "garbage":
            self.counters.forged, self.counters.replayed = line[1:3]
            return
        self._apply(self.linearizer.feed(line), seconds)

    def finish(self, seconds: float) -> None:
        self._apply(self.linearizer.finish(), seconds)

    def _apply(self, events: Iterable[Event], seconds: float) -> None:
        replay = self.replay
        for event in events:
            replay.apply(event)
            self.tape.note(event)
            if self.heard is not None:
                self.heard(event)
            if event.kind in (DEAD, SET):
                self._began_to_recover(event.i, came_back=event.kind == SET)
            if self._waiting and replay.holds:
                self._recovered(seconds)
            leaders = replay.leaders
            if leaders != self.history[-1][2] and len(self.history) < LONGEST_HISTORY:
                self.history.append((seconds, replay.interactions, leaders))
        if self.seconds_to_goal is None and replay.first_hit is not None:
            self.seconds_to_goal = seconds

    def _began_to_recover(self, agent: int, came_back: bool = False) -> None:
        for one in self._waiting:
            if one.agent == agent and one.since is None:
                one.since = self.replay.interactions
                one.restarted_at = one.since if came_back else None
                return

    def _recovered(self, seconds: float) -> None:
        for one in self._waiting:
            if one.since is not None:
                one.interactions = self.replay.interactions - one.since
                one.seconds = seconds - one.died
        self._waiting = [one for one in self._waiting if one.interactions is None]

    @property
    def fairness(self) -> Fairness:
        return fairness(self.replay.pairs, self.run.topology, self.counters.refused_share)

    @property
    def unsettled(self) -> bool:
        """Some interaction is applied at one side, and its fate is not known yet."""
        return self.linearizer.unsettled > 0
