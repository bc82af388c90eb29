"""A point of network runs: that of the simulated ones, and how the network was.

It is another point, because what an agent waits for may make another law; simulated points keep their identities. The
rows of such a point say what the replay found. One that disagrees is kept, and is no data (rows.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from princeps.campaign.identity import point_id
from princeps.campaign.point import Point
from princeps.model.options import NetOptions, options_of

WHERE, NETWORK, SIMULATION = "where", "network", "simulation"
ALWAYS = ("mode", "transport")  # what is known of every network; the other options of one are kept if they were given


@dataclass(frozen=True)
class NetworkPoint(Point):
    """`network` are the options of the network by their names, as texts."""

    simulated: Point | None = None
    network: Mapping[str, str] = field(default_factory=dict)

    @property
    def measure(self) -> str:
        return self._simulated.measure

    @property
    def rule(self) -> str:
        return self._simulated.rule

    @property
    def stored(self) -> dict[str, Any]:
        return {**self._simulated.stored, WHERE: NETWORK, NETWORK: dict(self.network)}

    @property
    def _simulated(self) -> Point:
        assert self.simulated is not None
        return self.simulated


def network_point(simulated: Point, network: Mapping[str, str]) -> NetworkPoint:
    content = {**simulated.content, NETWORK: dict(network)}
    same = {one.name: getattr(simulated, one.name) for one in fields(Point)}
    return NetworkPoint(**{**same, "id": point_id(content), "content": content}, simulated=simulated, network=network)


def where_of(description: Mapping[str, Any]) -> str:
    """Of a stored point."""
    return str(description.get(WHERE, SIMULATION))


def network_of(description: Mapping[str, Any]) -> dict[str, str]:
    """How the network of a stored point was; nothing if there was none."""
    return dict(description.get(NETWORK, {}))


def network_words(network: Mapping[str, str]) -> list[str]:
    """The same as words of a command."""
    known = options_of(NetOptions)
    words = []
    for name, text in network.items():
        if text != str(known[name].default):
            words += [known[name].flags[-1], text]
    return words
