"""A ring algorithm of one's own: distinct labels, the smallest leads, and only half of the processes compete.

As in Chang and Roberts' algorithm a token travels until it meets a smaller label. But first everybody greets its right
neighbour, and only who hears a larger label than its own sends a token at all: the others have lost already.
Run it with `princeps run examples/listeners.py:Listeners --labels 4,2,5,1,3 --trace`.
"""

from princeps.model import (
    Guarded,
    Label,
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

HELLO, TOKEN, FINISH = Message("<HELLO, x>"), Message("<x>"), Message("<FINISH, x>")
LISTENS, COMPETES, RELAYS = range(3)


@start
def T1(p: Process, c: Params) -> Guarded:
    yield p.state == LISTENS
    p.send(HELLO, p.id)


@on(HELLO)
def T2(p: Process, x: Label, c: Params) -> Guarded:
    yield x > p.id
    p.state = COMPETES
    p.send(TOKEN, p.id)


@on(HELLO)
def T3(p: Process, x: Label, c: Params) -> Guarded:
    yield x < p.id
    p.state = RELAYS


@on(TOKEN)
def T4(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == RELAYS or x < p.id
    p.state = RELAYS
    p.send(TOKEN, x)


@on(TOKEN)
def T5(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == COMPETES and x > p.id
    # the token goes no further


@on(TOKEN)
def T6(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == COMPETES and x == p.id
    p.isLeader = 1
    p.leader = p.id
    p.done = 1
    p.send(FINISH, p.id)


@on(FINISH)
def T7(p: Process, x: Label, c: Params) -> Guarded:
    yield not p.isLeader
    p.leader = x
    p.done = 1
    p.send(FINISH, x)
    p.halt()


@on(FINISH)
def T8(p: Process, x: Label, c: Params) -> Guarded:
    yield p.isLeader
    p.halt()


class Listeners(RingAlgorithm):
    title = "distinct labels, unidirectional: who hears a smaller neighbour does not compete"
    state = OneOf("LISTENS", "COMPETES", "RELAYS")
    actions = (T1, T2, T3, T4, T5, T6, T7, T8)

    @staticmethod
    def demands(ring: Ring, c: Params) -> str | None:
        return repeated_label(ring, "Listeners")
