"""The table of what watching costs, in docs/watch.md: figures of each run, and beside every figure its bar."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs" / "watch.md"
COLUMNS = {  # what is measured, and the heading of its column, with the bar if it has one
    "browser": "frames/s in the browser (10^6 agents: at least 30)",
    "between": "processor time between two of them: engine; server and browser",
    "wire": "bytes/s to it",
    "drawn": "drawn in",
    "slower": "engine slower, processor time (at most 10 %)",
    "slower by clock": "by the clock",
    "sent": "frames/s sent meanwhile (30 asked for)",
    "frame": "a frame made in, processor time",
    "bytes": "bytes a frame",
    "back": "10^7 steps back and shown (n = 1,000: at most 200 ms; 10^6: 2,000 ms)",
    "saved": "saved page of 10^5 steps (1,000 agents: under 5 MB)",
}
HEAD = f"| run | {' | '.join(COLUMNS.values())} |"
Cells = dict[str, str]
Rows = dict[str, Cells]  # by what is run


def run_in_words(name: str, n: int, engine: str) -> str:
    size = f"{n:,}" if n < 10**6 else f"10^{len(str(n)) - 1}"
    return f"{name}, {size} agents{'' if engine == 'agents' else ' in counts'}"


def table(rows: Rows) -> str:
    lines = [f"| {run} | {' | '.join(cells.get(column, '') for column in COLUMNS)} |" for run, cells in rows.items()]
    return "\n".join([HEAD, "|---" * (1 + len(COLUMNS)) + "|", *lines])


def circumstances(cores: int, load: float) -> str:
    """The load average of the minute before the measurement: how much others computed."""
    return f"Measured on {cores} cores, the load average {load:.1f} when it was begun."


def written(text: str, rows: Rows, measured: str) -> str:
    """A page of the documentation, with this table, and in which circumstances it was made, in the place of those it has."""
    found = re.search(rf"^Measured on .*\n\n{re.escape(HEAD)}\n(?:\|.*\n)*", text, re.MULTILINE)
    assert found is not None, (
        "docs/watch.md has no table with these columns below a line that begins with 'Measured on'"
    )
    return text[: found.start()] + measured + "\n\n" + table(rows) + "\n" + text[found.end() :]
