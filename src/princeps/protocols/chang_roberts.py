"""Chang-Roberts: the largest of distinct labels wins in a unidirectional ring, with n H_n messages on average.

Chang, Roberts (1979).
Every process sends its label clockwise. Smaller processes pass it on, and the first larger one swallows it, so that
only the largest label comes home; its process leads. How many messages this takes depends on the arrangement of the
labels alone: from 2n-1 (ascending clockwise) to n(n+1)/2 (descending), and n (1 + 1/2 + ... + 1/n) on average.

In the paper some processes may begin later than others, or not at all; here all of them begin. The leader announces
itself by a message that goes round (C5, C6). It meets no label on its way: all processes had sent theirs before they
passed on the largest, and links are FIFO.
"""

from princeps.model import (
    Guarded,
    Label,
    Look,
    Mark,
    Message,
    OneOf,
    Params,
    Process,
    Ring,
    RingAlgorithm,
    on,
    repeated_label,
    start,
)

TOKEN, FINISH = Message("<x>"), Message("<FINISH, x>")
INIT, CANDIDATE, PASSIVE = range(3)


@start
def C1(p: Process, c: Params) -> Guarded:
    yield p.state == INIT
    p.state = CANDIDATE
    p.send(TOKEN, p.id)


@on(TOKEN)
def C2(p: Process, x: Label, c: Params) -> Guarded:
    yield x > p.id
    p.state = PASSIVE
    p.send(TOKEN, x)


@on(TOKEN)
def C3(p: Process, x: Label, c: Params) -> Guarded:
    yield x < p.id
    # nothing: the label is swallowed


@on(TOKEN)
def C4(p: Process, x: Label, c: Params) -> Guarded:
    yield x == p.id
    p.isLeader = 1
    p.leader = p.id
    p.done = 1
    p.send(FINISH, p.id)


@on(FINISH)
def C5(p: Process, x: Label, c: Params) -> Guarded:
    yield not p.isLeader
    p.leader = x
    p.done = 1
    p.send(FINISH, x)
    p.halt()


@on(FINISH)
def C6(p: Process, x: Label, c: Params) -> Guarded:
    yield p.isLeader
    p.halt()


class ChangRoberts(RingAlgorithm):
    name = "chang_roberts"
    title = "distinct labels, unidirectional: O(n log n) messages on average, O(n^2) at worst"
    paper = (
        "Chang, Roberts: An improved algorithm for decentralized extrema-finding in circular configurations of "
        "processes (1979)"
    )
    state = OneOf("INIT", "CANDIDATE", "PASSIVE")
    look = Look(
        marks=[
            Mark("dot", "candidate", when=lambda p: p.state == CANDIDATE, hue=4),
            Mark("flag", "knows the leader", when=lambda p: p.done == 1, hue=3),
        ],
        color="state",
    )
    actions = (C1, C2, C3, C4, C5, C6)
    bounds = {  # the labels in descending order clockwise, and n for the announcement
        "time": lambda ring, c: 2 * ring.n,
        "messages": lambda ring, c: ring.n * (ring.n + 1) // 2 + ring.n,
    }

    @staticmethod
    def demands(ring: Ring, c: Params) -> str | None:
        return repeated_label(ring, "Chang-Roberts")
