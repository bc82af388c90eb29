"""Claims about the labels on the left of a process: how many of them show the whole ring."""

from __future__ import annotations

from typing import Any

from princeps.papers.answers import Measurement
from princeps.papers.claims import Planted
from princeps.papers.judging import exhaustive
from princeps.papers.laboratory import Lab
from princeps.papers.rings.labelings import (
    Labels,
    all_rings,
    llabels,
    multiplicity,
    prefix_with,
    rings_of,
    srp_length,
    text,
)
from princeps.papers.rings.labelings import pieces as dealt
from princeps.papers.rings.paper import paper
from princeps.papers.verdicts import PROVED, Outcome, together

TURNS = 4  # prefixes have up to TURNS * n labels
SHARES = ({2: 1, 3: 1, 4: 1, 5: 1, 6: 1}, {2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 8}, {2: 1, 3: 1, 4: 1, 5: 1})
MAX_K = 4


def periods(part: int, seed: int, *, pieces: list[Any]) -> dict[str, Any]:
    """Over all processes of a piece of the rings: the longest prefix, up to 4n, whose srp is not n long."""
    n = pieces[part][0]
    longest, ring, words = 0, "", 0
    for labels in rings_of(pieces[part]):
        for p in range(n):
            word = llabels(labels, p, TURNS * n)
            wrong = [m for m in range(1, TURNS * n + 1) if srp_length(word[:m]) != n]
            words += TURNS * n
            if wrong[-1] > longest:
                longest, ring = wrong[-1], f"process {p} of the ring {text(labels)}"
    return {"n": n, "longest": longest, "ring": ring, "words": words}


@paper.claim(
    "001.L5",
    "for m >= 2n, the smallest repeating prefix of LLabels(p)^m has length n",
    kind="X",
    recorded=PROVED,
    planted=Planted("the claim is for m >= 2n - 3", less=3),
)
def two_turns(lab: Lab, less: int = 0) -> Outcome:
    """A prefix of a word has every period that the word has: so what is right at m is right beyond it."""
    parts = dealt(lab.pick(*SHARES))
    found = lab.measure(periods, parts=len(parts), pieces=parts).parts
    wrong = [answer for answer in found if answer["longest"] >= 2 * answer["n"] - less]
    words, most = sum(answer["words"] for answer in found), max(answer["n"] for answer in found)
    breach = f"m = {wrong[0]['longest']} at {wrong[0]['ring']}" if wrong else ""
    bound = "2n" if not less else f"2n - {less}"
    says = f"m from {bound} to {TURNS}n, every process of every ring with n <= {most}, {words:,} prefixes"
    sharp = {n: max(answer["longest"] for answer in found if answer["n"] == n) for n in range(2, most + 1)}
    part = exhaustive(len({answer["n"] for answer in wrong}), len(sharp), says, "values of n", breach=breach)
    ours = []
    if all(longest == 2 * n - 3 for n, longest in sharp.items() if n > 2):
        ours = [f"m >= 2n - 2 is enough, and m = 2n - 3 is not, for every n from 3 to {most}"]
    return together([part], ours)


def determined(part: int, seed: int, *, most_n: int) -> list[dict[str, Any]]:
    """For k = part + 1 and some numbers of copies: processes, and those whose shortest prefix with that many copies of a
    label does not show the ring, by its srp or because another ring has the same prefix."""
    k = part + 1
    rings = [labels for n in range(2, most_n + 1) for labels in all_rings(n) if multiplicity(labels) <= k]
    return [_undetermined(rings, k, copies) for copies in range(max(1, 2 * k - 2), 2 * k + 2)]


def _undetermined(rings: list[Labels], k: int, copies: int) -> dict[str, Any]:
    known: dict[Labels, Labels] = {}
    cases = wrong = 0
    breach = ""
    for labels in rings:
        for p in range(len(labels)):
            word, view = prefix_with(labels, p, copies), llabels(labels, p, len(labels))
            cases += 1
            if srp_length(word) != len(labels) or known.setdefault(word, view) != view:
                wrong += 1
                breach = breach or f"process {p} of the ring {text(labels)} with the prefix {text(word)}, k = {k}"
    return {"k": k, "copies": copies, "cases": cases, "wrong": wrong, "breach": breach}


@paper.claim(
    "001.L6",
    "a prefix of LLabels(p) with 2k+1 copies of some label determines the ring",
    kind="X",
    recorded=PROVED,
    planted=Planted("the claim is about 2k - 2 copies", more=-2),
)
def copies_determine(lab: Lab, more: int = 1) -> Outcome:
    most = lab.pick(6, 7, 5)
    found: Measurement = lab.measure(determined, parts=MAX_K, most_n=most)
    rows = [row for answer in found.parts for row in answer]
    own = [row for row in rows if row["copies"] == max(1, 2 * row["k"] + more)]
    breach = next((row["breach"] for row in own if row["breach"]), "")
    says = f"srp is LLabels(p)^n and no two rings share a prefix, n <= {most}, k <= {MAX_K}"
    cases, wrong = sum(row["cases"] for row in own), sum(row["wrong"] for row in own)
    part = exhaustive(wrong, cases, says, "pairs of a process and k", breach=breach)
    enough = {k: [row["copies"] for row in rows if row["k"] == k and not row["wrong"]] for k in range(1, MAX_K + 1)}
    if wrong or not all(enough.values()):
        return together([part])
    counts = ", ".join(f"{min(copies)} for k = {k}" for k, copies in enough.items())
    return together([part], [f"fewer copies are enough on all rings with n <= {most}: {counts}, and no fewer"])
