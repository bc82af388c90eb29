"""The page of P_RL: its Table 1 as measured, and its times."""

from __future__ import annotations

from princeps.papers.exhibits import Chart, Line, Table
from princeps.papers.judging import mean_of, number
from princeps.papers.laboratory import Lab
from princeps.papers.p_rl.paper import paper
from princeps.papers.p_rl.sets import analysed
from princeps.papers.p_rl.times import STARTS, open_question, timed


@paper.exhibit
def table_1(lab: Lab) -> Table:
    sampled = timed(lab, "no_leader", "s_rl")
    fit = sampled.fit()
    row = ("P_RL", "n <= N for a given N", fit.verdict, "24(N + 1), exactly")
    return Table(
        "Table 1, measured",
        f"The last row of the paper's Table 1; the others are measured by princeps table 000.1. {sampled.command}",
        ("protocol", "assumption", "convergence time from no_leader, n = N", "states"),
        [row],
    )


@paper.exhibit
def growth(lab: Lab) -> Chart:
    lines = []
    for start in STARTS:
        sampled = timed(lab, start, "s_rl")
        means = [mean_of(found.steps) for found in sampled]
        xs = [found.n for found in sampled]
        lines.append(
            Line(
                f"from {start}",
                xs,
                [mean / n**2 for n, (mean, _) in zip(xs, means, strict=True)],
                [(mean - 1.96 * error) / n**2 for n, (mean, error) in zip(xs, means, strict=True)],
                [(mean + 1.96 * error) / n**2 for n, (mean, error) in zip(xs, means, strict=True)],
            )
        )
    laws = "; ".join(f"from {start}: {timed(lab, start, 's_rl').fit().verdict}" for start in STARTS[:2])
    caption = (
        f"Means with 95 % intervals, divided by n^2. Steps {laws}. "
        f"{open_question(timed(lab, 'no_leader', 's_rl'))[:1].upper()}{open_question(timed(lab, 'no_leader', 's_rl'))[1:]}."
    )
    return Chart("Steps to S_RL, n = N", caption, "n", "steps / n^2", lines, log_x=True)


@paper.exhibit
def exact_times(lab: Lab) -> Table:
    rows = [
        (
            f"{n}",
            f"{N}",
            f"{int(report['configurations']):,}",
            f"{report['worst']:.4f}",
            f"{report['mean']:.4f}",
            number(float(report["worst"]) / (n * N)),
        )
        for n, N, report in analysed(lab)
    ]
    columns = ("n", "N", "configurations", "worst start", "mean over all", "worst / nN")
    return Table(
        "Expected steps to S_RL, exactly",
        "Every configuration of each size. princeps exact p_rl -n 3 -p N=3 --target s_rl",
        columns,
        rows,
        ours=True,
    )
