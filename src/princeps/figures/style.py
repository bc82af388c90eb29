"""How figures look: fit for one column of a paper, for colour-blind readers, and for a printer without colours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

SALT = "princeps"  # ids in an svg file are the same for the same picture
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")  # Okabe and Ito
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")  # one more than colours, so that 56 looks are different
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1, 1)), (0, (5, 1.5, 1, 1.5)), (0, (8, 2)), (0, (2, 2)))
GREY, RULE = "#606060", "#DADADA"
SMALL = 7  # points: the smallest letters
COLUMN, WIDER = 3.5, 5.0  # inches: one column, and what many lines need
MANY = 6  # lines
PAPER: dict[str, Any] = {
    "svg.hashsalt": SALT,
    "pdf.fonttype": 42,  # TrueType, which journals ask for
    "font.size": 8,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "legend.fontsize": 7.5,
    "legend.title_fontsize": 7.5,
    "legend.frameon": False,
    "legend.handlelength": 2.6,  # long enough to show the dashes
    "legend.borderaxespad": 0.0,
    "legend.borderpad": 0.2,
    "legend.labelspacing": 0.35,
    "legend.columnspacing": 1.4,
    "lines.linewidth": 1.1,
    "lines.markersize": 4.2,
    "errorbar.capsize": 1.8,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "figure.dpi": 300,  # texts are measured without the roundings of a screen
    "savefig.dpi": 300,
}


class LineStyle(NamedTuple):
    """Lines differ in colour, marker and dashes, so that each of the three is enough to distinguish them."""

    colour: str
    marker: str
    dash: Any


def line_style(k: int) -> LineStyle:
    return LineStyle(COLOURS[k % len(COLOURS)], MARKERS[k % len(MARKERS)], DASHES[k % len(DASHES)])


def tint(colour: str, depth: float) -> str:
    """The colour mixed with white: all of it at depth 1."""
    parts = [int(colour[k : k + 2], 16) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(255 - depth * (255 - part)):02X}" for part in parts)


@contextmanager
def paper_style() -> Iterator[None]:
    """Whatever the user's own settings are. To be entered for drawing and for saving alike."""
    from matplotlib import style

    with style.context(["default", PAPER]):
        yield
