"""U_k: leader election in unidirectional rings where some label is unique and none occurs more than k times.

A reconstruction: Altisen, Datta, Devismes, Durand, Larmore (2016) give the algorithm, and the authors' paper on A_k and B_k
(2017) states its costs, time at most (k+2)n and O(n^2 + kn) messages. The actions are ours; their costs agree: the time is
(k+2)n on every ring of the class, and with distinct labels there are 2n^2 + kn messages.

Labels go round and round; a token carries how often it has come to a process with its label, and `count` is the same for the
process. Both grow the faster, the more often a label occurs. A process that meets a token with a smaller number than its
own knows of a rarer label and gives up; among equals the smallest label stays. Who sees its own label for the (k+1)-th time
has seen all others, since none occurs more than k times: it is the process with the smallest unique label. All
other tokens are consumed by then: none comes to a leader.
"""

from princeps.model import (
    Flag,
    Guarded,
    Label,
    Look,
    Mark,
    Message,
    Number,
    Param,
    Params,
    Process,
    Ring,
    RingAlgorithm,
    on,
    outside_class,
    start,
)

TOKEN, FINISH = Message("<x, #home>"), Message("<FINISH, x>")


def Rarer(x: Label, home: int, id: Label, count: int) -> bool:
    """label x has come home less often than one's own, or as often and is smaller"""
    return home < count or (home == count and x < id)


@start
def U1(p: Process, c: Params) -> Guarded:
    yield p.count == 0
    p.send(TOKEN, p.id, 0)


@on(TOKEN)
def U2(p: Process, x: Label, home: int, c: Params) -> Guarded:
    yield x != p.id
    if p.active and p.count >= 1 and Rarer(x, home, p.id, p.count):
        p.active = 0
    p.send(TOKEN, x, home)


@on(TOKEN)
def U3(p: Process, x: Label, home: int, c: Params) -> Guarded:
    yield x == p.id and p.active and p.count < c.k
    p.count += 1
    p.send(TOKEN, x, home + 1)


@on(TOKEN)
def U4(p: Process, x: Label, home: int, c: Params) -> Guarded:
    yield x == p.id and p.active and p.count == c.k
    p.count += 1
    p.isLeader = 1
    p.leader = p.id
    p.done = 1
    p.send(FINISH, p.id)


@on(TOKEN)
def U5(p: Process, x: Label, home: int, c: Params) -> Guarded:
    yield x == p.id and not p.active
    # nothing: the token is consumed


@on(FINISH)
def U6(p: Process, x: Label, c: Params) -> Guarded:
    yield not p.isLeader
    p.leader = x
    p.done = 1
    p.send(FINISH, x)
    p.halt()


@on(FINISH)
def U7(p: Process, x: Label, c: Params) -> Guarded:
    yield p.isLeader
    p.halt()


class UK(RingAlgorithm):
    name = "u_k"
    title = "unidirectional rings with a unique label, labels at most k times each: time (k+2)n (a reconstruction)"
    paper = "after Altisen, Datta, Devismes, Durand, Larmore: Leader election in rings with bounded multiplicity (2016)"
    k = Param(min=1, default="multiplicity", doc="no label occurs more than k times, and some label once")
    active = Flag(initially=1)
    count = Number(0, lambda c: c.k + 1)
    look = Look(
        marks=[
            Mark("dot", "active", when=lambda p: p.active == 1, hue=4),
            Mark("flag", "knows the leader", when=lambda p: p.done == 1, hue=3),
        ],
        bar="count",
        color="active",
    )
    actions = (U1, U2, U3, U4, U5, U6, U7)
    bounds = {  # the time is the paper's, and exact; messages are ours, exact where labels are distinct
        "time": lambda ring, c: (c.k + 2) * ring.n,
        "messages": lambda ring, c: 2 * ring.n**2 + c.k * ring.n,
        "max_bits": lambda ring, c: 2 * ring.label_bits + (c.k + 1).bit_length() + 3,
    }

    @staticmethod
    def demands(ring: Ring, c: Params) -> str | None:
        outside = outside_class(ring, c.k, "U")
        if outside is None and not ring.in_u_star:
            return f"no label of the ring is unique: U_{c.k} may elect two leaders or none here. Take a_k or b_k."
        return outside

    @staticmethod
    def least_messages(ring: Ring, c: Params) -> int:
        """The leader's label goes round k + 1 times, its announcement once."""
        return ring.n * (c.k + 2)

    @staticmethod
    def smallest_k(ring: Ring) -> int | None:
        return ring.multiplicity if ring.in_u_star else None
