"""The engines that do not draw pair after pair obey the scheduler's law: samples against exact distributions.

The exact laws are computed from the rule alone (verification/laws.py); docs/trust.md has the same at length.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from princeps.engines import events as events_engine
from princeps.engines.conduct import conduct
from princeps.engines.counts import CountsPopulation
from princeps.engines.events import Events
from princeps.engines.population import StopCondition
from princeps.engines.simulate import make_population, simulate
from princeps.lowering.multiset import EFFECTIVE, SKIPPING
from princeps.model.reading import make_run
from princeps.model.run import Run
from tests.conftest import Sized

sys.path.append(str(Path(__file__).parents[2] / "verification"))
laws: Any = __import__("laws")

ALPHA = 1e-7  # for each of some twenty tests, so that all of them together stay below 1e-5
TRIALS, FEWER = 2000, 500  # what is wrong by one step, one agent or one collision is rejected by the fewer, too


def exact_law(run: Run) -> list[float]:
    found: list[float] = laws.hitting_law(run, most=5000)
    return found


def hits(run: Run, law: list[float], trials: int) -> Counter[int]:
    """First steps at the goal; the last index of the law stands for all that is later."""
    seen: Counter[int] = Counter()
    for trial in range(trials):
        result = simulate(replace(run, trial=trial, max_steps=len(law) - 2))
        seen[result.steps if result.converged else len(law) - 1] += 1
    return seen


def counted(name: str, n: int, **params: int) -> Run:
    return make_run(name, n, seed=17, engine="counts", params=params)


HITS = [
    counted("fratricide", 5),
    counted("epidemic", 6),
    counted("majority", 6),
    counted("timer", 4, t_max=3),
    counted("p_ll", 4, m=2),
    counted("p_ll", 6, m=3),
    counted("p_ll", 6, m=4),
]


@pytest.mark.medium
@pytest.mark.parametrize("run", HITS, ids=lambda run: f"{run.protocol.name}-{run.n}")
def test_counts_meets_its_goal_by_the_exact_law(run: Run, sized: Sized) -> None:
    law = exact_law(run)
    assert sum(law) == pytest.approx(1)
    assert laws.hits_against_law(hits(run, law, sized(FEWER, TRIALS)), law).p > ALPHA


def test_a_law_that_is_known_in_closed_form() -> None:
    """Three leaders: one falls at once, then each step ends it with probability 1/3."""
    law = exact_law(counted("fratricide", 3))
    assert law[:2] == [0, 0]
    assert law[2:12] == pytest.approx([(1 / 3) * (2 / 3) ** k for k in range(10)])


@pytest.mark.medium
def test_a_law_off_by_one_step_or_one_agent_would_be_rejected() -> None:
    run = counted("epidemic", 6)
    law = exact_law(run)
    seen = hits(run, law, FEWER)
    late = Counter({min(step + 1, len(law) - 1): times for step, times in seen.items()})
    assert laws.hits_against_law(late, law).p < ALPHA
    assert laws.hits_against_law(hits(counted("epidemic", 7), law, FEWER), law).p < ALPHA


@pytest.mark.medium
@pytest.mark.parametrize("graph", ["ring", "undirected-ring", "star"])
def test_events_meets_its_goal_by_the_exact_law(graph: str, monkeypatch: pytest.MonkeyPatch, sized: Sized) -> None:
    """Skipping from the first step on, which it would not do for so few."""
    monkeypatch.setattr(events_engine, "SKIP_FROM", 0)
    monkeypatch.setattr(events_engine, "WALK_FROM", 1)
    run = make_run("infection", 5, graph=graph, ids=(2, 5, 1, 4, 3), seed=23, engine="events")
    law = exact_law(run)
    seen: Counter[int] = Counter()
    for trial in range(sized(FEWER, TRIALS)):
        one = replace(run, trial=trial, max_steps=len(law) - 2)
        there = Events(one)
        there.judge_at, there.costly = 0, 1
        result = conduct(one, there)
        seen[result.steps if result.converged else len(law) - 1] += 1
        assert there.skipping
    assert laws.hits_against_law(seen, law).p > ALPHA


STOPS = (2, 5, 10)


def configurations(run: Run, stops: tuple[int, ...], trials: int, off: int = 0) -> dict[int, Counter[Any]]:
    """Configurations after these steps, in a run of its own for each; `off` steps too late."""
    seen: dict[int, Counter[Any]] = {step: Counter() for step in stops}
    for step in stops:
        for trial in range(trials):
            there = make_population(replace(run, trial=trial))
            while there.steps < step + off:
                there.advance(step + off - there.steps, StopCondition.NOTHING)
            seen[step][laws.seen_as(run, [there.state(agent) for agent in range(run.n)])] += 1
    return seen


@pytest.mark.medium
@pytest.mark.parametrize(
    "run",
    [
        pytest.param(counted("majority", 6), id="majority"),
        pytest.param(counted("p_ll", 6, m=3), id="p_ll", marks=pytest.mark.slow),
    ],
)
def test_counts_is_in_each_configuration_as_often_as_it_should(run: Run, sized: Sized) -> None:
    exact = laws.configuration_laws(run, STOPS)
    for step, seen in configurations(run, STOPS, sized(FEWER, TRIALS)).items():
        assert laws.against_law(seen, exact[step], in_order=False).p > ALPHA, step


def test_configurations_one_step_later_would_be_rejected() -> None:
    run = counted("majority", 6)
    exact = laws.configuration_laws(run, (2, 5))
    for step, seen in configurations(run, (2, 5), FEWER, off=1).items():
        assert laws.against_law(seen, exact[step], in_order=False).p < ALPHA


def batched(run: Run, steps: int, trials: int, ignore_collisions: bool) -> Counter[Any]:
    """Configurations after `steps`, always by batches; or by fresh batches of two pairs, as if nobody met again."""
    seen: Counter[Any] = Counter()
    for trial in range(trials):
        there = CountsPopulation(replace(run, trial=trial))
        while there.steps < steps:
            there.facts[SKIPPING], there.facts[EFFECTIVE] = 0, 1 << 40  # so much happens that no skip could pay
            before = there.steps
            if ignore_collisions:
                merged = [there.state(agent) for agent in range(run.n)]
                pairs = [(2 * k, 2 * k + 1) for k in range(min(run.n // 2, steps - before))]
                stream = replace(run, trial=trial).stream(f"wrong {before}")
                stream.shuffle(merged)
                changes = [run.protocol.step(merged[i], merged[j]) for i, j in pairs]
                seen_now = [state for pair in changes for state in pair] + merged[2 * len(pairs) :]
                there.overwrite(list(enumerate(seen_now)))
                there.done += len(pairs)
            else:
                there.advance(min(steps - before, 1 + run.n // 2), StopCondition.NOTHING)
        seen[laws.seen_as(run, [there.state(agent) for agent in range(run.n)])] += 1
    return seen


@pytest.mark.medium
@pytest.mark.parametrize("steps", [3, 4, 6])
def test_batches_and_their_collisions_have_the_exact_law(steps: int, sized: Sized) -> None:
    """And batches of a fixed length in which nobody is met again have not."""
    run, trials = counted("majority", 7), sized(FEWER, TRIALS)
    exact = laws.configuration_laws(run, (steps,))[steps]
    assert laws.against_law(batched(run, steps, trials, ignore_collisions=False), exact, in_order=False).p > ALPHA
    assert laws.against_law(batched(run, steps, trials, ignore_collisions=True), exact, in_order=False).p < ALPHA
