"""A recording read as the page reads it."""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.web.encoding import decompressed


def arrays_of(recording: dict[str, Any]) -> dict[str, Any]:
    """The arrays of a recording of meetings, by name."""
    content, place, found = decompressed(recording["data"]), 0, {}
    for name, kind, length in recording["layout"]:
        size = -(-length // 8) if kind == "bits" else length * {"u16": 2, "u32": 4}[kind]
        part = content[place : place + size]
        if kind == "bits":
            found[name] = np.unpackbits(np.frombuffer(part, np.uint8), bitorder="little")[:length]
        else:
            found[name] = np.frombuffer(part, {"u16": "<u2", "u32": "<u4"}[kind])
        place += size
    assert place == len(content)
    return found


class Replay:
    """Goes through a recording of meetings, forward."""

    def __init__(self, recording: dict[str, Any]) -> None:
        self.recording, self.arrays = recording, arrays_of(recording)
        self.first = self.step = int(recording["first"])
        self.ids = self.arrays["start"].tolist()
        self.events = list(recording["events"])
        self.change = 0
        self.dead: set[int] = set()
        self.cuts: set[tuple[int, int]] = set()
        self._attack()

    def goto(self, step: int) -> list[list[int]]:
        """The states of all agents there."""
        while self.step < step:
            k = self.step - self.first
            if self.arrays["changed"][k]:
                self.ids[self.arrays["i"][k]] = int(self.arrays["after_i"][self.change])
                self.ids[self.arrays["j"][k]] = int(self.arrays["after_j"][self.change])
                self.change += 1
            self.step += 1
            self._attack()
        return [self.recording["states"][number]["f"] for number in self.ids]

    @property
    def pair(self) -> tuple[int, int]:
        k = self.step - self.first - 1
        return int(self.arrays["i"][k]), int(self.arrays["j"][k])

    def _attack(self) -> None:
        while self.events and self.events[0][0] <= self.step:
            _, kind, *given = self.events.pop(0)
            if kind == "set":
                for agent, number in given[0]:
                    self.ids[agent] = number
            elif kind in ("dead", "alive"):
                (self.dead.add if kind == "dead" else self.dead.discard)(given[0])
            elif kind in ("killed", "returned", "paused", "resumed"):
                pass  # processes
            else:
                (self.cuts.add if kind == "cut" else self.cuts.discard)((given[0], given[1]))
