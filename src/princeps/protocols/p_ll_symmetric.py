"""Symmetric P_LL: the same election without using who initiates.

Sudo, Ooshita, Izumi, Kakugawa, Masuzawa (2020), section 4 and Algorithm 6 (whose line numbers stand in `back_up`);
the other line numbers are those of Algorithms 1-4. Statuses are given out by X x Y -> A x B, where X x X and Y x Y
swap into one another; coins are followers: J x K -> F0 x F1 keeps as many F0 as F1, and a leader that meets F0 sees
head, F1 tail.

The paper leaves eleven things open, which are read so:
 1. n >= 3: two agents go through X and Y for ever.
 2. X and Y lead until they are assigned. In X x Y the X agent becomes the leader in A and the Y agent becomes B; an X or
    a Y that meets A or B becomes a follower in A that is done.
 3. Whoever becomes a follower gets coin J: agents of B and late ones of A, too.
 4. J or K against F0 or F1 changes nothing, so that there are always as many F0 as F1.
 5. A leader that meets a follower with J or K tosses no coin.
 6. In QuickElimination F0 is head (a level more) and F1 tail (done); in Tournament F0 appends 0, F1 appends 1.
 7. In Algorithm 6 the interaction that raises `tick` tosses nothing (its branches exclude one another): the toss comes
    with the next follower that has F0 or F1.
 8. status_L starts at 0, and line 1 of Algorithm 6 is executed inside BackUp only.
 9. Lines 12-15 of Algorithm 6 come before its lines 16-18.
10. The Tournament is repaired as in P_LL (`printed=1` keeps the printed line 12).
11. Coins that an interaction reads are those at its start, also where it changes them.
"""

from math import log2

from princeps.model import (
    Agent,
    Bit,
    Counts,
    Derived,
    EveryAgent,
    GroupSpec,
    Look,
    Mark,
    Param,
    Params,
    PopulationProtocol,
    Range,
    Scratch,
    Symmetric,
    Top,
    ceil_lg,
    default_m,
)

X, Y, A, B = 0, 1, 2, 3  # status: unassigned (two kinds), candidate, timer
J, K, F0, F1 = 1, 2, 3, 4  # a follower's coin; a leader has none (0)


def initial(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone an unassigned leader in epoch 1"""
    a.leader, a.status, a.epoch, a.init = 1, X, 1, 1


def heads(a: Agent, p: Params) -> int:
    """coin F0"""
    return a.coin == F0


def tails(a: Agent, p: Params) -> int:
    """coin F1"""
    return a.coin == F1


def fair_coins(c: Counts, p: Params) -> int:
    """as many F0 as F1"""
    return c.heads == c.tails


def never_leaderless(c: Counts, p: Params) -> int:
    """Lemma 11: there is always a leader"""
    return c.leaders >= 1


def as_reached(a: Agent, p: Params) -> int:
    """init and epoch agree"""
    return a.init == a.epoch


def level(a: Agent, p: Params) -> int:
    """what the module of the agent's epoch compares"""
    return a.levelQ if a.epoch == 1 else max(a.rand, p.nonce) if a.epoch == 2 else a.levelB


def beats_nobody(a: Agent, p: Params) -> int:
    """no candidate, or a follower with the least level of its epoch"""
    return a.status != A or (a.leader == 0 and level(a, p) == (p.nonce if a.epoch == 2 else 0))


def epoch_to_beat(a: Agent, p: Params) -> int:
    return 0 if beats_nobody(a, p) else a.epoch


def level_to_beat(a: Agent, p: Params) -> int:
    return 0 if beats_nobody(a, p) else level(a, p)


def leading_candidate(a: Agent, p: Params) -> int:
    """a leader with status A"""
    return a.leader == 1 and a.status == A


def waiting_leader(a: Agent, p: Params) -> int:
    """a leader without a status"""
    return a.leader == 1 and a.status <= Y


def follow(a: Agent) -> None:
    """A leader becomes a follower, and with that a coin; a follower stays as it is."""
    if a.leader == 1:
        a.leader, a.coin, a.ready = 0, J, 0


def assign_status(a0: Agent, a1: Agent) -> None:
    if a0.status == X and a1.status == X:
        a0.status, a1.status = Y, Y
    elif a0.status == Y and a1.status == Y:
        a0.status, a1.status = X, X
    else:
        for a, b in ((a0, a1), (a1, a0)):
            if a.status == X and b.status == Y:
                a.status, a.levelQ, a.done = A, 0, 0
                b.status, b.count = B, 0
                follow(b)
                break
            if a.status <= Y and b.status >= A:
                a.status, a.levelQ, a.done = A, 0, 1
                follow(a)
                break


def mix_coins(a0: Agent, a1: Agent) -> None:
    """J x J -> K x K, K x K -> J x J, J x K -> F0 x F1."""
    if a0.coin == J and a1.coin == J:
        a0.coin, a1.coin = K, K
    elif a0.coin == K and a1.coin == K:
        a0.coin, a1.coin = J, J
    else:
        for a, b in ((a0, a1), (a1, a0)):
            if a.coin == J and b.coin == K:
                a.coin, b.coin = F0, F1
                break


def count_up(a0: Agent, a1: Agent, p: Params) -> None:
    """Algorithm 2."""
    for a in (a0, a1):  # 23
        if a.status == B:
            a.count = (a.count + 1) % p.c_max  # 24
            if a.count == 0:  # 25
                a.color = (a.color + 1) % 3  # 26
                a.tick = 1  # 27
    for a, b in ((a0, a1), (a1, a0)):  # 30
        if b.color == (a.color + 1) % 3:
            a.color = b.color  # 31
            a.tick = 1  # 32
            if a.status == B:  # 33
                a.count = 0
            break


def quick_elimination(a0: Agent, a1: Agent, coin0: int, coin1: int, p: Params) -> None:
    """Algorithm 3, with F0 for head and F1 for tail."""
    for a, b, coin in ((a0, a1, coin1), (a1, a0, coin0)):  # 35
        if a.leader == 1 and b.leader == 0 and a.done == 0:
            if coin == F0:  # 36
                a.levelQ = min(a.levelQ + 1, p.c_max)
            elif coin == F1:  # 37
                a.done = 1
    if a0.status == A and a1.status == A and a0.done == 1 and a1.done == 1:  # 39
        for a, b in ((a0, a1), (a1, a0)):
            if a.levelQ < b.levelQ:
                follow(a)  # 40
                a.levelQ = b.levelQ  # 41
                break


def tournament(a0: Agent, a1: Agent, coin0: int, coin1: int, p: Params) -> None:
    """Algorithm 4, with F0 for 0 and F1 for 1."""
    for a, b, coin in ((a0, a1, coin1), (a1, a0, coin0)):  # 43
        if a.leader == 1 and b.leader == 0 and a.rand < p.nonce and coin >= F0:
            a.rand = 2 * a.rand + coin - F0  # 44
    if a0.status == A and a1.status == A and a0.rand >= p.nonce and a1.rand >= p.nonce:  # 46
        for a, b in ((a0, a1), (a1, a0)):
            if a.rand < b.rand:
                follow(a)  # 47
                a.rand = b.rand  # 48
                break


def back_up(a0: Agent, a1: Agent, coin0: int, coin1: int, p: Params) -> None:
    """Algorithm 6."""
    for a in (a0, a1):  # 1
        a.statusL = 1 - a.statusL
    for a, coin in ((a0, coin1), (a1, coin0)):  # 2
        if a.leader == 1:
            if a.tick == 1:  # 3
                a.ready = 1  # 4
            elif a.ready == 1 and coin == F0:  # 5
                a.levelB = min(a.levelB + 1, p.c_max)  # 6
                a.ready = 0  # 7
            elif a.ready == 1 and coin == F1:  # 8
                a.ready = 0  # 9
    if a0.status == A and a1.status == A:  # 12
        for a, b in ((a0, a1), (a1, a0)):
            if a.levelB < b.levelB:
                a.levelB = b.levelB  # 13
                follow(a)  # 14
                break
    for a, b in ((a0, a1), (a1, a0)):  # 16
        if a.leader == 1 and b.leader == 1 and a.statusL == 0 and b.statusL == 1:
            follow(b)  # 17
            break


class PLLSymmetric(PopulationProtocol):
    name = "p_ll_symmetric"
    title = "symmetric P_LL, which never asks who initiates"
    paper = "003: Sudo, Ooshita, Izumi, Kakugawa, Masuzawa (2020), section 4 and Algorithm 6"
    topology = "complete"
    guarantee = "stabilizing"

    m = Param(min=1, default=default_m, doc="a rough size: any integer >= lg n")
    printed = Param(min=0, max=1, default=0, doc="1 keeps the printed Tournament (line 12)")
    c_max = Derived(lambda p: 41 * p.m, Param(min=2, doc="the steps of a timer's clock; else 41 m"))
    nonce = Derived(lambda p: 1 << ceil_lg(p.m))

    leader, status, epoch, init, color = Bit(), Range(4), Range(4), Range(4), Range(3)
    count = Range(lambda p: p.c_max)
    levelQ = Range(lambda p: p.c_max + 1)
    done = Bit()
    rand = Range(lambda p: 2 * p.nonce)
    levelB = Range(lambda p: p.c_max + 1)
    coin, statusL, ready = Range(5), Bit(), Bit()
    tick = Scratch()
    look = Look(
        marks=[
            Mark("ring", "no status yet", when=lambda a: a.status == X or a.status == Y, hue=0),
            Mark("flag", "timer", when=lambda a: a.status == B, hue=3),
            Mark("dot", "coin shows heads", when=lambda a: a.coin == F0, hue=2),
            Mark("cross", "coin shows tails", when=lambda a: a.coin == F1, hue=4),
            Mark("triangle", "epoch 2", when=lambda a: a.epoch == 2, hue=5),
            Mark("square", "epoch 3", when=lambda a: a.epoch == 3, hue=6),
        ],
        bar="levelQ",
        color="color",
        names={
            "status": ("X", "Y", "A", "B"),
            "color": ("colour 0", "colour 1", "colour 2"),
            "coin": ("none", "J", "K", "F0", "F1"),
        },
    )

    starts = {"initial": initial}
    predicates = {"heads": heads, "tails": tails}
    invariants = {"coins": fair_coins, "L11": never_leaderless}
    facts = {
        "init": EveryAgent("init is always equal to epoch", as_reached),
        "symmetric": Symmetric("the rule does not ask who initiates"),
    }
    hints = {"L11": Top(key=(epoch_to_beat, level_to_beat), witness=leading_candidate, waiting=waiting_leader)}

    @staticmethod
    def interact(a0: Agent, a1: Agent, p: Params) -> None:
        coin0, coin1 = a0.coin, a1.coin
        mix_coins(a0, a1)
        assign_status(a0, a1)  # 1-6
        count_up(a0, a1, p)  # 8
        for a in (a0, a1):  # 9
            if a.tick == 1:
                a.epoch = min(a.epoch + 1, 3)
        a0.epoch = a1.epoch = max(a0.epoch, a1.epoch)  # 10
        for a in (a0, a1):  # 11
            if a.epoch > a.init:
                a.levelQ, a.done, a.rand = 0, 0, 0  # the variables of the group it leaves
                if a.status == A and a.epoch == 2:  # 12
                    a.rand = 1 if a.leader == 1 or p.printed == 1 else p.nonce
                if a.status == A and a.epoch == 3:  # 13
                    a.levelB = 0
                a.init = a.epoch  # 14
        if a0.epoch == 1 and a1.epoch == 1:  # 16
            quick_elimination(a0, a1, coin0, coin1, p)  # 17
        elif a0.epoch == 2 and a1.epoch == 2:  # 18
            tournament(a0, a1, coin0, coin1, p)  # 19
        elif a0.epoch == 3 and a1.epoch == 3:  # 20
            back_up(a0, a1, coin0, coin1, p)  # 21

    @staticmethod
    def groups(p: Params) -> list[GroupSpec]:
        bit, colors, coins, levels = range(2), range(3), range(J, F1 + 1), range(p.c_max + 1)
        unassigned: GroupSpec = {
            "leader": 1,
            "status": range(X, A),
            "epoch": 1,
            "init": 1,
            "statusL": bit,
        }
        found: list[GroupSpec] = [unassigned]
        for epoch in (1, 2, 3):
            common = {"epoch": epoch, "init": range(1, epoch + 1), "color": colors, "statusL": bit}
            own = {1: {"levelQ": levels, "done": bit}, 2: {"rand": range(1, 2 * p.nonce)}, 3: {"levelB": levels}}[epoch]
            found.append({**common, "status": B, "coin": coins, "count": range(p.c_max)})
            found.append({**common, "status": A, "coin": coins, **own})
            found.append({**common, "status": A, "leader": 1, "ready": bit if epoch == 3 else 0, **own})
        return found

    @staticmethod
    def demands(n: int, p: Params) -> str | None:
        if n < 3:
            return f"n = {n} is too small: two agents swap X and Y for ever. Symmetric P_LL needs n >= 3."
        if p.m < ceil_lg(n):
            return f"m = {p.m} is smaller than lg n = {log2(n):.2f}: P_LL needs m >= lg n. Raise it: -p m={ceil_lg(n)}."
        return None

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        return 7.0 * n * p.m if p.printed == 0 else 20.0 * n * p.m
