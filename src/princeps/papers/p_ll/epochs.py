"""Claims about how P_LL comes to epoch 3."""

from __future__ import annotations

from math import ceil, log

import numpy as np

from princeps.engines.population import StopCondition
from princeps.engines.simulate import make_population
from princeps.model.reading import make_run
from princeps.model.starts import starting_states
from princeps.papers.claims import Planted
from princeps.papers.judging import mean_at_most, mean_is
from princeps.papers.laboratory import Lab
from princeps.papers.p_ll.clock import EXPECTED_BREACHES, c_max, late, logarithmic, per_lg, timed
from princeps.papers.p_ll.laws import harmonic, whp
from princeps.papers.p_ll.paper import paper
from princeps.papers.p_ll.watchers import remembered
from princeps.papers.verdicts import SUPPORTED, VIOLATED, Outcome, together


@paper.claim(
    "003.L12",
    "everyone in epoch 3 with colour 2, all candidates at one level, 0 or 1, within O(log n) parallel time with high "
    "probability",
    recorded=SUPPORTED,
    planted=Planted(
        "the level must be 0",
        ("p_ll", "(c.level_0 == c.candidates or c.level_1 == c.candidates)", "c.level_0 == c.candidates"),
    ),
)
def synchronised(lab: Lab) -> Outcome:
    sizes = lab.pick([64, 256, 1024, 4096, 16384], [64, 256, 1024, 4096, 16384, 65536], [32, 64, 128])
    left = {n: 1 / n + 3 * whp(n) for n in sizes}  # Lemma 6, twice Lemma 8, and Lemma 1
    trials = {n: ceil(EXPECTED_BREACHES / left[n]) if n == sizes[0] else 20 for n in sizes}
    limits = {n: ceil((2 * c_max(n) + 12 * log(n)) * n) for n in sizes}
    runs = timed(lab, "synchronised", limits, trials)
    bounded = late(runs[0], left[sizes[0]], "not there after 2 c_max + 12 ln n of parallel time, as the proof has it")
    parts = logarithmic([bounded], runs, "until all are synchronised, x = n")
    if bounded.verdict == VIOLATED:
        return together(parts)
    return together(parts, [f"the mean parallel time is, in multiples of lg n: {per_lg(runs)}"])


def from_disorder(part: int, seed: int, *, protocol: str, n: int, steps: int, trials: int) -> list[int]:
    """Steps to epoch 3 everywhere from where an unfair scheduler has led within at most `steps` steps."""
    found = []
    for trial in range(trials):
        unfair = ("cliques", "bursts")[trial % 2]
        run = make_run(protocol, n, seed=seed, trial=part * trials + trial, scheduler=unfair)
        rng = np.random.default_rng((seed, part, trial))
        states, delta = starting_states(run), remembered(run.protocol)
        pairs = run.meetings()
        for _ in range(int(rng.integers(steps))):
            i, j = next(pairs)
            states[i], states[j] = delta(states[i], states[j])
        text = "states:" + ";".join(",".join(map(str, state)) for state in states)
        begun = make_run(protocol, n, start=text, until="all_epoch_3", seed=seed, trial=part * trials + trial)
        population = make_population(begun)
        if not population.holds():
            population.advance_exactly(100 * c_max(n) * n, StopCondition.GOAL)
        found.append(population.steps)
    return found


def with_one_timer(n: int, colors: int = 2) -> float:
    """Expected steps until one timer that has counted to 1 has changed its colour this number of times, and an epidemic from it is over."""
    return (colors * c_max(n) - 1) * n / 2 + (n - 1) * harmonic(n - 1)


@paper.claim(
    "003.L17",
    "from every reachable configuration all are in epoch 3 within O(log n) parallel time, with high probability and in "
    "expectation",
    recorded=SUPPORTED,
    planted=Planted(
        "timers count only the interactions that they initiate (line 23)",
        ("p_ll", "for a in (a0, a1):  # 23", "for a in (a0,):  # 23"),
    ),
)
def third_epoch(lab: Lab) -> Outcome:
    sizes = lab.pick([64, 256, 1024, 4096], [64, 256, 1024, 4096, 16384, 65536], [32, 64, 128])
    trials = {n: ceil(EXPECTED_BREACHES * n) if n == sizes[0] else 20 for n in sizes}
    limits = {n: ceil((2 * c_max(n) + 4 * log(n)) * n) for n in sizes}
    starts = {start: timed(lab, "all_epoch_3", limits, trials, start) for start in ("initial", "one_timer")}
    n, m = 16, 4
    disorder = lab.measure(from_disorder, parts=2, protocol="p_ll", n=n, steps=41 * m * n, trials=lab.pick(15, 200, 5))
    parts, ours = [], []
    for start, runs in starts.items():
        what = f"from {start}, not there after 2 c_max + 4 ln n of parallel time"
        bounded = [late(runs[0], 1 / sizes[0] + whp(sizes[0]), what)]
        if bounded[0].verdict == VIOLATED:  # then there are trials that did not end
            parts += bounded
            continue
        for run in runs:
            found = run.only
            most = with_one_timer(found.n)
            name, more = f"n = {found.n:,}, from {start}", {"commands": (run.command,)}
            if start == "one_timer":
                bounded.append(mean_is(found.steps, most, 0.1, f"{name}, exactly", **more))
            else:
                bounded.append(mean_at_most(found.steps, most, name, **more))
        parts += logarithmic(bounded, runs, f"from {start}, x = n")
        ours.append(f"from {start}, the mean parallel time is, in multiples of lg n: {per_lg(runs)}")
    steps = [value for answer in disorder.parts for value in answer]
    name = f"n = {n}, from what unfair schedules lead to"
    parts.append(mean_at_most(steps, with_one_timer(n), name))
    ours.append(
        "an exact bound for every configuration with a timer: two colours of its own and an epidemic take at most "
        "n c_max - n/2 + (n - 1) H(n - 1) steps in expectation after the first count, and one_timer takes just that"
    )
    return together(parts, ours)
