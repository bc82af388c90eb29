"""Listed configurations and the steps between them: one for each orbit, with the right weights, sizes and outputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import comb, factorial, prod
from pathlib import Path

import numpy as np
import pytest

from princeps import errors
from princeps.analysis import configurations as configurations_module
from princeps.analysis import expansion
from princeps.analysis import multiplicities as multiplicities_module
from princeps.analysis.codes import BY_AGENT, BY_CLASS, SORTED
from princeps.analysis.exploration import explore_all, explore_from_start
from princeps.analysis.multiplicities import multiplicities
from princeps.analysis.state_space import StateSpace
from princeps.analysis.symmetry import read_permutations
from princeps.analysis.targets import SAFE, Target, find_target
from princeps.model import Agent, Bit, Params, PopulationProtocol, Range, Uniform
from princeps.model.run import Run
from princeps.model.starts import starting_states
from tests.analysis.brute_force import (
    OPTIMAL,
    RANKING,
    TINY,
    Permutation,
    automorphisms,
    brute_classes,
    brute_member,
    brute_reachable,
    brute_safe,
    brute_space,
    check,
    key_of,
    never,
    planned,
)
from tests.analysis.cases import check_all


def first_leads(a: Agent, i: int, n: int, p: Params) -> None:
    """agent 0 leads"""
    a.leader = i == 0


class Walk(PopulationProtocol):
    """Leadership moves on, and nothing else ever happens."""

    guarantee = "self-stabilizing"
    leader = Bit()
    starts = {"first": first_leads, "random": Uniform()}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 1 and b.leader == 0:
            a.leader, b.leader = 0, 1


class Burdened(PopulationProtocol):
    """Two leaders meet, and one of them follows; only followers carry something."""

    leader, load = Bit(), Range(5)
    starts = {"first": first_leads}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 1 and b.leader == 1:
            b.leader, b.load = 0, 2
        elif a.leader == 0:
            a.load = (a.load + 1) % 5

    @staticmethod
    def groups(p: Params) -> list[dict[str, int | range]]:
        return [{"leader": 1}, {"leader": 0, "load": range(5)}]


def check_whole(
    run: Run, group: Sequence[Permutation] | None, given: str | None = None, target: Target | None = None
) -> StateSpace:
    permutations = read_permutations(given, run.n) if given else ()
    space = explore_all(run, [target or Target(SAFE)], automorphisms=permutations)
    classes = brute_classes(run)
    configs = brute_space(run.protocol, run.topology)
    number = check(run, space, classes, group, configs)
    sizes = Counter(number[key_of(config, classes, group)] for config in configs)
    assert space.multiplicity.tolist() == [sizes[x] for x in range(space.size)]
    assert space.original_size == len(configs)
    safe = brute_safe(run, configs)
    assert {config for config in configs if space.safe[number[key_of(config, classes, group)]]} == safe
    assert space.original_count(space.safe) == len(safe)
    return space


# -- all configurations -------------------------------------------------------------------------------------------------

STAR = "0 2 1 3; 0 2 3 1"  # they generate all permutations of the three leaves
RINGS = [
    planned("p_rl", 2, N=2),
    planned("timer", 4, "ring", t_max=1),
    planned("timer", 4, "undirected-ring", t_max=1),
    planned("timer", 3, "undirected-ring", t_max=2),
    planned(RANKING, 4, "ring"),
    planned(Walk, 5, "ring"),
    planned(Walk, 5, "undirected-ring"),
    planned(Walk, 6, "ring"),
]
MULTISETS = [
    (planned("timer", 3, t_max=2), SORTED),
    (planned(RANKING, 4), SORTED),
    (planned("p_pl", 2, N=2, virus_factor=1, emit_factor=1), SORTED),
    (planned(OPTIMAL, 3, **TINY), SORTED),
    (planned("timer", 5, t_max=1), BY_CLASS),
    (planned("majority", 5), BY_CLASS),
    (planned(Walk, 3), BY_CLASS),
    (planned(RANKING, 3), SORTED),
    (planned("fratricide", 6), BY_CLASS),
]


def name_of(run: Run) -> str:
    return f"{run.protocol.name}-{run.n}-{run.topology.text}"


@pytest.mark.parametrize("run", RINGS, ids=name_of)
def test_rings_are_listed_up_to_their_automorphisms(run: Run) -> None:
    space = check_whole(run, automorphisms(run.topology))
    assert space.configurations.encoding == BY_AGENT
    assert len(space.chain.weights) == 0


@pytest.mark.parametrize(("run", "encoding"), MULTISETS, ids=[name_of(run) for run, _ in MULTISETS])
def test_complete_graphs_are_listed_as_multisets(run: Run, encoding: int) -> None:
    assert check_whole(run, None).configurations.encoding == encoding


@pytest.mark.parametrize("graph", ["path", "star", "grid:2x2"])
@pytest.mark.parametrize("protocol", ["timer", Walk])
def test_other_graphs_are_listed_agent_by_agent(protocol: str | type[PopulationProtocol], graph: str) -> None:
    params = {"t_max": 1} if protocol == "timer" else {}
    space = check_whole(planned(protocol, 4, graph, **params), [(0, 1, 2, 3)])
    assert space.size == space.configurations.classes.count**4


@pytest.mark.parametrize("protocol", ["timer", Walk])
def test_leaves_of_a_star_may_be_exchanged(protocol: str | type[PopulationProtocol]) -> None:
    run = planned(protocol, 4, "star", **({"t_max": 1} if protocol == "timer" else {}))
    assert len(automorphisms(run.topology)) == 6
    check_whole(run, automorphisms(run.topology), STAR)
    check_whole(run, [(0, 1, 2, 3), (0, 2, 1, 3)], "0 2 1 3")


def test_a_graph_with_one_way_streets(tmp_path: Path) -> None:
    path = tmp_path / "streets"
    path.write_text("0 > 1\n1 > 2\n2 > 0\n0 > 3\n1 > 3\n2 > 3\n")
    run = planned(Walk, None, str(path))
    assert automorphisms(run.topology) == [(0, 1, 2, 3), (1, 2, 0, 3), (2, 0, 1, 3)]
    check_whole(run, automorphisms(run.topology), "1 2 0 3")
    check_whole(run, [(0, 1, 2, 3)])


@pytest.mark.parametrize(("n", "graph", "weight"), [(4, "ring", 1), (4, "undirected-ring", 2), (4, "complete", 3)])
def test_a_walking_leader_changes_outputs_within_one_orbit(n: int, graph: str, weight: int) -> None:
    """One leader among followers: up to symmetry nothing changes, and yet nobody stays elected."""
    space = explore_all(planned(Walk, n, graph), [Target(SAFE)])
    (x,) = np.flatnonzero(space.leaders == 1)
    steps = slice(space.chain.offsets[x], space.chain.offsets[x + 1])
    assert set(space.chain.successors[steps].tolist()) == {x}
    assert space.chain.changes_output[steps].all()
    assert (
        len(space.chain.changes_output[steps]) * (len(space.chain.weights) == 0) + space.chain.weights[steps].sum()
        == weight
    )
    assert list(space.chain.steps(int(x))) == []
    assert not space.safe.any()


def test_portions_and_room_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expansion, "PORTION", 3)
    monkeypatch.setattr(configurations_module, "LISTING_PORTION", 24)
    monkeypatch.setattr(configurations_module, "INDEXING_PORTION", 12)
    for run in (RINGS[1], MULTISETS[0][0], MULTISETS[4][0]):
        check_whole(run, None if run.topology.kind == "complete" else automorphisms(run.topology))
    monkeypatch.setattr(expansion, "PAIRS_PORTION", 2)
    for run, target in STARTS:
        if run.n == 3:
            check_start(run, target, False)


def test_too_many_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(configurations_module, "available_bytes", lambda: 1000)
    with pytest.raises(errors.TooLarge) as refusal:
        explore_all(RINGS[0], [Target(SAFE)])
    assert str(refusal.value) == (
        "there are 5,184 configurations, 276 after reduction, which need about 0 MiB, and 0 MiB are free: "
        "lower n or the parameters, or explore from a start with start."
    )
    with pytest.raises(errors.TooLarge, match="at least 0 configurations can be reached"):
        explore_from_start(planned("p_rl", 2, start="all_leaders"), [Target(SAFE)])


# -- how many each stands for ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("run", [*RINGS[:3], MULTISETS[0][0], MULTISETS[4][0]], ids=name_of)
def test_multiplicities_beyond_64_bits_are_the_same(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    configurations = explore_all(run, [Target(SAFE)]).configurations
    narrow = multiplicities(configurations)
    assert narrow.dtype == np.int64
    monkeypatch.setattr(multiplicities_module, "INT64_LIMIT", 0)
    wide = multiplicities(configurations)
    assert wide.dtype == object
    assert wide.tolist() == narrow.tolist()


@pytest.mark.parametrize("n", [19, 20, 21, 70])
def test_multiplicities_are_multinomial(n: int) -> None:
    """Three opinions, each a class; around 20 agents factorials leave 64 bits."""
    run = planned("majority", n)
    configurations = explore_all(run, [Target(SAFE)]).configurations
    assert configurations.encoding == BY_CLASS
    assert configurations.size == comb(n + 2, 2)
    found = {
        tuple(map(int, row)): int(m)
        for row, m in zip(configurations.listed_rows, multiplicities(configurations), strict=True)
    }
    assert found == {row: factorial(n) // prod(map(factorial, row)) for row in found}
    assert sum(found.values()) == 3**n


@pytest.mark.parametrize("n", [3, 18, 30])
def test_multiplicities_of_merged_classes(n: int) -> None:
    """What a follower carries matters to nobody: one leading state, and five that are one."""
    space = check_whole(planned(Burdened, 3), None) if n == 3 else explore_all(planned(Burdened, n), [])
    configurations = space.configurations
    assert configurations.encoding == BY_CLASS
    found = {int(k): int(m) for k, m in zip(configurations.leaders(), multiplicities(configurations), strict=True)}
    assert found == {k: comb(n, k) * 5 ** (n - k) for k in range(n + 1)}


# -- from a start ---------------------------------------------------------------------------------------------------------

STARTS = [
    (planned("fratricide", 5), "leader"),
    (planned("epidemic", 5), "complete"),
    (planned("epidemic", 6, "ring"), "complete"),
    (planned("epidemic", 5, "star"), "complete"),
    (planned("majority", 6), "consensus"),
    (planned(RANKING, 4, start="all_zero"), "ranked"),
    (planned("p_rl", 3, start="all_leaders"), "s_rl"),
    (planned("p_rl", 4, start="no_leader_bullets"), "s_rl"),
    (planned("p_rl", 3, "undirected-ring", start="no_leader"), "leader"),
    (planned(OPTIMAL, 3, start="leaderless", **TINY), "ranked"),
    (planned("infection", 4), "complete"),
    (planned("infection", 4, "ring", ids=[3, 1, 4, 2]), "complete"),
    (planned("infection", 4, "path"), "complete"),
    (planned("numbered", 3, m=1), "declared"),
    (planned("numbered", 3, "ring", m=2), "declared"),
    (planned("numbered", 4, m=1), "declared"),
    (planned(Walk, 4, "ring", start="first"), "leader"),
    (planned(Walk, 4, "path", start="first"), "leader"),
]


def group_of(run: Run) -> Sequence[Permutation] | None:
    if run.topology.kind == "complete":
        return None
    return automorphisms(run.topology) if run.topology.kind != "arcs" else [tuple(range(run.n))]


def check_start(run: Run, target: str, past: bool) -> None:
    space = explore_from_start(run, [find_target(run.protocol, target)], past_target=past)
    member = brute_member(run, target)
    stop = never if past else member
    first = tuple(starting_states(run))
    configs = brute_reachable(run, first, stop)
    states = {state for config in configs for state in config}
    classes = {state: k for k, state in enumerate(sorted(states))}
    group = group_of(run)
    number = check(run, space, classes, group, configs, stop)
    assert space.start == number[key_of(first, classes, group)]
    assert space.complete == past
    inside = {number[key_of(config, classes, group)] for config in configs if member(config)}
    assert set(np.flatnonzero(space.sets[target]).tolist()) == inside


@pytest.mark.medium
def test_what_a_start_leads_to() -> None:
    """With an absorbing target, and past it."""
    check_all(STARTS, lambda case: check_start(*case, past=False))
    check_all(STARTS, lambda case: check_start(*case, past=True))


def test_the_agent_states_of_a_start_may_grow() -> None:
    """Identifiers are unbounded: states get their numbers when they arise, and only those that do."""
    run = planned("numbered", 3, m=1)
    space = explore_from_start(run, [find_target(run.protocol, "declared")])
    member = brute_member(run, "declared")
    reached = brute_reachable(run, tuple(starting_states(run)), member)
    assert not space.configurations.agent_states.is_closed
    assert set(space.configurations.agent_states.states) == {state for config in reached for state in config}
    assert space.configurations.agent_states.states[:3] == starting_states(run)
