"""Section 1.1: with an oracle that reports that nobody leads, P_RL's elimination elects in O(n^2) steps and O(1) states."""

from __future__ import annotations

from math import inf
from typing import Any

from princeps.model import registry
from princeps.papers.claims import Planted, ProvedBy
from princeps.papers.judging import exhaustive, mean_at_most, number
from princeps.papers.laboratory import Lab
from princeps.papers.measures import exact_command, exactly
from princeps.papers.p_rl.paper import paper
from princeps.papers.tables.directed_rings import TABLE
from princeps.papers.tables.measuring import asked_of, judged
from princeps.papers.verdicts import SUPPORTED, Outcome, Part, together

NAME = "p_rl_oracle"
(ROW,) = (row for row in TABLE.rows if row.protocol == "p_rl_oracle")
BOUND = 8  # of n^2: the paper gives the order, the constant is ours
STATES = 24
STABILIZES, STEPS, KEPT = "000.oracle.a", "000.oracle.b", "000.oracle.e"  # as the protocol's file states them


def exact_parts(lab: Lab) -> list[Part]:
    """Every configuration of the small rings: a safe one is reached, S_RL is kept, and the worst start takes order n^2."""
    sizes: list[tuple[int, dict[str, int]]] = [(n, {}) for n in lab.pick((2, 3, 4), (2, 3, 4, 5), (2, 3))]
    found = lab.measure(exactly, parts=len(sizes), protocol="p_rl_oracle", sizes=sizes, target=ROW.target, lemmas=True)
    reports = [(n, report) for (n, _), report in zip(sizes, found.parts, strict=True)]
    cases = sum(int(report["configurations"]) for _, report in reports)
    commands = (exact_command(NAME, sizes[-1][0], {}, "--lemmas"),)
    lemmas = [(n, item) for n, report in reports for item in report["lemmas"] if item["id"] in (STABILIZES, KEPT)]
    refuted = [f"n = {n}: {item['detail']}" for n, item in lemmas if item["verdict"] == "refuted"]
    what = f"n <= {sizes[-1][0]}: a safe configuration can be reached from every one, and S_RL is closed and safe"
    stable = exhaustive(len(refuted), cases, what, breach=(refuted or [""])[0], commands=commands)
    ratios = [(_multiple(report), n) for n, report in reports]
    over = [f"{number(ratio)} n^2 at n = {n}" for ratio, n in ratios if ratio > BOUND]
    text = ", ".join(f"{number(ratio)} n^2 at n = {n}" for ratio, n in ratios)
    what = f"the worst start takes at most {BOUND}n^2 steps: {text}"
    return [stable, exhaustive(len(over), cases, what, breach=(over or [""])[0], commands=commands)]


def _multiple(report: dict[str, Any]) -> float:
    """The worst start's expected steps to S_RL, as a multiple of n^2; it may be infinite."""
    item = next(item for item in report["lemmas"] if item["id"] == STEPS)
    return float(item["measured"] / item["bound"]) if item["verdict"] == "measured" else inf


def counted_states(part: int, seed: int, *, protocol: str) -> int:
    """No parameter and no n is part of a state: one number for all rings."""
    cls: Any = registry.find(protocol)
    return int(cls().state_count)


@paper.claim(
    "000.oracle",
    "with an oracle that reports the absence of leaders, P_RL's elimination elects in O(n^2) expected steps with O(1) states",
    kind="X, S",
    recorded=SUPPORTED,
    proved_by=ProvedBy("p_rl_oracle", "000.oracle.c", "000.oracle.d", KEPT, "safe"),
    planted=Planted(
        "a leader that fires a dummy keeps its shield (line 9), and a bullet does not erase signals (line 15)",
        ("p_rl_oracle", "r.bullet, r.shield, r.signal = DUMMY, 0, 0", "r.bullet, r.signal = DUMMY, 0"),
        ("p_rl_oracle", "l.bullet, r.signal = 0, 0", "l.bullet = 0"),
    ),
)
def with_oracle(lab: Lab) -> Outcome:
    """The trials are those of the row in `princeps table 000.1`. The oracle is instantaneous."""
    asked = asked_of(lab, ROW) if lab.pick(1, 1, 0) else {}
    states = lab.measure(counted_states, protocol="p_rl_oracle").only
    parts, ours = [*exact_parts(lab), exhaustive(int(states != STATES), 1, f"{STATES} states", "protocol")], []
    for start, sampled in asked.items():
        last = sampled.found[-1]
        parts += judged(sampled.fit(), ROW, f"from {start}", commands=(sampled.command,))
        what = f"from {start}, n = {last.n:,}, against {BOUND}n^2"
        parts.append(mean_at_most(last.steps, BOUND * last.n**2, what, commands=(sampled.command,)))
        ours.append(f"from {start}: {number(last.steps.mean() / last.n**2)} n^2 at n = {last.n:,}")
    return together(parts, ours)
