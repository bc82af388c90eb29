"""What the session of a ring algorithm refuses, and whom it names where an action fails after an attack."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.errors import PrincepsError, ProtocolError, RunError
from tests.engines.rings.test_session import ring_session


@pytest.mark.parametrize("method", ["set", "corrupt", "meet", "torn", "dead", "alive", "cut", "heal", "holds", "state"])
def test_methods_of_populations_are_refused(method: str) -> None:
    one: Any = ring_session("peterson", labels="3,1,4,2")
    with pytest.raises(RunError, match=rf"{method}\(0\) is not for this kind of protocol: "):
        getattr(one, method)(0)


def test_what_is_asked_of_the_other_kind_is_refused_with_a_remedy() -> None:
    ring: Any = ring_session("peterson", labels="3,1,4,2")
    population: Any = princeps.session("p_rl", n=5, seed=1, engine="reference")
    for name in ("counts", "census", "last_pair", "events", "parallel_time", "dead_agents", "cut_arcs"):
        assert hasattr(population, name)
        with pytest.raises(AttributeError, match=f"^{name} is not for this kind of protocol: .*[.]$"):
            getattr(ring, name)
    for name in ("time", "messages", "under_way", "over", "violations", "last_event"):
        assert hasattr(ring, name)
        with pytest.raises(AttributeError, match=f"^{name} is not for this kind of protocol: .*[.]$"):
            getattr(population, name)
    with pytest.raises(AttributeError, match="'RingSession' object has no attribute 'stepps'"):
        _ = ring.stepps
    assert ring.engine == population.engine == "reference"


def failing_reset() -> tuple[Any, int]:
    """A session of peterson right before a step that fails because a process was reset."""
    for at in range(3, 30):
        one = ring_session("peterson", labels="3,1,4,2").step(at)
        one.reset(0)
        for _ in range(60):
            before = one.steps
            try:
                one.step()
            except PrincepsError:
                return one, before
    raise AssertionError("no reset makes an action fail")


def test_a_reset_is_named_not_the_library(tmp_path: Path) -> None:
    one, before = failing_reset()
    with pytest.raises(
        RunError, match=r"^peterson cannot go on after reset\(0\), since it is not made for lost"
    ) as told:
        one.step()
    assert not isinstance(told.value, ProtocolError)
    assert one.steps == before
    one.save(str(tmp_path / "s"))
    with open(tmp_path / "s", "a") as file:
        file.write('["steps", 1]\n')
    lines = len((tmp_path / "s").read_text().splitlines())
    with pytest.raises(RunError, match=f"^{re.escape(str(tmp_path))}/s:{lines}: peterson cannot go on"):
        princeps.replay(str(tmp_path / "s"))


HEAD = '{"script": 1, "command": "princeps run peterson --labels 3,1,4,2"}'


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ('["deliver", 9, "left"]', ":3: 9 is no process"),
        ('["drop", 0, "right"]', ":3: peterson sends messages one way"),
        ('["deliver", 1]', ':3: .* is no event of a script: write \\["deliver", p, "left"\\]'),
        ('["pair", 0, 1]', ":3: 'pair' is for populations"),
    ],
)
def test_a_script_is_refused_with_its_line(row: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "s").write_text(f'{HEAD}\n["steps", 4]\n{row}\n')
    with pytest.raises(PrincepsError, match=f"^{tmp_path}/s{sentence}"):
        princeps.replay(str(tmp_path / "s"))
