"""The timer protocol of Sudo et al. (2012): a loosely-stabilizing election with one counter.

princeps run examples/timer.py:Timer -n 1000
"""

from princeps.model import Agent, Bit, Param, Params, PopulationProtocol, Range, Uniform


class Timer(PopulationProtocol):
    title = "loosely-stabilizing election by a timer"
    paper = "Sudo, Nakamura, Yamauchi, Ooshita, Kakugawa, Masuzawa (2012)"
    topology = "complete"
    guarantee = "loosely-stabilizing"

    t_max = Param(min=1, default=lambda n: 8 * n, doc="how long a follower trusts that somebody leads")

    leader, timer = Bit(), Range(lambda p: p.t_max + 1)

    starts = {"random": Uniform()}

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
