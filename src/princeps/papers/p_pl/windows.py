"""What is seen within tau steps with the printed constants, and what is certain about them in numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import exp, log
from typing import Any

from princeps.engines.population import Stop, StopCondition
from princeps.engines.simulate import make_population
from princeps.model.predicates import read_predicates
from princeps.model.reading import make_run
from princeps.papers.answers import Measurement
from princeps.papers.judging import probability_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.p_pl.laws import Sizes, log_sum, ways_to_fail
from princeps.papers.verdicts import INCONCLUSIVE, PROVED, Part

SIZES = [
    (n, N, c)
    for n, N in ((55, 55), (64, 64), (64, 10**6), (148, 148), (256, 256), (1024, 1024), (1024, 10**6), (8000, 8000))
    for c in (1, 2, 4)
]
EDGES = ("one_leader_clean", "one_leader_shielded")  # of S
WAYS = ("busy", "late", "missed", "worn")  # in which one tau from S can fail
ONE = Sizes(64, 64)
SETS = {"leaders": "leaders", "half_full": "half_full", "shielded": "shielded", "clean": "clean"}

Row = Sequence[int]
MADE, LEADERLESS, LEADERS, HALF_FULL, SHIELDED, CLEAN = range(6)  # what stands in a row


# -- the sample --------------------------------------------------------------------------------------------------------


def watch_windows(
    part: int,
    seed: int,
    *,
    protocol: str,
    n: int,
    start: str,
    trials: int,
    at: Sequence[float],
    params: Mapping[str, int] | None = None,
) -> list[list[list[int]]]:
    """For each trial, at each of these multiples of tau, a row: made and leaderless so far, and agents in SETS."""
    found = []
    for trial in range(part * trials, (part + 1) * trials):
        run = make_run(protocol, n, start=start, seed=seed, trial=trial, params=params or {})
        predicates = list(read_predicates(run.protocol, dict(SETS)).values())
        tau = n * run.protocol.constants.as_dict()["t_emit"] / 5
        population = make_population(run)
        made, leaderless, led = 0, 0, population.leaders
        rows = []
        for multiple in at:
            end = round(multiple * tau)
            while population.steps < end:
                if population.advance_exactly(end - population.steps, StopCondition.OUTPUT) is Stop.FULFILLED:
                    now = population.leaders
                    made, leaderless, led = made + max(0, now - led), leaderless + (now == 0), now
            rows.append([made, leaderless, *(int(count) for count in population.census(predicates))])
        found.append(rows)
    return found


AT = (1 / 24, 23 / 24, 1.0)  # 6 c n ceil(ln N)^2 steps are tau / 24


def windows(lab: Lab, start: str, n: int = 64) -> Measurement:
    trials = lab.pick(40, 100, 20)
    return lab.measure(watch_windows, parts=lab.pick(1, 10), protocol="p_pl", n=n, start=start, trials=trials, at=AT)


def in_sets(row: Row, n: int) -> bool:
    """L_safe or V_clean."""
    return row[SHIELDED] >= 1 or row[CLEAN] == n


def in_half(row: Row, n: int) -> bool:
    return row[HALF_FULL] == n


def sample(
    lab: Lab, starts: Sequence[str], fails: Callable[[Sequence[Row], int], bool | None], what: str, claimed: float
) -> Part:
    """`fails` says of each window whether it failed; None if it does not begin as it should.

    One failure refutes claims like these. Without any, nothing is confirmed: the bound is far below what a sample can
    show, and the part says what the sample excludes.
    """
    asked = [windows(lab, start) for start in starts]
    cases = breaches = 0
    breach = ""
    for start, found in zip(starts, asked, strict=True):
        for rows in (rows for part in found.parts for rows in part):
            failed = fails(rows, 64)
            if failed is not None:
                cases += 1
                breaches += failed
                breach = breach or (f"a run from {start}" if failed else "")
    says = f"{what}, n = N = 64, c = 1, from {', '.join(starts)}"
    return rarely(breaches, cases, claimed, says, breach)


def rarely(events: int, trials: int, claimed: float, what: str, breach: str = "", **more: Any) -> Part:
    """P(event) is at most as claimed, of which the logarithm is given: too small for most samples to confirm."""
    if trials == 0:
        return Part(
            INCONCLUSIVE, f"{what}: there was no case to look at", None, power_of_ten(claimed), "0 runs", **more
        )
    part = probability_at_most(events, trials, exp(claimed), f"{what}: failures")
    says = f"{part.says}, first {breach}" if breach else part.says
    return replace(part, says=says, bound=power_of_ten(claimed), sample=f"{trials:,} runs", **more)


# -- the numbers -------------------------------------------------------------------------------------------------------


def failing(lab: Lab) -> list[tuple[Sizes, Mapping[str, float]]]:
    answers = lab.measure(ways_to_fail, parts=len(SIZES), sizes=SIZES).parts
    return [(Sizes(*size), answer) for size, answer in zip(SIZES, answers, strict=True)]


def in_numbers(lab: Lab, ways: Sequence[str], claimed: Callable[[Sizes], float], what: str) -> Part:
    """The probabilities of these ways to fail are together at most as claimed (both as logarithms)."""
    rows = [(claimed(one), log_sum(*(logs[way] for way in ways)), one) for one, logs in failing(lab)]
    return compared(rows, what)


def compared(rows: Sequence[tuple[float, float, Any]], what: str, unit: str = "sizes (n, N, c)") -> Part:
    """Rows of what is claimed and of what is certain, as logarithms, and of what they speak."""
    missed = [one for most, found, one in rows if found > most]
    most, found, one = min(rows, key=lambda row: row[0] - row[1])
    sample = f"{len(rows)} {unit}"
    if missed:
        says = f"{what}: at {missed[0]} the bound that is certain is above the claim"
        return Part(INCONCLUSIVE, says, power_of_ten(found), power_of_ten(most), sample)
    says = f"{what}: at most {power_of_ten(found)}, claimed {power_of_ten(most)} (nearest: {one})"
    return Part(PROVED, says, power_of_ten(found), power_of_ten(most), sample)


def power_of_ten(logarithm: float) -> str:
    return f"10^{logarithm / log(10):,.1f}"
