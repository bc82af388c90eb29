"""What an agent writes down: one line an event, a JSON list, written before any frame that depends on it is sent.

    ["start", agent, incarnation, STATE, [[other, incarnation], ...]]  it begins; these incarnations it knows to be dead
    ["meet", agent, incarnation, version, counter, other, its incarnation, its version, STATE, STATE, [draws]]
                                 as initiator it has applied interaction x = (agent, incarnation, counter): both new states
    ["take", agent, incarnation, version, initiator, its incarnation, counter, STATE]      as responder it has taken it
    ["abort", ..., STATE]        the same words: the initiator says that x will not be; the state is what it was
    ["took_back", ..., STATE]    the same: its lease ran out while it had granted x
    ["gave_up", agent, incarnation, version, counter]   its lease ran out while it waited for the ACK of x
    ["gone", ...]                the same words: the responder's incarnation of x is dead, so that nobody will acknowledge
    ["torn", ...]                the same: the responder says that it took x back
    ["told", agent, incarnation, other, its incarnation]   it knows that this incarnation is dead: it will not meet it
    ["tally", agent, incarnation, {name: number}]          what it has counted since it started
    ["dead", agent, incarnation, [incarnations]]           its process has ended: written by whoever saw that, with the
                                 incarnations of all agents that were running then (0: none), if that is known
    ["garbage", forged, replayed]    frames that the attacker has sent: written by itself (attacker.py)

A version is the number of interactions that the agent has applied in its incarnation, before the event. Versions of both
sides are in a line, so that lines of different agents can be put into an order without any clock.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from princeps.model.states import State

Line = list[Any]
LARGEST_LINE = 1 << 20  # bytes; a longer one is no line of ours
ATTEMPTS = 24  # bits: in conducted mode a counter is the number of the order, followed by that of the attempt
REMEMBERED = 1 << 16  # states whose text is kept
_read = json.JSONDecoder().raw_decode  # half of the time of json.loads, which looks for encodings and spaces


class StateTexts(dict[State, str]):
    """The text of a state in a line; the same states occur again and again."""

    def __missing__(self, state: State) -> str:
        if len(self) >= REMEMBERED:
            self.clear()
        text = self[state] = f"[{','.join(map(str, state))}]"
        return text


def line_of(kind: str, *numbers: int, state: str = "") -> bytes:
    """A line of numbers, and at its end a state as text or any other JSON."""
    return f'["{kind}",{",".join(map(str, numbers))}{"," if state else ""}{state}]\n'.encode()


def meet_line(
    me: int, mine: int, version: int, counter: int, other: int, theirs: int, at: int, states: str, draws: Sequence[int]
) -> bytes:
    """This line and the next are written for every interaction, and written out they take a third of the time."""
    tossed = ",".join(map(str, draws)) if draws else ""
    return f'["meet",{me},{mine},{version},{counter},{other},{theirs},{at},{states},[{tossed}]]\n'.encode()


def take_line(me: int, mine: int, version: int, initiator: int, x: tuple[int, int], state: str) -> bytes:
    return f'["take",{me},{mine},{version},{initiator},{x[0]},{x[1]},{state}]\n'.encode()


def start_line(agent: int, incarnation: int, state: str, dead: Sequence[tuple[int, int]]) -> bytes:
    known = json.dumps([list(one) for one in dead], separators=(",", ":"))
    return line_of("start", agent, incarnation, state=f"{state},{known}")


class LogReader:
    """Lines from the pieces in which they arrive. The last one, of a process killed in the middle of it, never comes."""

    def __init__(self) -> None:
        self._rest = b""
        self.damaged = 0  # whole lines that are no line of ours

    def feed(self, piece: bytes) -> Iterator[Line]:
        *whole, self._rest = (self._rest + piece).split(b"\n")
        if len(self._rest) > LARGEST_LINE:
            self._rest, self.damaged = b"", self.damaged + 1
        for text in whole:
            line = parsed(text)
            if line is None:
                self.damaged += 1
            else:
                yield line

    @property
    def unfinished(self) -> bytes:
        """The beginning of a line whose end has not come."""
        return self._rest


def parsed(text: bytes) -> Line | None:
    try:
        words = text.decode()
        line, end = _read(words)
    except (ValueError, RecursionError):
        return None
    if end != len(words) and not words[end:].isspace():
        return None
    return line if isinstance(line, list) and len(line) >= 3 and isinstance(line[0], str) else None
