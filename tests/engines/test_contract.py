"""The contract of population.py, asked of every engine in the same words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from princeps.engines.population import INITIATOR, Population, Stop, StopCondition
from princeps.engines.registry import ENGINES, REFERENCE, engine_named, refusal
from princeps.errors import RunError, UnknownName
from princeps.model.reading import make_run
from princeps.model.run import Run

# For each engine a run that it takes, with a goal on counts; and one with a goal on the whole configuration, which every
# engine takes that numbers its agents.
SMALL: dict[str, Any] = {"name": "p_ll", "n": 12}  # plain Python is slow
TRIED: list[dict[str, Any]] = [{"name": "p_ll", "n": 40}, {"name": "p_rl", "n": 30, "until": "leader"}]


def takes(engine: str, given: dict[str, Any]) -> bool:
    return refusal(engine, make_run(**given)) is None


RUNS = {name: SMALL if name == REFERENCE else next(given for given in TRIED if takes(name, given)) for name in ENGINES}
CLOSED = {name: {"name": "p_rl", "n": 9} for name in ENGINES if takes(name, {"name": "p_rl", "n": 9})}
NUMBERED = tuple(CLOSED)
every_engine = pytest.mark.parametrize("engine", list(ENGINES))
every_numbered_engine = pytest.mark.parametrize("engine", NUMBERED)


def run_of(engine: str, **changed: Any) -> Run:
    return make_run(**{**RUNS[engine], "engine": engine, "seed": 5, **changed})


def population_of(engine: str, **changed: Any) -> Population:
    return engine_named(engine).make(run_of(engine, **changed))


def seen(population: Population) -> tuple[Any, ...]:
    """What can be seen from outside."""
    counted = sorted(population.tally())
    agents = [population.state(i) for i in range(population.run.n)] if population.numbers_agents else None
    facts = population.steps, population.leaders, population.events, population.leader(), population.holds()
    return counted, agents, facts


def test_the_registry_names_every_engine() -> None:
    for name, engine in ENGINES.items():
        assert engine.name == name
        assert engine.help
        assert engine.refusal(run_of(name)) is None
        need = engine.need(run_of(name))
        assert need.total > need.bytes_per_agent >= 0
        made = engine.make(run_of(name))
        assert made.engine == name
        assert made.numbers_agents == (name in NUMBERED)
        assert refusal(name, run_of(name)) is None
    with pytest.raises(UnknownName, match="unknown engine 'agentz': did you mean agents"):
        engine_named("agentz")


def test_the_registry_needs_no_numpy() -> None:
    import subprocess
    import sys

    code = "import sys, princeps.engines.registry; assert not {'numpy', 'numba'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@every_engine
def test_a_budget_is_never_exceeded_and_exactly_means_exactly(engine: str) -> None:
    population = population_of(engine)
    for budget in (1, 2, 17, 300):
        before = population.steps
        stop = population.advance(budget, StopCondition.NOTHING)
        assert 0 <= population.steps - before <= budget
        assert stop is not Stop.FULFILLED
        assert (stop is Stop.BUDGET) <= (population.steps - before == budget)
        before = population.steps
        assert population.advance_exactly(budget) in (Stop.BUDGET, Stop.SILENT)
        assert population.steps == before + budget
    assert population.advance_exactly(0) is Stop.BUDGET


def test_an_engine_may_return_early_and_is_called_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("princeps.engines.counts.EFFORT", 1)
    population = population_of("counts", n=1000)
    assert population.advance(10**6, StopCondition.NOTHING) is Stop.EARLY
    assert 0 < population.steps < 10**6
    assert population.advance_exactly(5000) is Stop.BUDGET
    assert population.steps > 5000


@every_engine
def test_fulfilled_means_right_after_the_interaction(engine: str) -> None:
    population = population_of(engine, until="leader")
    assert not population.holds()
    stop = Stop.EARLY
    while stop in (Stop.EARLY, Stop.BUDGET):
        stop = population.advance(10**6, StopCondition.GOAL)
    assert stop is Stop.FULFILLED
    assert population.holds()
    if population.is_cut_free:
        again = population_of(engine, until="leader")
        again.advance_exactly(population.steps - 1)
        assert not again.holds()
        again.advance_exactly(1)
        assert seen(again) == seen(population)


@every_engine
def test_an_output_stops_too(engine: str) -> None:
    population = population_of(engine)
    leaders = population.leaders
    assert population.advance_exactly(10**4, StopCondition.OUTPUT) is Stop.FULFILLED
    assert population.leaders != leaders


@pytest.mark.parametrize("engine", ["reference", "agents"])
def test_a_list_of_pairs_ends(engine: str) -> None:
    population = population_of(engine, pairs=[(0, 1), (1, 2), (3, 4)])
    assert population.advance(2, StopCondition.NOTHING) is Stop.BUDGET
    assert population.advance_exactly(5) is Stop.LIST_ENDED
    assert population.steps == 3
    assert population.last_pair == (3, 4)
    assert population.advance(1, StopCondition.NOTHING) is Stop.LIST_ENDED


@pytest.mark.parametrize(("engine", "graph"), [("counts", None), ("events", "star")])
def test_silence_is_told_and_time_goes_on(engine: str, graph: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("princeps.engines.events.JUDGE_AFTER", 1)
    population = population_of(engine, name="fratricide", n=40, graph=graph, force=True)
    assert population.advance_exactly(10**9) is Stop.SILENT
    assert population.steps == 10**9
    events = population.events
    assert population.advance_exactly(10**9) is Stop.SILENT
    assert (population.steps, population.events) == (2 * 10**9, events)


@pytest.mark.medium
@every_engine
@pytest.mark.parametrize("when", [0, 3, 700, 6000])
def test_the_future_after_restore_is_the_one_before(engine: str, when: int) -> None:
    population = population_of(engine)
    population.advance_exactly(when)
    saved, here = population.snapshot(), seen(population)
    assert population.snapshot_bytes > 0

    def future() -> list[Any]:
        out = [seen(population)]
        for steps in (1, 50, 2000 if engine != "reference" else 200):
            population.advance_exactly(steps)
            out.append(seen(population))
        return [
            *out,
            population.advance_exactly(3000 if engine != "reference" else 300, StopCondition.OUTPUT),
            seen(population),
        ]

    before = future()
    for _ in range(2):  # a snapshot may be used again
        population.restore(saved)
        assert seen(population) == here
        assert future() == before


@pytest.mark.parametrize("engine", CLOSED)
def test_a_snapshot_knows_the_goal_that_was_watched(engine: str) -> None:
    population = engine_named(engine).make(make_run(**CLOSED[engine], engine=engine, seed=2))
    saved = population.snapshot()
    population.set_goal("leader")
    while population.advance(10**5, StopCondition.GOAL) is not Stop.FULFILLED:
        pass
    assert population.leaders == 1
    population.restore(saved)
    while population.advance(10**5, StopCondition.GOAL) is not Stop.FULFILLED:
        pass
    wanted = engine_named(engine).make(make_run(**CLOSED[engine], engine=engine, seed=2))
    while wanted.advance(10**5, StopCondition.GOAL) is not Stop.FULFILLED:
        pass
    assert seen(population) == seen(wanted)


@every_engine
def test_any_goal_can_be_asked_for(engine: str) -> None:
    population = population_of(engine)
    goals = type(population.run.protocol).all_goals()
    for steps in (0, 100, 3000):
        population.advance_exactly(steps)
        asked = {name: population.meets(goal) for name, goal in goals.items() if population.numbers_agents}
        for name, answer in asked.items():
            kept = population.snapshot()
            population.set_goal(name)
            assert population.holds() == answer
            population.restore(kept)
    assert population.meets(goals["leader"]) == (population.leaders == 1)


@every_engine
def test_counts_of_states_add_up(engine: str) -> None:
    population = population_of(engine)
    population.advance_exactly(500)
    tally = dict(population.tally())
    assert sum(tally.values()) == population.run.n
    assert all(size > 0 for size in tally.values())
    assert sum(size for state, size in tally.items() if population.run.protocol.leads(state)) == population.leaders


@every_numbered_engine
def test_fields_are_arrays_by_agent(engine: str) -> None:
    population = population_of(engine)
    population.advance_exactly(500)
    arrays = population.fields()
    assert list(arrays) == list(population.run.protocol.space.names)
    columns = [arrays[name].tolist() for name in arrays]
    assert all(isinstance(array, np.ndarray) for array in arrays.values())
    assert list(zip(*columns, strict=True)) == [population.state(i) for i in range(population.run.n)]


@every_numbered_engine
def test_the_last_pair_is_who_met(engine: str) -> None:
    population, reference = population_of(engine), population_of("reference", **RUNS[engine])
    assert population.last_pair is None
    for steps in (1, 1, 5, 600):
        population.advance_exactly(steps)
        reference.advance_exactly(steps)
        assert population.last_pair == reference.last_pair


@pytest.mark.slow
def test_events_knows_the_pair_only_where_it_was_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("princeps.engines.events.JUDGE_AFTER", 1)
    population: Any = population_of("events", name="fratricide", n=100, graph="ring", force=True)
    known = unknown = 0
    for _ in range(4000):
        before = [population.state(i) for i in range(100)]
        population.advance_exactly(1)
        changed = [i for i in range(100) if population.state(i) != before[i]]
        pair = population.last_pair
        assert set(changed) <= set(pair or ())
        assert population.skipping or pair is not None
        known, unknown = known + (pair is not None), unknown + (pair is None)
    assert population.skipping
    assert known > 0
    assert unknown > 0


@every_engine
def test_an_agent_is_put_into_another_state(engine: str) -> None:
    population = population_of(engine)
    population.advance_exactly(300)
    stream, space = population.run.stream("test"), population.run.protocol.space
    for agent in (0, 3, population.run.n - 1):
        before = dict(population.tally())
        old, new = population.state(agent), space.random_state(stream, population.state(agent))
        steps = population.steps
        population.overwrite([(agent, new)])
        after = dict(population.tally())
        expected = {**before, old: before[old] - 1}
        expected[new] = expected.get(new, 0) + 1
        assert after == {state: size for state, size in expected.items() if size}
        assert population.steps == steps
        assert population.leaders == population.census([population.run.protocol.is_leader])[0]
    population.advance_exactly(1000)
    assert population.leaders == population.census([population.run.protocol.is_leader])[0]


@every_numbered_engine
def test_a_meeting_by_order_draws_nothing(engine: str) -> None:
    """Agents and reference: the pairs that follow are the seed's own."""
    population = population_of(engine)
    population.advance_exactly(20)
    i, j = population.run.topology.arc(7)
    before = [population.state(k) for k in range(population.run.n)]
    steps, events = population.steps, population.events
    assert events is not None
    population.meet(i, j)
    after = population.run.protocol.step(before[i], before[j])
    assert (population.state(i), population.state(j)) == after
    assert population.last_pair == (i, j)
    assert population.steps == steps + 1
    assert population.events == events + (after != (before[i], before[j]))
    if engine != "events":
        untouched = population_of(engine)
        untouched.advance_exactly(20)
        for _ in range(5):
            population.advance_exactly(1)
            untouched.advance_exactly(1)
            assert population.last_pair == untouched.last_pair


@every_numbered_engine
def test_a_torn_meeting_changes_one_side(engine: str) -> None:
    population = population_of(engine)
    i, j = population.run.topology.arc(3)
    before = population.state(i), population.state(j)
    population.meet(i, j, (INITIATOR,))
    assert population.state(i) == population.run.protocol.step(*before)[0]
    assert population.state(j) == before[1]
    assert population.steps == 1


def test_dead_agents_and_cut_arcs_are_drawn_and_change_nothing() -> None:
    """Agents does what the reference does, forms, goals and blocks included."""
    for stop_at in StopCondition:
        reference, agents = (population_of(name, n=12, name="p_ll", until="leader") for name in ("reference", "agents"))
        for steps in (30, 700, 1500):
            for population in (reference, agents):
                population.kill(steps % 12)
                population.cut(1, 2)
                population.cut(5, 0)
            before = reference.state(steps % 12)
            stops = [population.advance_exactly(steps, stop_at) for population in (reference, agents)]
            assert stops[0] is stops[1]
            assert seen(reference) == seen(agents)
            assert reference.last_pair == agents.last_pair
            assert reference.state(steps % 12) == before
            assert reference.dead == agents.dead
            assert reference.cuts == agents.cuts == {(1, 2), (5, 0)}
            for population in (reference, agents):
                population.kill(steps % 12, dead=False)
                population.cut(5, 0, is_cut=False)
        assert agents.dead == frozenset()


def test_what_an_engine_cannot_do_names_agents() -> None:
    counts, events = population_of("counts"), population_of("events")
    for refused in (
        lambda: counts.meet(0, 1),
        lambda: counts.last_pair,
        counts.fields,
        lambda: counts.kill(0),
        lambda: counts.cut(0, 1),
        lambda: events.kill(0),
        lambda: events.cut(0, 1),
    ):
        with pytest.raises(RunError, match='use engine="agents"'):
            refused()
    steps = counts.steps
    assert steps == 0


# -- Ctrl-C ------------------------------------------------------------------------------------------------------------

PHOENIX = str(Path(__file__).parents[2] / "examples" / "phoenix.py")
WITH_KERNELS: dict[str, dict[str, Any]] = {
    "agents": {"name": "p_ll", "n": 40},
    "events": {"name": "p_rl", "n": 30, "until": "leader"},
    "counts": {"name": "fratricide", "n": 1000},
    "counts, with coins": {"name": PHOENIX, "n": 50, "start": "all_leaders"},
}


@pytest.mark.parametrize("case", WITH_KERNELS)
def test_ctrl_c_right_after_the_kernel_finds_steps_and_configuration_in_agreement(case: str) -> None:
    """Python raises it before what the kernel returned is looked at: whatever counts must be in shared arrays by then.

    The other is interrupted before its second call, when everything was looked at.
    """
    run = make_run(**WITH_KERNELS[case], engine=case.partition(",")[0], seed=5)
    found = []
    for is_early in (True, False):
        population = engine_named(run.engine).make(run)
        calls = 0

        def interrupted(*args: Any, population: Any = population, is_early: bool = is_early) -> Any:
            nonlocal calls
            calls += 1
            if calls == 2:
                raise KeyboardInterrupt
            answer = type(population)._call_kernel(population, *args)
            if is_early:
                raise KeyboardInterrupt
            return answer

        population._call_kernel = interrupted  # type: ignore[attr-defined]
        try:
            for _ in range(2):
                population.advance(10**9, StopCondition.GOAL)
        except KeyboardInterrupt:
            del population._call_kernel  # type: ignore[attr-defined]
        at_first = seen(population)
        population.advance_exactly(1000)
        found.append((at_first, seen(population)))
    early, late = found
    assert early == late
    assert early[0][2][0] > 0
