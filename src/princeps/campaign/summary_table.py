"""The table of a store: a line for each point and measure; what all have in common stands below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from princeps.campaign.network_point import ALWAYS, SIMULATION
from princeps.model.formatting import counted, half_width, table_number
from princeps.model.report import Table

ABOUT = ("protocol", "n", "where", "graph", "start", "until", "measure")
CUT = "With trials that were cut off the mean is only bounded, and the quantiles are Kaplan and Meier's."


def summary_table(summaries: Sequence[Any], path: str, note: str = "") -> Table:
    """`note` stands below it."""
    rows = list(summaries)
    if not rows:
        return Table(f"{path}: no trials", ("n",), [])
    trials = sum({row.point: row.trials for row in reversed(rows)}.values())  # of each point's first measure
    title = f"{path}: {counted(len({row.point for row in rows}), 'points')}, {counted(trials, 'trials')}"
    networked = any(row.where != SIMULATION for row in rows)
    shown = [name for name in ABOUT if name == "n" or (networked if name == "where" else _varies(rows, name))]
    params = list(dict.fromkeys(name for row in rows for name in row.given))
    headings = (*shown, *params, "trials", "mean", "+-", "sd", "median", "5 %", "95 %", "cut off")
    lines = [
        [
            *(
                f"{row.n:,}" if name == "n" else _where(row, rows) if name == "where" else str(getattr(row, name))
                for name in shown
            ),
            *(row.given.get(name, str(row.params.get(name, ""))) for name in params),
            f"{row.trials:,}",
            table_number(row.mean) if row.mean is not None else _at_least(row),
            half_width(row.interval),
            *map(table_number, (row.sd, row.median, row.q05, row.q95)),
            _cut_off(row),
        ]
        for row in rows
    ]
    return Table(title, headings, lines, [name for name in shown if name != "n"], _below(rows, shown, note))


def _below(rows: Sequence[Any], shown: Sequence[str], note: str) -> str:
    same = [name for name in ABOUT if name not in (*shown, "where") and len({getattr(row, name) for row in rows}) == 1]
    common = ", ".join(f"{name} {getattr(rows[0], name)}" for name in same)
    cut = CUT if any(row.censored or row.never for row in rows) else ""
    differing = sum({row.point: row.disagreeing for row in rows}.values())
    left_out = f"{counted(differing, 'network runs')} left out: the replay disagrees." if differing else ""
    return "\n".join(filter(None, [common, cut, left_out, note]))


def _where(row: Any, rows: Sequence[Any]) -> str:
    """With whatever tells two networks of one protocol apart."""
    others = [one.network for one in rows if one.network and one.protocol == row.protocol]
    differing = [name for name, text in row.network.items() if any(one.get(name) != text for one in others)]
    told = [row.network[name] if name in ALWAYS else f"{name} {row.network[name]}" for name in differing]
    return ", ".join([row.where, *told])


def _varies(rows: Sequence[Any], name: str) -> bool:
    """Also within one protocol: that each has a start of its own need not be said."""
    if name in ("protocol", "measure"):
        return len({getattr(row, name) for row in rows}) > 1
    return len({(row.protocol, getattr(row, name)) for row in rows}) > len({row.protocol for row in rows})


def _at_least(row: Any) -> str:
    return "-" if row.restricted_mean is None else f">= {table_number(row.restricted_mean)}"


def _cut_off(row: Any) -> str:
    words = {"": row.censored, " never": row.never, " without": row.without, " disagreeing": row.disagreeing}
    return ", ".join(f"{count:,}{word}" for word, count in words.items() if count)
