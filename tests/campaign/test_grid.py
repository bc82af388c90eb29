"""A sweep's options are a grid of points: lists, sizes, parameters, formulas in n."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps.campaign import plan as plans
from princeps.campaign.formula import evaluate
from princeps.campaign.plan import distinct, grid, listed
from princeps.campaign.point import Point
from princeps.errors import ParameterError, RunError
from tests.tables import in_one_test


def points(name: str, params: dict[str, Any] | None = None, **options: Any) -> list[Point]:
    return list(grid([name], params or {}, **options))


def values(name: str, parameter: str, params: dict[str, Any], **options: Any) -> list[int]:
    return [point.params[parameter] for point in points(name, params, **options)]


# -- the grid ---------------------------------------------------------------------------------------------------------


def test_every_combination_is_a_point() -> None:
    found = list(grid(["p_pl", "timer"], {}, n="4,6,8", start="random", until="leader", graph="complete"))
    assert [(point.protocol, point.n) for point in found] == [
        (name, n) for name in ("p_pl", "timer") for n in (4, 6, 8)
    ]
    many = points("p_pl", {"c": "1,2,4", "N": ["n", "2n"]}, n=[4, 6], start="random,all_leaders", until="s,leader")
    assert len({point.id for point in many}) == len(many) == 3 * 2 * 2 * 2 * 2
    chosen = {(point.n, point.start, point.until, point.params["c"], point.params["N"] // point.n) for point in many}
    assert chosen == {
        (n, start, until, c, factor)
        for n in (4, 6)
        for start in ("random", "all_leaders")
        for until in ("s", "leader")
        for c in (1, 2, 4)
        for factor in (1, 2)
    }


def test_graphs_may_be_listed_and_say_how_many_agents_there_are() -> None:
    assert [point.n for point in points("infection", graph="grid:2x3,torus:3x3,grid:4x2")] == [6, 9, 8]
    assert [point.graph for point in points("infection", n=6, graph="ring,star,regular:3")] == [
        "ring",
        "star",
        "regular:3",
    ]


@in_one_test(
    ("given", "expected"),
    [
        ("1e3,1e4", ["1e3", "1e4"]),
        (" 1 , 2 ", ["1", "2"]),
        ("7", ["7"]),
        ([1, 2], [1, 2]),
        ((1.0, "2n"), [1.0, "2n"]),
        (range(2, 5), [2, 3, 4]),
        (3, [3]),
        (None, [None]),
        ("states:1,0;0,0", ["states:1,0;0,0"]),
        ('json:[{"leader": 1, "x": 0}]', ['json:[{"leader": 1, "x": 0}]']),
    ],
    ids=repr,
)
def test_lists_are_read_however_they_are_given(given: Any, expected: list[Any]) -> None:
    assert listed(given, "n") == expected


@in_one_test("given", ["", ",", "1,", ",1", "1,,2", " , "])
def test_a_list_has_no_empty_places(given: str) -> None:
    with pytest.raises(ParameterError, match="empty place"):
        listed(given, "n")


@in_one_test("n", ["8", "8e0", 8, 8.0, "10^1,8", [8]])
def test_sizes_are_read_as_everywhere(n: Any) -> None:
    assert points("fratricide", n=n)[-1].n == 8


# -- parameters -------------------------------------------------------------------------------------------------------


def test_auto_is_the_default() -> None:
    assert values("p_ll", "m", {"m": "auto"}, n="16,1e3") == [4, 10]
    assert values("p_ll", "m", {"m": "auto,20"}, n="1e3") == [10, 20]
    default, auto, typed = (points("p_ll", params, n=16)[0] for params in ({}, {"m": "auto"}, {"m": 4}))
    assert default.id == auto.id == typed.id
    assert (default.typed, auto.typed, typed.typed) == ({}, {}, {"m": "4"})


def test_what_was_typed_is_remembered_where_it_is_not_the_default() -> None:
    (found,) = points("p_pl", {"N": "2n", "c": 1, "virus_factor": "5"}, n=8)
    assert found.typed == {"N": "2n", "virus_factor": "5"}
    assert found.params == {"N": 16, "c": 1, "virus_factor": 5, "emit_factor": 12}
    assert found.label == "p_pl, n = 8, N=2n, virus_factor=5"


@in_one_test(
    ("text", "expected"),
    [
        ("2n", 32),
        ("2 n", 32),
        ("2*n", 32),
        ("n^2", 256),
        ("n**2", 256),
        ("n*(n-1)/2", 120),
        ("2(n+1)", 34),
        ("n//5", 3),
        ("1.5n", 24),
        ("n+1e3", 1016),
        ("-n+20", 4),
        ("ceil(n/3)", 6),
        ("floor(n/3)", 5),
        ("ceil(ln n)", 3),
        ("ceil(log(n))", 3),
        ("lg n", 4),
        ("log2(n)", 4),
        ("sqrt(n)", 4),
        ("60 * ceil(ln n)", 180),
        ("2 sqrt n", 8),
        ("ceil(n^0.3)", 3),
    ],
)
def test_a_parameter_may_be_a_formula_in_n(text: str, expected: int) -> None:
    assert evaluate(text, {"n": 16}) == expected
    assert values("p_pl", "virus_factor", {"virus_factor": text}, n=16) == [expected]


def test_a_formula_is_evaluated_at_every_size() -> None:
    assert values("p_rl", "N", {"N": "n,2n,n^2"}, n="4,10") == [4, 8, 16, 10, 20, 100]


def test_large_numbers_in_formulas_are_exact() -> None:
    assert evaluate("n^2 + 1", {"n": 10**15}) == 10**30 + 1
    assert values("p_pl", "N", {"N": "1e24"}, n=4) == [10**24]


@pytest.mark.parametrize("given", [["max(n, 9)", "min(2n, 9)"], "max(n,9),min(2n, 9)"], ids=["list", "text"])
def test_a_formula_may_have_commas_of_its_own(given: Any) -> None:
    assert values("p_rl", "N", {"N": given}, n=4) == [9, 8]


@in_one_test(
    "text",
    [
        *("", "m", "n.real", "n n", "__import__('os')", "n if n else 1", "[n]", "'n'", "n^1000", "n^100^100", "n/0"),
        *("ln(0*n)", "sqrt(-n)", "max()", "ceil(n, 2)", "n<2", "lambda: n", "n" + "^2" * 200, "(" * 300 + "n", "n\0"),
        *("1e400*n", "9**99**9", "n@n", "n%3"),
        "(-n)^0.5",
    ],
)
def test_a_formula_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ParameterError, match="is not understood"):
        evaluate(text, {"n": 16})


def test_several_sizes_that_are_the_same_are_one_point() -> None:
    assert len(distinct(points("fratricide", n="8,8e0,8"))) == 1
    assert len(distinct(points("p_rl", {"N": "8,n,auto,2n"}, n=8))) == 2


def test_several_names_of_the_same_start_are_one_point() -> None:
    found = distinct(points("fratricide", n=8, start="all_leaders,initial"))
    assert [point.start for point in found] == ["all_leaders"]


def test_a_plan_that_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "MAX_POINTS", 5)
    assert len(distinct(points("fratricide", n="4,4,4,4,4,4,4"))) == 1
    assert len(distinct(points("fratricide", n="4,5,6,7,8"))) == 5
    with pytest.raises(RunError, match="more than 5 points: split it"):
        distinct(grid(["fratricide"], {}, n=range(2, 10**6)))  # long before its end


def test_a_point_that_is_asked_for_twice_remembers_both(here: Path) -> None:
    """At n = 8, N=8 is also N=n, the default: one point, which belongs to both series."""
    found = library.sweep("p_rl", [4, 8], N=["n", 8], trials=1, jobs=1, engine="reference")
    assert [(point.n, point.asked) for point in found.points] == [
        (4, ({},)),
        (4, ({"N": "8"},)),
        (8, ({"N": "8"}, {})),
    ]
