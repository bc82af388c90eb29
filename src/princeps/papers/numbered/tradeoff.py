"""002.m: what a larger m costs, and what it buys."""

from __future__ import annotations

from collections.abc import Mapping
from math import log

from princeps.papers.claims import Planted
from princeps.papers.judging import mean_is, mean_of, number
from princeps.papers.laboratory import Lab
from princeps.papers.numbered.experiment import exact_errors
from princeps.papers.numbered.leader import agreement, declaration, error_exponent
from princeps.papers.numbered.paper import paper
from princeps.papers.numbered.runs import settled
from princeps.papers.numbered.trends import falling, rising
from princeps.papers.verdicts import SUPPORTED, Outcome, together

N = 1000
ALL = range(1, 9)
SEVERAL = (1, 2, 4, 8)
SEEN = SEVERAL[:3]  # with m = 8 hardly any run of a sample goes wrong
HARDLY_WRONG = 4  # from here on the mean time is that of correct declarations


@paper.claim(
    "002.m",
    "a larger m makes the declaration later, and more often correct",
    kind="X, S",
    recorded=SUPPORTED,
    planted=Planted(
        "the test has 4 where m should stand",
        ("numbered", "a.metFollowers > p.m * a.conversions", "a.metFollowers > 4 * a.conversions"),
    ),
)
def trade_off(lab: Lab) -> Outcome:
    trials = lab.pick(600, 10_000, 200)
    counts = {m: lab.measure(settled, protocol="numbered", cases=[(N, 0, trials)], m=m) for m in SEEN}
    waits = lab.sweep("numbered", N, trials=lab.pick(300, 5000, 100), m=list(SEVERAL))
    sizes = lab.pick((100, 1000), (100, 1000, 10_000), (100,))
    errors = exact_errors(lab, sizes, ALL)

    parts = [
        falling([errors[n, m] for m in ALL], f"n = {n:,}, m = 1..8: the exact error of the largest agent")
        for n in sizes
    ]
    shares = []
    for m, count in counts.items():
        wrong = (count.only["early"] + count.only["others"] + 1) / (trials + 2)  # so that 0 errors are not certainty
        shares.append((f"m = {m}", 1 - wrong, (wrong * (1 - wrong) / trials) ** 0.5))
    parts.append(rising(shares, f"n = {N:,}, {trials:,} runs each: share of correct declarations"))
    delays = []
    for m, found in zip(SEVERAL, waits, strict=True):
        mean, error = mean_of(found.steps)
        delays.append((f"m = {m}", mean - agreement(N), error))
        if m >= HARDLY_WRONG:
            what = f"n = {N:,}, m = {m}: steps to the declaration"
            parts.append(mean_is(found.steps, declaration(N, m), lab.pick(0.15, 0.05, 0.25), what))
    parts.append(rising(delays, f"n = {N:,}: steps from completion to declaration", commands=(waits.command,)))
    return together(parts, in_formulas(errors))


def in_formulas(errors: Mapping[tuple[int, int], float]) -> list[str]:
    sizes = sorted({n for n, _ in errors})
    wrong = ", ".join(f"{number(errors[sizes[-1], m])} (m = {m})" for m in SEVERAL)
    limits = ", ".join(f"{error_exponent(m):.3f} (m = {m})" for m in SEVERAL)
    slopes = ""
    if len(sizes) > 1:
        a, b = sizes[-2:]
        seen = (f"{log(errors[a, m] / errors[b, m]) / log(b / a):.3f}" for m in SEVERAL)
        slopes = f"; from n = {a:,} to {b:,} it is {', '.join(seen)}"
    return [
        "the declaration takes (n/2)((m+1) H(n-1) + 1) expected steps, if it does not come too early: all meetings of "
        "the largest agent are conversions or meetings with followers, and it needs (m+1) conversions + 1 of them, each "
        "n/2 steps. So one more in m costs (n/2) H(n-1) steps, half of the election itself",
        f"the largest agent declares too early with probability {wrong} at n = {sizes[-1]:,}, exactly",
        f"in n this falls as n^-e, apart from powers of log n, with e = 2 - (m+1) m^(-m/(m+1)): {limits}{slopes}. With "
        f"m = 1, which compares the counts as they are, it does not fall at all, and no m reaches e = 1",
    ]
