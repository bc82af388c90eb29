"""Snapshots and the record of states: exact steps, the same run whether somebody looks or not, and the right law."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import pairwise, product
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import princeps
from princeps.engines import counts_moments
from princeps.errors import TooLarge
from princeps.model import machine
from princeps.model.protocol import PopulationProtocol
from princeps.model.result import Result
from princeps.model.states import State
from tests.engines import choice_protocols

sys.path.append(str(Path(__file__).parents[2] / "verification"))
ways: Any = __import__("ways")

# Pairs of a batch as a matrix of numbers, or listed: kernels of their own.
FORCED = [pytest.param(f"counts:{how}", marks=pytest.mark.slow) for how in ("matrix", "list")]
QUIET = f"{choice_protocols.__file__}:Quiet"

# Every way in which an engine advances: pair by pair, skips of a ring, batches, batches of few live agents, single events.
CASES: dict[str, tuple[str, int, dict[str, Any]]] = {
    "reference": ("p_rl", 12, {"engine": "reference", "N": 12}),
    "agents": ("epidemic", 60, {"engine": "agents"}),
    "events": ("p_rl", 40, {"engine": "events", "N": 40}),
    "batches": ("majority", 3000, {"engine": "counts"}),
    "inert agents, single events": ("fratricide", 300, {"engine": "counts"}),
    "a goal in the batch": ("epidemic", 400, {"engine": "counts"}),
    "coins": (QUIET, 60, {"engine": "counts"}),
}


def same(a: Result, b: Result) -> None:
    for name in ("steps", "converged", "leaders", "leader", "events", "total_steps", "stuck"):
        assert getattr(a, name) == getattr(b, name)


@pytest.mark.medium
@pytest.mark.parametrize("case", CASES)
def test_whether_somebody_looks_does_not_change_the_run(case: str) -> None:
    name, n, options = CASES[case]
    plain = princeps.run(name, n, seed=4, **options)
    steps = sorted({0, 1, 2, 7, n, n + 1, plain.steps - 1, plain.steps})
    looked_at = princeps.run(
        name, n, seed=4, record="states", every=0.37, snapshots=[*steps, plain.steps + 1], **options
    )
    same(plain, looked_at)
    assert list(looked_at.snapshots) == steps
    assert looked_at.snapshots.missed == (plain.steps + 1,)
    assert looked_at.states.steps[-1] == plain.steps
    assert all(sum(snapshot.counts.values()) == n for snapshot in looked_at.snapshots.values())
    for step in set(steps) & set(looked_at.states.steps):
        assert looked_at.states.at(step) == looked_at.snapshots[step].counts


@pytest.mark.parametrize("name", ["epidemic", "p_rl"])
def test_agents_and_reference_see_the_same(name: str) -> None:
    options: dict[str, Any] = {"seed": 2, "snapshots": [0, 5, 17, 40], "record": "states", "every": 1, "max_steps": 50}
    slow, fast = (princeps.run(name, 12, engine=engine, **options) for engine in ("reference", "agents"))
    assert slow.states.columns() == fast.states.columns()
    assert slow.snapshots.missed == fast.snapshots.missed
    for step in slow.snapshots:
        assert slow.snapshots[step].columns() == fast.snapshots[step].columns()
        cut = princeps.run(name, 12, seed=2, engine="reference", max_steps=step, snapshots=[step])
        assert cut.snapshots[step].counts == slow.snapshots[step].counts
    assert len(slow.snapshots) >= 3


def follows(protocol: PopulationProtocol, before: Counter[State], after: Counter[State]) -> bool:
    """Can one interaction lead from the one configuration to the other?"""
    for a, b in product(before, repeat=2):
        if a == b and before[a] < 2:
            continue
        for _, (u, v), _ in protocol.branches(a, b, 0):
            if before - Counter([a, b]) + Counter([u, v]) == after:
                return True
    return False


@pytest.mark.medium
@pytest.mark.parametrize("case", [case for case in CASES if CASES[case][2]["engine"] == "counts"])
def test_every_step_of_the_counts_engine_is_one_interaction(case: str) -> None:
    """From one step to the next, within batches and across their ends: nothing but one interaction."""
    name, n, options = CASES[case]
    whole = princeps.run(name, n, seed=9, **options)
    first = max(0, min(whole.steps // 3, whole.steps - 150))
    result = princeps.run(name, n, seed=9, snapshots=range(first, whole.steps + 1)[:600], **options)
    protocol = princeps.model.registry.find(name)(n)
    tallies = [Counter(dict(snapshot.tally)) for snapshot in result.snapshots.values()]
    assert len(tallies) > 100
    assert all(follows(protocol, before, after) for before, after in pairwise(tallies))


@pytest.mark.medium
@pytest.mark.parametrize(("n", "first"), [(60, 100), (20_000, 150_000)])
def test_the_law_within_a_batch_is_that_of_the_scheduler(n: int, first: int) -> None:
    """An epidemic: given i infected agents, the next step infects one more with probability 2 i (n - i) / (n (n - 1))."""
    surplus = variance = 0.0
    for trial in range(5):
        result = princeps.run(
            "epidemic",
            n,
            seed=1,
            trial=trial,
            engine="counts",
            max_steps=first + 400,
            snapshots=range(first, first + 400),
        )
        infected = [snapshot.counts.get("infected=1", 0) for snapshot in result.snapshots.values()]
        for i, j in pairwise(infected):
            chance = 2 * i * (n - i) / (n * (n - 1))
            surplus += j - i - chance
            variance += chance * (1 - chance)
    assert variance > 20
    assert abs(surplus) < 5 * sqrt(variance)


@pytest.mark.parametrize("way", [pytest.param("counts", marks=pytest.mark.medium), *FORCED])
def test_the_order_of_a_batch_is_random(way: str) -> None:
    """The first batch, whose pairs are drawn in the order of the initiators' states: a tenth of the agents is infected, and
    the first interactions infect as often as any others."""
    n, count, steps = 500, 100, 8
    start = "states:" + ";".join("1" if agent < n // 10 else "0" for agent in range(n))
    options: dict[str, Any] = {"start": start, "engine": "counts", "max_steps": 100, "snapshots": [steps]}
    with ways.forced(way):
        results = princeps.trials("epidemic", n, trials=count, seed=8, **options)
    infected = sum(result.snapshots[steps].counts["infected=1"] - n // 10 for result in results)
    chance = 2 * 0.1 * 0.9
    assert abs(infected - count * steps * chance) < 5 * sqrt(count * steps * chance)


@pytest.mark.medium
def test_in_batches_of_listed_pairs_two_agents_change_at_most() -> None:
    result = princeps.run("p_ll", 2000, seed=1, engine="counts", max_steps=8_500, snapshots=range(8_000, 8_300))
    tallies = [Counter(dict(snapshot.tally)) for snapshot in result.snapshots.values()]
    changed = [(before - after).total() for before, after in pairwise(tallies)]
    assert max(changed) == 2
    assert changed.count(0) < 299
    same(result, princeps.run("p_ll", 2000, seed=1, engine="counts", max_steps=8_500))


def test_how_many_interactions_of_a_thin_batch_are_before_a_step() -> None:
    """Hypergeometric, also where it is drawn one step after the other, and in plain Python beyond the compiled law."""
    run: Any = type("Seeded", (), {"seed": 3, "trial": 0})
    begun, end, done = 1000, 1101, 11
    totals = np.zeros(4)
    for trial in range(400):
        run.trial = trial
        totals += counts_moments._interactions(run, begun, end, done, [1000, 1025, 1050, 1100])
    means = totals / 400
    assert means[0] == 0
    assert means[3] == done - 1
    deviation = sqrt(10 * 0.25 * 0.75 / 400)
    assert abs(means[1] - 2.5) < 6 * deviation
    assert abs(means[2] - 5) < 6 * deviation * 1.2
    far = counts_moments._interactions(run, 0, 10**16, 3, [5, 10**16 - 1])
    assert far == [0, 2]


def test_a_stuck_run_ends_at_its_last_change() -> None:
    result = princeps.run(
        "fratricide",
        6,
        graph="ring",
        force=True,
        start="states:1;1;0;0;1;0",
        seed=5,
        record="states",
        snapshots=[0, 6, 7],
    )
    assert result.stuck
    assert result.states.steps[-1] == result.steps == 6
    assert list(result.snapshots) == [0, 6]
    assert result.snapshots.missed == (7,)
    assert result.snapshots[6]["leader"].sum() == 2


def test_what_does_not_fit_is_refused_with_the_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "available_bytes", lambda: 10**6)
    with pytest.raises(
        TooLarge, match=r"1,000 snapshots of n = 2,000 agents \(1 bytes an agent\) needs about 1.91 MiB"
    ):
        princeps.run("epidemic", 2000, snapshots=range(1000), engine="reference")
    with pytest.raises(TooLarge, match=r"a record of 2 states at up to 1,000,001 moments needs about 30.5 MiB"):
        princeps.run("epidemic", 2000, record="states", every=1, max_steps="2e9", engine="counts")
