"""Lemmas 10, 11, 14, 15 and 18, Corollary 7 and inequality (6): what can be relied on within tau steps.

Each of them is a fact about single interactions, together with the law of how often agents meet. Both halves are
checked, the second in numbers, and the whole is watched from starts at the edge of the sets that it speaks of. Bounds
like N^(-15c) are far below what any sample can confirm: such a claim is not testable, and its parts say what was shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log

from princeps.papers.claims import Planted
from princeps.papers.laboratory import Lab
from princeps.papers.p_pl.laws import Sizes, log_sum
from princeps.papers.p_pl.paper import paper
from princeps.papers.p_pl.rule import (
    Fact,
    carried,
    carries,
    established,
    proved,
    resets,
    shields,
    sources,
    spares,
    trusts,
)
from princeps.papers.p_pl.windows import (
    EDGES,
    LEADERLESS,
    LEADERS,
    MADE,
    ONE,
    WAYS,
    Row,
    failing,
    in_half,
    in_numbers,
    in_sets,
    power_of_ten,
    sample,
)
from princeps.papers.verdicts import NOT_TESTABLE, SUPPORTED, Outcome, Part, together

G_HALF = ("no_leader_half_timers", *EDGES)
LED = ("two_leaders", "all_leaders_shielded", *EDGES)  # and L_safe or V_clean
ANY = ("random", "all_leaders", "infected", "one_leader_doomed")

SUICIDE = Planted(
    "a leader that emits a virus does not shield itself (line 7)",
    ("p_pl", "a0.virus, a0.shield = p.t_virus, 1", "a0.virus, a0.shield = p.t_virus, 0"),
)
HALF_RESET = Planted(
    "a leader winds up timers to less than t_max / 2 (line 3)",
    ("p_pl", "a0.timerL = a1.timerL = p.t_max", "a0.timerL = a1.timerL = p.t_max // 2 - 1"),
)


@dataclass(frozen=True)
class Reliance:
    """A claim about one tau: what it rests on, what can go wrong, and with which probability (as a logarithm)."""

    what: str
    starts: Sequence[str]
    fails: Callable[[Sequence[Row], int], bool | None]
    facts: Sequence[Fact]
    ways: Sequence[str]
    go_wrong: str  # what the ways are, in words
    claimed: Callable[[Sizes], float]

    def parts(self, lab: Lab) -> list[Part]:
        facts = established(lab, *self.facts)
        watching = sample(lab, self.starts, self.fails, self.what, self.claimed(ONE))
        return [watching, in_numbers(lab, self.ways, self.claimed, self.go_wrong), *facts]


def lemma_9(one: Sizes) -> float:
    return (1 - 30 * one.c) * log(one.N)


def corollary_7(one: Sizes) -> float:
    return log(3) - 10 * one.c * log(one.n)


@paper.claim(
    "004.L10",
    "from G_half nobody times out within tau, but with probability N^(-30c+1)",
    kind="X, S",
    recorded=NOT_TESTABLE,
    proved_by=proved(carries, trusts),
    planted=Planted(
        "leader timers lose eight a meeting (line 1)",
        ("p_pl", "max(a0.timerL - 1, a1.timerL - 1, 0)", "max(a0.timerL - 8, a1.timerL - 8, 0)"),
    ),
)
def no_timeout(lab: Lab) -> Outcome:
    one = Reliance(
        what="no leader is made within tau",
        starts=G_HALF,
        fails=lambda rows, n: rows[-1][MADE] > 0,
        facts=(carries, trusts),
        ways=["busy"],
        go_wrong="somebody meets t_max / 2 times within tau",
        claimed=lemma_9,
    )
    return together(one.parts(lab))


@paper.claim(
    "004.L11",
    "with a leader, and in L_safe or V_clean, somebody leads all through tau, but with probability N^(-30c+1)",
    kind="X, S",
    recorded=NOT_TESTABLE,
    proved_by=proved(shields, spares, sources),
    planted=SUICIDE,
)
def never_leaderless(lab: Lab) -> Outcome:
    one = Reliance(
        what="somebody leads all through tau",
        starts=LED,
        fails=lambda rows, n: rows[-1][LEADERLESS] > 0,
        facts=(shields, spares, sources),
        ways=["busy"],
        go_wrong="somebody meets t_emit / 2 times within tau",
        claimed=lemma_9,
    )
    return together(one.parts(lab))


@paper.claim(
    "004.L14",
    "from any start L_safe or V_clean holds after tau, but with probability 2 N^(-15c+1)",
    kind="X, S",
    recorded=NOT_TESTABLE,
    proved_by=proved(sources, shields),
    planted=Planted(
        "viruses do not fade (line 4)", ("p_pl", "max(a0.virus - 1, a1.virus - 1, 0)", "max(a0.virus, a1.virus)")
    ),
)
def safe_or_clean(lab: Lab) -> Outcome:
    one = Reliance(
        what="L_safe or V_clean after tau",
        starts=(*ANY, *EDGES),
        fails=lambda rows, n: not in_sets(rows[-1], n),
        facts=(sources, shields),
        ways=["busy", "late"],
        go_wrong="somebody meets t_emit / 2 times, or t_virus rounds take tau",
        claimed=lambda one: log(2) + (1 - 15 * one.c) * log(one.N),
    )
    return together(one.parts(lab))


@paper.claim(
    "004.C7",
    "with a leader, G_half holds 6 c n ceil(ln N)^2 steps later, but with probability 3 n^(-10c)",
    kind="P, X, S",
    recorded=NOT_TESTABLE,
    proved_by=proved(carries, resets),
    planted=HALF_RESET,
)
def half_reached(lab: Lab) -> Outcome:
    one = Reliance(
        what="G_half after 6 c n ceil(ln N)^2 steps",
        starts=("one_leader_doomed", "random", "all_leaders"),
        fails=lambda rows, n: not in_half(rows[0], n),
        facts=(carries, resets),
        ways=["missed", "worn"],
        go_wrong="an epidemic misses somebody, or a virtual agent meets more than t_max / 2 times",
        claimed=corollary_7,
    )
    walked = carried(lab)
    return together([*one.parts(lab), walked])


@paper.claim(
    "004.L15",
    "with a leader 6 c n ceil(ln N)^2 steps before tau, G_half holds at tau, but with probability 3 n^(-10c)",
    kind="X, S",
    recorded=NOT_TESTABLE,
    proved_by=proved(carries, resets),
    planted=HALF_RESET,
)
def half_at_tau(lab: Lab) -> Outcome:
    one = Reliance(
        what="G_half at tau",
        starts=("random", "all_leaders", *EDGES),
        fails=lambda rows, n: not in_half(rows[-1], n) if rows[1][LEADERS] >= 1 else None,
        facts=(carries, resets),
        ways=["missed", "worn"],
        go_wrong="an epidemic misses somebody, or a virtual agent meets more than t_max / 2 times",
        claimed=corollary_7,
    )
    return together(one.parts(lab))


@paper.claim(
    "004.L18",
    "with a leader, and in L_safe or V_clean, all three sets hold after tau with probability 1 - O(1/N)",
    kind="X, S",
    recorded=SUPPORTED,
    recorded_quick=NOT_TESTABLE,
    proved_by=proved(carries, resets, shields, spares, sources),
    planted=SUICIDE,
)
def all_three(lab: Lab) -> Outcome:
    one = Reliance(
        what="a leader, G_half, and L_safe or V_clean after tau",
        starts=LED,
        fails=lambda rows, n: not (rows[-1][LEADERS] >= 1 and in_half(rows[-1], n) and in_sets(rows[-1], n)),
        facts=(carries, resets, shields, spares, sources),
        ways=WAYS,
        go_wrong="all ways to fail, with 1/N for the claim",
        claimed=lambda one: -log(one.N),
    )
    return together(one.parts(lab))


@paper.claim(
    "004.E6",
    "from S, one tau passes without timeout or leaderless moment and ends in S, but with probability O(n^(-10c))",
    kind="X, S",
    recorded=NOT_TESTABLE,
    proved_by=proved(carries, resets, trusts, shields, spares, sources),
    planted=SUICIDE,
)
def one_more_tau(lab: Lab) -> Outcome:
    def fails(rows: Sequence[Row], n: int) -> bool:
        end = rows[-1]
        broken = end[MADE] or end[LEADERLESS] or end[LEADERS] != 1
        return bool(broken or not in_half(end, n) or not in_sets(end, n))

    one = Reliance(
        what="no timeout, no leaderless moment, and S after tau",
        starts=EDGES,
        fails=fails,
        facts=(carries, resets, trusts, shields, spares, sources),
        ways=WAYS,
        go_wrong="all ways to fail, with n^(-10c) for the claim",
        claimed=lambda one: -10 * one.c * log(one.n),
    )
    parts = one.parts(lab)
    own = [(size, logs) for size, logs in failing(lab) if size.n == size.N and size.c == 1]
    text = ", ".join(
        f"{power_of_ten(log_sum(*(logs[way] for way in WAYS)))} at n = N = {size.n:,}" for size, logs in own
    )
    ours = [
        f"one tau from S fails with probability at most {text} (c = 1)",
        "almost all of it is agents that interact t_emit / 2 times within tau",
    ]
    return together(parts, ours)
