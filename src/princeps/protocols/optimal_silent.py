"""Silent self-stabilizing election in O(n) parallel time: notice an error, forget everything, rank anew from one root.

Burman, Chen, Chen, Doty, Nowak, Severson, Xu (2021), "Time-optimal self-stabilizing leader election in population
protocols": Optimal-Silent-SSR, with Propagate-Reset. The agents know n exactly. Settled agents have a rank in 1..n and
invite Unsettled ones as their children in a binary tree, 2 r and 2 r + 1 below r; the root leads. Two agents of the same
rank, or an Unsettled one that has waited too long, start a reset. It spreads while `resetcount` runs down; then all are
dormant, and meanwhile (L, L) -> (L, F) leaves one candidate; whose `delaytimer` runs out wakes up, and wakes the others.

Written after a description of the paper's pseudocode. Where that can be read in more than one way:
- `delaytimer` belongs to dormant agents only (resetcount 0), else there would be more than O(n) states;
- resetcount "just became 0" if the agent was not dormant before this meeting: one that is drawn into a reset whose
  count ends with it has the full delay before it, too;
- who was awake before wakes its partner up; who wakes up in this very meeting does not yet;
- whoever has just woken up goes on in the same meeting: it may be invited, or find that its rank is taken;
- everyone enters a reset as a candidate, L.

Variables of a role that an agent is not in are 0. A reset is a gamble, taken again until it succeeds, so the constants
decide how long it takes and not whether: from 1 on all of them work. In `ranked` nothing changes any more; for n > 2
there is no earlier moment from which the leader is sure to stay.
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
    Scratch,
    StaysElected,
    Uniform,
    Within,
    ceil_lg,
)

UNSETTLED, SETTLED, RESETTING = 0, 1, 2  # role
F, L = 0, 1  # leader, of a Resetting agent


def some_lg_n(n: int) -> int:
    """4 ceil(lg n)"""
    return 4 * ceil_lg(n)


def four_n(n: int) -> int:
    """4 n"""
    return 4 * n


def eight_n(n: int) -> int:
    """8 n"""
    return 8 * n


def all_first(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone Settled with rank 1"""
    a.role, a.rank = SETTLED, 1


def leaderless(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone Settled and nobody first: the two agents of rank 2 must meet before anything happens"""
    a.role, a.rank = SETTLED, max(i + 1, 2)


def ranked(u: Config, n: int, p: Params) -> int:
    """everyone Settled, all ranks different"""
    for i in range(n):
        if u[i].role != SETTLED:
            return 0
        for j in range(i):
            if u[i].rank == u[j].rank:
                return 0
    return 1


def enter_reset(i: Agent, resetcount: int) -> None:
    i.role, i.leader, i.resetcount = RESETTING, L, resetcount
    i.rank = i.children = i.errorcount = i.delaytimer = 0


def reset(i: Agent, p: Params) -> None:
    """Reset: i wakes up."""
    if i.leader == L:
        i.role, i.rank, i.children = SETTLED, 1, 0
    else:
        i.role, i.errorcount = UNSETTLED, p.e_max
    i.leader, i.delaytimer = F, 0


def propagate_reset(a: Agent, b: Agent, p: Params) -> None:
    """Propagate-Reset."""
    for i in (a, b):
        i.was_dormant = i.role == RESETTING and i.resetcount == 0
    for i, j in ((a, b), (b, a)):
        if i.resetcount > 0 and j.role != RESETTING:
            enter_reset(j, 0)
    both = a.role == RESETTING and b.role == RESETTING
    if both:
        a.resetcount = b.resetcount = max(a.resetcount - 1, b.resetcount - 1, 0)
    for i in (a, b):
        if i.resetcount > 0:
            i.delaytimer = 0
        elif i.role == RESETTING:
            i.delaytimer = max(i.delaytimer - 1, 0) if i.was_dormant == 1 else p.d_max
            if i.delaytimer == 0 or not both:
                reset(i, p)


class OptimalSilent(PopulationProtocol):
    name = "optimal_silent"
    title = "silent self-stabilizing ranking in O(n) parallel time with O(n) states"
    paper = "Burman, Chen, Chen, Doty, Nowak, Severson, Xu (2021), Optimal-Silent-SSR; 000 [22]"
    topology = "complete"
    guarantee = "self-stabilizing"

    size = Param(min=2, default="n", doc="n, which the agents must know exactly")
    r_max = Param(min=1, default=some_lg_n, doc="how far a reset spreads (the paper: 60 ln n)")
    d_max = Param(min=1, default=four_n, doc="meetings that a dormant agent waits (the paper: Theta(n))")
    e_max = Param(min=1, default=eight_n, doc="meetings that an Unsettled agent waits (the paper: Theta(n))")

    role = Range(3)
    rank, children = Range(lambda p: p.size + 1), Range(3)  # Settled
    errorcount = Range(lambda p: p.e_max + 1)  # Unsettled
    leader, resetcount, delaytimer = Range(2), Range(lambda p: p.r_max + 1), Range(lambda p: p.d_max + 1)  # Resetting
    was_dormant = Scratch()
    look = Look(
        marks=[
            Mark("ring", "unsettled", when=lambda a: a.role == UNSETTLED, hue=0),
            Mark("spark", "resetting", when=lambda a: a.role == RESETTING, hue=4),
        ],
        bar="rank",
        color="role",
        names={"role": ("unsettled", "settled", "resetting")},
    )

    starts = {"random": Uniform(), "all_first": all_first, "leaderless": leaderless}
    default_start = "random"
    goals = {"ranked": Closed(ranked)}
    default_goal = "ranked"
    lemmas = {
        "ranked": StaysElected("where everyone is Settled and all ranks differ nothing changes any more", "ranked"),
        "reached": Reaches("all ranks differ in the end, from every configuration", "ranked"),
        "time": Within("all ranks differ after order n^2 steps", "ranked", lambda n, p: n * n, order="n^2"),
    }

    @staticmethod
    def is_leader(a: Agent, p: Params) -> int:
        return a.rank == 1

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        """Optimal-Silent-SSR."""
        if a.role == RESETTING or b.role == RESETTING:
            propagate_reset(a, b, p)
            if a.leader == L and b.leader == L:  # both are Resetting still
                b.leader = F
        if a.role == SETTLED and b.role == SETTLED and a.rank == b.rank:
            enter_reset(a, p.r_max)
            enter_reset(b, p.r_max)
        for i, j in ((a, b), (b, a)):
            if i.role == SETTLED and j.role == UNSETTLED and i.children < 2 and 2 * i.rank + i.children <= p.size:
                j.role, j.rank, j.children, j.errorcount = SETTLED, 2 * i.rank + i.children, 0, 0
                i.children += 1
        for i in (a, b):
            if i.role == UNSETTLED:
                i.errorcount = max(i.errorcount - 1, 0)
                if i.errorcount == 0:
                    enter_reset(a, p.r_max)
                    enter_reset(b, p.r_max)

    @staticmethod
    def groups(p: Params) -> list[dict[str, int | range]]:
        return [
            {"role": SETTLED, "rank": range(1, p.size + 1), "children": range(3)},
            {"role": UNSETTLED, "errorcount": range(p.e_max + 1)},
            {"role": RESETTING, "leader": range(2), "resetcount": range(1, p.r_max + 1)},
            {"role": RESETTING, "leader": range(2), "delaytimer": range(p.d_max + 1)},  # dormant
        ]

    @staticmethod
    def demands(n: int, p: Params) -> str | None:
        if n != p.size:
            return f"n = {n}, but the agents believe in size = {p.size}: they must know n exactly. Say -p size={n}."
        return None

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        return n * (n + p.d_max / 2) if min(p.d_max, p.e_max) >= 2 * n else None  # measured from random starts
