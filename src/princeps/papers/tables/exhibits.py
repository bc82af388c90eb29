"""A measured table as a page shows it: the rows beside their claims, and one figure with the growth of all of them."""

from __future__ import annotations

from collections.abc import Sequence

from princeps.papers.exhibits import Chart, Line, Table
from princeps.papers.tables.declarations import CITED, MARKS, Comparison
from princeps.papers.tables.measuring import NOTHING, MeasuredRow, by_size

AXES = {"steps": "steps", "parallel_time": "parallel time (steps / n)", "time": "time (longest chain of messages)"}


def figure(table: Comparison, rows: Sequence[MeasuredRow]) -> Chart:
    """Both axes are logarithmic: a law n^a is a line of slope a."""
    lines = [
        Line(
            row.row,
            [point.n for point in row.points],
            [point.mean for point in row.points],
            [point.low for point in row.points],
            [point.high for point in row.points],
        )
        for row in rows
        if row.points
    ]
    lines += [
        Line(
            f"_{row.row}",
            [point.n for point in row.points],
            [point.mean for point in row.points],
            style="line",
        )
        for row in rows
        if row.points
    ]
    caption = (
        "Means with 95 % intervals from the worst known start of each row; rows that are only cited have no points."
    )
    return Chart(table.title, caption, "n", AXES[table.measure], lines, log_x=True, log_y=True)


def rows_table(table: Comparison, rows: Sequence[MeasuredRow]) -> Table:
    ring = table.measure == "time"
    columns = ["row", "assumes", "claimed time", "claimed space", "mark", "measured", "worst start"]
    columns += ["messages", "bits held"] if ring else ["states", "exact worst case (steps)"]
    columns += ["claim against measurement"]
    return Table(table.title, table.remark or table.source, columns, [_cells(row, ring) for row in rows])


def _cells(row: MeasuredRow, ring: bool) -> list[str]:
    cells = [row.row, row.assumes, row.claimed_time, row.claimed_states, MARKS[row.status]]
    if row.status == CITED:
        return [*cells, *[NOTHING] * 4, row.remark or NOTHING]
    cells += [row.fit, row.start or "initial"]
    if ring:
        cells += [row.messages or NOTHING, by_size(row.bits)]
    else:
        cells += [by_size(row.states), by_size(row.worst_exact)]
    return [*cells, f"{row.agreement or NOTHING}{f' ({row.remark})' if row.remark else ''}"]
