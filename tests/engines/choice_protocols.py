"""Protocols that toss coins or read an oracle, for tests: rules that put draws where they could go wrong."""

from __future__ import annotations

from princeps.model import (
    Agent,
    Bit,
    Blocks,
    Counted,
    Counts,
    NobodyLeads,
    Oracle,
    Param,
    Params,
    PopulationProtocol,
    Range,
    coin,
    draw,
)


def flip() -> int:
    return coin()


def weaken(a: Agent, by: int) -> None:
    if a.strength < by:
        a.leader = 0
        return
    a.strength = a.strength - by


class Tangle(PopulationProtocol):
    """Draws in conditions, loops, helpers, tuples and short-circuits, some of which are not reached."""

    faces = Param(min=1, default=3)
    leader, strength = Bit(), Range(4)
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1, "strength": 2})])}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        for x, y in ((a, b), (b, a)):
            if x.leader == 1 and y.leader == 1 and flip() == 1:
                weaken(y, draw(p.faces))
                break
        swap = coin() or a.strength < b.strength
        if swap:
            a.strength, b.strength = b.strength, a.strength
        if a.strength == 0 and (b.strength == 0 or draw(b.strength + 1) == 0):
            b.strength = draw(2 + a.leader) + coin()


class Quiet(PopulationProtocol):
    """Only leaders that meet toss: elsewhere nothing is drawn."""

    leader = Bit()
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 1 and b.leader == 1 and draw(3) == 0:
            b.leader = 0


def is_aged(a: Agent, p: Params) -> int:
    return a.age == 2


def two_aged(c: Counts, p: Params) -> int:
    return c.aged >= 2


class Told(PopulationProtocol):
    """An oracle without coins; its answer changes again and again."""

    leader, age = Bit(), Range(3)
    oracle = NobodyLeads()
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 0})])}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if p.nobody_leads == 1:
            a.leader, a.age = 1, 0
        elif a.leader == 1 and b.leader == 1:
            b.leader = 0
        elif a.leader == 1:
            if a.age == 2:
                a.leader = 0
            else:
                a.age = a.age + 1

    goals = {"old": Counted(two_aged)}
    predicates = {"aged": is_aged}


def crowded(c: Counts, p: Params) -> int:
    """more than a third are up"""
    return 3 * c.up > c.n


def is_up(a: Agent, p: Params) -> int:
    return a.lit == 1


def all_up(c: Counts, p: Params) -> int:
    return c.up == c.n


class Lamps(PopulationProtocol):
    """An oracle of its own, on another count than the leaders', and coins."""

    leader, lit = Bit(), Bit()
    oracle = Oracle("crowded", crowded)
    predicates = {"up": is_up}
    starts = {"initial": Blocks(lambda n, p: [(1, {"leader": 1}), (n - 1, {"leader": 0})])}
    goals = {"all_lit": Counted(all_up)}
    default_goal = "all_lit"

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if p.crowded == 1 and b.lit == 1 and draw(4) == 0:
            b.lit = 0
        elif a.leader == 1 or a.lit == 1 or coin() == 1:
            b.lit = 1
