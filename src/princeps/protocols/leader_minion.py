"""Leader-Minion: leader election in polylogarithmic parallel time with polylogarithmically many states.

Alistarh, Gelashvili (2015). Everyone begins as a contender with value 1. In a meeting a contender that is not behind
raises the larger of the two values by one and keeps it; whoever is behind becomes a minion and passes the largest value
on. A lucky contender runs ahead, and the news of its value eliminates the others. The values end at m + 1, from where
they fall back to m, so that two contenders at the top can still be told apart.

The rule asks for no initiator. Two agents alone would stay equal for ever, hence n >= 3. With m of order log^3 n the
paper proves O(log^3 n) parallel time; a much smaller m makes it linear, because too many contenders reach the top.
"""

from math import log

from princeps.model import (
    Agent,
    Bit,
    Closed,
    Config,
    Counts,
    GroupSpec,
    Look,
    Mark,
    Never,
    Param,
    Params,
    PopulationProtocol,
    Range,
    Reaches,
    Stays,
    StaysElected,
    ceil_lg,
)


def lg_n_cubed(n: int) -> int:
    """ceil(lg n)^3"""
    return ceil_lg(n) ** 3


def initial(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone a contender with value 1"""
    a.contender, a.value = 1, 1


def led(u: Config, n: int, p: Params) -> int:
    """some contender has the largest value of all"""
    largest = 0
    for i in range(n):
        largest = max(largest, u[i].value)
    for i in range(n):
        if u[i].contender == 1 and u[i].value == largest:
            return 1
    return 0


def settled(u: Config, n: int, p: Params) -> int:
    """one contender, and nobody has a larger value: it leads for ever"""
    count = 0
    for i in range(n):
        count += u[i].contender
    if count != 1:
        return 0
    return led(u, n, p)


def someone_contends(c: Counts, p: Params) -> int:
    """there is always a contender"""
    return c.leaders >= 1


def revived(before: Agent, after: Agent, p: Params) -> int:
    """a minion has become a contender"""
    return before.contender == 0 and after.contender == 1


class LeaderMinion(PopulationProtocol):
    name = "leader_minion"
    title = "Leader-Minion, polylogarithmic time and states"
    paper = "Alistarh, Gelashvili (2015): Polylogarithmic-time leader election in population protocols; 003 [4]"
    topology = "complete"
    guarantee = "stabilizing"

    m = Param(min=1, default=lg_n_cubed, doc="the largest value of a minion, of order log^3 n")

    contender, value = Bit(), Range(lambda p: p.m + 2)
    look = Look(
        marks=[Mark("spark", "at the top, m + 1", when=lambda a, p: a.value == p.m + 1, hue=4)],
        bar="value",
        color="contender",
        names={"contender": ("minion", "contender")},
    )

    starts = {"initial": initial}
    goals = {"led": Closed(led), "settled": Closed(settled)}
    invariants = {"never_none": someone_contends}
    lemmas = {
        "minions": Never("a minion stays a minion", revived, "some:contender"),
        "led": Stays("the largest value stays a contender's", "led"),
        "settled": StaysElected("a contender that is alone and not behind leads for ever", "settled"),
        "elected": Reaches("one contender is left, where a contender had the largest value", "settled", "led"),
    }

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        of_a, of_b = a.value, b.value
        largest = max(of_a, of_b)
        up = p.m if largest == p.m + 1 else largest + 1  # contend-priority
        down = p.m if largest == p.m + 1 else largest  # minion-priority
        for x, own, other in ((a, of_a, of_b), (b, of_b, of_a)):
            if x.contender == 1 and own >= other:  # is-contender
                x.value = up
            else:
                x.contender, x.value = 0, down

    @staticmethod
    def is_leader(a: Agent, p: Params) -> int:
        return a.contender

    @staticmethod
    def groups(p: Params) -> list[GroupSpec]:
        return [
            {"contender": 1, "value": range(1, p.m + 2)},
            {"contender": 0, "value": range(1, p.m + 1)},
        ]

    @staticmethod
    def demands(n: int, p: Params) -> str | None:
        if n < 3:
            return f"n = {n}: two equal contenders that meet nobody else stay equal for ever. Take -n 3 or more."
        return None

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        return 0.5 * n * (log(n) + 0.6) ** 2 if p.m >= lg_n_cubed(n) else None  # measured at m = ceil(lg n)^3
