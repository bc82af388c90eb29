"""Infection: the largest identifier spreads like an epidemic.

Chaturvedi, Dymond, Jenkin, Algorithm 2, with `else if <` where the printed `else` would make the true leader demote
itself whenever two equal leader values meet.
"""

from math import log

from princeps.model import (
    Agent,
    Bit,
    Counted,
    Counts,
    Input,
    Look,
    Mark,
    Natural,
    OfInputs,
    Params,
    PopulationProtocol,
)


def initial(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone takes itself for the leader"""
    a.leader = a.aid
    a.isLeader = 1


def followers(a: Agent, p: Params) -> int:
    """follows the largest identifier"""
    return a.leader == p.largest


def complete(c: Counts, p: Params) -> int:
    """everyone follows the largest identifier"""
    return c.followers == c.n


class Infection(PopulationProtocol):
    name = "infection"
    title = "numbered agents, the largest identifier spreads"
    paper = "002: Chaturvedi, Dymond, Jenkin, Algorithm 2"
    guarantee = "stabilizing"

    largest = OfInputs(max)

    aid = Input()
    leader = Natural(random_below=lambda p: p.largest + 1)
    isLeader = Bit()
    look = Look(
        marks=[Mark("dot", "follows the largest identifier", when=lambda a, p: a.leader == p.largest, hue=3)],
        color="followers",
    )

    starts = {"initial": initial}
    predicates = {"followers": followers}
    goals = {"complete": Counted(complete, closed=True)}
    default_goal = "complete"

    @staticmethod
    def interact(a_i: Agent, a_j: Agent, p: Params) -> None:
        if a_i.leader > a_j.leader:
            a_j.leader = a_i.leader
            a_j.isLeader = 0
        elif a_i.leader < a_j.leader:
            a_i.leader = a_j.leader
            a_i.isLeader = 0

    @staticmethod
    def is_leader(a: Agent, p: Params) -> int:
        return a.isLeader

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        return (n - 1) * (log(n) + 0.58)  # (n-1) H(n-1)
