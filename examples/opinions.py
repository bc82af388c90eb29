"""Two opinions and the undecided, as a transition table: of two agents that disagree one begins to doubt.

Who doubts is decided by a coin, so that neither role matters: the table is symmetric. The undecided take the opinion of
whomever they meet. Each change moves the balance of the two opinions up or down with the same probability.
"""

from __future__ import annotations

from princeps.model import Blocks, Counted, PopulationProtocol


class Opinions(PopulationProtocol):
    title = "two opinions, doubts by a coin"
    table = {
        ("A", "B"): {("A", "?"): "1/2", ("?", "B"): "1/2"},
        ("A", "?"): ("A", "A"),
        ("B", "?"): ("B", "B"),
    }
    symmetric = True  # every entry also with the roles exchanged; pairs that are not listed change nothing
    leaders = "A"  # the states that count as output L
    starts = {"initial": Blocks(lambda n, p: {"A": n - n // 3, "B": n // 3})}
    predicates = {"b": "B"}
    goals = {"agreed": Counted(lambda c, p: c.leaders == 0 or c.b == 0)}
    default_goal = "agreed"
