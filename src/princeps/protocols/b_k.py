"""B_k: leader election in asymmetric unidirectional rings whose labels repeat at most k times, in O(log k + b) bits.

Altisen, Datta, Devismes, Durand, Larmore (2017), Table 2; the actions have the paper's names, k >= 2.
In phase i every process holds LLabels(p)[i] in `guest`. The processes still competing compare their guests by sending
them round the ring; whoever sees a smaller one becomes passive. After k+1 sightings of its own guest (`inner`) a
process knows that all others have been seen, and everybody shifts: guests move one process to the right. Who gets its
own label as guest for the (k+1)-th time (`outer`) has been through at least n phases and is alone.
"""

from princeps.model import (
    Guarded,
    Label,
    LabelVariable,
    Look,
    Mark,
    Message,
    Number,
    OneOf,
    Param,
    Params,
    Process,
    Ring,
    RingAlgorithm,
    on,
    outside_class,
    start,
)

TOKEN, PHASE_SHIFT, FINISH = Message("<x>"), Message("<PHASE_SHIFT, x>"), Message("<FINISH, x>")
INIT, COMPUTE, SHIFT, PASSIVE, WIN, HALT = range(6)


@start
def B1(p: Process, c: Params) -> Guarded:
    yield p.state == INIT
    p.state = COMPUTE
    p.guest = p.id
    p.inner = 1
    p.outer = 1
    p.send(TOKEN, p.guest)


# Computation during a phase


@on(TOKEN)
def B2(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == COMPUTE and x > p.guest
    # nothing: the token is discarded


@on(TOKEN)
def B3(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == COMPUTE and x == p.guest and p.inner < c.k
    p.inner += 1
    p.send(TOKEN, x)


@on(TOKEN)
def B4(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == COMPUTE and x < p.guest
    p.state = PASSIVE
    p.send(TOKEN, x)


# Phase switching


@on(TOKEN)
def B5(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == COMPUTE and x == p.guest and p.inner == c.k
    p.state = SHIFT
    p.send(PHASE_SHIFT, p.guest)


@on(PHASE_SHIFT)
def B6(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == SHIFT and (x != p.id or p.outer < c.k)
    p.state = COMPUTE
    if p.id == x:
        p.outer += 1
    p.guest = x
    p.inner = 1
    p.send(TOKEN, p.guest)


# Passive processes


@on(TOKEN)
def B7(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == PASSIVE
    p.send(TOKEN, x)


@on(PHASE_SHIFT)
def B8(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == PASSIVE
    p.send(PHASE_SHIFT, p.guest)
    p.guest = x


# Ending phase


@on(PHASE_SHIFT)
def B9(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == SHIFT and x == p.id and p.outer == c.k
    p.state = WIN
    p.isLeader = 1
    p.leader = p.id
    p.guest = p.id
    p.send(FINISH, p.id)


@on(FINISH)
def B10(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == PASSIVE
    p.state = HALT
    p.send(FINISH, x)
    p.leader = x
    p.done = 1
    p.halt()


@on(FINISH)
def B11(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == WIN
    p.state = HALT
    p.done = 1
    p.halt()


class BK(RingAlgorithm):
    name = "b_k"
    title = "asymmetric unidirectional rings, labels at most k times each: O(log k + b) bits, time O(k^2 n^2)"
    paper = (
        "Altisen, Datta, Devismes, Durand, Larmore: Leader election in asymmetric labeled unidirectional rings (2017)"
    )
    elects_true_leader = True
    k = Param(min=2, default="multiplicity", doc="no label occurs more than k times")
    state = OneOf("INIT", "COMPUTE", "SHIFT", "PASSIVE", "WIN", "HALT")
    guest = LabelVariable()
    inner, outer = Number(1, lambda c: c.k), Number(1, lambda c: c.k)
    look = Look(
        marks=[
            Mark("dot", "active: computes or shifts", when=lambda p: p.state == COMPUTE or p.state == SHIFT, hue=4),
            Mark("flag", "knows the leader", when=lambda p: p.done == 1, hue=3),
        ],
        bar="inner",
        color="state",
    )
    actions = (B1, B2, B3, B4, B5, B6, B7, B8, B9, B10, B11)
    phase_ends = (B6, B8, B9)  # a process enters its next phase by one of these
    own_constants = ("time", "messages")
    bounds = {  # Theorem 4 says O(k^2 n^2); its proof's O((k+1)n) a phase and X <= (k+1)n phases, taken at their word
        "time": lambda ring, c: (c.k + 1) ** 2 * ring.n**2,
        "messages": lambda ring, c: (c.k + 1) ** 2 * ring.n**2,
        "max_bits": lambda ring, c: 2 * (c.k - 1).bit_length() + 3 * ring.label_bits + 5,
    }

    @staticmethod
    def demands(ring: Ring, c: Params) -> str | None:
        return outside_class(ring, c.k, "B")

    @staticmethod
    def least_messages(ring: Ring, c: Params) -> int:
        """In each phase every process sends k tokens and a shift; the leader's label comes k + 1 times as its guest."""
        return ring.n**2 * (c.k + 1) * (c.k // ring.multiplicity)

    @staticmethod
    def smallest_k(ring: Ring) -> int:
        return max(2, ring.multiplicity)
