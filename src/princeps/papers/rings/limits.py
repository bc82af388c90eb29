"""Claims about all algorithms: how fast none can be, and that none can do without a bound on the multiplicity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from princeps.engines.rings.impossibility import impossible
from princeps.engines.rings.simulate import simulate_ring
from princeps.errors import PrincepsError
from princeps.model import registry
from princeps.model.rings.reading import make_ring_run
from princeps.model.rings.ring import Ring
from princeps.papers.answers import Measurement
from princeps.papers.claims import Planted
from princeps.papers.judging import demonstrated, exhaustive, number
from princeps.papers.laboratory import Lab
from princeps.papers.rings.asking import engine_of
from princeps.papers.rings.labelings import distinct_rings
from princeps.papers.rings.paper import paper
from princeps.papers.rings.surveys import elected
from princeps.papers.verdicts import DEMONSTRATED, Outcome, together

MAX_K = 5


def synchronous_steps(part: int, seed: int, *, protocol: str, sizes: Sequence[int], engine: str) -> list[list[int]]:
    """n, k, how many rings of distinct labels, and the fewest steps that one of them takes; the start is a step."""
    cls, n = registry.find_ring(protocol), sizes[part]
    rings = [Ring(labels) for labels in distinct_rings(n)]
    return [
        [n, k, len(rings), min(elected(cls, ring, k, engine, "synchronous", seed).time + 1 for ring in rings)]
        for k in range(2, MAX_K + 1)
    ]


@paper.claim(
    "001.L1",
    "on n distinct labels the synchronous execution of any algorithm for multiplicity k has at least 1+(k-2)n steps",
    kind="X",
    recorded=DEMONSTRATED,
    planted=Planted(
        "A_k whose Leader is content with two copies of a label",
        ("a_k", "sigma.mlty() >= 2 * c.k + 1", "sigma.mlty() >= 2"),
    ),
)
def slow_enough(lab: Lab) -> Outcome:
    sizes = lab.pick([2, 3, 4, 5], [2, 3, 4, 5, 6], [2, 3])
    asked = {
        name: lab.measure(synchronous_steps, parts=len(sizes), protocol=name, sizes=sizes, engine=engine_of(lab))
        for name in ("a_k", "b_k")
    }
    parts, ours = [], []
    for name, found in asked.items():
        rows = [row for answer in found.parts for row in answer]
        quick = [(n, k, steps) for n, k, _, steps in rows if steps < 1 + (k - 2) * n]
        breach = f"{quick[0][2]} steps at n = {quick[0][0]}, k = {quick[0][1]}" if quick else ""
        rings = sum(rings for _, k, rings, _ in rows if k == 2)
        says = f"{name} on all {rings} orders of up to {sizes[-1]} distinct labels, k = 2 to {MAX_K}"
        command = f"princeps run {name} --labels 1,2,3 -p k={MAX_K}"
        part = exhaustive(len(quick), len(rows), says, "pairs n, k", breach=breach, commands=(command,))
        parts.append(demonstrated(part, f"{name}, n <= {sizes[-1]}, k <= {MAX_K}"))
        ratio, n, k = min((steps / (1 + (k - 2) * n), n, k) for n, k, _, steps in rows if k > 2)
        ours.append(f"{name} takes at least {number(ratio)} times the lower bound, at n = {n}, k = {k}")
    return together(parts, ours)


# -- Lemma 1's ring ----------------------------------------------------------------------------------------------------

BOUNDLESS = ("chang_roberts", "lelann", "peterson")  # which trust that all labels are distinct


def two_leaders(
    part: int, seed: int, *, protocol: str, cases: Sequence[Any], knows_multiplicity: bool
) -> dict[str, Any]:
    """Lemma 1's ring for the algorithm with this k (None: it has none), and who leads there in the end.

    `knows_multiplicity`: the algorithm is given the multiplicity of that ring as its k instead.
    """
    n, k = cases[part]
    params = {} if k is None else {"k": k}
    try:
        found = impossible(protocol, n, params)
    except PrincepsError as error:
        return {"n": n, "k": k, "breach": str(error)}
    ring = found.large_ring
    if knows_multiplicity:
        params = {"k": ring.multiplicity}
    run = make_ring_run(protocol, labels=ring, engine="reference", force=True, params=params)
    leaders = simulate_ring(run).leaders
    breach = "" if leaders > 1 else f"{leaders} leader on {found.copies} times {n} labels and one more, {params}"
    if not ring.in_u_star or max(found.elected_at) > found.steps:
        breach = breach or f"the ring of n = {n}, {params} is not the one of Lemma 1"
    answer = {"n": n, "k": k, "steps": found.steps, "copies": found.copies, "large": ring.n}
    return {**answer, "leaders": leaders, "same": found.same_states, "breach": breach}


def impossibilities(lab: Lab, knows_multiplicity: bool = False) -> dict[str, Measurement]:
    """Every algorithm for labeled unidirectional rings that we have."""
    sizes = lab.pick((2, 3), (2, 3, 4, 5), (2,))
    cases: dict[str, list[tuple[int, int | None]]] = {
        "a_k": [(n, k) for n in sizes for k in (1, 2, 3)],
        "b_k": [(n, k) for n in sizes[:2] for k in lab.pick((2,), (2, 3), (2,))],
    }
    cases |= {name: [(n, None) for n in sizes] for name in (() if knows_multiplicity else BOUNDLESS)}
    return {
        name: lab.measure(two_leaders, parts=len(own), protocol=name, cases=own, knows_multiplicity=knows_multiplicity)
        for name, own in cases.items()
    }


@paper.claim(
    "001.T1",
    "without a bound on the multiplicity it is impossible: on Lemma 1's ring, whose label is too frequent for k, two lead",
    kind="X",
    recorded=DEMONSTRATED,
    planted=Planted("k is the multiplicity of the large ring", knows_multiplicity=True),
)
def no_bound(lab: Lab, knows_multiplicity: bool = False) -> Outcome:
    asked = impossibilities(lab, knows_multiplicity)
    rows = [row for found in asked.values() for row in found.parts]
    wrong = [row["breach"] for row in rows if row["breach"]]
    says = f"{', '.join(asked)} elect two leaders within the steps that one took on distinct labels"
    command = "princeps impossible a_k -n 3 -p k=2"
    part = exhaustive(
        len(wrong), len(rows), says, "triples of an algorithm, n and k", breach=(wrong or [""])[0], commands=(command,)
    )
    ours = []
    if not wrong:
        states = sum(row["same"] for row in rows)
        ours = [f"on the way, all {states:,} states that Lemma 1 says are equal on the two rings were found equal"]
    covers = f"{len(asked)} algorithms, with n <= {max(row['n'] for row in rows)} labels"
    return together([demonstrated(part, covers)], ours)
