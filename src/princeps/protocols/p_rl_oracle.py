"""P_RL with an oracle: its elimination of leaders, while an oracle says when there is none to begin with.

Yokota, Sudo, Masuzawa (2021), section 1.1: with an oracle that reports the absence of a leader, lines 6-16 of
Algorithm 1 elect in O(n^2) steps with a constant number of states. Line numbers are those of Algorithm 1; line 3 asks
the oracle, where P_RL compares distL with N, and lines 1-2 are not needed. The oracle here is instantaneous. Compare
`fischer_jiang`, which has the same oracle and as few states, but needs order n^3 steps.
"""

from princeps.model import (
    Agent,
    Bit,
    Closed,
    Config,
    Counted,
    Counts,
    Look,
    Mark,
    Never,
    NobodyLeads,
    Params,
    PopulationProtocol,
    Range,
    Reaches,
    Stays,
    StaysElected,
    Uniform,
    Within,
)

DUMMY, LIVE = 1, 2  # bullets; 0 is none


def all_leaders(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone leads, nothing else is set"""
    a.leader = 1


def no_leader(a: Agent, i: int, n: int, p: Params) -> None:
    """nobody leads, every field 0: the first interaction creates a leader"""
    a.leader = 0


def no_leader_bullets(a: Agent, i: int, n: int, p: Params) -> None:
    """nobody leads, and a live bullet at every agent"""
    a.bullet = LIVE


def two_leaders(a: Agent, i: int, n: int, p: Params) -> None:
    """leaders at 0 and n/2, both shielded and each with a live bullet"""
    if i == 0 or i == n // 2:
        a.leader, a.bullet, a.shield = 1, LIVE, 1


def some_leader(u: Config, n: int) -> int:
    """The first leader's position, or -1."""
    for i in range(n):
        if u[i].leader == 1:
            return i
    return -1


def leaders_of(u: Config, n: int) -> int:
    count = 0
    for i in range(n):
        count += u[i].leader
    return count


def c_pb(u: Config, n: int, p: Params) -> int:
    """there is a leader and every live bullet is peaceful: the last leader cannot be killed any more"""
    k = some_leader(u, n)
    if k < 0:
        return 0
    peaceful = 0
    for d in range(n):  # rightwards from a leader, so that the nearest left leader is always known
        i = (k + d) % n
        if u[i].leader == 1:
            peaceful = u[i].shield
        if u[i].signal == 1:
            peaceful = 0
        if u[i].bullet == LIVE and peaceful == 0:
            return 0
    return 1


def s_rl(u: Config, n: int, p: Params) -> int:
    """exactly one leader, and c_pb: P_RL's safe set, of which distL is no part here"""
    if leaders_of(u, n) != 1:
        return 0
    return c_pb(u, n, p)


def safe(u: Config, n: int, p: Params) -> int:
    """the largest safe set: one leader whose identity can never change"""
    if leaders_of(u, n) != 1:
        return 0
    k = some_leader(u, n)
    live = 0
    first = -1  # the first position, from the leader rightwards, that holds any bullet
    for d in range(n):
        i = (k + d) % n
        bullet = u[i].bullet
        if d == 0 and u[i].signal == 1:  # the leader's own bullet is replaced when it fires anew
            bullet = 0
        if bullet == LIVE:
            live = 1
        if bullet > 0 and first < 0:
            first = d
    if live == 0:
        return 1
    if u[k].shield == 0 or u[k].signal == 1:  # a live bullet must find the leader shielded when it arrives
        return 0
    for d in range(1, first + 1):
        if u[(k + d) % n].signal == 1:
            return 0
    return 1


def led(c: Counts, p: Params) -> int:
    """somebody leads"""
    return c.leaders >= 1


def created(before: Agent, after: Agent, p: Params) -> int:
    """a follower has become a leader"""
    return before.leader == 0 and after.leader == 1


class PRLOracle(PopulationProtocol):
    name = "p_rl_oracle"
    title = "P_RL's elimination with an oracle, constant memory on directed rings"
    paper = "000: Yokota, Sudo, Masuzawa (2021), section 1.1 and lines 4-16 of Algorithm 1"
    topology = "ring"
    guarantee = "self-stabilizing"

    leader, bullet, shield, signal = Bit(), Range(3), Bit(), Bit()
    oracle = NobodyLeads()
    look = Look(
        marks=[
            Mark("bullet", "live bullet", when=lambda a: a.bullet == LIVE, hue=0),
            Mark("dummy", "dummy bullet", when=lambda a: a.bullet == DUMMY, hue=7),
            Mark("shield", "shield", when=lambda a: a.shield == 1, hue=2),
            Mark("signal", "bullet-absence signal", when=lambda a: a.signal == 1, hue=3),
        ],
        names={"bullet": ("none", "dummy", "live")},
    )

    starts = {
        "random": Uniform(),
        "all_leaders": all_leaders,
        "no_leader": no_leader,
        "no_leader_bullets": no_leader_bullets,
        "two_leaders": two_leaders,
    }
    default_start = "random"
    goals = {
        "s_rl": Closed(s_rl),
        "safe": Closed(safe),
        "c_pb": Closed(c_pb),
        "led": Counted(led),
    }
    default_goal = "s_rl"
    lemmas = {
        "000.oracle.a": Reaches("a safe configuration can be reached from every configuration", "safe"),
        "000.oracle.b": Within("S_RL is reached in O(n^2) expected steps", "s_rl", lambda n, p: n * n, order="n^2"),
        "000.oracle.c": Stays("C_PB is closed", "c_pb"),
        "000.oracle.d": Never("no leader is created in C_PB", created, "c_pb"),
        "000.oracle.e": StaysElected("S_RL is closed and safe", "s_rl"),
        "000.oracle.f": Within(
            "without a leader, one is created at once", "some:leader", lambda n, p: 1, "none:leader"
        ),
    }

    facts = {"safe": StaysElected("the closed form of the largest safe set is closed and safe", "safe")}

    @staticmethod
    def interact(l: Agent, r: Agent, p: Params) -> None:
        if p.nobody_leads == 1:  # 3
            r.leader = 1  # 4
            r.bullet, r.shield, r.signal = LIVE, 1, 0  # 5
        if l.leader == 1 and l.signal == 1:  # 6
            l.bullet, l.shield, l.signal = LIVE, 1, 0  # 7
        if r.leader == 1 and r.signal == 1:  # 8
            r.bullet, r.shield, r.signal = DUMMY, 0, 0  # 9
        if l.bullet > 0 and r.leader == 1:  # 10
            r.leader = 0 if l.bullet == LIVE and r.shield == 0 else 1  # 11
            l.bullet = 0  # 12
        elif l.bullet > 0 and r.leader == 0:  # 13
            r.bullet = l.bullet if r.bullet == 0 else r.bullet  # 14
            l.bullet, r.signal = 0, 0  # 15
        l.signal = max(l.signal, r.signal, r.leader)  # 16

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        return 5.0 * n * n  # measured from random starts
