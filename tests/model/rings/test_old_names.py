"""Files that were written for version 0.1.0 import from modules that have moved since."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import princeps

# What an algorithm or a claim could import there.
NAMES = {
    "princeps.model.ring": "Label Ring read_ring read_ring_file numbered_ring random_ring outside_class repeated_label",
    "princeps.model.ring_algorithm": "Action Flag Guarded LabelVariable Local Message Number OneOf Process RingAlgorithm Sent "
    "Variable WordVariable on start",
}

FILE = """\
from princeps.model.ring import repeated_label
from princeps.model.ring_algorithm import LabelVariable, Message, RingAlgorithm, on, start

TOKEN = Message("<TOKEN, x>")


@start
def S(p, c):
    yield True
    p.most = p.id
    p.send(TOKEN, p.id)


@on(TOKEN)
def larger(p, x, c):
    yield x > p.most
    p.most = x
    p.send(TOKEN, x)


@on(TOKEN)
def smaller(p, x, c):
    yield x < p.most


@on(TOKEN)
def back(p, x, c):
    yield x == p.most
    p.isLeader = 1 if x == p.id else 0
    p.leader = x
    p.done = 1
    if p.isLeader == 0:
        p.send(TOKEN, x)
    p.halt()


class Largest(RingAlgorithm):
    most = LabelVariable()
    actions = (S, larger, smaller, back)

    @staticmethod
    def demands(ring, c):
        return repeated_label(ring, "Largest")
"""


def test_the_names_are_still_there() -> None:
    for module, names in NAMES.items():
        assert not [name for name in names.split() if not hasattr(import_module(module), name)]
    old, new = import_module("princeps.model.ring"), import_module("princeps.model.rings.ring")
    assert old.Ring is new.Ring


def test_an_algorithm_of_that_version_runs(tmp_path: Path) -> None:
    (tmp_path / "largest.py").write_text(FILE)
    found = princeps.run(f"{tmp_path / 'largest.py'}:Largest", labels="3,1,4,2", engine="reference")
    assert (found.converged, found.leader, found.leader_label) == (True, 2, 4)
