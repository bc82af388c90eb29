"""From a store or a recording to a picture file: what is asked for, what fits, and who draws it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from princeps.errors import ParameterError, RunError, StoreError
from princeps.model.files import FIGURE, Output, store_files
from princeps.model.options import check_choice

if TYPE_CHECKING:
    from princeps.campaign.series import Series
    from princeps.figures.drawing import PaperFigure, Plot

KINDS = ("growth", "distribution", "survival", "leaders", "compare")
BY = ("growth", "compare")  # that have a size on the x axis
NARROWEST, WIDEST = 2.0, 20.0  # inches
REMEDIES = {
    "held_steps": "sweep with --hold, or choose another --measure",
    "recovery_steps": "sweep with --fault, or choose another --measure",
    "events": "the engine did not count them, so choose another --measure",
}


@dataclass(frozen=True)
class Picture:
    """What was drawn; its attributes are the keys of `plot --json`."""

    output: str | None
    kind: str
    series: list[str]
    points: int

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def draw(
    source: Any,
    output: str | None,
    *,
    kind: str | None = None,
    measure: str | None = None,
    protocol: str | None = None,
    by: str = "n",
    from_: float = 0,
    width: float | None = None,
    force: bool = False,
) -> tuple[PaperFigure, Picture]:
    """A store made by sweep, its results, or for `leaders` recorded runs or their file; into a file if one is named.

    The same data give the same bytes. The file appears whole or not at all; one that is no figure of princeps is
    replaced only with `force`.
    """
    from princeps.figures import output as files

    if kind is not None:
        check_choice(kind, "kind of figure", KINDS)
    if width is not None and not NARROWEST <= width <= WIDEST:
        raise ParameterError(f"width = {width:g} is no width of a figure in inches: give {NARROWEST:g} to {WIDEST:g}.")
    files.require_matplotlib()
    path = source if isinstance(source, str) else getattr(source, "path", "")
    picture = None if output is None else Output(output, FIGURE, store_files(path) if path else [], force)
    if picture is not None:
        files.check(picture)
    kind = _fitting(source, kind)
    _refuse_options(kind, measure, by, from_)
    from princeps.figures.style import paper_style

    with paper_style():
        drawing, labels, points = drawing_of(source, kind, measure, protocol, by, from_, width)
        content = b"" if output is None else files.rendered(drawing.figure, output)
    if picture is not None:
        with picture.replacing() as write:
            write(content)
    drawn = Picture(output, kind, labels, points)
    drawing.figure.picture = drawn
    return drawing.figure, drawn


def picture_of(figure: PaperFigure) -> Picture:
    assert figure.picture is not None
    return figure.picture


def drawing_of(
    source: Any,
    kind: str,
    measure: str | None = None,
    protocol: str | None = None,
    by: str = "n",
    smallest: float = 0,
    width: float | None = None,
) -> tuple[Plot, list[str], int]:
    """The figure, the names of what is in it, and how many points are drawn. To be called within the style."""
    if kind == "leaders":
        from princeps.figures.leaders import leaders
        from princeps.figures.recording import read_recording, recorded_runs

        runs = read_recording(source, protocol) if isinstance(source, str) else recorded_runs(source, protocol)
        drawing, counts = leaders(runs, width)
        return drawing, [one.label for one in counts], sum(len(times) for one in counts for times, _ in one.runs)
    series = _series(source, kind, measure, protocol, smallest)
    if kind in BY:
        from princeps.figures.compare import compare
        from princeps.figures.growth import growth
        from princeps.figures.text import PER_AGENT

        per_agent = measure is None and all(one.measure in PER_AGENT for one in series)
        drawing, lines = growth(series, by, width) if kind == "growth" else compare(series, by, per_agent, width)
        names, points = [line.label for line in lines], sum(len(line.xs) for line in lines)
    else:
        from princeps.figures.distribution import distribution
        from princeps.figures.survival import survival

        draw_survival = kind == "survival"
        drawing, curves = survival(series, measure is None, width) if draw_survival else distribution(series, width)
        names, points = [curve.label for curve in curves], len(curves)
    if not points:
        asked = measure or series[0].measure
        raise StoreError(f"store {_name(source)} has no {asked} to draw: {REMEDIES.get(asked, 'run more trials')}.")
    return drawing, names, points


def _name(source: Any) -> str:
    return repr(source if isinstance(source, str) else source.path)


def _series(source: Any, kind: str, measure: str | None, protocol: str | None, smallest: float) -> list[Series]:
    """What a store holds, as far as this kind shows it."""
    from princeps.campaign.results import Results
    from princeps.campaign.rows import OF_RINGS
    from princeps.campaign.series import series_of
    from princeps.figures.x_axis import from_size

    found_in = source.of(protocol) if isinstance(source, Results) else Results(source, protocol=protocol)
    everything = series_of(found_in, measure)
    if not everything:
        raise StoreError(f"store {_name(source)} holds no trials yet: run a sweep into it.")
    if len({one.measure in OF_RINGS for one in everything}) > 1:
        raise StoreError(
            f"store {_name(source)} has population protocols, measured in steps, and ring algorithms, measured in time: "
            f"choose --protocol, or a --measure like messages."
        )
    found = from_size(everything, smallest)
    if not found:
        largest = max(point.n for one in everything for point in one.points)
        raise StoreError(
            f"store {_name(source)} has no population of {smallest:,} or more: its largest has {largest:,}."
        )
    if kind == "survival" and measure is None:
        found = [one for one in found if one.measure == "held_steps"]
        if not found:
            raise StoreError(
                f"store {_name(source)} has no holding times: sweep with --hold, or choose what lasts, like --measure 'steps'."
            )
    return found


def _fitting(source: Any, kind: str | None) -> str:
    """The kind that was asked for if the file can show it, else its default."""
    if isinstance(source, list):
        if kind not in (None, "leaders"):
            raise RunError(f"single runs show no {kind}: leave out kind, or give the results of a sweep.")
        return "leaders"
    source = source if isinstance(source, str) else source.path
    try:
        with open(source, "rb") as file:
            first = file.read(64)
    except OSError:
        return kind or "growth"  # whoever reads it says why not
    is_store = first.startswith(b"SQLite format 3\0")
    if kind == "leaders" and is_store:
        raise RunError(
            f"{source!r} is a store, which keeps no counts over time: record a run with princeps run ... "
            f"--record leaders -o run.jsonl and plot that."
        )
    if kind not in (None, "leaders") and first.lstrip().startswith(b"{"):
        raise RunError(
            f"{source!r} holds single runs, which show no {kind}: leave out --kind, or give a store made by sweep."
        )
    return kind or ("growth" if is_store else "leaders")


def _refuse_options(kind: str, measure: str | None, by: str, smallest: float) -> None:
    """An option that does not fit is said, not ignored."""
    if by != "n" and kind not in BY:
        raise RunError(
            f"--by {by!r} is the x axis of growth and compare: a figure of kind {kind} has none, leave it out."
        )
    for option, given in (("measure", measure is not None), ("from", smallest > 0)):
        if kind == "leaders" and given:
            raise RunError(f"--{option} chooses from a store: leave it out for a recording.")
