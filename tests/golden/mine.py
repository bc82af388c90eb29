"""A user's own protocol, of which the recorded store holds trials: its rule and start must stay as they are."""

from princeps.model import Agent, Bit, Param, Params, PopulationProtocol, Range


def initial(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone leads with its full strength"""
    a.leader = 1
    a.strength = p.full


def tired(a: Agent, p: Params) -> int:
    """leads with no strength left"""
    return a.leader == 1 and a.strength == 0


class Mine(PopulationProtocol):
    title = "two leaders wear one another out"
    topology = "complete"

    full = Param(min=1, default=2, doc="defeats that a leader survives, and one more")

    leader, strength = Bit(), Range(lambda p: p.full + 1)

    starts = {"initial": initial}
    predicates = {"tired": tired}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 1 and b.leader == 1:
            if b.strength > 0:
                b.strength = b.strength - 1
            else:
                b.leader = 0
                a.strength = min(a.strength + 1, p.full)
