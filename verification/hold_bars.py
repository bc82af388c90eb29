"""Holding times by splitting, beside exact rates: `make hold-bars`.

    python verification/hold_bars.py [points] [large] [coverage]

points: timer, n = 3..8, t_max = 8, 12, 16: within 3 standard errors of exact, 5 % in 10 s each.
large: timer n = 100, t_max = 20 and p_pl n = 100 (10, 20, 50): 10 % in 60 s each, two level functions agreeing.
coverage: of 100 nominal 95 % intervals, timer n = 6, t_max = 12, at least 88 cover the exact rate.
"""

from __future__ import annotations

import sys
import time

import princeps
from princeps.model.reading import make_run
from princeps.rare import comparison
from princeps.rare.losses import losses_of
from princeps.rare.pilot import levels_by_pilot
from princeps.rare.replica import one_replica
from princeps.rare.statistics import Rate


def exact_rate(n: int, t_max: int) -> float:
    comparison.MAX_CONFIGURATIONS = 1_000_000
    comparison.MAX_WORK = 40_000_000_000
    rates = comparison.exact_rates(make_run("timer", n, params={"t_max": t_max}, seed=1), "timer")
    assert rates is not None
    return rates["created"]


def points() -> bool:
    good = True
    for n in range(3, 9):
        for t_max in (8, 12, 16):
            began = time.process_time()
            found = princeps.hold("timer", n, t_max=t_max, seed=1, jobs=1, compare=False, progress=False)
            seconds = time.process_time() - began
            exact = exact_rate(n, t_max)
            rate = found.modes[0].rate
            errors = (rate.mean - exact) / rate.error
            fine = abs(errors) <= 3 and rate.relative_error <= 0.05 and seconds <= 10 and found.mean is not None
            good &= fine
            print(
                f"{'ok ' if fine else 'BAD'} timer n={n} t_max={t_max}: exact {1 / exact:.5g}, estimate {1 / rate.mean:.5g} "
                f"+-{100 * rate.relative_error:.1f} %, {errors:+.1f} standard errors, {found.verdict}, {seconds:.1f} s of processor",
                flush=True,
            )
    return good


def large() -> bool:
    good = True
    for name, params in (("timer", {"t_max": 20}), ("p_pl", {"t_virus": 10, "t_max": 20, "t_emit": 50})):
        began = time.process_time()
        found = princeps.hold(name, 100, params=params, seed=1, jobs=1, precision="10%", compare=False, progress=False)
        seconds = time.process_time() - began
        fine = found.mean is not None and (found.relative_error or 1) <= 0.1 and seconds <= 60
        good &= fine
        print(f"{'ok ' if fine else 'BAD'} {seconds:.1f} s of processor\n{found!r}", flush=True)
    return good


def coverage(trials: int = 100) -> bool:
    run = make_run("timer", 6, params={"t_max": 12}, seed=1)
    exact, loss = exact_rate(6, 12), losses_of(run)["timeout"]
    good = True
    for k, level in enumerate(loss.levels):
        covered, ratios = 0, []
        for trial in range(trials):
            one = make_run("timer", 6, params={"t_max": 12}, seed=1000 + trial)
            levels = levels_by_pilot(one, level, loss.kind)
            rate = Rate(tuple(one_replica(one, level, loss.kind, levels, 1000, "coverage", r).rate for r in range(20)))
            covered += rate.interval[0] <= exact <= rate.interval[1]
            ratios.append(rate.mean / exact)
        fine = covered >= 88
        good &= fine
        print(
            f"{'ok ' if fine else 'BAD'} level {k + 1}: {covered} of {trials} intervals cover the exact rate; "
            f"mean of estimate / exact {sum(ratios) / trials:.3f}",
            flush=True,
        )
    return good


if __name__ == "__main__":
    asked = sys.argv[1:] or ["points", "large", "coverage"]
    parts = {"points": points, "large": large, "coverage": coverage}
    verdicts = [parts[name]() for name in asked]  # all of them, whatever the first says
    sys.exit(0 if all(verdicts) else 1)
