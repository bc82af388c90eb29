"""The campaign of plan.toml: every population protocol of the library in a sweep, with its points and all its trials."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from tests.golden.calls import at_home, command, kept, trial_rows

GROUP = "sweep"
MEASURE_KEYS = (  # the other statistics are those of the same trials
    *("point", "protocol", "params", "given", "n", "graph", "start", "until", "measure", "trials", "censored"),
    *("never", "without", "mean", "command"),
)


def plan_rows() -> list[dict[str, Any]]:
    """A case for each point: what `results --json` says of it, and what `results --csv` says of its trials."""
    with tempfile.TemporaryDirectory() as folder, at_home():
        store = str(Path(folder, "plan.db"))
        argv = ["sweep", "plan.toml", "--jobs", "1", "--store"]
        command(*argv, store)
        _, points = command("results", store)
        rows = trial_rows(store)
    found: dict[str, dict[str, Any]] = {}
    for point in points:
        case = found.setdefault(
            point["point"],
            {
                "id": f"{GROUP}: {point['protocol']} n={point['n']} {point['point']}",
                "group": GROUP,
                "call": {"plan": "plan.toml"},
                "result": {"measures": [], "trials": _columns(rows[point["point"]])},
            },
        )
        case["result"]["measures"].append({name: kept(point[name]) for name in MEASURE_KEYS})
    return list(found.values())


def _columns(rows: list[dict[str, str]]) -> dict[str, list[str | None]]:
    """The same trials in less room: a list for each column."""
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}
