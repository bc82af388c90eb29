"""Faults planted into P_RL's rule, and those of them that do no harm."""

from __future__ import annotations

from pathlib import Path

from princeps.model import registry
from princeps.model.protocol import PopulationProtocol
from princeps.papers.altered import altered

HARMFUL = {
    "line 7: no shield": ("l.bullet, l.shield, l.signal = LIVE, 1, 0", "l.bullet, l.shield, l.signal = LIVE, 0, 0"),
    "line 15: keeps the signal": ("l.bullet, r.signal = 0, 0", "l.bullet = 0"),
    "line 9: fires a live bullet": (
        "r.bullet, r.shield, r.signal = DUMMY, 0, 0",
        "r.bullet, r.shield, r.signal = LIVE, 0, 0",
    ),
    "line 5: no shield": ("r.bullet, r.shield, r.signal = LIVE, 1, 0", "r.bullet, r.shield, r.signal = LIVE, 0, 0"),
    "line 2: adds two": ("min(l.distL + 1, p.N)", "min(l.distL + 2, p.N)"),
    "line 11: ignores the shield": ("l.bullet == LIVE and r.shield == 0", "l.bullet == LIVE"),
    "line 12: the bullet stays": ("            l.bullet = 0  # 12", "            pass  # 12"),
    "line 14: replaces a bullet": ("l.bullet if r.bullet == 0 else r.bullet", "l.bullet"),
}
HARMLESS = {
    "line 2: asks for no bullet": ("elif r.bullet == 0:\n            r.distL", "else:\n            r.distL"),
    "line 9: keeps the shield": ("r.bullet, r.shield, r.signal = DUMMY, 0, 0", "r.bullet, r.signal = DUMMY, 0"),
    "line 16: ignores the leader": ("max(l.signal, r.signal, r.leader)", "max(l.signal, r.signal)"),
    "line 16: forgets its own": ("max(l.signal, r.signal, r.leader)", "max(r.signal, r.leader)"),
}
LARGE = {  # no smaller ring shows it than n = 7, N = 8
    "line 2: a live bullet at distance 5 adds two": (
        "min(l.distL + 1, p.N)",
        "min(l.distL + (2 if l.bullet == LIVE and l.distL == 5 else 1), p.N)",
    )
}
FAULTS = HARMFUL | HARMLESS | LARGE


def place_of(fault: str, folder: Path) -> str:
    """The altered protocol as one would type it."""
    return altered("p_rl", [FAULTS[fault]], folder)


def alteration(fault: str, folder: Path) -> type[PopulationProtocol]:
    return registry.find(place_of(fault, folder))
