"""Fratricide: two leaders meet, the responder follows. The baseline that everybody knows.

Angluin, Aspnes, Diamadi, Fischer, Peralta (2006). Two states, (n-1)^2 expected steps.
"""

from princeps.model import Agent, Bit, Look, Params, PopulationProtocol, Stays, StaysElected


def initial(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone leads"""
    a.leader = 1


class Fratricide(PopulationProtocol):
    name = "fratricide"
    title = "pairwise elimination, the two-state baseline"
    paper = "Angluin, Aspnes, Diamadi, Fischer, Peralta (2006)"
    topology = "complete"
    guarantee = "stabilizing"

    leader = Bit()
    look = Look(color="leader", names={"leader": ("follower", "leader")})

    starts = {"initial": initial, "all_leaders": initial}
    facts = {
        "kept": Stays("where somebody leads, somebody leads for ever", "some:leader"),
        "safe": StaysElected("one leader leads for ever", "leader"),
    }

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 1 and b.leader == 1:
            b.leader = 0

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        return float((n - 1) ** 2)  # exact
