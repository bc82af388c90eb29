"""What the page on trust samples: protocols, engines, graphs and sizes, and the exact laws of small ones."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from laws import configuration_laws, hitting_law
from ways import CHOOSING, ON_RINGS, SHORT_CLOCK, TOLD, WAYS, Cell

STOPS = (1, 2, 3, 5, 10, 20)
CONFIGURATION_TRIALS = 6000
COUNTS_WAYS = ("counts", *(f"counts:{way}" for way in WAYS))
EVENTS_WAYS = ("events:skip", "events:switch")
ENGINES = ("reference", "agents", *EVENTS_WAYS, *COUNTS_WAYS)
GRAPHS = ("ring", "undirected-ring", "path", "star", "grid:2x3", "er:0.6")


def cell(protocol: str, n: int, start: str | None = None, **params: int) -> Cell:
    return Cell(protocol, n, params=tuple(params.items()), start=start)


PROTOCOLS = [
    cell("aafj", 2, k=3),
    cell("aafj", 3, "three_barriers", k=2),
    cell("epidemic", 7),
    cell("fischer_jiang", 3),
    cell("fischer_jiang", 4, "all_leaders"),
    cell("fischer_jiang_complete", 8),
    cell("fratricide", 8),
    cell("infection", 5),
    cell("known_bound", 5),
    cell("leader_minion", 5, m=3),
    cell("loose_ids", 4, "phantom", t_max=2),
    cell("lottery", 3, m=1),
    cell("majority", 6),
    cell("michail", 4, tau=2, c_max=2, e_max=1),
    cell("michail_roles", 4, bits=1, c_max=3, e_max=1),
    cell("numbered", 4),
    cell("optimal_silent", 3, "leaderless", r_max=2, d_max=2, e_max=2),
    cell("p_ll", 4, m=2),
    cell("p_ll", 6, m=4),
    replace(cell(SHORT_CLOCK, 4, m=2, cap=3), until="all_epoch_3"),
    cell("p_ll_symmetric", 4, m=4),
    cell("p_pl", 3, "all_leaders", virus_factor=1, emit_factor=1),
    cell("p_pl", 3, "no_leader_full_timers", virus_factor=1, emit_factor=1),
    cell("p_rl", 2),
    cell("p_rl", 4, "all_leaders"),
    cell("p_rl_oracle", 2),
    cell("p_rl_oracle", 4, "all_leaders"),
    cell("silent_ranking", 4),
    cell("timer", 5, t_max=3),
    cell("tokens", 5),
    cell("coin_lottery", 4, top=2),
    cell("dice", 5),
    cell("phoenix", 5, "all_leaders"),
]
LARGER = [
    cell("p_ll", 40, m=6),
    cell("p_ll_symmetric", 20, m=5),
    cell("p_pl", 12, virus_factor=1, emit_factor=1),
    cell("p_rl", 6),
    cell("timer", 12, t_max=9),
]
CONFIGURATIONS = [
    cell("majority", 7),
    cell("p_ll", 6, m=4),
    cell(SHORT_CLOCK, 4, m=2, cap=2),
    cell("timer", 5, t_max=3),
    cell("dice", 5),
    cell("phoenix", 6, "all_leaders"),
]
NOT_COUNTED = ("infection", "known_bound", "loose_ids", "numbered", "optimal_silent", "silent_ranking", *ON_RINGS)
ON_GRAPHS = ("epidemic", "infection", "fratricide", "phoenix")
HIT_BY_WRONG = [cell("epidemic", 7), cell("majority", 6), cell("p_ll", 6, m=4)]
STEPS_OF_WRONG = (5, 10)
MEANS: dict[str, dict[int, int]] = {
    "reference": {10: 2000, 100: 150, 1000: 8},
    "agents": {10: 5000, 100: 2000, 1000: 300, 10**4: 30},
    "events": {10: 5000, 100: 1000, 1000: 30},
    "counts": {10: 5000, 100: 5000, 1000: 2000, 10**4: 500, 10**6: 100, 10**9: 10},
}


def may_use(what: Cell, way: str) -> bool:
    """`counts` is for anonymous agents on the complete graph and goals on counts; it lists no pairs that toss coins
    or ask an oracle."""
    if way == "counts:list" and what.protocol in (*CHOOSING, *TOLD, "michail"):
        return False
    return not way.startswith("counts") or what.protocol not in NOT_COUNTED


@cache
def law_of(what: Cell) -> list[float]:
    return hitting_law(what.exact_run())


@cache
def laws_of(what: Cell) -> dict[int, dict[Any, float]]:
    return configuration_laws(what.exact_run(), stops_of(what))


def stops_of(what: Cell) -> tuple[int, ...]:
    """P_LL comes into some 10^5 configurations within 20 steps, which is too many to enumerate here."""
    return STOPS[:-1] if what.protocol == "p_ll" else STOPS


def with_law(what: Cell, way: str, trials: int) -> tuple[Cell, list[float]]:
    """The cell to sample, up to where its law is known, and that law."""
    own = replace(what, way=way, trials=trials)
    law = law_of(own if own.graph and own.graph.startswith("er") else what)
    return replace(own, horizon=len(law) - 2), law
