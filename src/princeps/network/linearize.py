"""The log lines of all agents, put into one order of interactions: a schedule of the sequential model.

Lines may come in any order that keeps those of each agent in theirs. An interaction x is placed where both sides are at
the versions that it names. It leaves as soon as its fate (counters.py) is known:

    the responder's lines say    and the initiator's say                 fate
    take                         anything                                whole
    abort or took_back           that it went on (gave_up, gone, torn)   torn
    abort or took_back           that it died                            undone
    that it died                 that it went on                         completed
    that it died                 that it died                            undone
    anything else                                                        not known yet; at the end: open

The restart of an agent overwrites its state, and so must come after every interaction with its former incarnation. An
initiator that waits for an answer may apply one late. Therefore the restart is held back until every incarnation that was
running at the death has said that it knows of it (`told`), after which it begins nothing with the dead one, or has died
itself; incarnations that start later know it from the start. If nobody says who was running, the restart is held back
until the log has ended.

In conducted mode interactions have numbers, and leave in their order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from princeps.model.script import SIDES_OF_A_PAIR, Dead, ForcedPair, ScriptEvent, SetStates, Torn
from princeps.model.states import Space, State
from princeps.network.counters import Counters
from princeps.network.log import ATTEMPTS, Line

PAIR, TORN, TORN_LATE, SET, BEGIN, DEAD = "pair", "torn", "torn late", "set", "begin", "dead"
INITIATOR = SIDES_OF_A_PAIR[0]
NOTHING: Line = [""]


X = tuple[int, int, int]  # initiator, its incarnation, counter
Granted = tuple[int, int, int, int]  # x and the responder's incarnation: the next one may grant the same x, in vain


class Event(NamedTuple):
    """One event of the schedule, with the states that the agents say they have after it.

    `torn late` is a torn interaction whose responder has moved on since: `second` is the state that it had. `begin` is
    the first state of an agent. `dead` is the end of one that does not come back, if the linearizer is asked for it.
    """

    kind: str
    i: int
    j: int
    draws: Sequence[int]
    first: State
    second: State

    def as_script(self, space: Space) -> ScriptEvent:
        if self.kind == PAIR:
            return ForcedPair(self.i, self.j, tuple(self.draws))
        if self.kind == TORN:
            return Torn(self.i, self.j, INITIATOR, tuple(self.draws))
        if self.kind == DEAD:
            return Dead(self.i)
        return SetStates(((self.i, dict(zip(space.names, self.first, strict=True))),))


class _Agent:
    """The lines of one agent that have not left yet, and how far it has come."""

    def __init__(self) -> None:
        self.lines: deque[Line] = deque()
        self.incarnation = self.version = 0  # of what has left
        self.latest = 0  # incarnation that a line has spoken of
        self.is_dead = False  # that incarnation
        self.told: dict[int, int] = {}  # what it knows: other agents and their dead incarnations
        self.went_on: set[X] = set()  # what it left without being acknowledged
        self.early: list[Granted] = []  # answered before its own line has come, if there is one

    def is_over(self, incarnation: int) -> bool:
        return self.latest > incarnation or (self.latest == incarnation and self.is_dead)


class Linearizer:
    """Takes lines by `feed` and gives events, on line; `finish` says that no more will come."""

    def __init__(self, n: int, conducted: bool = False, stay_dead: bool = False) -> None:
        self.agents = [_Agent() for _ in range(n)]
        self._stay_dead = stay_dead
        self._turn = 1 if conducted else 0  # the number of the order that leaves next; 0: none has a number
        self._initiators: dict[int, int] = {}  # of orders that were applied
        self.counters = Counters()
        self._meets: dict[X, Line] = {}  # applied, not placed yet
        self._answers: dict[Granted, Line] = {}  # what the responder says of them
        self._pending: dict[tuple[int, int], int] = {}  # how many of them, by responder and its incarnation
        self._blocked: dict[int, set[int]] = {}  # initiators whose first line waits for this responder
        self._finished = False
        self._events: list[Event] = []

    def feed(self, line: Line) -> list[Event]:
        kind, agent, incarnation = line[:3]
        own = self.agents[agent]
        waiting = [agent, *self._blocked.pop(agent, ())]
        if kind == "tally":
            self.counters.add_tally(agent, incarnation, line[3])
        elif kind == "told":
            own.told[line[3]] = line[4]
            waiting.append(line[3])
        elif kind == "start":
            if incarnation > 1 and not own.is_dead:  # nobody saw it die
                waiting += self._die(agent)
            own.latest, own.is_dead, own.told = incarnation, False, dict(line[4])
            self.counters.starts += 1
            own.lines.append(line)
        elif kind == "dead":
            waiting += self._die(agent, line[3] if len(line) > 3 else None)
        elif kind == "meet":
            x = agent, incarnation, line[4]
            self.counters.applied += 1
            self._meets[x] = line
            if self._turn:
                self._initiators[line[4] >> ATTEMPTS] = agent
            else:
                self.counters.asked[agent, incarnation] = line[4]
            self._pending[line[5], line[6]] = self._pending.get((line[5], line[6]), 0) + 1
            own.lines.append(line)
            if own.early:
                self._forget_unapplied(own, x)
        elif kind in ("take", "abort", "took_back"):
            granted = line[4], line[5], line[6], incarnation
            self._answers[granted] = line
            if granted[:3] not in self._meets:
                self.agents[line[4]].early.append(granted)
            own.lines.append(line)
            waiting.append(line[4])
        else:  # gave_up, gone, torn
            own.went_on.add((agent, incarnation, line[4]))
        return self._advance(waiting)

    @property
    def unsettled(self) -> int:
        """Interactions that are applied at one side and not placed yet."""
        return len(self._meets)

    def feed_all(self, lines: Iterable[Line]) -> list[Event]:
        return [event for line in lines for event in self.feed(line)]

    def finish(self) -> list[Event]:
        """The log has ended: what is not decided now stays open."""
        self._finished = True
        events = self._advance(range(len(self.agents)))
        self.counters.open = len(self._meets)
        return events

    # -- one agent's lines --------------------------------------------------------------------------------------------

    def _die(self, agent: int, running: list[int] | None = None) -> list[int]:
        """Whose lines may leave because of it."""
        own = self.agents[agent]
        if own.is_dead:
            return []
        own.is_dead = True
        own.lines.append(["dead", agent, own.latest, running])
        return list(range(len(self.agents)))

    def _forget_unapplied(self, own: _Agent, x: X) -> None:
        """What was answered, but came before x, and has no line of the initiator, was never applied."""
        for one in own.early:
            if one[:3] < x and one[:3] not in self._meets:
                self._answers.pop(one, None)
        own.early = [one for one in own.early if one[:3] > x]

    def _advance(self, waiting: Iterable[int]) -> list[Event]:
        """Whatever can leave leaves."""
        self._events = []
        stack = list(waiting)
        while stack:
            agent = stack.pop()
            own = self.agents[agent]
            while own.lines and self._leave(agent, own, own.lines[0], stack):
                stack += self._blocked.pop(agent, ())
        return self._events

    def _leave(self, agent: int, own: _Agent, line: Line, stack: list[int]) -> bool:
        """Whether the first line of an agent is done with."""
        kind = line[0]
        if kind == "meet":
            return self._place(own, line, stack)
        if kind == "take":  # it leaves with the initiator's line
            initiator = self.agents[line[4]]
            first = initiator.lines[0] if initiator.lines else NOTHING
            if first[0] == "meet" and (first[2], first[4]) == (line[5], line[6]):
                stack.append(line[4])
                return self._place(initiator, first, stack)
            return False
        if kind == "dead" and not self._may_restart(agent, line[2], line[3]):
            return False
        own.lines.popleft()
        if kind == "start":
            own.incarnation, own.version = line[2], 0
            state = tuple(line[3])
            self._events.append(Event(BEGIN if line[2] == 1 else SET, agent, -1, (), state, state))
        elif kind == "dead" and self._stay_dead:
            self._events.append(Event(DEAD, agent, -1, (), (), ()))
        return True

    def _may_restart(self, agent: int, incarnation: int, running: list[int] | None) -> bool:
        if self._pending.get((agent, incarnation)):
            return False
        if running is None or self._finished:
            return self._finished
        return all(
            other.is_over(theirs) or (other.latest == theirs and other.told.get(agent, 0) >= incarnation)
            for k, (other, theirs) in enumerate(zip(self.agents, running, strict=True))
            if k != agent
        )

    # -- one interaction ----------------------------------------------------------------------------------------------

    def _fate(self, x: X, responder: _Agent, incarnation: int) -> str | None:
        answer, initiator = self._answers.get((*x, incarnation)), self.agents[x[0]]
        if answer is not None and answer[0] == "take":
            return "whole"
        if answer is None and not responder.is_over(incarnation):
            return None
        went_on = x in initiator.went_on
        if not went_on and initiator.is_over(x[1]):
            return "undone"
        if went_on or self._finished:
            return "completed" if answer is None else "torn"
        return None

    def _place(self, own: _Agent, line: Line, stack: list[int]) -> bool:
        """The interaction of an initiator's first line leaves, if its fate is known and it is its turn on both sides."""
        _, i, incarnation, _, counter, j, theirs, at, first, second, draws = line
        x = i, incarnation, counter
        other = self.agents[j]
        fate = self._fate(x, other, theirs)
        here = (other.incarnation, other.version) == (theirs, at)
        if fate in ("whole", "completed"):
            head = other.lines[0] if other.lines and here else NOTHING
            if head[0] != ("take" if fate == "whole" else "dead") or (fate == "whole" and tuple(head[4:7]) != x):
                fate = None
        if fate is None or (self._turn and counter >> ATTEMPTS != self._turn):
            self._blocked.setdefault(j, set()).add(i)
            return False
        if fate in ("whole", "completed"):
            if fate == "whole":
                other.lines.popleft()
            other.version += 1
            self._events.append(Event(PAIR, i, j, draws, tuple(first), tuple(second)))
        elif fate == "torn":
            held = tuple(self._answers[*x, theirs][7])
            self._events.append(Event(TORN if here else TORN_LATE, i, j, draws, tuple(first), held))
        own.lines.popleft()
        own.version += fate != "undone"
        setattr(self.counters, fate, getattr(self.counters, fate) + 1)
        del self._meets[x]
        self._answers.pop((*x, theirs), None)
        own.went_on.discard(x)
        self._pending[j, theirs] -= 1
        stack += (i, j, *self._blocked.pop(i, ()), *self._blocked.pop(j, ()))
        if self._turn:
            del self._initiators[self._turn]
            self._turn += 1
            if self._turn in self._initiators:
                stack.append(self._initiators[self._turn])
        return True
