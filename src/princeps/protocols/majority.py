"""Approximate majority with three states: x, y and undecided.

Angluin, Aspnes, Eisenstat (2008): A simple population protocol for fast robust approximate majority, with both roles
alike: opposite opinions cancel, an opinion convinces the undecided. O(log n) parallel time; the larger opinion wins
with high probability if it leads by more than sqrt(n) log n.
"""

from math import log

from princeps.model import Agent, Blocks, Counted, Counts, Look, Mark, Params, PopulationProtocol, Range

UNDECIDED, X, Y = 0, 1, 2


def initial(n: int, p: Params) -> list[tuple[int, dict[str, int]]]:
    """51 per cent are for x (rounded up), the others for y"""
    x = (51 * n + 99) // 100
    return [(x, {"opinion": X}), (n - x, {"opinion": Y})]


def is_y(a: Agent, p: Params) -> int:
    return a.opinion == Y


def consensus(c: Counts, p: Params) -> int:
    """all are for x, or all for y; or, rarely and among few, all undecided, which is final too"""
    return c.leaders == c.n or c.y == c.n or c.leaders + c.y == 0


class Majority(PopulationProtocol):
    name = "majority"
    title = "approximate majority with three states"
    paper = "Angluin, Aspnes, Eisenstat (2008): A simple population protocol for fast robust approximate majority"
    topology = "complete"
    guarantee = "stabilizing"

    opinion = Range(3)
    look = Look(
        marks=[Mark("ring", "undecided", when=lambda a: a.opinion == UNDECIDED, hue=0)],
        color="opinion",
        names={"opinion": ("undecided", "x", "y")},
    )

    starts = {"initial": Blocks(initial)}
    predicates = {"y": is_y}
    goals = {"consensus": Counted(consensus, closed=True)}
    default_goal = "consensus"

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.opinion == UNDECIDED:
            a.opinion = b.opinion
        elif b.opinion == UNDECIDED:
            b.opinion = a.opinion
        elif a.opinion != b.opinion:
            a.opinion = b.opinion = UNDECIDED

    @staticmethod
    def is_leader(a: Agent, p: Params) -> int:
        """for x"""
        return a.opinion == X

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        return 4.0 * n * (log(n) + 1)
