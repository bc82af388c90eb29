"""A session after Ctrl-C, or after a rule that fails, stands after a whole interaction, and its script replays to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.engines.counts import CountsPopulation
from princeps.engines.rings.reference import Network
from princeps.engines.rings.session import RingSession
from princeps.engines.session import Session
from princeps.errors import ProtocolError
from princeps.model import Bit, Blocks, PopulationProtocol, Range
from princeps.model.protocol import PopulationProtocol as Protocol


class Overflowing(PopulationProtocol):
    leader, rounds = Bit(), Range(30)
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

    @staticmethod
    def interact(a: Any, b: Any, p: Any) -> None:
        a.rounds = a.rounds + 1


def interrupting(function: Callable[..., Any], call: int, after: bool) -> Callable[..., Any]:
    """The same function, interrupted at this call, right before it or right after it."""
    calls = 0

    def called(*arguments: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == call and not after:
            raise KeyboardInterrupt
        found = function(*arguments, **named)
        if calls == call:
            raise KeyboardInterrupt
        return found

    return called


def seen(one: Session | RingSession) -> Any:
    if isinstance(one, Session):
        return one.steps, one.leaders, one.counts
    return one.steps, one.time, one.messages, one.configuration, one.under_way, one.violations, one.over


def check(one: Session | RingSession, path: Path, more: int) -> None:
    """Where it stands is where its own script and `goto` lead, now and later."""
    before, step = seen(one), one.steps
    assert one.last_step == step
    one.save(str(path))
    again = princeps.replay(str(path))
    assert seen(again) == before
    assert seen(one.goto(0).goto(step)) == before
    assert seen(one.step(more)) == seen(again.step(more))


@pytest.mark.parametrize("after", [False, True])
def test_ctrl_c_within_an_interaction(after: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = princeps.session("p_rl", n=12, seed=3, engine="reference").step(100)
    with monkeypatch.context() as patch:
        patch.setattr(Protocol, "step", interrupting(Protocol.step, 41, after))
        with pytest.raises(KeyboardInterrupt):
            one.step(1000)
    assert 140 <= one.steps <= 141
    check(one, tmp_path / "interrupted.script", 50)


@pytest.mark.parametrize("name", ["_act", "_settle", "_send"])
def test_ctrl_c_within_an_event_of_a_ring(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = princeps.session("peterson", labels="3,1,4,2,6,5", scheduler="random", seed=3).step(4)
    with monkeypatch.context() as patch:
        patch.setattr(Network, name, interrupting(getattr(Network, name), 5, after=True))
        with pytest.raises(KeyboardInterrupt):
            one.step(1000)
    assert 4 < one.steps < 12
    check(one, tmp_path / "interrupted.script", 9)


def test_ctrl_c_between_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The script says how the steps were asked for, and after how many of them they ended."""
    monkeypatch.setattr(CountsPopulation, "effort", 100)
    one = princeps.session("fratricide", n=10**9, seed=2, engine="counts")
    with monkeypatch.context() as patch:
        patch.setattr(CountsPopulation, "advance", interrupting(CountsPopulation.advance, 3, after=True))
        with pytest.raises(KeyboardInterrupt):
            one.step(10**15)
    assert 0 < one.steps < 10**15
    check(one, tmp_path / "interrupted.script", 1000)


def test_ctrl_c_while_going_back(monkeypatch: pytest.MonkeyPatch) -> None:
    one = princeps.session("p_rl", n=12, seed=3, engine="reference").step(1000)
    end = seen(one)
    one.goto(0)
    with monkeypatch.context() as patch:
        patch.setattr(Protocol, "step", interrupting(Protocol.step, 41, after=True))
        with pytest.raises(KeyboardInterrupt):
            one.goto(900)
    assert seen(one.goto(1000)) == end


@pytest.mark.parametrize("engine", ["reference", "agents", "counts"])
def test_a_failing_rule_fails_again(engine: str, tmp_path: Path) -> None:
    """Nothing is drawn by an interaction that cannot be done."""
    one = princeps.session(Overflowing, n=3, seed=1, engine=engine)
    said = []
    for _ in range(2):
        with pytest.raises(ProtocolError, match="rounds = 30 is outside its domain") as failed:
            one.step(1000)
        said.append((str(failed.value), seen(one), one.last_step))
    assert said[0] == said[1]
    assert seen(one.goto(0).goto(said[0][2])) == said[0][1]
