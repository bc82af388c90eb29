"""Frames: the bytes that one process sends to another, and the reasons for which bytes that arrive are refused.

    magic 2 | version 1 | kind 1 | run 4 | to 4 | sender 4 | incarnation 4 | counter 8 | body | tag 8

`incarnation` is the sender's. The tag is a blake2b of all that precedes it, keyed by the run's key: a frame that was not
written by a holder of the key is refused, whatever it says. A recorded frame that is sent again passes this check; it
does no harm because of incarnations and counters (handshake.py). `to` is in the frame so that none can be redirected.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import lru_cache
from hashlib import blake2b
from hmac import compare_digest
from struct import Struct
from typing import NamedTuple

MAGIC = b"Pr"
VERSION = 1
HEAD = Struct(">2sBBIIIIQ")
TAG_BYTES = 8
SMALLEST = HEAD.size + TAG_BYTES
LARGEST_DATAGRAM = 1200  # bytes: fits every network without being fragmented
LARGEST_STREAM_FRAME = 1 << 16  # bytes, of a frame on a connection

# population protocols
REQ, GRANT, COMMIT, ACK, REFUSE, ABORT = range(1, 7)
# connections, and links of ring algorithms
HELLO, DATA, ACKED, CHALLENGE = range(16, 20)
# conducted mode
CONDUCT, DONE = range(32, 34)
# clusters
JOIN, JOINED, LEAVE, TERM = range(48, 52)

NAMES = {
    REQ: "REQ",
    GRANT: "GRANT",
    COMMIT: "COMMIT",
    ACK: "ACK",
    REFUSE: "REFUSE",
    ABORT: "ABORT",
    HELLO: "HELLO",
    DATA: "DATA",
    ACKED: "ACKED",
    CHALLENGE: "CHALLENGE",
    CONDUCT: "CONDUCT",
    DONE: "DONE",
    JOIN: "JOIN",
    JOINED: "JOINED",
    LEAVE: "LEAVE",
    TERM: "TERM",
}
CONDUCTOR = 0xFFFFFFFF  # the sender of the orders of conducted mode; no agent has this number
ANYBODY = 0xFFFFFFFD  # to whom a CHALLENGE goes, before it is known who made the connection


class Refusal(Enum):
    """Why a frame is not accepted."""

    SHORT = "too short"
    LONG = "too long"
    MAGIC = "not a frame"
    VERSION = "another version"
    TAG = "wrong tag"
    KIND = "unknown kind"
    RUN = "another run"
    RECEIVER = "for somebody else"
    SENDER = "from nobody known"
    BODY = "malformed body"
    GREETING = "no fresh HELLO"
    TLS = "not let in by TLS"


class Frame(NamedTuple):
    kind: int
    run: int
    to: int
    sender: int
    incarnation: int
    counter: int
    body: bytes = b""


_new: Callable[..., Frame] = tuple.__new__  # half of the time of Frame(...)


def encode(frame: Frame, key: bytes) -> bytes:
    return encode_parts(*frame, key)


def encode_parts(
    kind: int, run: int, to: int, sender: int, incarnation: int, counter: int, body: bytes, key: bytes
) -> bytes:
    """The same without an object of a frame: nodes do little else."""
    data = HEAD.pack(MAGIC, VERSION, kind, run, to, sender, incarnation, counter) + body
    tag = _keyed(key).copy()
    tag.update(data)
    return data + tag.digest()


@lru_cache(maxsize=16)
def _keyed(key: bytes) -> blake2b:
    """A hash that has taken the key: a copy of it costs a third of making one, and every frame needs two."""
    return blake2b(digest_size=TAG_BYTES, key=key)


def decode(data: bytes, key: bytes, run: int, largest: int = LARGEST_DATAGRAM) -> Frame | Refusal:
    """The frame, or why it is refused; never raises, whatever the bytes are."""
    if len(data) < SMALLEST:
        return Refusal.SHORT
    if len(data) > largest:
        return Refusal.LONG
    magic, version, kind, of_run, to, sender, incarnation, counter = HEAD.unpack_from(data)
    if magic != MAGIC:
        return Refusal.MAGIC
    if version != VERSION:
        return Refusal.VERSION
    tag = _keyed(key).copy()
    tag.update(data[:-TAG_BYTES])
    if not compare_digest(tag.digest(), data[-TAG_BYTES:]):
        return Refusal.TAG
    if kind not in NAMES:
        return Refusal.KIND
    if of_run != run:
        return Refusal.RUN
    return _new(Frame, (kind, of_run, to, sender, incarnation, counter, data[HEAD.size : -TAG_BYTES]))
