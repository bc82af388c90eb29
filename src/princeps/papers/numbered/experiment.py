"""002.exp: how often the declaration is correct."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from princeps.papers.claims import Planted
from princeps.papers.judging import fair, number, probability_at_least, probability_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.numbered.leader import error_exponent, too_early_at
from princeps.papers.numbered.paper import paper
from princeps.papers.numbered.runs import in_parts, settled
from princeps.papers.numbered.trends import falling
from princeps.papers.verdicts import AS_PRINTED, Outcome, readings

M = 4
SMALL = (1000, 2000, 3334)
LARGE = (7000, 8000, 9000, 10_000)
OVER = 0.992
ABOUT, ROUNDED = 0.998, 0.0005  # a share in an unknown number of runs, rounded to a tenth of a per cent
PRINTED = 1000  # agents that run the printed test


def exact_errors(lab: Lab, sizes: Sequence[int], ms: Sequence[int]) -> dict[tuple[int, int], float]:
    """By (n, m): the probability that the largest agent declares too early."""
    cases = [(n, m) for n in sizes for m in ms]
    found = lab.measure(too_early_at, parts=len(cases), cases=cases)
    return dict(zip(cases, found.parts, strict=True))


def decided(lab: Lab, sizes: Sequence[int], trials: int) -> Any:
    """Runs with m = 4, `trials` of each size."""
    cases = [case for n in sizes for case in in_parts(n, trials, 1000)]
    return lab.measure(settled, parts=len(cases), protocol="numbered", cases=cases, m=M)


def summed(found: Sequence[Mapping[str, Any]]) -> tuple[int, int, int]:
    """The largest was too early, another was, all trials."""
    early, others, trials = (sum(part[key] for part in found) for key in ("early", "others", "trials"))
    return early, others, trials


@paper.claim(
    "002.exp",
    "with m = 4 the declaration is correct in over 99.2 % of the runs for n = 1000..3334, and in 99.8 % for the largest "
    "third of n = 1000..10000",
    kind="X, S",
    recorded=AS_PRINTED,
    planted=Planted(
        "the test forgets the factor m",
        ("numbered", "a.metFollowers > p.m * a.conversions", "a.metFollowers > a.conversions"),
    ),
)
def experiment(lab: Lab) -> Outcome:
    sizes, large_sizes = lab.pick((SMALL, LARGE), (SMALL, LARGE), (SMALL[:1], LARGE[:1]))
    small = decided(lab, sizes, lab.pick(1700, 12_000, 200))
    large = decided(lab, large_sizes, lab.pick(200, 7000, 60))
    limit = 200 * PRINTED  # long after all follow the largest: who has not declared by then never will
    literal = lab.sweep("numbered", PRINTED, trials=lab.pick(300, 2000, 50), max_steps=limit, m=M, printed=1)
    errors = exact_errors(lab, (*sizes, *large_sizes), (M,))

    early, others, trials = summed(small.parts)
    expected = sum(errors[n, M] for n in sizes) / len(sizes)
    span = f"n = {sizes[0]:,}..{sizes[-1]:,}"
    repaired = [
        fair(early, trials, expected, lab.pick(0.008, 0.003, 0.05), f"the largest agent declares too early, {span}"),
        probability_at_most(
            *(others, trials, 1 - OVER - expected),
            f"another agent declares first, {span} (together they may err in {number(1 - OVER)})",
        ),
    ]
    early, others, trials = summed(large.parts)
    right = trials - early - others
    nearest = min(max(right / trials, ABOUT - ROUNDED), ABOUT + ROUNDED)
    span = f"n = {large_sizes[0]:,}..{large_sizes[-1]:,}, where 0.9975 to 0.9985 is rounded to 99.8 %"
    repaired += [
        fair(right, trials, nearest, lab.pick(0.014, 0.003, 0.05), f"correct, {span}"),
        falling([errors[n, M] for n in (*sizes, *large_sizes)], "the exact error of the largest agent"),
    ]
    judged = literal.only.verdict("correct")
    printed = probability_at_least(
        *(int(judged.sum()), len(judged), OVER, f"correct, n = {PRINTED:,}"), commands=(literal.command,)
    )
    return readings([printed], repaired, _truth(errors, sizes, large_sizes))


def _truth(errors: Mapping[tuple[int, int], float], small: Sequence[int], large: Sequence[int]) -> list[str]:
    first, last = (sum(errors[n, M] for n in sizes) / len(sizes) for sizes in (small, large))
    return [
        f"exactly, the largest agent declares too early with probability {errors[small[0], M]:.5f} at n = {small[0]:,} "
        f"and {errors[large[-1], M]:.5f} at n = {large[-1]:,}; other agents add next to nothing. So {1 - first:.5f} of "
        f"the declarations are correct on the average of the smaller sizes and {1 - last:.5f} on that of the larger "
        f"ones, or a trifle less",
        f"99.8 % is right as a rounded share, and would not be as a lower bound, not even at n = {large[-1]:,}",
        f"the error falls as n^-{error_exponent(M):.3f} in the limit, apart from powers of log n",
    ]
