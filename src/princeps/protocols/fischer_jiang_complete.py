"""Election with an oracle on the complete graph: whoever initiates while nobody leads becomes a leader.

Fischer, Jiang (2006), with their eventual leader detector, which is instantaneous here. Two states, so the rule is
forced: only the oracle can create a leader, and only a meeting of two leaders can remove one. From k leaders it takes
exactly n (n-1) (k-1) / k expected steps, from none one step.
"""

from princeps.model import (
    Agent,
    Bit,
    Blocks,
    Counted,
    Counts,
    Look,
    Never,
    NobodyLeads,
    Params,
    PopulationProtocol,
    Reaches,
    StaysElected,
    Uniform,
    Within,
)

Block = list[tuple[int, dict[str, int]]]


def all_leaders(n: int, p: Params) -> Block:
    """everyone leads"""
    return [(n, {"leader": 1})]


def no_leader(n: int, p: Params) -> Block:
    """nobody leads"""
    return [(n, {"leader": 0})]


def led(c: Counts, p: Params) -> int:
    """somebody leads"""
    return c.leaders >= 1


def created(before: Agent, after: Agent, p: Params) -> int:
    """a follower has become a leader"""
    return before.leader == 0 and after.leader == 1


class FischerJiangComplete(PopulationProtocol):
    name = "fischer_jiang_complete"
    title = "self-stabilizing election with an oracle, two states, complete graph"
    paper = "Fischer, Jiang (2006), on the complete graph"
    topology = "complete"
    guarantee = "self-stabilizing"

    leader = Bit()
    oracle = NobodyLeads()
    look = Look(color="leader", names={"leader": ("follower", "leader")})

    starts = {"random": Uniform(), "all_leaders": Blocks(all_leaders), "no_leader": Blocks(no_leader)}
    default_start = "random"
    goals = {"led": Counted(led)}
    default_goal = "leader"
    lemmas = {
        "safe": StaysElected("one leader leads for ever", "leader"),
        "reached": Reaches("one leader can be reached from everywhere", "leader"),
        "created": Never("no leader is created while somebody leads", created, "some:leader"),
        "at once": Within("without a leader, one is created at once", "leader", lambda n, p: 1, "none:leader"),
        "steps": Within("at most (n-1)^2 expected steps", "leader", lambda n, p: (n - 1) ** 2),
    }

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if p.nobody_leads == 1:
            a.leader = 1
        elif a.leader == 1 and b.leader == 1:
            b.leader = 0

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        return float(n * (n - 1))  # a little more than from everybody, and than from half of them
