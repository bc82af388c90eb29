"""Messages and states of a ring algorithm as bytes and as plain values.

A label travels as its rank among the labels of the ring, which is all that an algorithm can see of it. What is decoded
is checked: a kind of message that the algorithm receives, labels of the ring, and nothing behind them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from struct import Struct
from typing import Any

from princeps.errors import RunError
from princeps.model.rings.algorithm import LABEL, Label, Local, RingAlgorithm, Sent, Word
from princeps.model.rings.ring import Ring
from princeps.network.rings.stream import LARGEST_BODY

RANK, SIZE = Struct(">I"), Struct(">H")
DIGEST = 8  # bytes


class Codec:
    def __init__(self, algorithm: RingAlgorithm, ring: Ring) -> None:
        self.messages = algorithm.messages_
        self.index = {message: index for index, message in enumerate(self.messages)}
        self.labels = {label.rank: label for label in ring.boxed}  # labels are compared by identity, too

    # -- bytes ---------------------------------------------------------------------------------------------------

    def encode(self, content: Sent) -> bytes:
        parts = [bytes([self.index[content.message]])]
        for value in content.values:
            if isinstance(value, Label):
                parts.append(RANK.pack(value.rank))
            else:
                size = value.bit_length() // 8 + 1
                if size > LARGEST_BODY // 2:
                    raise RunError(f"{content.message} is sent with a number of {size:,} bytes: no frame holds it.")
                parts.append(SIZE.pack(size) + value.to_bytes(size, "big", signed=True))
        return b"".join(parts)

    def decode(self, body: bytes, side: str) -> Sent | None:
        """The message, which was sent to this side; None if it is none of the algorithm's."""
        if not body or body[0] >= len(self.messages):
            return None
        message, at = self.messages[body[0]], 1
        values: list[Label | int] = []
        for kind in message.kinds:
            form = RANK if kind == LABEL else SIZE
            if at + form.size > len(body):
                return None
            (number,) = form.unpack_from(body, at)
            at += form.size
            if kind == LABEL:
                if number not in self.labels:
                    return None
                values.append(self.labels[number])
            else:
                if number == 0 or at + number > len(body):
                    return None
                values.append(int.from_bytes(body[at : at + number], "big", signed=True))
                at += number
        return Sent(side, message, tuple(values)) if at == len(body) else None

    # -- plain values, as in a log -------------------------------------------------------------------------------

    def plain(self, content: Sent) -> list[int]:
        return [self.index[content.message], *map(_plain, content.values)]

    def from_plain(self, given: Sequence[int], side: str) -> Sent:
        message = self.messages[given[0]]
        pairs = zip(message.kinds, given[1:], strict=True)
        return Sent(side, message, tuple(self.labels[value] if kind == LABEL else value for kind, value in pairs))

    def digest(self, local: Local, sent: Sequence[Sent]) -> str:
        """Of a process after an action, and of what it sent by it."""
        content = [
            *(list(map(_plain, local.values)), local.halted),
            *([part.side, *self.plain(part)] for part in sent),
        ]
        return hashlib.blake2b(json.dumps(content).encode(), digest_size=DIGEST).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, Word):
        return [letter.rank for letter in value.letters]
    return value.rank if isinstance(value, Label) else value
