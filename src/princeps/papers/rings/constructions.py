"""Corollaries 2 to 4: the paper's two rings, built for each algorithm that we have.

On a ring R of n distinct labels an algorithm takes T synchronous steps. R_(n,k) is these labels k times, and one more. A
process j of it learns nothing of that label before step j, and is until then in the state of process j mod n of R: were
T <= (k-2)n, two processes of R_(n,k) would lead. So an algorithm for multiplicity k takes order kn (Corollaries 2 and 4), and
with more copies than it was made for it elects two, on a ring that is asymmetric (Corollary 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from princeps.engines.rings.reference import Network
from princeps.engines.rings.simulate import simulate_ring
from princeps.model.rings.algorithm import Local
from princeps.model.rings.reading import make_ring_run
from princeps.model.rings.ring import Ring
from princeps.model.rings.run import RingRun
from princeps.papers.answers import Measurement
from princeps.papers.claims import Planted
from princeps.papers.judging import demonstrated, exhaustive, number
from princeps.papers.laboratory import Lab
from princeps.papers.rings.limits import impossibilities, two_leaders
from princeps.papers.rings.paper import paper
from princeps.papers.verdicts import DEMONSTRATED, Outcome, Part, together

KS = {"a_k": (2, 3, 4, 5), "b_k": (2, 3), "u_k": (2, 3, 4, 5)}  # algorithms that are told k
SIZES = ((2, 3, 4), (2, 3, 4, 5), (2,))
LIMIT_FACTOR = 20  # a faulty algorithm may never end

States = tuple[tuple[Any, ...], ...]


def synchronous_states(run: RingRun) -> list[States]:
    """The states of all processes after each synchronous step, the first entry before any; the last one is the end."""
    network = Network(run)
    now = [_shown(local) for local in network.locals]
    history: list[States] = []
    limit = LIMIT_FACTOR * run.algorithm.promised(run.ring)["messages"]
    for event in network.events():
        if event.time == len(history):  # the first event of a step: what stands there is the end of the step before
            history.append(tuple(now))
        now[event.process] = _shown(event.local)
        if network.steps > limit:
            break
    return [*history, tuple(now)]


def _shown(local: Local) -> tuple[Any, ...]:
    """With its labels as text: the two rings rank them differently."""
    return (*map(str, local.values), local.started, local.halted)


def own_ring(part: int, seed: int, *, protocol: str, cases: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """n and k: T on n distinct labels, and whether R_(n,k), on which the algorithm must be right, goes as the proof says."""
    n, k = cases[part]
    small, large = Ring(tuple(range(1, n + 1))), Ring((*tuple(range(1, n + 1)) * k, n + 1))
    runs = [
        make_ring_run(protocol, labels=ring, schedule="synchronous", engine="reference", force=True, params={"k": k})
        for ring in (small, large)
    ]
    one, other = (synchronous_states(run) for run in runs)
    steps = len(one) - 1
    apart = [
        (j, t)
        for t in range(min(len(one), len(other)))
        for j in range(t, k * n)
        if one[t][j % n] != other[t][j]  # t <= j: no news of the last label yet
    ]
    limit = int(LIMIT_FACTOR * runs[1].algorithm.promised(large)["messages"])
    run = make_ring_run(protocol, labels=large, engine="reference", force=True, max_steps=limit, params={"k": k})
    result = simulate_ring(run)
    breach = ""
    if not large.in_u_star or large.multiplicity != k:
        breach = f"{large.text} is not the ring of Lemma 1 for k = {k}"
    elif steps < 1 + (k - 2) * n:
        breach = f"{steps} steps at n = {n}, k = {k}, fewer than {1 + (k - 2) * n}"
    elif apart:
        breach = f"process {apart[0][0]} of {large.text} is in a state of its own after step {apart[0][1]}, k = {k}"
    elif not result.converged:
        breach = f"{result.leaders} lead on {large.text} with k = {k}, or not all know it"
    same = sum(k * n - t for t in range(min(len(one), len(other), k * n)))
    return {"n": n, "k": k, "steps": steps, "same": same, "breach": breach}


def own_rings(lab: Lab) -> dict[str, Measurement]:
    """The ring R_(n,k) for every algorithm that is told k, and for its own k."""
    cases = {name: [(n, k) for n in lab.pick(*SIZES) for k in ks] for name, ks in KS.items()}
    return {name: lab.measure(own_ring, parts=len(own), protocol=name, cases=own) for name, own in cases.items()}


def more_copies(lab: Lab) -> dict[str, Measurement]:
    """The ring with so many copies that two lead: the evidence of Theorem 1, and the same for U_k."""
    cases = [(n, k) for n in lab.pick(*SIZES) for k in (1, 2, 3)]
    found = lab.measure(two_leaders, parts=len(cases), protocol="u_k", cases=cases, knows_multiplicity=False)
    return {**impossibilities(lab), "u_k": found}


def _part(found: dict[str, Measurement], says: str, command: str) -> Part:
    rows = [row for one in found.values() for row in one.parts]
    wrong = [f"{name}: {row['breach']}" for name, one in found.items() for row in one.parts if row["breach"]]
    part = exhaustive(
        *(len(wrong), len(rows), f"{', '.join(found)}: {says}", "triples of an algorithm, n and k"),
        breach=(wrong or [""])[0],
        commands=(command,),
    )
    return demonstrated(part, f"{len(found)} algorithms, with n <= {max(row['n'] for row in rows)} labels")


@paper.claim(
    "001.cor4",
    "(with Corollaries 2 and 3) any algorithm for A and K_k takes Omega(kn) time, and none works for all of A: the paper's "
    "construction on each algorithm that we have",
    kind="X",
    recorded=DEMONSTRATED,
    planted=Planted(
        "A_k whose Leader is content with two copies of a label",
        ("a_k", "sigma.mlty() >= 2 * c.k + 1", "sigma.mlty() >= 2"),
    ),
)
def corollaries(lab: Lab) -> Outcome:
    own, more = own_rings(lab), more_copies(lab)
    slow = (
        "at least 1 + (k-2)n steps on n distinct labels; on R_(n,k) every process j is until step j in the state of process j mod n, "
        "and one leads in the end"
    )
    two = "two lead on a ring with a unique label that repeats the others more often than the algorithm allows for"
    parts = [
        _part(own, slow, "princeps run a_k --labels 1,2,1,2,3 -p k=2"),
        _part(more, two, "princeps impossible u_k -n 3 -p k=2"),
    ]
    ours = []
    for name, found in own.items():
        ratio, n, k = min((row["steps"] / (row["k"] * row["n"]), row["n"], row["k"]) for row in found.parts)
        ours.append(f"{name} takes at least {number(ratio)} kn steps on n distinct labels, at n = {n}, k = {k}")
    return together(parts, ours)
