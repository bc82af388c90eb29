"""The timer protocol: who leads afterwards is told by three cases, and the timers follow from that."""

from collections.abc import Iterator
from itertools import product
from random import Random

from .scheduler import State, complete, settle


def outcome(first: int, second: int, timeout: bool) -> tuple[int, int]:
    """Of two leaders, or of two that have waited too long, the initiator leads alone; otherwise nothing changes."""
    return (1, 0) if timeout or first + second == 2 else (first, second)


def delta(a: State, b: State, p: State) -> tuple[State, State]:
    left = max(a["timer"], b["timer"])  # the longer wait counts, and this meeting is a part of it
    leaders = outcome(a["leader"], b["leader"], timeout=left <= 1)
    timer = p["t_max"] if any(leaders) else left - 1
    return {"leader": leaders[0], "timer": timer}, {"leader": leaders[1], "timer": timer}


def states(p: State) -> Iterator[State]:
    for leader, timer in product((0, 1), range(p["t_max"] + 1)):
        yield {"leader": leader, "timer": timer}


def _self_check() -> None:
    n, runs, rng = 30, 50, Random(1)
    p = {"t_max": 8 * n}
    legal = list(states(p))

    def anything() -> State:
        return rng.choice(legal)

    for what, make in (("random start", anything), ("nobody leads", lambda: {"leader": 0, "timer": 9})):
        hold = 20 * n * n
        steps = [settle(delta, p, [make() for _ in range(n)], complete, rng, hold=hold) for _ in range(runs)]
        print(
            f"timer, {what}: one leader held for {hold} steps in {runs} of {runs} runs at n={n}, "
            f"mean steps / n^2 = {sum(steps) / runs / n**2:.2f}"
        )


if __name__ == "__main__":
    _self_check()
