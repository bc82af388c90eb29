"""Skipping null interactions: the list of active arcs is right at every moment, and no cut changes a run."""

from __future__ import annotations

import numpy as np
import pytest

import princeps
from princeps.engines import events as events_engine
from princeps.engines.active_arcs import RATES, steps_to_next
from princeps.engines.agents import Agents
from princeps.engines.events import Events, bits_read
from princeps.engines.population import Stop, StopCondition
from princeps.errors import ProtocolError, RunError
from princeps.lowering.kernels import Kernels
from princeps.model import Agent, Bit, Natural, Params, PopulationProtocol, Range
from princeps.model.reading import make_run
from princeps.model.run import Run
from tests.conftest import Command
from tests.tables import in_one_test

GRAPHS = ["ring", "undirected-ring", "path", "star", "grid:3x4", "torus:3x4", "regular:3", "er:0.5"]


def events_run(graph: str, n: int = 12, name: str = "p_rl", **more: object) -> Run:
    return make_run(name, n, graph=graph, engine="events", **{"seed": 4, "force": True, **more})


def states_of(population: Agents) -> list[tuple[int, ...]]:
    return [population.state(agent) for agent in range(population.run.n)]


def really_active(population: Events) -> set[int]:
    topology, step = population.run.topology, population.run.protocol.step
    states = states_of(population)
    pairs = [topology.arc(k) for k in range(topology.arc_count)]
    return {k for k, (i, j) in enumerate(pairs) if step(states[i], states[j]) != (states[i], states[j])}


@pytest.fixture
def always_skipping(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events_engine, "JUDGE_AFTER", 1)
    monkeypatch.setattr(events_engine, "SKIP_FROM", 0)
    monkeypatch.setattr(events_engine, "WALK_FROM", 1)
    monkeypatch.setattr(events_engine, "EXAMINED_ARCS", 10**9)  # all graphs are cheap


@pytest.mark.medium
@in_one_test("graph", GRAPHS)
@pytest.mark.parametrize("name", ["p_rl", "epidemic"])
def test_the_list_of_active_arcs_is_right_after_every_change(graph: str, name: str, always_skipping: None) -> None:
    population = Events(events_run(graph, name=name))
    changes = 0
    for _ in range(300):
        before = population.events
        population.advance(7, StopCondition.NOTHING)
        if population.skipping:
            listed = population.active[: population.facts[0]].tolist()
            assert len(set(listed)) == len(listed)
            assert set(listed) == really_active(population)
        changes += population.events - before
        assert population.leaders == population.census([population.run.protocol.is_leader])[0]
    assert population.skipping
    assert changes >= 5


@pytest.mark.parametrize("graph", ["ring", "undirected-ring", "er:0.05"])
def test_how_a_run_is_cut_does_not_change_it(graph: str) -> None:
    def trajectory(cuts: list[int]) -> tuple[object, ...]:
        population = Events(events_run(graph, n=30) if graph == "ring" else events_run(graph, 300, "epidemic"))
        for cut in cuts:
            population.advance(cut, StopCondition.NOTHING)
        assert population.skipping
        assert population.events > 200
        return states_of(population), population.events, population.steps

    whole = trajectory([40_000])
    assert whole == trajectory([1] * 5000 + [35_000]) == trajectory([4096, 4096, 1, 30_000, 1807])


def test_the_first_step_of_a_closed_goal_does_not_depend_on_the_window() -> None:
    found = set()
    for window in (50, 999, 10**6):
        population = Events(make_run("p_rl", 60, engine="events", seed=8))
        while population.advance(window, StopCondition.GOAL) is not Stop.FULFILLED:
            pass
        assert population.holds()
        found.add((population.steps, population.events, tuple(states_of(population))))
    assert len(found) == 1


def test_it_passes_to_skipping_and_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault at every agent makes most arcs active again."""
    monkeypatch.setattr(events_engine, "JUDGE_AFTER", 1)
    run = make_run("p_rl", 200, engine="events", seed=2)
    population = Events(run)
    while not population.skipping:
        population.advance(100, StopCondition.NOTHING)
    stream = run.stream("faults")
    space = run.protocol.space
    population.overwrite([(k, space.random_state(stream, population.state(k))) for k in range(200)])
    assert population.facts[0] == len(really_active(population)) > 200 // events_engine.WALK_FROM
    population.advance(1, StopCondition.NOTHING)
    assert not population.skipping
    while not population.skipping:
        population.advance(100, StopCondition.NOTHING)
    assert population.facts[0] == len(really_active(population))


def test_on_a_star_every_interaction_touches_all_arcs() -> None:
    """So skipping pays only where hardly anything happens."""
    assert Events(events_run("star", 2000, "epidemic")).costly > 400
    assert Events(events_run("ring", 2000)).costly == 1
    assert 5 < Events(events_run("grid:40x50", None, "epidemic")).costly < 10


def test_where_nothing_can_change_steps_cost_nothing() -> None:
    population = Events(events_run("ring", name="epidemic"))
    population.advance(10**6, StopCondition.NOTHING)
    assert population.holds()
    population.advance(10**18, StopCondition.NOTHING)
    population.advance(9 * 10**18, StopCondition.NOTHING)
    assert population.steps == 10**19 + 10**6
    assert population.events == 11


def test_outputs_are_watched() -> None:
    """Every change of an output is stopped at, each exactly once."""
    population = Events(events_run("ring", n=20, until="leader"))
    leaders = [population.state(k)[0] for k in range(20)]
    for _ in range(40):
        if population.advance(10**7, StopCondition.OUTPUT) is not Stop.FULFILLED:
            break
        now = [population.state(k)[0] for k in range(20)]
        assert now != leaders
        leaders = now


def test_a_mistake_in_a_rule_is_told_where_it_is(tmp_path: object, always_skipping: None) -> None:
    from pathlib import Path

    file = Path(str(tmp_path)) / "counter.py"
    file.write_text(
        "from princeps.model import Agent, Bit, Blocks, Params, PopulationProtocol, Range\n\n"
        "def initial(n, p):\n    return [(1, {'leader': 1}), (n - 1, {})]\n\n"
        "class Counter(PopulationProtocol):\n"
        "    leader, count = Bit(), Range(lambda p: 5)\n"
        "    starts = {'initial': Blocks(initial)}\n"
        "    @staticmethod\n"
        "    def interact(a: Agent, b: Agent, p: Params) -> None:\n"
        "        if a.leader == 1:\n"
        "            b.count = b.count + 1\n"
    )
    with pytest.raises(ProtocolError, match="count = 5 is outside its domain") as told:
        Events(make_run(f"{file}:Counter", 6, graph="ring", engine="events")).advance(10**6, StopCondition.NOTHING)
    assert "counter.py:12" in str(told.value)


def test_what_it_cannot_do_is_refused(quick: Command) -> None:
    with pytest.raises(RunError, match='use engine="counts"'):
        princeps.run("fratricide", n=10, engine="events")
    with pytest.raises(RunError, match='use engine="agents" with a given schedule'):
        princeps.run("p_rl", n=3, engine="events", pairs=[(0, 1)])
    outcome = quick("run", "fratricide", "-n", 10, "--engine", "events")
    assert (outcome.code, outcome.stdout) == (2, "")
    assert len(outcome.stderr.strip().splitlines()) == 1


@pytest.mark.medium
@in_one_test("graph", ["ring", "undirected-ring", "regular:3"])
def test_requesting_memory_ahead_changes_nothing(
    graph: str, always_skipping: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def trajectory(from_bytes: int) -> tuple[object, ...]:
        monkeypatch.setattr(events_engine, "PREFETCH_BYTES", from_bytes)
        population = Events(events_run(graph, n=200))
        population.advance_exactly(20_000)
        assert population.skipping
        assert population.events > 1000
        assert population._ahead == (from_bytes == 0)
        facts, active = population.facts.tolist(), population.active[: population.facts[0]].tolist()
        return states_of(population), population.steps, population.events, facts, active, population.skips.tolist()

    assert trajectory(0) == trajectory(1 << 60)


def test_waits_do_not_depend_on_the_rates_that_are_remembered() -> None:
    """Also where two numbers of arcs share a place."""
    numbers = [3, 3, 4, 3 + RATES, 3, 4, 700, 3 + RATES, 2 * RATES, RATES, 5000, 5000, 1]
    kept, other = np.zeros(2 * RATES), np.array([1, 2, 3, 4], np.uint64)
    stream = other.copy()
    waits = [steps_to_next(stream, number, 5000, kept) for number in numbers]
    assert waits == [steps_to_next(other, number, 5000, np.zeros(2 * RATES)) for number in numbers]
    assert waits[-2] == waits[-3] == 1  # all of them are active
    assert max(waits) > 100


def big(a: Agent, p: Params) -> int:
    return a.number > 3


def both(a: Agent, p: Params) -> int:
    return a.left == 1 and a.small >= 2


def always(a: Agent, p: Params) -> int:
    return 1


class Watched(PopulationProtocol):
    """Predicates that look at no field, one or two; the number has a word of its own."""

    name = "watched"
    left, small, number, unseen = Bit(), Range(5), Natural(4), Range(9)
    predicates = {"big": big, "both": both, "always": always}

    @staticmethod
    def is_leader(a: Agent, p: Params) -> int:
        return a.small == 4

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        a.unseen = b.unseen


def test_the_bits_that_predicates_look_at() -> None:
    protocol = Watched()
    kernels = Kernels(protocol)
    fields = kernels.layout.bit_fields

    def bits(*names: str) -> list[int]:
        words = [0] * kernels.layout.words
        for name in names:
            words[fields[name].word] |= -1 if fields[name].width == 64 else fields[name].mask << fields[name].shift
        return words

    known = type(protocol).all_predicates()
    assert bits_read(kernels, [known["always"]]).tolist() == bits()
    assert bits_read(kernels, [protocol.is_leader]).tolist() == bits("small")
    assert bits_read(kernels, [known["big"], known["both"]]).tolist() == bits("number", "left", "small")
