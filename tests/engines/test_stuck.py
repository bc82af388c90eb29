"""A configuration in which nothing can change ends a run: the same answer at every size, by every engine."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import princeps
from princeps.engines import stuck
from princeps.engines.population import Population
from princeps.engines.reference import Reference
from princeps.engines.simulate import make_population
from princeps.model import Bit, Blocks, PopulationProtocol, coin
from princeps.model.reading import make_run
from princeps.model.result import Result
from tests.conftest import Command
from tests.tables import in_one_test

NOBODY = "states:" + ";".join("0" * 6)
ALWAYS_TWO = "states:1;1;0;0;1;0"  # on a ring: the first two leaders meet, the third never meets anybody who leads


def stuck_run(engine: str, **more: Any) -> Result:
    given: dict[str, Any] = {"n": 6, "graph": "ring", "force": True, "start": ALWAYS_TWO, "seed": 5}
    result = princeps.run("fratricide", engine=engine, **{**given, **more})
    assert isinstance(result, Result)
    return result


@pytest.mark.parametrize("engine", ["reference", "agents", "events"])
def test_it_stops_with_the_step_of_the_last_change(engine: str) -> None:
    """The definition: the only change is the first meeting of agents 0 and 1."""
    expected = reference_step(5)
    for limit in (None, 10**12, 10**6, 10 * expected, expected):
        result = stuck_run(engine, max_steps=limit)
        assert (result.steps, result.converged, result.stuck, result.leaders) == (expected, False, True, 2)
        assert (result.events, result.total_steps, result.interrupted) == (1, expected, False)
    early = stuck_run(engine, max_steps=expected - 1)
    assert (early.steps, early.stuck, early.leaders) == (expected - 1, False, 3)


def reference_step(seed: int) -> int:
    """Plain: the number of the first pair (0, 1)."""
    pairs = make_run("fratricide", 6, graph="ring", force=True, seed=seed).meetings()
    return next(step for step, pair in enumerate(pairs, 1) if pair == (0, 1))


def test_events_and_agents_agree_in_law() -> None:
    """`events` draws other pairs: its seeds give other steps, and the same geometric law."""
    found = [stuck_run("events", seed=seed).steps for seed in range(150)]
    mean = sum(found) / len(found)
    assert abs(mean - 6) < 5 * (30 / 150) ** 0.5


@pytest.mark.parametrize("engine", ["reference", "agents", "counts", "auto"])
@pytest.mark.parametrize("n", [6, 1000])
def test_nothing_ever_changed(engine: str, n: int) -> None:
    if engine == "reference" and n > 6:
        return  # the same code, for longer
    result = princeps.run("fratricide", n, start="states:" + ";".join("0" * n), engine=engine, seed=1)
    assert (result.steps, result.stuck, result.converged, result.leaders) == (0, True, False, 0)


def test_the_command_line(quick: Command) -> None:
    words = ("run", "fratricide", "-n", 6, "--start", NOBODY, "--seed", 1, "--engine", "reference")
    for limit in ((), ("--max-steps", 10**9), ("--max-steps", 3)):
        outcome = quick(*words, *limit, "--json")
        assert outcome.code == 1
        assert (outcome.object["stuck"], outcome.object["steps"], outcome.object["converged"]) == (True, 0, False)
        assert "0 (nothing can change any more)" in quick(*words, *limit).stdout
    reached = quick("run", "fratricide", "-n", 6, "--seed", 1, "--engine", "reference", "--json")
    assert reached.object["stuck"] is False


SCHEDULERS: list[tuple[str, dict[str, Any], bool | None]] = [
    ("self-meeting", {"start": NOBODY}, True),
    ("backwards", {"start": NOBODY}, True),
    ("weighted: only arcs between followers", {"scheduler": "weighted:list:2-3=1,3-2=5"}, True),
    ("weighted: an arc that changes something", {"scheduler": "weighted:list:2-3=10000000,0-1=1"}, None),
    ("listed pairs are followed to their end", {"start": NOBODY, "pairs": "list:0-1,1-2"}, False),
]


@in_one_test("about, given, expected", SCHEDULERS)
def test_other_schedulers(about: str, given: dict[str, Any], expected: bool | None) -> None:
    more: dict[str, Any] = {"scheduler": about.partition(":")[0]} if "pairs" not in given else {}
    asked: dict[str, Any] = {"start": ALWAYS_TWO, "max_steps": 30_000, "seed": 1, **more, **given}
    for engine in ("reference", "agents"):
        result = princeps.run("fratricide", 6, engine=engine, **asked)
        assert result.stuck == bool(expected), (about, engine)
        assert result.steps == (0 if expected else 2 if expected is False else 30_000), (about, engine)


class Always:
    """A scheduler of a user's: the same pair for ever."""

    def next_pair(self, configuration: Any, step: int, draw: Any) -> tuple[int, int]:
        return 2, 3


def test_a_users_scheduler_may_choose_any_pair() -> None:
    asked: dict[str, Any] = {"scheduler": Always, "max_steps": 20_000, "seed": 1}
    assert princeps.run("fratricide", 6, start=NOBODY, **asked).stuck
    going = princeps.run("fratricide", 6, start=ALWAYS_TWO, **asked)
    assert (going.stuck, going.steps) == (False, 20_000)


@pytest.mark.parametrize("engine", ["reference", "agents", "counts"])
def test_a_fault_to_come_keeps_a_run_going(engine: str) -> None:
    """Nobody leads, until a fault makes leaders of half of the agents; from its last recovery on nothing is stuck."""
    result = princeps.run("fratricide", 6, start=NOBODY, fault=["9000:6"], engine=engine, seed=3)
    assert result.faults is not None
    assert result.faults[0].step == 9000
    assert (result.converged, result.stuck) == (True, False)
    assert result.steps >= 9000


@pytest.mark.medium
def test_a_fault_after_which_nothing_can_change() -> None:
    """All three become followers: the run ends with the fault, not recovered."""
    for engine in ("reference", "agents"):
        results = [princeps.run("fratricide", 3, fault=["5000:3"], engine=engine, seed=seed) for seed in range(40)]
        ended = [result for result in results if result.leaders == 0]
        assert ended
        for result in ended:
            assert (result.stuck, result.converged, result.total_steps) == (True, True, 5000)
            assert result.faults is not None
            assert (result.faults[0].recovery_steps, result.succeeded) == (None, False)


class Loose(PopulationProtocol):
    """Says that it loses its leader, and never does."""

    guarantee = "loosely-stabilizing"
    leader = Bit()
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

    @staticmethod
    def interact(a: Any, b: Any, p: Any) -> None:
        if a.leader == 1 and b.leader == 1:
            b.leader = 0


def test_a_leader_that_nobody_can_take_is_held_for_ever() -> None:
    given: dict[str, Any] = {"hold": True, "engine": "reference", "seed": 1}
    result = princeps.run(Loose, 6, **given)
    assert (result.converged, result.held, result.stuck, result.held_steps) == (True, True, False, 0)
    limited = princeps.run(Loose, 6, **given, max_steps=50_000)
    assert (limited.held, limited.stuck, limited.held_steps) == (True, False, 50_000 - limited.steps)


def test_records_end_with_the_last_change() -> None:
    for engine in ("reference", "agents"):
        record = stuck_run(engine, record=["leaders"], every=0.5).record
        assert record is not None
        assert record["steps"][-1] == reference_step(5)
        assert record["leaders"][-1] == 2


def test_the_last_change_within_a_batch_has_the_law_of_the_scheduler() -> None:
    """`counts` draws the interactions of a batch without their order; the law of the last change is known exactly."""
    n, steps, trials = 400, 700, 400
    law = law_of_last_change(n, steps)
    found: Counter[int] = Counter()
    for seed in range(trials):
        population = make_population(make_run("fratricide", n, engine="counts", seed=seed))
        population.advance_exactly(steps)
        last = population.last_change
        assert last is not None
        found[steps - last] += 1
    assert sum(found[k] for k in range(60)) == trials
    bins = [range(1), range(1, 2), range(2, 4), range(4, 7), range(7, 12), range(12, steps + 1)]
    expected = [trials * sum(law[steps - k] for k in part) for part in bins]
    chi = sum((sum(found[k] for k in part) - e) ** 2 / e for part, e in zip(bins, expected, strict=True))
    assert min(expected) > 5
    assert chi < 40  # six bins: probability below 1e-6


def law_of_last_change(n: int, steps: int) -> list[float]:
    """Of fratricide: k leaders become k - 1 with probability k(k-1)/(n(n-1))."""
    change = [k * (k - 1) / (n * (n - 1)) for k in range(n + 1)]
    now, law = [0.0] * n + [1.0], [0.0] * (steps + 1)
    for step in range(1, steps + 1):
        moved = [now[k + 1] * change[k + 1] for k in range(n)]
        law[step] = sum(p * (1 - change[k]) ** (steps - step) for k, p in enumerate(moved))
        now = [now[k] * (1 - change[k]) + (moved[k] if k < n else 0.0) for k in range(n + 1)]
    return law


@pytest.mark.parametrize("engine", ["reference", "agents"])
def test_a_session_gives_up(engine: str) -> None:
    session = princeps.session("fratricide", 6, start=NOBODY, engine=engine, seed=1)
    assert session.run_until("leader") is False
    assert session.leaders == 0


def test_an_examination_is_no_longer_than_the_wait_before_it() -> None:
    population = make_population(make_run("fratricide", 40, engine="reference", seed=1))
    assert not stuck.is_stuck(population, 10)
    assert stuck.may_change(population.run.protocol, (1,), (1,))
    assert not stuck.may_change(population.run.protocol, (1,), (0,))


def test_many_states_are_examined_by_the_compiled_rule() -> None:
    """On a ring of a hundred agents with identifiers all states differ; in Python and compiled alike."""
    run = make_run("infection", 100, engine="agents", seed=2, graph="ring", force=True)
    population = make_population(run)
    assert population.any_may_change(run.topology, 10**6)
    population.advance_exactly(200_000)
    assert not population.any_may_change(run.topology, 10**6)
    assert population.any_may_change(run.topology, 10)  # too many to tell


class Tossed(PopulationProtocol):
    """Two leaders toss a coin, and on heads both follow: with an even number nobody leads at last."""

    leader = Bit()
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

    @staticmethod
    def interact(a: Any, b: Any, p: Any) -> None:
        if a.leader == 1 and b.leader == 1 and coin() == 1:
            a.leader = b.leader = 0


def test_coins_may_still_change_something() -> None:
    """Tails for long is no end; where no coin is tossed any more, it is."""
    result = princeps.run(Tossed, 4, engine="reference", seed=1)
    assert (result.stuck, result.leaders, result.events) == (True, 0, 2)
    assert stuck.may_change(princeps.protocol(Tossed), (1,), (1,))
    assert not stuck.may_change(princeps.protocol(Tossed), (1,), (0,))


@pytest.mark.parametrize("graph", ["complete", "ring", "grid:4x5"])
def test_agents_in_turn_give_the_answer_of_the_listed_states(graph: str) -> None:
    """With limits below and above the number of pairs, and with more pairs than are remembered."""
    answers = set()
    for name, start in (
        ("infection", "initial"),
        ("epidemic", "initial"),
        ("fratricide", "states:" + ";".join("0" * 20)),
    ):
        run = make_run(name, 20, seed=2, graph=graph, start=start, force=True)
        reference = Reference(run)
        for steps in (0, 30, 3000):
            reference.advance_exactly(steps)
            for most in (1, 5, 19, 40, 400, 10**6):
                found = reference.any_may_change(run.topology, most)
                assert found == Population.any_may_change(reference, run.topology, most)
                answers.add(found)
    assert answers == {True, False}
