"""The lemmas on the way to B_k's correctness, asserted at every delivery."""

from __future__ import annotations

from princeps.papers.answers import Measurement
from princeps.papers.claims import Planted
from princeps.papers.judging import exhaustive, watched
from princeps.papers.laboratory import Lab
from princeps.papers.rings.asking import MAX_K
from princeps.papers.rings.exploring import lemmas_at_random, lemmas_everywhere
from princeps.papers.rings.labelings import pieces
from princeps.papers.rings.paper import paper
from princeps.papers.verdicts import PROVED, VIOLATED, Outcome, together

SHARES = ({2: 1, 3: 1, 4: 1, 5: 4}, {2: 1, 3: 1, 4: 1, 5: 4, 6: 16}, {2: 1, 3: 1, 4: 1})
LARGER = (
    [(8, 2), (9, 3), (12, 2)],
    [(8, 2), (9, 3), (12, 2), (12, 4), (16, 4), (20, 2), (24, 3)],
    [(6, 2)],
)
SCHEDULES = ("synchronous", "random", "adversarial", "slow:0")


def everywhere(lab: Lab) -> Measurement:
    parts = pieces(lab.pick(*SHARES))
    most = lab.pick(20_000, 20_000, 1000)  # rings of these sizes have at most 2,000 and 400
    return lab.measure(lemmas_everywhere, parts=len(parts), protocol="b_k", pieces=parts, most_k=MAX_K, most=most)


def at_random(lab: Lab) -> Measurement:
    cases = lab.pick(*LARGER)
    return lab.measure(lemmas_at_random, parts=len(cases), protocol="b_k", cases=cases, schedules=SCHEDULES)


def asserted(lab: Lab, key: str, what: str, *ours: str) -> Outcome:
    """Proved where every execution was seen; a larger ring adds nothing to that, but it may refute."""
    all_of_it, some = everywhere(lab), at_random(lab)
    found, sample = all_of_it.parts, some.parts
    configurations, rings = sum(one["configurations"] for one in found), sum(one["rings"] for one in found)
    most = max(lab.pick(*SHARES))
    part = exhaustive(
        sum(one["breaches"][key] for one in found),
        sum(one["cases"][key] for one in found),
        f"{what}, in all {configurations:,} configurations of {rings:,} pairs of a ring and k, n <= {most}, k <= {MAX_K}",
        "different deliveries",
        breach=next((one["first"][key] for one in found if one["first"][key]), ""),
    )
    cases = sum(one["cases"][key] for one in sample)
    larger = watched(
        sum(one["breaches"][key] for one in sample),
        cases,
        cases,
        "on larger rings",
        breach=next((one["first"][key] for one in sample if one["first"][key]), ""),
    )
    if larger.verdict == VIOLATED:
        return together([part, larger])
    sizes = max(n for n, _ in lab.pick(*LARGER))
    seen = f"also at {cases:,} deliveries on larger random rings, up to n = {sizes}, under {len(SCHEDULES)} schedules"
    return together([part], [*ours, seen])


@paper.claim(
    "001.L7",
    "in phase i, guest is LLabels(p)[i] (the first of the three parts of HI_i)",
    kind="P",
    recorded=PROVED,
    planted=Planted(
        "a passive process hands on the guest it gets, not the one it had (B8)",
        ("b_k", "p.send(PHASE_SHIFT, p.guest)\n    p.guest = x", "p.send(PHASE_SHIFT, x)\n    p.guest = x"),
    ),
)
def guests(lab: Lab) -> Outcome:
    return asserted(lab, "L7", "guest is LLabels(p)[i] in phase i")


@paper.claim(
    "001.L10",
    "nobody wins (B9) before phase X",
    kind="P",
    recorded=PROVED,
    planted=Planted(
        "one copy of the label less is enough to win (B6, B9)",
        ("b_k", "p.outer < c.k)", "p.outer < c.k - 1)"),
        ("b_k", "p.outer == c.k", "p.outer == c.k - 1"),
    ),
)
def winners(lab: Lab) -> Outcome:
    everywhere(lab), at_random(lab)
    longest = max(one["longest"] for one in everywhere(lab).parts)  # of (X - 1) / kn
    ours = ["X <= kn + 1 on all these rings, where the proof of Theorem 4 has X <= (k+1)n"] if longest <= 1 else []
    return asserted(lab, "L10", "no B9 before phase X", *ours)


@paper.claim(
    "001.L11",
    "a computing process never gets a shift, a shifting one never a token",
    kind="P",
    recorded=PROVED,
    planted=Planted(
        "a phase ends one sighting of the guest too early (B3, B5)",
        ("b_k", "p.inner < c.k", "p.inner < c.k - 1"),
        ("b_k", "p.inner == c.k", "p.inner == c.k - 1"),
    ),
)
def expected_messages(lab: Lab) -> Outcome:
    return asserted(lab, "L11", "no unexpected message")


@paper.claim(
    "001.L12",
    "nobody is deadlocked",
    kind="P",
    recorded=PROVED,
    planted=Planted("B6 does not count copies of its label", ("b_k", "(x != p.id or p.outer < c.k)", "x != p.id")),
)
def no_deadlocks(lab: Lab) -> Outcome:
    return asserted(lab, "L12", "some action is enabled for every message, and none is left in the end")


@paper.claim(
    "001.L13",
    "exactly the processes of Act_i leave phase i by B6 or B9",
    kind="P",
    recorded=PROVED,
    planted=Planted(
        "the larger guest stays active (B2 and B4 exchanged)",
        ("b_k", "x > p.guest", "x < p.guest"),
        (
            "b_k",
            "yield p.state == COMPUTE and x < p.guest\n    p.state = PASSIVE",
            "yield p.state == COMPUTE and x > p.guest\n    p.state = PASSIVE",
        ),
    ),
)
def survivors(lab: Lab) -> Outcome:
    return asserted(lab, "L13", "the processes of Act_i, and no others, leave phase i < X by B6 or B9")


@paper.claim(
    "001.O1",
    "phases do not overlap: a message is received in the phase in which it was sent",
    kind="P",
    recorded=PROVED,
    planted=Planted(
        "a process that ends its phase passes the token on behind its shift (B5)",
        (
            "b_k",
            "p.state = SHIFT\n    p.send(PHASE_SHIFT, p.guest)",
            "p.state = SHIFT\n    p.send(PHASE_SHIFT, p.guest)\n    p.send(TOKEN, x)",
        ),
    ),
)
def barrier(lab: Lab) -> Outcome:
    everywhere(lab), at_random(lab)
    farthest = max(one["farthest"] for one in everywhere(lab).parts)
    ours = f"the phases of two processes never differ by more than {farthest}"
    return asserted(lab, "O1", "sent and received in one phase, tokens as guests of active processes", ours)
