"""Rules that toss coins or read an oracle: engines agree draw by draw, or keep the law; sessions and scripts are exact."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import princeps
from princeps.engines import conduct as conducting
from princeps.engines import events as events_engine
from princeps.engines.choosing_counts import ChoosingCounts
from princeps.engines.conduct import conduct
from princeps.engines.simulate import make_population
from princeps.errors import ProtocolError, RunError
from princeps.model.fields import Counts, Params
from princeps.model.protocol import Counted
from princeps.model.reading import make_run
from princeps.model.run import Run
from tests.conftest import Sized, with_slow
from tests.engines import choice_protocols

sys.path.append(str(Path(__file__).parents[2] / "verification"))
laws: Any = __import__("laws")

HERE = choice_protocols.__file__
EXAMPLES = Path(__file__).parents[2] / "examples"
SKIP, BATCH = 1, 2  # the two ways of choosing_counts_kernel.py
ALPHA = 1e-7
TRIALS, FEWER = 3000, 400


def own(name: str) -> str:
    return f"{HERE}:{name}"


# -- draw by draw --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", with_slow(["Tangle", "Told", "Lamps", "Quiet"], lambda name: name != "Tangle"))
@pytest.mark.parametrize(("n", "graph"), [(2, None), (5, None), (40, None), (6, "ring"), (7, "star"), (9, "grid:3x3")])
def test_agents_and_reference_agree_state_by_state(name: str, n: int, graph: str | None) -> None:
    """After every one of the first steps, and far on: the same states, the same coins."""
    slow, fast = (
        make_population(make_run(own(name), n, seed=n, graph=graph, engine=engine))
        for engine in ("reference", "agents")
    )
    for steps in (*[1] * 25, 100, 600):
        for population in (slow, fast):
            population.advance_exactly(steps)
        assert [slow.state(i) for i in range(n)] == [fast.state(i) for i in range(n)]
        assert (slow.events, slow.leaders) == (fast.events, fast.leaders)
    assert slow.events  # something happened
    assert tuple(fast.coins[:4].tolist()) == slow.coins.words if slow.coins else True  # type: ignore[attr-defined]


def test_every_trial_has_coins_of_its_own_and_the_same_again() -> None:
    def steps(**options: Any) -> list[int]:
        return [princeps.run(own("Quiet"), n=12, engine="reference", **options).steps for _ in range(2)]

    first, again = steps(seed=1)
    assert first == again
    assert len({steps(seed=1, trial=trial)[0] for trial in range(6)}) > 3


def test_coins_leave_the_schedule_alone() -> None:
    """The pairs are those of a rule without coins."""
    with_coins = make_population(make_run(own("Tangle"), 9, seed=4, engine="reference"))
    without = make_population(make_run("fratricide", 9, seed=4, engine="reference"))
    for _ in range(50):
        with_coins.advance_exactly(1)
        without.advance_exactly(1)
        assert with_coins.last_pair == without.last_pair


@pytest.mark.parametrize("engines", [["reference"], pytest.param(["agents", "counts"], marks=pytest.mark.slow)])
def test_a_draw_from_nothing_is_refused_with_its_line(tmp_path: Path, engines: list[str]) -> None:
    file = tmp_path / "nothing.py"
    file.write_text(
        "from princeps.model import *\n"
        "class Nothing(PopulationProtocol):\n"
        "    leader, left = Bit(), Range(4)\n"
        '    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1, "left": 3})])}\n'
        "    def interact(a, b, p):\n"
        "        if coin() == 1:\n"
        "            a.left = draw(b.left)\n",
        encoding="utf-8",
    )
    for engine in engines:
        with pytest.raises(ProtocolError, match=r"draw\(0\) has nothing to draw from") as caught:
            princeps.run(str(file), n=5, seed=1, engine=engine)
        assert caught.value.line == 7


# -- the law -------------------------------------------------------------------------------------------------------


def sample(
    run: Run, law: list[float], trials: int, way: int = 0, spoil: Callable[[ChoosingCounts], None] | None = None
) -> Counter[int]:
    """First steps at the goal; the last index of the law stands for all that is later."""
    seen: Counter[int] = Counter()
    for trial in range(trials):
        one = replace(run, trial=trial, max_steps=len(law) - 2)
        population = make_population(one)
        if isinstance(population, ChoosingCounts):
            population.way = way
            if spoil is not None:
                spoil(population)
        if isinstance(population, events_engine.Events):
            population.judge_at = 0  # skip from the beginning
            population.costly = 1
        with patch.object(conducting, "at_last_change", lambda conductor: (conductor.population, 0)):
            result = conduct(one, population)  # what is altered here could not be repeated, to find the last change
        seen[result.steps if result.converged else len(law) - 1] += 1
    return seen


CASES = [
    (str(EXAMPLES / "phoenix.py"), 5, {"start": "all_leaders"}),
    pytest.param(str(EXAMPLES / "dice.py"), 5, {}, marks=pytest.mark.slow),
    pytest.param(str(EXAMPLES / "opinions.py"), 5, {}, marks=pytest.mark.slow),  # a table with weights
    pytest.param(own("Lamps"), 5, {}, marks=pytest.mark.slow),
    pytest.param(str(EXAMPLES / "lottery.py"), 4, {"params": {"top": 2}}, marks=pytest.mark.slow),
    pytest.param(own("Told"), 5, {"until": "old"}, marks=pytest.mark.slow),
    pytest.param(own("Tangle"), 4, {}, marks=pytest.mark.slow),
]


@pytest.mark.medium
@pytest.mark.parametrize("way", [SKIP, BATCH])
@pytest.mark.parametrize(("name", "n", "options"), CASES)
def test_counts_obeys_the_exact_law(name: str, n: int, options: Any, way: int, sized: Sized) -> None:
    run = make_run(name, n, seed=3, engine="counts", **options)
    law = laws.hitting_law(run, most=20_000)
    assert laws.hits_against_law(sample(run, law, sized(FEWER, TRIALS), way), law).p > ALPHA


@pytest.mark.parametrize("graph", ["er:1.0", pytest.param("undirected-ring", marks=pytest.mark.slow)])
@pytest.mark.parametrize(("name", "n", "options"), CASES)
def test_events_obeys_the_exact_law(
    name: str, n: int, options: Any, graph: str, sized: Sized, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events_engine, "SKIP_FROM", 0)
    monkeypatch.setattr(events_engine, "WALK_FROM", 1)
    run = make_run(name, n, seed=3, engine="events", graph=graph, force=True, **options)
    law = laws.hitting_law(run, most=20_000)
    assert laws.hits_against_law(sample(run, law, sized(FEWER, TRIALS)), law).p > ALPHA


def test_a_wrong_law_is_noticed() -> None:
    """The power of these tests: one agent more is rejected by the smaller sample."""
    phoenix, start = str(EXAMPLES / "phoenix.py"), "all_leaders"
    run = make_run(phoenix, 5, seed=3, engine="counts", start=start)
    law = laws.hitting_law(make_run(phoenix, 6, start=start), most=20_000)
    assert laws.hits_against_law(sample(run, law, FEWER, BATCH), law).p < ALPHA


def biased(population: ChoosingCounts) -> None:
    """Coins that show heads more often."""
    table = population.choices
    assert table is not None
    results = table.results.copy()
    for begin, end in pairwise(table.begins.tolist()):
        if end - begin > 1:
            results[begin, 2] += results[end - 1, 2]
            results[end - 1, 2] = 0
    population.choices = replace(table, results=results)


def frozen(population: ChoosingCounts) -> None:
    """What is drawn with one coin is drawn with all coins of the batch."""
    table = population.choices
    assert table is not None
    results = table.results.copy()
    for begin, end in pairwise(table.begins.tolist()):
        results[begin:end, 2] = 0
        results[begin:end, 2][-1:] = table.denominator
    population.choices = replace(table, results=results)


def deaf(population: ChoosingCounts) -> None:
    """The oracle is asked between batches, and never within one."""
    asked = population._oracle()
    never = population.kernels.reach_at(Counted(nobody_at_all), population.tracked)
    population._oracle = lambda: np.array([asked[0], never, never])  # type: ignore[method-assign]


def nobody_at_all(c: Counts, p: Params) -> int:
    return c.n < 0


@pytest.mark.slow
@pytest.mark.parametrize("spoil", [biased, frozen])
def test_a_mutant_of_the_engine_is_noticed(spoil: Callable[[ChoosingCounts], None]) -> None:
    run = make_run(str(EXAMPLES / "phoenix.py"), 7, seed=3, engine="counts", start="all_leaders")
    law = laws.hitting_law(run, most=20_000)
    assert laws.hits_against_law(sample(run, law, 4000, BATCH), law).p > ALPHA
    assert laws.hits_against_law(sample(run, law, 4000, BATCH, spoil), law).p < ALPHA


def test_a_batch_hears_the_oracle_between_its_pairs() -> None:
    """Nobody leads: the first initiator does from now on, and no other pair of the same batch is told that nobody does."""

    def most_leaders(spoil: Callable[[ChoosingCounts], None] | None) -> int:
        found = 0
        for trial in range(30):
            run = make_run(str(EXAMPLES / "phoenix.py"), 20, seed=3, trial=trial, engine="counts", start="nobody")
            population = make_population(run)
            assert isinstance(population, ChoosingCounts)
            population.way = BATCH
            if spoil is not None:
                spoil(population)
            population.advance_exactly(5)
            found = max(found, population.leaders)
        return found

    assert most_leaders(None) == 1
    assert most_leaders(deaf) > 1


@pytest.mark.medium
@pytest.mark.parametrize("way", [SKIP, BATCH])
def test_counts_obeys_the_law_of_whole_configurations_when_cut(way: int, sized: Sized) -> None:
    """Stopped at every step, batches are cut; the oracle's answer changes within them."""
    run = make_run(str(EXAMPLES / "phoenix.py"), 6, seed=8, engine="counts", start="all_leaders")
    stops = (3, 7, 12)
    wanted = laws.configuration_laws(run, stops)
    seen: dict[int, Counter[Any]] = {step: Counter() for step in stops}
    for trial in range(sized(FEWER, TRIALS)):
        population = make_population(replace(run, trial=trial))
        assert isinstance(population, ChoosingCounts)
        population.way = way
        for step in stops:
            population.advance_exactly(step - population.steps)
            seen[step][tuple(sorted(state for state, size in population.tally() for _ in range(size)))] += 1
    for step in stops:
        assert laws.against_law(seen[step], wanted[step], in_order=False).p > ALPHA


@pytest.mark.slow
def test_counts_refuses_more_states_than_it_can_pair() -> None:
    with pytest.raises(RunError, match='use engine="agents"'):
        princeps.run(str(EXAMPLES / "lottery.py"), n=1000, top=200, engine="counts", seed=1)


@pytest.mark.slow
def test_other_engines_take_them() -> None:
    assert princeps.run(str(EXAMPLES / "lottery.py"), n=600, top=200, seed=1, max_steps=100).engine == "agents"


@pytest.mark.slow
def test_what_cannot_change_with_any_outcome_is_silent() -> None:
    """One leader is left: nobody tosses any more, and `counts` sees that nothing can change."""
    session = princeps.session(own("Quiet"), n=8, seed=2, engine="counts")
    assert session.run_until("leader")
    before = session.events
    assert session.step(10**12).events == before


# -- sessions and scripts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["reference", "agents", "counts"])
def test_going_back_is_exact(engine: str) -> None:
    name = str(EXAMPLES / "phoenix.py") if engine == "counts" else own("Tangle")
    session = princeps.session(name, n=7, seed=5, engine=engine)
    known = [session.counts]
    for _ in range(12):
        session.step(9)
        known.append(session.counts)
    for k in (12, 3, 7, 0, 11):
        assert session.goto(9 * k).counts == known[k]


@pytest.mark.parametrize("engine", ["reference", "agents"])
def test_forced_pairs_carry_their_draws(engine: str, tmp_path: Path) -> None:
    session = princeps.session(own("Tangle"), n=6, seed=5, engine=engine)
    session.step(10).meet(0, 1).step(5)
    states = (tuple(session.state(agent).values()) for agent in (2, 3))
    (*_, (_, after, draws)) = session.run.protocol.branches(*states)
    session.meet(2, 3, draws=list(draws))
    assert tuple(tuple(session.state(agent).values()) for agent in (2, 3)) == after
    session.torn(1, 4, "responder").step(20)
    assert f'["pair", 2, 3, {list(draws)}]' in session.script.text().splitlines()
    path = str(tmp_path / "tangle.script")
    session.save(path)
    again = princeps.replay(path)
    assert again.counts == session.counts
    assert again.step(30).counts == session.step(30).counts
    with pytest.raises(RunError, match=r"draw 1 of the pair is 7: the rule draws from 0\.\.1"):
        session.meet(0, 1, draws=[7])
    with pytest.raises(RunError, match="more than the 0 values given"):
        session.meet(0, 1, draws=[])
    with pytest.raises(RunError, match="9 are given"):
        session.meet(0, 1, draws=[0] * 9)
    with pytest.raises(RunError, match=r"write it like draws=\[1, 0\]"):
        session.meet(0, 1, draws="heads")


def test_a_pair_by_order_takes_nothing_from_the_coins_of_the_run() -> None:
    """Without the forced pair nothing else changes: here it meets two followers, of whom nobody tosses for leadership."""
    one, other = (princeps.session(own("Quiet"), n=6, seed=5, engine="reference") for _ in range(2))
    for session in (one, other):
        session.set(0, leader=0).set(1, leader=0)
    one.meet(2, 3, draws=[1])  # tosses, and changes nothing
    assert one.step(30).counts == other.step(30).counts


def test_an_attack_changes_what_the_oracle_says() -> None:
    for engine in ("reference", "counts"):
        session = princeps.session(str(EXAMPLES / "phoenix.py"), n=4, seed=1, engine=engine, start="nobody")
        session.step(1)
        assert session.leaders == 1
        for agent in range(4):
            session.set(agent, leader=0)
        assert session.step(1).leaders == 1


def test_pairs_with_given_draws_are_followed() -> None:
    dice = str(EXAMPLES / "dice.py")
    result = princeps.run(dice, n=3, pairs="list:0-1/2/0,2-0/0/1", seed=1)
    assert (result.engine, result.leaders, result.leader) == ("reference", 1, 0)
    with pytest.raises(RunError, match="draw 1 of the pair is 3"):
        princeps.run(dice, n=3, pairs="list:0-1/3/0", seed=1)
    with pytest.raises(RunError, match='use engine="reference"'):
        princeps.run(dice, n=3, pairs="list:0-1/1/0", seed=1, engine="agents")


# -- whole runs ----------------------------------------------------------------------------------------------------


def test_checks_faults_and_holding() -> None:
    phoenix = str(EXAMPLES / "phoenix.py")
    result = princeps.run(phoenix, n=12, seed=3, check=True, fault=["2000:6"])
    assert result.converged
    assert [fault.recovery_steps is not None for fault in result.faults or ()] == [True]
    held = princeps.run(own("Told"), n=12, seed=3, hold=True, max_steps=5000, engine="reference")
    assert held.held is False  # a leader that is old steps down
