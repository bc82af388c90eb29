"""Peterson: the largest of distinct labels is found in a unidirectional ring, with O(n log n) messages at worst.

Peterson (1982); Dolev, Klawe, Rodeh (1982) found it independently.
Every active process stands for a label, its `guest`, at first its own. In a phase it learns the guests of the two
nearest active processes on its left: `first` by a message ONE, the next by a message TWO. If `first` is the largest of
the three, it goes on to the next phase as that label's host; otherwise it becomes passive and only passes messages on.
Of two neighbours at most one survives, so the active ones are at least halved; who meets its own guest is alone.

Phases overlap, but ONE and TWO alternate on every link. What is found is the largest label. Here the last active process
wins, which is never the one that has it (that becomes passive in the first phase), and announces its own label.
"""

from princeps.model import (
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

ONE, TWO, FINISH = Message("<ONE, x>"), Message("<TWO, x>"), Message("<FINISH, x>")
INIT, ACTIVE, PASSIVE = range(3)


def LocalMaximum(x: Label, left: Label, right: Label) -> bool:
    """Larger than both neighbours"""
    return x > left and x > right


@start
def P1(p: Process, c: Params) -> Guarded:
    yield p.state == INIT
    p.state = ACTIVE
    p.guest = p.id
    p.send(ONE, p.guest)


# Active processes


@on(ONE)
def P2(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == ACTIVE and x != p.guest
    p.first = x
    p.send(TWO, x)


@on(TWO)
def P3(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == ACTIVE and LocalMaximum(p.first, x, p.guest)
    p.guest = p.first
    p.send(ONE, p.guest)


@on(TWO)
def P4(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == ACTIVE and not LocalMaximum(p.first, x, p.guest)
    p.state = PASSIVE


# Passive processes


@on(ONE)
def P5(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == PASSIVE
    p.send(ONE, x)


@on(TWO)
def P6(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == PASSIVE
    p.send(TWO, x)


# Ending


@on(ONE)
def P7(p: Process, x: Label, c: Params) -> Guarded:
    yield p.state == ACTIVE and x == p.guest
    p.isLeader = 1
    p.leader = p.id
    p.done = 1
    p.send(FINISH, p.id)


@on(FINISH)
def P8(p: Process, x: Label, c: Params) -> Guarded:
    yield not p.isLeader
    p.leader = x
    p.done = 1
    p.send(FINISH, x)
    p.halt()


@on(FINISH)
def P9(p: Process, x: Label, c: Params) -> Guarded:
    yield p.isLeader
    p.halt()


class Peterson(RingAlgorithm):
    name = "peterson"
    title = "distinct labels, unidirectional: O(n log n) messages at worst"
    paper = "Peterson: An O(n log n) unidirectional algorithm for the circular extrema problem (1982)"
    state = OneOf("INIT", "ACTIVE", "PASSIVE")
    guest, first = LabelVariable(), LabelVariable()
    look = Look(
        marks=[
            Mark("dot", "active", when=lambda p: p.state == ACTIVE, hue=4),
            Mark("flag", "knows the leader", when=lambda p: p.done == 1, hue=3),
        ],
        color="state",
    )
    actions = (P1, P2, P3, P4, P5, P6, P7, P8, P9)
    phase_ends = (P3,)
    bounds = {  # floor(lg n) phases with 2n messages, n in which the last process meets itself, and the announcement
        "messages": lambda ring, c: 2 * ring.n * ring.n.bit_length(),
    }

    @staticmethod
    def demands(ring: Ring, c: Params) -> str | None:
        return repeated_label(ring, "Peterson")
