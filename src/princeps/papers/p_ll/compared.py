"""003.table1 and 003.table2: the paper's comparison tables, by the same measurements as `princeps table 003`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from princeps.model.reading import make_run
from princeps.model.starts import starting_states
from princeps.papers.claims import Planted
from princeps.papers.judging import demonstrated, exhaustive, number
from princeps.papers.laboratory import Lab
from princeps.papers.p_ll.paper import paper
from princeps.papers.tables import lower_bounds, uniform_start
from princeps.papers.tables.declarations import Effort, Row
from princeps.papers.tables.judging import as_parts, measured_rows, only_cited
from princeps.papers.tables.measuring import exact_commands, exact_worst
from princeps.papers.verdicts import DEMONSTRATED, SUPPORTED, Outcome, Part, together

SKETCH = Effort((64, 256, 1024), 20)
QUICK = {"p_ll": Effort(uniform_start.QUICK.sizes, 300)}  # the table's own trials do not decide its order


@paper.claim(
    "003.table1",
    "Table 1: the parallel times of [3], [4], [5], [9] and of P_LL, from a uniform start, are of the order that stands "
    "there",
    recorded=SUPPORTED,
    planted=Planted(
        "in P_LL leaders fall only where two of them meet: levels and nonces are not compared (lines 39, 46, 53)",
        ("p_ll", "if a.levelQ < b.levelQ:", "if a.levelQ < 0:"),
        ("p_ll", "if a.rand < b.rand:", "if a.rand < 0:"),
        ("p_ll", "if a.levelB < b.levelB:", "if a.levelB < 0:"),
    ),
)
def times(lab: Lab) -> Outcome:
    rows = measured_rows(lab, uniform_start.TABLE, SKETCH, QUICK)
    rebuilt = [row.row for row in rows if row.status == "reconstruction"]
    ours = [
        f"of {', '.join(rebuilt)} a reconstruction in the style of the paper is measured, not its own rules",
        *only_cited(rows),
    ]
    return together(as_parts(rows), ours)


# -- lower bounds ------------------------------------------------------------------------------------------------------


def all_but_one_met(n: int) -> Fraction:
    """Expected steps until at most one agent has not interacted yet."""
    pairs = n * (n - 1)
    waits: dict[int, Fraction] = {0: Fraction(0), 1: Fraction(0)}  # by the number of those who have not
    for k in range(2, n + 1):
        both, one = k * (k - 1), 2 * k * (n - k)
        waits[k] = (pairs + both * waits[k - 2] + one * waits[k - 1]) / Fraction(both + one)
    return waits[n]


def exactly_at_least(lab: Lab, rows: Sequence[Row]) -> Part:
    """Where all lead at first, two who have met nobody both lead, whatever the rule is."""
    analyses = [(row, exact_worst(lab, row)) for row in rows]
    wrong, cases = [], 0
    for row, exact in analyses:
        for n, params in row.exact:
            run = make_run(lab.protocol(row.protocol), n, start=row.exact_start, params=dict(params))
            if all(run.protocol.leads(state) for state in starting_states(run)):
                cases += 1
                if exact[n] < float(all_but_one_met(n)) - 1e-9:
                    wrong.append(f"{row.protocol}, {number(exact[n])} steps at n = {n}")
    what = "exact expected steps to one leader are at least those until all agents but one have interacted"
    commands = tuple(command for row in rows for command in exact_commands(row))
    part = exhaustive(
        len(wrong), cases, what, "protocols and sizes", breach=wrong[0] if wrong else "", commands=commands
    )
    return demonstrated(part, ", ".join(row.protocol for row in rows))


@paper.claim(
    "003.table2",
    "Table 2: with O(1) states Omega(n) parallel time, and with any number of states Omega(log n)",
    kind="X, S",
    recorded=DEMONSTRATED,
    planted=Planted(
        "a leader that responds follows whoever it meets, so that two states pass through one leader in O(log n)",
        ("fratricide", "if a.leader == 1 and b.leader == 1:", "if b.leader == 1:"),
    ),
)
def bounds(lab: Lab) -> Outcome:
    small = [row for row in uniform_start.TABLE.rows if row.exact and row.exact_start == "initial"]
    rows = measured_rows(lab, lower_bounds.TABLE, SKETCH)
    parts = [*as_parts(rows), exactly_at_least(lab, small)]
    least = ", ".join(f"{number(float(all_but_one_met(n)))} at n = {n:,}" for n in (3, 5, 100, 10_000))
    ours = [
        f"as long as two agents have met nobody, both are as they began: every protocol in which all lead at first takes {least} "
        "steps in expectation, at least; that is (n/2) ln n in the limit, of which Omega(log n) is made",
        *only_cited(rows),
    ]
    return together(parts, ours)
