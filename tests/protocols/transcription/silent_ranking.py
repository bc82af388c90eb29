"""Silent ranking as a table: who meets somebody of its own rank as responder goes one place on, round and round."""

from collections.abc import Iterator
from random import Random

from .scheduler import State, complete, walk


def delta(a: State, b: State, p: State) -> tuple[State, State]:
    ranks = [*range(p["size"]), 0]
    moved = ranks[b["rank"] + 1] if a == b else b["rank"]
    return dict(a), {"rank": moved}


def states(p: State) -> Iterator[State]:
    yield from ({"rank": rank} for rank in range(p["size"]))


def leads(x: State) -> bool:
    return not x["rank"]


def _self_check() -> None:
    n, runs, rng = 20, 50, Random(1)
    p, total = {"size": n}, 0
    for _ in range(runs):
        start = [{"rank": rng.randrange(n)} for _ in range(n)]
        for step, (_, _, agents) in enumerate(walk(delta, p, start, complete, rng), start=1):
            if len({x["rank"] for x in agents}) == n:
                total += step
                break
    print(f"silent_ranking: ranked in {runs} of {runs} runs at n={n}, mean steps / n^3 = {total / runs / n**3:.2f}")


if __name__ == "__main__":
    _self_check()
