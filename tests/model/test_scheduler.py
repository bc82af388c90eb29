"""Schedulers: who meets next, by law or by pattern; the same pairs in every engine that takes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import islice, pairwise
from pathlib import Path

import pytest

import princeps
from princeps import errors
from princeps.model.graphs import make_topology
from princeps.model.randomness import Stream
from princeps.model.reading import make_run
from princeps.model.reading_schedulers import read_scheduler
from princeps.model.scheduler import ListedPairs, Scheduler
from tests.conftest import Command

STREAM = (1, 0, "schedule")


def pairs(scheduler: object, n: int, count: int, graph: str = "complete") -> list[tuple[int, int]]:
    topology = make_topology(graph, n, Stream.of(0, 0, "graph"))
    return list(islice(read_scheduler(scheduler, None, topology).pairs(topology, Stream.of(*STREAM)), count))


def chi_square(found: Counter[tuple[int, int]], expected: dict[tuple[int, int], float]) -> float:
    assert set(found) <= set(expected)
    return sum((found[pair] - mean) ** 2 / mean for pair, mean in expected.items())


def test_with_self_meetings_all_ordered_pairs_are_alike() -> None:
    found = Counter(pairs("self-meeting", 5, 50_000))
    assert chi_square(found, {(i, j): 2000.0 for i in range(5) for j in range(5)}) < 80  # 24 degrees: p = 6e-8


def test_arcs_are_drawn_by_their_weights() -> None:
    weights = {(0, 1): 1, (1, 0): 2, (2, 0): 7}
    found = Counter(pairs(weights, 3, 50_000))
    assert chi_square(found, {arc: 5000.0 * weight for arc, weight in weights.items()}) < 40  # 2 degrees: p = 2e-9


def test_patterns_are_what_they_are_called() -> None:
    assert pairs("forwards", 3, 5) == [(0, 1), (1, 2), (2, 0), (0, 1), (1, 2)]
    assert pairs("backwards", 3, 5) == [(2, 0), (1, 2), (0, 1), (2, 0), (1, 2)]
    in_a_row = [1]
    drawn = pairs("bursts", 30, 4000)
    for before, after in pairwise(drawn):
        in_a_row.append(in_a_row[-1] + 1 if before == after else 1)
    assert 5 <= max(in_a_row) <= 10  # at most two bursts of the same pair
    for graph in ("complete", "ring"):
        clique = {agent for pair in pairs("cliques", 40, 200, graph) for agent in pair}
        assert 2 <= len(clique) <= 21
        assert all(i != j for i, j in pairs("cliques", 2, 100, graph))


@pytest.mark.parametrize("name", ["uniform", "self-meeting", "forwards", "backwards", "bursts", "cliques"])
@pytest.mark.parametrize("protocol", ["p_rl", "infection", "timer"])
def test_both_engines_that_go_pair_by_pair_go_through_the_same_pairs(protocol: str, name: str) -> None:
    if protocol == "p_rl" and name == "self-meeting":
        return  # a ring has no self-meetings
    given = {"n": 12, "seed": 3, "scheduler": name, "max_steps": 4000, "hold": protocol == "timer"}
    reference, compiled = (princeps.run(protocol, engine=engine, **given) for engine in ("reference", "agents"))
    assert (reference.steps, reference.events, reference.leader) == (compiled.steps, compiled.events, compiled.leader)
    one, other = (
        princeps.session(protocol, n=12, seed=3, scheduler=name, engine=engine).step(1500)
        for engine in ("reference", "agents")
    )
    assert all((one.configuration[field] == other.configuration[field]).all() for field in one.configuration)


@pytest.mark.parametrize("engine", ["reference", "agents"])
@pytest.mark.parametrize("name", ["self-meeting", "backwards", "bursts", "cliques"])
def test_a_session_goes_back_under_every_scheduler(engine: str, name: str) -> None:
    session = princeps.session("timer", n=9, seed=2, scheduler=name, engine=engine, t_max=5)
    session.step(700)
    then = session.counts, session.last_pair
    session.step(1300)
    later = session.counts, session.last_pair
    assert session.goto(700) is session
    assert (session.counts, session.last_pair) == then
    session.goto(2000)
    assert (session.counts, session.last_pair) == later


def test_uniform_runs_are_as_without_the_option() -> None:
    plain, named = (princeps.run("p_ll", n=60, seed=5, scheduler=name) for name in (None, "uniform"))
    assert (plain.steps, plain.command) == (named.steps, named.command)
    assert "--scheduler" not in plain.command


def test_a_command_repeats_the_scheduler(quick: Command, tmp_path: Path) -> None:
    weights = tmp_path / "weights.txt"
    weights.write_text("0 1 3\n1 > 2 5\n2 0 1  # both ways\n")
    for name in ("self-meeting", "bursts", f"weighted:{weights}"):
        words = ("run", "fratricide", "-n", 3, "--seed", 4, "--json")
        first = quick(*words, "--scheduler", name).object
        assert f"--scheduler {name}" in first["command"]
        again = quick(*first["command"].split()[1:], "--json").object
        assert again["steps"] == first["steps"]


@pytest.mark.parametrize("line", [", ", "0", "0 1", "0 > 1", "0 1 2 3", "x y 3", "> > > >"])
def test_a_line_that_is_no_weighted_arc_is_refused(line: str, quick: Command, tmp_path: Path) -> None:
    weights = tmp_path / "weights.txt"
    weights.write_text(f"0 1 3\n{line}\n")
    outcome = quick("run", "fratricide", "-n", 3, "--scheduler", f"weighted:{weights}")
    assert (outcome.code, outcome.stderr.count("\n")) == (2, 1)
    assert f"{weights}:2" in outcome.stderr


GREEDY = """
class Greedy:
    def next_pair(self, configuration, step, draw):
        leaders = [i for i, agent in enumerate(configuration) if agent.leader]
        if len(leaders) < 2:
            return None
        return leaders[0], leaders[1]


class Lazy:
    def next_pair(self, configuration, step, draw):
        return draw(3), 3 + draw(2)


odd = Greedy()
"""


def test_a_users_scheduler_sees_the_configuration(quick: Command, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(GREEDY)
    found = quick("run", "fratricide", "-n", 20, "--scheduler", f"{tmp_path}/mine.py:Greedy", "--seed", 1, "--json")
    assert (found.code, found.object["steps"], found.object["engine"]) == (0, 19, "reference")
    assert (
        quick("run", "fratricide", "-n", 20, "--scheduler", f"{tmp_path}/mine.py:odd", "--json").object["steps"] == 19
    )
    lazy = quick("run", "epidemic", "-n", 5, "--scheduler", f"{tmp_path}/mine.py:Lazy", "--seed", 1, "--json").object
    assert lazy["converged"]
    for engine in ("agents", "events", "counts"):
        words = ("run", "fratricide", "-n", 20, "--engine", engine, "--scheduler", f"{tmp_path}/mine.py:Greedy")
        outcome = quick(*words)
        assert outcome.code == 2
        assert "--engine reference" in outcome.stderr or "complete graph" in outcome.stderr


class Stubborn:
    """From Python: an object; it remembers what it did, also when a session goes back."""

    def __init__(self) -> None:
        self.turns = 0

    def next_pair(self, configuration: object, step: int, draw: object) -> tuple[int, int]:
        self.turns += 1
        return self.turns % 4, (self.turns + 1) % 4


def test_an_object_from_python_is_made_anew_and_goes_back_with_the_run() -> None:
    one, two = (princeps.run("epidemic", n=4, seed=1, scheduler=Stubborn, max_steps=9) for _ in range(2))
    assert one.steps == two.steps
    assert one.command == ""  # no command line says it
    session = princeps.session("epidemic", n=4, seed=1, scheduler=Stubborn)
    session.step(7)
    assert session.last_pair == (3, 0)
    session.goto(2)
    session.step(5)
    assert session.last_pair == (3, 0)


def test_engines_ask_the_scheduler_not_its_name() -> None:
    class Mine(ListedPairs):
        pass

    run = make_run("fratricide", 600, scheduler=Mine(((0, 1), (1, 2)), "list:0-1,1-2"))
    assert isinstance(run.scheduler, Scheduler)
    for engine in ("events", "counts"):
        with pytest.raises(errors.RunError, match=r'use engine="(agents|counts)"'):
            princeps.run("fratricide", n=600, scheduler=run.scheduler, engine=engine)
    assert princeps.run("fratricide", n=600, scheduler=run.scheduler).engine == "agents"


@pytest.mark.parametrize(
    ("scheduler", "graph", "sentence"),
    [
        ("unifrom", None, "unknown scheduler 'unifrom': did you mean uniform"),
        ("self-meeting", "ring", "is for the complete graph, not for 'ring'"),
        ("bursts", "star", "is for rings and the complete graph, not for 'star'"),
        ("weighted:nowhere.txt", None, "scheduler file 'nowhere.txt' cannot be read"),
        ({(0, 9): 1}, None, "(0, 9) is no arc of 'complete': remove it"),
        ({(0, 1): 0}, None, "weight 0 is not a positive integer"),
        ({0: 1}, None, "0 is no arc: give weights by pairs of agents"),
        ({}, None, "has no arc"),
        (3.5, None, "scheduler 3.5 is not understood"),
        ("nowhere.py:Mine", None, "there is no file 'nowhere.py'"),
    ],
)
def test_what_is_no_scheduler_is_refused_in_a_sentence(scheduler: object, graph: str | None, sentence: str) -> None:
    with pytest.raises(errors.PrincepsError) as refused:
        princeps.run("fratricide", n=4, scheduler=scheduler, graph=graph, force=graph is not None)
    assert sentence in str(refused.value)


class Wrong:
    def next_pair(self, configuration: object, step: int, draw: object) -> object:
        return (0, 7) if step == 2 else (0, 1)


class Nonsense:
    def next_pair(self, configuration: object, step: int, draw: object) -> object:
        return "ab"


class Failing:
    def next_pair(self, configuration: object, step: int, draw: object) -> object:
        raise ValueError("boom")


class Leaving:
    def next_pair(self, configuration: object, step: int, draw: object) -> object:
        raise SystemExit(0)


class Drawing:
    def next_pair(self, configuration: object, step: int, draw: Callable[[object], int]) -> object:
        return draw("x"), 1


class Demanding:
    def __init__(self, x: int) -> None: ...
    def next_pair(self, configuration: object, step: int, draw: object) -> object: ...


class Misdeclared:
    def next_pair(self) -> object: ...


@pytest.mark.parametrize(
    ("scheduler", "sentence"),
    [
        (Wrong, "chose (0, 7)"),
        (Nonsense, "chose 'ab'"),
        (Failing, "the scheduler failed with ValueError: boom. Mend"),
        (Leaving, "the scheduler failed with SystemExit: 0. Mend"),
        (Drawing, "the scheduler draws below 'x': give a positive integer"),
        (Demanding, "the scheduler failed with TypeError"),
        (Misdeclared, "the scheduler failed with TypeError"),
    ],
)
def test_a_users_scheduler_that_chooses_nobody_is_told(scheduler: object, sentence: str) -> None:
    with pytest.raises(errors.RunError) as refused:
        princeps.run("epidemic", n=4, scheduler=scheduler)
    assert sentence in str(refused.value)


def test_two_ways_to_say_who_meets_next_are_one_too_many() -> None:
    with pytest.raises(errors.RunError, match="both say who meets next"):
        princeps.run("fratricide", n=4, scheduler="bursts", pairs="list:0-1")
    with pytest.raises(errors.RunError, match="are the same option"):
        princeps.run("a_k", labels="1,2,2", scheduler="random", schedule="synchronous")
    assert princeps.run("a_k", labels="1,2,2", scheduler="random", seed=1).schedule == "random"


@pytest.mark.medium
def test_a_sweep_by_another_scheduler_is_another_point(tmp_path: Path) -> None:
    store = str(tmp_path / "s.db")
    plain = princeps.sweep("fratricide", 4, trials=3, jobs=1, store=store, engine="reference")
    other = princeps.sweep("fratricide", 4, trials=3, jobs=1, store=store, engine="reference", scheduler="self-meeting")
    assert len({one.point for one in (*plain, *other)}) == 2
    assert "--scheduler self-meeting" in next(iter(other)).command
    with pytest.raises(errors.RunError, match="a command can name"):
        princeps.sweep("fratricide", 4, trials=3, jobs=1, store=store, scheduler={(0, 1): 1})
