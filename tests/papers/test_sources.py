"""By which text a measurement is identified: a look may change, and nothing is measured again."""

from __future__ import annotations

from princeps.papers.altered import source_of
from princeps.papers.sources import without_look

BEFORE = """from princeps.model import Agent, Bit, Params, PopulationProtocol
from princeps.model import (
    Blocks,
    Range,
)


class Mine(PopulationProtocol):
    leader = Bit()

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        b.leader = 0
"""
AFTER = BEFORE.replace("Bit, Params", "Bit, Look, Mark, Params").replace("    Range,\n", "    Look,\n    Range,\n")
AFTER = AFTER.replace(
    "    leader = Bit()\n",
    '    leader = Bit()\n    look = Look(\n        marks=[Mark("dot", "leads", when="leader")],\n    )\n',
)


def test_a_look_is_no_part_of_what_is_measured() -> None:
    assert "Look" in AFTER
    assert without_look(AFTER) == BEFORE
    assert without_look(BEFORE) == BEFORE
    assert without_look(BEFORE.replace("b.leader = 0", "b.leader = 1")) != BEFORE


def test_what_may_be_tuned_is_no_part_of_what_is_measured() -> None:
    """P_LL's measurements draw the samples that they drew before c_max could be given."""
    tuned = BEFORE.replace("Params,", "Params, Tuning,").replace(
        "    leader = Bit()\n",
        '    leader = Bit()\n    tuning = Tuning(\n        raises={"timeout": "t_max"},\n    )\n',
    )
    assert without_look(tuned) == BEFORE
    fixed = BEFORE.replace("    leader = Bit()\n", "    leader = Bit()\n    c_max = Derived(lambda p: 41 * p.m)\n")
    given = fixed.replace("41 * p.m)", '41 * p.m, Param(min=2, doc="the steps of a clock"))')
    assert given != fixed
    assert without_look(given) == fixed
    assert without_look(given.replace("41", "40")) != fixed
    for name in ("p_ll", "p_pl", "timer"):
        assert "tuning = Tuning(" in source_of(name)
        assert "Tuning" not in without_look(source_of(name))


def test_the_looks_of_the_library_leave_nothing_behind() -> None:
    for name in ("p_rl", "timer", "a_k", "majority"):
        assert "look = Look(" in source_of(name)
        rest = without_look(source_of(name))
        assert "Look" not in rest
        compile(rest, name, "exec")
