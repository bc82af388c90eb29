"""Claims about what A_k and B_k cost, on every small ring and on larger ones."""

from __future__ import annotations

from collections.abc import Sequence

from princeps.model import registry
from princeps.model.rings.ring import Ring
from princeps.papers.answers import Measurement, law_of
from princeps.papers.claims import Planted
from princeps.papers.judging import exhaustive, number
from princeps.papers.judging_growth import grows_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.rings.asking import MAX_K, RUN, costs_of, engine_of, random_cases, random_rings
from princeps.papers.rings.bounds import A_K, B_K, WORDS, formula, within
from princeps.papers.rings.paper import paper
from princeps.papers.rings.surveys import added, elected
from princeps.papers.verdicts import PROVED, SUPPORTED, Outcome, Part, together

# -- A_k ---------------------------------------------------------------------------------------------------------------


def more_copies(says: str, copies: str) -> Planted:
    return Planted(says, ("a_k", "sigma.mlty() >= 2 * c.k + 1", f"sigma.mlty() >= {copies}"))


@paper.claim(
    "001.T2b",
    "A_k takes at most (2k+2)n units of time",
    kind="X",
    recorded=PROVED,
    planted=more_copies("Leader waits for 2k+3 copies of a label", "2 * c.k + 3"),
)
def a_k_time(lab: Lab) -> Outcome:
    part = within(lab, "a_k", "time", A_K["time"], "(2k+2)n")
    sums = added(costs_of(lab, "a_k").parts)
    slowest = [] if sums["slower"] else ["the synchronous execution is the slowest, on every ring"]
    return together([part], [*formula(lab, "a_k", "time"), *slowest])


@paper.claim(
    "001.T2c",
    "A_k sends at most n^2(2k+1) messages",
    kind="X",
    recorded=PROVED,
    planted=more_copies("Leader waits for 2k+2 copies of a label", "2 * c.k + 2"),
)
def a_k_messages(lab: Lab) -> Outcome:
    stated = within(lab, "a_k", "messages", A_K["messages"], "n^2(2k+1), as stated")
    proof = within(lab, "a_k", "messages", lambda n, k, b: n**2 * (2 * k + 1) + n, "n^2(2k+1) + n, as in the proof")
    return together([stated, proof], formula(lab, "a_k", "messages"))


@paper.claim(
    "001.T2d",
    "A_k needs at most (2k+1)nb + 2b + 3 bits a process",
    kind="X",
    recorded=PROVED,
    planted=more_copies("Leader waits for 2k+2 copies of a label", "2 * c.k + 2"),
)
def a_k_bits(lab: Lab) -> Outcome:
    return together(
        [within(lab, "a_k", "max_bits", A_K["max_bits"], "(2k+1)nb + 2b + 3")], formula(lab, "a_k", "max_bits")
    )


# -- B_k ---------------------------------------------------------------------------------------------------------------

GROWING_K = (2, 4, 8, 16, 32)


def by_k(part: int, seed: int, *, protocol: str, n: int, ks: Sequence[int], engine: str) -> list[int]:
    """Time and messages on the labels 1..n, ascending clockwise."""
    result = elected(registry.find_ring(protocol), Ring(tuple(range(1, n + 1))), ks[part], engine, "synchronous", seed)
    return [result.time, result.messages]


def in_n(lab: Lab, what: str, kind: str, k: int) -> Part:
    """Growth with n, of the mean over random rings: x = n^2."""
    cases, answers = random_cases(lab, "b_k"), random_rings(lab, "b_k").parts
    own = [(n, answer[what]) for (a, n, c), answer in zip(cases, answers, strict=True) if (a, c) == (kind, k)]
    fit = law_of([n**2 for n, _ in own], [values for _, values in own])
    return grows_at_most(fit, 1, 0, f"{WORDS[what]} on {kind}, k = {k}, n = {own[0][0]} to {own[-1][0]}, x = n^2")


def in_k(found: Measurement, ks: Sequence[int], what: str, n: int) -> Part:
    """Growth with k, on one ring: x = k^2."""
    at = ("time", "messages").index(what)
    fit = law_of([k**2 for k in ks], [[answer[at]] * 2 for answer in found.parts])  # nothing is random here
    return grows_at_most(fit, 1, 0, f"{WORDS[what]} on {n} distinct labels, k = {ks[0]} to {ks[-1]}, x = k^2")


@paper.claim(
    "001.T4a",
    "B_k takes O(k^2 n^2) units of time and messages, in its proof (k+1)n a phase and at most (k+1)n phases",
    kind="X, S",
    recorded=SUPPORTED,
    planted=Planted(
        "a phase ends after 3k+1 sightings of the guest (B3, B5)",
        ("b_k", "p.inner < c.k", "p.inner < 3 * c.k"),
        ("b_k", "p.inner == c.k", "p.inner == 3 * c.k"),
        ("b_k", "inner, outer = Number(1, lambda c: c.k)", "inner, outer = Number(1, lambda c: 3 * c.k)"),
    ),
)
def b_k_costs(lab: Lab) -> Outcome:
    n, ks = 6, lab.pick(GROWING_K, GROWING_K, GROWING_K[:3])
    wide = lab.measure(by_k, parts=len(ks), protocol="b_k", n=n, ks=ks, engine=engine_of(lab))
    costs_of(lab, "b_k")
    random_rings(lab, "b_k")
    parts: list[Part] = []
    for what in ("time", "messages"):
        parts.append(within(lab, "b_k", what, B_K[what], "(k+1)^2 n^2"))
        parts += [in_n(lab, what, kind, k) for kind in ("distinct", "homonyms") for k in (2, 4)]
        parts.append(in_k(wide, ks, what, n))
    ours = [
        f"{WORDS[what]} / k^2 n^2, of which {limit} remains as n grows, on {n} distinct labels that ascend clockwise: "
        + ", ".join(f"{number(answer[at] / (k * n) ** 2)} at k = {k}" for k, answer in zip(ks, wide.parts, strict=True))
        for at, (what, limit) in enumerate({"time": "1 + 1/k", "messages": "1 + 1/k + 1/(2k^2)"}.items())
    ]
    return together(parts, [*formula(lab, "b_k", "time"), *formula(lab, "b_k", "messages"), *ours])


def bits_of(part: int, seed: int, *, protocol: str, sizes: Sequence[int], ks: Sequence[int]) -> list[list[int]]:
    """n, k, b and the bits of a process on n distinct labels."""
    n, cls = sizes[part], registry.find_ring(protocol)
    ring = Ring(tuple(range(1, n + 1)))
    return [[n, k, ring.label_bits, elected(cls, ring, k, "auto", "synchronous", seed).max_bits] for k in ks]


@paper.claim(
    "001.T4b",
    "B_k needs 2 ceil(lg k) + 3b + 5 bits a process",
    kind="X",
    recorded=PROVED,
    planted=Planted(
        "inner counts from 0",
        ("b_k", "inner, outer = Number(1, lambda c: c.k)", "inner, outer = Number(0, lambda c: c.k)"),
    ),
)
def b_k_bits(lab: Lab) -> Outcome:
    sizes = lab.pick([2, 3, 5, 9, 17], [2, 3, 5, 9, 17, 33], [2, 3])
    wide = lab.measure(bits_of, parts=len(sizes), protocol="b_k", sizes=sizes, ks=[2, 3, 4, 5, 8, 9])
    asked = costs_of(lab, "b_k")
    sums = added(asked.parts)
    small = exhaustive(
        sums["other_max_bits"],
        sums["cases"],
        f"exactly this number of bits on every ring, n <= {max(lab.pick(*RUN))}, k <= {MAX_K}",
        "pairs of a ring and k",
        commands=(asked.command,),
    )
    rows = [row for answer in wide.parts for row in answer]
    other = [row for row in rows if row[3] != B_K["max_bits"](*row[:3])]
    breach = f"{other[0][3]} bits at n = {other[0][0]}, k = {other[0][1]}" if other else ""
    says = f"exactly this number of bits on distinct labels, n <= {sizes[-1]}, k <= 9"
    part = exhaustive(len(other), len(rows), says, "pairs of a ring and k", breach=breach)
    return together([small, part])
