"""Weights and users' schedulers that are wrong are refused in a sentence; integers of numpy are as good as Python's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import princeps
from princeps.errors import PrincepsError, RunError


def test_an_array_is_no_scheduler() -> None:
    with pytest.raises(PrincepsError, match="both say who meets next"):
        princeps.run("fratricide", n=4, scheduler=np.zeros(2), pairs=[(0, 1)], engine="reference")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0 1 3\n1 1 2\n", ":2: (1, 1) is no arc, since an agent does not meet itself: remove it"),
        ("0 1 3\n\n1 > 1 2\n", ":3: (1, 1) is no arc"),
        ("0 1 0\n", ":1: weight 0 is not a positive integer: give 1 or more"),
        ("0 1 2.5\n", ":1: weight '2.5' is not a positive integer"),
        ("0 1 -3\n", ":1: weight '-3' is not a positive integer"),
        ("0 1\n", ":1: '0 1' is no weighted arc: write `u v w` or `u > v w`"),
        ("0 1 1\n1 0 2\n", ":2: the pair 1, 0 has two weights"),
        ("0 1 1\n0 4 1\n", ":2: (0, 4) is no arc of 'complete': remove it, or choose others of the agents 0..3"),
        ("# nothing\n", "has no arc: give at least one"),
    ],
)
def test_a_bad_file_of_weights_is_refused_with_its_line(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "weights.txt"
    path.write_text(text)
    with pytest.raises(RunError) as refused:
        princeps.run("fratricide", n=4, scheduler=f"weighted:{path}", engine="reference")
    assert sentence in str(refused.value)
    assert str(path) in str(refused.value)


@pytest.mark.parametrize(
    ("scheduler", "sentence"),
    [
        ("weighted:", "scheduler 'weighted:' names no file: give weighted:FILE"),
        ("weighted:nowhere.txt", "scheduler file 'nowhere.txt' cannot be read (No such file or directory): give"),
        ("weighted:list:", "has no arc"),
        ("weighted:list:0-1=3,2=5", "weighted:list: arc 2: '2=5' is no weighted arc: write it like 0-1=3"),
        ("weighted:list:0-1=x", "weighted:list: arc 1: weight 'x' is not a positive integer"),
        ({(0, 1): 2.0}, "arc (0, 1): weight 2.0 is not a positive integer"),
        ({(0, 1): True}, "weight True is not a positive integer"),
        ({(2, 2): 1}, "(2, 2) is no arc, since an agent does not meet itself"),
    ],
)
def test_weights_that_are_none_are_refused(scheduler: object, sentence: str) -> None:
    with pytest.raises(PrincepsError) as refused:
        princeps.run("fratricide", n=4, scheduler=scheduler, engine="reference")
    assert sentence in str(refused.value)


def test_weights_may_be_integers_of_numpy_and_written_in_a_line() -> None:
    arcs = {(0, 1): 3, (1, 2): 1, (2, 0): 2}
    ways: list[Any] = [arcs, {arc: np.int64(weight) for arc, weight in arcs.items()}, "weighted:list:0-1=3,1-2=1,2-0=2"]
    found = [princeps.run("fratricide", n=3, seed=5, scheduler=way, engine="reference").steps for way in ways]
    assert found[0] == found[1] == found[2]


class Chooser:
    """Returns what it was given."""

    def __init__(self, choice: object) -> None:
        self.choice = choice

    def next_pair(self, configuration: object, step: int, draw: object) -> object:
        return self.choice


@pytest.mark.parametrize(
    ("choice", "sentence"),
    [
        ((0.0, 1.0), "the scheduler chose (0.0, 1.0): next_pair must return the numbers of two agents, like (0, 1)"),
        ("01", "the scheduler chose '01': next_pair must return"),
        ((True, False), "the scheduler chose (True, False): next_pair must return"),
        ((0, 1, 2), "the scheduler chose (0, 1, 2): next_pair must return"),
        (5, "the scheduler chose 5: next_pair must return"),
        ((0, 4), "the scheduler chose (0, 4), but the agents are 0..3: choose two of them"),
        ((-1, 2), "the scheduler chose (-1, 2), but the agents are 0..3"),
        ((0, 2), "the scheduler chose (0, 2), which is no arc of 'ring': choose another pair"),
    ],
)
def test_what_is_no_pair_of_agents_is_refused(choice: object, sentence: str) -> None:
    with pytest.raises(RunError) as refused:
        princeps.run("p_rl", n=4, seed=1, scheduler=Chooser(choice))
    assert sentence in str(refused.value)


def test_integers_of_numpy_are_agents() -> None:
    plain, numpy = (
        princeps.session("p_rl", n=4, seed=1, scheduler=Chooser(choice)).step(3)
        for choice in ((1, 2), np.array([1, 2], dtype=np.uint8))
    )
    assert numpy.last_pair == plain.last_pair == (1, 2)
    assert numpy.counts == plain.counts


SCHEDULERS = """
class One:
    def next_pair(self, configuration, step, draw):
        return None
"""


def test_a_file_with_several_schedulers_needs_a_name(tmp_path: Path) -> None:
    path = tmp_path / "sched.py"
    path.write_text(SCHEDULERS)
    assert princeps.run("fratricide", n=3, scheduler=str(path)).steps == 0  # the only one
    path.write_text(SCHEDULERS + SCHEDULERS.replace("One", "Two"))
    for given, sentence in (
        (str(path), f"{path} has the schedulers One, Two: choose one, like {path}:One."),
        (f"{path}:", f"{path} has the schedulers One, Two: choose one, like {path}:One."),
        (f"{path}:Three", f"{path} has no scheduler 'Three' with next_pair: choose one of One, Two."),
    ):
        with pytest.raises(RunError) as refused:
            princeps.run("fratricide", n=3, scheduler=given)
        assert str(refused.value) == sentence
    (tmp_path / "none.py").write_text("x = 1\n")
    with pytest.raises(RunError, match="has no scheduler: define a class with next_pair"):
        princeps.run("fratricide", n=3, scheduler=str(tmp_path / "none.py"))
