"""Chains written for other model checkers: read back by verification/exported.py, and asked of Storm if it is there."""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from princeps.analysis import export as exporting
from princeps.analysis import storm
from princeps.analysis.chain import Chain
from princeps.analysis.export import Exported, export
from princeps.errors import RunError
from princeps.model.files import CHAIN, Output

sys.path.append(str(Path(__file__).parents[2] / "verification"))
exported: Any = __import__("exported")

F = Fraction
SUFFIXES = (".drn", ".prism")


def item(
    steps: list[list[tuple[int, int]]],
    total: int,
    target: set[int],
    initial: int = 0,
    weighted: bool = True,
    **labels: set[int],
) -> Exported:
    """Steps as (successor, weight), of weight 1 unless weighted."""
    listed = [step for row in steps for step in row]
    chain = Chain(
        np.cumsum([0, *map(len, steps)]),
        np.array([successor for successor, _ in listed], np.int32),
        np.array([weight for _, weight in listed] if weighted else [], np.int64),
        np.zeros(len(listed), np.uint8),
        total,
    )
    masks = {
        name: np.isin(np.arange(len(steps)), list(states)) for name, states in {"target": target, **labels}.items()
    }
    return Exported(chain, masks, initial, "a chain\nmade by hand")


# Parallel steps from 0 to 1, a listed step from 0 to 0, and a target that is left again.
STEPS = [[(1, 2), (1, 3), (0, 1)], [(2, 4), (0, 2)], [(0, 5), (3, 5)], [(2, 10)]]
WEIGHTED = item(STEPS, 10, {2}, leader={0, 1, 3})
WEIGHTED_ROWS = [
    {0: F(1, 2), 1: F(1, 2)},
    {0: F(1, 5), 1: F(2, 5), 2: F(2, 5)},
    {0: F(1, 2), 3: F(1, 2)},
    {2: F(1)},
]
# Fratricide of five leaders: k of them lose one with probability k (k - 1) / 20, here as single steps.
FRATRICIDE = item(
    [*([(5 - k + 1, 1)] * k * (k - 1) for k in (5, 4, 3, 2)), []],
    20,
    {4},
    weighted=False,
    leader={1, 2, 4},
    nobody=set(),
)
# From 2 the target can be missed.
LOST = item([[], [(0, 1)], [(1, 1), (3, 1)], []], 2, {0}, initial=2)


def written(given: Exported, path: Path) -> Any:
    export(given, Output(str(path), CHAIN, ()))
    return exported.read(path)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_chain_is_read_back(tmp_path: Path, suffix: str) -> None:
    found = written(WEIGHTED, tmp_path / f"chain{suffix}")
    assert found == (WEIGHTED_ROWS, {"target": {2}, "leader": {0, 1, 3}}, [1, 1, 0, 1], 0)
    assert exported.solve(found, "target") == [F(11, 2), F(7, 2), 0, 1]
    assert exported.solve(found, "target", exact=False) == pytest.approx([5.5, 3.5, 0, 1], rel=1e-13)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_steps_without_weights_count_once(tmp_path: Path, suffix: str) -> None:
    found = written(FRATRICIDE, tmp_path / f"chain{suffix}")
    assert found.transitions[1] == {1: F(2, 5), 2: F(3, 5)}
    assert found.transitions[4] == {4: 1}
    assert found.labels["leader"] == {1, 2, 4}
    assert not found.labels.get("nobody")  # DRN cannot say that a label is nowhere
    assert exported.solve(found, "target") == [16, 15, F(40, 3), 10, 0]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_target_that_may_be_missed(tmp_path: Path, suffix: str) -> None:
    found = written(LOST, tmp_path / f"chain{suffix}")
    assert found.initial == 2
    assert exported.solve(found, "target") == exported.solve(found, "target", exact=False) == [0, 2, inf, inf]


def test_the_files_themselves(tmp_path: Path) -> None:
    small = item([[(1, 2)], []], 5, {1}, initial=1, leader={0, 1})
    for suffix in SUFFIXES:
        export(small, Output(str(tmp_path / f"chain{suffix}"), CHAIN, ()))
    assert (tmp_path / "chain.drn").read_text() == (
        "// a chain\n// made by hand\n@type: DTMC\n@parameters\n\n@reward_models\nsteps\n@nr_states\n2\n@nr_choices\n2\n"
        "@model\nstate 0 [1] leader\n\taction 0\n\t\t0 : 3/5\n\t\t1 : 2/5\n"
        "state 1 [0] init target leader\n\taction 0\n\t\t1 : 1\n"
    )
    assert (tmp_path / "chain.prism").read_text() == (
        "// a chain\n// made by hand\ndtmc\n\nmodule chain\n  s : [0..1] init 1;\n"
        "  [] s=0 -> 3/5:(s'=0) + 2/5:(s'=1);\n  [] s=1 -> 1:(s'=1);\nendmodule\n\n"
        'label "target" = s=1;\nrewards "steps"\n  !(s=1) : 1;\nendrewards\nlabel "leader" = (s>=0&s<=1);\n'
    )


def many(size: int) -> Exported:
    """A walk whose even states are labelled, and whose target is all but a few: both are long in PRISM."""
    steps = [[((x + 1) % size, 1)] for x in range(size)]
    return item(steps, 3, {x for x in range(size) if x % 3}, s=set(range(0, size, 2)))


def test_long_labels_and_blocks_of_states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "PORTION", 7)
    found = [written(many(601), tmp_path / f"chain{suffix}") for suffix in SUFFIXES]
    assert found[0] == found[1]
    assert found[0].labels == {"target": {x for x in range(601) if x % 3}, "s": set(range(0, 601, 2))}
    assert found[0].transitions == [{x: F(2, 3), (x + 1) % 601: F(1, 3)} for x in range(601)]
    assert exported.solve(found[0], "target", exact=True)[:3] == [3, 0, 0]
    text = (tmp_path / "chain.prism").read_text()
    assert "formula s_part3 = s=600;" in text
    assert "  !(target_part0|target_part1) : 1;" in text


def test_the_program_prints_what_it_solved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export(WEIGHTED, Output(str(tmp_path / "chain.sm"), CHAIN, ()))
    assert exported.main([str(tmp_path / "chain.sm")]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{tmp_path / 'chain.sm'}: 4 states",
        "  expected steps from state 0: 11/2 = 5.5",
        "  the most from any state: 11/2 = 5.5",
    ]


REFUSALS = {
    "name": (
        replace(WEIGHTED, labels={"target": np.ones(4, np.bool_), "a b": np.ones(4, np.bool_)}),
        r"label 'a b' cannot be written: take letters",
    ),
    "word": (item(STEPS, 10, {2}, init={1}), r"label 'init' cannot be written: .* no word of the PRISM language"),
    "no target": (item(STEPS, 10, set()), r"no state has the label 'target': give it to those"),
    "initial": (item(STEPS, 10, {2}, initial=4), r"the initial state 4 does not exist: choose one of 0\.\.3"),
    "weights": (item(STEPS, 9, {2}), r"the steps from state 2 have the weight 10 of 9: probabilities add up to 1"),
    "negative": (item([[(1, -1)], []], 9, {1}), r"probabilities add up to 1"),
    "short": (
        replace(WEIGHTED, labels={"target": np.ones(3, np.bool_)}),
        r"label 'target' has 3 entries for 4 states: give one for every state",
    ),
}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_cannot_be_written(tmp_path: Path, suffix: str) -> None:
    for given, sentence in REFUSALS.values():
        with pytest.raises(RunError, match=sentence):
            export(given, Output(str(tmp_path / f"chain{suffix}"), CHAIN, ()))
        assert not list(tmp_path.iterdir())


def test_paths_that_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"output 'chain\.txt' has no known suffix: end it in \.drn"):
        export(WEIGHTED, Output("chain.txt", CHAIN, ()))
    for suffix in SUFFIXES:
        with pytest.raises(RunError, match=r"cannot be written: No such file or directory\. Choose another path"):
            export(WEIGHTED, Output(str(tmp_path / "nowhere" / f"chain{suffix}"), CHAIN, ()))


def test_prism_is_not_for_large_chains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "MAX_PRISM", 3)
    with pytest.raises(RunError, match=r"a chain of 4 states is too large .*at most 3\): write it to a \.drn file"):
        export(WEIGHTED, Output(str(tmp_path / "chain.pm"), CHAIN, ()))


def test_without_storm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stormpy", None)
    with pytest.raises(RunError, match=r"is missing: install it with pip install 'princeps\[storm\]'\."):
        storm.expected_steps(WEIGHTED, exact=True)
    monkeypatch.setitem(sys.modules, "stormpy", SimpleNamespace(__version__="1.14.0"))
    with pytest.raises(RunError, match=r"stormpy 1\.14\.0 is too old, .* 'princeps\[storm\]'\."):
        storm.all_expected_steps(WEIGHTED)


def test_long_numbers_are_read_in_pieces() -> None:
    assert storm._integer("7" * 9001) == 7 * (10**9001 - 1) // 9


EXPECTED = [
    (WEIGHTED, [F(11, 2), F(7, 2), F(0), F(1)]),
    (FRATRICIDE, [F(16), F(15), F(40, 3), F(10), F(0)]),
    (LOST, [F(0), F(2), inf, inf]),
]


@pytest.mark.parametrize("max_direct", [0, storm.MAX_DIRECT], ids=["iterated", "direct"])
@pytest.mark.parametrize(("given", "steps"), EXPECTED, ids=["weighted", "fratricide", "lost"])
def test_storm_agrees(given: Exported, steps: list[Any], max_direct: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("stormpy")
    monkeypatch.setattr(storm, "MAX_DIRECT", max_direct)
    assert storm.expected_steps(given, exact=True) == steps[given.initial]
    assert storm.expected_steps(given, exact=False) == pytest.approx(float(steps[given.initial]), rel=1e-8)
    exact, floats = storm.all_expected_steps(given, exact=True), storm.all_expected_steps(given)
    assert exact == steps
    assert all(isinstance(x, Fraction) for x in exact if x != inf)
    assert floats == pytest.approx([float(x) for x in steps], rel=1e-8)


def test_storm_reads_the_prism_file_as_the_same_chain(tmp_path: Path) -> None:
    stormpy = pytest.importorskip("stormpy")
    for number, given in enumerate((WEIGHTED, FRATRICIDE, LOST, many(601))):
        path = tmp_path / f"chain{number}.prism"
        export(given, Output(str(path), CHAIN, ()))
        model = stormpy.build_model[stormpy.Rational](stormpy.parse_prism_program(path))
        question = stormpy.parse_properties(storm.PROPERTY)[0]
        value = stormpy.model_checking(model, question).get_value(model.initial_states[0])
        assert str(value) == str(storm.expected_steps(given, exact=True))
        assert set(given.labels) <= set(model.labeling.get_labels())
