"""An algorithm that elects the largest of distinct labels, and by request breaks a rule of the specification.

The largest label comes home (C4), FINISH goes round, then BYE, at which everybody halts. Beside it there is chaff: a
message that turns into two at each of its hops and is always ahead of FINISH.
"""

from __future__ import annotations

from princeps.model.fields import Param, Params
from princeps.model.rings.algorithm import (
    RIGHT,
    Flag,
    Guarded,
    LabelVariable,
    Message,
    Process,
    RingAlgorithm,
    on,
    start,
)
from princeps.model.rings.declarations import Action
from princeps.model.rings.ring import Label

TOKEN, FINISH, BYE, CHAFF = Message("<x>"), Message("<FINISH, x>"), Message("<BYE>"), Message("<CHAFF, #hops>")
FLAWLESS, SILENT, FALLS, SECOND, UNDONE, WAVERS, CHANGES, EARLY, WRONG, HASTY, MUTE, TALKS, WAKES = range(13)


@start
def C1(p: Process, c: Params) -> Guarded:
    yield 1
    if c.fault != SILENT:
        p.send(TOKEN, p.id)
        p.send(CHAFF, c.chaff)


@on(CHAFF)
def split(p: Process, hops: int, c: Params) -> Guarded:
    yield hops >= 0
    if hops == 0:
        return
    p.send(CHAFF, hops - 1)
    p.send(CHAFF, hops - 1)


@on(TOKEN)
def C2(p: Process, x: Label, c: Params) -> Guarded:
    yield x > p.id
    p.send(TOKEN, x)


@on(TOKEN)
def C3(p: Process, x: Label, c: Params) -> Guarded:
    yield x < p.id
    p.swallowed = x


@on(TOKEN)
def C4(p: Process, x: Label, c: Params) -> Guarded:
    yield x == p.id
    p.home = 1
    p.isLeader = c.fault != EARLY
    p.leader = p.id
    p.done = 1
    p.send(FINISH, p.id)


@on(FINISH)
def C5(p: Process, x: Label, c: Params) -> Guarded:
    yield not p.home
    p.isLeader = c.fault == SECOND
    p.leader = p.id if c.fault == WRONG else x
    p.done = c.fault != HASTY
    p.send(FINISH, x)


@on(FINISH)
def C6(p: Process, x: Label, c: Params) -> Guarded:
    yield p.home
    p.isLeader = c.fault != FALLS
    p.done = c.fault != UNDONE
    if c.fault == WAVERS:
        p.leader = p.swallowed
    p.send(BYE)


@on(BYE)
def C7(p: Process, c: Params) -> Guarded:
    yield not p.home and c.fault != MUTE
    if c.fault == CHANGES:
        p.leader = p.id
    p.send(BYE)
    p.halt()


@on(BYE)
def C8(p: Process, c: Params) -> Guarded:
    yield p.home
    p.isLeader = 1
    p.leader = p.id
    p.done = 1
    if c.fault == TALKS:
        p.send(BYE)
    if c.fault != WAKES:
        p.halt()


class Faulty(RingAlgorithm):
    fault = Param(min=0, max=WAKES, default=FLAWLESS)
    chaff = Param(min=0, default=0)
    home = Flag()
    swallowed = LabelVariable()
    actions: tuple[Action, ...] = (C1, split, C2, C3, C4, C5, C6, C7, C8)


class Hopeful(Faulty):
    """The same, which elects another process than it promises to."""

    elects_true_leader = True


@on(FINISH)
def moody(p: Process, x: Label, c: Params) -> Guarded:
    yield not p.home
    p.mood = 1
    p.leader = x
    p.done = 1
    p.send(CHAFF, 0)
    p.send(FINISH, x)


class Moody(Faulty):
    """Two actions are enabled for FINISH, and the message count depends on the choice."""

    mood = Flag()
    actions = (*Faulty.actions, moody)


PING, OTHER_PING = Message("<PING>"), Message("<PING>")


@start
def D1(p: Process, c: Params) -> Guarded:
    yield 1
    p.send_right(PING)
    p.send_left(OTHER_PING)


@on(PING)
def D2(p: Process, c: Params) -> Guarded:
    yield p.heard > 1


@on(OTHER_PING, RIGHT)
def D3(p: Process, c: Params) -> Guarded:
    yield 1
    p.heard = 1


class Deaf(RingAlgorithm):
    """No action ever takes what comes from the left; the process goes on all the same."""

    bidirectional = True
    heard = Flag()
    actions = (D1, D2, D3)


# What each fault breaks: the rule, the process and its action, in the order in which it happens.
BREACHES: dict[int, list[tuple[str, int | None, str]]] = {
    FLAWLESS: [],
    SILENT: [("nobody leads", None, ""), ("not done", None, ""), ("not halted", None, "")],
    FALLS: [("isLeader falls back to false", 1, "C6")],
    SECOND: [("a second process elects itself", 2, "C5"), ("several lead", None, "")],
    UNDONE: [("done falls back to false", 1, "C6")],
    WAVERS: [("leader changes after done", 1, "C6")],
    CHANGES: [("leader changes after done", 2, "C7"), ("misled", None, "")],
    EARLY: [("done, but leader is not the label of a process that leads", 1, "C4")],
    WRONG: [
        ("done, but leader is not the label of a process that leads", 2, "C5"),
        ("misled", None, ""),
    ],
    HASTY: [("halts before done", 2, "C7"), ("not done", None, "")],
    MUTE: [("no action is enabled", 2, ""), ("not halted", None, ""), ("links not empty", None, "")],
    TALKS: [("no action is enabled", 2, ""), ("links not empty", None, "")],
    WAKES: [("not halted", None, "")],
}
