"""Election with an oracle that knows whether nobody leads: constant memory, from any configuration.

Two leaders that meet toss a coin each, and who sees tails steps down. Both may, and then nobody leads: the oracle says
so, and the next initiator becomes a leader.
"""

from __future__ import annotations

from princeps.model import Agent, Bit, Blocks, NobodyLeads, Params, PopulationProtocol, Uniform, coin


class Phoenix(PopulationProtocol):
    title = "self-stabilizing election with an oracle and coins"
    guarantee = "self-stabilizing"
    leader = Bit()
    oracle = NobodyLeads()
    starts = {
        "random": Uniform(),
        "nobody": Blocks(lambda n, p: [(n, {"leader": 0})]),
        "all_leaders": Blocks(lambda n, p: [(n, {"leader": 1})]),
    }
    default_start = "random"

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if p.nobody_leads == 1:
            a.leader = 1
        elif a.leader == 1 and b.leader == 1:
            a.leader = coin()
            b.leader = coin()
