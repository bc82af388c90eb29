"""Rounds of random numbers, drawn from roles: an election in the style of Michail, Spirakis, Theofilatos (2018).

A reconstruction in the style of "Simple and fast approximate counting and leader election in populations", whose agents
draw random numbers; here a leader draws its number bit by bit, 1 when it initiates a meeting and 0 when it responds, so
that the rule is a function of two states. In every round `e` the leaders draw a number `r` of `bits` bits, tau = 2^bits
values in all. Larger (round, number) pairs spread, and a leader that hears of a larger one follows; of two leaders with
the same finished pair the responder follows. A leader's own meetings are its clock: after `c_max` of them it begins the
next round. With c_max of order log n this takes O(log^2 n / log tau) parallel time. `michail` draws instead.

The largest pair is always some leader's, so that somebody always leads. A follower's number is always finished (k = bits).
"""

from math import log2

from princeps.model import (
    Agent,
    Bit,
    Closed,
    Config,
    Counts,
    Derived,
    GroupSpec,
    Look,
    Mark,
    Param,
    Params,
    PopulationProtocol,
    Range,
    Stays,
    StaysElected,
    ceil_lg,
)


def four_lg_n(n: int) -> int:
    """4 ceil(lg n)"""
    return 4 * ceil_lg(n)


def two_lg_n(n: int) -> int:
    """2 ceil(lg n)"""
    return 2 * ceil_lg(n)


def initial(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone leads in round 0, no bit is drawn"""
    a.leader = 1


def led(u: Config, n: int, p: Params) -> int:
    """some leader's round is the latest, and if a number is finished in that round by a follower, it is not behind"""
    latest = 0
    for i in range(n):
        latest = max(latest, u[i].e)
    known = -1  # the largest number that a follower knows of that round
    for i in range(n):
        if u[i].leader == 0 and u[i].e == latest:
            known = max(known, u[i].r)
    for i in range(n):
        if u[i].leader == 1 and u[i].e == latest and ((u[i].k == p.bits and u[i].r >= known) or known <= 0):
            return 1
    return 0


def settled(u: Config, n: int, p: Params) -> int:
    """one leader, and nobody knows of a larger pair: it leads for ever"""
    count = 0
    for i in range(n):
        count += u[i].leader
    if count != 1:
        return 0
    return led(u, n, p)


def never_leaderless(c: Counts, p: Params) -> int:
    """somebody leads"""
    return c.leaders >= 1


class MichailRoles(PopulationProtocol):
    name = "michail_roles"
    title = "rounds of numbers drawn from roles, reconstructed"
    paper = "in the style of Michail, Spirakis, Theofilatos (2018); 003 [9]"
    topology = "complete"
    guarantee = "stabilizing"

    bits = Param(min=1, max=30, default=4, doc="bits of a random number: tau = 2^bits")
    c_max = Param(min=1, default=four_lg_n, doc="meetings of a leader in a round, of order log n")
    e_max = Param(min=0, default=two_lg_n, doc="the last round")
    tau = Derived(lambda p: 1 << p.bits)

    leader, e = Bit(), Range(lambda p: p.e_max + 1)
    r, k, c = Range(lambda p: p.tau), Range(lambda p: p.bits + 1), Range(lambda p: p.c_max)
    look = Look(
        marks=[Mark("spark", "still draws bits", when=lambda a, p: a.k < p.bits, hue=4)],
        bar="r",
        color="e",
    )

    starts = {"initial": initial}
    goals = {"led": Closed(led), "settled": Closed(settled)}
    invariants = {"never_none": never_leaderless}
    lemmas = {
        "led": Stays("the largest pair stays a leader's", "led"),
        "settled": StaysElected("a leader that is alone and not behind leads for ever", "settled"),
    }

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        for x, bit in ((a, 1), (b, 0)):  # 1: a bit
            if x.leader == 1 and x.k < p.bits:
                x.r = 2 * x.r + bit
                x.k += 1
        for x, y in ((a, b), (b, a)):  # 2: a later round
            if x.e < y.e:
                x.leader, x.c, x.k = 0, 0, p.bits
                x.e = y.e
                x.r = y.r if y.k == p.bits else 0
        if a.e == b.e and a.k == p.bits and b.k == p.bits:  # 3: a larger number
            if a.r < b.r:
                a.leader, a.c, a.r = 0, 0, b.r
            elif b.r < a.r:
                b.leader, b.c, b.r = 0, 0, a.r
            elif a.leader == 1 and b.leader == 1:
                b.leader, b.c = 0, 0
        for x in (a, b):  # 4: the clock
            if x.leader == 1:
                x.c = (x.c + 1) % p.c_max
                if x.c == 0 and x.e < p.e_max:
                    x.e += 1
                    x.r, x.k = 0, 0

    @staticmethod
    def groups(p: Params) -> list[GroupSpec]:
        rounds, clock = range(p.e_max + 1), range(p.c_max)
        leading: list[GroupSpec] = [
            {"leader": 1, "e": rounds, "c": clock, "k": k, "r": range(1 << k)} for k in range(p.bits + 1)
        ]
        return [*leading, {"leader": 0, "e": rounds, "k": p.bits, "r": range(p.tau)}]

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        if p.c_max < four_lg_n(n):
            return None
        return n * (p.bits + p.c_max / 2 * log2(n) / p.bits)  # measured at c_max = 4 ceil(lg n)
