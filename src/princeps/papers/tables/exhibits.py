"""A measured table as a page shows it: the rows beside their claims, one figure with the growth of all of them, the means."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from princeps.papers.exhibits import Chart, Line, Table
from princeps.papers.judging import number
from princeps.papers.tables.declarations import CITED, Comparison
from princeps.papers.tables.measuring import NOTHING, MeasuredRow, by_size

AXES = {"steps": "steps", "parallel_time": "parallel time (steps / n)", "time": "time (longest chain of messages)"}
SHORT = {"measured": "measured", "reconstruction": "reconstruction measured", "cited": "cited only"}
LAW_POINTS = 24  # of a dashed curve


def figure(table: Comparison, rows: Sequence[MeasuredRow]) -> Chart:
    """Both axes are logarithmic: a law n^a is a line of slope a. Every law goes on over all sizes of the table."""
    measured = [row for row in rows if row.points]
    lines = [
        Line(
            label_of(row),
            [point.n for point in row.points],
            [point.mean for point in row.points],
            [point.low for point in row.points],
            [point.high for point in row.points],
            style="joined",
        )
        for row in measured
    ]
    sizes = [point.n for row in measured for point in row.points]
    for row in measured:
        low, high = (point.n for point in (row.points[0], row.points[-1]))
        for ends in ((min(sizes), low), (high, max(sizes))):
            lines += [_law(row, *ends)] if ends[0] < ends[1] and row.power is not None else []
    caption = (
        "Means with 95 % intervals from the worst known start of each row; rows that are only cited have no points."
    )
    if len(lines) > len(measured):
        caption += " Dashed: the law that fits them best, where other rows were measured and this one was not."
    return Chart("How the rows grow", caption, "n", AXES[table.measure], lines, log_x=True, log_y=True)


def label_of(row: MeasuredRow) -> str:
    """With its law, as in `P_RL, this work: 5.65 n^2`."""
    return f"{row.row}: {law_text(row)}"


def law_text(row: MeasuredRow) -> str:
    """A constant is only its coefficient."""
    if row.coefficient is None or row.law is None:
        return NOTHING
    return number(row.coefficient) + ("" if row.law == "1" else f" {row.law}")


def _law(row: MeasuredRow, low: int, high: int) -> Line:
    assert row.power is not None
    assert row.coefficient is not None
    xs = [low * (high / low) ** (k / LAW_POINTS) for k in range(LAW_POINTS + 1)]
    ys = [row.coefficient * x**row.power * log(x) ** row.logs for x in xs]
    return Line("", xs, ys, style="dashed", of=label_of(row))


def rows_table(table: Comparison, rows: Sequence[MeasuredRow]) -> Table:
    ring = table.measure == "time"
    columns = ["row", "mark", "assumes", "claimed time", "claimed space", "measured", "the claim", "worst start"]
    columns += ["messages", "bits held"] if ring else ["states", "exact worst case (steps)"]
    return Table(table.title, table.remark or table.source, columns, [cells_of(row, ring) for row in rows])


def cells_of(row: MeasuredRow, ring: bool) -> list[str]:
    cells = [row.row, SHORT[row.status], row.assumes, row.claimed_time, row.claimed_states]
    if row.status == CITED:
        return [*cells, *[NOTHING] * 5]
    cells += [row.fit.partition(";")[0], row.agreement or NOTHING, row.start or "initial"]
    return [
        *cells,
        *([row.messages_law or NOTHING, by_size(row.bits)] if ring else [by_size(row.states), row.exact_text]),
    ]


def means_table(table: Comparison, rows: Sequence[MeasuredRow]) -> Table:
    """A column a size; sizes at which only some rows were measured leave the others empty."""
    measured = [row for row in rows if row.points]
    sizes = sorted({point.n for row in measured for point in row.points})
    cells = []
    for row in measured:
        means = {point.n: f"{number(point.mean)} +- {number(point.high - point.mean)}" for point in row.points}
        cells.append([row.row, row.start or "initial", *(means.get(n, "") for n in sizes)])
    caption = f"{AXES[table.measure]}: means with the half of a 95 % interval, from the worst known start."
    return Table("Means by size", caption, ["row", "start", *(f"n = {n:,}" for n in sizes)], cells)
