"""002.alg1: the election among agents that know the largest number."""

from __future__ import annotations

from math import log

from princeps.errors import RunError
from princeps.model.fields import Agent
from princeps.model.reading import make_run
from princeps.model.starts import starting_states
from princeps.papers.claims import Planted
from princeps.papers.judging import exhaustive, mean_is, number
from princeps.papers.laboratory import Lab
from princeps.papers.measures import exact_command, exactly
from princeps.papers.numbered.leader import agreement
from princeps.papers.numbered.paper import paper
from princeps.papers.verdicts import SUPPORTED, Outcome, Part, together
from princeps.papers.walks import Config, Watcher, on_every_step

TINY = (2, 3, 4, 5, 6)  # all runs of them fit into the exact analysis
HEARD = 64  # agents among whom the news spreads
STEP_LIMIT_FACTOR = 1000  # times n ln n steps, of which the news takes one


class KnowsWhenItActs(Watcher):
    """Everyone has the leader's number at all times, and whoever has acted knows whether it is its own."""

    def begin(self, u: Config) -> str | None:
        self.acted: set[int] = set()
        return None

    def look(self, u: Config, i: int, j: int, a: Agent, b: Agent) -> str | None:
        self.acted |= {i, j}
        for k in (i, j):
            self.cases += 1
            if u[k].leader != self.p.bound:
                return f"agent {k} takes number {u[k].leader} for the leader's"
            if u[k].isLeader != (u[k].aid == self.p.bound):
                return f"agent {k}, which has number {u[k].aid}, has acted and has isLeader = {u[k].isLeader}"
        others = next((k for k, agent in enumerate(u) if agent.isLeader and k not in self.acted), None)
        return None if others is None else f"agent {others} leads and has not acted"


def heard(part: int, seed: int, *, protocol: str, n: int, trials: int) -> list[int]:
    """Of each trial: steps until everyone has heard, from the leader or from one who has, that the leader has acted."""
    found = []
    for trial in range(part * trials, (part + 1) * trials):
        run = make_run(protocol, n, seed=seed, trial=trial)
        states, aware = starting_states(run), set[int]()
        limit = int(STEP_LIMIT_FACTOR * n * log(n))
        for step, (i, j) in enumerate(run.meetings(), 1):
            states[i], states[j] = run.protocol.step(states[i], states[j])
            if i in aware or j in aware or run.protocol.leads(states[i]) or run.protocol.leads(states[j]):
                aware |= {i, j}
                if len(aware) == n:
                    found.append(step)
                    break
            if step == limit:
                raise RunError(
                    f"trial {trial} of seed {seed}: {len(aware)} of {n} agents have heard after {step} steps."
                )
    return found


def whole_chains(lab: Lab) -> Part:
    """All runs from the start at small sizes."""
    sizes = lab.pick(TINY, TINY, TINY[:3])
    found = lab.measure(
        exactly,
        parts=len(sizes),
        protocol="known_bound",
        sizes=[(n, {}) for n in sizes],
        target="leader",
        start="initial",
    ).parts
    wrong = [
        (n, report["worst"])
        for n, report in zip(sizes, found, strict=True)
        if report["worst"] is None or abs(report["worst"] - n / 2) > 1e-9 * n
    ]
    breach = f"{wrong[0][1]} steps at n = {wrong[0][0]}" if wrong else ""
    what = f"exact expected steps until the holder of the largest number leads, n = {sizes[0]}..{sizes[-1]}, are n/2"
    cases = sum(int(report["reduced"]) for report in found)
    commands = (exact_command("known_bound", sizes[-1], {}, "--start initial"),)
    return exhaustive(len(wrong), cases, what, breach=breach, commands=commands)


@paper.claim(
    "002.alg1",
    "Algorithm 1: where the largest number is known, its holder leads as soon as it acts, and all have heard of it after "
    "an epidemic",
    kind="X, P, S",
    recorded=SUPPORTED,
    planted=Planted(
        "only the initiator looks at its own number",
        ("known_bound", "for a in (a_i, a_j):", "for a in (a_i,):"),
    ),
)
def known(lab: Lab) -> Outcome:
    sizes = lab.pick([10, 100, 1000], [10, 100, 1000, 10_000, 100_000], [100])
    sampled = lab.sweep("known_bound", sizes, trials=lab.pick(5000, 40_000, 2000))
    news = lab.measure(heard, parts=4, protocol="known_bound", n=HEARD, trials=lab.pick(150, 1500, 75))
    cases = [
        {"n": n, "scheduler": scheduler, "steps": lab.pick(1000, 10_000, 200)}
        for n in (2, 10, 40)
        for scheduler in ("uniform", "forwards", "bursts", "cliques")
    ]
    what = "everyone has the leader's number, and whoever has acted knows whether it leads"
    parts = [whole_chains(lab), on_every_step(lab, KnowsWhenItActs, "known_bound", cases, what, least=100)]
    parts += [
        mean_is(
            *(found.steps, found.n / 2, lab.pick(0.12, 0.05, 0.2)),
            f"n = {found.n:,}: steps until the holder leads",
            commands=(sampled.command,),
        )
        for found in sampled
    ]
    steps = [step for part in news.parts for step in part]
    what = f"n = {HEARD}: steps until all have heard, from the leader on"
    parts.append(mean_is(steps, agreement(HEARD), lab.pick(0.1, 0.04, 0.15), what))
    ours = [
        "the paper counts O(1) steps, in each of which every agent acts once; of interactions the holder of the largest "
        "number waits for n/2 on the average, a geometric time, for each of them is its own with probability 2/n",
        "the rule itself spreads nothing: all have the right number in `leader` from the start. What must spread is that "
        f"somebody holds it: with the leader's first meeting an epidemic begins, {number(agreement(HEARD))} steps at n = "
        f"{HEARD}, that is (n-1) H(n-1), as long as Algorithm 2 takes, which knows no number",
    ]
    return together(parts, ours)
