"""Targets: their members, which agent states they distinguish, and goals that depend on the agents' positions."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any
from weakref import WeakSet

import pytest

import princeps as library
from princeps import errors
from princeps.analysis import exploration, goal_tables, targets
from princeps.analysis.agent_states import legal_agent_states
from princeps.analysis.exploration import explore_all
from princeps.analysis.goal_tables import GoalTables
from princeps.analysis.merging import merge
from princeps.analysis.state_space import StateSpace
from princeps.analysis.targets import SAFE, Target, colours, find_target
from princeps.model import Closed, Counted
from princeps.model.run import Run
from tests.analysis import brute_force as brute
from tests.analysis.brute_force import OPTIMAL, RANKING, TINY, planned
from tests.analysis.carriers import Carriers
from tests.conftest import with_slow

STATED = "stated"


@pytest.fixture(autouse=True)
def tables_are_released(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tables of goals take a byte a configuration: none may outlive the exploration that made it."""
    alive: WeakSet[GoalTables] = WeakSet()

    class Tracked(GoalTables):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            alive.add(self)

    monkeypatch.setattr(exploration, "GoalTables", Tracked)
    yield
    if alive:
        gc.collect()
    assert not alive


def stated(run: Run, name: str) -> Target:
    """A goal of the protocol, even if it is called safe."""
    return Target(STATED if name == SAFE else name, type(run.protocol).all_goals()[name])


def check_members(run: Run, names: list[str]) -> StateSpace:
    """Every configuration is a member just where Python says so."""
    space = explore_all(run, [stated(run, name) for name in names])
    configs = brute.brute_space(run.protocol, run.topology)
    place = [space.configurations.index_of(config) for config in configs]
    for name in names:
        found = space.sets[STATED if name == SAFE else name]
        expected = list(map(brute.brute_member(run, name), configs))
        assert found[place].tolist() == expected
        assert space.original_count(found) == sum(expected)
    return space


# -- members --------------------------------------------------------------------------------------------------

WHOLE = [
    (planned("p_rl", 2, N=2), ["s_rl", "safe", "c_pb", "c_ni", "leader"]),
    (planned("p_rl", 2, N=3), ["s_rl", "safe", "c_pb", "c_ni"]),
    (planned("timer", 4, t_max=2), ["leader"]),
    (planned("majority", 5), ["consensus", "leader"]),
    (planned("p_pl", 2, N=2, virus_factor=1, emit_factor=1), ["s", "leader"]),
    (planned(RANKING, 4), ["ranked", "safe", "leader"]),
    (planned(RANKING, 3, "path"), ["ranked", "safe"]),
    (planned(OPTIMAL, 3, **TINY), ["ranked"]),
    (planned(Carriers, 3), ["equal", "anywhere", "alone"]),
    (planned(Carriers, 3, "ring"), ["behind", "anywhere", "equal", "alone"]),
    (planned(Carriers, 3, "path"), ["behind", "last", "first"]),
]
NAMES = [f"{run.protocol.name}-{run.n}-{run.topology.text}-{names[0]}" for run, names in WHOLE]


@pytest.mark.medium
@pytest.mark.parametrize("how", with_slow(["tabulated", "by fields"], lambda how: how == "by fields"))
@pytest.mark.parametrize(("run", "names"), WHOLE, ids=NAMES)
def test_members_are_as_python_says(run: Run, names: list[str], how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if how == "by fields":
        monkeypatch.setattr(goal_tables, "MAX_TABULATED", 0)
    check_members(run, names)


def test_portions_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "PORTION", 100)
    monkeypatch.setattr(goal_tables, "PORTION", 100)
    check_members(*WHOLE[9])


def test_counts_are_looked_up_or_sorted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "EVALUATED_ONE_BY_ONE", 0)
    for run, names in WHOLE[:5]:
        check_members(run, [name for name in names if isinstance(stated(run, name).goal, Counted)])


WRITTEN: list[tuple[str, Callable[[list[Any]], bool]]] = [
    ("some:leader", lambda u: any(a.leader == 1 for a in u)),
    ("all:leader == 0", lambda u: all(a.leader == 0 for a in u)),
    ("none: bullet == 2 and signal", lambda u: not any(a.bullet == 2 and a.signal for a in u)),
    ("some:distL > 1 or shield", lambda u: any(a.distL > 1 or a.shield for a in u)),
    ("all:distL < N", lambda u: all(a.distL < 2 for a in u)),
    ("none:leaders", lambda u: not any(a.leader for a in u)),
]


def test_targets_written_on_the_spot() -> None:
    run = planned("p_rl", 2, N=2)
    configs = brute.brute_space(run.protocol, run.topology)
    for name, test in WRITTEN:
        space = explore_all(run, [find_target(run.protocol, name)])
        expected = [test([run.protocol.agent(state) for state in config]) for config in configs]  # type: ignore[call-arg]
        assert space.sets[name][[space.configurations.index_of(config) for config in configs]].tolist() == expected
        assert 0 < sum(expected) < len(configs)


@pytest.mark.medium
def test_sizes_of_the_sets_of_p_rl() -> None:
    """312 and 11,880: of the second, a third has agent 0 as its leader."""
    small = planned("p_rl", 2, N=2)
    assert sum(map(brute.brute_member(small, "s_rl"), brute.brute_space(small.protocol, small.topology))) == 312
    run = planned("p_rl", 3, N=3)
    states = brute.legal_states(run.protocol)
    leading, following = ([s for s in states if run.protocol.leads(s) == wanted] for wanted in (True, False))
    assert 3 * sum(map(brute.brute_member(run, "s_rl"), product(leading, following, following))) == 11_880
    for n, size in ((2, 312), (3, 11_880)):
        assert library.exact("p_rl", n, target="s_rl").target_size == size


# -- which states they distinguish -----------------------------------------------------------------------------------------


def expected_classes(run: Run, target: Target, name: str) -> dict[Any, int]:
    """The classes that there should be; for a goal on counts its predicates decide, not its values."""
    if isinstance(target.goal, Closed):
        return brute.brute_classes(run, brute.brute_contexts(run, brute.brute_member(run, name)))
    protocol, read = run.protocol, ["leaders", *target.goal.rule.__code__.co_names]
    tests = [test for word, test in type(protocol).all_predicates().items() if word in read]
    return brute.brute_classes(run, lambda s: tuple(bool(t(protocol.agent(s), protocol.constants)) for t in tests))  # type: ignore[call-arg]


@pytest.mark.medium
@pytest.mark.parametrize(("run", "names"), WHOLE, ids=NAMES)
def test_states_are_merged_as_far_as_a_target_allows(run: Run, names: list[str]) -> None:
    agent_states = legal_agent_states(run.protocol)
    tables = GoalTables(agent_states, run.n)
    for name in names[:2]:
        target = stated(run, name)
        found, expected = (
            merge(agent_states, colours(target, agent_states, tables)),
            expected_classes(run, target, name),
        )
        pairs = {(expected[state], int(found.class_of[k])) for k, state in enumerate(agent_states.states)}
        assert len(pairs) == found.count == len(set(expected.values()))


@pytest.mark.parametrize(("name", "read"), [("anywhere", 4), ("behind", 4), ("alone", 1), ("first", 1)])
def test_states_are_alike_that_agree_in_the_fields_read(name: str, read: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(goal_tables, "MAX_TABULATED", 0)
    run = planned(Carriers, 3)
    agent_states = legal_agent_states(run.protocol)
    table = colours(stated(run, name), agent_states, GoalTables(agent_states, 3))
    assert len({tuple(row) for row in table.tolist()}) == 2 * read
    for a, b in product(range(agent_states.size), repeat=2):
        s, t = agent_states.states[a], agent_states.states[b]
        assert (table[a] == table[b]).all() == (s[0] == t[0] and (read == 1 or s[1] == t[1]))


def test_what_is_wrongly_merged_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were states merged that a goal distinguishes, the proof would fail, and nothing would be merged."""
    monkeypatch.setattr(
        exploration, "colours", lambda target, agent_states, tables: agent_states.leader_mask()[:, None]
    )
    for run, names in (WHOLE[9], WHOLE[0]):
        space = check_members(run, names)
        assert space.configurations.classes.count == space.configurations.agent_states.size
    assert check_members(planned(Carriers, 3, "ring"), ["alone"]).configurations.classes.count == 2


# -- goals that depend on positions --------------------------------------------------------------------------------------

UNEVEN = "the goal {} depends on the agents' places, so that configurations cannot be merged: use reduce=False."
PLACES = [*product(["first"], ["ring", "undirected-ring"]), *product(["behind"], ["undirected-ring", "complete"])]


@pytest.mark.medium
@pytest.mark.parametrize("how", ["tabulated", "by fields", "from a start"])
@pytest.mark.parametrize(("goal", "graph"), PLACES)
def test_a_goal_that_sees_places_is_refused(goal: str, graph: str, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if how == "by fields":
        monkeypatch.setattr(goal_tables, "MAX_TABULATED", 0)
    start = "states:1,0,0;0,1,0;1,2,0" if how == "from a start" else "all"
    with pytest.raises(errors.GraphError) as refusal:
        library.exact(Carriers, 3, graph=graph, start=start, target=goal, past_target=True)
    assert str(refusal.value) == UNEVEN.format(goal)
    run = planned(Carriers, 3, graph)
    size = sum(map(brute.brute_member(run, goal), brute.brute_space(run.protocol, run.topology)))
    found = library.exact(Carriers, 3, graph=graph, start="all", target=goal, reduce=False)
    assert (found.target_size, found.reduced, found.configurations) == (size, 16**3, 16**3)


def test_only_given_automorphisms_are_held_against_a_goal() -> None:
    for given in (None, "0 2 1", "0 2 1; 0 1 2"):
        found = library.exact(Carriers, 3, graph="star", start="all", target="first", automorphisms=given)
        assert found.target_size == 8 * 16**2
    with pytest.raises(errors.GraphError, match="the goal behind depends"):
        library.exact(Carriers, 3, graph="star", start="all", target="behind", automorphisms="0 2 1")


@pytest.mark.parametrize("how", ["by fields", "from a start"])
def test_places_are_compared_where_agents_are_counted(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer states than agents: rows are numbers of agents, which do not show positions."""
    monkeypatch.setattr(goal_tables, "MAX_TABULATED", 0)
    start = "all" if how == "by fields" else "initial"
    with pytest.raises(errors.GraphError, match="the goal first depends on the agents' places"):
        library.exact(Carriers, 4, start=start, target="first", past_target=True)
    found = library.exact(Carriers, 4, start=start, target="alone")
    assert (found.merged_states, found.reduced) == (2, 5 if start == "all" else 4)
    assert (found.target_size, found.configurations) == ((4 * 8**4, 16**4) if start == "all" else (4, 15))


def test_too_many_permutations_are_refused() -> None:
    states = ";".join(f"1,{k % 4},{k // 4}" for k in range(8))
    with pytest.raises(errors.GraphError, match="is checked for at most 7 agents: use reduce=False"):
        library.exact(Carriers, 8, start=f"states:{states}", target="alone")


# -- mistakes in goals ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", ["all", "initial"])
@pytest.mark.parametrize(("goal", "said"), [("divided", "division"), ("beyond", "index out of range")])
def test_a_mistake_in_a_goal_has_a_place(goal: str, said: str, start: str) -> None:
    with pytest.raises(errors.ProtocolError, match=rf"carriers\.py:\d+: .*{said}"):
        library.exact(Carriers, 3, start=start, target=goal)


def test_tables_are_released_after_a_mistake() -> None:
    """Of two goals the first is tabulated; the fixture sees that its table is released."""
    run = planned(Carriers, 3)
    with pytest.raises((ZeroDivisionError, errors.ProtocolError)):
        explore_all(run, [stated(run, name) for name in ("anywhere", "divided")])
