"""Claims that A_k and B_k elect the true leader, whatever the schedule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from princeps.model import registry
from princeps.model.rings.ring import Ring
from princeps.papers.answers import Measurement
from princeps.papers.claims import Planted
from princeps.papers.judging import exhaustive
from princeps.papers.laboratory import Lab
from princeps.papers.rings.asking import (
    EXPLORED,
    MAX_K,
    OUTSIDE,
    PRINTED,
    RANDOM_SIZES,
    interleavings_of,
    outside_of,
    random_rings,
    refuted_at_random,
)
from princeps.papers.rings.paper import paper
from princeps.papers.rings.surveys import SMALLEST_K, added, explored, tallied
from princeps.papers.verdicts import AS_PRINTED, PROVED, Outcome, Part, readings, together

UNIT = "pairs of a ring and k"


def all_right(lab: Lab, found: Measurement, what: str, sizes: Any = EXPLORED) -> Part:
    """In every execution on every small ring the specification is kept and the true leader elected."""
    sums = added(found.parts)
    most = max(lab.pick(*sizes))
    says = f"{what} in every interleaving, n <= {most}, k <= {MAX_K}, {sums['configurations']:,} configurations"
    return exhaustive(sums["failed"], sums["cases"], says, UNIT, breach=sums["failure"], commands=(found.command,))


def ours_of(lab: Lab, name: str) -> list[str]:
    """With a planted fault there is nothing of ours to tell."""
    if lab.planted is not None:
        return []
    outside, inside = outside_of(lab, name), random_rings(lab, name)
    rings = sum(len(answer["time"]) for answer in inside.parts)
    n = max(lab.pick(*RANDOM_SIZES))
    sampled = f"the true leader is also elected on {rings:,} random rings with up to {n} processes"
    return [one_too_many(name, tallied(outside.parts), max(lab.pick(*OUTSIDE))), sampled]


def one_too_many(name: str, found: Mapping[tuple[int, int], tuple[int, int]], most: int) -> str:
    """Whether k could have been smaller. `found`: rings and successes by k and the excess of the multiplicity."""

    def beyond(by: int) -> tuple[int, int]:
        entries = [entry for (_, excess), entry in found.items() if excess == by]
        return sum(rings for rings, _ in entries), sum(rings - right for rings, right in entries)

    (rings, wrong), (more, more_wrong) = beyond(1), beyond(2)
    where = f"with n <= {most}, k <= {MAX_K}"
    if wrong:
        return f"k cannot be smaller: {name} fails on {wrong:,} of {rings:,} rings of multiplicity k + 1 {where}"
    return (
        f"k could be smaller by one: {name} is right on all {rings:,} rings of multiplicity k + 1 {where}, and fails on "
        f"{more_wrong:,} of {more:,} rings of multiplicity k + 2"
    )


@paper.claim(
    "001.T2a",
    "A_k elects the true leader on every asymmetric ring of multiplicity at most k",
    kind="X",
    recorded=PROVED,
    planted=Planted(
        "two copies of a label are enough for Leader", ("a_k", "sigma.mlty() >= 2 * c.k + 1", "sigma.mlty() >= 2")
    ),
)
def a_k_elects(lab: Lab) -> Outcome:
    mended, table = interleavings_of(lab, "a_k"), interleavings_of(lab, "a_k", printed=1, all_received=False)
    random_rings(lab, "a_k")
    ours = ours_of(lab, "a_k")
    what = "the true leader is elected, everybody knows it and halts"
    parts = [
        all_right(lab, mended, what),
        all_right(lab, table, f"Table 1 as printed: {what}", PRINTED),
        *refuted_at_random(lab, "a_k"),
    ]
    return together(parts, ours)


@paper.claim(
    "001.T2r",
    "a remark in the proof of Theorem 2: all messages of A_k are received",
    kind="X",
    recorded=AS_PRINTED,
    planted=Planted(
        "a leader takes A2 wherever it can, in either reading",
        ("a_k", "(not p.isLeader or c.printed) and not Leader", "not Leader"),
    ),
)
def a_k_receives(lab: Lab) -> Outcome:
    mended, table = interleavings_of(lab, "a_k"), interleavings_of(lab, "a_k", printed=1)
    apart = interleavings_of(lab, "a_k", printed=1, all_received=False)
    what = "every message is received"
    outcome = readings([all_right(lab, table, what, PRINTED)], [all_right(lab, mended, what)])
    sums = added(apart.parts)
    if sums["failed"]:
        return outcome
    says = (
        f"as printed, on {sums['left_over']:,} of {sums['cases']:,} {UNIT} some interleaving leaves messages behind at "
        "processes that have halted; nothing else goes wrong (001.T2a): what fails is the remark, not the theorem"
    )
    return replace(outcome, ours=(says,))


@paper.claim(
    "001.T3",
    "B_k elects the true leader on every asymmetric ring of multiplicity at most k",
    kind="X",
    recorded=PROVED,
    planted=Planted(
        "who gets its own label as guest once more wins (B9)",
        ("b_k", "(x != p.id or p.outer < c.k)", "x != p.id"),
        ("b_k", "x == p.id and p.outer == c.k", "x == p.id"),
    ),
)
def b_k_elects(lab: Lab) -> Outcome:
    found = interleavings_of(lab, "b_k")
    random_rings(lab, "b_k")
    ours = ours_of(lab, "b_k")
    part = all_right(lab, found, "the true leader is elected")
    return together([part, *refuted_at_random(lab, "b_k")], ours)


@paper.claim(
    "001.conf",
    "messages do not depend on the schedule, as each process has one input link",
    kind="X",
    recorded=PROVED,
    planted=Planted("Table 1 as printed, whose leader may take a token by A2 or A5", printed=1),
)
def confluent(lab: Lab, printed: int = 0) -> Outcome:
    asked = [(name, interleavings_of(lab, name, **options)) for name, options in _both(printed)]
    parts = []
    for name, found in asked:
        sums = added(found.parts)
        most = max(n for n, _, _ in found.task.arguments["pieces"])
        says = (
            f"{name}: one ending and one number of messages in all interleavings, n <= {most}, k <= {MAX_K}, "
            f"{sums['configurations']:,} configurations"
        )
        part = exhaustive(
            sums["varied"], sums["cases"], says, UNIT, breach=sums["variation"], commands=(found.command,)
        )
        parts.append(part)
    return together(parts)


def _both(printed: int) -> list[tuple[str, dict[str, Any]]]:
    return [("a_k", {"printed": 1} if printed else {}), ("b_k", {})]


def example(part: int, seed: int, *, protocol: str, ks: list[int]) -> list[dict[str, Any]]:
    """The ring 1,2,2 with each of these k."""
    cls, ring = registry.find_ring(protocol), Ring((1, 2, 2))
    return [explored(cls(ring, k=k), ring) for k in ks]


@paper.claim(
    "001.122",
    "the ring 1,2,2 is solvable",
    kind="X",
    recorded=PROVED,
    planted=Planted(
        "two copies of a label are enough for Leader", ("a_k", "sigma.mlty() >= 2 * c.k + 1", "sigma.mlty() >= 2")
    ),
)
def one_two_two(lab: Lab) -> Outcome:
    ks = [2, 3, 4, 5]
    asked = {name: lab.measure(example, protocol=name, ks=ks) for name in SMALLEST_K}
    parts = []
    for name, found in asked.items():
        wrong = [answer["failure"] for answer in found.only if answer["failure"]]
        configurations = sum(answer["configurations"] for answer in found.only)
        says = f"{name} elects the process with the label 1 in all interleavings, {configurations:,} configurations"
        command = f"princeps run {name} --labels 1,2,2 -p k=2"
        breach = wrong[0] if wrong else ""
        parts.append(exhaustive(len(wrong), len(ks), says, "values of k, 2 to 5", breach=breach, commands=(command,)))
    return together(parts)
