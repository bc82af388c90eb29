"""002.min: how many meetings an agent should count before it may declare the election complete."""

from __future__ import annotations

from collections.abc import Sequence

from princeps.papers.answers import SweepTrials
from princeps.papers.claims import Planted
from princeps.papers.judging import exhaustive, mean_of, number, probability_at_least, probability_at_most
from princeps.papers.laboratory import SKETCH, Lab
from princeps.papers.numbered.experiment import OVER, M, exact_errors
from princeps.papers.numbered.leader import too_early
from princeps.papers.numbered.paper import paper
from princeps.papers.verdicts import SUPPORTED, Outcome, together

RECOMMENDED = 17
LARGE = 10_000  # the largest population of the paper
SMALL = (*range(2, 41), 50, 70, 100, 150, 200, 300, 500, 700, 1000)
LARGER = (1500, 2000, 3334, 5000, 7000)
Case = tuple[int, int]  # n, and the minimum


def errors(part: int, seed: int, *, cases: Sequence[Case], m: int) -> float:
    """The probability that the largest agent declares too early, exactly."""
    n, minimum = cases[part]
    return too_early(n, m, minimum)


@paper.claim(
    "002.min",
    f"a least number of interactions makes small populations as reliable as large ones: with m = 4 no agent should "
    f"declare before it has counted {RECOMMENDED} meetings",
    kind="X, S",
    recorded=SUPPORTED,
    planted=Planted(
        "a declaration does not wait for the minimum",
        (
            "numbered",
            "if a.metFollowers > p.m * a.conversions and a.conversions + a.metFollowers >= p.min_interactions:",
            "if a.metFollowers > p.m * a.conversions:",
        ),
    ),
)
def least(lab: Lab) -> Outcome:
    sizes = lab.pick(SMALL, (*SMALL, *LARGER), SMALL[::8])
    cases: list[Case] = [(n, least) for least in (RECOMMENDED - 1, RECOMMENDED) for n in sizes]
    large = exact_errors(lab, (LARGE,), (M,))
    exact = lab.measure(errors, parts=len(cases), cases=cases, m=M)
    run, trials = lab.pick([10, 20], [10, 20, 50, 100]), lab.pick(3000, 10_000)
    waiting = lab.sweep("numbered", run, trials=trials, m=M, min_interactions=RECOMMENDED)
    without = None if lab.effort == SKETCH else lab.sweep("numbered", run, trials=trials, m=M)

    bar, error = large[LARGE, M], dict(zip(cases, exact.parts, strict=True))
    above = {least: [n for n in sizes if error[n, least] > bar] for least in (RECOMMENDED - 1, RECOMMENDED)}
    worst = max(sizes, key=lambda n: error[n, RECOMMENDED])
    what = (
        f"the largest agent errs no more often than at n = {LARGE:,} without a minimum, {number(bar)}, if it counts to "
        f"{RECOMMENDED} first, n = {sizes[0]}..{sizes[-1]:,} (at most {number(error[worst, RECOMMENDED])})"
    )
    breach = f"n = {above[RECOMMENDED][0]:,}" if above[RECOMMENDED] else ""
    parts = [exhaustive(len(above[RECOMMENDED]), len(sizes), what, "sizes", breach=breach)]
    span, all_trials = f"n = {', '.join(map(str, run))}", len(run) * trials
    what = f"correct, {span}, counting to {RECOMMENDED} first"
    parts.append(probability_at_least(_right(waiting), all_trials, OVER, what, commands=(waiting.command,)))
    few = above[RECOMMENDED - 1]
    tight = (
        f"the least for m = {M} is {RECOMMENDED}, and {RECOMMENDED - 1} is not enough: at n = {few[0]:,}..{few[-1]:,} it errs with up to "
        f"{number(max(error[n, RECOMMENDED - 1] for n in few))}"
        if few
        else f"at the sizes looked at here {RECOMMENDED - 1} would do as well"
    )
    ours = [f"the number is ours: the paper asks for one and gives none; {tight}"]
    if without is not None:
        what = f"correct, {span}, without a minimum, of which the paper warns"
        parts.append(probability_at_most(_right(without), all_trials, OVER, what, commands=(without.command,)))
        ours.append(
            "counted are an agent's own conversions and meetings with followers (`min_interactions`). The declaration "
            f"takes {_costs(without, waiting)}; in large populations the test itself asks for more meetings than that"
        )
    return together(parts, ours)


def _right(sampled: SweepTrials) -> int:
    return sum(int(found.verdict("correct").sum()) for found in sampled)


def _costs(without: SweepTrials, waiting: SweepTrials) -> str:
    return ", ".join(
        f"{number(mean_of(late.steps)[0] / mean_of(soon.steps)[0])} times the steps at n = {late.n}"
        for soon, late in zip(without, waiting, strict=True)
    )
