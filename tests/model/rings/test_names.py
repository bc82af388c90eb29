"""Names of ring algorithms: variables may be called like what we use ourselves, and mean the same in both engines."""

from __future__ import annotations

from pathlib import Path

import pytest

import princeps
from princeps.errors import ProtocolError
from princeps.lowering.rings.codegen import RingWriter
from princeps.model import registry
from tests.tables import in_one_test

FILE = """\
from princeps.model import *
TOKEN, END = Message("<TOKEN, x, #a, #b>"), Message("<END, x>")

@start
def S(p, c):
    yield True
    p.word = p.word + p.id
    p.send(TOKEN, p.id, 1, 2)

@on(TOKEN)
def T(p, x, a, b, c):
    yield x != p.id
    p.actions, p.word_length = b, a  # all values first, then all variables
    p.word = p.word + x
    p.received_1 = p.actions * 10 + p.word_length
    p._outbox = p.received_1
    p.send(TOKEN, x, a + c.actions, b + 3)

@on(TOKEN)
def U(p, x, a, b, c):
    yield x == p.id
    p.isLeader = 1 if p.id == p.word.first_of_LW_srp() else 0
    p.leader = p.word.first_of_LW_srp()
    p.done = 1
    p.word_copies, p.value_1, p.value_2 = a, b, a
    p.send(END, x)

@on(END)
def E(p, x, c):
    yield x != p.id
    p.send(END, x)

@on(END)
def F(p, x, c):
    yield x == p.id
    p.halt()

class Tables(RingAlgorithm):
    actions = [S, T, U, E, F]

class Constants(Tables):
    actions, self = Param(min=1, default=1), Param(default=2)

class Mine(Constants):
    word = WordVariable()
    actions, word_length, word_copies, value_1, value_2 = Number(), Number(), Number(), Number(), Number()
    received_1, _outbox, _algorithm, name, me_id = Number(), Number(), Number(), Number(), Number()
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(FILE)
    return f"{tmp_path / 'mine.py'}:Mine"


def test_variables_may_be_called_like_anything_of_ours(mine: str) -> None:
    found = princeps.run(mine, labels="3,1,2,5", engine="reference", seed=1)
    assert (found.leader, found.max_bits) == (1, 47)


def test_what_a_message_brought_is_not_overwritten_by_what_the_kernel_keeps_for_itself(mine: str) -> None:
    source = RingWriter(registry.find_ring(mine)(None, actions=1)).source()
    assert "received_1 = pool[" in source
    assert "word_word_length" in source
    assigned = [line.split(" = ")[0].strip() for line in source.splitlines() if " = " in line and "pool[at" not in line]
    assert not {"received_0", "received_1", "received_2"} & set(assigned)


@pytest.mark.slow
def test_both_engines_read_them_alike(mine: str) -> None:
    plain, fast = (princeps.run(mine, labels="3,1,2,5", engine=engine, seed=1) for engine in ("reference", "compiled"))
    assert (plain.max_bits, plain.messages, plain.leader) == (fast.max_bits, fast.messages, fast.leader)


REFUSED = {
    "what a process does": ("value_1", "send", "no variable may be called 'send'"),
    "the label": ("value_1", "id", "no variable may be called 'id'"),
    "the leader as a number": ("value_1", "leader", "'leader' of a ring algorithm is a label, not a number"),
}


@in_one_test(("old", "new", "says"), REFUSED.values(), ids=REFUSED.keys())
def test_what_every_process_has_is_refused_by_name(tmp_path: Path, old: str, new: str, says: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(FILE.replace(old, new))
    with pytest.raises(ProtocolError, match=says) as caught:
        princeps.run(f"{path}:Mine", labels="1,2,3")
    assert caught.value.line == next(
        k for k, line in enumerate(FILE.splitlines(), 1) if line.startswith("    actions, word_l")
    )
