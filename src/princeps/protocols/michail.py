"""Rounds of random numbers: an election in the style of Michail, Spirakis, Theofilatos (2018), with coins.

A reconstruction in the style of "Simple and fast approximate counting and leader election in populations". In every
round `e` each leader draws a number `r`, one of tau. Larger (round, number) pairs spread, and a leader that hears of a
larger one follows; of two leaders with the same pair the responder follows. A leader's own meetings are its clock: after
`c_max` of them it begins the next round. With c_max of order log n this takes O(log^2 n / log tau) parallel time.

A number is drawn in the first meeting of a round, which comes to the same as drawing it when the round begins: r = 0 says
that it is not drawn yet, and the numbers are 1..tau. The largest pair is always some leader's, so that somebody always
leads. `michail_roles` does without draws.
"""

from math import log2

from princeps.model import (
    Agent,
    Bit,
    Closed,
    Config,
    Counts,
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
    draw,
)


def four_lg_n(n: int) -> int:
    """4 ceil(lg n)"""
    return 4 * ceil_lg(n)


def two_lg_n(n: int) -> int:
    """2 ceil(lg n)"""
    return 2 * ceil_lg(n)


def initial(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone leads in round 0, no number is drawn"""
    a.leader = 1


def led(u: Config, n: int, p: Params) -> int:
    """no follower knows of a pair (round, number) that is larger than every leader's"""
    known = -1
    own = -1
    for i in range(n):
        pair = u[i].e * (p.tau + 1) + u[i].r
        if u[i].leader == 1:
            own = max(own, pair)
        else:
            known = max(known, pair)
    return own >= known


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


class Michail(PopulationProtocol):
    name = "michail"
    title = "rounds of random numbers, reconstructed, with coins"
    paper = "in the style of Michail, Spirakis, Theofilatos (2018); 003 [9]"
    topology = "complete"
    guarantee = "stabilizing"

    tau = Param(min=1, max=2**30, default=16, doc="how many different numbers are drawn from")
    c_max = Param(min=1, default=four_lg_n, doc="meetings of a leader in a round, of order log n")
    e_max = Param(min=0, default=two_lg_n, doc="the last round")

    leader, e = Bit(), Range(lambda p: p.e_max + 1)
    r, c = Range(lambda p: p.tau + 1), Range(lambda p: p.c_max)
    look = Look(
        marks=[Mark("spark", "has not drawn its number", when=lambda a: a.r == 0, hue=4)],
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
        for x in (a, b):
            if x.leader == 1 and x.r == 0:
                x.r = 1 + draw(p.tau)
        if (a.e, a.r) < (b.e, b.r):
            a.leader, a.e, a.r, a.c = 0, b.e, b.r, 0
        elif (b.e, b.r) < (a.e, a.r):
            b.leader, b.e, b.r, b.c = 0, a.e, a.r, 0
        elif a.leader == 1 and b.leader == 1:
            b.leader, b.c = 0, 0
        for x in (a, b):
            if x.leader == 1:
                x.c = (x.c + 1) % p.c_max
                if x.c == 0 and x.e < p.e_max:
                    x.e += 1
                    x.r = 0

    @staticmethod
    def groups(p: Params) -> list[GroupSpec]:
        rounds = range(p.e_max + 1)
        return [
            {"leader": 1, "e": rounds, "r": range(p.tau + 1), "c": range(p.c_max)},
            {"leader": 0, "e": rounds, "r": range(1, p.tau + 1)},
        ]

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        return None if p.c_max < four_lg_n(n) else n * (log2(n) + p.c_max / 2 * log2(n) / log2(p.tau + 1))
