"""A configuration as a small picture: bars of the occupied states, and the agents on their graph.

Written as SVG by hand: a notebook draws one at every move of a slider, and matplotlib would take a second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import islice
from math import cos, pi, sin
from typing import NamedTuple

from princeps.errors import PrincepsError, RunError
from princeps.figures.style import COLOURS, GREY, RULE, tint
from princeps.model.graphs import make_topology
from princeps.model.randomness import Stream
from princeps.model.result import Result
from princeps.model.states import State
from princeps.model.topology import COMPLETE, Topology

MAX_BARS = 16  # states; where there are more, those that most agents are in now, and the others as one bar
MAX_AGENTS = 200  # that are drawn one by one
MAX_ARCS = 2000
MAX_MOMENTS = 5000  # of a slider; of more of them some, evenly
BAR, BARS_WIDTH, NAME, DISC = 18, 260, 64, 340  # pixels, and letters of a name
LETTER = 6.4  # pixels
PALETTE = [tint(colour, depth) for depth in (1, 0.6, 0.3) for colour in COLOURS[:6]]


class Moment(NamedTuple):
    """One configuration of a recording."""

    step: int
    tally: Sequence[tuple[State, int]]
    agents: Sequence[State] | None  # by number, where they have numbers and are few


class Recording:
    """The configurations that a run has kept, as pictures: `recording.picture(k)` is an SVG."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self.moments = moments_of(result)
        kept = result.states if result.states is not None else next(iter((result.snapshots or {}).values()))
        self.names = kept.state_names
        self.graph = _graph(result) if any(moment.agents for moment in self.moments) else None
        most: dict[State, int] = {}
        for moment in self.moments:
            for state, size in moment.tally:
                most[state] = most.get(state, 0) + size
        ranked = sorted(sorted(most), key=lambda state: -most[state])
        self.bars = sorted(ranked, reverse=True) if len(ranked) <= MAX_BARS else None
        self.colours = {state: PALETTE[k] for k, state in enumerate(ranked[: len(PALETTE)])}

    def picture(self, k: int) -> str:
        moment, n = self.moments[k], self.result.n
        title = f"step {moment.step:,}, parallel time {moment.step / n:,.6g}"
        parts, width, height = [], 0, 0
        if moment.agents is not None and self.graph is not None:
            parts.append(f'<g transform="translate(0,24)">{self._agents(moment.agents, self.graph)}</g>')
            width, height = DISC + 20, DISC
        bars, bars_width, bars_height = self._bars(dict(moment.tally))
        parts.append(f'<g transform="translate({width},24)">{bars}</g>')
        width, height = width + bars_width, max(height, bars_height) + 30
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            f'style="max-width:100%;height:auto" role="img" '
            f'aria-label="{escape(title)}" font-family="sans-serif" font-size="11">'
            f'<text x="0" y="14" font-weight="bold" fill="currentColor">{escape(title)}</text>{"".join(parts)}</svg>'
        )

    def _bars(self, tally: Mapping[State, int]) -> tuple[str, int, int]:
        states = self.bars or sorted(sorted(tally), key=lambda state: -tally[state])[:MAX_BARS]
        rows = [(self.names.name(state), tally.get(state, 0), self.colours.get(state, GREY)) for state in states]
        others = sum(tally.values()) - sum(size for _, size, _ in rows)
        if others:
            rows.append(("all other states", others, GREY))
        names = [name if len(name) <= NAME else f"{name[: NAME - 1]}…" for name, _, _ in rows]
        left = round(LETTER * max(map(len, names))) + 10
        out = []
        for row, (name, (_, size, colour)) in enumerate(zip(names, rows, strict=True)):
            y, length = row * BAR, BARS_WIDTH * size / self.result.n
            out.append(
                f'<text x="{left - 6}" y="{y + 13}" text-anchor="end" fill="currentColor">{escape(name)}</text>'
                f'<rect x="{left}" y="{y + 2}" width="{length:.2f}" height="{BAR - 5}" fill="{colour}"/>'
                f'<text x="{left + length + 5:.2f}" y="{y + 13}" fill="currentColor">{size:,}</text>'
            )
        return "".join(out), left + BARS_WIDTH + 110, BAR * len(rows)

    def _agents(self, agents: Sequence[State], graph: Topology) -> str:
        """On a circle, or on a grid; who leads has a thick rim."""
        places = _places(graph)
        radius = max(3.0, min(14.0, 2.2 * DISC / len(agents)))
        out = []
        if graph.kind != COMPLETE:
            for i, j in islice((graph.arc(k) for k in range(graph.arc_count)), MAX_ARCS):
                (a, b), (c, d) = places[i], places[j]
                out.append(f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}" stroke="{RULE}"/>')
        leading = self._leading()
        for agent, state in enumerate(agents):
            x, y = places[agent]
            rim = ' stroke="black" stroke-width="3.5"' if state in leading else f' stroke="{GREY}" stroke-width="0.7"'
            tip = f"agent {agent}: {self.names.name(state)}{', leads' if state in leading else ''}"
            out.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{self.colours.get(state, "#C8C8C8")}"{rim}>'
                f"<title>{escape(tip)}</title></circle>"
            )
        return "".join(out)

    def _leading(self) -> frozenset[State]:
        return frozenset().union(*(snapshot.leading for snapshot in (self.result.snapshots or {}).values()))


def moments_of(result: Result) -> list[Moment]:
    """From snapshots and from record="states", in the order of their steps; a snapshot also knows its agents."""
    found: dict[int, Moment] = {}
    if result.states is not None:
        for place, step in enumerate(result.states.steps):
            found[step] = Moment(step, result.states.tally(place), None)
    for snapshot in (result.snapshots or {}).values():
        agents = None
        if snapshot.fields is not None and result.n <= MAX_AGENTS:
            columns = [values.tolist() for values in snapshot.fields.values()]
            agents = list(zip(*columns, strict=True))
        found[snapshot.step] = Moment(snapshot.step, snapshot.tally, agents)
    if not found:
        raise RunError(
            f"this run of {result.protocol} kept no configurations: repeat it with record='states', or snapshots=[0, 100]."
        )
    ordered = [found[step] for step in sorted(found)]
    every = -(-len(ordered) // MAX_MOMENTS)
    return ordered[::every]


def _graph(result: Result) -> Topology | None:
    """As the run had it, if it can still be made: its file may be gone."""
    try:
        return make_topology(result.graph, result.n, Stream.of(result.seed, result.trial, "graph"))
    except PrincepsError:
        return None


def _places(graph: Topology) -> list[tuple[float, float]]:
    name, _, size = graph.text.partition(":")
    if name in ("grid", "torus"):
        rows, columns = (int(part) for part in size.split("x"))
        step = (DISC - 40) / max(rows - 1, columns - 1, 1)
        return [(20 + (k % columns) * step, 20 + (k // columns) * step) for k in range(graph.n)]
    middle, radius = DISC / 2, DISC / 2 - 20
    turns = [2 * pi * k / graph.n for k in range(graph.n)]
    return [(middle + radius * sin(turn), middle - radius * cos(turn)) for turn in turns]
