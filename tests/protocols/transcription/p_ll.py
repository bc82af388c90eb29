"""P_LL as a pipeline of pure steps on named tuples; a variable that an agent's group does not own is always 0."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import log2
from random import Random
from typing import NamedTuple

from .scheduler import Delta, State, complete, remembered, settle, walk

X, A, B = 0, 1, 2
OWNED: dict[tuple[int, int], tuple[str, ...]] = {
    (A, 1): ("levelQ", "done"),
    (A, 2): ("rand",),
    (A, 3): ("levelB",),
    **{(B, epoch): ("count",) for epoch in (1, 2, 3)},
}
GROUPED = ("count", "levelQ", "done", "rand", "levelB")


@dataclass(frozen=True)
class Agent:
    leader: int = 1
    status: int = X
    epoch: int = 1
    init: int = 1
    color: int = 0
    count: int = 0
    levelQ: int = 0
    done: int = 0
    rand: int = 0
    levelB: int = 0


Two = tuple[Agent, Agent]


def as_dict(agent: object) -> State:
    return dict(vars(agent))


def c_max(p: State) -> int:
    return 41 * p["m"]


def full_nonce(p: State) -> int:
    """2^ceil(lg m) in integers: the smallest power of two that is at least m."""
    return 1 << (p["m"] - 1).bit_length()


def assigned(me: Agent, other: Agent, role: int) -> Agent:
    """Lines 1-6 for one of the two agents."""
    if me.status != X:
        return me
    if other.status != X:
        return replace(me, status=A, levelQ=0, done=1, leader=0)
    return replace(me, status=A, levelQ=0, done=0, leader=1) if role == 0 else replace(me, status=B, count=0, leader=0)


class Dial(NamedTuple):
    """What the clock of one agent shows; the hand is its count, None for agents that do not count."""

    hand: int | None
    color: int
    tick: bool = False


def counted(dial: Dial, top: int) -> Dial:
    """Lines 23-29 for one agent."""
    if dial.hand is None:
        return dial
    hand = (dial.hand + 1) % top
    return Dial(hand, (dial.color + (hand == 0)) % 3, hand == 0)


def caught_up(dial: Dial, other: Dial) -> Dial:
    """Lines 30-34 for one agent; modulo 3 only one of two can be the one behind."""
    if other.color != (dial.color + 1) % 3:
        return dial
    return Dial(None if dial.hand is None else 0, other.color, True)


def clock(first: Dial, second: Dial, top: int) -> tuple[Dial, Dial]:
    """CountUp, starting from lowered ticks."""
    first, second = counted(first, top), counted(second, top)
    return caught_up(first, second), caught_up(second, first)


def joint_epoch(epochs: tuple[int, int], ticks: tuple[bool, bool]) -> int:
    """Lines 9-10, with the minimum in line 9."""
    return max(min(epoch + tick, 3) for epoch, tick in zip(epochs, ticks, strict=True))


def fresh(leader: int, epoch: int, p: State) -> dict[str, int]:
    """What lines 12-13 give an A agent that arrives in an epoch."""
    nonce = 1 if leader or p["printed"] else full_nonce(p)
    return {2: {"rand": nonce}, 3: {"levelB": 0}}[epoch]


def entered(me: Agent, epoch: int, p: State) -> Agent:
    """Lines 11-15, and the variables of the group left behind return to 0."""
    if epoch > me.init:
        me = replace(me, init=epoch, epoch=epoch, **(fresh(me.leader, epoch, p) if me.status == A else {}))
    owned = OWNED.get((me.status, epoch), ())
    return replace(me, epoch=epoch, **{name: 0 for name in GROUPED if name not in owned})


def outdone(me: Agent, other: Agent, name: str) -> Agent:
    """The agent with the smaller value takes the larger one and follows."""
    better = getattr(other, name)
    return replace(me, **{name: better}, leader=0) if getattr(me, name) < better else me


def compared(first: Agent, second: Agent, name: str) -> Two:
    return outdone(first, second, name), outdone(second, first, name)


def both_a(first: Agent, second: Agent) -> bool:
    return first.status == second.status == A


def quick_elimination(first: Agent, second: Agent, ticks: tuple[bool, bool], p: State) -> Two:
    """Lines 35-42: the initiator's coin shows head, the responder's tail."""
    if first.leader and not second.leader and not first.done:
        first = replace(first, levelQ=min(first.levelQ + 1, c_max(p)))
    elif second.leader and not first.leader and not second.done:
        second = replace(second, done=1)
    if both_a(first, second) and first.done and second.done:
        return compared(first, second, "levelQ")
    return first, second


def tournament(first: Agent, second: Agent, ticks: tuple[bool, bool], p: State) -> Two:
    """Lines 43-49: a leader appends its role to an unfinished nonce; finished nonces spread."""
    full = full_nonce(p)
    if first.leader and not second.leader and first.rand < full:
        first = replace(first, rand=2 * first.rand)
    elif second.leader and not first.leader and second.rand < full:
        second = replace(second, rand=2 * second.rand + 1)
    if both_a(first, second) and min(first.rand, second.rand) >= full:
        return compared(first, second, "rand")
    return first, second


def back_up(first: Agent, second: Agent, ticks: tuple[bool, bool], p: State) -> Two:
    """Lines 50-57: the duel at the end sees the levels and leaders that the comparison left."""
    if ticks[0] and first.leader:
        first = replace(first, levelB=min(first.levelB + 1, c_max(p)))
    if both_a(first, second):
        first, second = compared(first, second, "levelB")
    return (first, replace(second, leader=0)) if first.leader and second.leader else (first, second)


MODULES = {1: quick_elimination, 2: tournament, 3: back_up}


def dial_of(agent: Agent) -> Dial:
    return Dial(agent.count if agent.status == B else None, agent.color)


def ticked(agent: Agent, dial: Dial) -> Agent:
    return replace(agent, color=dial.color, count=dial.hand or 0)


def delta(a: State, b: State, p: State) -> tuple[State, State]:
    before = Agent(**a), Agent(**b)
    first, second = assigned(before[0], before[1], role=0), assigned(before[1], before[0], role=1)
    dials = clock(dial_of(first), dial_of(second), c_max(p))
    ticks = dials[0].tick, dials[1].tick
    epoch = joint_epoch((first.epoch, second.epoch), ticks)
    first, second = entered(ticked(first, dials[0]), epoch, p), entered(ticked(second, dials[1]), epoch, p)
    first, second = MODULES[epoch](first, second, ticks, p)
    return as_dict(first), as_dict(second)


def initial(p: State) -> State:
    return as_dict(Agent())


def states(p: State) -> Iterator[State]:
    """More than the reachable states: any color in any epoch, any group value for leaders and followers of A alike."""
    yield initial(p)
    levels = range(c_max(p) + 1)
    for epoch, color in product((1, 2, 3), range(3)):
        common = Agent(epoch=epoch, init=epoch, color=color)
        for count in range(c_max(p)):
            yield as_dict(replace(common, leader=0, status=B, count=count))
        for leader in (0, 1):
            member = replace(common, leader=leader, status=A)
            if epoch == 1:
                for level, done in product(levels, (0, 1)):
                    yield as_dict(replace(member, levelQ=level, done=done))
            elif epoch == 2:
                for nonce in range(1, 2 * full_nonce(p)):
                    yield as_dict(replace(member, rand=nonce))
            else:
                for level in levels:
                    yield as_dict(replace(member, levelB=level))


def mean_time(rule: Delta, start: State, p: State, n: int, runs: int, rng: Random) -> float:
    """Mean parallel time to one leader, in units of lg n."""
    quick = remembered(rule, p)
    return sum(settle(quick, p, [start] * n, complete, rng) for _ in range(runs)) / runs / n / log2(n)


def _self_check() -> None:
    rng = Random(1)
    for printed, expected in ((0, 7.0), (1, 8.3)):
        p = {"m": 6, "printed": printed}
        legal = {tuple(x.values()) for x in states(p)}
        for _, (i, j, agents) in zip(range(40_000), walk(delta, p, [initial(p)] * 50, complete, rng), strict=False):
            assert {tuple(agents[i].values()), tuple(agents[j].values())} <= legal
        mean = mean_time(delta, initial(p), p, 64, 1500, rng)
        print(f"p_ll printed={printed}: mean parallel time / lg n at n=64: {mean:.2f}, expected about {expected}")
        assert abs(mean - expected) < 0.8
    p = {"m": 6, "printed": 0}
    mean = mean_time(delta, initial(p), p, 50, 200, rng)
    print(f"p_ll: one leader in 200 of 200 runs at n=50, mean parallel time / lg n: {mean:.2f}")


if __name__ == "__main__":
    _self_check()
