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


def rounds_bar(n: int, N: int) -> float:
    """In units of tau, when two leaders are left with a probability of at most 1 / N: the constants are ours.

    Every leader emits or unshields itself once in t_emit of its own meetings, that is in 2.5 tau, and two given leaders
    come out alike with probability 1/2. After lg n + lg N such rounds one of n leaders has a companion with probability
    at most n 2^(-lg n - lg N). Two more rounds are left for the first and the last virus.
    """
    return 2.5 * (ceil(log(n, 2) + log(N, 2)) + 2)


def not_in_s(lab: Lab, n: int, trials: int, params: Mapping[str, int]) -> Measurement:
    return lab.measure(
        watch_windows,
        parts=4,
        protocol="p_pl",
        n=n,
        start="all_leaders_shielded",
        trials=trials,
        at=[rounds_bar(n, n)],
        params=params,
    )


@paper.claim(
    "004.C21",
    "with a leader, in G_half and in L_safe or V_clean, S holds after some O(tau log n) steps with probability "
    "1 - O(log n / N)",
    recorded=SUPPORTED,
    planted=Planted(
        "only initiators count down to their next virus (line 6)",
        (
            "p_pl",
            "        for a in (a0, a1):  # 6\n            a.timerI = max(a.timerI - 1, 0)",
            "        a0.timerI = max(a0.timerI - 1, 0)",
        ),
    ),
)
def one_is_left(lab: Lab) -> Outcome:
    """The hidden constants: 2.5 tau for a round, lg n + lg N + 2 rounds, and 1 for the probability."""
    sizes = lab.pick([64], [64, 128], [64])
    cases = {(n, "scaled"): not_in_s(lab, n, lab.pick(56, 150, 56), SCALED) for n in sizes}
    if lab.effort == "full":
        cases[64, "printed"] = not_in_s(lab, 64, 56, {})
    growing = timed(lab, "all_leaders_shielded") if lab.effort != "sketch" else []
    parts = []
    for (n, constants), measured in cases.items():
        runs = [rows[0] for part in measured.parts for rows in part]
        missed = sum(not (row[LEADERS] == 1 and in_half(row, n) and in_sets(row, n)) for row in runs)
        what = f"n = N = {n}, {constants} constants: not in S after {rounds_bar(n, n):g} tau"
        parts.append(probability_at_most(missed, len(runs), log(n) / n, what))
    if growing:
        fit = law(growing, tau_ln)
        what = "mean time to S from all_leaders_shielded, x = tau ln n, scaled constants"
        parts.append(grows_at_most(fit, 1, 0, what, commands=(growing[0][1].command,)))
    ours = [_slowest(growing)] if growing else []
    ours.append(
        "the corollary hides its constants; ours are 2.5 tau for a round in which every leader tosses once, and lg n + lg N "
        "+ 2 rounds. The proof itself allows 15 tau for a halving that succeeds with probability 1/4"
    )
    return together(parts, ours)


def _slowest(growing: Sequence[tuple[SizeTriple, SweepTrials]]) -> str:
    texts = [
        f"{number(float(run.only.steps.max()) / tau_of(*size))} tau at n = N = {size[0]}"
        for size, run in (growing[0], growing[-1])
    ]
    return f"the slowest of {growing[0][1].trials} runs from all_leaders_shielded took " + ", ".join(texts)
