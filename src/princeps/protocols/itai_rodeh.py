"""Itai-Rodeh: one of n indistinguishable processes that know n is elected by coins, with probability 1.

Itai, Rodeh (1981; 1990); here in its usual form for FIFO links.
In a round every active process tosses a number and sends it clockwise, with the round. Who receives something larger
(a later round, or in the same round a larger number) becomes passive and passes it on; something smaller is swallowed;
something equal is passed on, but marked as not unique. A token that has made n hops is home: if it is still unique its
process leads, otherwise the process enters the next round. The largest of n numbers from 0..n-1 is unique with
probability at least 1/2, and that of fewer even more often, so that two rounds suffice on average.

Rounds are counted without bound. Over FIFO links they could be left out: an active process never meets a token of another
round, and mutants without the comparison behave the same. Labels play no role: the winner puts its own
into the announcement (I6), so that `leader` means here what it means elsewhere.
"""

from princeps.model import (
    Guarded,
    Label,
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
    start,
)

TOKEN, FINISH = Message("<#number, #round, #hop, #unique>"), Message("<FINISH, x>")
INIT, ACTIVE, PASSIVE = range(3)


def Same(number: int, round: int, own_number: int, own_round: int) -> bool:
    """From this round, with one's own number"""
    return round == own_round and number == own_number


def Larger(number: int, round: int, own_number: int, own_round: int) -> bool:
    """From a later round, or from this one with a larger number"""
    return round > own_round or (round == own_round and number > own_number)


@start
def I1(p: Process, c: Params) -> Guarded:
    yield p.state == INIT
    p.state = ACTIVE
    p.number = p.toss(c.size)
    p.send(TOKEN, p.number, p.round, 1, 1)


# Active processes: another's token


@on(TOKEN)
def I2(p: Process, number: int, round: int, hop: int, unique: int, c: Params) -> Guarded:
    yield p.state == ACTIVE and hop < c.size and Same(number, round, p.number, p.round)
    p.send(TOKEN, number, round, hop + 1, 0)


@on(TOKEN)
def I3(p: Process, number: int, round: int, hop: int, unique: int, c: Params) -> Guarded:
    yield p.state == ACTIVE and hop < c.size and Larger(number, round, p.number, p.round)
    p.state = PASSIVE
    p.send(TOKEN, number, round, hop + 1, unique)


@on(TOKEN)
def I4(p: Process, number: int, round: int, hop: int, unique: int, c: Params) -> Guarded:
    yield p.state == ACTIVE and hop < c.size and Larger(p.number, p.round, number, round)
    # nothing: the token is swallowed


# Active processes: their own token


@on(TOKEN)
def I5(p: Process, number: int, round: int, hop: int, unique: int, c: Params) -> Guarded:
    yield p.state == ACTIVE and hop == c.size and not unique
    p.round += 1
    p.number = p.toss(c.size)
    p.send(TOKEN, p.number, p.round, 1, 1)


@on(TOKEN)
def I6(p: Process, number: int, round: int, hop: int, unique: int, c: Params) -> Guarded:
    yield p.state == ACTIVE and hop == c.size and unique
    p.isLeader = 1
    p.leader = p.id
    p.done = 1
    p.send(FINISH, p.id)


# Passive processes


@on(TOKEN)
def I7(p: Process, number: int, round: int, hop: int, unique: int, c: Params) -> Guarded:
    yield p.state == PASSIVE
    p.send(TOKEN, number, round, hop + 1, unique)


# Ending


@on(FINISH)
def I8(p: Process, x: Label, c: Params) -> Guarded:
    yield not p.isLeader
    p.leader = x
    p.done = 1
    p.send(FINISH, x)
    p.halt()


@on(FINISH)
def I9(p: Process, x: Label, c: Params) -> Guarded:
    yield p.isLeader
    p.halt()


class ItaiRodeh(RingAlgorithm):
    name = "itai_rodeh"
    title = "anonymous, unidirectional, n known: coins, O(n log n) messages on average"
    paper = "Itai, Rodeh: Symmetry breaking in distributed networks (1990)"
    anonymous = True
    size = Param(min=2, default="n", doc="the number of processes, which all of them know")
    state = OneOf("INIT", "ACTIVE", "PASSIVE")
    number = Number(0, lambda c: c.size - 1)
    round = Number(1)
    look = Look(
        marks=[
            Mark("dot", "active", when=lambda p: p.state == ACTIVE, hue=4),
            Mark("flag", "knows the leader", when=lambda p: p.done == 1, hue=3),
        ],
        bar="round",
        color="state",
    )
    actions = (I1, I2, I3, I4, I5, I6, I7, I8, I9)
    phase_ends = (I5,)

    @staticmethod
    def demands(ring: Ring, c: Params) -> str | None:
        if c.size == ring.n:
            return None
        return f"size = {c.size}, but the ring has {ring.n} processes: Itai-Rodeh must know their number exactly."
