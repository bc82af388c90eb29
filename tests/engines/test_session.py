"""A run in the hand: what it gives untouched, going back and forth, attacks, refusals."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import princeps
from princeps.engines import checkpoints
from princeps.engines.session import Session
from princeps.errors import ParameterError, PrincepsError, RunError, StateError, UnknownName


def session(name: str, n: int, **options: Any) -> Session:
    made = princeps.session(name, n, **options)
    assert isinstance(made, Session)
    return made


def seen(one: Session) -> Any:
    """What can be seen of a session at one point."""
    agents = None
    if one.population.numbers_agents:
        agents = {name: values.tolist() for name, values in one.configuration.items()}, one.dead_agents, one.cut_arcs
    return one.steps, one.events, one.leaders, one.leader, sorted(one.counts.items()), agents


@pytest.mark.medium
@pytest.mark.parametrize(
    ("name", "n", "options"),
    [
        ("p_rl", 20, {"engine": "reference"}),
        ("p_rl", 20, {"engine": "agents"}),
        ("p_rl", 20, {"engine": "events"}),
        ("p_rl", 20, {"engine": "reference", "check": True}),
        ("p_rl", 700, {"until": "leader"}),
        ("p_ll", 20, {"engine": "reference"}),
        ("p_ll", 60, {"engine": "agents"}),
        ("p_ll", 60, {"engine": "counts"}),
        ("fratricide", 3000, {"engine": "counts"}),
        ("fratricide", 3000, {"engine": "counts", "max_steps": 100_000}),
        ("fratricide", 40, {"engine": "events", "graph": "star", "force": True, "max_steps": 10**6}),
        ("infection", 50, {}),
        ("numbered", 10, {"engine": "agents"}),
        ("p_rl", 6, {"pairs": [(k % 6, (k + 1) % 6) for k in range(20)]}),
    ],
)
def test_an_untouched_session_is_the_run(name: str, n: int, options: dict[str, Any]) -> None:
    """Also where a closed goal's first hit has to be searched."""
    for seed in range(3):
        result = princeps.run(name, n, seed=seed, **options)
        one = session(name, n, seed=seed, **options)
        reached = one.run_until()
        assert one.engine == result.engine
        assert reached == result.converged == one.holds()
        assert (one.leaders, one.leader, one.events) == (
            result.leaders,
            result.leader,
            result.events,
        ) or "pairs" in options
        assert one.steps == (options["max_steps"] if result.stuck else result.steps)  # time goes on in a session
        assert one.command.startswith("princeps run ")


@pytest.mark.parametrize(
    ("name", "n", "engine"), [("p_rl", 30, "events"), ("p_ll", 30, "agents"), ("p_ll", 10, "reference")]
)
def test_steps_do_not_change_the_run(name: str, n: int, engine: str) -> None:
    whole = session(name, n, seed=4, engine=engine).step(3000)
    parts = session(name, n, seed=4, engine=engine)
    for size in (1, 7, 500, 2492):
        parts.step(size)
    assert seen(parts) == seen(whole)
    assert parts.last_pair == whole.last_pair


def attacked(engine: str) -> tuple[Session, dict[int, Any]]:
    """A session with attacks of every kind, and what was seen on the way."""
    one = session("p_rl", 12, seed=9, engine=engine)
    points = {0: seen(one)}
    actions: list[Callable[[], object]] = [
        lambda: one.corrupt(3),
        lambda: one.set(4, leader=1, distL=0),
        lambda: one.meet(4, 5),
        lambda: one.torn(7, 8, "responder"),
    ]
    if engine != "events":
        actions += [lambda: one.dead(3), lambda: one.cut(6, 7), lambda: one.alive(3), lambda: one.heal(6, 7)]
    for act in actions:
        one.step(211)
        points[one.steps] = seen(one)
        act()
        points[one.steps] = seen(one)
    one.step(1500)
    points[one.steps] = seen(one)
    return one, points


@pytest.mark.parametrize("engine", ["reference", "agents", "events"])
def test_goto_reproduces_every_point_attacks_included(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("princeps.engines.events.JUDGE_AFTER", 1)
    monkeypatch.setattr(checkpoints, "LIMIT", 5)
    one, points = attacked(engine)
    one._checkpoints.spacing = 1
    for step in [*points, *reversed(points), *sorted(points, key=lambda k: (k * 7919) % 1013)]:
        one.goto(step)
        assert seen(one) == points[step], step
    one.goto(700)
    middle = seen(one)
    one.goto(0).step(700)  # in the past, stepping follows what was done
    assert seen(one) == middle
    one.back(1).step(1)
    assert seen(one) == middle
    one.goto(one.last_step)
    assert seen(one) == points[max(points)]


def test_checkpoints_are_bounded_and_thinned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "LIMIT", 16)
    one = session("p_ll", 20, seed=1, engine="agents")
    one._checkpoints.spacing = 50
    for _ in range(40):
        one.step(997)
        assert len(one._checkpoints.kept) <= 16
    works = [kept.work for kept in one._checkpoints.kept]
    assert works[0] == 0
    gaps = np.diff(works)
    assert len(works) >= 8
    assert gaps.max() <= 3 * gaps.min()
    there = session("p_ll", 20, seed=1, engine="agents")
    for step in (12_345, 1, 39_000, 39_880):
        one.goto(step)
        assert seen(one) == seen(there.goto(step) if step <= there.last_step else there.step(step - there.steps))


def test_acting_in_the_past_forgets_the_future() -> None:
    one, _ = attacked("agents")
    one.goto(500).set(2, leader=1)
    assert one.last_step == 500
    with pytest.raises(RunError, match=r"goto\(501\) is beyond the end: step 500 is the last"):
        one.goto(501)
    assert [event.lines()[0][0] for event in one.script.events][-2:] == ["steps", "set"]
    other = princeps.session("p_rl", 12, seed=9, engine="agents").perform(one.script)
    assert seen(one) == seen(other)
    one.step(100)
    other.step(100)
    assert seen(one) == seen(other)
    fresh = session("p_rl", 12, seed=9, engine="agents").step(50).corrupt(2).step(50)
    fresh.goto(49).forget_future().step(51)
    assert seen(fresh) == seen(session("p_rl", 12, seed=9, engine="agents").step(100))


def test_a_refused_attack_forgets_nothing() -> None:
    one = session("fratricide", 50, seed=1, engine="counts")
    one.step(100)
    one.step(100)
    one.goto(100)
    with pytest.raises(RunError, match='use engine="agents"'):
        one.dead(0)
    assert one.last_step == 200
    assert one.in_the_past


def test_corrupt_draws_from_the_faults_of_a_run_and_not_from_the_scheduler() -> None:
    result = princeps.run("p_rl", 30, seed=8, engine="agents", faults=["6000:5"], until="leader")
    one = session("p_rl", 30, seed=8, engine="agents", until="leader").step(6000).corrupt(5)
    assert one.run_until()
    assert result.faults is not None
    assert result.steps < 6000  # else this seed does not show it
    assert result.faults[0].recovery_steps == one.steps - 6000
    left, right = (session("p_ll", 30, seed=8, engine="agents").step(10) for _ in range(2))
    left.corrupt(7)
    for _ in range(700):
        assert left.step().last_pair == right.step().last_pair


def test_counts_goes_back_to_where_it_stood() -> None:
    one = session("p_ll", 500, seed=3, engine="counts")
    points = {0: seen(one)}
    for size in (1, 10, 1000, 3, 5000):
        one.step(size)
        points[one.steps] = seen(one)
    one.corrupt(20)
    assert one.set(0, **one.state(499)).steps == 6014
    points[one.steps] = seen(one)
    assert one.run_until("leader", max_steps=10**8)
    points[one.steps] = seen(one)
    for step in [*points, *reversed(points)]:
        assert seen(one.goto(step)) == points[step]
    one.goto(0)
    with pytest.raises(
        RunError, match=r'step 500 lies within them: go to 11 or 1011, where the session stood, or use engine="agents"'
    ):
        one.goto(500)
    one.step(1011)
    assert seen(one) == points[1011]
    assert one.run_until("leader")
    assert one.holds("leader")
    for refused in (lambda: one.meet(0, 1), lambda: one.last_pair, lambda: one.configuration, lambda: one.cut(0, 1)):
        with pytest.raises(RunError, match='engine="agents"'):
            refused()


def test_run_until_finds_other_goals_and_goals_in_the_past() -> None:
    one = session("p_rl", 20, seed=2, engine="agents", start="no_leader")
    assert one.run_until("leader")
    first = one.steps
    assert one.run_until("s_rl")
    second = one.steps
    assert first < second
    assert first == princeps.run("p_rl", 20, seed=2, engine="agents", start="no_leader", until="leader").steps
    assert second == princeps.run("p_rl", 20, seed=2, engine="agents", start="no_leader").steps
    one.step(1000).goto(0)
    assert one.run_until("leader")
    assert one.steps == first
    assert one.run_until()
    assert one.steps == second
    assert one.last_step == second + 1000
    assert not session("p_rl", 20, seed=2, engine="agents", start="no_leader").run_until(max_steps=first - 1)
    limited = session("p_rl", 20, seed=2, engine="agents", start="no_leader", max_steps=5)
    assert not limited.run_until()
    assert limited.steps == 5


def test_reading_a_session() -> None:
    one = session("p_rl", 20, seed=2, engine="agents").step(100)
    assert sum(one.counts.values()) == 20
    assert one.census["leaders"] == one.leaders == int(one.configuration["leader"].sum())
    assert one.state(3) == {name: int(values[3]) for name, values in one.configuration.items()}
    assert one.parallel_time == 5.0
    assert repr(one) == f"<session p_rl n=20 agents: step 100, {one.leaders} leaders>"
    assert one.holds("leader") == (one.leaders == 1)
    assert not one.set(3, leader=1).set(4, leader=1).holds("leader")


@pytest.mark.parametrize(
    ("act", "error", "sentence"),
    [
        (lambda s: s.step(-1), ParameterError, "step: -1 is too small: give 0 or more"),
        (lambda s: s.step(1.5), ParameterError, "step: 1.5 is not an integer"),
        (lambda s: s.back(11), RunError, r"back\(11\) goes before the start: this is step 10"),
        (lambda s: s.back(-1), ParameterError, "back: -1 is too small"),
        (lambda s: s.goto(11), RunError, r"goto\(11\) is beyond the end: step 10 is the last"),
        (lambda s: s.goto("x"), ParameterError, "goto: 'x' is not an integer"),
        (lambda s: s.set(20, leader=1), RunError, r"20 is no agent: there are 0\.\.19"),
        (lambda s: s.set(-1, leader=1), RunError, "-1 is no agent"),
        (lambda s: s.set("a", leader=1), RunError, "'a' is no agent"),
        (lambda s: s.set(0, crown=1), StateError, "agent 0 has an unknown field 'crown': the fields are leader"),
        (lambda s: s.set(0, leader=2), StateError, r"agent 0 has leader = 2, outside its domain 0\.\.1"),
        (lambda s: s.set(0, leader="x"), StateError, "agent 0 has leader = 'x': it must be an integer"),
        (lambda s: s.corrupt(0), ParameterError, "corrupt: 0 is too small: give 1 or more"),
        (lambda s: s.corrupt(21), RunError, r"corrupt\(21\) hits more agents than there are: give at most 20"),
        (lambda s: s.meet(0, 2), RunError, r"\(0, 2\) is no arc of 'ring'"),
        (lambda s: s.meet(3, 3), RunError, r"\(3, 3\) is no arc"),
        (lambda s: s.torn(0, 1, "left"), RunError, "side 'left' is not understood"),
        (lambda s: s.dead(0).meet(0, 1), RunError, r"agent 0 is dead and meets nobody: revive it with alive\(0\)"),
        (lambda s: s.cut(0, 1).meet(0, 1), RunError, r"the arc \(0, 1\) is cut: restore it with heal\(0, 1\)"),
        (lambda s: s.run_until("crowned"), UnknownName, "unknown goal 'crowned'"),
        (lambda s: s.holds("crowned"), UnknownName, "unknown goal 'crowned'"),
        (lambda s: s.run_until(max_steps=-3), ParameterError, "max_steps: -3 is too small"),
    ],
)
def test_bad_calls_are_refused_in_a_sentence(act: Any, error: type[PrincepsError], sentence: str) -> None:
    one = session("p_rl", 20, seed=2, engine="agents").step(10)
    with pytest.raises(error, match=sentence) as raised:
        act(one)
    assert str(raised.value).count(". ") == 0
    assert one.steps == 10


def test_inputs_are_never_overwritten() -> None:
    one = session("numbered", 6, seed=2)
    with pytest.raises(StateError, match="aid is an input of the agent: nothing overwrites it"):
        one.set(0, aid=9)
    ids = one.configuration["aid"].tolist()
    assert one.corrupt(6).configuration["aid"].tolist() == ids


def test_a_checked_session_survives_its_own_attacks() -> None:
    one = session("p_rl", 8, seed=2, check=True)
    one.run_until()
    one.set(0, leader=1).set(3, leader=1).step(200)  # leaves a closed set, which is no mistake of the protocol
    one.goto(0).step(100)
    assert one.steps == 100


SOURCE = """
from princeps.model import *

def everybody_leads(a, i, n, p):
    a.leader = 1

class Coin(PopulationProtocol):
    name, topology = "coin", "complete"
    leader = Bit()
    starts = {"initial": everybody_leads}

    @staticmethod
    def is_leader(a, p):
        return a.leader

    @staticmethod
    def interact(l, r, p):
        if l.leader and r.leader:
            r.leader = 0
"""


@pytest.mark.slow
def test_a_class_that_is_defined_a_thousand_times_does_not_leak() -> None:
    """As in a notebook, where a cell is run again and again; the compiled engine tries a few of them."""
    import linecache

    alive: list[weakref.ref[type]] = []
    for k in range(1000):
        text, file = SOURCE, f"<cell {k % 5}>"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        space: dict[str, Any] = {}
        exec(compile(text, file, "exec"), space)
        cls = space["Coin"]
        engine = "agents" if k % 200 == 0 else "reference"
        assert princeps.run(cls, 5, seed=k, engine=engine).leaders == 1
        if k % 200 == 0:
            assert session(cls, 600, seed=k).run_until()
        alive.append(weakref.ref(cls))
        del cls, space
    gc.collect()
    assert sum(one() is not None for one in alive) <= 10
