"""002.T2 and 002.T3: what the agent with the largest identifier has counted when all follow it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from princeps.papers.answers import law_of
from princeps.papers.claims import Planted
from princeps.papers.judging import exhaustive, mean_is, number
from princeps.papers.judging_growth import grows_at_least, grows_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.numbered.leader import (
    followers_met,
    harmonic,
    law_of_conversions,
    sum_of_meetings,
    variance_of_followers_met,
)
from princeps.papers.numbered.paper import paper
from princeps.papers.numbered.runs import at_completion, in_parts
from princeps.papers.verdicts import SUPPORTED, Outcome, Part, together

TRIALS = {10: 2500, 100: 1200, 1000: 1200, 10_000: 500}
SKETCH = {100: 400}
MAX_EXACT_SIZE = 120  # the sums are compared as fractions up to here
EXPECTED_CELLS = 5.0  # fewest expected in a cell of the chi-square test


def counted(lab: Lab) -> dict[int, Any]:
    """By n: the pairs (conversions, followers met) of all trials."""
    trials = lab.pick(TRIALS, {n: 10 * count for n, count in TRIALS.items()}, SKETCH)
    cases = [case for n, count in trials.items() for case in in_parts(n, count, 1000)]
    found = lab.measure(at_completion, parts=len(cases), protocol="numbered", cases=cases).parts
    rows: dict[int, list[Any]] = {n: [] for n in trials}
    for (n, _, _), pairs in zip(cases, found, strict=True):
        rows[n] += pairs
    return {n: np.array(pairs) for n, pairs in rows.items()}


def growth(columns: dict[int, Any], what: str) -> list[Part]:
    """Theta(log n), from n = 100 on: below, the logarithm is not yet what it will be."""
    large = [n for n in columns if n >= 100]
    if len(large) < 3:
        return []
    fit = law_of(large, [columns[n] for n in large])
    return [grows_at_most(fit, 0, 1, what), grows_at_least(fit, 0, 1, what)]


@paper.claim(
    "002.T2",
    "until all follow it, the largest agent makes H(n-1) conversions itself in expectation, Theta(ln n)",
    recorded=SUPPORTED,
    planted=Planted(
        "it does not count those whom it converts as the responder",
        ("numbered", "converted(a_j, p)", "pass"),
    ),
)
def conversions(lab: Lab) -> Outcome:
    columns = {n: pairs[:, 0] for n, pairs in counted(lab).items()}
    parts = [
        mean_is(values, harmonic(n - 1), lab.pick(0.12, 0.04), f"conversions, n = {n:,}")
        for n, values in columns.items()
    ]
    tests = ", ".join(
        f"{number(fits_law(values, law_of_conversions(n)))} at n = {n:,}" for n, values in columns.items()
    )
    ours = [
        "the whole law is known: the i-th conversion is its own with probability 1/i, independently, so it makes as "
        f"many as a random permutation of n - 1 things has cycles; p-values of chi-square {tests}",
        "this holds as well where agents may meet themselves",
    ]
    return together([*parts, *growth(columns, "conversions")], ours)


@paper.claim(
    "002.T3",
    "before all follow it, the largest agent meets about H(n-1) followers in expectation, Theta(ln n)",
    recorded=SUPPORTED,
    planted=Planted(
        "it does not count the followers whom it meets as the responder",
        ("numbered", "met_follower(a_j, p)", "pass"),
    ),
)
def followers(lab: Lab) -> Outcome:
    pairs = counted(lab)
    columns = {n: values[:, 1] for n, values in pairs.items()}
    parts = [exact_sums()]
    parts += [
        mean_is(values, followers_met(n), lab.pick(0.12, 0.04), f"followers met, n = {n:,}")
        for n, values in columns.items()
    ]
    most = max(pairs)
    together_ = float(np.corrcoef(pairs[most].T)[0, 1])
    sd = variance_of_followers_met(most) ** 0.5
    ours = [
        "with distinct pairs it is exactly (1 - 2/n) H(n-1): half of H(n-1) at n = 4, four fifths at n = 10, and "
        "equal to it in the limit; the H(n-1) of the proof counts a meeting of the leader with itself twice (as the two "
        "tests of Algorithm 3 would); counted once, it would be (1 - 1/n) H(n-1)",
        f"conversions and followers met are independent (correlation {together_:.3f} at n = {most:,}), and both spread "
        f"widely about the same mean: the standard deviation of the followers met is {number(sd)} at n = {most:,}, "
        f"which is why equal counts say little",
    ]
    return together([*parts, *growth(columns, "followers met")], ours)


def exact_sums() -> Part:
    """The closed forms against the sums of the proof, in fractions."""
    wrong, total = [], Fraction(1)
    for n in range(3, MAX_EXACT_SIZE + 1):
        total += Fraction(1, n - 1)
        if any(sum_of_meetings(n, itself) != (n - 2 + itself) * total / n for itself in (0, 1, 2)):
            wrong.append(n)
    what = "the sum over the numbers of followers is (1 - 2/n) H(n-1)"
    return exhaustive(len(wrong), MAX_EXACT_SIZE - 2, what, "sizes", breach=f"n = {wrong[0]}" if wrong else "")


def fits_law(values: Sequence[int], law: Sequence[float]) -> float:
    """p of the chi-square test; cells at both ends are joined until something is expected in them."""
    from scipy.stats import chisquare

    seen, expected = [0.0], [0.0]
    counts = np.bincount(np.asarray(values, int), minlength=len(law))
    for k, probability in enumerate(law):
        if expected[-1] >= EXPECTED_CELLS:
            seen.append(0.0)
            expected.append(0.0)
        seen[-1] += float(counts[k])
        expected[-1] += probability * len(values)
    if expected[-1] < EXPECTED_CELLS and len(expected) > 1:
        seen[-2:], expected[-2:] = [sum(seen[-2:])], [sum(expected[-2:])]
    scale = sum(seen) / sum(expected)  # what the law leaves out in its far tail
    return float(chisquare(seen, [scale * one for one in expected]).pvalue)
