"""Leaders that meet throw dice: the lower number follows, and equal numbers are remembered as a draw."""

from __future__ import annotations

from princeps.model import Agent, Bit, Blocks, Look, Param, Params, PopulationProtocol, Range, draw


class Dice(PopulationProtocol):
    title = "duels that are decided by dice"
    sides = Param(min=1, default=3, doc="of the die")
    leader, draws = Bit(), Range(3)  # draws so far, at most two
    look = Look(bar="draws")
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 1 and b.leader == 1:
            mine, other = draw(p.sides), draw(p.sides + a.draws)  # whoever has waited longer throws a larger die
            if mine > other:
                b.leader = 0
            elif mine < other:
                a.leader = 0
            else:
                a.draws = min(a.draws + 1, 2)
