"""The compiled engine does what the reference does, step by step; and both obey the scheduler's law."""

from __future__ import annotations

import math
from collections import Counter
from itertools import islice

import pytest

import princeps
from princeps.engines import numbered_agents, starting
from princeps.engines.agents import Agents
from princeps.engines.population import Stop, StopCondition
from princeps.engines.reference import Reference
from princeps.model.reading import make_run
from princeps.model.run import Run
from princeps.model.starts import starting_states
from princeps.model.topology import Topology
from tests.conftest import Sized, with_slow

SMALL: dict[str, dict[str, int]] = {
    "aafj": {"k": 5},
    "epidemic": {},
    "fischer_jiang": {},
    "fischer_jiang_complete": {},
    "fratricide": {},
    "infection": {},
    "known_bound": {},
    "leader_minion": {"m": 4},
    "loose_ids": {"t_max": 9},
    "lottery": {"m": 4},
    "majority": {},
    "michail": {"tau": 3, "c_max": 4, "e_max": 2},
    "michail_roles": {"bits": 2, "c_max": 5, "e_max": 3},
    "numbered": {},
    "optimal_silent": {"r_max": 4, "d_max": 24, "e_max": 48},
    "p_ll": {"m": 4},
    "p_ll_symmetric": {"m": 4},
    "p_pl": {"virus_factor": 1, "emit_factor": 1},
    "p_rl": {},
    "p_rl_oracle": {},
    "silent_ranking": {},
    "timer": {"t_max": 9},
    "tokens": {},
}

FEW_CHANGES = {"fischer_jiang_complete": 3, "known_bound": 1}  # one for each of the few leaders that are too many


def small_run(name: str, n: int = 12, **more: object) -> Run:
    return make_run(name, n, params=SMALL[name], **{"seed": 3, **more})


def states_of(population: Agents | Reference) -> list[tuple[int, ...]]:
    return [population.state(agent) for agent in range(population.run.n)]


def test_every_protocol_is_here() -> None:
    assert sorted(SMALL) == princeps.library("population")


@pytest.mark.medium
@pytest.mark.parametrize("name", SMALL)
def test_one_schedule_gives_one_trajectory(name: str) -> None:
    """Both engines are driven by one recorded schedule; every configuration and every count is compared."""
    source = small_run(name)
    pairs = list(islice(source.meetings(), 3000))
    reference = Reference(small_run(name, pairs=pairs))
    compiled = Agents(small_run(name, pairs=pairs))
    assert states_of(compiled) == states_of(reference)
    for pair in pairs:
        reference.advance(1, StopCondition.NOTHING)
        compiled.advance(1, StopCondition.NOTHING)
        assert states_of(compiled) == states_of(reference), pair
        assert (compiled.leaders, compiled.events) == (reference.leaders, reference.events)
        assert compiled.holds() == reference.holds()
    assert compiled.advance(1, StopCondition.NOTHING) is Stop.LIST_ENDED
    assert compiled.exhausted


@pytest.mark.medium
def test_a_run_that_never_changes_anything_would_not_be_a_test() -> None:
    for name in SMALL:
        reference = Reference(small_run(name))
        reference.advance(3000, StopCondition.NOTHING)
        assert reference.events >= FEW_CHANGES.get(name, 10), name


@pytest.mark.medium
@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("seed", with_slow([1, 2], lambda seed: seed > 1))
def test_one_seed_gives_one_result_in_both_engines(name: str, seed: int) -> None:
    for until in type(small_run(name).protocol).all_goals():
        results = [
            princeps.run(name, n=12, seed=seed, until=until, engine=engine, max_steps=20_000, **SMALL[name])
            for engine in ("reference", "agents")
        ]
        first, second = (
            (r.steps, r.converged, r.leaders, r.leader, r.events, r.verdicts, r.total_steps) for r in results
        )
        assert first == second, until


@pytest.mark.parametrize(
    "graph", ["complete", "ring", "undirected-ring", "path", "star", "grid:3x4", "regular:3", "er:0.5"]
)
def test_both_engines_draw_the_same_pairs_on_every_graph(graph: str) -> None:
    def steps(engine: str) -> tuple[int, int | None]:
        result = princeps.run("infection", n=12, graph=graph, seed=5, engine=engine)
        return result.steps, result.events

    assert steps("agents") == steps("reference")


def starts() -> list[tuple[str, str]]:
    return [(name, start) for name in SMALL for start in type(princeps.protocol(name, n=9)).starts]


@pytest.mark.parametrize(("name", "start"), starts())
def test_compiled_starts_equal_the_plain_ones(name: str, start: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond IN_PYTHON agents a start is compiled; lower the bound and compare."""
    run = make_run(name, 301, start=start, seed=11, params={"m": 9} if name.startswith("p_ll") else SMALL[name])
    monkeypatch.setattr(starting, "IN_PYTHON", 0)
    assert states_of(Agents(run)) == starting_states(run)


@pytest.mark.medium
@pytest.mark.parametrize("name", ["p_rl", "p_pl", "numbered"])
def test_compiled_censuses_and_goal_tests_equal_the_plain_ones(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = small_run(name, n=20, record=["leaders"])
    predicates = list(type(run.protocol).all_predicates().values())
    compiled, reference = Agents(run), Reference(run)
    monkeypatch.setattr(starting, "IN_PYTHON", 0)
    monkeypatch.setattr(numbered_agents, "ONE_BY_ONE", 5)
    for _ in range(60):
        assert compiled.census(predicates) == reference.census(predicates)
        assert compiled.holds() == reference.holds()
        assert compiled.leader() == reference.leader()
        compiled.advance(97, StopCondition.NOTHING)
        reference.advance(97, StopCondition.NOTHING)


def test_a_window_is_replayed_to_the_exact_first_step() -> None:
    """Whatever the window, the first step at which a closed goal holds is the one the reference finds."""
    run = small_run("p_rl", n=10, seed=8)
    wanted = princeps.run("p_rl", n=10, seed=8, engine="reference").steps
    for window in (7, 100, 10**6):
        population = Agents(run)
        while population.advance(window, StopCondition.GOAL) is not Stop.FULFILLED:
            pass
        assert population.steps == wanted
        assert population.holds()


def test_portions_do_not_change_a_run() -> None:
    def trajectory(sizes: list[int]) -> list[tuple[int, ...]]:
        population = Agents(small_run("p_rl", n=30))
        for size in sizes:
            population.advance(size, StopCondition.NOTHING)
        return states_of(population)

    assert trajectory([1000]) == trajectory([1] * 511 + [488, 1]) == trajectory([512, 300, 188])


def chi_square_p(observed: list[int], expected: list[float]) -> float:
    from scipy.stats import chi2

    statistic = sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))
    return float(chi2.sf(statistic, len(observed) - 1))


def compiled_pairs(graph: str, n: int, count: int) -> list[tuple[int, int]]:
    """The pairs that the compiled engine draws, read from its blocks."""
    population = Agents(make_run("infection", n, graph=graph, seed=1))
    found: list[tuple[int, int]] = []
    while len(found) < count:
        population.advance(len(population.left), StopCondition.NOTHING)
        found += [(int(i), int(j)) for i, j in zip(population.left, population.right, strict=True)]
    return found[:count]


@pytest.mark.parametrize("graph", ["complete", "ring", "undirected-ring", "star"])
def test_compiled_pairs_are_uniform_over_the_arcs(graph: str) -> None:
    n, count = 7, 200_000
    topology = make_run("infection", n, graph=graph).topology
    arcs = [topology.arc(k) for k in range(topology.arc_count)]
    seen = Counter(compiled_pairs(graph, n, count))
    assert set(seen) == set(arcs)
    assert chi_square_p([seen[arc] for arc in arcs], [count / len(arcs)] * len(arcs)) > 1e-6


def test_a_biased_draw_would_be_caught() -> None:
    """The power of the test above: a draw by modulo of a small range fails it."""
    n, count = 7, 200_000
    arcs = Topology("complete", n, "complete").arc_count
    import random

    draw = random.Random(1)
    seen = Counter(draw.getrandbits(8) % arcs for _ in range(count))
    assert chi_square_p([seen[k] for k in range(arcs)], [count / arcs] * arcs) < 1e-6


@pytest.mark.medium
def test_fratricide_takes_n_minus_1_squared_steps_on_average(sized: Sized) -> None:
    n, trials = 20, sized(1500, 4000)
    steps = [princeps.run("fratricide", n=n, seed=9, trial=t).steps for t in range(trials)]
    mean = sum(steps) / trials
    # k leaders: geometric with p = k(k-1)/(n(n-1)); the variance of the sum is known exactly
    p = [k * (k - 1) / (n * (n - 1)) for k in range(2, n + 1)]
    deviation = math.sqrt(sum((1 - q) / q**2 for q in p) / trials)
    assert abs(mean - (n - 1) ** 2) < 5 * deviation
    assert 5 * deviation < 0.1 * (n - 1) ** 2  # sharp enough to see a wrong law


@pytest.mark.medium
def test_three_leaders_take_exactly_the_law_of_two_geometrics(sized: Sized) -> None:
    """n = 3: first meeting ends one leader (p = 1), then p = 1/3: steps - 1 is geometric."""
    trials = sized(1000, 3000)
    steps = Counter(princeps.run("fratricide", n=3, seed=4, trial=t).steps for t in range(trials))
    expected = [trials * (1 / 3) * (2 / 3) ** k for k in range(8)]
    observed = [steps[2 + k] for k in range(8)]
    assert min(steps) == 2
    rest = trials - sum(observed)
    assert chi_square_p([*observed, rest], [*expected, trials - sum(expected)]) > 1e-6
    assert chi_square_p([observed[0] + observed[1], *observed[2:], 0, rest], [*expected, trials - sum(expected)]) < 1e-6


@pytest.mark.medium
def test_infection_takes_n_minus_1_times_a_harmonic_number(sized: Sized) -> None:
    n, trials = 30, sized(700, 2000)
    steps = [princeps.run("infection", n=n, seed=2, trial=t).steps for t in range(trials)]
    p = [2 * k * (n - k) / (n * (n - 1)) for k in range(1, n)]
    mean, deviation = sum(1 / q for q in p), math.sqrt(sum((1 - q) / q**2 for q in p) / trials)
    assert math.isclose(mean, (n - 1) * sum(1 / k for k in range(1, n)))
    assert abs(sum(steps) / trials - mean) < 5 * deviation


@pytest.mark.medium
def test_the_reference_engine_needs_only_the_standard_library() -> None:
    import subprocess
    import sys

    code = (
        "import sys\n"
        "for name in ('numpy', 'numba', 'scipy', 'llvmlite', 'typer', 'rich'): sys.modules[name] = None\n"
        "import princeps\n"
        "print([princeps.run(name, n=8, seed=1, engine='reference', max_steps=300).steps for name in princeps.library()])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split(",")) == len(princeps.library())


def test_a_verdict_belongs_to_the_moment_of_its_goal() -> None:
    """Whatever the goal, `correct` judges the declaration, not the end of the run."""
    judged = set()
    for seed in range(40):
        first = princeps.run("numbered", n=8, m=1, seed=seed)
        later = princeps.run("numbered", n=8, m=1, seed=seed, until="complete", max_steps=2000)
        declared_before = first.steps <= later.total_steps
        assert later.correct == (first.correct if declared_before else None)
        judged.add(later.correct)
    assert judged == {False, None}  # a run that ends when all follow the largest id has seen no right declaration yet


def test_an_interrupt_finds_steps_and_events_in_agreement() -> None:
    from princeps.engines.conduct import Conductor

    population = Agents(small_run("p_pl", n=40))

    def interrupting(watch: StopCondition, budget: int) -> tuple[int, int]:
        Agents._call_kernel(population, watch, budget)
        raise KeyboardInterrupt

    population._call_kernel = interrupting  # type: ignore[method-assign, assignment]
    conductor = Conductor(population.run, population)
    assert conductor.perform() is False
    result = conductor.result(0.0, interrupted=True)
    assert result.total_steps > 0
    assert result.events is not None
    assert result.events <= result.total_steps
    assert result.converged == population.holds()


def test_a_closed_goal_is_not_trusted_on_a_graph_it_was_not_proved_for() -> None:
    for seed in range(8):
        runs = [
            princeps.run("p_rl", n=4, graph="complete", force=True, seed=seed, engine=engine, max_steps=5000).steps
            for engine in ("reference", "agents")
        ]
        assert runs[0] == runs[1]
