"""Named states and `match`: a leader that is beaten walks on as a zombie until a leader lays it to rest."""

from __future__ import annotations

from princeps.model import Agent, Counted, Counts, OneOf, Params, PopulationProtocol, Uniform

Role = OneOf("LEADER", "ZOMBIE", "FOLLOWER")


def restless(a: Agent, p: Params) -> int:
    return a.role in (Role.LEADER, Role.ZOMBIE)


def quiet(c: Counts, p: Params) -> int:
    """one leader, and no zombies"""
    return (c.leaders, c.restless) == (1, 1)


class Zombies(PopulationProtocol):
    title = "beaten leaders walk on"
    topology = "complete"
    role = Role
    leaders = "LEADER"
    starts = {"initial": "LEADER", "random": Uniform()}
    predicates = {"restless": restless}
    goals = {"quiet": Counted(quiet)}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        match (a.role, b.role):
            case (Role.LEADER, Role.LEADER):
                b.role = Role.ZOMBIE
            case (Role.LEADER, Role.ZOMBIE):
                b.role = Role.FOLLOWER
            case (Role.ZOMBIE, Role.LEADER):
                a.role = Role.FOLLOWER
