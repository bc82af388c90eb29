"""The space-time diagram of a population: agents side by side, time downwards, an interaction is an arrow.

The arrow goes from the initiator to the responder, dark if it changed something. Each column is divided into strips, one
for each field of the state, whose colour is the field's value; the line in its middle is thick while the agent leads.
A ring is a cylinder cut open between the last agent and agent 0, as in space_time.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from princeps.figures.meetings_layout import Layout, arrange, stretches
from princeps.figures.output import rendered
from princeps.figures.space_time import CUT, DARK, FAINT, LIGHT, STYLE, repeat_headings
from princeps.figures.space_time_layout import MARGIN
from princeps.figures.style import COLOURS, RULE, SMALL, tint
from princeps.model.meeting import Happening, Meeting
from princeps.model.state_names import StateNames
from princeps.model.states import State

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_STRIPS = 6  # fields that are drawn as colours
MAX_NAMED_VALUES = 6  # of a field, that are all in the legend
STRIP_WIDTH = 0.62  # of a column, all strips together
MARKS: dict[str, dict[str, Any]] = {
    "leads": {"marker": "*", "markersize": 11, "color": "#F0E442", "markeredgecolor": "black", "markeredgewidth": 0.7},
    "leads no more": {"marker": "X", "markersize": 6, "color": "white", "markeredgecolor": "black"},
    "fault": {"marker": "v", "markersize": 7, "color": "#D55E00", "markeredgecolor": "black"},
}


def draw_meetings(
    happenings: Sequence[Happening],
    start: Sequence[State],
    names: StateNames,
    sizes: Sequence[int | None],
    leads: Callable[[State], bool],
    is_ring: bool,
    title: str,
    path: str,
) -> bytes:
    """A picture in the form of such a file. `start`: the states before the first happening; `sizes` of the fields."""
    from matplotlib import style
    from matplotlib.figure import Figure

    n = len(start)
    layout = arrange(happenings, n, is_ring)
    inches = min(0.24, max(0.13, 12 / (layout.last + 1)))
    strips = [k for k in range(len(names.fields)) if _is_drawn(k, names, sizes, happenings, start, leads)][:MAX_STRIPS]
    with style.context(["default", STYLE]):
        figure = Figure(figsize=(n * max(0.42, 0.1 * len(strips) + 0.2), (layout.last + 2 * MARGIN) * inches))
        axes = figure.add_axes((0, 0, 1, 1))
        headings = [str(agent) for agent in range(n)]
        _scales(axes, headings, layout, title)
        shades = _Shades(happenings, start, strips)
        for stretch in stretches(happenings, layout, start, MARGIN):
            _strips(axes, stretch, strips, shades)
            leading = leads(stretch.state)
            axes.plot([stretch.agent] * 2, [stretch.begins, stretch.ends], color=DARK if leading else LIGHT, zorder=2)
            axes.lines[-1].set(linewidth=3 if leading else 0.8, solid_capstyle="butt")
            axes.lines[-1].set_gid(f"{'leader' if leading else 'follower'}-{stretch.agent}-{stretch.begins}")
        for happening, row in zip(happenings, layout.rows, strict=True):
            if isinstance(happening, Meeting):
                _arrow(axes, happening, row, n, is_ring)
            _marks(axes, happening, row, leads)
        repeat_headings(axes, headings, layout.headings)
        _legend(axes, strips, names, shades, happenings, leads)
        return rendered(figure, path, dpi=150, bbox_inches="tight", pad_inches=0.15)


def _is_drawn(
    k: int,
    names: StateNames,
    sizes: Sequence[int | None],
    happenings: Sequence[Happening],
    start: Sequence[State],
    leads: Callable[[State], bool],
) -> bool:
    """A field that says what the line in the middle says already, or that never changes, is not drawn."""
    seen = {*start, *(after for happening in happenings for _, _, after in happening.agents)}
    if len({state[k] for state in seen}) == 1:
        return False
    return not (sizes[k] == 2 and all(bool(state[k]) == leads(state) for state in seen))


class _Shades:
    """Each strip has a colour of its own, the deeper the larger the value; the smallest value is white."""

    def __init__(self, happenings: Sequence[Happening], start: Sequence[State], strips: Sequence[int]) -> None:
        seen = [*start, *(after for happening in happenings for _, _, after in happening.agents)]
        self.values = {k: sorted({state[k] for state in seen}) for k in strips}
        self.hues = {k: COLOURS[place] for place, k in enumerate(strips)}

    def colour(self, field: int, value: int) -> str:
        low, high = self.values[field][0], self.values[field][-1]
        if value == low:
            return "#FFFFFF"
        return tint(self.hues[field], 0.2 + 0.7 * (value - low) / (high - low))

    def explained(self, field: int) -> list[int]:
        """The values that the legend shows: all, or the ends."""
        values = self.values[field]
        return values if len(values) <= MAX_NAMED_VALUES else [values[0], values[-1]]


def _scales(axes: Axes, names: Sequence[str], layout: Layout, title: str) -> None:
    axes.set_xlim(-CUT, len(names) - 1 + CUT)
    axes.set_ylim(layout.last + MARGIN, -MARGIN)
    axes.set_xticks(range(len(names)), names, fontweight="bold")
    every = max(1, (layout.last + 1) // 60)
    ticks = [row for place, row in enumerate(layout.steps) if place % every == 0]
    axes.set_yticks(ticks, [f"{layout.steps[row]:,}" for row in ticks], fontsize=SMALL)
    axes.tick_params(length=0, labeltop=True, labelbottom=layout.last > 30)
    axes.set_ylabel("step", loc="top")
    axes.set_title(title, loc="left", fontsize=10, pad=10)
    axes.grid(axis="y", color=RULE, linewidth=0.4)
    axes.set_axisbelow(True)
    axes.spines[["top", "bottom"]].set_visible(False)
    axes.spines[["left", "right"]].set(color=DARK, linewidth=0.6, linestyle=(0, (2, 3)))


def _strips(axes: Axes, stretch: Any, strips: Sequence[int], shades: _Shades) -> None:
    from matplotlib.patches import Rectangle

    width = STRIP_WIDTH / max(1, len(strips))
    for place, field in enumerate(strips):
        left = stretch.agent - STRIP_WIDTH / 2 + place * width
        cell = Rectangle((left, stretch.begins), width, stretch.ends - stretch.begins, zorder=1, linewidth=0)
        cell.set(facecolor=shades.colour(field, stretch.state[field]))
        cell.set_gid(f"field-{field}-{stretch.agent}-{stretch.begins}")
        axes.add_patch(cell)


def _arrow(axes: Axes, meeting: Meeting, row: float, n: int, is_ring: bool) -> None:
    """One arrow, or two halves where it crosses the cut."""
    from matplotlib.patches import FancyArrowPatch

    i, j = meeting.initiator, meeting.responder
    how: dict[str, Any] = {"shrinkA": 0, "shrinkB": 0, "mutation_scale": 6}
    how |= (
        {"color": DARK, "linewidth": 1.0, "zorder": 4}
        if meeting.changed
        else {"color": FAINT, "linewidth": 0.4, "zorder": 3}
    )
    name, head = f"{'meeting' if meeting.changed else 'null'}-{meeting.step}", "-|>"
    if is_ring and n > 2 and {i, j} == {0, n - 1}:
        way = 1 if i == n - 1 else -1
        axes.add_patch(
            FancyArrowPatch((i, row), (i + way * CUT, row), arrowstyle="-", gid=f"leaving-{meeting.step}", **how)
        )
        axes.add_patch(FancyArrowPatch((j - way * CUT, row), (j, row), arrowstyle=head, gid=name, **how))
        return
    axes.add_patch(FancyArrowPatch((i, row), (j, row), arrowstyle=head, gid=name, **how))
    if abs(i - j) > 1:  # it passes over others: a point where it begins
        axes.plot(i, row, marker="o", markersize=2.2, color=how["color"], zorder=4)


def _marks(axes: Axes, happening: Happening, row: float, leads: Callable[[State], bool]) -> None:
    for agent, before, after in happening.agents:
        if not isinstance(happening, Meeting):
            axes.plot(agent, row, gid=f"fault-{agent}-{happening.step}", zorder=5, **MARKS["fault"])
        elif leads(before) != leads(after):
            mark = "leads" if leads(after) else "leads no more"
            axes.plot(agent, row, gid=f"{mark.replace(' ', '-')}-{agent}-{happening.step}", zorder=5, **MARKS[mark])


def _legend(
    axes: Axes,
    strips: Sequence[int],
    names: StateNames,
    shades: _Shades,
    happenings: Sequence[Happening],
    leads: Callable[[State], bool],
) -> None:
    """Beside the picture: the line, the arrows, and from left to right the strips with their colours."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    def sign(**how: Any) -> Line2D:
        return Line2D([], [], **{"linestyle": "" if "marker" in how else "-", **how})

    entries: dict[str, Any] = {
        "leader": sign(color=DARK, linewidth=3),
        "not a leader": sign(color=LIGHT, linewidth=0.8),
        "changes something": sign(color=DARK, linewidth=1.0),
        "changes nothing": sign(color=FAINT, linewidth=0.4),
    }
    shown = {
        "leads": any(not leads(b) and leads(a) for h in happenings for _, b, a in h.agents if isinstance(h, Meeting)),
        "leads no more": any(
            leads(b) and not leads(a) for h in happenings for _, b, a in h.agents if isinstance(h, Meeting)
        ),
        "fault": any(not isinstance(h, Meeting) for h in happenings),
    }
    entries |= {mark: sign(**MARKS[mark]) for mark, is_there in shown.items() if is_there}
    for place, field in enumerate(strips, 1):
        for value in shades.explained(field):
            text = f"strip {place}: {names.fields[field]} = {names.value(field, value)}"
            entries[text] = Patch(facecolor=shades.colour(field, value), edgecolor=FAINT, linewidth=0.4)
    axes.legend(entries.values(), entries.keys(), loc="upper left", bbox_to_anchor=(1.04, 1), frameon=False)
