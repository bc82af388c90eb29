"""Self-stabilizing election on directed rings whose size is no multiple of a known k, with a constant number of states.

A reconstruction: Angluin, Aspnes, Fischer, Jiang (2008) give the protocol, whose table of transitions was not at hand.
The rules are ours, from the idea. What speaks for them: each mechanism that was left out or altered (the phase, absorption
by barriers, a barrier that waits for its probe, probes that leaders do not send and do not let pass) leaves no safe
configuration at all on the ring of three.

Agents are labelled; where a label is not that of the left neighbour plus one, modulo k, there is a barrier, and since k
does not divide n, there always is one. Barriers move to the right and run into each other until one is left. Before it
moves, a barrier sends a probe to the right, which leaders absorb: one that comes round to the barrier has met no leader, and
creates one. Leaders fire bullets to the left, which kill leaders until a barrier absorbs them.
"""

from princeps.model import (
    Agent,
    Bit,
    Closed,
    Config,
    Look,
    Mark,
    Param,
    Params,
    PopulationProtocol,
    Range,
    Reaches,
    Stays,
    StaysElected,
    Uniform,
    Within,
)


def smallest_non_divisor(n: int) -> int:
    k = 2
    while n % k == 0:
        k += 1
    return k


def all_leaders(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone leads, labels count from agent 0, nothing else is set"""
    a.leader, a.label = 1, i % p.k


def no_leader(a: Agent, i: int, n: int, p: Params) -> None:
    """nobody leads, labels count from agent 0: one barrier"""
    a.label = i % p.k


def three_barriers(a: Agent, i: int, n: int, p: Params) -> None:
    """the slow start: nobody leads, and labels skip one at each third of the ring (for some k, two barriers are left)"""
    a.label = (i + 3 * i // n) % p.k


def barriers_of(u: Config, n: int, p: Params) -> int:
    count = 0
    for i in range(n):
        if u[(i + 1) % n].label != (u[i].label + 1) % p.k:
            count += 1
    return count


def one_barrier(u: Config, n: int, p: Params) -> int:
    """there is only one barrier"""
    return barriers_of(u, n, p) == 1


def elected(u: Config, n: int, p: Params) -> int:
    """one barrier and one leader, and on the leader's right, up to the barrier, neither bullets nor probes

    It is the largest safe set for n >= 4; two or three agents are also safe in some configurations of more barriers.
    """
    leaders = 0
    place = 0
    for i in range(n):
        if u[i].leader == 1:
            leaders += 1
            place = i
    if leaders != 1 or barriers_of(u, n, p) != 1:
        return 0
    i = place
    if u[(i + 1) % n].label != (u[i].label + 1) % p.k:  # a probe here would tell the leader to lead
        return 1
    while u[(i + 1) % n].label == (u[i].label + 1) % p.k:
        if u[i].probe == 1 or u[(i + 1) % n].bullet == 1:
            return 0
        i = (i + 1) % n
    return 1 - u[i].probe


class AAFJ(PopulationProtocol):
    name = "aafj"
    title = "self-stabilizing election on directed rings whose size is no multiple of k (a reconstruction)"
    paper = "after Angluin, Aspnes, Fischer, Jiang (2008)"
    topology = "ring"
    guarantee = "self-stabilizing"

    k = Param(min=2, default=smallest_non_divisor, doc="n is no multiple of it")

    label = Range(lambda p: p.k)
    probe, phase, leader, bullet = Bit(), Bit(), Bit(), Bit()
    look = Look(
        marks=[
            Mark("bullet", "bullet", when=lambda a: a.bullet == 1, hue=0),
            Mark("signal", "probe", when=lambda a: a.probe == 1, hue=3),
            Mark("dot", "phase 1", when=lambda a: a.phase == 1, hue=7),
        ],
        bar="label",
    )

    starts = {
        "random": Uniform(),
        "all_leaders": all_leaders,
        "no_leader": no_leader,
        "three_barriers": three_barriers,
    }
    default_start = "random"
    goals = {"elected": Closed(elected), "one_barrier": Closed(one_barrier)}
    default_goal = "elected"
    lemmas = {
        "reached": Reaches("a safe configuration can be reached from every configuration", "elected"),
        "safe": StaysElected("in such a configuration the leader leads for ever", "elected"),
        "barrier": Stays("one barrier remains one barrier", "one_barrier"),
        "steps": Within("O(n^3) expected steps", "elected", lambda n, p: n**3, order="n^3"),
    }

    @staticmethod
    def interact(l: Agent, r: Agent, p: Params) -> None:
        following = (l.label + 1) % p.k
        if r.label != following:  # a barrier
            r.bullet = 0
            if l.probe == 1:  # it came all the way round: nobody leads
                l.probe, l.leader = 0, 1
            elif r.probe == 0:
                if r.phase == 0:
                    r.phase = 1
                    if r.leader == 0:  # launch a probe
                        r.probe = 1
                else:  # the barrier moves one agent to the right
                    r.phase, r.label = 0, following
        else:
            if r.bullet == 1 or r.leader == 1:  # leaders always fire; bullets go left and kill
                r.bullet, l.leader, l.bullet = 0, 0, 1
            if l.probe == 1:  # probes go right, leaders absorb them
                l.probe = 0
                if r.leader == 0:
                    r.probe = 1

    @staticmethod
    def demands(n: int, p: Params) -> str | None:
        if n % p.k == 0:
            fitting = smallest_non_divisor(n)
            return f"n = {n} is a multiple of k = {p.k}: choose a k that does not divide n, like -p k={fitting}."
        return None

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        return 0.1 * n**3  # measured from random starts
