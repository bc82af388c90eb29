"""Torn interactions: what exact --torn says is what plain Python finds, and its schedules really kill."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import princeps
from princeps import Bit, Blocks, PopulationProtocol
from princeps.analysis import torn as torn_analysis
from princeps.analysis import torn_search
from princeps.analysis.agent_states import initiator_of, legal_agent_states, pack_pair, responder_of
from princeps.analysis.halves import halved, pairs_changing_both
from princeps.analysis.merging import StateClasses, merge, singleton_classes
from princeps.errors import ParameterError, PrincepsError, RunError
from princeps.model.description import describe
from princeps.model.reading import make_run
from princeps.model.run import Run
from princeps.model.script import SIDES_OF_A_PAIR
from princeps.model.starts import starting_states
from princeps.web.from_exact import example_of
from tests.analysis.brute_force import Config, State, brute_member, legal_states

EXAMPLES = Path(__file__).parents[2] / "examples"
LOTTERY, PHOENIX = str(EXAMPLES / "lottery.py"), str(EXAMPLES / "phoenix.py")


# -- the definition in plain Python --------------------------------------------------------------------------------


def results(run: Run, config: Config, i: int, j: int) -> Iterator[tuple[State, State]]:
    nobody_leads = not any(run.protocol.leads(state) for state in config)
    told = int(run.protocol.oracle is not None and nobody_leads)  # the only oracle of the examples
    for _, after, _ in run.protocol.branches(config[i], config[j], told):
        yield after


def following(run: Run, config: Config, torn: bool) -> set[Config]:
    found = set()
    for i, j in permutations(range(run.n), 2):
        if not run.topology.has_arc(i, j):
            continue
        for u, v in results(run, config, i, j):
            for pair in [(u, config[j]), (config[i], v)] if torn else [(u, v)]:
                after = list(config)
                after[i], after[j] = pair
                found.add(tuple(after))
    return found


def levels(run: Run, most: int) -> list[set[Config]]:
    """By length of the schedule, the configurations that it can lead to, until nothing is new."""
    nodes = {(tuple(starting_states(run)), 0)}
    seen, found = set(nodes), [{config for config, _ in nodes}]
    while nodes:
        after = {(new, k) for config, k in nodes for new in following(run, config, torn=False)}
        after |= {(new, k + 1) for config, k in nodes if k < most for new in following(run, config, torn=True)}
        nodes = after - seen
        seen |= nodes
        found.append({config for config, _ in nodes})
    return found


def lost(run: Run, configs: set[Config], goal: str) -> set[Config]:
    """From which the goal cannot be reached: a backward search."""
    is_goal = brute_member(run, goal)
    before: dict[Config, set[Config]] = {}
    for config in configs:
        for after in following(run, config, torn=False):
            before.setdefault(after, set()).add(config)
    reaching = {config for config in configs if is_goal(config)}
    waiting = list(reaching)
    while waiting:
        new = before.get(waiting.pop(), set()) - reaching
        reaching |= new
        waiting += new
    return configs - reaching


def placed(configs: set[Config], n: int) -> set[Config]:
    """On a complete graph, with all orders of the agents."""
    return {tuple(config[k] for k in order) for config in configs for order in permutations(range(n))}


CASES = [
    pytest.param("p_ll", 2, "leader", 1, marks=pytest.mark.slow),  # thousands of configurations
    ("fratricide", 3, "leader", 2),
    ("majority", 4, "consensus", 1),
    ("majority", 3, "consensus", 2),
    ("numbered", 2, "declared", 1),
    (LOTTERY, 3, "leader", 1),
]


@pytest.mark.medium
@pytest.mark.parametrize(("name", "n", "goal", "most"), CASES)
def test_as_plain_python_finds(name: str, n: int, goal: str, most: int) -> None:
    run = make_run(name, n)
    by_length = levels(run, most)
    everything = set().union(*by_length)
    dead = lost(run, everything, goal)
    found = princeps.exact(name, n, torn=most, target=goal).torn
    assert found is not None
    assert found.recovers == (not dead)
    if found.recovers:
        assert found.complete
        assert found.configurations == len(placed(everything, n))
        assert found.schedule is None
    else:
        assert found.schedule is not None
        assert len(found.schedule) == next(k for k, level in enumerate(by_length) if level & dead)
        assert 1 <= found.used <= most


# -- schedules that kill -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def dying() -> Any:
    return princeps.exact("p_ll", 2, torn=1)


def test_p_ll_dies_of_one(dying: Any) -> None:
    """Two fresh agents: the responder becomes a follower, the initiator does not notice and becomes one, too."""
    assert dying.reachable  # without torn interactions
    assert not dying.torn.recovers
    assert dying.torn.schedule == [["torn", 0, 1, "responder"], ["pair", 0, 1]]
    said = dying.as_json()["torn"]
    assert said["interactions"] == 1
    assert said["recovers"] is False
    assert said["schedule"] == dying.torn.schedule
    assert said["changing_both"] < said["pairs"]
    assert "torn: only the responder changes), 0-1" in repr(dying)


def test_no_shorter_schedule_kills_p_ll() -> None:
    """From whatever one interaction leads to, torn or not, one agent leads a few interactions later."""
    run = make_run("p_ll", 2)
    start = tuple(starting_states(run))
    for config in {start} | following(run, start, torn=False) | following(run, start, torn=True):
        level, leaders = {config}, set()
        for _ in range(3):
            leaders |= {sum(map(run.protocol.leads, one)) for one in level}
            level = set().union(*(following(run, one, torn=False) for one in level))
        assert 1 in leaders


def test_after_the_schedule_no_leader_ever_comes(dying: Any, tmp_path: Path) -> None:
    """Replayed by the reference engine, from the code and from the file; judged by exact, from the last configuration."""
    path = str(tmp_path / "kill.script")
    dying.torn.script.save(path)
    code = dying.torn.killing.command.removeprefix("princeps run --script ")
    for given in (code, path):
        session = princeps.replay(given, engine="reference")
        assert (session.steps, session.leaders) == (2, 0)
        states = ";".join(",".join(map(str, session.state(k).values())) for k in range(2))
        after = princeps.exact("p_ll", 2, start=f"states:{states}")
        assert not after.reachable
        assert after.target_size == 0
    assert dying.as_json()["torn"]["script"] == Path(path).read_text().splitlines()


def test_the_schedule_is_watched(dying: Any) -> None:
    session = example_of(dying, describe("p_ll", 2)).open()
    assert (session.steps, session.leaders) == (0, 2)
    assert session.goto(session.last_step).leaders == 0


class Handing(PopulationProtocol):
    """The only leader is handed on: torn, it is lost or there are two."""

    leader = Bit()
    starts = {"initial": Blocks(lambda n, p: [(1, {"leader": 1}), (n - 1, {"leader": 0})])}

    @staticmethod
    def interact(a: Any, b: Any, p: Any) -> None:
        if a.leader and not b.leader:
            a.leader, b.leader = 0, 1


@pytest.mark.parametrize("most", [1, "1e30"])
def test_any_number_of_torn_interactions(monkeypatch: pytest.MonkeyPatch, most: int | str) -> None:
    """A shortest path comes to no configuration twice, so that a table as long as their number is enough."""
    monkeypatch.setattr(torn_search, "MAX_FOLLOWED", 0)
    found = princeps.exact(Handing, 3, torn=most, until="leader").torn
    assert found is not None
    assert (found.complete, found.recovers, found.used, len(found.schedule or ())) == (True, False, 1, 1)


@pytest.mark.medium
def test_all_layers_give_the_same_length(monkeypatch: pytest.MonkeyPatch, dying: Any) -> None:
    """Where short schedules are not tried first, everything is listed, and the shortest path found in it."""
    monkeypatch.setattr(torn_search, "MAX_FOLLOWED", 0)
    for most in (1, 3):
        found = princeps.exact("p_ll", 2, torn=most).torn
        assert found is not None
        assert found.complete
        assert not found.recovers
        assert len(found.schedule or ()) == len(dying.torn.schedule)
        assert found.used == 1


@pytest.mark.slow
def test_three_fresh_agents_of_p_ll() -> None:
    found = princeps.exact("p_ll", 3, torn=1).torn
    assert found is not None
    assert found.schedule == [["torn", 0, 1, "responder"], ["pair", 0, 1], ["pair", 0, 2]]
    session = princeps.replay(found.killing.command.removeprefix("princeps run --script "))
    assert session.leaders == 0


# -- who bears them ------------------------------------------------------------------------------------------------


@pytest.mark.medium
@pytest.mark.parametrize(
    ("name", "n", "params"),
    [
        ("p_rl", 2, {"N": 2}),
        ("timer", 3, {"t_max": 4}),
        ("p_pl", 2, {"N": 3, "virus_factor": 1, "emit_factor": 1}),
        (PHOENIX, 3, {}),
    ],
)
def test_from_all_configurations_nothing_is_added(name: str, n: int, params: dict[str, int]) -> None:
    for reduce in (True, False):
        if name == "p_pl" and not reduce:
            continue  # 90,000 configurations
        found = princeps.exact(name, n, torn=2, reduce=reduce, start="all", **params)
        assert found.torn is not None
        assert found.torn.recovers
        assert found.torn.complete
        assert found.torn.configurations == found.configurations


def test_fratricide_cannot_be_hurt() -> None:
    """Only the responder ever changes: a torn interaction is whole, or nothing."""
    found = princeps.exact("fratricide", 5, torn=3)
    assert found.torn is not None
    assert found.torn.recovers
    assert found.torn.changing_both == 0
    assert found.torn.configurations == found.configurations
    assert "so that nothing can be torn" in repr(found)


# -- merged states -------------------------------------------------------------------------------------------------


def disagreements(name: str, params: dict[str, int], joined: tuple[int, int] | None = None) -> int:
    """Pairs of states whose torn interaction leads to other classes than that of their classes."""
    agent_states = legal_agent_states(princeps.protocol(name, n=2, **params))
    classes = merge(agent_states, agent_states.leader_mask()[:, None])
    assert classes.count < agent_states.size
    if joined is not None:  # planted: two classes that are not the same
        classes = _joined(agent_states, classes, *joined)
    count, of = 0, classes.class_of
    for side in SIDES_OF_A_PAIR:
        ours, theirs = halved(classes, side).table, halved(singleton_classes(agent_states), side).table
        expected = pack_pair(of[initiator_of(theirs)], of[responder_of(theirs)])
        whole, null = (table[of[:, None], of[None, :]] for table in (classes.table, _null(classes.count)))
        ours = ours[of[:, None], of[None, :]]  # null where a class sees no difference between the half and the whole
        count += int(((ours != expected) & ~((ours == null) & (expected == whole))).sum())
    return count


def _null(count: int) -> Any:
    return pack_pair(np.arange(count)[:, None], np.arange(count)[None, :])


def _joined(agent_states: Any, classes: StateClasses, kept: int, gone: int) -> StateClasses:
    colour = np.where(classes.class_of == gone, kept, classes.class_of)
    colour = np.unique(colour, return_inverse=True)[1].ravel()
    representative = np.unique(colour, return_index=True)[1]
    entries = agent_states.table[np.ix_(representative, representative)]
    table = pack_pair(colour[initiator_of(entries)], colour[responder_of(entries)])
    return StateClasses(colour, representative, np.bincount(colour), table)


def test_merged_states_are_not_told_apart_by_torn_interactions() -> None:
    assert disagreements("p_rl", {"N": 2}) == 0
    assert disagreements("timer", {"t_max": 4}) == 0
    assert disagreements("p_rl", {"N": 2}, joined=(0, 1)) > 0  # and the comparison would notice


def test_pairs_that_change_both() -> None:
    for name, params in (("timer", {"t_max": 4}), ("p_rl", {"N": 2}), (PHOENIX, {})):
        protocol = princeps.protocol(name, n=2, **params)
        states = legal_states(protocol)
        changing = sum(
            any(u != a and v != b for told in protocol.oracle_values for _, (u, v), _ in protocol.branches(a, b, told))
            for a in states
            for b in states
        )
        assert pairs_changing_both(protocol, None) == (changing, len(states) ** 2)


# -- refusals ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "error", "sentence"),
    [
        ({"torn": 0}, RunError, "torn = 0 is too small"),
        ({"torn": -2}, RunError, "torn = -2 is too small"),
        ({"torn": "some"}, ParameterError, "torn = 'some' is not an integer"),
        ({"torn": 1, "probability": "F leader"}, RunError, "leave --torn out|leave torn out"),
        ({"save_script": "x.script"}, RunError, "x.script writes the schedule that .*torn.* finds"),
    ],
)
def test_refusals(given: dict[str, Any], error: type[PrincepsError], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        princeps.exact("fratricide", 3, **given)


def test_ring_algorithms_are_refused() -> None:
    with pytest.raises(PrincepsError, match="torn"):
        princeps.exact("a_k", labels=[1, 2, 2], k=2, torn=1)


@pytest.mark.slow
def test_memory_for_the_shortest_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torn_search, "MAX_FOLLOWED", 0)
    monkeypatch.setattr(torn_analysis, "available_bytes", lambda: 1000)
    with pytest.raises(PrincepsError, match=r"give a smaller (--)?torn"):
        princeps.exact("p_ll", 2, torn=1)


def test_a_schedule_is_written(tmp_path: Path) -> None:
    path = tmp_path / "kill.script"
    princeps.exact("p_ll", 2, torn=1, save_script=path)
    assert princeps.replay(path).leaders == 0
