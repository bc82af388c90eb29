"""002.self: Theorem 1 under the paper's own scheduler, which lets an agent meet itself."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from princeps.errors import RunError
from princeps.model.reading import make_run
from princeps.model.starts import starting_states
from princeps.papers.claims import Planted
from princeps.papers.judging import exhaustive, mean_is
from princeps.papers.laboratory import Lab
from princeps.papers.numbered.leader import agreement, harmonic, sum_of_waits
from princeps.papers.numbered.paper import paper
from princeps.papers.verdicts import SUPPORTED, Outcome, together

SELF = "self-meeting"
TINY = (2, 3, 4, 5, 6)


def expected_agreement(part: int, seed: int, *, protocol: str, sizes: Sequence[int]) -> tuple[str, int]:
    """Expected steps until all follow the largest, as a fraction, and the number of configurations.

    Each of the n^2 ordered pairs is tried in every configuration that can be reached; a pair (i, i) changes nothing.
    """
    run = make_run(protocol, sizes[part], seed=seed, scheduler=SELF)
    n, step, make = run.n, run.protocol.step, run.protocol.agent
    first = tuple(starting_states(run))
    largest = max(make(state).leader for state in first)  # type: ignore[call-arg]
    seen = 0

    def rank(states: tuple[Any, ...]) -> list[int]:
        return [make(state).leader for state in states]  # type: ignore[call-arg]

    @cache
    def wait(states: tuple[Any, ...]) -> Fraction:
        nonlocal seen
        seen += 1
        leaders = rank(states)
        if all(leader == largest for leader in leaders):
            return Fraction(0)
        total, changing = Fraction(n * n), 0
        for i in range(n):
            for j in range(n):
                if i != j:
                    after = list(states)
                    after[i], after[j] = step(states[i], states[j])
                    if tuple(after) != states:
                        if sum(rank(tuple(after))) <= sum(leaders):
                            raise RunError(f"{states} becomes {after}, in which no agent follows a larger number.")
                        total += wait(tuple(after))
                        changing += 1
        if changing == 0:
            raise RunError(f"nothing changes any more in {states}, and not all follow the largest.")
        return total / changing

    return str(wait(first)), seen


@paper.claim(
    "002.self",
    "where an agent may meet itself, as in the proof of Theorem 1, all agree after n H(n-1) expected interactions",
    kind="X, S",
    recorded=SUPPORTED,
    planted=Planted(
        "a responder that follows another already learns nothing from the initiator",
        ("infection", "if a_i.leader > a_j.leader:", "if a_i.leader > a_j.leader and a_j.isLeader == 1:"),
    ),
)
def agreed(lab: Lab) -> Outcome:
    sizes = lab.pick(TINY[:-1], TINY, TINY[:-2])
    exact = lab.measure(expected_agreement, parts=len(sizes), protocol="infection", sizes=sizes)
    sweeps = [
        lab.sweep("infection", lab.pick([5, 10], [5, 10], [5]), trials=lab.pick(6000, 40_000, 1500), scheduler=SELF),
        lab.sweep(
            "infection", lab.pick([100, 1000], [100, 1000], [100]), trials=lab.pick(1500, 15_000, 400), scheduler=SELF
        ),
    ]
    wrong = [
        f"{steps} steps at n = {n}"
        for n, (steps, _) in zip(sizes, exact.parts, strict=True)
        if Fraction(steps) != sum_of_waits(n, selves=True)
    ]
    what = f"exact expected steps at n = {sizes[0]}..{sizes[-1]}, all n^2 pairs in every configuration, are n H(n-1)"
    parts = [exhaustive(len(wrong), sum(seen for _, seen in exact.parts), what, breach=wrong[0] if wrong else "")]
    for sampled in sweeps:
        parts += [
            mean_is(
                *(found.steps, found.n * harmonic(found.n - 1), lab.pick(0.06, 0.02, 0.1)),
                f"n = {found.n:,}",
                commands=(sampled.command,),
            )
            for found in sampled
        ]
    small = sweeps[0].found[0]
    ours = [
        "of n interactions one is a meeting of an agent with itself, which changes nothing: every time in interactions "
        "is n/(n-1) of what it is among distinct pairs, and what is counted in meetings of the leader with others stays",
        f"the sample tells the two apart where they differ: at n = {small.n} the mean is {small.steps.mean():.2f}, "
        f"n H(n-1) is {small.n * harmonic(small.n - 1):.2f} and (n-1) H(n-1) is {agreement(small.n):.2f}",
    ]
    return together(parts, ours)
