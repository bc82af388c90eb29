"""Two leaders meet, and the one with fewer victories follows.

princeps run examples/veterans.py:Veterans -n 1000 --record veterans --json
"""

from princeps.model import Agent, Bit, Param, Params, PopulationProtocol, Range


def initial(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone leads, nobody has won yet"""
    a.leader = 1


def veterans(a: Agent, p: Params) -> int:
    """has won as often as is counted"""
    return a.wins == p.most


class Veterans(PopulationProtocol):
    title = "fratricide, but the more experienced of two leaders survives"
    topology = "complete"

    most = Param(min=1, default=3, doc="victories are counted up to here")

    leader, wins = Bit(), Range(lambda p: p.most + 1)

    starts = {"initial": initial}
    predicates = {"veterans": veterans}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 1 and b.leader == 1:
            if a.wins >= b.wins:  # a tie: the initiator wins
                b.leader = 0
                a.wins = min(a.wins + 1, p.most)
            else:
                a.leader = 0
                b.wins = min(b.wins + 1, p.most)
