"""Frames: the bytes that one process sends to another, and the reasons for which bytes that arrive are refused.

    magic 2 | version 1 | kind 1 | run 4 | to 4 | sender 4 | incarnation 4 | counter 8 | body | tag 8

`incarnation` is the sender's. The tag is a blake2b of all that precedes it, keyed by the run's key: a frame that was not
written by a holder of the key is refused, whatever it says. A recorded frame that is sent again passes this check; it
does no harm because of incarnations and counters (handshake.py). `to` is in the frame so that none can be redirected.
"""

from __future__ import annotations

from enum import Enum
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


def encode(frame: Frame, key: bytes) -> bytes:
    kind, run, to, sender, incarnation, counter, body = frame
    data = HEAD.pack(MAGIC, VERSION, kind, run, to, sender, incarnation, counter) + body
    return data + blake2b(data, digest_size=TAG_BYTES, key=key).digest()


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
    tag = blake2b(data[:-TAG_BYTES], digest_size=TAG_BYTES, key=key).digest()
    if not compare_digest(tag, data[-TAG_BYTES:]):
        return Refusal.TAG
    if kind not in NAMES:
        return Refusal.KIND
    if of_run != run:
        return Refusal.RUN
    return Frame(kind, of_run, to, sender, incarnation, counter, data[HEAD.size : -TAG_BYTES])
