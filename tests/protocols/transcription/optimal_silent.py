"""Optimal-Silent-SSR on states of three kinds, as pure functions.

They are ("settled", rank, children), ("unsettled", errorcount) and ("resetting", leads, resetcount, delaytimer), whose
delaytimer is None unless resetcount is 0.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

from .scheduler import State, complete, walk

Role = tuple[Any, ...]
FIELDS = ("role", "rank", "children", "errorcount", "leader", "resetcount", "delaytimer")


def woken(x: Role, e_max: int) -> Role:
    return ("settled", 1, 0) if x[1] else ("unsettled", e_max)


def after_propagation(x: Role, count: int, d_max: int, e_max: int) -> Role:
    """What becomes of one of two resetting agents whose common resetcount is now `count`."""
    if x[0] != "resetting":
        x = ("resetting", True, 0, None)  # drawn into it: it was not dormant before
    if count > 0:
        return ("resetting", x[1], count, None)
    delay = d_max if x[3] is None else max(x[3] - 1, 0)
    return ("resetting", x[1], 0, delay) if delay > 0 else woken(x, e_max)


def optimal_silent(x: Role, y: Role, n: int, r_max: int, d_max: int, e_max: int) -> tuple[Role, Role]:
    triggered = ("resetting", True, r_max, None)
    counts = [z[2] for z in (x, y) if z[0] == "resetting"]
    if counts:
        if len(counts) == 2 or counts[0] > 0:  # both are, or the one that is not is drawn into it
            x, y = (after_propagation(z, max(*counts, 1) - 1, d_max, e_max) for z in (x, y))
        else:  # one is dormant, and the other is awake
            x, y = (woken(z, e_max) if z[0] == "resetting" else z for z in (x, y))
        if x[0] == y[0] == "resetting" and x[1] and y[1]:
            y = ("resetting", False, *y[2:])
    roles = x[0], y[0]
    if roles == ("settled", "settled"):
        return (triggered, triggered) if x[1] == y[1] else (x, y)
    if "resetting" in roles and "unsettled" not in roles:
        return x, y
    if "settled" in roles and "unsettled" in roles:
        parent = x if x[0] == "settled" else y
        child = 2 * parent[1] + parent[2]
        if parent[2] < 2 and child <= n:
            grown = ("settled", parent[1], parent[2] + 1)
            invited = ("settled", child, 0)
            return (grown, invited) if parent is x else (invited, grown)
    if any(z[0] == "unsettled" and z[1] <= 1 for z in (x, y)):
        return triggered, triggered
    left, right = (("unsettled", z[1] - 1) if z[0] == "unsettled" else z for z in (x, y))
    return left, right


def as_fields(x: Role) -> State:
    fields = dict.fromkeys(FIELDS, 0)
    if x[0] == "settled":
        return {**fields, "role": 1, "rank": x[1], "children": x[2]}
    if x[0] == "unsettled":
        return {**fields, "role": 0, "errorcount": x[1]}
    return {**fields, "role": 2, "leader": int(x[1]), "resetcount": x[2], "delaytimer": x[3] or 0}


def as_role(x: State) -> Role:
    if x["role"] == 1:
        return ("settled", x["rank"], x["children"])
    if x["role"] == 0:
        return ("unsettled", x["errorcount"])
    return ("resetting", bool(x["leader"]), x["resetcount"], None if x["resetcount"] else x["delaytimer"])


def delta(a: State, b: State, p: State) -> tuple[State, State]:
    one, other = optimal_silent(as_role(a), as_role(b), p["size"], p["r_max"], p["d_max"], p["e_max"])
    return as_fields(one), as_fields(other)


def all_roles(n: int, r_max: int, d_max: int, e_max: int) -> list[Role]:
    found: list[Role] = [("settled", rank, children) for rank in range(1, n + 1) for children in range(3)]
    found += [("unsettled", errorcount) for errorcount in range(e_max + 1)]
    for leads in (False, True):
        found += [("resetting", leads, count, None) for count in range(1, r_max + 1)]
        found += [("resetting", leads, 0, delay) for delay in range(d_max + 1)]
    return found


def states(p: State) -> Iterator[State]:
    yield from map(as_fields, all_roles(p["size"], p["r_max"], p["d_max"], p["e_max"]))


def _self_check() -> None:
    n, runs, rng = 16, 30, Random(1)
    p, total = {"size": n, "r_max": 16, "d_max": 4 * n, "e_max": 8 * n}, 0
    legal = list(states(p))
    for _ in range(runs):
        start = rng.choices(legal, k=n)
        for step, (_, _, agents) in enumerate(walk(delta, p, start, complete, rng), start=1):
            if len({x["rank"] for x in agents if x["role"] == 1}) == n:
                total += step
                break
    print(f"optimal_silent: ranked in {runs} of {runs} runs at n={n}, mean steps / n^2 = {total / runs / n**2:.2f}")


if __name__ == "__main__":
    _self_check()
