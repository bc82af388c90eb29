"""The protocol files that `princeps new` writes. Each runs as it stands, so that a user changes something that works."""

from __future__ import annotations

POPULATION_FILE = '''"""{title}: a population protocol. Made by princeps new; change what you like, then

    princeps check {path}
    princeps run {path} -n 1000
    princeps exact {path} -n 4 --rational
"""

from princeps import Agent, Bit, Counted, Counts, Param, Params, PopulationProtocol, Range


def initial(a: Agent, i: int, n: int, p: Params) -> None:
    """everybody leads"""
    a.leader = 1  # fields are 0 before; `i` is the number of the agent, 0..n-1


def is_beaten(a: Agent, p: Params) -> int:
    return a.leader == 0


def settled(c: Counts, p: Params) -> int:
    """all but one are beaten"""
    return c.beaten == c.n - 1


class {name}(PopulationProtocol):
    """Of two leaders that meet, the one who has won more often stays; in doubt the initiator."""

    topology = "complete"  # or "ring" (directed), or "any"
    guarantee = "stabilizing"  # what you claim; `princeps check` tests it at small sizes

    # What an agent holds: values 0..size-1. Bit() is Range(2); the size may depend on parameters.
    # OneOf("LEADER", "FOLLOWER") gives the values names.
    leader, wins = Bit(), Range(lambda p: p.most + 1)
    most = Param(min=1, default=3, doc="victories are counted up to here")  # -p most=5

    # The configurations that a run may begin with; Uniform() would draw random legal states.
    starts = {{"initial": initial}}

    # Conditions on one agent, which goals count, and conditions on those counts. "leader" (exactly one) is always there.
    predicates = {{"beaten": is_beaten}}
    goals = {{"settled": Counted(settled)}}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        """The rule: `a` is the initiator, `b` the responder."""
        if a.leader == 1 and b.leader == 1:
            if a.wins >= b.wins:
                b.leader = 0
                a.wins = min(a.wins + 1, p.most)
            else:
                a.leader = 0
                b.wins = min(b.wins + 1, p.most)
'''

RING_FILE = '''"""{title}: a ring algorithm. Made by princeps new; change what you like, then

    princeps check {path}
    princeps run {path} --labels 3,1,2
    princeps run {path} -n 8 --trace
"""

from princeps import Flag, Guarded, Label, Message, Params, Process, Ring, RingAlgorithm, on, repeated_label, start

TOKEN, ELECTED = Message("<x>"), Message("<ELECTED, x>")


@start
def S(p: Process, c: Params) -> Guarded:
    """Everybody sends its label to its right neighbour. What is yielded is the guard."""
    yield not p.awake
    p.awake = 1
    p.send(TOKEN, p.id)


@on(TOKEN)
def forward(p: Process, x: Label, c: Params) -> Guarded:
    """Smaller labels go on,"""
    yield x < p.id
    p.send(TOKEN, x)


@on(TOKEN)
def swallow(p: Process, x: Label, c: Params) -> Guarded:
    """larger ones do not,"""
    yield x > p.id


@on(TOKEN)
def win(p: Process, x: Label, c: Params) -> Guarded:
    """and the one that comes home has seen everybody."""
    yield x == p.id
    p.isLeader = 1
    p.leader = p.id
    p.done = 1
    p.send(ELECTED, p.id)


@on(ELECTED)
def learn(p: Process, x: Label, c: Params) -> Guarded:
    yield not p.isLeader
    p.leader = x
    p.done = 1
    p.send(ELECTED, x)
    p.halt()


@on(ELECTED)
def end(p: Process, x: Label, c: Params) -> Guarded:
    yield p.isLeader
    p.halt()


class {name}(RingAlgorithm):
    """The smallest of distinct labels wins. Every algorithm also has isLeader, leader and done."""

    awake = Flag()  # or OneOf("IDLE", "BUSY"), Number(0, 9), LabelVariable(), WordVariable()
    actions = (S, forward, swallow, win, learn, end)

    @staticmethod
    def demands(ring: Ring, c: Params) -> str | None:
        """A sentence if the algorithm promises nothing on this ring."""
        return repeated_label(ring, "{title}")
'''
