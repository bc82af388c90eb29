"""Rounds of numbers drawn from roles, as four pure steps on named tuples: draw, catch up, compare, tick."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from .scheduler import State, complete, settle


class Agent(NamedTuple):
    leader: int
    e: int
    r: int
    k: int
    c: int


def drawn(x: Agent, bit: int, p: State) -> Agent:
    return x._replace(r=(x.r << 1) | bit, k=x.k + 1) if x.leader and x.k != p["bits"] else x


def caught_up(x: Agent, y: Agent, p: State) -> Agent:
    """What becomes of x, whose partner may be in a later round; an unfinished number is not passed on."""
    if y.e <= x.e:
        return x
    return Agent(leader=0, e=y.e, r=y.r if y.k == p["bits"] else 0, k=p["bits"], c=0)


def compared(x: Agent, y: Agent, p: State, yields: bool) -> Agent:
    """Two in one round with finished numbers; `yields`: x gives way to a leader that is equal."""
    if x.e != y.e or x.k != p["bits"] or y.k != p["bits"] or x.r > y.r:
        return x
    beaten = x.r < y.r or (yields and x.leader == 1 and y.leader == 1)
    return x._replace(leader=0, c=0, r=y.r) if beaten else x


def ticked(x: Agent, p: State) -> Agent:
    if not x.leader:
        return x
    if x.c + 1 < p["c_max"]:
        return x._replace(c=x.c + 1)
    return x._replace(c=0) if x.e == p["e_max"] else x._replace(c=0, e=x.e + 1, r=0, k=0)


def delta(a: State, b: State, p: State) -> tuple[State, State]:
    x, y = drawn(Agent(**a), 1, p), drawn(Agent(**b), 0, p)
    x, y = caught_up(x, y, p), caught_up(y, x, p)
    x, y = compared(x, y, p, yields=False), compared(y, x, p, yields=True)
    return ticked(x, p)._asdict(), ticked(y, p)._asdict()


def initial(p: State) -> State:
    return Agent(leader=1, e=0, r=0, k=0, c=0)._asdict()


def leads(x: State) -> bool:
    return x["leader"] == 1


def states(p: State) -> Iterator[State]:
    for e in range(p["e_max"] + 1):
        for r in range(2 ** p["bits"]):
            yield Agent(0, e, r, p["bits"], 0)._asdict()
            for k in range(p["bits"] + 1):
                if r < 2**k:
                    yield from (Agent(1, e, r, k, c)._asdict() for c in range(p["c_max"]))


def _self_check() -> None:
    n, runs, rng, p = 100, 40, Random(1), {"bits": 4, "c_max": 28, "e_max": 14}
    total = sum(settle(delta, p, [initial(p)] * n, complete, rng) for _ in range(runs))
    print(f"michail_roles: one leader in {runs} of {runs} runs at n={n}, mean parallel time {total / runs / n:.1f}")


if __name__ == "__main__":
    _self_check()
