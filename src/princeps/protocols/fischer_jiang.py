"""Election with an oracle on directed rings: bullets and shields, in order n^3 steps.

A reconstruction. Fischer, Jiang (2006) give the protocol; this file follows its description in Yokota, Sudo, Masuzawa
(2021), section 3.1, which has all seven rules in words. The order of the rules within an interaction is ours: with it,
every configuration of 3 to 6 agents leads to one leader for ever, which is not so for every order. Two agents stay two
shielded leaders for ever in each of them: n >= 3. The oracle is instantaneous.

A leader fires whenever it meets its left neighbour. Bullets go right and kill the leaders that they reach, shields go
left, and where they meet, the bullet disappears: a leader whose shield went off to the left before any bullet could
come from there is protected from all of them, its own among them.
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
    NobodyLeads,
    Params,
    PopulationProtocol,
    Reaches,
    StaysElected,
    Uniform,
    Within,
)


def all_leaders(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone leads, nothing else is set"""
    a.leader = 1


def no_leader(a: Agent, i: int, n: int, p: Params) -> None:
    """nobody leads, every field 0"""
    a.leader = 0


def opposite_leaders(a: Agent, i: int, n: int, p: Params) -> None:
    """the slow start: leaders at 0 and n/2, each with a bullet and a shield"""
    if i == 0 or i == n // 2:
        a.leader, a.bullet, a.shield = 1, 1, 1


def protected(u: Config, n: int, k: int) -> int:
    """Leftwards from the leader at k, a shield comes before the first bullet."""
    if u[k].shield == 1:
        return 1
    for d in range(1, n):
        i = (k - d) % n
        if u[i].bullet == 1:  # of one agent's two, the bullet is nearer to the leader: it has passed the shield
            return 0
        if u[i].shield == 1:
            return 1
    return 0


def safe(u: Config, n: int, p: Params) -> int:
    """one leader for ever: on its left, a shield comes before the first bullet"""
    leaders = 0
    place = 0
    for i in range(n):
        if u[i].leader == 1:
            leaders += 1
            place = i
    if leaders != 1:
        return 0
    return protected(u, n, place)


def led(c: Counts, p: Params) -> int:
    """somebody leads"""
    return c.leaders >= 1


class FischerJiang(PopulationProtocol):
    name = "fischer_jiang"
    title = "self-stabilizing election with an oracle on directed rings, eight states (a reconstruction)"
    paper = "Fischer, Jiang (2006), reconstructed from 000: Yokota, Sudo, Masuzawa (2021), section 3.1"
    topology = "ring"
    guarantee = "self-stabilizing"

    leader, bullet, shield = Bit(), Bit(), Bit()
    oracle = NobodyLeads()
    look = Look(
        marks=[
            Mark("bullet", "bullet", when=lambda a: a.bullet == 1, hue=0),
            Mark("shield", "shield", when=lambda a: a.shield == 1, hue=2),
        ],
    )

    starts = {
        "random": Uniform(),
        "all_leaders": all_leaders,
        "no_leader": no_leader,
        "opposite_leaders": opposite_leaders,
    }
    default_start = "random"
    goals = {"safe": Closed(safe), "led": Counted(led)}
    default_goal = "safe"
    lemmas = {
        "reached": Reaches("a safe configuration can be reached from every configuration", "safe"),
        "safe": StaysElected("where one leader is protected, it leads for ever", "safe"),
        "steps": Within("O(n^3) expected steps", "safe", lambda n, p: n**3, order="n^3"),
        "at once": Within("without a leader, one is created at once", "some:leader", lambda n, p: 1, "none:leader"),
    }

    @staticmethod
    def interact(l: Agent, r: Agent, p: Params) -> None:
        if p.nobody_leads == 1:  # the oracle creates a leader
            r.leader, r.bullet, r.shield = 1, 1, 1
        else:
            if l.bullet == 1 and r.shield == 1:  # a bullet and a shield meet: the bullet disappears
                l.bullet, r.shield, l.shield = 0, 0, 1
            elif l.bullet == 1:
                l.bullet = 0
                if r.leader == 1:  # a bullet kills
                    r.leader = 0
                else:  # it goes right, into another one that may be there
                    r.bullet = 1
            elif r.shield == 1:  # a shield goes left, into another one that may be there
                r.shield, l.shield = 0, 1
            if r.leader == 1:  # a leader fires when it meets its left neighbour
                r.bullet = 1

    @staticmethod
    def demands(n: int, p: Params) -> str | None:
        if n < 3:
            return f"n = {n}: two leaders with shields never separate on a ring of two. Take n >= 3."
        return None

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        return 0.1 * n**3  # measured from random starts
