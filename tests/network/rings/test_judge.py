"""The judge agrees with what happened and with nothing else."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from princeps.network.rings.faults import Faults, Kill
from princeps.network.rings.judge import Judge
from princeps.network.rings.memory import World
from tests.ring_tools import planned

RUN = planned("b_k", "3,1,1,2", k=2)


@pytest.fixture(scope="module")
def logs() -> list[list[str]]:
    world = World(RUN, Faults(), 1)
    assert world.play().converged
    return world.logs


def judged(logs: list[list[str]], seed: int = 0) -> Judge:
    """The lines of all processes in a random order that keeps that of each."""
    judge, draw = Judge(RUN), random.Random(seed)
    order = [process for process, lines in enumerate(logs) for _ in lines]
    draw.shuffle(order)
    left = [iter(lines) for lines in logs]
    for process in order:
        judge.add(next(left[process]))
    return judge


def test_any_order_of_the_lines_is_the_same_execution(logs: list[list[str]]) -> None:
    for seed in range(10):
        judge = judged(logs, seed)
        assert judge.verdict == "agrees"
        assert not judge.linearizer.left_over
        assert not judge.can_act()
        assert judge.session.leader == 2


def changed(place: int, value: Any) -> Callable[[list[Any]], None]:
    return lambda record: record.__setitem__(place, value)


def effect(place: int, value: Any) -> Callable[[list[Any]], None]:
    return lambda record: record[6].__setitem__(place, value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (changed(4, 7), "would have been next"),
        (changed(5, [1, 1]), "is at the head of the link"),
        (effect(0, "B1"), "leads to"),
        (effect(1, "0" * 16), "leads to"),
        (effect(3, 9), "leads to"),
        (changed(0, "stuck"), "an action is enabled"),
        (changed(0, "failed"), "the action is completed"),
        (changed(0, "dance"), "unknown kind"),
    ],
)
def test_a_line_that_says_something_else_is_the_first_difference(
    logs: list[list[str]], change: Callable[[list[Any]], None], words: str
) -> None:
    record = json.loads(logs[1][2])
    assert record[0] == "deliver"
    change(record)
    if record[4] == 7:  # it must not wait for a message that is never sent
        record[4] = 1
    forged = [list(lines) for lines in logs]
    forged[1][2] = json.dumps(record)
    judge = judged(forged)
    assert words in judge.verdict
    assert "of process 1" in judge.verdict


def test_a_line_that_is_missing_is_noticed(logs: list[list[str]]) -> None:
    for process in range(4):
        for place in range(0, len(logs[process]), 3):
            forged = [list(lines) for lines in logs]
            del forged[process][place]
            judge = judged(forged)
            assert judge.difference or judge.linearizer.left_over or judge.can_act(), (process, place)


def test_half_a_line_is_left_out() -> None:
    judge = Judge(RUN)
    judge.add('["start",0,1,["B1","5')
    assert judge.torn_lines == 1
    assert judge.can_act()
    assert judge.verdict == "agrees"


def test_messages_that_were_forgotten_are_dropped_in_the_model() -> None:
    lost = 0
    for seed in range(8):
        run = planned("a_k", "3,1,1,2", k=2)
        result = World(run, Faults(kills=(Kill(1, 4),), restart="amnesia"), seed).play(300)
        lost += result.drops
        assert result.replay == "agrees"
        assert result.drops == sum(line[0] == "drop" for event in result.script.events for line in event.lines())
    assert lost
