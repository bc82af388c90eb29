"""What is to be run: every combination of what is listed, on the command line or in a plan; mistakes are told at once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps.campaign import plan as plans
from princeps.campaign.campaign import Campaign, read_precision
from princeps.campaign.formula import evaluate
from princeps.campaign.plan import Plan, distinct, grid, listed, read_plan
from princeps.campaign.point import Point
from princeps.errors import ParameterError, RunError, UnknownName
from tests.cli.refusals import assert_refused
from tests.conftest import Command
from tests.tables import in_one_test

QUICK = ("--engine", "reference", "--jobs", 1)


def points(name: str, params: dict[str, Any] | None = None, **options: Any) -> list[Point]:
    return list(grid([name], params or {}, **options))


def values(name: str, parameter: str, params: dict[str, Any], **options: Any) -> list[int]:
    return [point.params[parameter] for point in points(name, params, **options)]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which the test works."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def untouched(here: Path) -> Iterator[Path]:
    """After the test this folder is as empty as before."""
    yield here
    assert os.listdir(here) == []


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
    assert listed(given) == expected


@in_one_test("given", ["", ",", "1,", ",1", "1,,2", " , "])
def test_a_list_has_no_empty_places(given: str) -> None:
    with pytest.raises(ParameterError, match="empty place"):
        listed(given)


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


# -- plans ------------------------------------------------------------------------------------------------------------

PLAN = """
seed = 7
trials = 20
precision = "5%"
store = "sub/results.db"
jobs = 1

[[sweep]]
protocol = "p_ll"
n = [1e3, 1e4]

[[sweep]]
protocol = ["p_rl", "p_pl"]
n = "4,6"
start = ["random", "all_leaders"]
params = {N = ["n", "2n"]}

[[sweep]]
protocol = "timer"
n = 8
hold = true
max_steps = 1e6
engine = "reference"

[[sweep]]
protocol = "p_rl"
n = 5
faults = ["10:1", "20:2"]

[[sweep]]
protocol = "infection"
n = 6
graph = ["ring", "star"]
until = "complete"
ids = "6,5,4,3,2,1"
force = false
"""


def write(folder: Path, text: str, name: str = "plan.toml") -> str:
    path = folder / name
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(text)
    return str(path)


def test_a_plan_says_the_same_as_the_command_line(tmp_path: Path) -> None:
    found = read_plan(write(tmp_path, PLAN))
    expected = [
        *grid(["p_ll"], {}, n="1e3,1e4"),
        *grid(["p_rl", "p_pl"], {"N": "n,2n"}, n=[4, 6], start="random,all_leaders"),
        *grid(["timer"], {}, n=8, hold=True, max_steps="1e6", engine="reference"),
        *grid(["p_rl"], {}, n=5, faults=["10:1", "20:2"]),
        *grid(["infection"], {}, n=6, graph="ring,star", ids="6,5,4,3,2,1"),
    ]
    assert [point.id for point in found.points] == [point.id for point in expected]
    assert [point.limit for point in found.points] == [point.limit for point in expected]
    assert found.points[18].description.options.engine == "reference"
    assert len(found.points) == 2 + 16 + 1 + 1 + 2
    said = {"seed": 7, "trials": 20, "precision": "5%", "store": str(tmp_path / "sub/results.db"), "jobs": 1}
    assert dict(found.settings) == said


def test_points_that_several_parts_of_a_plan_have_are_run_once(tmp_path: Path) -> None:
    part = '[[sweep]]\nprotocol = "fratricide"\nn = "4,5"\n'
    other = '[[sweep]]\nprotocol = "fratricide"\nn = [5, 6]\nstart = "all_leaders"\nmax_steps = 9\n'
    assert [point.n for point in read_plan(write(tmp_path, part + other)).points] == [4, 5, 6]


MINE = """
from princeps.model import Bit, PopulationProtocol

def initial(a, i, n, p):
    a.leader = 1

class Mine(PopulationProtocol):
    leader = Bit()
    starts = {"initial": initial}

    @staticmethod
    def interact(a, b, p):
        b.leader = 0
"""


def test_paths_are_relative_to_the_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "deep" / "er"
    write(folder, MINE, "mine.py")
    write(folder, "0 1\n1 2\n", "edges.txt")
    write(folder, '[{"leader": 1}, {"leader": 0}, {"leader": 1}]', "states.json")
    text = '[[sweep]]\nprotocol = ["./mine.py:Mine", "mine.py"]\ngraph = "edges.txt"\nstart = ["file:states.json", "initial"]\n'
    path = write(folder, 'store = "mine.db"\n' + text)
    absolute = write(tmp_path, text.replace("./mine", str(folder / "mine")).replace('", "mine', f'", "{folder}/mine')
                     .replace("edges", str(folder / "edges")).replace("file:", f"file:{folder}/"), "absolute.toml")  # fmt: skip
    ids = [point.id for point in read_plan(path).points]
    assert len(ids) == 2
    for place in (tmp_path, tmp_path / "deep", folder):
        monkeypatch.chdir(place)
        found = read_plan(os.path.relpath(path))
        assert [point.id for point in found.points] == ids
        assert Path(found.settings["store"]).absolute() == folder / "mine.db"
        assert [point.id for point in read_plan(absolute).points] == ids


def test_a_file_beside_the_plan_does_not_hide_a_name(tmp_path: Path) -> None:
    for name in ("random", "ring"):
        write(tmp_path, "nothing of interest", name)
    path = write(tmp_path, '[[sweep]]\nprotocol = "p_rl"\nn = 4\nstart = "random"\ngraph = "ring"\n')
    assert len(read_plan(path).points) == 1


def test_a_plan_is_run(quick: Command, here: Path) -> None:
    """The store it names is beside it; the command line may say otherwise, for what is not about points."""
    write(
        here,
        'trials = 5\nstore = "mine.db"\nseed = 3\n[[sweep]]\nprotocol = "fratricide"\nn = [3, 4]\nengine = "reference"\n',
        "plans/plan.toml",
    )
    outcome = quick("sweep", "plans/plan.toml", "--jobs", 1, "--json")
    assert outcome.code == 0
    assert [(one["n"], one["trials"]) for one in outcome.objects] == [(3, 5), (4, 5)]
    assert os.listdir(here) == ["plans"]
    other = quick("sweep", "plans/plan.toml", "--jobs", 1, "--trials", 2, "--store", "other.db", "--seed", 4, "--json")
    assert [(one["n"], one["trials"]) for one in other.objects] == [(3, 2), (4, 2)]
    assert sorted(os.listdir(here)) == ["other.db", "plans"]
    assert {one["command"] for one in other.objects}.isdisjoint(one["command"] for one in outcome.objects)
    assert [one.trials for one in library.sweep("plans/plan.toml", trials=7, jobs=1)] == [7, 7]


def test_the_call_goes_before_the_plan_and_the_plan_before_the_defaults() -> None:
    said = {"seed": 7, "trials": 20, "precision": "5%", "store": "plan.db", "jobs": 3}
    plan = Plan((), said)
    found = Campaign(plan)
    assert (found.seed, found.trials, found.precision, found.store, found.jobs) == (7, 20, 0.05, "plan.db", 3)
    found = Campaign(plan, seed=0, trials="1e3", precision=0.01, store="mine.db", jobs="2")
    assert (found.seed, found.trials, found.precision, found.store, found.jobs) == (0, 1000, 0.01, "mine.db", 2)
    found = Campaign(Plan((), {}))
    assert (found.seed, found.trials, found.precision, found.store) == (0, 100, None, "results.db")
    assert found.jobs >= 1


@in_one_test(("given", "expected"), [("1%", 0.01), ("0.5 %", 0.005), (0.02, 0.02), ("1e-3", 0.001), ("99%", 0.99)])
def test_precision_is_a_share(given: str | float, expected: float) -> None:
    assert read_precision(given) == pytest.approx(expected)


# -- what is refused --------------------------------------------------------------------------------------------------

# what is typed after `sweep`, what the sentence must quote, what it must advise
TYPED = {
    "no size": ("fratricide", "-n", "like -n 1000"),
    "a size too small": ("fratricide -n 4,1", "n = 1", "n >= 2"),
    "a size that is no number": ("fratricide -n 4,many", "'many'", "like 1000 or 1e6"),
    "an empty place": ("fratricide -n 4,,5", "'4,,5'", "like 1e3,1e4"),
    "nothing where a list should be": ("fratricide -n ,", "','", "like 1e3,1e4"),
    "an unknown protocol": ("fratricid -n 4", "'fratricid'", "did you mean fratricide"),
    "the second protocol unknown": ("fratricide timr -n 4", "'timr'", "did you mean timer"),
    "an unknown start": ("p_rl -n 4 --start random,rndom", "'rndom'", "did you mean random"),
    "an unknown goal": ("p_rl -n 4 --until s_rl,saef", "'saef'", "did you mean safe"),
    "an unknown graph": ("infection -n 4 --graph ring,rinf", "'rinf'", "did you mean ring"),
    "an unknown engine": ("p_rl -n 4 --engine agent", "'agent'", "did you mean agents"),
    "an unknown parameter": ("p_rl -n 4 -p M=1", "'M'", "its parameters are N"),
    "a parameter of the other only": ("p_rl fratricide -n 4 -p N=4", "'N'", "its parameters are none"),
    "a parameter without a value": ("p_rl -n 4 -p N", "'N'", "-p N=8"),
    "a parameter with an empty value": ("p_rl -n 4 -p N=", "''", "a list like"),
    "a parameter out of range": ("p_rl -n 4,9 -p N=8", "N = 8", "-p N=9"),
    "a parameter that is no number": ("p_rl -n 4 -p N=x", "'x'", "like 1000 or 1e6"),
    "a formula with another name": ("p_rl -n 4 -p N=m+n", "'m+n'", "a formula in n"),
    "a formula that is no integer": ("p_rl -n 5 -p N=3n/2", "7.5 at n = 5", "ceil(3n/2)"),
    "a formula too large": ("p_rl -n 4 -p N=n^200", "'n^200'", "a formula in n"),
    "trials none": ("p_rl -n 4 --trials 0", "trials = 0", "give 1 to"),
    "trials no number": ("p_rl -n 4 --trials many", "'many'", "like 1000"),
    "jobs none": ("p_rl -n 4 --jobs 0", "jobs = 0", "give 1 to"),
    "seed no number": ("p_rl -n 4 --seed lucky", "'lucky'", "like 7"),
    "precision none": ("p_rl -n 4 --precision 0", "'0'", "like 1% or 0.01"),
    "precision too much": ("p_rl -n 4 --precision 100%", "'100%'", "like 1% or 0.01"),
    "precision negative": ("p_rl -n 4 --precision=-1%", "'-1%'", "like 1% or 0.01"),
    "precision no number": ("p_rl -n 4 --precision nan", "'nan'", "like 1% or 0.01"),
    "a limit that is no number": ("p_rl -n 4 --max-steps x", "'x'", "like 1000"),
    "a negative limit": ("p_rl -n 4 --max-steps=-1", "max-steps = -1", "0 or more"),
    "a fault not understood": ("p_rl -n 4 --fault 5", "'5'", "STEP:K"),
    "faults for ever": ("p_rl -n 4 --fault every:5:1", "'every:5:1'", "--max-steps"),
    "hold what never falls": ("p_rl -n 4 --hold", "p_rl", "loosely-stabilizing"),
    "hold without an end": ("p_ll -n 4 --hold", "p_ll", "--max-steps"),
    "a graph of another paper": ("p_ll -n 4 --graph ring", "'ring'", "--force"),
    "identifiers too few": ("infection -n 4 --ids 1,2", "2 ids", "one for each"),
    "identifiers for the anonymous": ("p_rl -n 3 --ids 1,2,3", "'1,2,3'", "leave --ids out"),
    "a ring algorithm": ("a_k -n 4", "a_k", "princeps run"),
    "a plan that is not there": ("nowhere.toml", "'nowhere.toml'", "check the path"),
    "a protocol's file that is not there": ("./nowhere.py:Mine -n 4", "'./nowhere.py'", "./mine.py:Mine"),
    "a start's file that is not there": ("p_rl -n 4 --start file:nowhere", "'nowhere'", "check the path"),
    "a store in no folder": ("fratricide -n 4 --store no/where.db", "'no/where.db'", "another path"),
    "a store that is a folder": ("fratricide -n 4 --store .", "'.'", "check the path"),
    "an option of a single run": ("fratricide -n 4 --check", "--check", "princeps sweep --help"),
    "an option misspelt": ("fratricide -n 4 --trails 3", "--trails", "--trials"),
    "no protocol": ("-n 4", "NAME", "princeps sweep --help"),
}


@in_one_test(("typed", "value", "remedy"), TYPED.values(), ids=TYPED.keys())
def test_a_mistake_is_told_before_anything_is_run(
    quick: Command, untouched: Path, typed: str, value: str, remedy: str
) -> None:
    assert_refused(quick("sweep", *typed.split()), value, remedy)


def test_a_store_needs_a_name(quick: Command, untouched: Path) -> None:
    outcome = quick("sweep", "fratricide", "-n", 4, *QUICK, "--trials", 1, "--store", "")
    assert outcome.code == 2
    assert "1 of 1 trials" not in outcome.stderr


FRATRICIDE = '[[sweep]]\nprotocol = "fratricide"\nn = 4\n'
P_RL = FRATRICIDE.replace("fratricide", "p_rl")
# the plan, what the sentence must quote, what it must advise
WRITTEN = {
    "empty": ("", "plan.toml", "add one with protocol"),
    "no TOML": ("protocol: fratricide", "plan.toml", "TOML"),
    "a single table": ('[sweep]\nprotocol = "fratricide"\n', "plan.toml", "[[sweep]]"),
    "a number for the tables": ("sweep = 3", "plan.toml", "[[sweep]]"),
    "numbers among the tables": ("sweep = [3]", "plan.toml", "[[sweep]]"),
    "no table": ("trials = 3", "plan.toml", "[[sweep]]"),
    "an unknown key": (f"trails = 3\n{FRATRICIDE}", "'trails'", "did you mean trials"),
    "an unknown key of a table": (f"{FRATRICIDE}strat = 1", "'strat'", "did you mean start"),
    "a key at the wrong place": (f"{FRATRICIDE}trials = 3", "'trials'", "unknown option"),
    "a key of a single run": (f"{FRATRICIDE}record = ['leaders']", "'record'", "known: engine"),
    "no size": ('[[sweep]]\nprotocol = "fratricide"', "-n", "like -n 1000"),
    "no sizes": (f"{FRATRICIDE}".replace("4", "[]"), "[[sweep]] 1", "at least one value"),
    "no starts": (f"{FRATRICIDE}start = []", "empty list", "at least one value"),
    "no values": (f"{P_RL}params = {{N = []}}", "empty list", "at least one value"),
    "no protocols": ("[[sweep]]\nprotocol = []\nn = 4", "empty list", "at least one value"),
    "a truth for a size": (FRATRICIDE.replace("4", "true"), "'True'", "like 1000"),
    "a date for a size": (FRATRICIDE.replace("4", "2026-01-01"), "'2026-01-01'", "like 1000"),
    "a list in a list": (FRATRICIDE.replace("4", "[4, [5]]"), "'[5]'", "like 1000"),
    "half an agent": (FRATRICIDE.replace("4", "4.5"), "'4.5'", "like 1000"),
    "a number for a protocol": (FRATRICIDE.replace('"fratricide"', "3"), "'3'", "known: a_k"),
    "a number for parameters": (f"{P_RL}params = 8", "params = 8", "{N = 8}"),
    "a truth for a parameter": (f"{P_RL}params = {{N = true}}", "'True'", "like 1000"),
    "half a parameter": (f"{P_RL}params = {{N = 8.5}}", "'8.5'", "like 1000"),
    "a table for a parameter": (f"{P_RL}params = {{N = {{m = 1}}}}", "N is a table", "a list of values"),
    "a number for a start": (f"{FRATRICIDE}start = 3", "'3'", "known: all_leaders"),
    "a number for a graph": (f"{FRATRICIDE}graph = 3", "'3'", "known: complete"),
    "a number for faults": (f"{FRATRICIDE}faults = 3", "'3'", "STEP:K"),
    "a number for identifiers": (FRATRICIDE.replace("fratricide", "infection") + "ids = 7", "1 ids", "one for each"),
    "a truth for a limit": (f"{FRATRICIDE}max_steps = true", "'True'", "like 1000"),
    "a word for trials": (f'trials = "many"\n{FRATRICIDE}', "'many'", "like 1000"),
    "half a trial": (f"trials = 2.5\n{FRATRICIDE}", "'2.5'", "like 1000"),
    "half a seed": (f"seed = 2.5\n{FRATRICIDE}", "'2.5'", "like 7"),
    "a truth for jobs": (f"jobs = true\n{FRATRICIDE}", "'True'", "like 1000"),
    "a list for a precision": (f"precision = [1]\n{FRATRICIDE}", "'[1]'", "like 1% or 0.01"),
    "the second table": (f"{FRATRICIDE}{FRATRICIDE.replace('4', '1')}", "[[sweep]] 2: n = 1", "n >= 2"),
    "a file that is not beside it": (FRATRICIDE.replace("fratricide", "mine.py:Mine"), "mine.py", "./mine.py:Mine"),
}
WRITTEN |= {
    "no protocol": ("[[sweep]]\nn = 4", "no protocol", 'protocol = "p_ll"'),
    "a number for a goal": (f"{FRATRICIDE}until = 3", "3", "known: leader"),
    "a number for an engine": (f"{FRATRICIDE}engine = 3", "3", "known: agents"),
    "a word for a truth": (
        f'trials = 1\n{FRATRICIDE}engine = "reference"\nforce = "no"',
        "'no'",
        "true or false",
    ),
    "a word for holding": (
        f'trials = 1\n{FRATRICIDE}engine = "reference"\nmax_steps = 9\nhold = "no"',
        "'no'",
        "true or false",
    ),
    "a number for a store": (
        f'trials = 1\nstore = 3\n{FRATRICIDE}engine = "reference"',
        "3",
        "in quotes",
    ),
}


@pytest.mark.parametrize(
    ("text", "value", "remedy"),
    [
        *(pytest.param(*case, id=label) for label, case in WRITTEN.items()),
    ],
)  # fmt: skip
def test_a_mistake_in_a_plan_is_told_before_anything_is_run(
    quick: Command, here: Path, text: str, value: str, remedy: str
) -> None:
    write(here, text)
    assert_refused(quick("sweep", "plan.toml"), value, remedy)
    assert os.listdir(here) == ["plan.toml"]


@in_one_test(
    ("words", "value"),
    [
        (("plan.toml", "-n", 4), "'n'"),
        (("plan.toml", "-p", "N=4"), "'N'"),
        (("plan.toml", "--start", "random"), "'start'"),
        (("plan.toml", "--hold"), "'hold'"),
        (("plan.toml", "--fault", "5:1"), "'faults'"),
        (("plan.toml", "p_rl"), "'plan.toml'"),
        (("plan.toml", "plan.toml"), "'plan.toml'"),
    ],
    ids=str,
)
def test_what_a_plan_is_about_is_written_into_it(
    quick: Command, here: Path, words: tuple[object, ...], value: str
) -> None:
    write(here, FRATRICIDE)
    outcome = quick("sweep", *words)
    assert outcome.code == 2
    assert_refused(outcome, value, "plan")
    assert os.listdir(here) == ["plan.toml"]


def test_a_store_that_is_another_file_is_left_as_it_is(quick: Command, here: Path) -> None:
    (here / "notes.txt").write_text("do not lose this")
    assert_refused(quick("sweep", "fratricide", "-n", 4, "--store", "notes.txt"), "'notes.txt'", "another file")
    assert (here / "notes.txt").read_text() == "do not lose this"
    assert os.listdir(here) == ["notes.txt"]


@in_one_test(
    ("call", "error", "sentence"),
    [
        (partial(library.sweep, "fratricid", 4), UnknownName, "did you mean fratricide"),
        (partial(library.sweep, ["fratricide", "timr"], 4), UnknownName, "did you mean timer"),
        (partial(library.sweep, "fratricide", [4, 1]), ParameterError, "n = 1 is too small"),
        (partial(library.sweep, "fratricide", []), ParameterError, "at least one value"),
        (partial(library.sweep, "fratricide"), RunError, "Give -n"),
        (partial(library.sweep, "fratricide", 4, N=4), ParameterError, "no parameter 'N'"),
        (partial(library.sweep, "p_rl", [4, 9], N=8), ParameterError, "N = 8"),
        (partial(library.sweep, "fratricide", 4, trials=0), ParameterError, "give 1 to"),
        (partial(library.sweep, "fratricide", 4, precision=2), ParameterError, "like 1% or 0.01"),
        (partial(library.sweep, "fratricide", 4, check=True), ParameterError, "check = 'True'"),
        (partial(library.sweep, "nowhere.toml"), RunError, "check the path"),
        pytest.param(partial(library.sweep, "fratricide", 0), ParameterError, "n = 0"),
    ],
    ids=lambda value: str(value.args + tuple(value.keywords)) if isinstance(value, partial) else "",
)  # fmt: skip
def test_from_python_mistakes_are_errors_before_anything_is_run(
    untouched: Path, call: Any, error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        call()


def test_no_step_is_a_limit_too(here: Path) -> None:
    (found,) = library.sweep("fratricide", 4, max_steps=0, trials=2, jobs=1, engine="reference")
    assert found.censored == 2


def test_sizes_may_come_from_numpy(here: Path) -> None:
    import numpy as np

    assert [one.n for one in library.sweep("fratricide", np.array([3, 4]), trials=1, jobs=1, engine="reference")] == [
        3,
        4,
    ]
