"""Arguments of Python's functions that do not fit are refused in a sentence, whatever they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import princeps
from princeps.errors import PrincepsError

EMPTY_PATHS = ("results", "fit", "merge", "merge into", "plot", "plot into", "replay", "paper")
NEVER_RIGHT = [object(), b"results.db", {1: 2}, 2 + 3j, ..., [object()], np.array([[1.5]]), np.array([1, 2])]
CALLS: dict[str, Callable[[Any], Any]] = {
    "results": princeps.results,
    "results of a measure": lambda value: princeps.results("missing.db", measure=value),
    "fit": princeps.fit,
    "fit by": lambda value: princeps.fit("missing.db", by=value),
    "fit from": lambda value: princeps.fit("missing.db", from_=[value]),
    "merge": lambda value: princeps.merge(value, output="new.db"),
    "merge into": lambda value: princeps.merge("missing.db", output=value),
    "plot": lambda value: princeps.plot(value, "new.svg"),
    "plot into": lambda value: princeps.plot("missing.db", value),
    "plot kind": lambda value: princeps.plot("missing.db", "new.svg", kind=value),
    "plot width": lambda value: princeps.plot("missing.db", "new.svg", width=[value]),
    "protocol": princeps.protocol,
    "library": lambda value: princeps.library(value),
    "sweep": lambda value: princeps.sweep(value, n=[4]),
    "sweep, watched": lambda value: princeps.sweep("fratricide", n=4, watch=value),
    "rings": lambda value: list(princeps.rings(value, [2])),
    "rings of sizes": lambda value: list(princeps.rings("a_k", value)),
    "rings over": lambda value: list(princeps.rings("a_k", [2], value)),
    "impossible": princeps.impossible,
    "impossible size": lambda value: princeps.impossible("a_k", value, k=2),
    "replay": princeps.replay,
    "paper": princeps.paper,
    "ring": lambda value: princeps.ring(random=value),
    "exact with parameters": lambda value: princeps.exact("p_rl", 2, params=value),
    "exact with symmetries": lambda value: princeps.exact("fratricide", 2, automorphisms=value),
    "run with parameters": lambda value: princeps.run("p_rl", 4, params=value),
    "run with a flag": lambda value: princeps.run("p_pl", 4, hold=value),
    "run with progress": lambda value: princeps.run("p_pl", 4, progress=value),
    "exact with progress": lambda value: princeps.exact("fratricide", 2, progress=value),
    "prove": princeps.prove,
    "prove a lemma": lambda value: princeps.prove("fratricide", value),
    "prove with progress": lambda value: princeps.prove("fratricide", progress=value),
    "prove by a search": lambda value: princeps.prove("fratricide", search=value),
    "new": lambda value: princeps.new("./mine.py", ring=value),
}


@pytest.mark.parametrize("call", CALLS)
def test_what_does_not_fit_is_refused(call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for value in NEVER_RIGHT:
        with pytest.raises(PrincepsError) as refused:
            CALLS[call](value)
        assert str(refused.value).strip(), value


@pytest.mark.parametrize("call", EMPTY_PATHS)
def test_an_empty_path_is_refused(call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PrincepsError, match="give the path of a file"):
        CALLS[call]("")


def test_no_labels_are_no_ring() -> None:
    with pytest.raises(PrincepsError, match="the ring has no labels"):
        princeps.ring(np.zeros(0))


@pytest.mark.parametrize("labels", [np.array([1.5, 2]), np.array([[1, 2]]), object(), {}, 5])
def test_what_is_no_list_of_labels_is_refused(labels: Any) -> None:
    with pytest.raises(PrincepsError, match="no list of integers or texts"):
        princeps.ring(labels)


@pytest.mark.parametrize("n", [17, 10**9, 2**63, [2, 10**30]])
def test_rings_that_are_too_large_to_run_all_of_them_are_refused(n: Any) -> None:
    with pytest.raises(PrincepsError, match="too large to run every ring: give at most 16"):
        list(princeps.rings("peterson", n))


@pytest.mark.medium
def test_paths_and_classes_are_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    duel = type(princeps.protocol("fratricide"))
    found = princeps.sweep(duel, n=[4], trials=2, store=Path("new.db"), jobs=1)
    assert [point.n for point in found] == [4]
    assert [point.n for point in princeps.results(Path("new.db"), measure="steps")] == [4]
    assert princeps.protocol(duel).fields == {"leader": 2}


def test_python_says_itself_which_argument_there_is_not() -> None:
    with pytest.raises(TypeError, match=r"results\(\) got an unexpected keyword argument"):
        princeps.results("x.db", whatever=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"fit\(\) missing 1 required positional argument"):
        princeps.fit()  # type: ignore[call-arg]
