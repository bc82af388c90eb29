"""The lottery as pure functions of one agent: what it makes of its partner as that was before the meeting."""

from collections.abc import Iterator
from random import Random

from .scheduler import State, complete, walk

SEEDING, DRAWING, CONTENDER, MINION = range(4)
REST = {"wait": 0, "payoff": 0, "level": 0, "run": 0}


def played(x: State, y: State, initiates: bool, m: int) -> State:
    own, other = (x["payoff"], x["level"]), (y["payoff"], y["level"])
    heads = y["coin"] == 1
    match x["mode"]:
        case 0:
            return {**x, "wait": x["wait"] + 1} if x["wait"] != 3 else {**x, "wait": 0, "mode": DRAWING}
        case 1:
            return {**x, "payoff": x["payoff"] + 1} if heads and x["payoff"] != m else {**x, "mode": CONTENDER}
    if y["mode"] in (CONTENDER, MINION) and own < other:
        return {**x, "mode": MINION, "payoff": other[0], "level": other[1], "run": 0}
    if x["mode"] == MINION:
        return dict(x)
    if not initiates and y["mode"] == CONTENDER and own == other and x["level"] == m:
        return {**x, "mode": MINION, "run": 0}
    needed = max(1, len(f"{x['payoff']:b}"))
    if not heads:
        return {**x, "run": 0}
    if x["run"] + 1 < needed:
        return {**x, "run": x["run"] + 1}
    return {**x, "run": 0, "level": min(m, x["level"] + 1)}


def delta(a: State, b: State, p: State) -> tuple[State, State]:
    first, second = played(a, b, True, p["m"]), played(b, a, False, p["m"])
    return {**first, "coin": 1 - a["coin"]}, {**second, "coin": 1 - b["coin"]}


def initial(p: State) -> State:
    return {"coin": 0, "mode": SEEDING, **REST}


def leads(x: State) -> bool:
    return x["mode"] != MINION


def states(p: State) -> Iterator[State]:
    m = p["m"]
    for coin in (0, 1):
        yield from ({"coin": coin, "mode": SEEDING, **REST, "wait": wait} for wait in range(4))
        for payoff in range(m + 1):
            yield {"coin": coin, "mode": DRAWING, **REST, "payoff": payoff}
            for level in range(m + 1):
                pair = {**REST, "payoff": payoff, "level": level}
                yield {"coin": coin, "mode": MINION, **pair}
                yield from ({"coin": coin, "mode": CONTENDER, **pair, "run": r} for r in range(len(f"{payoff:b}")))


def _self_check() -> None:
    n, runs, rng, p = 100, 40, Random(1), {"m": 7}
    total = 0
    for _ in range(runs):
        for step, (_, _, agents) in enumerate(walk(delta, p, [initial(p)] * n, complete, rng), start=1):
            if sum(map(leads, agents)) == 1:
                total += step
                break
    print(f"lottery: one leader in {runs} of {runs} runs at n={n}, mean parallel time {total / runs / n:.1f}")


if __name__ == "__main__":
    _self_check()
