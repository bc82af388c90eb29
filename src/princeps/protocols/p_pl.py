"""P_PL: loosely-stabilizing leader election with polylogarithmic convergence.

Sudo, Ooshita, Kakugawa, Masuzawa, Datta, Larmore (2018), Algorithm 1; line numbers are the paper's.
A timeout creates leaders where none seems to exist; viruses, emitted now and then by leaders that shield themselves,
kill the unshielded ones. The factors 60 and 12 exist for the proof and are parameters here.
"""

from math import ceil, log

from princeps.model import (
    Agent,
    Bit,
    Counted,
    Counts,
    Derived,
    EveryMeeting,
    Largest,
    Look,
    Loss,
    Mark,
    Mean,
    Param,
    Params,
    PopulationProtocol,
    Range,
    SoftMin,
    Spent,
    Total,
    Tuning,
    Uniform,
)


def all_leaders(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone leads, every timer 0, no virus"""
    a.leader = 1


def no_leader(a: Agent, i: int, n: int, p: Params) -> None:
    """nobody leads, every timer 0: the first meeting times out"""
    a.leader = 0


def no_leader_full_timers(a: Agent, i: int, n: int, p: Params) -> None:
    """nobody leads and every timer is full: the longest wait for a timeout"""
    a.timerL = p.t_max
    a.timerI = p.t_emit


def no_leader_half_timers(a: Agent, i: int, n: int, p: Params) -> None:
    """nobody leads and every timer is at t_max / 2: the edge of G_half"""
    a.timerL = (p.t_max + 1) // 2
    a.timerI = p.t_emit


def infected(a: Agent, i: int, n: int, p: Params) -> None:
    """nobody leads, every timer is full, everyone carries a new virus"""
    a.timerL, a.timerI, a.virus = p.t_max, p.t_emit, p.t_virus


def one_virus(a: Agent, i: int, n: int, p: Params) -> None:
    """nobody leads, every timer is full, agent 0 carries a new virus"""
    a.timerL, a.timerI = p.t_max, p.t_emit
    if i == 0:
        a.virus = p.t_virus


def one_leader_clean(a: Agent, i: int, n: int, p: Params) -> None:
    """agent 0 leads, unshielded and about to emit; no virus, every leader timer at t_max / 2: an edge of S"""
    a.timerL = (p.t_max + 1) // 2
    a.timerI = p.t_emit
    if i == 0:
        a.leader, a.timerI = 1, 1


def one_leader_shielded(a: Agent, i: int, n: int, p: Params) -> None:
    """agent 0 leads, shielded, its timerI at t_emit / 2; viruses everywhere, every leader timer at t_max / 2"""
    a.timerL, a.timerI, a.virus = (p.t_max + 1) // 2, p.t_emit, p.t_virus
    if i == 0:
        a.leader, a.shield, a.timerI = 1, 1, (p.t_emit + 1) // 2


def one_leader_doomed(a: Agent, i: int, n: int, p: Params) -> None:
    """agent 0 leads, unshielded; viruses everywhere, every leader timer just below t_max / 2"""
    a.timerL, a.timerI, a.virus = (p.t_max - 1) // 2, p.t_emit, p.t_virus
    if i == 0:
        a.leader = 1


def two_leaders(a: Agent, i: int, n: int, p: Params) -> None:
    """agents 0 and 1 lead, shielded; every timer is full, no virus"""
    a.timerL, a.timerI = p.t_max, p.t_emit
    if i < 2:
        a.leader = a.shield = 1


def all_leaders_shielded(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone leads, shielded; every timer is full, no virus"""
    a.leader = a.shield = 1
    a.timerL, a.timerI = p.t_max, p.t_emit


def half_full(a: Agent, p: Params) -> int:
    """timerL >= t_max / 2"""
    return 2 * a.timerL >= p.t_max


def shielded(a: Agent, p: Params) -> int:
    """a shielded leader with timerI >= t_emit / 2"""
    return a.leader == 1 and a.shield == 1 and 2 * a.timerI >= p.t_emit


def clean(a: Agent, p: Params) -> int:
    """carries no virus"""
    return a.virus == 0


def led(c: Counts, p: Params) -> int:
    """somebody leads"""
    return c.leaders >= 1


def s(c: Counts, p: Params) -> int:
    """the paper's set S: one leader, G_half, and L_safe or V_clean"""
    return c.leaders == 1 and c.half_full == c.n and (c.shielded >= 1 or c.clean == c.n)


def propagates(a: Agent, b: Agent, x: Agent, y: Agent, p: Params) -> int:
    """the larger timerL spreads, less one"""
    return x.timerL == y.timerL and x.timerL >= max(a.timerL, b.timerL) - 1


def fills(a: Agent, b: Agent, x: Agent, y: Agent, p: Params) -> int:
    """whoever meets a leader has a full timerL"""
    return (a.leader == 0 and b.leader == 0) or (x.timerL == p.t_max and y.timerL == p.t_max)


def creates_late(a: Agent, b: Agent, x: Agent, y: Agent, p: Params) -> int:
    """a leader is created only where both timers are at most 1"""
    nobody_new = (a.leader == 1 or x.leader == 0) and (b.leader == 1 or y.leader == 0)
    return nobody_new or max(a.timerL, b.timerL) <= 1


def kills_by_virus(a: Agent, b: Agent, x: Agent, y: Agent, p: Params) -> int:
    """a leader falls only where a virus of 2 or more is"""
    nobody_fell = (a.leader == 0 or x.leader == 1) and (b.leader == 0 or y.leader == 1)
    return nobody_fell or max(a.virus, b.virus) >= 2


def shields(a: Agent, b: Agent, x: Agent, y: Agent, p: Params) -> int:
    """a shielded leader leads on"""
    return (a.leader * a.shield == 0 or x.leader == 1) and (b.leader * b.shield == 0 or y.leader == 1)


def emits(a: Agent, b: Agent, x: Agent, y: Agent, p: Params) -> int:
    """only the initiator emits, as a leader that shields itself; otherwise viruses grow old"""
    older = max(a.virus - 1, b.virus - 1, 0)
    by_leader = x.virus == p.t_virus and x.leader == 1 and x.shield == 1 and a.timerI <= 1
    return y.virus == older and (x.virus == older or by_leader)


def trust(a: Agent, p: Params) -> int:
    """what is left on timerL"""
    return a.timerL


def strength(a: Agent, p: Params) -> int:
    """what is left of the virus"""
    return a.virus


def exposure(a: Agent, p: Params) -> int:
    """how far a leader is on its way to drop its shield"""
    return (p.t_emit - a.timerI if a.shield == 1 else p.t_emit + 1) if a.leader == 1 else 0


def infectious(a: Agent, p: Params) -> int:
    """its virus survives another meeting"""
    return a.virus >= 2


SMALL = {"n": 3, "t_virus": 4, "t_max": 6, "t_emit": 8}  # 12,118 configurations until a loss


class PPL(PopulationProtocol):
    name = "p_pl"
    title = "P_PL, loosely-stabilizing leader election in polylogarithmic time"
    paper = "004: Sudo, Ooshita, Kakugawa, Masuzawa, Datta, Larmore (2018), Algorithm 1"
    topology = "complete"
    guarantee = "loosely-stabilizing"

    N = Param(min=2, default="n", doc="known upper bound on n")
    c = Param(min=1, default=1, doc="the larger, the longer a leader is held")
    virus_factor = Param(min=1, default=60, doc="t_virus / ceil(ln N)")
    emit_factor = Param(min=1, default=12, doc="t_emit / (c t_virus ceil(ln N))")
    t_virus = Derived(
        lambda p: p.virus_factor * ceil(log(p.N)),
        Param(min=1, doc="meetings that a virus survives; else by virus_factor"),
    )
    t_max = Derived(
        lambda p: p.emit_factor * p.c * p.t_virus * ceil(log(p.N)),
        Param(min=1, doc="the value to which timerL is reset; else by emit_factor and c"),
    )
    t_emit = Derived(
        lambda p: p.emit_factor * p.c * p.t_virus * ceil(log(p.N)),
        Param(min=1, doc="the meetings between two viruses of a leader; else by emit_factor and c"),
    )

    leader, shield = Bit(), Bit()
    virus = Range(lambda p: p.t_virus + 1)
    timerL = Range(lambda p: p.t_max + 1)
    timerI = Range(lambda p: p.t_emit + 1)
    look = Look(
        marks=[
            Mark("shield", "shield", when=lambda a: a.shield == 1, hue=2),
            Mark("spark", "virus", when=lambda a: a.virus > 0, hue=4),
        ],
        bar="timerL",
    )

    losses = {
        "timeout": Loss("created", SoftMin(trust), Spent(trust, top=lambda p: p.t_max), at=SMALL),
        "virus": Loss(  # 0.4: a virus loses 1 in about 2.5 meetings of the leader
            "fallen",
            Largest(strength) + 0.4 * Total(exposure),
            Mean(strength) + 0.4 * Total(exposure),
            while_some=infectious,
            at=SMALL,
        ),
    }
    tuning = Tuning(
        raises={"timeout": "t_max", "virus": "t_emit"},
        tries={"t_virus": lambda n: sorted({ceil(k * log(n) / 4) + 1 for k in (3, 4, 6, 8, 10, 13)})},
    )
    starts = {
        "random": Uniform(),
        "all_leaders": all_leaders,
        "no_leader": no_leader,
        "no_leader_full_timers": no_leader_full_timers,
        "no_leader_half_timers": no_leader_half_timers,
        "infected": infected,
        "one_virus": one_virus,
        "one_leader_clean": one_leader_clean,
        "one_leader_shielded": one_leader_shielded,
        "one_leader_doomed": one_leader_doomed,
        "two_leaders": two_leaders,
        "all_leaders_shielded": all_leaders_shielded,
    }
    default_start = "random"
    predicates = {"half_full": half_full, "shielded": shielded, "clean": clean}
    goals = {"s": Counted(s), "led": Counted(led)}
    default_goal = "s"
    facts = {
        "propagation": EveryMeeting("the larger timerL spreads, less one", propagates),
        "full timers": EveryMeeting("whoever meets a leader has a full timerL", fills),
        "creation": EveryMeeting("a leader is created only where both timers are at most 1", creates_late),
        "loss": EveryMeeting("a leader falls only where a virus of 2 or more is", kills_by_virus),
        "shield": EveryMeeting("a shielded leader leads on", shields),
        "emission": EveryMeeting("only an initiator that leads and shields itself emits", emits),
    }

    @staticmethod
    def interact(a0: Agent, a1: Agent, p: Params) -> None:
        a0.timerL = a1.timerL = max(a0.timerL - 1, a1.timerL - 1, 0)  # 1
        for a in (a0, a1):  # 2
            if a.timerL == 0:
                a.leader = 1
        if a0.leader == 1 or a1.leader == 1:  # 3
            a0.timerL = a1.timerL = p.t_max
        a0.virus = a1.virus = max(a0.virus - 1, a1.virus - 1, 0)  # 4
        for a in (a0, a1):  # 5
            if a.shield == 0 and a.virus > 0:
                a.leader = 0
        for a in (a0, a1):  # 6
            a.timerI = max(a.timerI - 1, 0)
        if a0.timerI == 0 and a0.leader == 1:  # 7
            a0.virus, a0.shield = p.t_virus, 1
        if a1.timerI == 0 and a1.leader == 1:  # 8
            a1.shield = 0
        for a in (a0, a1):  # 9
            if a.timerI == 0:
                a.timerI = p.t_emit

    @staticmethod
    def demands(n: int, p: Params) -> str | None:
        if n > p.N:
            return f"n = {n} is larger than N = {p.N}: P_PL needs n <= N. Raise it: -p N={n}."
        return None

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        return 1.0 * n * p.t_emit * max(1, ceil(log(n)))  # the order of the paper's bound
