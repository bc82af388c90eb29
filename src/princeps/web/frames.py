"""Frames: what the page draws, in binary. The length of a header in four bytes, the header as JSON, and the payload.

A frame is made when somebody asks for it, from the configuration of that moment. States that were shown before are only
numbers; `known` is how many of them the page has. A table that has become too long is replaced, which the header's
"table" says.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from math import isqrt
from typing import Any

import numpy as np

from princeps.engines.rings.session import RingSession
from princeps.engines.session import Session
from princeps.web.about import PIXELS, view_of
from princeps.web.branches import Held
from princeps.web.commonest import commonest
from princeps.web.pixels import Pixels
from princeps.web.ring_frame import ring_frame
from princeps.web.shares import Share
from princeps.web.state_table import StateTable

MAX_IN_ROWS = 500  # agents of a complete graph, and of others without a picture, that the page draws as shapes
MAX_TABLE = 20_000  # states in a table
BARS = 64  # the commonest states
BAR_SHARE = 0.005  # of the time, for counting them

Header = dict[str, Any]
NOTHING_BESIDE: Mapping[str, Any] = {}


def encode(header: Header, payload: bytes | memoryview = b"") -> bytes:
    text = json.dumps(header, separators=(",", ":")).encode()
    return b"".join((struct.pack("<I", len(text)), text, payload))


def decode(frame: bytes) -> tuple[Header, bytes]:
    (length,) = struct.unpack_from("<I", frame)
    header: Header = json.loads(frame[4 : 4 + length])
    return header, frame[4 + length :]


class Frames:
    """Makes the frames of one run, whatever its branches."""

    def __init__(self, session: Held, number: int) -> None:
        self.number = number  # of the table
        self._bars: tuple[list[list[Any]], str] = ([], "0")
        self._barring = Share(BAR_SHARE)
        self._draws_shapes = session.n <= MAX_IN_ROWS or view_of(session) != PIXELS
        if isinstance(session, Session):
            self._renew(session)

    def _renew(self, session: Session) -> None:
        self.table = StateTable(session.run.protocol)
        self.pixels = Pixels(self.table)
        self._barring.forgive()  # bars name states by their numbers in the table

    def make(
        self,
        session: Held,
        version: int,
        branch: int,
        *,
        choice: str | None,
        known: int,
        table: int,
        steadily: bool,
        beside: Mapping[str, Any] = NOTHING_BESIDE,
    ) -> bytes:
        """`beside`: what the header says otherwise than the session."""
        common = {"v": version, "step": str(session.steps), "branch": branch, "leaders": str(session.leaders)}
        if isinstance(session, RingSession):
            return encode({**ring_frame(session), **common, "table": self.number, **nothing(), **beside})
        if len(self.table) > MAX_TABLE:
            self._renew(session)
            self.number += 1
        known = known if table == self.number and 0 <= known <= len(self.table) else 0
        own, payload = self._content(session, choice, steadily)
        header = {
            **own,
            **common,
            "pair": _last_pair(session),
            "dead": sorted(session.dead_agents),
            "cuts": sorted(map(list, session.cut_arcs)),
            "states_from": known,
            "states": self.table.entries(known),
            "table": self.number,
            **beside,
        }
        return encode(header, payload)

    def _content(self, session: Session, choice: str | None, steadily: bool) -> tuple[Header, bytes | memoryview]:
        if not session.population.numbers_agents:
            return {"kind": "counts", **self._tallied(session, steadily)}, b""
        if self._draws_shapes:
            ids = self.table.ids(session)
            sizes = np.bincount(ids)
            kind = "u16" if len(self.table) <= 1 << 16 else "u32"
            payload = ids.astype("<u2" if kind == "u16" else "<u4").tobytes()
            return {"kind": "agents", "ids": kind, **_bars_of(enumerate(sizes.tolist()), session.n)}, payload
        pixels = self.pixels.packed(session, choice)
        named = self.table.look.choice(choice).name
        header = {
            "kind": "pixels",
            "width": isqrt(session.n - 1) + 1,
            "bits": 4,
            "choice": named,
            "classes": self.table.class_labels(named),
        }
        return {**header, **self._tallied(session, steadily)}, pixels

    @property
    def tallying_seconds(self) -> float:
        """Spent on counting states, which has a share of its own."""
        return self._barring.seconds

    def _tallied(self, session: Session, steadily: bool) -> Header:
        """The commonest states; while the run plays, those of a moment ago where counting takes long."""
        if not steadily or self._barring.may(hurries=True):
            with self._barring:
                self._tally(session)
        return {"bars": self._bars[0], "others": self._bars[1]}

    def _tally(self, session: Session) -> None:
        top, rest = commonest(session.population, BARS)
        self._bars = [[self.table.number_of(state), str(size)] for state, size in top], str(rest)
        self.table.entries(len(self.table))  # how new ones are drawn takes longer than all pixels: not the frame's time


def nothing() -> Header:
    """What the frame of a ring has not."""
    return {"pair": None, "dead": [], "cuts": [], "bars": [], "others": "0", "states_from": 0, "states": []}


def _bars_of(sizes: Any, n: int) -> Header:
    found = sorted(((size, number) for number, size in sizes if size), key=lambda one: (-one[0], one[1]))[:BARS]
    return {
        "bars": [[number, str(size)] for size, number in found],
        "others": str(n - sum(size for size, _ in found)),
    }


def _last_pair(session: Session) -> list[int] | None:
    if not session.population.numbers_agents:
        return None
    pair = session.last_pair
    return None if pair is None else list(pair)
