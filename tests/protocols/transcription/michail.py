"""Rounds of random numbers, as a law: all draws in turn, then who follows whom, then the clocks."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from random import Random

from .scheduler import State, complete, settle

Outcome = tuple[Fraction, State, State]


def numbers(x: State, tau: int) -> list[int]:
    """What its number can be when they compare."""
    return list(range(1, tau + 1)) if x["leader"] and not x["r"] else [x["r"]]


def follower_of(y: State) -> State:
    return {"leader": 0, "e": y["e"], "r": y["r"], "c": 0}


def met(a: State, b: State) -> tuple[State, State]:
    first, second = ((x["e"], x["r"]) for x in (a, b))
    if first < second:
        return follower_of(b), b
    if first > second or (a["leader"] and b["leader"]):
        return a, follower_of(a)
    return a, b


def clocked(x: State, p: State) -> State:
    if not x["leader"]:
        return x
    if x["c"] + 1 < p["c_max"]:
        return {**x, "c": x["c"] + 1}
    return {**x, "c": 0} if x["e"] == p["e_max"] else {**x, "c": 0, "e": x["e"] + 1, "r": 0}


def outcomes(a: State, b: State, p: State) -> list[Outcome]:
    ways = list(product(numbers(a, p["tau"]), numbers(b, p["tau"])))
    found = []
    for r, s in ways:
        x, y = met({**a, "r": r}, {**b, "r": s})
        found.append((Fraction(1, len(ways)), clocked(x, p), clocked(y, p)))
    return found


def initial(p: State) -> State:
    return {"leader": 1, "e": 0, "r": 0, "c": 0}


def leads(x: State) -> bool:
    return x["leader"] == 1


def states(p: State) -> Iterator[State]:
    for e, r in product(range(p["e_max"] + 1), range(p["tau"] + 1)):
        yield from ({"leader": 1, "e": e, "r": r, "c": c} for c in range(p["c_max"]))
        if r:
            yield {"leader": 0, "e": e, "r": r, "c": 0}


def _self_check() -> None:
    n, runs, rng, p = 100, 40, Random(1), {"tau": 16, "c_max": 28, "e_max": 14}

    def delta(a: State, b: State, p: State) -> tuple[State, State]:
        return rng.choice([(x, y) for _, x, y in outcomes(a, b, p)])

    total = sum(settle(delta, p, [initial(p)] * n, complete, rng) for _ in range(runs))
    print(f"michail: one leader in {runs} of {runs} runs at n={n}, mean parallel time {total / runs / n:.1f}")


if __name__ == "__main__":
    _self_check()
