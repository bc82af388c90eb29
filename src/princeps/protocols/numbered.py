"""Numbered agents that also decide when the election is over.

Chaturvedi, Dymond, Jenkin, Algorithm 3. The printed test (`printed=1`) declares at once or never; the repaired one
declares when the followers met exceed m times the conversions, as the paper's prose wants it.
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
    Param,
    Params,
    PopulationProtocol,
    Verdict,
)


def initial(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone takes itself for the leader, nothing counted yet"""
    a.leader = a.aid


def followers(a: Agent, p: Params) -> int:
    """follows the largest identifier"""
    return a.leader == p.largest


def done(a: Agent, p: Params) -> int:
    """believes that the election is complete"""
    return a.electionComplete


def true_leaders(a: Agent, p: Params) -> int:
    """declared itself and has the largest identifier"""
    return a.isLeader == 1 and a.aid == p.largest


def declared(c: Counts, p: Params) -> int:
    """some agent has declared the election complete"""
    return c.done >= 1


def complete(c: Counts, p: Params) -> int:
    """everyone follows the largest identifier"""
    return c.followers == c.n


def settled(c: Counts, p: Params) -> int:
    """everyone follows the largest identifier, or some agent has declared before"""
    return c.done >= 1 or c.followers == c.n


def correct(c: Counts, p: Params) -> bool | None:
    """declared by the agent with the largest identifier, after everyone followed it"""
    return c.leaders == 1 and c.true_leaders == 1 and c.followers == c.n


def converted(a: Agent, p: Params) -> None:
    """`a`, its own leader, has just converted the agent it met."""
    a.conversions += 1
    if p.printed == 1:
        if a.conversions < p.m * a.metFollowers and a.conversions + a.metFollowers >= p.min_interactions:
            a.isLeader = 1
            a.electionComplete = 1


def met_follower(a: Agent, p: Params) -> None:
    """`a`, its own leader, has just met an agent that follows it already."""
    a.metFollowers += 1
    if p.printed == 0:
        if a.metFollowers > p.m * a.conversions and a.conversions + a.metFollowers >= p.min_interactions:
            a.isLeader = 1
            a.electionComplete = 1


class Numbered(PopulationProtocol):
    name = "numbered"
    title = "numbered agents that declare the election complete"
    paper = "002: Chaturvedi, Dymond, Jenkin, Algorithm 3"
    topology = "complete"
    guarantee = "probabilistic termination"

    m = Param(min=1, max=2**31, default=4, doc="followers met must exceed m times the conversions")
    min_interactions = Param(
        min=0, max=2**31, default=0, doc="no declaration before the agent has counted this many meetings"
    )
    printed = Param(min=0, max=1, default=0, doc="1 keeps the printed test, conversions < m * metFollowers")
    largest = OfInputs(max)

    aid = Input()
    leader = Natural(random_below=lambda p: p.largest + 1)
    isLeader, electionComplete = Bit(), Bit()
    conversions = Natural(random_below=lambda p: p.largest + 1)
    metFollowers = Natural(random_below=lambda p: p.largest + 1)
    look = Look(
        marks=[
            Mark("dot", "follows the largest identifier", when=lambda a, p: a.leader == p.largest, hue=3),
            Mark("ring", "takes itself for the leader", when=lambda a: a.leader == a.aid, hue=5),
            Mark("flag", "believes that the election is complete", when=lambda a: a.electionComplete == 1, hue=4),
        ],
        bar="metFollowers",
        color="followers",
    )

    starts = {"initial": initial}
    predicates = {"followers": followers, "done": done, "true_leaders": true_leaders}
    goals = {
        "declared": Counted(declared, closed=True),
        "complete": Counted(complete, closed=True),
        "settled": Counted(settled, closed=True),
    }
    default_goal = "declared"
    verdicts = {"correct": Verdict(at="declared", rule=correct)}

    @staticmethod
    def interact(a_i: Agent, a_j: Agent, p: Params) -> None:
        if a_i.electionComplete == 1 or a_j.electionComplete == 1:
            a_i.electionComplete = 1
            a_j.electionComplete = 1
        elif a_i.leader > a_j.leader:
            a_j.leader = a_i.leader
            if a_i.leader == a_i.aid:
                converted(a_i, p)
        elif a_i.leader < a_j.leader:
            a_i.leader = a_j.leader
            if a_j.leader == a_j.aid:
                converted(a_j, p)
        else:
            if a_i.leader == a_i.aid:
                met_follower(a_i, p)
            if a_j.leader == a_j.aid:
                met_follower(a_j, p)

    @staticmethod
    def is_leader(a: Agent, p: Params) -> int:
        return a.isLeader

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        return n * (p.m + 1) * (log(n) + 0.58)  # the leader must meet about m H(n) followers
