"""The timer protocol: a loosely-stabilizing election with one counter.

Sudo, Nakamura, Yamauchi, Ooshita, Kakugawa, Masuzawa (2012). Whoever leads winds up the timers of those it meets; the
larger value spreads, less one a meeting; where it has run down to 0 somebody new leads.
"""

from princeps.model import (
    Agent,
    Bit,
    Look,
    Loss,
    Mark,
    Param,
    Params,
    PopulationProtocol,
    Range,
    SoftMin,
    Spent,
    Stays,
    Tuning,
    Uniform,
)


def eight_n(n: int) -> int:
    """8 n"""
    return 8 * n


def no_leader(a: Agent, i: int, n: int, p: Params) -> None:
    """nobody leads and every timer is full: the longest wait for a timeout"""
    a.timer = p.t_max


def left(a: Agent, p: Params) -> int:
    """what is left on the timer"""
    return a.timer


class Timer(PopulationProtocol):
    name = "timer"
    title = "loosely-stabilizing election by a timer"
    paper = "Sudo, Nakamura, Yamauchi, Ooshita, Kakugawa, Masuzawa (2012)"
    topology = "complete"
    guarantee = "loosely-stabilizing"

    t_max = Param(min=1, default=eight_n, doc="how long a follower trusts that somebody leads")

    leader, timer = Bit(), Range(lambda p: p.t_max + 1)
    look = Look(marks=[Mark("spark", "timer has run out", when=lambda a: a.timer == 0, hue=4)], bar="timer")

    facts = {"kept": Stays("where somebody leads, somebody leads for ever", "some:leader")}
    losses = {"timeout": Loss("created", SoftMin(left), Spent(left, top=lambda p: p.t_max))}
    tuning = Tuning(raises={"timeout": "t_max"})
    starts = {"random": Uniform(), "no_leader": no_leader}
    default_start = "random"

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        t = max(a.timer - 1, b.timer - 1, 0)  # larger value propagation
        a.timer = b.timer = t
        if t == 0:  # timeout: both suspect that nobody leads
            a.leader = b.leader = 1
        if a.leader == 1 and b.leader == 1:  # two leaders: the responder follows
            b.leader = 0
        if a.leader == 1 or b.leader == 1:  # timer reset
            a.timer = b.timer = p.t_max

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        return float((n - 1) ** 2) if p.t_max >= n else None  # fratricide among half of them, while no timer runs out
