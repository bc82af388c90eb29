"""The largest safe set, closed sets and counterexamples, against every configuration of singleton_classes agents."""

from __future__ import annotations

import shlex
from typing import Any

import numpy as np
import pytest

import princeps as library
from princeps.analysis.counterexamples import Counterexample
from princeps.analysis.exploration import explore_all
from princeps.analysis.hitting_problem import HittingProblem
from princeps.analysis.set_reports import report_set
from princeps.analysis.targets import find_target
from princeps.model.reading import make_run
from princeps.model.run import Run
from princeps.model.states import State
from tests.analysis import example_protocols
from tests.analysis.example_protocols import Anything, Fork, Fuse, Wander
from tests.analysis.plain_population import Comparison, PlainPopulation, replayed, run_command
from tests.conftest import Command

SETS = ("leader", "calm", "some:x==1", "all:leader==0")


def outputs(run: Run, states: list[State]) -> list[bool]:
    return [run.protocol.leads(state) for state in states]


def check_report(comparison: Comparison, name: str) -> Any:
    """Size, verdicts and counterexamples of one set, against the plain population."""
    run, plain, safe = comparison.run, comparison.plain, comparison.safe
    report, inside = report_set(comparison.space, name), comparison.each(comparison.space.members(name))
    assert report.size == inside.sum()
    assert report.closed == all(inside[after[inside]].all() for after in plain.after) == (report.leak is None)
    assert report.safe == bool((inside <= safe).all()) == (report.danger is None)
    assert report.is_largest_safe == bool((inside == safe).all())
    if report.safe and safe.any():
        assert report.share_of_safe == inside.sum() / safe.sum()
    if report.leak is not None:
        first, last = replayed(run, report.leak.states, report.leak.pairs)
        assert inside[plain.number(first)]
        assert not inside[plain.number(last)]
    if report.danger is not None:
        way = replayed(run, report.danger.states, report.danger.pairs)
        assert inside[plain.number(way[0])]
        if (plain.leaders[inside] != 1).any():
            assert len(way) == 1
            assert sum(outputs(run, way[0])) != 1
        else:  # the shortest of all ways, by all but whose last step nothing is seen
            assert len(way) - 1 == plain.distance(inside, None)
            seen = [outputs(run, states) for states in way]
            assert all(output == seen[0] for output in seen[:-1])
            assert seen[-1] != seen[0]
    return report


GRAPHS = [("ring", 2), ("ring", 3), ("ring", 4), ("complete", 3), ("complete", 4), ("complete", 5)]


@pytest.mark.medium
@pytest.mark.parametrize(("graph", "n"), GRAPHS)
def test_arbitrary_protocols(graph: str, n: int) -> None:
    seen = {"safe": 0, "leaks": 0, "traps": 0, "reached": 0}
    for u in range(24 if n < 4 else 12 if n < 5 else 6):
        run = make_run(Anything, n, graph=graph, params={"u": u, "busy": (10, 25, 40)[u % 3]})
        comparison = Comparison(run, SETS, reduce=bool(u % 4))
        assert (comparison.each(comparison.space.safe) == comparison.safe).all()
        assert (comparison.each(comparison.space.leaders) == comparison.plain.leaders).all()
        seen["safe"] += bool(comparison.safe.any())
        for name in (*SETS, "safe"):
            report = check_report(comparison, name)
            problem = HittingProblem(comparison.space, name)
            check_journey(comparison, problem)
            seen["leaks"] += not report.closed
            seen["traps"] += problem.trap() is not None
            seen["reached"] += bool(problem.certain.all() and not problem.target.all())
    assert min(seen.values()) >= 2, seen


def check_journey(comparison: Comparison, problem: HittingProblem) -> None:
    """From where the target is reached for certain, and how long that takes, by one dense system."""
    plain, target = comparison.plain, comparison.each(problem.target)
    hopeful = plain.leading_to(target, target)
    stray = plain.leading_to(~hopeful, target)
    assert (comparison.each(problem.can_reach) == hopeful).all()
    assert (comparison.each(problem.certain) == ~stray).all()
    times = comparison.each(problem.times.values)
    assert (np.isinf(times) == stray).all()
    assert times[~stray] == pytest.approx(plain.expected(target | stray)[~stray], rel=1e-9)
    trap = problem.trap()
    assert (trap is None) == bool(hopeful.all())
    if trap is not None:
        assert trap.pairs == ()
        assert not hopeful[plain.number(trap.states)]


# -- protocols whose answer is known ----------------------------------------------------------------------------------


@pytest.mark.medium
@pytest.mark.parametrize(("n", "N", "safe"), [(2, 2, 1440), (2, 3, 2704), (3, 3, 74208)])
def test_the_safe_set_of_p_rl(n: int, N: int, safe: int) -> None:
    run = make_run("p_rl", n, params={"N": N})
    plain, space = PlainPopulation(run), explore_all(run, [find_target(run.protocol, "s_rl")])
    wanted = plain.safe()
    assert (wanted.sum(), space.original_count(space.safe)) == (safe, safe)
    some = range(plain.size) if n == 2 else np.random.default_rng(1).integers(0, plain.size, 2000).tolist()
    assert [space.safe[space.configurations.index_of(plain.configuration(code))] for code in some] == wanted[
        some
    ].tolist()


def test_the_sets_of_p_rl() -> None:
    comparison = Comparison(make_run("p_rl", 2, params={"N": 2}), ("s_rl", "c_pb", "c_ni", "leader"))
    for name in ("s_rl", "c_pb", "c_ni"):
        assert (comparison.each(comparison.space.members(name)) == comparison.plain.goal(name)).all()
        assert check_report(comparison, name).closed
    assert not check_report(comparison, "leader").closed
    found = {one.name: one for one in library.exact("p_rl", 2, sets=True).sets}
    assert set(found) == {"safe", "s_rl", "c_pb", "c_ni", "led", "leader", "safe as the protocol's file states it"}
    assert [name for name, one in found.items() if one.safe] == [
        "safe",
        "s_rl",
        "safe as the protocol's file states it",
    ]
    assert found["safe as the protocol's file states it"].is_largest_safe
    assert found["s_rl"].share_of_safe == 312 / 1440


@pytest.mark.parametrize(("graph", "n"), [("ring", 3), ("complete", 3)])
@pytest.mark.parametrize("reduce", [True, False])
def test_the_shortest_way_to_a_loss_is_found(graph: str, n: int, reduce: bool) -> None:
    comparison = Comparison(make_run(Fuse, n, graph=graph), ("wound", "leader"), reduce)
    danger = check_report(comparison, "wound").danger
    assert len(danger.pairs) == 3  # from 2 to 1 to 0, and then over
    assert len(check_report(comparison, "leader").danger.pairs) == 1


@pytest.mark.parametrize(("graph", "n"), [("ring", 2), ("ring", 3), ("ring", 5), ("complete", 3), ("complete", 4)])
@pytest.mark.parametrize("reduce", [True, False])
def test_leadership_that_wanders_is_never_safe(graph: str, n: int, reduce: bool) -> None:
    found = library.exact(Wander, n, graph=graph, target="leader", sets=True, reduce=reduce)
    assert (found.target_closed, found.target_safe, found.largest_safe) == (True, False, 0)
    danger = next(one for one in found.sets if one.name == "leader").danger
    assert len(danger.pairs) == 1
    safe = library.exact(Wander, n, graph=graph, reduce=reduce)
    assert (safe.target, safe.target_size, safe.reachable, safe.worst) == ("safe", 0, False, float("inf"))


# -- what is printed ----------------------------------------------------------------------------------------------------


def test_a_trap_is_shown_with_the_way_there(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    name, target = f"{example_protocols.__file__}:Fork", "all:x==1"
    found = library.exact(Fork, 3, target=target)
    plain = PlainPopulation(make_run(Fork, 3))
    lost = plain.satisfying(lambda states: any(x == 2 for _, x in states))
    here = plain.satisfying(lambda states: all(state == (0, 0) for state in states))
    assert not found.reachable
    assert (found.start, found.worst, found.mean) == ("initial", float("inf"), float("inf"))
    assert len(found.trap.pairs) == plain.distance(here, lost) == 2
    way = replayed(plain.run, found.trap.states, found.trap.pairs)
    assert here[plain.number(way[0])]
    assert lost[plain.number(way[-1])]
    outcome = quick("exact", name, "-n", 3, "--target", target)
    assert outcome.code == 1
    assert f"trapped: {found.trap.command}" in " ".join(outcome.stdout.split())
    outcome = quick("exact", name, "-n", 3, "--target", target, "--json")
    assert outcome.code == 1
    shown = outcome.object
    assert (shown["reachable"], shown["worst"], shown["mean"]) == (False, None, None)
    assert shown["trap"]["pairs"] == [list(pair) for pair in found.trap.pairs]
    assert shown["trap"]["start"] == [{"leader": 0, "x": 0}] * 3
    assert run_command(shown["trap"]["command"], quick, monkeypatch) == way[-1]


CASES: list[tuple[Any, int, dict[str, Any], str]] = [
    ("p_rl", 2, {"N": 3}, "leader"),
    ("timer", 3, {"t_max": 2}, "leader"),  # its goal is met where the counterexample begins
    ("p_pl", 2, {"N": 2, "virus_factor": 1, "emit_factor": 1}, "s"),
    (Wander, 4, {"graph": "ring"}, "leader"),
    (Wander, 5, {"graph": "er:0.5"}, "leader"),  # of which there are many
    (Anything, 3, {"graph": "path", "u": 5}, "some:x==1"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}-{case[2]}")
def test_commands_replay_what_they_claim(
    case: tuple[Any, int, dict[str, Any], str], quick: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, n, given, target = case
    found = library.exact(name, n, target=target, sets=True, **given)
    run = make_run(name, n, graph=given.get("graph"), params={k: v for k, v in given.items() if k != "graph"})
    shown: list[Counterexample] = [way for one in found.sets for way in (one.leak, one.danger) if way is not None]
    assert any(way.pairs for way in shown)
    for way in shown:
        assert ("--graph" in way.command) == ("graph" in given)
        assert run_command(way.command, quick, monkeypatch) == replayed(run, way.states, way.pairs)[-1]


@pytest.mark.slow
def test_a_command_works_in_a_shell(princeps: Command) -> None:
    leak = next(one for one in library.exact("p_rl", 2, N=3, sets=True).sets if one.name == "leader").leak
    outcome = princeps(*shlex.split(leak.command)[1:], "--json")
    assert (outcome.stderr, outcome.object["steps"], outcome.object["leaders"] != 1) == ("", len(leak.pairs), True)
