"""How a worker and its supervisor exchange Python objects: a length, then a pickle."""

from __future__ import annotations

import pickle
import struct
from typing import IO, Any

TRIAL_NUMBER = struct.Struct("<q")  # in shared memory: the trial that a worker is running, plus one


def send(pipe: IO[bytes], item: Any) -> None:
    packed = pickle.dumps(item, pickle.HIGHEST_PROTOCOL)
    pipe.write(struct.pack(">I", len(packed)) + packed)
    pipe.flush()


def receive(pipe: IO[bytes]) -> Any:
    """The next item; None at the end of the stream, also if the stream ends in the middle of an item."""
    head = pipe.read(4)
    if len(head) < 4:
        return None
    (length,) = struct.unpack(">I", head)
    packed = pipe.read(length)
    return pickle.loads(packed) if len(packed) == length else None
