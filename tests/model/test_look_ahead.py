"""Schedulers that look one step ahead: greedy:K, and potentials of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

import princeps
from princeps.engines.session import Session
from princeps.engines.simulate import make_population
from princeps.model import Agent, Bit, Blocks, Params, PopulationProtocol, draw
from princeps.model.reading import make_run
from tests.conftest import Command

N = 12


def steps(scheduler: object, seed: int = 0) -> int:
    return princeps.run("fratricide", n=N, scheduler=scheduler, seed=seed, engine="reference").steps


def test_one_arc_is_the_uniform_scheduler() -> None:
    for seed in range(5):
        assert steps("greedy:1", seed) == steps("uniform", seed)


@pytest.mark.slow
def test_the_mean_of_fratricide() -> None:
    """Of K arcs, each between two leaders with probability k(k-1) / n(n-1), one is not, unless all are: E = sum of p^-K."""
    for samples in (2, 3):
        expected = sum((N * (N - 1) / (k * (k - 1))) ** samples for k in range(4, N + 1))
        times = [
            princeps.run("fratricide", n=N, until="leaders == 3", scheduler=f"greedy:{samples}", seed=seed).steps
            for seed in range(150)
        ]
        mean = sum(times) / len(times)
        error = (sum((time - mean) ** 2 for time in times) / len(times) ** 2) ** 0.5
        assert abs(mean - expected) < 6 * error, (samples, mean, expected, error)


def test_it_wants_none_rather_than_one() -> None:
    """Without leaders the best is that nobody comes to lead; with one, that others do."""

    class Rising(PopulationProtocol):
        leader = Bit()
        starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 0})])}

        @staticmethod
        def interact(a: Agent, b: Agent, p: Params) -> None:
            a.leader = 1

    run = make_run(Rising, 2, scheduler="greedy:64", start="states:1;0")
    population = make_population(run)
    assert population.drawing.next() == (1, 0)  # type: ignore[attr-defined]


class Tossing(PopulationProtocol):
    leader = Bit()
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 1 and b.leader == 1 and draw(2) == 0:
            b.leader = 0


def test_coins_are_averaged_and_not_tossed() -> None:
    run = make_run(Tossing, 3, scheduler="greedy:8", start="states:1;1;0")
    population = make_population(run)
    assert sorted(population.foresee(0, 1)) == [(0.5, ((1,), (0,))), (0.5, ((1,), (1,)))]  # type: ignore[attr-defined]
    coins = population.coins.words  # type: ignore[attr-defined]
    population.drawing.next()  # type: ignore[attr-defined]
    assert population.coins.words == coins  # type: ignore[attr-defined]


class Followers:
    """Wants followers: kills leaders as fast as it can."""

    samples = 50

    def potential(self, agent: Agent) -> int:
        return 1 - agent.leader


def test_a_potential_of_ones_own() -> None:
    assert steps(Followers) == steps(Followers())
    assert steps(Followers) < sum(steps("uniform", seed) for seed in range(20)) / 20 / 3


def seen(session: Session) -> str:
    return str([list(map(int, session.population.state(agent))) for agent in range(session.n)])


def test_it_can_be_taken_back() -> None:
    session = princeps.session("p_rl", n=6, seed=2, scheduler="greedy:3")
    session.step(40)
    there = seen(session)
    session.step(30)
    last = seen(session)
    session.goto(40)
    assert seen(session) == there
    session.step(30)
    assert seen(session) == last != there


@pytest.mark.slow
def test_sweeps(tmp_path: Path, quick: Command) -> None:
    """greedy:K has an identity; `greedy` is greedy:4; a potential of one's own has none."""
    for text in ("greedy:2", "greedy", "greedy:4"):
        store = tmp_path / f"{text.replace(':', '')}.db"
        words = ("fratricide", "-n", "5", "--trials", "3", "--jobs", "1", "--store", str(store), "--scheduler", text)
        assert quick("sweep", *words).code == 0
    rows = [quick("results", str(tmp_path / f"{one}.db"), "--json").stdout for one in ("greedy2", "greedy", "greedy4")]
    points = [row.partition('"point": "')[2][:12] for row in rows]
    assert points[1] == points[2] != points[0]


@pytest.mark.parametrize("text", ["greedy:0", "greedy:", "greedy:x", "greedy:-1", "greedy:1e9"])
def test_what_is_refused(quick: Command, text: str) -> None:
    outcome = quick("run", "fratricide", "-n", "5", "--scheduler", text)
    assert outcome.code == 2
    assert text in outcome.stderr
    assert "like greedy:4" in outcome.stderr


def test_engines_that_cannot(quick: Command) -> None:
    outcome = quick("run", "fratricide", "-n", "5", "--scheduler", "greedy", "--engine", "agents")
    assert outcome.code == 2
    assert "--engine reference" in outcome.stderr


def test_potentials_that_fail(tmp_path: Path, quick: Command) -> None:
    for body, said in (("return 'much'", "'much'"), ("return agent.ledaer", "potential(agent)")):
        (tmp_path / "mine.py").write_text(f"class Mine:\n    def potential(self, agent):\n        {body}\n")
        outcome = quick("run", "fratricide", "-n", "5", "--scheduler", f"{tmp_path}/mine.py:Mine")
        assert outcome.code == 2
        assert said in outcome.stderr
