"""Le Lann: every label goes all the way round a unidirectional ring, and the largest wins; n^2 messages, always.

Le Lann (1977).
Every process sends its label clockwise and passes on all others, remembering the largest in `best`. Links are FIFO, so
its own label comes home last: it has then seen them all and knows who leads.

A process may know this long before the leader's own label is home, and `done` must wait until somebody leads. No later
message would tell it so; therefore an announcement goes round here (L5, L6), n messages more. It need not carry the
label, since it arrives everywhere after all n labels.
"""

from princeps.model import (
    Flag,
    Guarded,
    Label,
    LabelVariable,
    Look,
    Mark,
    Message,
    Params,
    Process,
    Ring,
    RingAlgorithm,
    on,
    repeated_label,
    start,
)

TOKEN, FINISH = Message("<x>"), Message("<FINISH>")


@start
def L1(p: Process, c: Params) -> Guarded:
    yield p.INIT
    p.INIT = 0
    p.best = p.id
    p.send(TOKEN, p.id)


@on(TOKEN)
def L2(p: Process, x: Label, c: Params) -> Guarded:
    yield x != p.id
    p.best = max(p.best, x)
    p.send(TOKEN, x)


@on(TOKEN)
def L3(p: Process, x: Label, c: Params) -> Guarded:
    yield x == p.id and p.best != p.id
    p.leader = p.best


@on(TOKEN)
def L4(p: Process, x: Label, c: Params) -> Guarded:
    yield x == p.id and p.best == p.id
    p.isLeader = 1
    p.leader = p.id
    p.done = 1
    p.send(FINISH)


@on(FINISH)
def L5(p: Process, c: Params) -> Guarded:
    yield not p.isLeader
    p.done = 1
    p.send(FINISH)
    p.halt()


@on(FINISH)
def L6(p: Process, c: Params) -> Guarded:
    yield p.isLeader
    p.halt()


class LeLann(RingAlgorithm):
    name = "lelann"
    title = "distinct labels, unidirectional: everyone sees all labels, n^2 messages"
    paper = "Le Lann: Distributed systems - towards a formal approach (1977)"
    INIT = Flag(initially=1)
    best = LabelVariable()
    look = Look(marks=[Mark("flag", "knows the leader", when=lambda p: p.done == 1, hue=3)], color="done")
    actions = (L1, L2, L3, L4, L5, L6)
    bounds = {  # both are exact: every execution takes this time and this number of messages
        "time": lambda ring, c: 2 * ring.n,
        "messages": lambda ring, c: ring.n**2 + ring.n,
    }

    @staticmethod
    def demands(ring: Ring, c: Params) -> str | None:
        return repeated_label(ring, "Le Lann")
