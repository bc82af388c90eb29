"""--fault torn:...: scheduled interactions of which one side alone takes its new state, the same in every engine."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

import princeps
from princeps.engines import events as events_engine
from princeps.engines.choice import choose
from princeps.engines.events import Events
from princeps.engines.population import Stop, StopCondition
from princeps.engines.registry import refusal
from princeps.engines.simulate import make_population
from princeps.errors import PrincepsError, RunError
from princeps.model.faults import TornFault, failures_before_success, is_steady, read_fault
from princeps.model.randomness import Stream
from princeps.model.reading import make_run
from princeps.model.script import SIDES_OF_A_PAIR
from princeps.model.starts import starting_states
from tests.engines import choice_protocols

COINS = f"{choice_protocols.__file__}:Tangle"
MIXED = ["torn:3", "torn:20%", "torn:every:7:responder", "40:3", "torn:41:initiator"]


def seen(result: Any) -> dict[str, Any]:
    return {key: value for key, value in result.as_json().items() if key not in ("engine", "why", "seconds", "command")}


@pytest.mark.medium
@pytest.mark.parametrize("name", ["p_ll", COINS])
def test_reference_and_agents_agree_state_by_state(name: str) -> None:
    """Whole configurations at many steps, all faults and their sides, the recoveries; pairs and coins are those of the run."""
    for seed in range(3):
        results = [
            princeps.run(name, 12, fault=MIXED, max_steps=1500, seed=seed, engine=engine, snapshots=[*range(60), 1499])
            for engine in ("reference", "agents")
        ]
        assert seen(results[0]) == seen(results[1])
        assert len(results[0].faults or ()) > 400
        assert {fault.torn for fault in results[0].faults or ()} == {None, *SIDES_OF_A_PAIR}


def test_by_hand() -> None:
    """The scheduler's own pairs, and sides from the stream of faults: nothing else is drawn."""
    run = make_run("p_ll", 10, seed=4)
    states, pairs, sides = starting_states(run), run.meetings(), run.stream("faults")
    for number in range(1, 199):
        i, j = next(pairs)
        after = run.protocol.step(states[i], states[j])
        keep = SIDES_OF_A_PAIR if number % 9 else (SIDES_OF_A_PAIR[sides.below(2)],)
        for agent, new, side in zip((i, j), after, SIDES_OF_A_PAIR, strict=True):
            states[agent] = new if side in keep else states[agent]
    result = princeps.run("p_ll", 10, seed=4, engine="agents", fault="torn:every:9", max_steps=200, snapshots=[198])
    assert result.snapshots is not None
    found = result.snapshots[198]
    names = run.protocol.space.names
    assert [tuple(int(found[name][k]) for name in names) for k in range(10)] == states
    assert [fault.step for fault in result.faults or ()] == list(range(9, 201, 9))


def test_recovery_is_counted_from_the_torn_interaction() -> None:
    """P_LL's first interaction is torn: one agent leads for a moment, then mostly nobody, and it never recovers again."""
    outcomes = Counter[int]()
    for seed in range(10):
        given: Any = {"seed": seed, "fault": ["torn:1:responder", "torn:500"], "max_steps": 1000}
        results = [princeps.run("p_ll", 3, engine=engine, **given) for engine in ("reference", "agents")]
        assert seen(results[0]) == seen(results[1])
        first, second = results[0].faults or ()
        assert (first.step, first.agents, first.torn, first.recovery_steps) == (1, 1, "responder", 1)
        assert second.step == 500
        assert second.recovery_steps == (None if results[0].leaders == 0 else 0)
        assert results[0].succeeded == (results[0].leaders == 1)
        outcomes[results[0].leaders] += 1
    assert outcomes[0] > 0
    assert outcomes[1] > 0
    assert results[0].as_json()["faults"][0]["torn"] == "responder"
    assert "torn, only the responder changed" in repr(results[0])


def test_fratricide_is_never_hurt() -> None:
    plain, torn = (
        princeps.run("fratricide", 8, seed=2, engine="agents", max_steps=400, **more)
        for more in ({}, {"fault": "torn:50%:responder"})
    )
    assert plain.steps == torn.steps
    assert all(fault.recovery_steps is not None for fault in torn.faults or ())


@pytest.mark.slow
def test_events_draws_the_torn_pair_uniformly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while it skips null interactions; the counts stay right."""
    for name, value in {"JUDGE_AFTER": 1, "SKIP_FROM": 0, "WALK_FROM": 1, "EXAMINED_ARCS": 10**9}.items():
        monkeypatch.setattr(events_engine, name, value)
    population = make_population(make_run("p_rl", 8, engine="events", seed=4))
    assert isinstance(population, Events)
    drawn, total = Counter[Any](), 400
    population.advance(2_000, StopCondition.NOTHING)
    assert population.skipping
    for _ in range(total):
        population.advance_exactly(30)
        before = [population.state(k) for k in range(8)]
        steps = population.steps
        assert population.tear("responder")
        pair = population.last_pair
        assert pair is not None
        after = population.run.protocol.step(before[pair[0]], before[pair[1]])[1]
        assert [population.state(k) for k in range(8)] == [
            after if k == pair[1] else state for k, state in enumerate(before)
        ]
        assert population.steps == steps + 1
        drawn[pair] += 1
    assert population.leaders == population.census([population.run.protocol.is_leader])[0]
    expected = total / 8
    assert sum((drawn[(k, (k + 1) % 8)] - expected) ** 2 / expected for k in range(8)) < 45  # 1e-7 of chi-square, 7 df
    assert len(drawn) == 8


def test_counts_is_refused_and_not_chosen() -> None:
    run = make_run("fratricide", 1000, faults=["torn:5"], engine="counts")
    assert "cannot tear" in (refusal("counts", run) or "")
    with pytest.raises(RunError, match="cannot tear one of them"):
        princeps.run("fratricide", 1000, fault="torn:5", engine="counts")
    assert choose(make_run("fratricide", 1000, faults=["torn:5"]))[0] == "agents"
    population = make_population(make_run("fratricide", 1000, engine="counts"))
    with pytest.raises(RunError, match='use engine="agents"'):
        population.tear("responder")


def test_at_the_end_of_a_list_of_pairs() -> None:
    for engine in ("reference", "agents"):
        result = princeps.run("p_ll", 3, pairs=[(0, 1), (1, 2)], fault=["torn:2", "torn:3"], engine=engine, seed=1)
        assert result.total_steps == 2
        assert [fault.step for fault in result.faults or ()] == [2]
        population = make_population(make_run("p_ll", 3, pairs=[(0, 1)], engine=engine))
        assert population.advance(5, StopCondition.NOTHING) is Stop.LIST_ENDED
        assert not population.tear("responder")
        assert population.exhausted


def test_the_law_of_a_rate() -> None:
    """P(k failures) = (1 - p)^k p: chi-square over 0..5 and more, of 20,000 draws."""
    stream, rate, total = Stream.of(1, 0, "test"), Fraction(1, 3), 20_000
    drawn = Counter(min(6, failures_before_success(rate, stream)) for _ in range(total))
    laws = [float((1 - rate) ** k * rate) for k in range(6)]
    laws.append(1 - sum(laws))
    assert sum((drawn[k] - total * law) ** 2 / (total * law) for k, law in enumerate(laws)) < 42  # 1e-7, 6 df
    assert failures_before_success(Fraction(1), stream) == 0
    rare = [failures_before_success(Fraction(1, 10**9), stream) for _ in range(200)]
    assert 0.5e9 < sum(rare) / 200 < 1.6e9  # a standard error is 0.07e9


@pytest.mark.parametrize(
    ("text", "canonical", "steady"),
    [
        ("torn:5", "torn:5", False),
        ("torn:1e3:responder", "torn:1000:responder", False),
        ("torn:every:10", "torn:every:10", True),
        ("torn:0.50%", "torn:0.5%", True),
        ("torn:100%:initiator", "torn:100%:initiator", True),
        ("5000:10", "5000:10", False),
        ("every:5:1", "every:5:1", True),
    ],
)
def test_the_grammar(text: str, canonical: str, steady: bool) -> None:
    fault = read_fault(text, 20)
    assert fault.text == canonical
    assert read_fault(canonical, 20) == fault
    assert fault.every == is_steady(text) == is_steady(canonical) == steady
    assert isinstance(fault, TornFault) == text.startswith("torn")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("torn", "is not understood: write torn:STEP"),
        ("torn:0", "names interaction 0: they are counted from 1"),
        ("torn:-3", "names interaction -3"),
        ("torn:5:both", "is not understood: write torn:STEP"),
        ("torn:every:5%", "'5%' is not an integer"),
        ("torn:0%", "has no percentage above 0"),
        ("torn:101%", "has no percentage above 0"),
        ("torn:x%", "has no percentage above 0"),
        ("torn:nan%", "has no percentage above 0"),
        ("torn:x", "'x' is not an integer"),
        ("torn:every:5", "is a steady rate that never ends: give"),
        ("torn:1%", "is a steady rate that never ends: give"),
    ],
)
def test_refusals(text: str, sentence: str) -> None:
    with pytest.raises(PrincepsError, match=sentence):
        princeps.run("fratricide", 10, fault=text)


def test_an_interaction_beyond_the_limit_is_refused() -> None:
    with pytest.raises(RunError, match="'torn:11' never strikes"):
        princeps.run("fratricide", 10, fault="torn:11", max_steps=10)
    assert princeps.run("fratricide", 10, fault="torn:10", max_steps=10, seed=1).faults is not None


@pytest.mark.medium
def test_sweeps_take_it(tmp_path: Any) -> None:
    store = str(tmp_path / "torn.db")
    results = princeps.sweep("p_ll", [6], trials=4, fault=["torn:every:50"], max_steps=400, store=store, jobs=1)
    (summary,) = [one for one in results.summaries if one.measure == "steps"]
    assert summary.trials == 4
    assert "--fault torn:every:50" in summary.command
