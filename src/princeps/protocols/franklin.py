"""Franklin: the largest of distinct labels wins in a bidirectional ring, with O(n log n) messages at worst.

Franklin (1982).
In a phase every active process sends its label both ways and waits for the labels of the nearest active processes on
either side; passive ones pass them on. Who is larger than both goes on to the next phase, who is not becomes passive.
Of two neighbours at most one survives, so the active ones are at least halved. Who is alone hears itself on both sides.

One side may be a phase ahead of the other, but no more, since it needs an answer. Its label is then kept (F3, F9) until
the other side has been heard; who then becomes passive passes it on. The leader waits for both of its labels, after
which all links are empty, and announces itself clockwise.
"""

from princeps.model import (
    RIGHT,
    Flag,
    Guarded,
    Label,
    LabelVariable,
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
INIT, ACTIVE, LEFT_HEARD, RIGHT_HEARD, PASSIVE = range(5)


def Alone(own: Label, left: Label, right: Label) -> bool:
    """The nearest active process on both sides is oneself"""
    return left == own and right == own


def LocalMaximum(own: Label, left: Label, right: Label) -> bool:
    """Larger than the nearest active process on either side"""
    return own > left and own > right


@start
def F1(p: Process, c: Params) -> Guarded:
    yield p.state == INIT
    p.state = ACTIVE
    p.send_left(TOKEN, p.id)
    p.send_right(TOKEN, p.id)


# From the left


@on(TOKEN)
def F2(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == ACTIVE
    p.state = LEFT_HEARD
    p.heard = x


@on(TOKEN)
def F3(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == LEFT_HEARD  # the left side is a phase ahead
    p.ahead = 1
    p.later = x


@on(TOKEN)
def F4(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == RIGHT_HEARD and LocalMaximum(p.id, x, p.heard)
    p.state = ACTIVE
    if p.ahead:
        p.state = RIGHT_HEARD
        p.heard = p.later
        p.ahead = 0
    p.send_left(TOKEN, p.id)
    p.send_right(TOKEN, p.id)


@on(TOKEN)
def F5(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == RIGHT_HEARD and not LocalMaximum(p.id, x, p.heard) and not Alone(p.id, x, p.heard)
    p.state = PASSIVE
    if p.ahead:
        p.send_left(TOKEN, p.later)


@on(TOKEN)
def F6(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == RIGHT_HEARD and Alone(p.id, x, p.heard)
    p.isLeader = 1
    p.leader = p.id
    p.done = 1
    p.send_right(FINISH, p.id)


@on(TOKEN)
def F7(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == PASSIVE
    p.send_right(TOKEN, x)


# From the right, the same in the mirror


@on(TOKEN, RIGHT)
def F8(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == ACTIVE
    p.state = RIGHT_HEARD
    p.heard = x


@on(TOKEN, RIGHT)
def F9(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == RIGHT_HEARD  # the right side is a phase ahead
    p.ahead = 1
    p.later = x


@on(TOKEN, RIGHT)
def F10(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == LEFT_HEARD and LocalMaximum(p.id, p.heard, x)
    p.state = ACTIVE
    if p.ahead:
        p.state = LEFT_HEARD
        p.heard = p.later
        p.ahead = 0
    p.send_left(TOKEN, p.id)
    p.send_right(TOKEN, p.id)


@on(TOKEN, RIGHT)
def F11(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == LEFT_HEARD and not LocalMaximum(p.id, p.heard, x) and not Alone(p.id, p.heard, x)
    p.state = PASSIVE
    if p.ahead:
        p.send_right(TOKEN, p.later)


@on(TOKEN, RIGHT)
def F12(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == LEFT_HEARD and Alone(p.id, p.heard, x)
    p.isLeader = 1
    p.leader = p.id
    p.done = 1
    p.send_right(FINISH, p.id)


@on(TOKEN, RIGHT)
def F13(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == PASSIVE
    p.send_left(TOKEN, x)


# Ending


@on(FINISH)
def F14(p: Process, x: Label, c: Params) -> Guarded:
    yield not p.isLeader
    p.leader = x
    p.done = 1
    p.send_right(FINISH, x)
    p.halt()


@on(FINISH)
def F15(p: Process, x: Label, c: Params) -> Guarded:
    yield p.isLeader
    p.halt()


class Franklin(RingAlgorithm):
    name = "franklin"
    title = "distinct labels, bidirectional: O(n log n) messages at worst"
    paper = (
        "Franklin: On an improved algorithm for decentralized extrema finding in circular configurations of "
        "processors (1982)"
    )
    bidirectional = True
    state = OneOf("INIT", "ACTIVE", "LEFT_HEARD", "RIGHT_HEARD", "PASSIVE")
    heard, later = LabelVariable(), LabelVariable()
    ahead = Flag()
    look = Look(
        marks=[
            Mark("dot", "active", when=lambda p: p.state != INIT and p.state != PASSIVE, hue=4),
            Mark("ring", "has heard one side", when=lambda p: p.state == LEFT_HEARD or p.state == RIGHT_HEARD, hue=2),
            Mark("flag", "knows the leader", when=lambda p: p.done == 1, hue=3),
        ],
        color="state",
    )
    actions = (F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F11, F12, F13, F14, F15)
    phase_ends = (F4, F10)
    bounds = {  # the paper's: at most floor(lg n) + 1 phases with 2n messages, and the announcement
        "messages": lambda ring, c: 2 * ring.n * ring.n.bit_length() + ring.n,
    }

    @staticmethod
    def demands(ring: Ring, c: Params) -> str | None:
        return repeated_label(ring, "Franklin")
