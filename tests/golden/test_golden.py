"""Every later version gives what 0.1.0 gave: the same runs, exact analyses, rings and sweeps for the same calls.

A difference is a change that users see: the table is not to be recorded again. Those that were made on purpose are in
announced.py.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

import princeps
from tests.conftest import with_slow
from tests.golden.announced import as_announced
from tests.golden.calls import TABLE, differences, perform, read_table
from tests.golden.plan_rows import GROUP, plan_rows
from tests.ring_tools import AT_ONCE

CASES = read_table(TABLE)
QUICK = ("p_rl", "p_pl", "p_ll", "numbered", "small", "rings", "exact")


def cases_of(group: str) -> list[dict[str, Any]]:
    return [case for case in CASES if case["group"] == group]


def compiles_at_once(case: dict[str, Any]) -> bool:
    """No ring algorithm is in it that only `make test-slow` compiles."""
    later = set(princeps.library("ring")) - set(AT_ONCE)
    return not later & set(re.findall(r"\w+", str(case["call"])))


def assert_as_recorded(group: str, cases: list[dict[str, Any]]) -> None:
    """All cases are tried, and all that differ are told."""
    assert cases, group
    found = []
    for case in cases:
        try:
            result = perform(case["call"])
        except Exception as error:
            found.append(f"{case['id']} {case['call']}\n    {type(error).__name__}: {error}")
            continue
        lines = differences(as_announced(case, result), result)
        if lines:
            found.append(f"{case['id']} {case['call']}\n    " + "\n    ".join(lines))
    assert not found, f"{len(found)} of {len(cases)} recorded results differ:\n" + "\n".join(found)


@pytest.mark.medium
@pytest.mark.parametrize("group", with_slow(QUICK, lambda group: group == "rings"))  # twenty seconds to compile
def test_results_are_those_of_0_1_0(group: str) -> None:
    assert_as_recorded(group, [case for case in cases_of(group) if compiles_at_once(case)])


@pytest.mark.slow
def test_large_runs_and_other_rings_are_those_of_0_1_0() -> None:
    assert_as_recorded("slow", cases_of("slow"))
    assert_as_recorded("rings", [case for case in cases_of("rings") if not compiles_at_once(case)])


@pytest.mark.medium
def test_sweeps_have_the_points_seeds_and_trials_of_0_1_0() -> None:
    now = {case["id"]: case["result"] for case in plan_rows()}
    found = [
        f"{case['id']}\n    " + "\n    ".join(lines)
        for case in cases_of(GROUP)
        if (lines := differences(as_announced(case, now.get(case["id"])), now.get(case["id"])))
    ]
    assert not found, f"{len(found)} of {len(cases_of(GROUP))} points differ:\n" + "\n".join(found)


def test_the_table_is_whole() -> None:
    """Its groups are those that are tried, and every name that 0.1.0 had is in some call and still in the library."""
    assert {case["group"] for case in CASES} == {*QUICK, "slow", GROUP}
    assert len({case["id"] for case in CASES}) == len(CASES) > 600
    (names,) = (case["result"] for case in CASES if case["call"].get("python") == "library")
    assert set(names) <= set(princeps.library())
    calls = " ".join(str(case["call"]) for case in CASES)
    swept = " ".join(case["id"] for case in cases_of(GROUP))
    assert [name for name in names if f" {name} " not in calls] == []
    assert [name for name in princeps.library("population") if name in names and f" {name} " not in swept] == []


def test_a_difference_is_noticed() -> None:
    recorded = {"steps": 10, "mean": 0.5, "record": [1, 2], "leader": None}
    assert differences(recorded, {**recorded, "mean": 0.5 * (1 + 1e-14), "more": 1}) == []
    for altered in ({"steps": 11}, {"steps": "10"}, {"steps": 10.0}, {"mean": 0.5 + 1e-9}, {"record": [1]}):
        assert len(differences(recorded, {**recorded, **altered})) == 1
    assert len(differences(recorded, {"steps": 10, "mean": 0.5, "record": [1, 3]})) == 2
