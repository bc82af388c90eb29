"""Boxes in layers with arrows downwards, as plain SVG.

A box stands one layer above the highest box that it may use. An arrow that follows from two others (a uses b, b uses c,
hence a to c) is left out, since every box lists all it uses. An arrow over several layers passes between the boxes of
those in between: it has a narrow place of its own there. Everything is computed from sorted names, so that the same
boxes give the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from textwrap import wrap

WIDTH, BOX, LINE, GAP, LAYER_GAP, MARGIN = 860, 330, 15, 40, 42, 20
LETTERS = 50  # of the text that fit into the width of a box

STYLE = """
text { font: 12px sans-serif; fill: #1f2328; }
.name { font: bold 14px monospace; }
.list { fill: #57606a; font-size: 11px; }
.page { fill: #ffffff; }
.box { fill: #f6f8fa; stroke: #57606a; }
.arrow { fill: none; stroke: #0969da; stroke-width: 1.5; }
.by-name { stroke-dasharray: 5 4; }
.forbidden { stroke: #cf222e; }
.tip { fill: #0969da; }
.forbidden-tip { fill: #cf222e; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .list { fill: #9da7b3; }
  .page { fill: #0d1117; }
  .box { fill: #161b22; stroke: #9da7b3; }
  .arrow { stroke: #58a6ff; }
  .forbidden { stroke: #ff7b72; }
  .tip { fill: #58a6ff; }
  .forbidden-tip { fill: #ff7b72; }
}
"""


@dataclass(frozen=True)
class Box:
    """A room: what it may use (`below`), what it does use (`arrows`), and what it only finds by name."""

    name: str
    text: str
    below: frozenset[str]
    arrows: frozenset[str]
    by_name: frozenset[str]
    libraries: frozenset[str]

    @property
    def lines(self) -> list[tuple[str, str]]:
        """(class, text) of every line in the box."""
        uses = [*sorted(self.arrows), *(f"{name} (by name)" for name in sorted(self.by_name))]
        lists = ["uses " + ", ".join(uses)] if uses else []
        lists += ["libraries: " + ", ".join(sorted(self.libraries))] if self.libraries else []
        plain = [("text", line) for line in wrap(self.text, LETTERS)]
        return [("name", self.name), *plain, *(("list", line) for one in lists for line in wrap(one, LETTERS + 6))]

    @property
    def height(self) -> int:
        return LINE * len(self.lines) + 14


@dataclass(frozen=True)
class Place:
    """Where something stands: a box, or the point at which an arrow passes a layer."""

    x: float  # the middle
    top: float
    bottom: float


Point = tuple[str, str, int]  # an arrow from, to, at a layer


def draw(boxes: list[Box]) -> str:
    """The whole picture."""
    by_name = {box.name: box for box in boxes}
    layer = {name: _layer(name, by_name) for name in by_name}
    permitted = sorted((box.name, to) for box in boxes for to in box.arrows & box.below)
    arrows = [arrow for arrow in permitted if not _follows(arrow, permitted)]
    places, height = _placed(by_name, layer, arrows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}">',
        f"<style>{STYLE}</style>",
        *(_tip(kind) for kind in ("tip", "forbidden-tip")),
        f'<rect class="page" width="{WIDTH}" height="{height}"/>',
    ]
    for start, end in arrows:
        passed = [places[(start, end, at)] for at in range(layer[start] - 1, layer[end], -1)]
        parts.append(_path([places[start], *passed, places[end]], "arrow", "tip"))
    for box in boxes:
        for to in sorted(box.arrows - box.below):
            parts.append(_path([places[box.name], places[to]], "arrow forbidden", "forbidden-tip"))
        for to in sorted(box.by_name):
            parts.append(_path([places[box.name], places[to]], "arrow by-name", "tip", aside=60))
        parts.append(_rectangle(box, places[box.name]))
    return "\n".join([*parts, "</svg>", ""])


def _layer(name: str, boxes: dict[str, Box]) -> int:
    return 1 + max((_layer(below, boxes) for below in boxes[name].below), default=-1)


def _follows(arrow: tuple[str, str], arrows: list[tuple[str, str]]) -> bool:
    """Is there a longer way from the arrow's start to its end?"""
    start, end = arrow
    ways = [to for origin, to in arrows if origin == start and to != end]
    seen: set[str] = set()
    while ways:
        here = ways.pop()
        if here == end:
            return True
        if here not in seen:
            seen.add(here)
            ways += [to for origin, to in arrows if origin == here]
    return False


def _placed(
    boxes: dict[str, Box], layer: dict[str, int], arrows: list[tuple[str, str]]
) -> tuple[dict[str | Point, Place], int]:
    """Layer by layer from the bottom: each box and each passing arrow in the order of the middle of what it points to."""
    x: dict[str | Point, float] = {}
    rows: list[list[str | Point]] = []
    for at in range(max(layer.values()) + 1):
        row: list[str | Point] = [name for name in boxes if layer[name] == at]
        row += [(start, end, at) for start, end in arrows if layer[end] < at < layer[start]]
        row.sort(key=lambda entry: _wished(entry, x, layer, arrows))
        rows.append(row)
        widths = [BOX if isinstance(entry, str) else 0 for entry in row]
        left = (WIDTH - sum(widths) - GAP * (len(row) - 1)) / 2
        for entry, width in zip(row, widths, strict=True):
            x[entry] = left + width / 2
            left += width + GAP
    places: dict[str | Point, Place] = {}
    top = float(MARGIN)
    for row in reversed(rows):
        heights = [boxes[entry].height for entry in row if isinstance(entry, str)]
        for entry in row:
            size = boxes[entry].height if isinstance(entry, str) else max(heights)
            places[entry] = Place(x[entry], top, top + size)
        top += max(heights) + LAYER_GAP
    return places, int(top - LAYER_GAP + MARGIN)


def _wished(
    entry: str | Point, x: dict[str | Point, float], layer: dict[str, int], arrows: list[tuple[str, str]]
) -> float:
    """Where the arrows of an entry lead, on average."""
    if isinstance(entry, str):
        below = [(start, end, layer[entry] - 1) for start, end in arrows if start == entry]
    else:
        below = [(entry[0], entry[1], entry[2] - 1)]
    known = [x[point] if point in x else x[point[1]] for point in below]
    return sum(known) / len(known) if known else WIDTH / 2


def _path(stops: list[Place], kind: str, tip: str, aside: float = 0) -> str:
    """From the lower edge of the first place to the upper edge of the last; upwards, from edge to edge likewise."""
    first, last = stops[0], stops[-1]
    if first.top > last.top:  # upwards
        ends = ((first.x - aside, first.top), (last.x - aside, last.bottom))
    else:
        ends = ((first.x, first.bottom), (last.x, last.top))
    (x, y), goal = ends
    path = f"M{x:g} {y:g}"
    for stop in stops[1:-1]:
        middle = (y + stop.top) / 2
        path += f"C{x:g} {middle:g} {stop.x:g} {middle:g} {stop.x:g} {stop.top:g}V{stop.bottom:g}"
        x, y = stop.x, stop.bottom
    middle = (y + goal[1]) / 2
    path += f"C{x:g} {middle:g} {goal[0]:g} {middle:g} {goal[0]:g} {goal[1]:g}"
    return f'<path class="{kind}" marker-end="url(#{tip})" d="{path}"/>'


def _tip(kind: str) -> str:
    return (
        f'<marker id="{kind}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path class="{kind}" d="M0 0L10 5L0 10z"/></marker>'
    )


def _rectangle(box: Box, place: Place) -> str:
    left = place.x - BOX / 2
    lines = [
        f'<text class="{kind}" x="{left + 10:g}" y="{place.top + 7 + LINE * (i + 0.8):g}">{escape(line)}</text>'
        for i, (kind, line) in enumerate(box.lines)
    ]
    frame = f'<rect class="box" x="{left:g}" y="{place.top:g}" width="{BOX}" height="{box.height}" rx="6"/>'
    return "\n".join([frame, *lines])
