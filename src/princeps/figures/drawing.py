"""A figure with one pair of axes, and below them, where no data are, the legend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.text import Text

from princeps.figures.style import COLUMN, MANY, WIDER

if TYPE_CHECKING:
    from princeps.figures.picture import Picture

HEIGHT = 0.66  # of the width; the legend's comes on top
PAD = 0.04  # inches around everything
SCREEN, DENSITY = 140, 200  # pixels an inch: as large as a notebook shows a figure, and as sharp as it keeps it
MAX_COLUMNS = 3
BESIDE, BELOW = 0.5, 0.55  # inches that ticks and names take away from the axes


class PaperFigure(Figure):
    """Notebooks show it, whether or not pyplot was ever imported."""

    picture: Picture | None = None  # what was drawn

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """The bytes, and how large a notebook shows them: on a screen a printer's resolution would fill the page."""
        from princeps.figures.output import rendered
        from princeps.figures.style import paper_style

        with paper_style():
            width, height = (round(side * SCREEN) for side in self.get_size_inches())
            return rendered(self, "figure.png", dpi=DENSITY), {"width": width, "height": height}


class Entry(NamedTuple):
    """A line of the legend."""

    sign: Any
    text: str


class Plot:
    """`width` is exact, so that a paper need not scale the letters; the height is what is needed."""

    def __init__(self, width: float | None, lines: int, height: float | None = None) -> None:
        self.width = width if width is not None else WIDER if lines > MANY else COLUMN
        self.height = HEIGHT * min(self.width, WIDER) if height is None else height
        self.figure = PaperFigure(figsize=(self.width, self.height), layout="constrained")
        self.figure.get_layout_engine().set(w_pad=PAD, h_pad=PAD)  # type: ignore[union-attr,call-arg]
        self.axes = self.figure.add_subplot()

    def names(self, x: str, y: str) -> None:
        """Of the axes; one that is longer than its axis takes two lines."""
        self.axes.set_xlabel(x)
        self.axes.set_ylabel(y)
        _fold(self.axes.xaxis.label, self._renderer(), "width", (self.width - BESIDE) * self.figure.dpi)
        _fold(self.axes.yaxis.label, self._renderer(), "height", (self.height - BELOW) * self.figure.dpi)

    def legend(self, entries: Sequence[Entry], title: str = "") -> None:
        """In as many columns as fit; a text that is wider than the figure goes on in the next line."""
        if not entries:
            return
        renderer = self._renderer()
        room = self.width - 4 * PAD
        for columns in range(min(MAX_COLUMNS, len(entries)), 0, -1):
            found = self._placed(entries, title, columns)
            if found.get_window_extent(renderer).width / self.figure.dpi <= room:
                break
            if columns > 1:
                found.remove()
        else:
            _wrap(found, renderer, room * self.figure.dpi)
        self.figure.set_size_inches(
            self.width, self.height + found.get_window_extent(renderer).height / self.figure.dpi + PAD
        )

    def _renderer(self) -> Any:
        """Knows how wide texts are."""
        return FigureCanvasAgg(self.figure).get_renderer()  # type: ignore[no-untyped-call]

    def _placed(self, entries: Sequence[Entry], title: str, columns: int) -> Legend:
        signs, texts = [entry.sign for entry in entries], [entry.text for entry in entries]
        found: Legend = self.figure.legend(
            signs, texts, title=title or None, ncols=columns, loc="outside lower center", alignment="left"
        )
        return found


def sign(**how: Any) -> Line2D:
    """A sample of a line or a marker."""
    return Line2D([], [], **{"linestyle": "", **how})


def note(text: str) -> Entry:
    """Text without a symbol."""
    return Entry(sign(), text)


def _wrap(legend: Legend, renderer: Any, room: float) -> None:
    """Fold the texts that are too wide."""
    texts = [*legend.get_texts(), legend.get_title()]
    signs = legend.get_window_extent(renderer).width - max(text.get_window_extent(renderer).width for text in texts)
    for text in texts:
        _fold(text, renderer, "width", room - signs)


def _fold(text: Text, renderer: Any, side: str, room: float) -> None:
    """Go on in the next line at the spaces where it must be; a longer word stays as it is."""
    lines: list[str] = []
    for word in text.get_text().split(" "):
        longer = [*lines[:-1], f"{lines[-1]} {word}"] if lines else [word]
        text.set_text("\n".join(longer))
        fits = getattr(text.get_window_extent(renderer), side) <= room
        lines = longer if fits or not lines else [*lines, word]
    text.set_text("\n".join(lines))
