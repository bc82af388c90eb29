"""One-way epidemic in either role: whoever meets an infected agent is infected.

The clock of population protocols: from one infected agent it takes (n-1) H(n-1) steps in expectation, H the harmonic
numbers, until all are.
"""

from math import log

from princeps.model import Agent, Bit, Blocks, Counted, Counts, Look, Params, PopulationProtocol


def initial(n: int, p: Params) -> list[tuple[int, dict[str, int]]]:
    """one infected agent"""
    return [(1, {"infected": 1}), (n - 1, {})]


def complete(c: Counts, p: Params) -> int:
    """everybody is infected"""
    return c.leaders == c.n


class Epidemic(PopulationProtocol):
    name = "epidemic"
    title = "one infected agent to all, in either role"
    paper = "Angluin, Aspnes, Eisenstat (2008): Fast computation by population protocols with a leader"
    guarantee = "stabilizing"

    infected = Bit()
    look = Look(color="infected", names={"infected": ("healthy", "infected")})

    starts = {"initial": Blocks(initial)}
    goals = {"complete": Counted(complete, closed=True)}
    default_goal = "complete"

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.infected == 1:
            b.infected = 1
        elif b.infected == 1:
            a.infected = 1

    @staticmethod
    def is_leader(a: Agent, p: Params) -> int:
        """infected"""
        return a.infected

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        return (n - 1) * (log(n) + 0.58)
