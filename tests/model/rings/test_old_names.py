"""Files that were written for version 0.1.0 import from modules that have moved since."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import princeps
from princeps.protocols import chang_roberts

# What an algorithm or a claim could import there.
NAMES = {
    "princeps.model.ring": "Label Ring read_ring read_ring_file numbered_ring random_ring outside_class repeated_label",
    "princeps.model.ring_algorithm": "Action Flag Guarded LabelVariable Local Message Number OneOf Process RingAlgorithm Sent "
    "Variable WordVariable on start",
}

IMPORTS = """\
from princeps.model.fields import Params
from princeps.model.ring import Label, Ring, repeated_label
from princeps.model.ring_algorithm import Guarded, Message, OneOf, Process, RingAlgorithm, on, start
from princeps.model import Look, Mark
"""


def test_the_names_are_still_there() -> None:
    for module, names in NAMES.items():
        assert not [name for name in names.split() if not hasattr(import_module(module), name)]
    old, new = import_module("princeps.model.ring"), import_module("princeps.model.rings.ring")
    assert old.Ring is new.Ring


def test_an_algorithm_of_that_version_runs(tmp_path: Path) -> None:
    """Chang-Roberts with the imports that it had then."""
    text, changed = re.subn(
        r"from princeps\.model import \([^)]*\)\n", IMPORTS, Path(chang_roberts.__file__).read_text()
    )
    assert changed == 1
    (tmp_path / "then.py").write_text(text)
    then = princeps.run(f"{tmp_path / 'then.py'}:ChangRoberts", labels="3,1,4,2", engine="reference")
    now = princeps.run("chang_roberts", labels="3,1,4,2", engine="reference")
    assert then.converged
    assert (then.leader, then.messages, then.time) == (now.leader, now.messages, now.time)
