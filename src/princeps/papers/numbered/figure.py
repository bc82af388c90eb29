"""002.fig1: how the true completion and the declaration grow."""

from __future__ import annotations

from princeps.papers.answers import SweepTrials
from princeps.papers.claims import Planted
from princeps.papers.judging import number
from princeps.papers.judging_growth import grows_at_least, grows_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.numbered.experiment import M
from princeps.papers.numbered.leader import agreement, declaration
from princeps.papers.numbered.paper import paper
from princeps.papers.verdicts import SUPPORTED, Outcome, together

WIDE = [100, 316, 1000, 3162, 10_000, 31_623]


def completed(lab: Lab, sizes: list[int], trials: int) -> SweepTrials:
    """Algorithm 2: until somebody declares, Algorithm 3 spreads the identifiers in the very same way."""
    return lab.sweep("infection", sizes, trials=trials)


def declared(lab: Lab, sizes: list[int], trials: int) -> SweepTrials:
    return lab.sweep("numbered", sizes, trials=trials, m=M)


@paper.claim(
    "002.fig1",
    "both the true completion and the declaration (m = 4) grow as n ln n",
    recorded=SUPPORTED,
    planted=Planted("the claim is order n", logs=0),
)
def grows(lab: Lab, logs: int = 1) -> Outcome:
    sizes, trials = lab.pick(WIDE, [*WIDE, 100_000], WIDE[::2]), lab.pick(40, 300, 40)
    runs = {"completion": completed(lab, sizes, trials), "declaration": declared(lab, sizes, trials)}
    parts, ours = [], []
    for what, sampled in runs.items():
        fit = sampled.fit()
        parts.append(grows_at_most(fit, 1, logs, what, commands=(sampled.command,)))
        parts.append(grows_at_least(fit, 1, logs, what, commands=(sampled.command,)))
        last = sampled.found[-1]
        exact = agreement(last.n) if what == "completion" else declaration(last.n, M)
        ours.append(f"{what} at n = {last.n:,} took {number(last.steps.mean() / exact)} of that")
    return together(
        parts,
        [
            "completion takes (n-1) H(n-1) steps and the declaration (n/2)(5 H(n-1) + 1), two and a half times as long; "
            + "; ".join(ours)
        ],
    )
