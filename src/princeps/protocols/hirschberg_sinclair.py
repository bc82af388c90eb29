"""Hirschberg-Sinclair: the largest of distinct labels wins in a bidirectional ring, with O(n log n) messages at worst.

Hirschberg, Sinclair (1980).
A candidate explores its surroundings: it sends its label as a probe `reach` = 1, 2, 4, ... hops both ways. Smaller
processes pass the probe on and give up, a larger one swallows it, and from its last hop a reply goes back. After both
replies the candidate doubles its reach. Those whose reach was 2^i are then more than 2^i apart, fewer than n/2^i of
them, and the next phase costs each at most 8 * 2^i messages. Who receives its own probes leads.

In the paper a larger process answers "no"; as in most textbooks it is silent here. The leader waits for both of its
probes. Nobody else is a candidate then, but replies to others may still be under way, in either direction: on a ring of
14 one of them can arrive after a clockwise announcement. So the announcement goes both ways, 2n messages, behind all
replies, and a process halts when it has come from both sides.
"""

from princeps.model import (
    RIGHT,
    Flag,
    Guarded,
    Label,
    Look,
    Mark,
    Message,
    Number,
    OneOf,
    Params,
    Process,
    Ring,
    RingAlgorithm,
    ceil_lg,
    on,
    repeated_label,
    start,
)

PROBE, REPLY, FINISH = Message("<PROBE, x, #hops>"), Message("<REPLY, x>"), Message("<FINISH, x>")
INIT, CANDIDATE, PASSIVE = range(3)


@start
def H1(p: Process, c: Params) -> Guarded:
    yield p.state == INIT
    p.state = CANDIDATE
    p.send_left(PROBE, p.id, p.reach)
    p.send_right(PROBE, p.id, p.reach)


# Probes from the left


@on(PROBE)
def H2(p: Process, x: Label, hops: int, c: Params) -> Guarded:
    yield x > p.id and hops > 1
    p.state = PASSIVE
    p.send_right(PROBE, x, hops - 1)


@on(PROBE)
def H3(p: Process, x: Label, hops: int, c: Params) -> Guarded:
    yield x > p.id and hops == 1
    p.state = PASSIVE
    p.send_left(REPLY, x)


@on(PROBE)
def H4(p: Process, x: Label, hops: int, c: Params) -> Guarded:
    yield x < p.id
    # nothing: the probe is swallowed


@on(PROBE)
def H5(p: Process, x: Label, hops: int, c: Params) -> Guarded:
    yield x == p.id and not p.half
    p.half = 1


@on(PROBE)
def H6(p: Process, x: Label, hops: int, c: Params) -> Guarded:
    yield x == p.id and p.half
    p.isLeader = 1
    p.leader = p.id
    p.send_left(FINISH, p.id)
    p.send_right(FINISH, p.id)


# Probes from the right, the same in the mirror


@on(PROBE, RIGHT)
def H7(p: Process, x: Label, hops: int, c: Params) -> Guarded:
    yield x > p.id and hops > 1
    p.state = PASSIVE
    p.send_left(PROBE, x, hops - 1)


@on(PROBE, RIGHT)
def H8(p: Process, x: Label, hops: int, c: Params) -> Guarded:
    yield x > p.id and hops == 1
    p.state = PASSIVE
    p.send_right(REPLY, x)


@on(PROBE, RIGHT)
def H9(p: Process, x: Label, hops: int, c: Params) -> Guarded:
    yield x < p.id
    # nothing: the probe is swallowed


@on(PROBE, RIGHT)
def H10(p: Process, x: Label, hops: int, c: Params) -> Guarded:
    yield x == p.id and not p.half
    p.half = 1


@on(PROBE, RIGHT)
def H11(p: Process, x: Label, hops: int, c: Params) -> Guarded:
    yield x == p.id and p.half
    p.isLeader = 1
    p.leader = p.id
    p.send_left(FINISH, p.id)
    p.send_right(FINISH, p.id)


# Replies


@on(REPLY)
def H12(p: Process, x: Label, c: Params) -> Guarded:
    yield x != p.id
    p.send_right(REPLY, x)


@on(REPLY)
def H13(p: Process, x: Label, c: Params) -> Guarded:
    yield x == p.id and (not p.half or p.state == PASSIVE)
    p.half = 1


@on(REPLY)
def H14(p: Process, x: Label, c: Params) -> Guarded:
    yield x == p.id and p.half and p.state == CANDIDATE
    p.half = 0
    p.reach = 2 * p.reach
    p.send_left(PROBE, p.id, p.reach)
    p.send_right(PROBE, p.id, p.reach)


@on(REPLY, RIGHT)
def H15(p: Process, x: Label, c: Params) -> Guarded:
    yield x != p.id
    p.send_left(REPLY, x)


@on(REPLY, RIGHT)
def H16(p: Process, x: Label, c: Params) -> Guarded:
    yield x == p.id and (not p.half or p.state == PASSIVE)
    p.half = 1


@on(REPLY, RIGHT)
def H17(p: Process, x: Label, c: Params) -> Guarded:
    yield x == p.id and p.half and p.state == CANDIDATE
    p.half = 0
    p.reach = 2 * p.reach
    p.send_left(PROBE, p.id, p.reach)
    p.send_right(PROBE, p.id, p.reach)


# Ending


@on(FINISH)
def H18(p: Process, x: Label, c: Params) -> Guarded:
    yield not p.done
    p.leader = x
    p.done = 1
    if not p.isLeader:
        p.send_right(FINISH, x)


@on(FINISH)
def H19(p: Process, x: Label, c: Params) -> Guarded:
    yield p.done
    if not p.isLeader:
        p.send_right(FINISH, x)
    p.halt()


@on(FINISH, RIGHT)
def H20(p: Process, x: Label, c: Params) -> Guarded:
    yield not p.done
    p.leader = x
    p.done = 1
    if not p.isLeader:
        p.send_left(FINISH, x)


@on(FINISH, RIGHT)
def H21(p: Process, x: Label, c: Params) -> Guarded:
    yield p.done
    if not p.isLeader:
        p.send_left(FINISH, x)
    p.halt()


class HirschbergSinclair(RingAlgorithm):
    name = "hirschberg_sinclair"
    title = "distinct labels, bidirectional: O(n log n) messages at worst, by probes of 1, 2, 4, ... hops"
    paper = "Hirschberg, Sinclair: Decentralized extrema-finding in circular configurations of processors (1980)"
    bidirectional = True
    state = OneOf("INIT", "CANDIDATE", "PASSIVE")
    reach = Number(1)
    half = Flag()  # one of both probes has been answered, or is home
    look = Look(
        marks=[
            Mark("dot", "candidate", when=lambda p: p.state == CANDIDATE, hue=4),
            Mark("ring", "one probe has come back", when=lambda p: p.state == CANDIDATE and p.half == 1, hue=2),
            Mark("flag", "knows the leader", when=lambda p: p.done == 1, hue=3),
        ],
        bar="reach",
        color="state",
    )
    actions = (H1, H2, H3, H4, H5, H6, H7, H8, H9, H10, H11, H12, H13, H14, H15, H16, H17, H18, H19, H20, H21)
    phase_ends = (H14, H17)
    bounds = {
        "time": lambda ring, c: 2 * (2 ** ceil_lg(ring.n) - 1) + 2 * ring.n,
        "messages": lambda ring, c: 8 * ring.n * (ceil_lg(ring.n) + 1),
    }

    @staticmethod
    def demands(ring: Ring, c: Params) -> str | None:
        return repeated_label(ring, "Hirschberg-Sinclair")
