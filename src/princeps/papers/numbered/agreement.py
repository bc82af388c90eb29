"""002.T1: how long it takes until all follow the largest identifier."""

from __future__ import annotations

from fractions import Fraction

from princeps.papers.claims import Planted
from princeps.papers.judging import exhaustive, mean_is, number
from princeps.papers.laboratory import SKETCH, Lab
from princeps.papers.measures import exact_command, exactly
from princeps.papers.numbered.leader import agreement, sum_of_waits
from princeps.papers.numbered.paper import paper
from princeps.papers.verdicts import SUPPORTED, Outcome, Part, together

MAX_EXACT_SIZE = 200  # the sums are compared as fractions up to here
TINY = (3, 4, 5, 6, 7)  # all runs of them fit into the exact analysis


def exact_sums() -> Part:
    """The closed forms against the sums of the proof, for distinct pairs and with agents that meet themselves."""
    breaches, harmonic = [], Fraction(0)
    for n in range(2, MAX_EXACT_SIZE + 1):
        harmonic += Fraction(1, n - 1)
        if sum_of_waits(n) != (n - 1) * harmonic or sum_of_waits(n, selves=True) != n * harmonic:
            breaches.append(n)
    what = "the sum of waiting times is (n-1) H(n-1), and n H(n-1) where agents meet themselves"
    return exhaustive(len(breaches), MAX_EXACT_SIZE - 1, what, "sizes", breach=f"n = {breaches[0]}" if breaches else "")


def whole_chains(lab: Lab) -> Part:
    """The protocol itself: all its runs from the start at small sizes."""
    sizes = lab.pick(TINY[:-1], TINY)
    found = lab.measure(
        exactly,
        parts=len(sizes),
        protocol="infection",
        sizes=[(n, {}) for n in sizes],
        target="complete",
        start="initial",
    ).parts
    wrong = [
        (n, report["worst"])
        for n, report in zip(sizes, found, strict=True)
        if abs(report["worst"] - agreement(n)) > 1e-9 * report["worst"]
    ]
    breach = f"{number(wrong[0][1])} steps at n = {wrong[0][0]}" if wrong else ""
    commands = (exact_command("infection", sizes[-1], {}, "--start initial"),)
    what = f"exact expected steps of the protocol at n = {sizes[0]}..{sizes[-1]} are (n-1) H(n-1)"
    cases = sum(int(report["reduced"]) for report in found)
    return exhaustive(len(wrong), cases, what, breach=breach, commands=commands)


@paper.claim(
    "002.T1",
    "all agents agree on the leader after (n-1) H(n-1) expected interactions of distinct pairs",
    kind="X, S",
    recorded=SUPPORTED,
    planted=Planted(
        "an initiator that follows another already learns nothing from the responder",
        ("infection", "elif a_i.leader < a_j.leader:", "elif a_i.leader < a_j.leader and a_i.isLeader == 1:"),
    ),
)
def agreed(lab: Lab) -> Outcome:
    sweeps = [
        lab.sweep("infection", lab.pick([10, 100, 1000], [10, 100, 1000], [100]), trials=lab.pick(1800, 15_000, 400)),
        lab.sweep("infection", lab.pick([10_000], [10_000], [200]), trials=lab.pick(150, 3000, 400)),
    ]
    parts = [exact_sums(), *([] if lab.effort == SKETCH else [whole_chains(lab)])]
    margin = lab.pick(0.06, 0.02, 0.1)
    for sampled in sweeps:
        parts += [
            mean_is(found.steps, agreement(found.n), margin, f"n = {found.n:,}", commands=(sampled.command,))
            for found in sampled
        ]
    ours = [
        "(n-1) H(n-1) is exact for every n, and the paper's n H(n-1) is exact where an agent may meet itself: the two "
        "differ by the factor n/(n-1), so the bound n H(n) is never far from the truth"
    ]
    return together(parts, ours)
