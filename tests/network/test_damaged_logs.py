"""The judge of a cluster reads files that anything may have happened to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from princeps.api.member import judge
from princeps.errors import RunError
from princeps.model.description import describe, read
from princeps.model.run import Run
from princeps.network.cluster.joining import offer_of

ABOUT = {"spec": "timer", "params": {"t_max": 20}, "graph": "complete", "start": "random", "seed": 0}
WRONG: tuple[Any, ...] = (
    None,
    -1,
    1.5,
    float("inf"),
    True,
    "x",
    [],
    {},
    [[0, 1]],
    [0, [1]],
    10**400,
    {"requests": "x"},
)


def _log() -> list[list[Any]]:
    run = read(describe("timer", 3, start="random", seed=0, params={"t_max": 20}))
    assert isinstance(run, Run)
    return [
        ["cluster", 0, 1, {**ABOUT, "offer": offer_of(run)}],
        ["start", 0, 1, [1, 10], [[1, 0]]],
        ["tally", 0, 1, {"requests": 1}],
        ["meet", 0, 1, 0, 1, 1, 1, 0, [1, 20], [0, 20], []],
        ["take", 0, 1, 1, 1, 1, 1, [1, 20]],
        ["gave_up", 0, 1, 2, 1],
        ["told", 0, 1, 1, 1],
        ["dead", 0, 1],
    ]


def _written(path: Path, lines: list[list[Any]]) -> list[str]:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return [str(path)]


@pytest.mark.parametrize("k", range(1, len(_log())))
def test_a_value_of_another_kind_makes_the_line_none(k: int, tmp_path: Path) -> None:
    assert judge(_written(tmp_path / "whole.log", _log())).damaged == 0
    may_stand = {(1, 4): ([], [[0, 1]]), (3, 10): ([],), (2, 3): ({},)}
    for place in range(len(_log()[k])):
        for wrong in WRONG:
            if wrong in may_stand.get((k, place), ()):
                continue
            lines = _log()
            lines[k][place] = wrong
            assert judge(_written(tmp_path / "a.log", lines)).damaged == 1, (lines[k], wrong)


def test_a_head_that_is_none_is_refused(tmp_path: Path) -> None:
    for place in range(4):
        for wrong in WRONG:
            lines = _log()
            lines[0][place] = wrong
            with pytest.raises(RunError, match=r"a\.log"):
                judge(_written(tmp_path / "a.log", lines))


def test_a_log_of_a_ring_algorithm_is_refused(tmp_path: Path) -> None:
    lines = _log()
    lines[0][3] |= {"spec": "peterson", "params": {}}
    with pytest.raises(RunError, match=r"a\.log"):
        judge(_written(tmp_path / "a.log", lines))
