"""A lottery for the leadership, with coins: everybody tosses until the first tails, and the longest run of heads leads.

In the style of the lotteries in the fast leader election protocols. Equal runs are decided by meetings, as in fratricide.
"""

from __future__ import annotations

from princeps.model import Agent, Bit, Blocks, Look, Mark, Param, Params, PopulationProtocol, Range, coin


class Lottery(PopulationProtocol):
    title = "a lottery with coins, then fratricide among the winners"
    top = Param(min=1, default=3, doc="the longest run of heads that counts")
    leader, tossing = Bit(), Bit()
    level = Range(lambda p: p.top + 1)  # heads so far; of a follower, the longest run it has heard of
    look = Look(marks=[Mark("ring", "still tosses", when="tossing == 1")], bar="level")
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1, "tossing": 1})])}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.tossing == 1:
            if coin() == 1 and a.level < p.top:
                a.level = a.level + 1
            else:
                a.tossing = 0
        if a.tossing == 0 and b.tossing == 0:
            if a.level < b.level:  # a longer run is heard of
                a.leader, a.level = 0, b.level
            elif b.level < a.level:
                b.leader, b.level = 0, a.level
            elif a.leader == 1 and b.leader == 1:
                b.leader = 0
