"""The sections of a protocol's page with numbers from data/: exact small populations, and growth."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from princeps.figures.chart import chart_svg
from princeps.figures.marks import Curve
from sitebuilder.numbers import EXACT
from sitebuilder.places import DATA
from sitebuilder.writing import page, raw, table

LONG = 40  # characters of a fraction that a table can show


def numbers(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text())
    return found


def exact_section(name: str, is_ring: bool) -> str:
    found = numbers(name)["exact"]
    if not found:
        return ""
    if is_ring:
        return page(
            "## All executions on small rings",
            "Every interleaving of messages (`princeps exact`). *Endings* are the different last configurations.",
            table(
                ["labels", "parameters", "configurations", "endings", "messages", "leader", "always the same"],
                [_ring_row(one) for one in found],
            ),
        ).strip()
    first = EXACT[name][0]
    given = "".join(f" -p {key}={value}" for key, value in first.params)
    begin = "" if first.start is None else f" --start {first.start}"
    command = f"princeps exact {name} -n {first.n}{given}{begin} --rational"
    return page(
        "## Small populations, exactly",
        f"Expected steps to the target, over all configurations or from a start; nothing is sampled. "
        f"`{command}` repeats the first row.",
        table(
            ["n", "parameters", "configurations", "target", "worst start", "mean over starts"],
            [_row(one) for one in found],
        ),
    ).strip()


def _row(one: dict[str, Any]) -> list[str]:
    return [
        f"{one['n']}",
        _parameters(one),
        f"{one['configurations']:,}",
        f"`{one['target']}`: {one['target_size']:,}",
        fraction(one["worst_exact"], one["worst"]),
        fraction(one["mean_exact"], one["mean"]),
    ]


def _ring_row(one: dict[str, Any]) -> list[str]:
    return [
        ", ".join(map(str, one["labels"])),
        _parameters(one),
        f"{one['configurations']:,}",
        f"{one['endings']:,}",
        ", ".join(f"{count:,}" for count in one["messages"]),
        ", ".join(f"process {place}" for place in one["leaders"]),
        "yes" if one["agreed"] else "no",
    ]


def _parameters(one: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in one["params"].items()) or "-"


def fraction(exact: str | None, value: float | None) -> str:
    """A fraction with its value; one that is too long for a table is cut in the middle."""
    if exact is None or value is None:
        return "never" if value is None else f"{value:g}"
    if "/" not in exact:
        return exact
    if len(exact) <= LONG:
        return f"{exact} ≈ {value:g}"
    above, _, below = exact.partition("/")
    return f"{value:g} (a fraction of {len(above)} over {len(below)} digits)"


def number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:g}"


def growth_section(name: str) -> str:
    found = numbers(name)["growth"]
    points = found["points"]
    xs = [float(one["n"]) for one in points]
    means = [float(one["mean"]) for one in points]
    lows, highs = [[one["interval"][side] for one in points] for side in (0, 1)]
    curves = [Curve(f"{name}, mean", xs, means, lows, highs)]
    if "law" in found:
        curves.append(Curve(found["law"], xs, found["fitted"], style="dashed"))
    measure = found["measure"]
    title = f"{measure} of {name} against n"
    svg = chart_svg(title, "n", measure, curves, key=f"growth-{name}", log_x=True, log_y=True)
    bars = "95 % intervals" if measure == "steps" else "bars from the least to the most"
    caption = f"Mean {measure} with {bars}. {found.get('verdict', '')}".strip()
    places = zip(xs, means, lows, highs, strict=True)
    rows = [[f"{n:,.0f}", *(number(value) for value in row)] for n, *row in places]
    return page(
        "## Growth",
        raw(f'<figure class="chart">{svg}<figcaption>{escape(caption)}</figcaption></figure>'),
        f"`{found['command']}` repeats {'the measurement' if measure == 'steps' else 'the last point'}.",
        table(["n", f"mean {measure}", "from", "to"], rows),
    ).strip()
