"""Approximate majority as a table of unordered pairs; whoever is not in it is left alone."""

from collections.abc import Iterator
from itertools import product
from random import Random

from .scheduler import State, complete, walk

BLANK, FOR_X, FOR_Y = 0, 1, 2
AGREE_ON = {
    frozenset((FOR_X, FOR_Y)): BLANK,
    frozenset((FOR_X, BLANK)): FOR_X,
    frozenset((FOR_Y, BLANK)): FOR_Y,
}


def delta(a: State, b: State, p: State) -> tuple[State, State]:
    """Two that differ come to have one opinion, in whichever order they meet."""
    pair = frozenset((a["opinion"], b["opinion"]))
    common = AGREE_ON.get(pair, a["opinion"])
    return {"opinion": common}, {"opinion": common}


def states(p: State) -> Iterator[State]:
    yield from ({"opinion": x} for x in (BLANK, FOR_X, FOR_Y))


def moves(x: int, y: int, n: int) -> dict[tuple[int, int], int]:
    """Numbers of supporters (x, y) after the next meeting, and how many of the n (n-1) / 2 pairs lead there."""
    blank = n - x - y
    ways = {(x - 1, y - 1): x * y, (x + 1, y): x * blank, (x, y + 1): y * blank}
    found = {after: pairs for after, pairs in ways.items() if pairs}
    return {**found, (x, y): n * (n - 1) // 2 - sum(found.values())}


def _self_check() -> None:
    for a, b in product(states({}), repeat=2):
        assert delta(a, b, {}) == delta(b, a, {})[::-1]
    n, runs, rng = 100, 100, Random(1)
    wins = 0
    for _ in range(runs):
        start = [{"opinion": FOR_X if i < 70 else FOR_Y} for i in range(n)]
        for _, _, agents in walk(delta, {}, start, complete, rng):
            if len({x["opinion"] for x in agents}) == 1:
                wins += agents[0]["opinion"] == FOR_X
                break
    print(f"majority: x wins {wins} of {runs} runs at n={n} from 70 against 30")
    assert wins > 0.95 * runs


if __name__ == "__main__":
    _self_check()
