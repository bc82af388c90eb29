"""Symmetric P_LL: one function updates one agent that looks at the other, so roles cannot matter by construction."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from random import Random

from .p_ll import Dial, as_dict, c_max, clock, fresh, full_nonce, joint_epoch, mean_time
from .scheduler import State, complete, walk

X, Y, A, B = 0, 1, 2, 3
NONE, J, K, F0, F1 = 0, 1, 2, 3, 4
OWNED: dict[tuple[int, int], tuple[str, ...]] = {
    (A, 1): ("levelQ", "done"),
    (A, 2): ("rand",),
    (A, 3): ("levelB",),
    **{(B, epoch): ("count",) for epoch in (1, 2, 3)},
}
GROUPED = ("count", "levelQ", "done", "rand", "levelB")
COINS = {(J, J): K, (K, K): J, (J, K): F0, (K, J): F1}


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
    coin: int = NONE
    statusL: int = 0
    ready: int = 0


Two = tuple[Agent, Agent]


def both(rule: Callable[[Agent, Agent], Agent], pair: Two) -> Two:
    """Apply a rule to each agent against the other, both as they were before."""
    return rule(pair[0], pair[1]), rule(pair[1], pair[0])


def following(me: Agent) -> Agent:
    """A leader that falls takes coin J and forgets its pending flip; a follower stays what it is."""
    return replace(me, leader=0, coin=J, ready=0) if me.leader else me


def assigned(me: Agent, other: Agent) -> Agent:
    """X and Y: equals swap letters, unequals split into candidate and timer, a latecomer follows."""
    if me.status not in (X, Y):
        return me
    if other.status not in (X, Y):
        return replace(following(me), status=A, levelQ=0, done=1)
    if other.status == me.status:
        return replace(me, status=X + Y - me.status)
    if me.status == X:
        return replace(me, status=A, levelQ=0, done=0, leader=1)
    return replace(following(me), status=B, count=0)


def tossed(me: Agent, other: Agent) -> Agent:
    """The followers' coins; a leader's 0 is in no row of the table, so nothing moves when one is present."""
    return replace(me, coin=COINS.get((me.coin, other.coin), me.coin))


def dial_of(agent: Agent) -> Dial:
    return Dial(agent.count if agent.status == B else None, agent.color)


def entered(me: Agent, dial: Dial, epoch: int, p: State) -> Agent:
    """The clock's reading, the joint epoch and what a new epoch brings; all else of the groups returns to 0."""
    me = replace(me, color=dial.color, count=dial.hand or 0)
    if epoch > me.init:
        me = replace(me, init=epoch, **(fresh(me.leader, epoch, p) if me.status == A else {}))
    owned = OWNED.get((me.status, epoch), ())
    return replace(me, epoch=epoch, **{name: 0 for name in GROUPED if name not in owned})


def outdone(name: str) -> Callable[[Agent, Agent], Agent]:
    """The rule by which the smaller of two values takes the larger one and its holder follows."""

    def rule(me: Agent, other: Agent) -> Agent:
        better = getattr(other, name)
        return replace(following(me), **{name: better}) if getattr(me, name) < better else me

    return rule


def both_a(pair: Two) -> bool:
    return pair[0].status == pair[1].status == A


def flips(me: Agent, coin: int) -> bool:
    """Only candidates that lead flip, and only against a coin that lay ready at the start of the interaction."""
    return bool(me.leader) and me.status == A and coin in (F0, F1)


def quick_elimination(pair: Two, coins: tuple[int, int], p: State) -> Two:
    def flipped(me: Agent, coin: int) -> Agent:
        if me.done or not flips(me, coin):
            return me
        return replace(me, levelQ=min(me.levelQ + 1, c_max(p))) if coin == F0 else replace(me, done=1)

    pair = flipped(pair[0], coins[1]), flipped(pair[1], coins[0])
    return both(outdone("levelQ"), pair) if both_a(pair) and pair[0].done and pair[1].done else pair


def tournament(pair: Two, coins: tuple[int, int], p: State) -> Two:
    full = full_nonce(p)

    def flipped(me: Agent, coin: int) -> Agent:
        return replace(me, rand=2 * me.rand + (coin == F1)) if flips(me, coin) and me.rand < full else me

    pair = flipped(pair[0], coins[1]), flipped(pair[1], coins[0])
    return both(outdone("rand"), pair) if both_a(pair) and min(pair[0].rand, pair[1].rand) >= full else pair


def back_up(pair: Two, coins: tuple[int, int], ticks: tuple[bool, bool], p: State) -> Two:
    """Algorithm 6: a tick only makes a leader ready, so its flip waits for a later interaction."""

    def flipped(me: Agent, coin: int, tick: bool) -> Agent:
        me = replace(me, statusL=1 - me.statusL)
        if tick and me.leader and me.status == A:
            return replace(me, ready=1)
        if me.ready and flips(me, coin):
            return replace(me, ready=0, levelB=min(me.levelB + (coin == F0), c_max(p)))
        return me

    def duelled(me: Agent, other: Agent) -> Agent:
        return following(me) if me.leader and other.leader and me.statusL > other.statusL else me

    pair = flipped(pair[0], coins[1], ticks[0]), flipped(pair[1], coins[0], ticks[1])
    return both(duelled, both(outdone("levelB"), pair) if both_a(pair) else pair)


def delta(a: State, b: State, p: State) -> tuple[State, State]:
    before = Agent(**a), Agent(**b)
    coins = before[0].coin, before[1].coin
    pair = both(assigned, both(tossed, before))
    dials = clock(dial_of(pair[0]), dial_of(pair[1]), c_max(p))
    ticks = dials[0].tick, dials[1].tick
    epoch = joint_epoch((pair[0].epoch, pair[1].epoch), ticks)
    pair = entered(pair[0], dials[0], epoch, p), entered(pair[1], dials[1], epoch, p)
    if epoch == 3:
        pair = back_up(pair, coins, ticks, p)
    else:
        pair = (quick_elimination if epoch == 1 else tournament)(pair, coins, p)
    return as_dict(pair[0]), as_dict(pair[1])


def initial(p: State) -> State:
    return as_dict(Agent())


def states(p: State) -> Iterator[State]:
    """More than the reachable: any color in any epoch, any coin, any group value; statusL is 0 before epoch 3."""
    yield initial(p)
    yield as_dict(Agent(status=Y))
    levels = range(c_max(p) + 1)
    for epoch, color, status_l in product((1, 2, 3), range(3), (0, 1)):
        if status_l and epoch < 3:
            continue
        common = Agent(epoch=epoch, init=epoch, color=color, statusL=status_l)
        for coin, count in product((J, K, F0, F1), range(c_max(p))):
            yield as_dict(replace(common, leader=0, status=B, coin=coin, count=count))
        for coin, ready in product((NONE, J, K, F0, F1), (0, 1)):
            if ready and (coin != NONE or epoch < 3):
                continue
            member = replace(common, leader=int(coin == NONE), status=A, coin=coin, ready=ready)
            if epoch == 1:
                for level, done in product(levels, (0, 1)):
                    yield as_dict(replace(member, levelQ=level, done=done))
            elif epoch == 2:
                for nonce in range(1, 2 * full_nonce(p)):
                    yield as_dict(replace(member, rand=nonce))
            else:
                for level in levels:
                    yield as_dict(replace(member, levelB=level))


def _self_check() -> None:
    rng = Random(1)
    p = {"m": 6, "printed": 0}
    everything = list(states(p))
    legal = {tuple(x.values()) for x in everything}
    for _ in range(100_000):
        a, b = rng.choice(everything), rng.choice(everything)
        first, second = delta(a, b, p)
        assert delta(b, a, p) == (second, first)
        assert {tuple(first.values()), tuple(second.values())} <= legal
    for _, (i, j, agents) in zip(range(40_000), walk(delta, p, [initial(p)] * 50, complete, rng), strict=False):
        assert {tuple(agents[i].values()), tuple(agents[j].values())} <= legal
        heads = [sum(x["coin"] == face for x in agents) for face in (F0, F1)]
        assert heads[0] == heads[1]
    print("p_ll_symmetric: symmetric on 100000 random pairs, and F0 and F1 equally many on 40000 steps of one run")
    for n, printed, runs in ((50, 0, 200), (64, 0, 1500), (64, 1, 1500)):
        mean = mean_time(delta, initial(p), {"m": 6, "printed": printed}, n, runs, rng)
        print(f"p_ll_symmetric printed={printed}: mean parallel time / lg n at n={n}: {mean:.2f} over {runs} runs")
        assert printed or 6 < mean < 8


if __name__ == "__main__":
    _self_check()
