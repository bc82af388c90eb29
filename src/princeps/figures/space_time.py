"""The space-time diagram of an execution on a ring: processes side by side, time downwards, a message is an arrow.

The picture is a cylinder cut open between the last process and process 0: what crosses the cut leaves at one edge and
re-enters at the other, at the same height.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from princeps.figures.output import rendered
from princeps.figures.space_time_layout import (
    MARGIN,
    NOTHING_AROUND,
    Around,
    Moment,
    Rows,
    histories_of,
    intervals_of_equal_value,
    lost,
    place,
)
from princeps.figures.style import COLOURS, RULE, SALT, SMALL
from princeps.model.rings.algorithm import LEFT, RIGHT, RingAlgorithm, Sent
from princeps.model.rings.event import Event
from princeps.model.rings.ring import Ring

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Position = tuple[float, float]

STYLE: dict[str, Any] = {
    "svg.hashsalt": SALT,
    "text.parse_math": False,  # a label may contain dollar signs
    "font.size": 8,
}
TINTS = ("#E3EAF3", "#FBF1D9")  # of even and odd phases
DARK, LIGHT, FAINT = "#303030", "#B4B4B4", "#707070"
MARK_STYLES: dict[str, dict[str, Any]] = {
    "halted": {"marker": "_", "markersize": 13, "markeredgewidth": 3, "color": DARK},
    "elected": {"marker": "*", "markersize": 13, "color": "#F0E442", "markeredgecolor": "black"},
    "done": {"marker": "o", "markersize": 4, "color": "black"},
    "lost": {"marker": "x", "markersize": 4, "color": "black"},
}
COLUMN, LETTER = 0.95, 0.075  # inches
CUT, STUB = 0.5, 0.3  # columns: from a process to the edge, and of an arrow that never arrives
# Where on an arrow its value is: not in the middle, where it meets one that comes the other way, and near the cut, clear
# of what is written beside the process.
ON_ARROW, LEAVING, ENTERING = 0.38, 0.6, 0.22


def draw(
    events: Sequence[Event],
    algorithm: RingAlgorithm,
    ring: Ring,
    title: str,
    path: str,
    around: Around = NOTHING_AROUND,
) -> bytes:
    """A picture of the events in the form of such a file; the same events give the same bytes."""
    from matplotlib import style
    from matplotlib.figure import Figure

    rows = place(events, around.first)
    names = [f"p{process} ({_short(label, 12)})" for process, label in enumerate(ring.labels)]
    width = ring.n * max(COLUMN, LETTER * max(map(len, names)) + 0.15)
    with style.context(["default", STYLE]):  # whatever the user's own settings are
        figure = Figure(figsize=(width, (rows.last + 2 * MARGIN) * rows.inches))
        axes = figure.add_axes((0, 0, 1, 1))
        _scales(axes, names, rows, title)
        for process, history in enumerate(histories_of(events, algorithm, ring, rows, around)):
            _phases(axes, process, history, rows, algorithm)
            _lifeline(axes, process, history, rows)
        _messages(axes, events, rows, algorithm, ring, around)
        repeat_headings(axes, names, rows.headings)
        _legend(axes, events, algorithm, around)
        return rendered(figure, path, dpi=150, bbox_inches="tight", pad_inches=0.15)


def _short(text: object, length: int) -> str:
    return str(text) if len(str(text)) <= length else str(text)[: length - 1] + "…"


def _scales(axes: Axes, names: Sequence[str], rows: Rows, title: str) -> None:
    """Processes above (and below a long picture), time on the left, and a line for every unit."""
    axes.set_xlim(-CUT, len(names) - 1 + CUT)
    axes.set_ylim(rows.last + MARGIN, -MARGIN)
    axes.set_xticks(range(len(names)), names, fontweight="bold")
    axes.set_yticks(list(rows.ends.values()), list(map(str, rows.ends)), fontsize=SMALL)
    axes.tick_params(length=0, labeltop=True, labelbottom=rows.last > 30)
    axes.set_ylabel("time in units", loc="top")
    axes.set_title(title, loc="left", fontsize=10, pad=10)
    axes.grid(axis="y", color=RULE, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.spines[["top", "bottom"]].set_visible(False)
    axes.spines[["left", "right"]].set(color=DARK, linewidth=0.6, linestyle=(0, (2, 3)))


def repeat_headings(axes: Axes, names: Sequence[str], rows: Sequence[float]) -> None:
    """Who is who, once more on a band across the picture."""
    from matplotlib.patches import Rectangle

    for row in rows:
        band = Rectangle((-CUT, row - 0.4), len(names) - 1 + 2 * CUT, 0.8, facecolor="white", alpha=0.85, zorder=6)
        axes.add_patch(band)
        for column, name in enumerate(names):
            at = (column, row)
            note = axes.annotate(name, at, ha="center", va="center", fontweight="bold", color=FAINT, zorder=7)
            note.set(gid=f"heading-{column}-{row}")
            note.set_in_layout(False)


def _phases(axes: Axes, process: int, history: Sequence[Moment], rows: Rows, algorithm: RingAlgorithm) -> None:
    """A background of alternating tints; where a phase begins, its number and the guest."""
    from matplotlib.patches import Rectangle

    if not algorithm.phase_ends:
        return
    how: dict[str, Any] = {"va": "top", "fontweight": "bold"}
    box = {"boxstyle": "round,pad=0.12", "facecolor": DARK, "edgecolor": "none"}
    for moment, end, phase in intervals_of_equal_value(history, [moment.phase for moment in history], rows):
        band = Rectangle((process - 0.5, moment.row), 1, end - moment.row, facecolor=TINTS[phase % 2], zorder=0.5)
        band.set_gid(f"phase-{process}-{phase}")
        axes.add_patch(band)
        at, guest = (process, moment.row), _short(moment.after.get("guest", ""), 3)
        beside = (-10 - 5 * len(guest), -3, "right")
        x, y, ha = (0, -6, "center") if algorithm.bidirectional else beside  # below left an arrow may go
        _write(axes, at, guest, (-6, -3), color=DARK, ha="right", **how)
        _write(axes, at, str(phase), (x, y), color="white", bbox=box, ha=ha, **how)


def _lifeline(axes: Axes, process: int, history: Sequence[Moment], rows: Rows) -> None:
    """Dark or light, with the names of the actions and the marks."""
    for moment, end, passive in intervals_of_equal_value(
        history, [moment.after.get("state") == "PASSIVE" for moment in history], rows
    ):
        (line,) = axes.plot([process] * 2, [moment.row, end], color=LIGHT if passive else DARK, linewidth=2)
        line.set(solid_capstyle="butt", gid=f"{'passive' if passive else 'active'}-{process}-{moment.row}")
    for moment in history:
        if moment.row < 0:
            continue  # it was before the picture
        left = moment.event.received is not None and moment.event.received.side == LEFT  # its arrow is on the right
        how: dict[str, Any] = {"ha": "right" if left else "left", "va": "bottom", "color": FAINT}
        _write(axes, (process, moment.row), _short(moment.event.action, 6), (-4 if left else 4, 2), **how)
        for mark in moment.marks():
            axes.plot(process, moment.row, gid=f"{mark}-{process}-{moment.row}", zorder=5, **MARK_STYLES[mark])


def _messages(
    axes: Axes, events: Sequence[Event], rows: Rows, algorithm: RingAlgorithm, ring: Ring, around: Around
) -> None:
    colours = _colours(algorithm)
    for event in events:
        if event.received is not None:
            _message(axes, event, event.received, rows, colours[event.received.message.name], ring.n)
    for event in around.late:
        assert event.received is not None
        _message(axes, event, event.received, rows, colours[event.received.message.name], ring.n)
    for number, (event, content) in enumerate(lost(events, around.late)):
        x, y, way = event.process, rows.of[event.step], 1 if content.side == RIGHT else -1
        colour, end = colours[content.message.name], (x + way * STUB, y + STUB)
        _arrow(axes, (x, y), end, "-", colour, f"lost-{number}", "", 0)
        axes.plot(*end, zorder=5, **MARK_STYLES["lost"])


def _message(axes: Axes, event: Event, content: Sent, rows: Rows, colour: str, n: int) -> None:
    """One arrow, or two halves on the two edges."""
    way = 1 if content.side == RIGHT else -1
    sender, top, bottom = (
        (event.process - way) % n,
        rows.sent(event.sent_in),
        rows.of.get(event.step, rows.last + MARGIN),
    )
    head_style = "-|>" if event.step in rows.of else "-"  # it is received after the picture
    tail, head, middle = (sender, top), (event.process, bottom), (top + bottom) / 2
    name, value = f"message-{event.step}", _short(",".join(map(str, content.values)), 8)
    if sender + way == event.process:
        _arrow(axes, tail, head, head_style, colour, name, value, ON_ARROW)
    else:
        leaving, entering = (LEAVING, ENTERING) if len(value) <= 2 else (0.5, 0.5)  # a long one would stick out
        _arrow(axes, tail, (sender + way * CUT, middle), "-", colour, f"leaving-{event.step}", value, leaving)
        _arrow(axes, (event.process - way * CUT, middle), head, head_style, colour, name, value, entering)


def _arrow(
    axes: Axes, tail: Position, head: Position, style: str, colour: str, gid: str, value: str, at: float
) -> None:
    """The value is written at this part of the way."""
    from matplotlib.patches import FancyArrowPatch

    how: dict[str, Any] = {"mutation_scale": 7, "shrinkA": 0, "shrinkB": 0, "linewidth": 0.9, "zorder": 3}
    axes.add_patch(FancyArrowPatch(tail, head, arrowstyle=style, color=colour, gid=gid, **how))
    there = (tail[0] + at * (head[0] - tail[0]), tail[1] + at * (head[1] - tail[1]))
    box = {"boxstyle": "round,pad=0.05", "facecolor": "white", "edgecolor": "none", "alpha": 0.75}
    _write(axes, there, value, ha="center", va="center", color=colour, bbox=box)


def _write(axes: Axes, at: Position, text: str, offset: Position = (0, 0), **how: Any) -> None:
    """Small letters, shifted by `offset` points to the right and upwards."""
    if text:
        note = axes.annotate(text, at, offset, textcoords="offset points", fontsize=SMALL, zorder=4, **how)
        note.set_in_layout(False)


def _colours(algorithm: RingAlgorithm) -> dict[str, str]:
    return {message.name: COLOURS[i % len(COLOURS)] for i, message in enumerate(algorithm.messages_)}


def _legend(axes: Axes, events: Sequence[Event], algorithm: RingAlgorithm, around: Around) -> None:
    """Beside the picture, where no data are."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    from matplotlib.textpath import TextPath

    def sign(**how: Any) -> Line2D:
        return Line2D([], [], **{"linestyle": "" if "marker" in how else "-", **how})

    colours = _colours(algorithm)
    entries: dict[str, Any] = {message.notation: sign(color=colours[message.name]) for message in algorithm.messages_}
    if "PASSIVE" in getattr(algorithm.variables_.get("state"), "names", ()):
        entries |= {"competing": sign(color=DARK, linewidth=2), "passive": sign(color=LIGHT, linewidth=2)}
    if algorithm.phase_ends:
        two = TextPath((-2.2, -2.6), "2", size=7)  # around the origin, as a marker must be
        box, number = sign(marker="s", markersize=9, color=DARK), sign(marker=two, markersize=6, color="white")
        beside = ", guest beside it" if "guest" in algorithm.variables_ else ""
        entries[f"phase 2 begins{beside}"] = (Patch(color=TINTS[0]), box, number)
    shown = {"elected": "elected", "done": "done", "halted": "halts"}
    shown |= {"lost": "not received"} if any(lost(events, around.late)) else {}
    entries |= {text: sign(**MARK_STYLES[mark]) for mark, text in shown.items()}
    entries[f"{algorithm.start_action.name}, …: actions"] = sign(marker="")
    axes.legend(entries.values(), entries.keys(), loc="upper left", bbox_to_anchor=(1.02, 1), frameon=False)
