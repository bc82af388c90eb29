"""Lottery: a fast election in the style of Alistarh et al. (2017), with O(log^2 n) states.

A reconstruction in the style of Alistarh, Aspnes, Eisenstat, Gelashvili, Rivest (2017), "Time-space trade-offs in
population protocols", after the paper's ideas and not its pseudocode: how long the seeding takes, how long a run of
heads must be and how ties at the top end are our choice. Every agent carries a coin that it turns over in every
meeting; after some meetings, the seeding, the partner's coin is as good as random. Then each plays a lottery: it counts
heads until the first tails, its `payoff`. In the tournament a contender climbs a level whenever its partners have shown
as many heads in a row as its payoff has binary digits; whoever hears of a larger (payoff, level) becomes a minion and
passes it on. At the last level two equal contenders that meet are told apart by their roles.

The largest pair is always some contender's, so that somebody always leads. Variables that a mode does not use are 0.
"""

from math import log

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
    Reaches,
    Stays,
    StaysElected,
    default_m,
)

SEEDING, DRAWING, CONTENDER, MINION = 0, 1, 2, 3  # mode
LAST_WAIT = 3  # the fourth meeting ends the seeding


def initial(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone seeds its coin, which shows 0"""
    a.mode = SEEDING


def led(u: Config, n: int, p: Params) -> int:
    """no minion has heard of a pair (payoff, level) that is larger than every contender's"""
    heard = -1
    contended = -1
    for i in range(n):
        pair = u[i].payoff * (p.m + 1) + u[i].level
        if u[i].mode == MINION:
            heard = max(heard, pair)
        elif u[i].mode == CONTENDER:
            contended = max(contended, pair)
    return contended >= heard


def settled(u: Config, n: int, p: Params) -> int:
    """one contender, everybody else a minion that has heard of no larger pair: it leads for ever"""
    count = 0
    for i in range(n):
        if u[i].mode < CONTENDER:
            return 0
        if u[i].mode == CONTENDER:
            count += 1
    if count != 1:
        return 0
    return led(u, n, p)


def never_leaderless(c: Counts, p: Params) -> int:
    """somebody leads"""
    return c.leaders >= 1


class Lottery(PopulationProtocol):
    name = "lottery"
    title = "a lottery and a tournament by synthetic coins, reconstructed"
    paper = "in the style of Alistarh, Aspnes, Eisenstat, Gelashvili, Rivest (2017); 003 [5]"
    topology = "complete"
    guarantee = "stabilizing"

    m = Param(min=1, max=2**20, default=default_m, doc="the largest payoff and level, of order log n")

    coin, mode, wait = Bit(), Range(4), Range(LAST_WAIT + 1)
    payoff, level = Range(lambda p: p.m + 1), Range(lambda p: p.m + 1)
    run = Range(lambda p: p.m.bit_length())  # heads in a row
    look = Look(
        marks=[
            Mark("ring", "seeds its coin", when=lambda a: a.mode == SEEDING, hue=0),
            Mark("spark", "plays the lottery", when=lambda a: a.mode == DRAWING, hue=4),
            Mark("dot", "its coin shows 1", when=lambda a: a.coin == 1, hue=3),
        ],
        bar="payoff",
        color="mode",
        names={"mode": ("seeding", "lottery", "contender", "minion")},
    )

    starts = {"initial": initial}
    goals = {"led": Closed(led), "settled": Closed(settled)}
    invariants = {"never_none": never_leaderless}
    lemmas = {
        "led": Stays("the largest pair stays a contender's", "led"),
        "settled": StaysElected("a contender that is alone and not behind leads for ever", "settled"),
        "elected": Reaches("one contender is left", "settled", "led"),
    }

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        coin_a, mode_a, payoff_a, level_a = a.coin, a.mode, a.payoff, a.level
        coin_b, mode_b, payoff_b, level_b = b.coin, b.mode, b.payoff, b.level
        a.coin, b.coin = 1 - coin_a, 1 - coin_b
        for x, coin, mode, payoff, level, responds in (
            (a, coin_b, mode_b, payoff_b, level_b, 0),
            (b, coin_a, mode_a, payoff_a, level_a, 1),
        ):
            if x.mode == SEEDING:
                if x.wait < LAST_WAIT:
                    x.wait += 1
                else:
                    x.mode, x.wait = DRAWING, 0
            elif x.mode == DRAWING:
                if coin == 1 and x.payoff < p.m:
                    x.payoff += 1
                else:
                    x.mode = CONTENDER
            elif mode >= CONTENDER and (payoff, level) > (x.payoff, x.level):  # a larger pair is heard of
                x.mode, x.payoff, x.level, x.run = MINION, payoff, level, 0
            elif x.mode == CONTENDER:
                if mode == CONTENDER and payoff == x.payoff and level == x.level == p.m and responds == 1:
                    x.mode, x.run = MINION, 0
                elif coin == 0:
                    x.run = 0
                elif x.payoff >> min(x.run + 1, 63) == 0:  # as many heads as the payoff has digits, at least one
                    x.run, x.level = 0, min(x.level + 1, p.m)
                else:
                    x.run += 1

    @staticmethod
    def is_leader(a: Agent, p: Params) -> int:
        return a.mode != MINION

    @staticmethod
    def groups(p: Params) -> list[GroupSpec]:
        bit, upto_m = range(2), range(p.m + 1)
        found: list[GroupSpec] = [
            {"coin": bit, "mode": SEEDING, "wait": range(LAST_WAIT + 1)},
            {"coin": bit, "mode": DRAWING, "payoff": upto_m},
            {"coin": bit, "mode": MINION, "payoff": upto_m, "level": upto_m},
        ]
        for digits in range(1, p.m.bit_length() + 1):
            payoffs = range(0 if digits == 1 else 1 << (digits - 1), min(1 << digits, p.m + 1))
            found.append({"coin": bit, "mode": CONTENDER, "payoff": payoffs, "level": upto_m, "run": range(digits)})
        return found

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        return 2.0 * n * (log(n) + 1) if p.m >= default_m(n) else None  # measured at m = ceil(lg n)
