"""The page of P_LL: its times, its survivors, and its Table 1 as measured."""

from __future__ import annotations

from collections.abc import Iterable
from math import log
from typing import Any

from princeps.model import registry
from princeps.papers.answers import PointTrials, SweepTrials
from princeps.papers.exhibits import Chart, Line, Table
from princeps.papers.judging import limits, number
from princeps.papers.laboratory import Lab
from princeps.papers.p_ll.clock import parallel
from princeps.papers.p_ll.laws import lg_up, several_left, winners_limit
from princeps.papers.p_ll.lottery import MAX_SURVIVORS, survivors, together_of
from princeps.papers.p_ll.paper import paper
from princeps.papers.p_ll.symmetric import timed as elected_symmetrically
from princeps.papers.p_ll.times import multiples, printed_limit, reckoning, ticking, timed
from princeps.papers.p_ll.tournament import decided, left, nonces


def line(label: str, found: Iterable[PointTrials]) -> Line:
    """Mean parallel time over lg n, with 95 % intervals."""
    rows = multiples(found)
    return Line(
        label,
        [n for n, _, _ in rows],
        [mean for _, mean, _ in rows],
        [mean - 1.96 * error for _, mean, error in rows],
        [mean + 1.96 * error for _, mean, error in rows],
    )


def small_printed(lab: Lab) -> SweepTrials:
    return lab.sweep("p_ll", [64, 256, 1024], trials=lab.pick(200, 500), until="leader", printed=1)


@paper.exhibit
def growth(lab: Lab) -> Chart:
    mended, printed, before, other = timed(lab, 0), timed(lab, 1), small_printed(lab), elected_symmetrically(lab)
    clock = ticking(lab)
    everything = [*before.found, *(run.only for run in printed)]
    lines = [
        line("repaired", [run.only for run in mended]),
        line("symmetric", other.found),
        line("as printed", everything),
    ]
    flat = parallel(mended)
    height = flat.coefficient * log(2)
    ends = [64, max(everything[-1].n, mended[-1].only.n)]
    lines.append(Line(f"{number(height)} lg n, fitted", ends, [height, height], style="dashed"))
    limit = printed_limit(clock, mended[-1].only)
    lines.append(Line(f"{number(limit)} lg n, as printed, reckoned", ends, [limit, limit], style="dashed"))
    caption = (
        f"Means with 95 % intervals, divided by lg n. Repaired, x = n: {flat.verdict}. As printed the ratio rises while "
        f"leaders still meet in person in epoch 2; where that ends is reckoned: {reckoning(clock, mended[-1].only)}."
    )
    return Chart("Parallel time to one leader", caption, "n", "parallel time / lg n", lines, log_x=True)


@paper.exhibit
def eliminated(lab: Lab) -> Chart:
    runs = survivors(lab)
    many = list(range(1, MAX_SURVIVORS + 1))
    lines = []
    for n, run in runs.items():
        leaders = together_of(run)
        counts = [int((leaders == i).sum()) for i in many]
        ends = [limits(count, len(leaders), 0.025) for count in counts]
        lines.append(
            Line(
                f"n = {n:,}",
                many,
                [count / len(leaders) for count in counts],
                [low for low, _ in ends],
                [high for _, high in ends],
            )
        )
    lines.append(Line("bound 2^(1-i)", many[1:], [2.0 ** (1 - i) for i in many[1:]], style="dashed"))
    lines.append(Line("1/(i 2^i ln 2)", many, [winners_limit(i) for i in many], style="line"))
    caption = "Leaders after floor(21 n ln n) steps, with 95 % intervals; the limit law of the lottery is ours."
    return Chart("Survivors of QuickElimination", caption, "leaders i", "share of trials", lines, log_y=True)


@paper.exhibit
def several(lab: Lab) -> Table:
    rows = []
    runs = [(name, run) for printed, name in ((0, "repaired"), (1, "as printed")) for run in decided(lab, printed)]
    for name, run in runs:
        found = run.only
        share = left(found) / found.trials
        low, high = limits(left(found), found.trials, 0.025)
        values = nonces(lg_up(found.n))
        expected = several_left(values) if name == "repaired" else 1 - winners_limit(1)
        rows.append(
            (
                name,
                f"{found.n:,}",
                f"{found.trials:,}",
                f"{share:.4f}",
                f"{low:.4f} to {high:.4f}",
                f"{3 / values:.4f}",
                f"{expected:.4f}",
            )
        )
    columns = ("reading", "n", "trials", "several leaders", "95 %", "3 / 2^ceil(lg m)", "our law for large n")
    caption = "princeps sweep p_ll -n 4096 --until decided -p printed=0,1"
    return Table("Several leaders when somebody enters epoch 3", caption, columns, rows, ours=True)


@paper.exhibit
def table_1(lab: Lab) -> Table:
    sizes = lab.pick([64, 256, 1024, 4096], [64, 256, 1024, 4096, 16384])
    simple = lab.sweep("fratricide", sizes, trials=lab.pick(200, 1000), until="leader")
    mended, other = timed(lab, 0), elected_symmetrically(lab)
    rows = [
        ("[3] (fratricide)", "2", "O(1)", "O(n)", simple.fit("parallel_time").verdict, _at(simple.found[-1])),
        ("P_LL, repaired", _states("p_ll"), "O(log n)", "O(log n)", parallel(mended).verdict, _at(mended[-1].only)),
        (
            *("P_LL, symmetric", _states("p_ll_symmetric"), "O(log n)", "O(log n)"),
            *(other.fit("parallel_time").verdict, _at(other.found[-1])),
        ),
    ]
    columns = ("protocol", "states at m = 16", "claimed", "time, claimed", "parallel time, measured (x = n)", "mean")
    return Table("Table 1, measured", "The rows of which we have the protocols. " + simple.command, columns, rows)


def _at(found: PointTrials) -> str:
    return f"{number(float(found.steps.mean()) / found.n)} at n = {found.n:,}"


def _states(name: str) -> str:
    cls: Any = registry.find(name)
    return f"{cls(m=16).state_count:,}"
