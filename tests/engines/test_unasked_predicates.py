"""A predicate for which no goal asks is evaluated by no engine, so that what it does at some state has no meaning."""

from __future__ import annotations

from pathlib import Path

import pytest

import princeps
from princeps.errors import ProtocolError

DIVIDES = """from princeps.model import Bit, Blocks, Counted, PopulationProtocol, Range, Verdict


def third(a, p):
    return 6 // a.x == 2


def all_third(c, p):
    return c.third > c.n


def led(c, p):
    return c.leaders == 1


class Divides(PopulationProtocol):
    leader, x = Bit(), Range(4)
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1, "x": 1})])}
    predicates = {"third": third}
    goals = {"thirds": Counted(all_third)}
    verdicts = {"led": Verdict("leader", led)}

    @staticmethod
    def interact(a, b, p):
        a.x = (a.x + 1) % 4
        if a.leader == 1 and b.leader == 1 and a.x == 0:
            b.leader = 0
"""
COMPILED = [pytest.param(name, marks=pytest.mark.slow) for name in ("agents", "counts", "events")]


@pytest.fixture
def divides(tmp_path: Path) -> str:
    (tmp_path / "divides.py").write_text(DIVIDES)
    return str(tmp_path / "divides.py")


@pytest.mark.parametrize("engine", ["reference", *COMPILED])
def test_only_who_asks_hears_of_its_mistake(divides: str, engine: str) -> None:
    graph = "er:1.0" if engine == "events" else None
    how = {"n": 5, "seed": 1, "engine": engine, "graph": graph, "force": True, "max_steps": 10_000}
    result = princeps.run(divides, until="leader", **how)
    assert (result.leaders, result.verdicts) == (1, {"led": True})
    with pytest.raises(ProtocolError, match="ZeroDivisionError"):
        princeps.run(divides, until="thirds", **how)
    session = princeps.session(divides, until="leader", **how)
    session.run_until()
    assert session.holds("leader")
    with pytest.raises(ProtocolError, match="ZeroDivisionError"):
        session.holds("thirds")


@pytest.mark.slow
def test_nor_does_an_exact_analysis(divides: str) -> None:
    assert princeps.exact(divides, 3, target="leader").reachable
    with pytest.raises(ProtocolError, match="ZeroDivisionError"):
        princeps.exact(divides, 3, target="thirds")
