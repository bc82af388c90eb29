"""Self-stabilizing election with as few states as there are agents: everyone takes a rank of its own.

Cai, Izumi, Wada (2012), "How to prove impossibility under global fairness: on space complexity of self-stabilizing
leader election on a population protocol model". The agents know n exactly, which no such protocol can do without. Two
agents of the same rank meet, and the responder tries the next one. A rank that is taken stays taken, so in the end all
are, and nothing changes any more: the protocol is silent.

`ranked`, all ranks different, is where the paper arrives; the election is over earlier, in `safe`. A rank hands on
whoever it has too many, upwards, and a second agent gets to rank 0 only from n - 1. So the leader is settled, for ever,
as soon as it is alone at 0 and the ranks k..n-1 hold no more agents than they have places, for every k: with 3 agents in
0, 1, 1 but not in 0, 2, 2. This is the largest such set: n^(n-1) of all n^n configurations, and n! of them are ranked.
"""

from princeps.model import (
    Agent,
    Closed,
    Config,
    Look,
    Mark,
    Param,
    Params,
    PopulationProtocol,
    Range,
    Reaches,
    StaysElected,
    Uniform,
    Within,
)


def all_zero(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone leads"""
    a.rank = 0


def ranked(u: Config, n: int, p: Params) -> int:
    """all ranks are different"""
    for i in range(n):
        for j in range(i):
            if u[i].rank == u[j].rank:
                return 0
    return 1


def safe(u: Config, n: int, p: Params) -> int:
    """one agent leads, and it and no other will for ever"""
    for k in range(1, n + 1):
        above = 0  # agents in the n - k ranks k..n-1
        for i in range(n):
            if u[i].rank >= k:
                above += 1
        if above > n - k or (k == 1 and above < n - 1):
            return 0
    return 1


class SilentRanking(PopulationProtocol):
    name = "silent_ranking"
    title = "silent self-stabilizing ranking with n states"
    paper = "Cai, Izumi, Wada (2012); 000 [14], 004 [7]"
    topology = "complete"
    guarantee = "self-stabilizing"

    size = Param(min=2, default="n", doc="n, which the agents must know exactly")

    rank = Range(lambda p: p.size)
    look = Look(marks=[Mark("flag", "the last rank", when=lambda a, p: a.rank == p.size - 1, hue=3)], bar="rank")

    starts = {"random": Uniform(), "all_zero": all_zero}
    default_start = "random"
    goals = {"ranked": Closed(ranked), "safe": Closed(safe)}
    default_goal = "ranked"
    lemmas = {
        "ranked": StaysElected("where all ranks differ nothing changes any more", "ranked"),
        "safe": StaysElected("the leader is settled before the other ranks are", "safe"),
        "reached": Reaches("all ranks differ in the end, from every configuration", "ranked"),
        "time": Within("all ranks differ after order n^3 steps", "ranked", lambda n, p: n**3, order="n^3"),
    }

    @staticmethod
    def is_leader(a: Agent, p: Params) -> int:
        return a.rank == 0

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.rank == b.rank:  # (s_i, s_i) -> (s_i, s_{i+1 mod n})
            b.rank = (b.rank + 1) % p.size

    @staticmethod
    def demands(n: int, p: Params) -> str | None:
        if n != p.size:
            return f"n = {n}, but the agents believe in size = {p.size}: they must know n exactly. Say -p size={n}."
        return None

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        return n**3 / 2  # measured, from both starts
