"""The page of the numbered agents: Figure 1 redrawn, and what m buys."""

from __future__ import annotations

import numpy as np

from princeps.papers.answers import SweepTrials
from princeps.papers.exhibits import Chart, Line, Table
from princeps.papers.judging import number
from princeps.papers.laboratory import Lab
from princeps.papers.numbered.experiment import M, exact_errors
from princeps.papers.numbered.figure import completed, declared
from princeps.papers.numbered.leader import agreement, declaration, error_exponent, harmonic
from princeps.papers.numbered.paper import paper
from princeps.papers.numbered.tradeoff import ALL, SEVERAL, N

SIZES = list(range(1000, 10_001, 1000))


@paper.exhibit
def figure_1(lab: Lab) -> Chart:
    trials = lab.pick(20, 60, 2)
    blue, red = completed(lab, SIZES, trials), declared(lab, SIZES, trials)
    drawn = [_points_and_fit(blue, "completion", "line"), _points_and_fit(red, "declaration", "dashed")]
    lines = [points for points, _ in drawn] + [fit for _, fit in drawn]  # so that the points are blue and red
    caption = (
        f"Every point is a run, {trials} at each size; the lines are fitted multiples of n H(n-1). The exact ones are "
        f"(n-1)/n and (m+1)/2 + 1/(2 H(n-1)). {red.command}"
    )
    return Chart(f"Figure 1: completion and declaration, m = {M}", caption, "n", "interactions", lines)


def _points_and_fit(sampled: SweepTrials, what: str, style: str) -> tuple[Line, Line]:
    x = np.concatenate([np.full(len(found.steps), float(found.n)) for found in sampled])
    y = np.concatenate([found.steps for found in sampled])
    shape = {n: n * harmonic(n - 1) for n in SIZES}
    own = np.array([shape[int(n)] for n in x])
    factor = float((own * y).sum() / (own * own).sum())
    points = Line(what, x.tolist(), y.tolist())
    return points, Line(f"{factor:.3f} n H(n-1)", SIZES, [factor * shape[n] for n in SIZES], style=style)


@paper.exhibit
def bought(lab: Lab) -> Table:
    errors = exact_errors(lab, (100, N), ALL)
    rows = [
        (
            f"{m}",
            f"{1 - errors[100, m]:.5f}",
            f"{1 - errors[N, m]:.5f}",
            f"{error_exponent(m):.3f}",
            number(declaration(N, m)),
            number(declaration(N, m) - agreement(N)),
        )
        for m in ALL
    ]
    columns = ("m", "correct at most, n = 100", f"n = {N:,}", "e", f"declared after, n = {N:,}", "delay")
    caption = (
        "The probability that the largest agent does not declare too early, exactly; the error falls as n^-e. Steps are "
        "(n/2)((m+1) H(n-1) + 1), and the delay is what they exceed (n-1) H(n-1) by."
    )
    return Table("What m costs, and what it buys", caption, columns, rows, ours=True)


@paper.exhibit
def errors_by_size(lab: Lab) -> Chart:
    sizes = lab.pick((10, 30, 100, 300, 1000, 3000), (10, 30, 100, 300, 1000, 3000, 10_000))
    errors = exact_errors(lab, sizes, SEVERAL)
    lines = [Line(f"m = {m}", list(sizes), [errors[n, m] for n in sizes], style="line") for m in SEVERAL]
    caption = "Exactly, without sampling; other agents add next to nothing to it for m >= 2."
    title = "The largest agent declares too early"
    return Chart(title, caption, "n", "probability", lines, log_x=True, log_y=True, ours=True)
