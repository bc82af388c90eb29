"""Leader-Minion as one function of a single agent, applied to both: what becomes of `me`, given what `you` had."""

from collections.abc import Iterator
from random import Random

from .scheduler import State, complete, walk


def heard(best: int, m: int) -> int:
    """The value that is passed on: a value beyond m is not, it counts as m."""
    return min(best, m)


def became(me: State, you: State, m: int) -> State:
    best = max(me["value"], you["value"])
    behind = me["value"] < best
    if behind or not me["contender"]:
        return {"contender": 0, "value": heard(best, m)}
    return {"contender": 1, "value": m if best > m else best + 1}


def delta(a: State, b: State, p: State) -> tuple[State, State]:
    return became(a, b, p["m"]), became(b, a, p["m"])


def initial(p: State) -> State:
    return {"contender": 1, "value": 1}


def leads(x: State) -> bool:
    return x["contender"] == 1


def states(p: State) -> Iterator[State]:
    yield from ({"contender": 1, "value": v} for v in range(1, p["m"] + 2))
    yield from ({"contender": 0, "value": v} for v in range(1, p["m"] + 1))


def _self_check() -> None:
    n, runs, rng, p = 100, 40, Random(1), {"m": 7**3}
    total = 0
    for _ in range(runs):
        for step, (_, _, agents) in enumerate(walk(delta, p, [initial(p)] * n, complete, rng), start=1):
            if sum(map(leads, agents)) == 1:
                total += step
                break
    print(f"leader_minion: one leader in {runs} of {runs} runs at n={n}, mean parallel time {total / runs / n:.1f}")


if __name__ == "__main__":
    _self_check()
