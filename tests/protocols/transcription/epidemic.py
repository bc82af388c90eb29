"""The epidemic in either role: after a meeting both have what one of them had."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from .scheduler import State, complete, walk


def delta(a: State, b: State, p: State) -> tuple[State, State]:
    worst = max(a["infected"], b["infected"])
    return {"infected": worst}, {"infected": worst}


def states(p: State) -> Iterator[State]:
    yield from ({"infected": x} for x in (0, 1))


def expected_steps(n: int) -> Fraction:
    """From one infected agent: of n (n-1) / 2 pairs, i (n-i) are mixed while i agents are infected."""
    return sum((Fraction(n * (n - 1), 2 * i * (n - i)) for i in range(1, n)), Fraction())


def _self_check() -> None:
    n, runs, rng = 50, 200, Random(1)
    total = 0
    for _ in range(runs):
        start = [{"infected": int(i == 0)} for i in range(n)]
        for step, (_, _, agents) in enumerate(walk(delta, {}, start, complete, rng), start=1):
            if all(x["infected"] for x in agents):
                total += step
                break
    exact = float(expected_steps(n))
    print(f"epidemic: all infected in {runs} of {runs} runs at n={n}, mean steps {total / runs:.0f}, exact {exact:.0f}")
    assert abs(total / runs / exact - 1) < 0.1


if __name__ == "__main__":
    _self_check()
