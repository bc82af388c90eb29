"""A plan in a file says the same as the command line, with paths relative to itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import princeps as library
from princeps.campaign.campaign import Campaign, read_precision
from princeps.campaign.plan import Plan, grid, read_plan
from tests.campaign.plan_tools import write
from tests.conftest import Command
from tests.tables import in_one_test

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


@pytest.mark.medium
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
