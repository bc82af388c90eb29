"""Election by identifiers and a timer: first who is believed in, then how fresh that news is, then what they conclude."""

from collections.abc import Iterator
from itertools import product
from random import Random

from .scheduler import State, complete, walk


def delta(a: State, b: State, p: State) -> tuple[State, State]:
    believed = min(a["lid"], b["lid"])
    news = max(x["timer"] for x in (a, b) if x["lid"] == believed)
    present = believed in (a["aid"], b["aid"])
    if news <= 1 and not present:
        first, second = a["aid"], b["aid"]
    else:
        first = second = believed
    timer = p["t_max"] if present or news <= 1 else news - 1
    return {**a, "lid": first, "timer": timer}, {**b, "lid": second, "timer": timer}


def leads(x: State) -> bool:
    return x["lid"] == x["aid"]


def states(p: State, aid: int) -> Iterator[State]:
    """Of the agent with this identifier."""
    for lid, timer in product(range(p["bound"] + 1), range(p["t_max"] + 1)):
        yield {"aid": aid, "lid": lid, "timer": timer}


def _self_check() -> None:
    n, runs, rng = 20, 30, Random(1)
    p, total = {"bound": n, "t_max": 8 * n}, 0
    for _ in range(runs):
        start = [rng.choice(list(states(p, aid))) for aid in range(1, n + 1)]
        for step, (_, _, agents) in enumerate(walk(delta, p, start, complete, rng), start=1):
            if len({x["lid"] for x in agents}) == 1 and sum(map(leads, agents)) == 1:
                total += step
                break
    print(
        f"loose_ids: all follow one agent in {runs} of {runs} runs at n={n}, mean steps / n^2 = {total / runs / n**2:.2f}"
    )


if __name__ == "__main__":
    _self_check()
