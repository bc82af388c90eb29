"""004.lemma3: what a virtual agent carries, from every agent at once and for every propagating variable."""

from __future__ import annotations

import numpy as np

from princeps.model.fields import Agent
from princeps.papers.claims import Planted
from princeps.papers.laboratory import Lab
from princeps.papers.p_pl.paper import paper
from princeps.papers.p_pl.rule import carries, established, proved
from princeps.papers.verdicts import SUPPORTED, Outcome, together
from princeps.papers.walks import Config, Watcher, on_every_step

VARIABLES = ("timerL", "virus", "timer")  # of P_PL, and of the timer protocol [14]
SCALED = {"N": 64, "virus_factor": 2, "emit_factor": 2}


class Propagates(Watcher):
    """Whoever is infected from r has at least C_0(r).var, less the interactions of its virtual agent: for all r.

    Only where this is more than 0 is there something to assert. When all are infected from all, C_0 is chosen anew.
    """

    def begin(self, u: Config) -> str | None:
        self.worn = np.full((self.n, self.n), -1)  # [r, v]: interactions of the virtual agent of v, -1 before infection
        np.fill_diagonal(self.worn, 0)
        names = [name for name in VARIABLES if hasattr(u[0], name)]
        self.first = {name: np.array([getattr(agent, name) for agent in u]) for name in names}
        return None

    def look(self, u: Config, i: int, j: int, a: Agent, b: Agent) -> str | None:
        if i == j:
            return None
        before, other = self.worn[:, i].copy(), self.worn[:, j].copy()
        for k, own, met in ((i, before, other), (j, other, before)):
            known = (own >= 0) | (met >= 0)
            self.worn[:, k] = np.where(known, np.where(own >= 0, own, met) + 1, -1)
            for name, first in self.first.items():
                least = np.where(known, first - self.worn[:, k], 0)
                self.cases += int((least > 0).sum())
                if getattr(u[k], name) < least.max():
                    r = int(least.argmax())
                    worn = self.worn[r, k]
                    return f"agent {k} has {name} = {getattr(u[k], name)}, from {first[r]} of agent {r} after {worn} meetings"
        if (self.worn >= 0).all():
            self.begin(u)
        return None


@paper.claim(
    "004.lemma3",
    "whoever an epidemic from r has reached has at least r's first value of a propagating variable, less the "
    "interactions of its virtual agent",
    kind="P",
    recorded=SUPPORTED,
    proved_by=proved(carries),
    planted=Planted(
        "a virus loses two at a meeting",
        ("p_pl", "max(a0.virus - 1, a1.virus - 1, 0)", "max(a0.virus - 2, a1.virus - 2, 0)"),
    ),
)
def carried(lab: Lab) -> Outcome:
    steps, n = lab.pick(2000, 20_000, 300), 16
    schedulers = ("uniform", "bursts", "cliques", "forwards")
    ours = [
        {"n": n, "params": SCALED, "start": start, "scheduler": scheduler, "steps": steps}
        for start in ("random", "one_virus", "one_leader_shielded")
        for scheduler in schedulers
    ]
    printed = [{"n": 55, "start": start, "steps": steps} for start in ("random", "one_virus")]
    theirs = [
        {"n": n, "params": {"t_max": t_max}, "start": start, "scheduler": scheduler, "steps": steps}
        for t_max, start in ((8, "random"), (64, "no_leader"))
        for scheduler in schedulers
    ]
    parts = [
        *established(lab, carries),
        on_every_step(
            lab, Propagates, "p_pl", [*ours, *printed], "timerL and virus of P_PL, from every agent", least=100
        ),
        on_every_step(
            lab, Propagates, "timer", theirs, "timer of the timer protocol [14], from every agent", least=100
        ),
    ]
    says = (
        "the lemma is an induction over steps, of which each is the definition of a propagating variable: that timerL and "
        "virus are propagating, over all pairs of states, is what there is to prove, and the walks try the whole of it"
    )
    return together(parts, [says])
