"""The paper's bounds with its constants, ours that are sharp, and how the worst cost of all small rings is held to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from princeps.papers.judging import exhaustive, number
from princeps.papers.laboratory import Lab
from princeps.papers.rings.asking import MAX_K, RUN, costs_of
from princeps.papers.rings.surveys import added, extremes
from princeps.papers.verdicts import Part

WORDS = {"time": "time", "messages": "messages", "max_bits": "bits"}
BoundFormula = Callable[[int, int, int], float]  # of n, k and b, the bits of a label
A_K: dict[str, BoundFormula] = {
    "time": lambda n, k, b: (2 * k + 2) * n,
    "messages": lambda n, k, b: n**2 * (2 * k + 1),
    "max_bits": lambda n, k, b: (2 * k + 1) * n * b + 2 * b + 3,
}
B_K: dict[str, BoundFormula] = {  # the proof of Theorem 4 at its word: (k+1)n units a phase, at most (k+1)n phases
    "time": lambda n, k, b: (k + 1) ** 2 * n**2,
    "messages": lambda n, k, b: (k + 1) ** 2 * n**2,
    "max_bits": lambda n, k, b: 2 * (k - 1).bit_length() + 3 * b + 5,
}
BOUNDS = {"a_k": A_K, "b_k": B_K}
SHARP: dict[tuple[str, str], tuple[str, BoundFormula]] = {  # ours: what distinct labels take, and no ring more
    ("a_k", "time"): ("(2k+1)n", lambda n, k, b: (2 * k + 1) * n),
    ("a_k", "messages"): ("n^2(2k + 1/2) + n/2", lambda n, k, b: n**2 * (2 * k + 1 / 2) + n / 2),
    ("a_k", "max_bits"): ("((2k+1)n - 1)b + 2b + 3", lambda n, k, b: ((2 * k + 1) * n - 1) * b + 2 * b + 3),
    ("b_k", "time"): ("k(k+1)n^2 + n", lambda n, k, b: k * (k + 1) * n**2 + n),
    ("b_k", "messages"): ("k(k+1)n^2 + n + n(n-1)/2", lambda n, k, b: k * (k + 1) * n**2 + n * (n + 1) / 2),
}
EXACT = {
    ("a_k", "time"): "m - 1 + n",
    ("a_k", "messages"): "nm + n(n-1)/2",
    ("a_k", "max_bits"): "(m + n - 2)b + 2b + 3",
    ("b_k", "time"): "n + D_1 + ... + D_(X-1)",
    ("b_k", "messages"): "n((k+1)(X-1) + 1) + W",
    ("b_k", "max_bits"): "2 ceil(lg k) + 3b + 5",
}
M = "m being the length of the shortest prefix of LLabels(L) with 2k+1 copies of some label"
D = "D_i being the distance from a survivor of phase i, followed back from L, to the (k+1)-th on its left"
W = "W being the hops of the tokens of those who drop out"
MEANING = {("b_k", "time"): D, ("b_k", "messages"): W, **{("a_k", what): M for what in WORDS}}


# -- judging -----------------------------------------------------------------------------------------------------------


def shares(
    found: Mapping[tuple[int, int, int], Mapping[str, Sequence[Any]]], what: str, bound: BoundFormula
) -> list[Any]:
    """Of every n, k, b: the worst cost as a share of the bound, with n, k, the cost, the bound and the ring."""
    rows = []
    for (n, k, b), entry in found.items():
        cost, ring = entry[what]
        rows.append((cost / bound(n, k, b), n, k, cost, bound(n, k, b), ring))
    return sorted(rows, reverse=True)


def within(lab: Lab, name: str, what: str, bound: BoundFormula, text: str) -> Part:
    """No run on any small ring takes more."""
    asked = costs_of(lab, name)
    found, sums = extremes(asked.parts), added(asked.parts)
    rows = shares(found, what, bound)
    over = [row for row in rows if row[0] > 1]
    share, _, k, cost, limit, ring = rows[0]
    most = max(lab.pick(*RUN))
    size = f"{sums['runs']:,} runs on {sums['cases']:,} pairs of a ring and k, n <= {most}, k <= {MAX_K}"
    says = f"{WORDS[what]} at most {text}, {size}"
    breach = f"{cost:,} > {number(limit)} on the ring {ring} with k = {k}" if over else ""
    part = exhaustive(len(over), len(rows), says, "triples n, k, b", breach=breach, commands=(asked.command,))
    return Part(
        **{**vars(part), "measured": cost, "bound": limit, "says": f"{part.says}; largest share {number(share)}"}
    )


def formula(lab: Lab, name: str, what: str) -> list[str]:
    """Ours: the exact cost, and what no ring exceeds; only as far as the data bear it out."""
    asked = costs_of(lab, name)
    sums, ours = added(asked.parts), []
    if not sums[f"other_{what}"] and not sums["failed"]:
        exactly = f"exactly {EXACT[name, what]} on each of {sums['cases']:,} rings with their k"
        ours.append(f"{WORDS[what]}: {exactly}, {MEANING[name, what]}")
    text, sharp = SHARP[name, what]
    rows = shares(extremes(asked.parts), what, sharp)
    if rows[0][0] <= 1:
        reached = sum(row[0] == 1 for row in rows)
        ours.append(
            f"{WORDS[what]}: never more than {text}, which is reached for {reached} of {len(rows)} triples n, k, b"
        )
    return ours
