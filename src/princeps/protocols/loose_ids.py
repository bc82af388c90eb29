"""Loosely-stabilizing election of agents with identifiers, on any graph, by a timer.

A reconstruction after Sudo, Ooshita, Kakugawa, Masuzawa (2014), "Loosely-stabilizing leader election on arbitrary graphs
in population protocols", from the idea of their protocol with identifiers. Everybody remembers whom it takes for the
leader, `lid`; the smaller of two spreads, with its timer. The leader, whose identifier is its own `lid`, winds up the
timers of those it meets; the larger value spreads, less one a meeting. A `lid` that nobody has, left behind by a fault,
is wound up by nobody: where its timer has run down to 0 the two agents take themselves for leaders.

In random states one agent in n takes itself for the leader, so that one may lead alone by accident and for a moment:
`phantom` is the start to measure.
"""

from princeps.model import (
    Agent,
    Counted,
    Counts,
    Input,
    Look,
    Mark,
    OfInputs,
    Param,
    Params,
    PopulationProtocol,
    Range,
    Uniform,
)


def eight_n(n: int) -> int:
    """8 n"""
    return 8 * n


def all_leaders(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone takes itself for the leader"""
    a.lid, a.timer = a.aid, p.t_max


def phantom(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone follows 0, which is nobody's identifier, with full timers"""
    a.lid, a.timer = 0, p.t_max


def first(a: Agent, p: Params) -> int:
    """follows the smallest identifier"""
    return a.lid == p.smallest


def complete(c: Counts, p: Params) -> int:
    """everyone follows the smallest identifier"""
    return c.first == c.n


class LooseIds(PopulationProtocol):
    name = "loose_ids"
    title = "loosely-stabilizing election by identifiers and a timer on any graph, reconstructed"
    paper = "after Sudo, Ooshita, Kakugawa, Masuzawa (2014); 000 [9], [12]"
    guarantee = "loosely-stabilizing"

    bound = Param(min=1, default="n", doc="no identifier is larger")
    t_max = Param(min=1, default=eight_n, doc="how long a follower trusts that its leader exists")
    smallest, largest = OfInputs(min), OfInputs(max)

    aid = Input()
    lid, timer = Range(lambda p: p.bound + 1), Range(lambda p: p.t_max + 1)
    look = Look(
        marks=[Mark("spark", "timer has run out", when=lambda a: a.timer == 0, hue=4)],
        bar="timer",
        color="lid",
    )

    starts = {"random": Uniform(), "all_leaders": all_leaders, "phantom": phantom}
    default_start = "random"
    predicates = {"first": first}
    goals = {"complete": Counted(complete)}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if b.lid < a.lid:  # the smaller one spreads, with its timer
            a.lid, a.timer = b.lid, b.timer
        elif a.lid < b.lid:
            b.lid, b.timer = a.lid, a.timer
        t = max(a.timer - 1, b.timer - 1, 0)  # larger value propagation
        a.timer = b.timer = t
        if a.lid == a.aid or b.lid == b.aid:  # timer reset
            a.timer = b.timer = p.t_max
        elif t == 0:  # timeout: nobody is called so
            a.lid, b.lid = a.aid, b.aid
            a.timer = b.timer = p.t_max

    @staticmethod
    def is_leader(a: Agent, p: Params) -> int:
        return a.lid == a.aid

    @staticmethod
    def demands(n: int, p: Params) -> str | None:
        largest = p.as_dict().get("largest", p.bound)
        if largest > p.bound:
            return f"the largest id is {largest}, but bound = {p.bound}. Say so: -p bound={largest}."
        return None

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        return 1.2 * n * p.t_max  # measured from phantom, on the complete graph
