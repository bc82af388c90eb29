"""004.table1: the paper's comparison table, by the same measurements as `princeps table 004.1`."""

from __future__ import annotations

from princeps.papers.claims import Planted
from princeps.papers.laboratory import Lab
from princeps.papers.p_pl.paper import paper
from princeps.papers.tables import stabilizing
from princeps.papers.tables.declarations import Effort
from princeps.papers.tables.judging import as_parts, measured_rows, only_cited
from princeps.papers.verdicts import SUPPORTED, Outcome, together

SKETCH = Effort((16, 32, 64, 128), 20)
QUICK = {"silent_ranking": Effort((32, 64, 128, 256), 60)}  # the table's own sizes do not decide its order


@paper.claim(
    "004.table1",
    "Table 1: the parallel times to convergence of [7], [14] and of P_PL are of the order that stands there",
    recorded=SUPPORTED,
    planted=Planted(
        "timers run for 8 n^2 meetings, not for 8 n",
        ("timer", "    return 8 * n", "    return 8 * n * n"),
    ),
)
def times(lab: Lab) -> Outcome:
    rows = measured_rows(lab, stabilizing.TABLE, SKETCH, QUICK)
    ours = [
        "only times to convergence are judged here: how long a leader is held is 004.T23b, and spaces are counted by "
        "004.space",
        "[7] is polynomial in this paper; it is judged as Theta(n^2), which paper 000 states. P_PL runs with smaller "
        "constants than printed",
        *only_cited(rows),
    ]
    return together(as_parts(rows), ours)
