"""The page of P_PL: Table 1 as measured, convergence and holding, and what the proof's probabilities are worth."""

from __future__ import annotations

from math import log

from princeps.papers.answers import SweepTrials
from princeps.papers.exhibits import Chart, Line, Table
from princeps.papers.judging import mean_of, number
from princeps.papers.laboratory import Lab
from princeps.papers.p_pl.convergence import STARTS, law, tau_ln, tau_of, timed
from princeps.papers.p_pl.holding import factors_text, held, losing
from princeps.papers.p_pl.laws import Sizes
from princeps.papers.p_pl.paper import paper
from princeps.papers.p_pl.windows import failing, power_of_ten


def timer_runs(lab: Lab) -> SweepTrials:
    sizes = lab.pick([16, 64, 256, 1024], [16, 64, 256, 1024, 4096])
    return lab.sweep("timer", sizes, trials=lab.pick(100, 400))


def timer_holding(lab: Lab) -> dict[int, SweepTrials]:
    return {n: lab.sweep("timer", n, trials=100, hold=True, max_steps=10**9, t_max=2 * n) for n in (3, 4, 5)}


@paper.exhibit
def table_1(lab: Lab) -> Table:
    timer, own = timer_runs(lab), timed(lab, "all_leaders_shielded")
    short, timer_held = losing(lab), timer_holding(lab)
    grown = law(own, tau_ln)
    parallel = timer.fit("parallel_time")
    kept = ", ".join(
        f"{number(mean / n)} +- {number(error / n)} at n = {n}"
        for n, (mean, error) in ((n, held(run)) for n, run in timer_held.items())
    )
    one = Sizes(1024, 1024)
    bits = log(4 * (one.t_virus + 1) * (one.t_emit + 1) ** 2, 2)
    rows = [
        (
            "P_PL",
            "N",
            "O(c log^3 N)",
            f"{number(grown.coefficient)} (t_emit / 5) ln n",
            "Omega(c n^(10c))",
            f"not with these constants; with the smallest factors one more c multiplies it by {factors_text(short)}",
            f"{bits:.1f} bits at N = 1024",
        ),
        (
            "timer [14]",
            "N",
            "O(N log N)",
            f"t_max = 8n, from random: {number(parallel.coefficient)} {parallel.law}",
            "Omega(e^N)",
            f"t_max = 2n: {kept}",
            f"{log(2 * (8 * 1024 + 1), 2):.1f} bits at n = 1024",
        ),
    ]
    columns = (
        *("protocol", "knows", "convergence, claimed", "measured", "holding, claimed", "measured"),
        "space, counted",
    )
    caption = (
        "In parallel time, as in the paper. Of its Table 1 these are the protocols we have; P_PL from "
        f"all_leaders_shielded with virus_factor 4 and emit_factor 2. {own[-1][1].command}; {timer.command}"
    )
    return Table("Table 1, measured", caption, columns, rows)


@paper.exhibit
def converging(lab: Lab) -> Chart:
    asked = {start: timed(lab, start) for start in STARTS}
    lines = []
    for start, runs in asked.items():
        means = [(size[0], tau_of(*size), *mean_of(run.only.steps)) for size, run in runs]
        lines.append(
            Line(
                f"from {start}",
                [n for n, *_ in means],
                [mean / tau for _, tau, mean, _ in means],
                [(mean - 1.96 * error) / tau for _, tau, mean, error in means],
                [(mean + 1.96 * error) / tau for _, tau, mean, error in means],
            )
        )
    xs = [float(x) for x, *_ in means]
    best = law(asked["all_leaders_shielded"], tau_ln).coefficient
    lines.append(Line(f"{number(best)} ln n", xs, [best * log(x) for x in xs], style="dashed"))
    caption = (
        "Means with 95 % intervals in units of tau = n t_emit / 5, N = n, c = 1, virus_factor 4, emit_factor 2; the "
        "law is fitted to the worst of these starts. From full timers and no leader it takes 7 to 10 tau at these "
        "sizes: no new leader has a shield there, so that the first virus mostly leaves one."
    )
    return Chart("Steps to S", caption, "n", "steps / tau", lines, log_x=True)


@paper.exhibit
def holding_grows(lab: Lab) -> Chart:
    short = losing(lab)
    lines = []
    for n in sorted({n for n, _ in short}):
        found = [(c, *held(run)) for (size, c), run in sorted(short.items()) if size == n]
        lines.append(
            Line(
                f"n = {n}",
                [c for c, *_ in found],
                [mean for _, mean, _ in found],
                [mean - 1.96 * error for _, mean, error in found],
                [mean + 1.96 * error for _, mean, error in found],
            )
        )
    command = next(iter(short.values())).command
    caption = f"Mean steps for which the leader is held, virus_factor = emit_factor = 1, 95 % intervals. {command}"
    return Chart("Holding time by c, smallest constants", caption, "c", "steps held", lines, log_y=True, ours=True)


@paper.exhibit
def margins(lab: Lab) -> Table:
    rows = []
    for one, logs in failing(lab):
        if one.n != one.N or one.c != 1:
            continue
        claimed = {"busy": (1 - 30) * log(one.N), "late": (1 - 15) * log(one.N), "missed": log(3) - 10 * log(one.n)}
        rows.append(
            (
                f"{one.n:,}",
                *(f"{power_of_ten(logs[way])} ({power_of_ten(claimed[way])})" for way in ("busy", "late", "missed")),
                power_of_ten(logs["worn"]),
            )
        )
    columns = (
        "n = N",
        "t_emit / 2 meetings within tau",
        "t_virus rounds take tau",
        "epidemic misses somebody",
        "worn out",
    )
    caption = (
        "Bounds that are certain for what can go wrong within one tau, with the printed constants and c = 1; in "
        "brackets what Lemma 9, Corollary 13 and Corollary 7 claim (the last for both of the last two columns)."
    )
    return Table("What can go wrong within tau", caption, columns, rows, ours=True)
