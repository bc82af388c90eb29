"""A protocol with goals on whole configurations: some depend on the agents' positions, some are faulty."""

from __future__ import annotations

from princeps.model import Agent, Bit, Closed, Config, Params, PopulationProtocol, Range, Uniform


def anywhere(u: Config, n: int, p: Params) -> int:
    """somebody carries 3, and an even number of agents leads"""
    some = number = 0
    for i in range(n):
        some = max(some, u[i].load == 3)
        number += u[i].leader
    return some == 1 and number % 2 == 0


def behind(u: Config, n: int, p: Params) -> int:
    """somebody carries 1 right after a leader, in the order of the agents: rotations do not matter, reflections do"""
    for i in range(n):
        if u[i].leader == 1 and carried(u, (i + 1) % n) == 1:
            return 1
    return 0


def carried(u: Config, i: int) -> int:
    return u[i].load


def first(u: Config, n: int, p: Params) -> int:
    """agent 0 leads"""
    return u[0].leader


def last(u: Config, n: int, p: Params) -> int:
    """what the last agent carries: nobody else is looked at"""
    return u[n - 1].load == 2


def equal(u: Config, n: int, p: Params) -> int:
    """all carry the same, whatever it is"""
    for i in range(n):
        if u[i].load != u[0].load:
            return 0
    return 1


def alone(u: Config, n: int, p: Params) -> int:
    """one agent leads"""
    number = 0
    for i in range(n):
        number += u[i].leader
    return number == 1


def divided(u: Config, n: int, p: Params) -> int:
    return 6 // u[0].load > 2


def beyond(u: Config, n: int, p: Params) -> int:
    return u[n].leader


def all_lead(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone leads"""
    a.leader = 1


class Carriers(PopulationProtocol):
    """Fratricide; what agents carry does not matter to them, but to some goals; `spare` matters to nobody."""

    leader, load, spare = Bit(), Range(4), Bit()
    starts = {"initial": all_lead, "random": Uniform()}
    rules = (anywhere, behind, first, last, equal, alone, divided, beyond)
    goals = {rule.__name__: Closed(rule, closed=False) for rule in rules}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 1 and b.leader == 1:
            b.leader = 0
