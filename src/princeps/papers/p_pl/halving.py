"""How leaders become fewer: Lemma 20 and Corollary 21."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, log

from princeps.papers.answers import Measurement, SweepTrials
from princeps.papers.claims import Planted
from princeps.papers.judging import number, probability_at_least, probability_at_most, watched
from princeps.papers.judging_growth import grows_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.p_pl.convergence import SCALED, SizeTriple, law, tau_ln, tau_of, timed
from princeps.papers.p_pl.paper import paper
from princeps.papers.p_pl.rule import established, kills, shields, tosses
from princeps.papers.p_pl.windows import LEADERLESS, LEADERS, MADE, ONE, Row, in_half, in_sets, watch_windows
from princeps.papers.verdicts import SUPPORTED, Outcome, Part, together

HALVED = {"two_leaders": 1, "all_leaders_shielded": 63}  # i, where 1 + i agents lead
PHASE = (2.5, 5.0, 7.5, 10.0, 12.5, 15.0)


def phases(lab: Lab, start: str, scaled: bool) -> Measurement:
    params: Mapping[str, int] = SCALED if scaled else {}
    trials = lab.pick(100, 2000) if scaled else lab.pick(12, 100, 12)
    return lab.measure(
        watch_windows, parts=2, protocol="p_pl", n=64, start=start, trials=trials, at=PHASE, params=params
    )


@paper.claim(
    "004.L20",
    "within 15 tau the leaders but one are halved with probability 1/4 - O(1/n), and the sets are kept",
    kind="X, S",
    recorded=SUPPORTED,
    planted=Planted(
        "viruses kill nobody (line 5)",
        ("p_pl", "if a.shield == 0 and a.virus > 0:", "if a.shield > 1 and a.virus > 0:"),
    ),
)
def halving(lab: Lab) -> Outcome:
    facts = established(lab, tosses, kills, shields)
    printed = {start: phases(lab, start, False) for start in HALVED}
    scaled = {} if lab.effort == "sketch" else {start: phases(lab, start, True) for start in HALVED}
    parts: list[Part] = []
    for start, i in HALVED.items():
        runs = [rows for part in printed[start].parts for rows in part]
        halved = sum(1 <= rows[-1][LEADERS] <= 1 + i // 2 for rows in runs)
        what = f"from {1 + i} leaders at most {1 + i // 2} are left, n = N = 64"
        parts.append(probability_at_least(halved, len(runs), 0.25, what))
        lost = sum(not _kept(rows, 1 + i) for rows in runs)
        what = f"from {start}: 1 to {1 + i} leaders, G_half, and L_safe or V_clean after 15 tau"
        parts.append(watched(lost, len(runs), round(15 * ONE.tau * len(runs)), what, breach=f"a run from {start}"))
    ours = []
    for start, found in scaled.items():
        i, runs = HALVED[start], [rows for part in found.parts for rows in part]
        halved = [sum(1 <= rows[k][LEADERS] <= 1 + i // 2 for rows in runs) for k in range(len(PHASE))]
        what = f"the same from {1 + i} leaders with scaled constants"
        parts.append(probability_at_least(halved[-1], len(runs), 0.25, what))
        text = ", ".join(f"{many / len(runs):.3f} after {at:g}" for many, at in zip(halved, PHASE, strict=True))
        ours.append(f"from {1 + i} leaders to {1 + i // 2}, scaled constants: {text} tau")
    return together([*parts, *facts], ours)


def _kept(rows: Sequence[Row], most: int) -> bool:
    """All through: no leader made, none missing; and the sets at the end."""
    end = rows[-1]
    quiet = end[MADE] == end[LEADERLESS] == 0
    return quiet and 1 <= end[LEADERS] <= most and in_half(end, 64) and in_sets(end, 64)


@paper.claim(
    "004.C21",
    "with a leader, in G_half and in L_safe or V_clean, S holds after some O(tau log n) steps with probability "
    "1 - O(log n / N)",
    recorded=SUPPORTED,
    planted=Planted("2 tau are enough, whatever n is", halvings=0),
)
def one_is_left(lab: Lab, halvings: float = 15.0) -> Outcome:
    """The hidden constants are taken for 15 tau a halving, and for 1."""
    sizes = lab.pick([64], [64, 128], [64])
    found = {
        n: lab.measure(
            watch_windows,
            parts=4,
            protocol="p_pl",
            n=n,
            start="all_leaders_shielded",
            trials=lab.pick(56, 150, 10),
            at=[halvings * ceil(log(n, 2)) or 2.0],
            params=SCALED,
        )
        for n in sizes
    }
    growing = timed(lab, "all_leaders_shielded") if lab.effort != "sketch" else []
    parts = []
    for n, measured in found.items():
        runs = [rows[0] for part in measured.parts for rows in part]
        missed = sum(not (row[LEADERS] == 1 and in_half(row, n) and in_sets(row, n)) for row in runs)
        bound = log(n) / n
        what = f"n = N = {n}, scaled constants: not in S after {halvings * ceil(log(n, 2)) or 2:g} tau"
        parts.append(probability_at_most(missed, len(runs), bound, what))
    if growing:
        fit = law(growing, tau_ln("all_leaders_shielded")[0])
        what = "mean time to S from all_leaders_shielded, x = tau ln n, scaled constants"
        parts.append(grows_at_most(fit, 1, 0, what, commands=(growing[0][1].command,)))
    ours = [_slowest(growing)] if growing else []
    return together(parts, ours)


def _slowest(growing: Sequence[tuple[SizeTriple, SweepTrials]]) -> str:
    texts = [
        f"{number(float(run.only.steps.max()) / tau_of(*size))} tau at n = N = {size[0]}"
        for size, run in (growing[0], growing[-1])
    ]
    return f"the slowest of {growing[0][1].trials} runs from all_leaders_shielded took " + ", ".join(texts)
