"""The two-state election: of two leaders that meet, only the initiator goes on leading."""

from collections.abc import Iterator
from random import Random

from .scheduler import State, complete, settle

SURVIVORS = {(0, 0): (0, 0), (0, 1): (0, 1), (1, 0): (1, 0), (1, 1): (1, 0)}


def delta(a: State, b: State, p: State) -> tuple[State, State]:
    first, second = SURVIVORS[a["leader"], b["leader"]]
    return {"leader": first}, {"leader": second}


def initial(p: State) -> State:
    return {"leader": 1}


def states(p: State) -> Iterator[State]:
    yield from ({"leader": x} for x in (0, 1))


def _self_check() -> None:
    n, runs, rng = 50, 200, Random(1)
    mean = sum(settle(delta, {}, [initial({})] * n, complete, rng) for _ in range(runs)) / runs
    print(f"fratricide: one leader in {runs} of {runs} runs at n={n}, mean steps {mean:.0f}, exact {(n - 1) ** 2}")
    assert abs(mean / (n - 1) ** 2 - 1) < 0.25


if __name__ == "__main__":
    _self_check()
