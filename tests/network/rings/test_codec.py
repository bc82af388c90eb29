"""Messages as bytes: the same back, and nothing else accepted."""

from __future__ import annotations

import random

import pytest

from princeps.errors import RunError
from princeps.model.rings.algorithm import LEFT, RIGHT, Label, Message, Sent
from princeps.network.rings.codec import Codec
from tests.ring_tools import LIBRARY, planned


def codec_of(name: str) -> Codec:
    run = planned(name, "3,1,4,2")
    return Codec(run.algorithm, run.ring)


def contents(codec: Codec) -> list[Sent]:
    draw = random.Random(1)

    def value(kind: str) -> object:
        numbers = (0, 1, -1, 127, 128, -128, -129, 2**64, draw.randrange(10**40))
        return draw.choice(list(codec.labels.values())) if kind == "label" else draw.choice(numbers)

    return [Sent(RIGHT, m, tuple(map(value, m.kinds))) for m in codec.messages for _ in range(20)]


@pytest.mark.parametrize("name", LIBRARY)
def test_a_message_comes_back_and_no_part_of_it_is_one(name: str) -> None:
    codec = codec_of(name)
    for content in contents(codec):
        body = codec.encode(content)
        back = codec.decode(body, RIGHT)
        assert back == content
        assert codec.from_plain(codec.plain(content), RIGHT) == content
        assert all(a is b for a, b in zip(back.values, content.values, strict=True) if isinstance(a, Label))
        for wrong in (*(body[:cut] for cut in range(len(body))), body + b"\0"):
            assert codec.decode(wrong, LEFT) is None


def test_bytes_of_others_are_never_a_message_outside_the_ring() -> None:
    codec, draw = codec_of("b_k"), random.Random(2)
    for _ in range(3000):
        found = codec.decode(draw.randbytes(draw.randrange(12)), LEFT)
        assert found is None or set(found.values) <= set(codec.labels.values())
    assert codec.decode(b"\0\0\0\0\4", LEFT) is None  # the ring has labels of rank 0 to 3
    assert codec.decode(b"\x03\0\0\0\0", LEFT) is None  # and the algorithm three kinds of messages
    assert codec.decode(b"\0\0\0\0\3", LEFT) is not None


def test_a_number_that_no_frame_holds_is_refused() -> None:
    codec = codec_of("itai_rodeh")
    token = next(message for message in codec.messages if isinstance(message, Message) and message.kinds)
    with pytest.raises(RunError, match="no frame holds it"):
        codec.encode(Sent(RIGHT, token, (1 << 10**6, *(0 for _ in token.kinds[1:]))))
