"""The population as a multiset: accounts that add up, exact steps, first hits, what is refused. Laws: test_law.py."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from scipy.stats import chi2

import princeps
from princeps.engines import counts_state
from princeps.engines.choice import choose
from princeps.engines.counts import CountsPopulation
from princeps.engines.counts_listing import pending_agents
from princeps.engines.population import Stop, StopCondition
from princeps.errors import RunError, TooLarge
from princeps.lowering.interning import MAX_STATES, StateTable
from princeps.lowering.multiset import ALIVE, ALLOWED, INERT, OCCUPIED, PENDING, SKIPPING
from princeps.model.reading import make_run
from tests.conftest import Command
from tests.tables import in_one_test

HARMONIC = {n: sum(1 / k for k in range(1, n)) for n in (1000,)}


def accounts_add_up(population: CountsPopulation) -> None:
    blocks = population._blocks()
    assert sum(size for size, _ in blocks) == population.run.n
    assert all(size > 0 for size, _ in blocks)
    assert len({state for _, state in blocks}) == len(blocks)
    assert population.numbers[0, :-1].tolist() == population.census(population.predicates)


def walk(population: CountsPopulation, steps: int, watch: StopCondition = StopCondition.NOTHING) -> bool:
    """Exactly this many steps, unless the watch is fulfilled."""
    end = population.steps + steps
    while population.steps < end:
        if population.advance(end - population.steps, watch) is Stop.FULFILLED:
            return True
    assert population.steps == end
    return False


@pytest.mark.parametrize(
    ("name", "n", "params"),
    [
        ("fratricide", 5000, {}),
        ("epidemic", 5000, {}),
        ("majority", 5000, {}),
        ("p_ll", 3000, {"m": 12}),
        pytest.param("p_ll_symmetric", 300, {"m": 9}, marks=pytest.mark.slow),
        ("p_pl", 40, {"virus_factor": 1, "emit_factor": 1}),
        ("timer", 500, {"t_max": 40}),
    ],
)
def test_nobody_is_lost(name: str, n: int, params: dict[str, int]) -> None:
    population = CountsPopulation(make_run(name, n, engine="counts", seed=5, params=params))
    for steps in (1, 1, 2, 10, 100, 7, 3000, 20_000, 1, 100_000):
        walk(population, steps)
        accounts_add_up(population)
    assert 0 < population.events <= population.steps


def test_the_same_seed_gives_the_same_run() -> None:
    first, second = (princeps.run("majority", n=10**6, seed=3, engine="counts") for _ in range(2))
    assert (first.steps, first.events, first.leaders) == (second.steps, second.events, second.leaders)
    assert first.steps != princeps.run("majority", n=10**6, seed=4, engine="counts").steps


@pytest.mark.medium
def test_steps_outgrow_64_bits() -> None:
    """The last two of 10^12 leaders meet after some 10^24 / 2 steps."""
    result = princeps.run("fratricide", n=10**12, seed=1)
    assert result.engine == "counts"
    assert result.leaders == 1
    assert result.events == 10**12 - 1
    assert 10**22 < result.steps < 10**26
    assert isinstance(result.as_json()["steps"], str)
    assert len({(result.steps >> shift) & 0xFFFF for shift in (0, 16, 32, 48)}) > 1  # no rounding to a double


def test_a_quadrillion_agents() -> None:
    result = princeps.run("epidemic", n=10**15, seed=1, max_steps=10**14)
    assert (result.steps, result.converged) == (10**14, False)
    assert 1 <= result.leaders < 100  # e^(2t) with t = 0.1


@pytest.mark.medium
@pytest.mark.parametrize("n", [1000])
def test_means_are_the_known_ones(n: int) -> None:
    """(n-1)^2 and (n-1) H(n-1), within five standard errors of 400 runs."""
    for name, wanted in (("fratricide", (n - 1) ** 2), ("epidemic", (n - 1) * HARMONIC[n])):
        runs = [princeps.run(name, n=n, seed=9, trial=k, engine="counts").steps for k in range(400)]
        mean = math.fsum(runs) / 400
        deviation = math.sqrt(math.fsum((steps - mean) ** 2 for steps in runs) / 399 / 400)
        assert abs(mean - wanted) < 5 * deviation


def test_followers_are_inert_and_the_infected_are_not() -> None:
    followers = CountsPopulation(make_run("fratricide", 10**5, engine="counts", seed=1))
    walk(followers, 10**6)
    inert = {followers._meaning(k): followers.m[INERT // MAX_STATES, k] for k in range(followers.state_table.size)}
    assert inert == {(1,): 1 - 1, (0,): 1}
    infected = CountsPopulation(make_run("epidemic", 10**5, engine="counts", seed=1))
    walk(infected, 10**5)
    assert not infected.m[INERT // MAX_STATES].any()


def test_it_skips_when_little_happens_and_batches_when_much_does() -> None:
    population = CountsPopulation(make_run("epidemic", 10**6, engine="counts", seed=1))
    ways = []
    while not population.holds():
        walk(population, 10**5)
        ways.append(int(population.facts[SKIPPING]))
    assert ways[0] == 1
    assert 0 in ways
    assert ways[-1] == 1
    before = population.steps
    population.advance(10**30, StopCondition.NOTHING)  # nothing can change any more
    assert population.silent
    assert population.steps == before + 10**30


def test_a_goal_is_stopped_at_exactly() -> None:
    """The count after the hit is the goal's, though the batches are longer than one interaction."""
    population = CountsPopulation(make_run("fratricide", 10**6, engine="counts", seed=2, until="leader"))
    assert population.advance(10**30, StopCondition.GOAL) is Stop.FULFILLED
    assert population.leaders == 1
    for seed in range(20):
        majority = princeps.run("majority", n=2000, engine="counts", seed=seed)
        assert majority.leaders in (0, 2000)
        again = princeps.run("majority", n=2000, engine="counts", seed=seed, max_steps=majority.steps - 1)
        assert not again.converged


def test_outputs_are_watched() -> None:
    population = CountsPopulation(make_run("epidemic", 10**4, engine="counts", seed=2))
    for infected in range(2, 200):
        assert population.advance(10**9, StopCondition.OUTPUT) is Stop.FULFILLED
        assert population.leaders == infected


def test_faults_strike_and_recover() -> None:
    result = princeps.run("epidemic", n=10**5, engine="counts", seed=2, faults=["3000000:5000"], max_steps=10**7)
    assert result.faults is not None
    (fault,) = result.faults
    assert (fault.step, fault.agents) == (3_000_000, 5000)
    assert fault.recovery_steps is not None
    assert 10**5 < fault.recovery_steps < 3 * 10**6


def test_states_that_nobody_is_in_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts_state, "STATE_LIMIT", 512)
    forgotten = []
    original = StateTable.only

    def only(state_table: StateTable, ids: object) -> StateTable:
        forgotten.append(state_table.size)
        return original(state_table, ids)

    monkeypatch.setattr(StateTable, "only", only)
    population = CountsPopulation(make_run("p_ll", 2000, engine="counts", seed=5, params={"m": 12}))
    for _ in range(30):
        walk(population, 20_000)
        if population.listed is None:
            accounts_add_up(population)
    assert population.steps == 600_000
    assert forgotten


@pytest.mark.slow
def test_pairs_drawn_already_are_kept_when_agents_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """P_LL with a state table of 256 states that is full in the middle of a batch: its pairs are the first to meet."""
    monkeypatch.setattr(counts_state, "STATE_LIMIT", 256)
    room = CountsPopulation._make_room
    monkeypatch.setattr(CountsPopulation, "_make_room", lambda self: not self.facts[PENDING] and room(self))
    population = CountsPopulation(make_run("p_ll", 10**6, engine="counts", seed=5))
    while population.listed is None:
        before = population.steps
        population.advance(10**6, StopCondition.NOTHING)
    length, allowed = int(population.facts[PENDING]), int(population.facts[ALLOWED])
    assert length > 100
    listed = population.listed
    pairs = list(zip(listed.left.tolist(), listed.right.tolist(), strict=True))
    assert len(pairs) == length + (length < allowed)
    assert len({agent for pair in pairs[:length] for agent in pair}) == 2 * length
    wanted = [tuple(population._meaning(int(k)) for k in pair) for pair in population.pairs[:, :length].T]
    assert sorted(wanted) == sorted((listed.state(i), listed.state(j)) for i, j in pairs[:length])
    i, j = pairs[-1]
    assert i != j
    assert len(pairs) == length or {i, j} & {agent for pair in pairs[:length] for agent in pair}
    walk(population, 5000)
    assert population.steps >= before + 5000
    assert listed.later is None
    assert sum(listed.form.occupied()[1]) == 10**6


@pytest.mark.medium
def test_the_collision_of_such_a_batch_is_uniform() -> None:
    """One pair of six agents has met: 18 ordered pairs meet one of the two again, each equally often."""
    seen: dict[tuple[int, int], int] = {}
    population = CountsPopulation(make_run("fratricide", 6, engine="counts", seed=1))
    for trial in range(6000):
        population.run = replace(population.run, trial=trial)
        population.facts[PENDING], population.facts[ALLOWED] = 1, 5
        population.pairs[:, 0] = population.m[ALIVE // MAX_STATES, 0]
        left, right = pending_agents(
            population.m, population.facts, population.pairs, population.run.n, population.run.stream("listing")
        )
        assert (left[0], right[0]) == (0, 1)
        seen[int(left[1]), int(right[1])] = seen.get((int(left[1]), int(right[1])), 0) + 1
    assert set(seen) == {(i, j) for i in range(6) for j in range(6) if i != j and {i, j} & {0, 1}}
    statistic = sum((count - 6000 / 18) ** 2 / (6000 / 18) for count in seen.values())
    assert chi2.sf(statistic, 17) > 1e-6


def test_listed_agents_add_up() -> None:
    timer = CountsPopulation(make_run("timer", 400, engine="counts", seed=5, params={"t_max": 100}))
    walk(timer, 1000)
    timer._list_agents()
    assert timer.listed is not None
    walk(timer, 5000)
    assert (timer.steps, sum(timer.listed.form.occupied()[1])) == (6000, 400)
    assert timer.leaders == timer.census([timer.run.protocol.is_leader])[0]


def test_a_random_start_is_drawn_from_counts() -> None:
    population = CountsPopulation(make_run("timer", 10**12, engine="counts", seed=5, params={"t_max": 9}))
    sizes = [size for size, _ in population._blocks()]
    assert (len(sizes), sum(sizes)) == (20, 10**12)
    assert all(abs(size - 5 * 10**10) < 6 * math.sqrt(5 * 10**10) for size in sizes)
    assert len(set(sizes)) > 15


def test_a_start_agent_by_agent_is_refused_where_there_are_too_many(tmp_path: object) -> None:
    with pytest.raises(TooLarge, match="declare the start as Blocks"):
        princeps.run("p_pl", n=10**10, engine="counts", max_steps=10)


def test_what_it_cannot_do_is_refused(quick: Command) -> None:
    for words, told in (
        (["p_rl", "-n", 5], "for the complete graph"),
        (["infection", "-n", 5], "anonymous agents"),
        (["fratricide", "-n", 5, "--check"], "leave out --engine counts"),
    ):
        outcome = quick("run", *words, "--engine", "counts")
        assert (outcome.code, outcome.stdout) == (2, ""), words
        assert told in outcome.stderr
        assert len(outcome.stderr.strip().splitlines()) == 1
    with pytest.raises(RunError, match="given schedule"):
        princeps.run("fratricide", n=3, engine="counts", pairs=[(0, 1)])


@in_one_test(
    ("name", "n", "more", "engine"),
    [
        ("fratricide", 10, {}, "agents"),
        ("fratricide", 10**3, {}, "counts"),
        ("majority", 10**6, {}, "counts"),
        ("p_ll", 10**6, {}, "agents"),
        ("p_ll", 10**8, {}, "counts"),
        ("p_rl", 100, {}, "agents"),
        ("p_rl", 1000, {}, "events"),
        ("epidemic", 1000, {"graph": "star"}, "events"),
        ("p_pl", 3 * 10**7, {}, "agents"),
        ("timer", 3 * 10**7, {}, "agents"),
        ("timer", 3 * 10**7, {"params": {"t_max": 9}}, "counts"),
        ("p_rl", 3, {"pairs": [(0, 1)]}, "agents"),
        ("p_rl", 30, {"check": True}, "reference"),
        ("infection", 10**4, {}, "agents"),
        ("fratricide", 10**3, {"engine": "agents"}, "agents"),
    ],
)
def test_auto_chooses_from_the_run_alone(name: str, n: int, more: dict[str, object], engine: str) -> None:
    run = make_run(name, n, seed=1, **more)
    chosen, why = choose(run)
    assert chosen == engine
    assert why


def test_the_choice_is_told(quick: Command) -> None:
    outcome = quick("run", "fratricide", "-n", 1000, "--seed", 1)
    assert "counts, at most 24 states on the complete graph" in outcome.stdout
    shown = quick("run", "fratricide", "-n", 1000, "--seed", 1, "--json").object
    assert (shown["engine"], shown["why"]) == ("counts", "at most 24 states on the complete graph")
    assert shown["leader"] is None
    assert quick("run", "fratricide", "-n", 1000, "--seed", 1, "--engine", "agents", "--json").object["leader"] >= 0


def test_the_ends_of_a_run_are_where_they_should_be() -> None:
    population = CountsPopulation(make_run("fratricide", 2, engine="counts", seed=1))
    assert population.advance(10**9, StopCondition.GOAL) is Stop.FULFILLED
    assert (population.steps, population.leaders) == (1, 1)
    assert population.facts[OCCUPIED] == 2


STUCK = """
from princeps.model import Agent, Bit, Blocks, Params, PopulationProtocol


def two(n, p):
    return [(2, {"leader": 1}), (n - 2, {})]


class Stuck(PopulationProtocol):
    leader, spark = Bit(), Bit()
    starts = {"initial": Blocks(two)}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 1 and b.leader == 1:
            a.spark = 1
"""


@pytest.mark.parametrize(("graph", "engine"), [("complete", "counts"), ("ring", "events")])
def test_a_run_that_can_never_end_is_told(quick: Command, tmp_path: Path, graph: str, engine: str) -> None:
    file = tmp_path / "stuck.py"
    file.write_text(STUCK)
    words = ("run", f"{file}:Stuck", "-n", 9, "--graph", graph, "--engine", engine, "--seed", 1)
    outcome = quick(*words)
    assert outcome.code == 1
    assert "(nothing can change any more)" in outcome.stdout
    shown = quick(*words, "--json").object
    assert (shown["converged"], shown["silent"]) == (False, True)
    assert 1 <= shown["events"] <= 2
    limited = quick(*words, "--max-steps", 10**30 if engine == "counts" else 10**10, "--json").object
    assert (limited["stuck"], limited["steps"]) == (True, shown["steps"])
