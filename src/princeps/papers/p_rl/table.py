"""Table 1 as a claim: what `princeps table 000.1` measures of three of its rows, held to what the paper writes there."""

from __future__ import annotations

from math import isfinite

from princeps.papers.judging import exhaustive, number
from princeps.papers.laboratory import Lab
from princeps.papers.p_rl.paper import paper
from princeps.papers.p_rl.times import COUNTING
from princeps.papers.tables.directed_rings import TABLE
from princeps.papers.tables.measuring import asked_of, exact_worst, judged, slowest
from princeps.papers.verdicts import INCONCLUSIVE, SUPPORTED, Outcome, Part, together

PROTOCOLS = ("aafj", "fischer_jiang", "p_rl")  # [3], [15] and this work; [6] is only cited
ROWS = [row for row in TABLE.rows if row.protocol in PROTOCOLS]


@paper.claim(
    "000.table1",
    "Table 1: from slow starts [3] and [15] (reconstructions) take Theta(n^3) steps and P_RL at N = n takes O(n^2)",
    kind="X, S",
    recorded=SUPPORTED,
    recorded_quick=INCONCLUSIVE,  # n^3 is not told from n^3 / log n at n = 8 to 64
    planted=COUNTING,
)
def table_1(lab: Lab) -> Outcome:
    """The trials, the choice of the slowest start and the judgement are those of `princeps table 000.1`."""
    asked = [(row, asked_of(lab, row)) for row in ROWS]
    few_states = [row for row in ROWS if row.protocol == "fischer_jiang"]  # the other two take half a minute
    exact = [(row, exact_worst(lab, row)) for row in lab.pick(few_states, ROWS, [])]
    parts: list[Part] = []
    ours = []
    for row, runs in asked:
        assert row.claim is not None
        start, sampled = slowest(runs, TABLE.measure)
        parts += judged(sampled.fit(TABLE.measure), row, f"{row.row}, from {start}", commands=(sampled.command,))
        last = sampled.found[-1]
        mean = float(last.steps.mean())
        ours.append(
            f"{row.row}: {number(mean / last.n**row.claim.power)} n^{row.claim.power:g} from {start} at n = {last.n:,}"
        )
    for row, worst in exact:
        endless = [f"n = {n}" for n, steps in worst.items() if not isfinite(steps)]
        text = ", ".join(f"{number(steps)} at n = {n}" for n, steps in worst.items())
        what = f"{row.row}, exactly, from the worst start: {text} steps"
        parts.append(exhaustive(len(endless), len(worst), what, "sizes", breach=(endless or [""])[0]))
    return together(parts, ours)
