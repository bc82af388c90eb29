"""Known bound: agents numbered 1..n that know the largest number elect it at their first interaction.

Chaturvedi, Dymond, Jenkin, Algorithm 1.
"""

from princeps.model import Agent, Bit, Input, Look, Mark, Natural, OfInputs, Param, Params, PopulationProtocol


def initial(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone knows the leader's number, nobody has looked at its own yet"""
    a.leader = p.bound
    a.isLeader = 0


class KnownBound(PopulationProtocol):
    name = "known_bound"
    title = "numbered agents that know the largest number"
    paper = "002: Chaturvedi, Dymond, Jenkin, Algorithm 1"
    guarantee = "terminating"

    bound = Param(min=1, default="n", doc="the largest identifier, known to everybody")
    largest = OfInputs(max)

    aid = Input()
    leader = Natural(random_below=lambda p: p.bound + 1)
    isLeader = Bit()
    look = Look(
        marks=[Mark("dot", "has the largest identifier", when=lambda a: a.aid == a.leader, hue=3)],
        color="isLeader",
        names={"isLeader": ("follower, or has not met", "leader")},
    )

    starts = {"initial": initial}

    @staticmethod
    def interact(a_i: Agent, a_j: Agent, p: Params) -> None:
        for a in (a_i, a_j):
            a.isLeader = 1 if a.aid == a.leader else 0

    @staticmethod
    def is_leader(a: Agent, p: Params) -> int:
        return a.isLeader

    @staticmethod
    def demands(n: int, p: Params) -> str | None:
        largest = p.as_dict().get("largest", p.bound)
        if largest != p.bound:
            return (
                f"the largest id is {largest}, but everybody believes in bound = {p.bound}. Say so: -p bound={largest}."
            )
        return None

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        return n / 2  # until one given agent interacts
