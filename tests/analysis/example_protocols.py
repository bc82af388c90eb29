"""Small protocols whose safe sets, counterexamples and holding times the tests compute in other ways."""

from __future__ import annotations

from princeps.model import Agent, Bit, Counted, Counts, Param, Params, PopulationProtocol, Range, Uniform


def lit(a: Agent, p: Params) -> int:
    return a.x


def calm(c: Counts, p: Params) -> int:
    """one leader, and x is set nowhere"""
    return c.leaders == 1 and c.lit == 0


class Anything(PopulationProtocol):
    """Two bits an agent; what a meeting makes of them is arbitrary but fixed by u, and nothing most of the time."""

    u = Param(min=0, default=1, doc="which protocol it is")
    busy = Param(min=0, default=40, doc="how many of a hundred meetings do something")
    guarantee = "self-stabilizing"
    leader, x = Bit(), Bit()
    starts = {"random": Uniform()}
    predicates = {"lit": lit}
    goals = {"calm": Counted(calm)}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        mixed = (p.u * 7919 + 8 * a.leader + 4 * a.x + 2 * b.leader + b.x) * 48271 % 2147483647
        mixed = mixed * 48271 % 2147483647
        if mixed // 16 % 100 < p.busy:
            a.leader, a.x, b.leader, b.x = mixed % 2, mixed // 2 % 2, mixed // 4 % 2, mixed // 8 % 2


def wound(c: Counts, p: Params) -> int:
    """one leader, and x is at least 2 wherever it is not 0"""
    return c.leaders == 1 and c.low == 0


def low(a: Agent, p: Params) -> int:
    return a.x == 1 or (a.leader == 1 and a.x == 0)


class Fuse(PopulationProtocol):
    """A leader counts down when a follower addresses it; at 0 it hands over. Others wind themselves up."""

    guarantee = "self-stabilizing"
    leader, x = Bit(), Range(4)
    starts = {"random": Uniform()}
    predicates = {"low": low}
    goals = {"wound": Counted(wound)}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 0 and b.leader == 1:
            if b.x > 0:
                b.x = b.x - 1
            else:
                a.leader, b.leader = 1, 0
        elif a.leader == 0 and b.leader == 0:
            a.x = 3


class Wander(PopulationProtocol):
    """Two leaders become one, and that one never stays."""

    guarantee = "self-stabilizing"
    leader = Bit()
    starts = {"random": Uniform()}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 1:
            a.leader, b.leader = 0, 1


def fresh(a: Agent, i: int, n: int, p: Params) -> None:
    """everybody at 0"""
    a.x = 0


class Fork(PopulationProtocol):
    """A fresh agent is settled by a settled initiator, and lost if it is the initiator itself."""

    leader, x = Bit(), Range(3)
    starts = {"initial": fresh}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.x == 0:
            a.x = 2 if b.x == 1 else 1
        elif a.x == 1 and b.x == 0:
            b.x = 1
