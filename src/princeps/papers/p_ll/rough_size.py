"""003.m: P_LL with an m beyond ceil(lg n)."""

from __future__ import annotations

from princeps.papers.claims import Planted
from princeps.papers.judging import number, watched
from princeps.papers.judging_growth import grows_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.p_ll.laws import lg_up
from princeps.papers.p_ll.paper import paper
from princeps.papers.verdicts import SUPPORTED, Outcome, together

N = 256
STEP_LIMIT = 10**9  # far beyond the slowest trial


@paper.claim(
    "003.m",
    "any m >= lg n will do: one leader is elected, within O(m) parallel time in expectation",
    recorded=SUPPORTED,
    planted=Planted(
        "a timer counts to an order of m^2",
        ("p_ll", "c_max = Derived(lambda p: 41 * p.m,", "c_max = Derived(lambda p: 6 * p.m * p.m,"),
    ),
)
def rough(lab: Lab) -> Outcome:
    least = lg_up(N)
    values = [least * factor for factor in lab.pick((1, 2, 4, 8), (1, 2, 4, 8, 16), (1, 2, 4))]
    clock = lab.sweep(*("p_ll", N), trials=lab.pick(40, 200, 15), until="all_epoch_3", m=values, max_steps=STEP_LIMIT)
    elected = lab.sweep(*("p_ll", N), trials=lab.pick(400, 4000, 60), until="leader", m=values, max_steps=STEP_LIMIT)

    trials = sum(found.trials for found in elected)
    wrong = sum(int((found.leaders != 1).sum()) for found in elected)
    steps = int(sum(found.steps.sum() for found in elected))
    what = f"n = {N}, m = {', '.join(map(str, values))}: a trial ends with one leader"
    parts = [
        watched(wrong, trials, steps, what, breach="a trial that does not", commands=(elected.command,)),
        grows_at_most(
            clock.fit("parallel_time", by="m"), 1, 0, f"n = {N}, until all are in epoch 3", commands=(clock.command,)
        ),
        grows_at_most(
            elected.fit("parallel_time", by="m"), 1, 0, f"n = {N}, until leader", commands=(elected.command,)
        ),
    ]
    first, last = elected.found[0], elected.found[-1]
    ticks = ", ".join(
        f"{number(found.steps.mean() / N / m)} m at m = {m}" for m, found in zip(values, clock, strict=True)
    )
    ours = [
        f"an m that is {values[-1] // values[0]} times as large makes the clock that much slower ({ticks} until epoch 3), "
        f"and the election {number(last.steps.mean() / first.steps.mean())} times: a run that the lottery decides does not "
        f"wait for the clock"
    ]
    return together(parts, ours)
