"""Automorphisms of graphs; and that merging states and configurations changes no answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import pytest

import princeps as library
from princeps import errors
from princeps.analysis import symmetry
from princeps.analysis.targets import SAFE
from princeps.model.starts import starting_states
from tests.analysis.brute_force import (
    RANKING,
    automorphisms,
    brute_leaders,
    brute_member,
    brute_reachable,
    brute_safe,
    brute_space,
    brute_times,
    never,
    planned,
)
from tests.analysis.cases import check_all

# -- agents that are alike --------------------------------------------------------------------------------------------------

LEAVES = "0 2 1 3 4; 0 2 3 4 1"
GRAPHS: list[tuple[str, int, str, Callable[[Any], Any]]] = [
    *(("ring", n, "", automorphisms) for n in range(2, 7)),
    *(("undirected-ring", n, "", automorphisms) for n in range(3, 7)),
    ("star", 5, LEAVES, automorphisms),
    ("star", 5, "0 2 1 3 4", lambda _: [(0, 1, 2, 3, 4), (0, 2, 1, 3, 4)]),
    ("path", 4, "3 2 1 0", automorphisms),
    ("path", 4, "", lambda _: [(0, 1, 2, 3)]),
    ("grid:2x3", 6, "3 4 5 0 1 2; 2 1 0 5 4 3", automorphisms),
]


def check_orbits(graph: str, n: int, given: str, all_of_them: Callable[[Any], Any]) -> None:
    topology = planned("fratricide", n, graph).topology
    group = symmetry.group_of(topology, symmetry.read_permutations(given, n) if given else ())
    assert group is not None
    assert group[0] == tuple(range(n))
    assert sorted(group) == sorted(all_of_them(topology))
    assert generated(symmetry.generators_of(group, n), n) == set(group)
    for classes in (1, 2, 3):
        found = {min(tuple(row[i] for i in p) for p in group) for row in product(range(classes), repeat=n)}
        assert symmetry.orbits(classes, n, group) == len(found)


def test_orbits_are_counted() -> None:
    check_all(GRAPHS, lambda case: check_orbits(*case))


def generated(generators: Sequence[tuple[int, ...]], n: int) -> set[tuple[int, ...]]:
    found = {tuple(range(n))}
    while new := {tuple(p[i] for i in q) for p in generators for q in found} - found:
        found |= new
    return found


def check_orbits_of_a_complete_graph(n: int) -> None:
    topology = planned("fratricide", n).topology
    assert symmetry.group_of(topology) is None
    assert generated(symmetry.generators_of(None, n), n) == set(automorphisms(topology))
    for classes in (1, 2, 3):
        found = {tuple(sorted(row)) for row in product(range(classes), repeat=n)}
        assert symmetry.orbits(classes, n, None) == len(found)


def test_orbits_of_a_complete_graph() -> None:
    check_all(range(2, 6), check_orbits_of_a_complete_graph)


REFUSED = [
    ("ring", "0 2 1", "0 2 1 is no automorphism of 'ring': it maps the arc (0, 1) to (0, 2), which is none."),
    ("star", "1 0 2", "1 0 2 is no automorphism of 'star': it maps the arc (0, 2) to (1, 2), which is none."),
    ("star", "0 1 1", "automorphism '0 1 1' is no permutation of 0..2: write it like '0 2 1 3'."),
    ("star", "0 2 1; 0 1", "automorphism '0 1' is no permutation of 0..2: write it like '0 2 1 3'."),
    ("star", "0 2 1 3", "automorphism '0 2 1 3' is no permutation of 0..2: write it like '0 2 1 3'."),
    ("complete", "a b c", "automorphism 'a b c' is no permutation of 0..2: write it like '0 2 1 3'."),
]


@pytest.mark.parametrize(("graph", "given", "sentence"), REFUSED)
def test_wrong_automorphisms_are_refused(graph: str, given: str, sentence: str) -> None:
    with pytest.raises(errors.GraphError) as refusal:
        library.exact("timer", 3, graph=graph, force=True, automorphisms=given, t_max=1)
    assert str(refusal.value) == sentence


def test_too_many_automorphisms_are_refused() -> None:
    topology = planned("fratricide", 9, "star").topology
    given = [(0, 2, 1, *range(3, 9)), (0, *range(2, 9), 1)]
    with pytest.raises(errors.TooLarge, match="generate more than 5040 permutations: give fewer"):
        symmetry.group_of(topology, given)


# -- with and without all that ------------------------------------------------------------------------------------------

BOTH = [
    ("p_rl", 2, "ring", {"N": 2}),
    ("p_rl", 2, "ring", {"N": 3}),
    *product(["timer"], [3], ["ring", "complete", "path", "undirected-ring"], [{"t_max": 2}]),
    *product([RANKING], [3], ["ring", "complete", "path", "undirected-ring"], [{}]),
]


def check_reduction(name: str, n: int, graph: str, params: dict[str, int]) -> None:
    run = planned(name, n, graph, **params)
    configs = brute_space(run.protocol, run.topology)
    goals = {"leader": {c for c in configs if brute_leaders(run, c) == 1}, SAFE: brute_safe(run, configs)}
    for target, members in goals.items():
        answers = [
            library.exact(name, n, graph=graph, force=True, start="all", target=target, reduce=reduce, **params)
            for reduce in (True, False)
        ]
        times = list(brute_times(run, configs, members).values()) if len(configs) < 300 else None
        for answer in answers:
            assert answer.configurations == len(configs)
            assert answer.target_size == len(members)
            assert answer.largest_safe == len(goals[SAFE])
            assert answer.worst == pytest.approx(answers[0].worst, rel=1e-9)
            assert answer.mean == pytest.approx(answers[0].mean, rel=1e-9)
            if times is not None:
                assert answer.worst == pytest.approx(max(times), rel=1e-9)
                assert answer.mean == pytest.approx(sum(times) / len(times), rel=1e-9)
        assert answers[0].reduced < answers[1].reduced == len(configs) or graph == "path"
        count = [sum(start.configurations for start in answer.worst_starts) for answer in answers]
        assert count[0] == count[1]


def test_the_reduction_changes_no_answer() -> None:
    check_all(BOTH, lambda case: check_reduction(*case))


FROM = [
    ("infection", 3, "complete", None, "complete"),
    ("infection", 3, "ring", None, "complete"),
    ("infection", 4, "undirected-ring", None, "complete"),
    ("infection", 3, "path", None, "complete"),
    ("numbered", 3, "complete", None, "declared"),
    ("epidemic", 5, "ring", None, "complete"),
    ("fratricide", 4, "complete", None, "leader"),
    ("p_rl", 3, "ring", "two_leaders", "s_rl"),
    (RANKING, 3, "complete", "states:0;0;2", "ranked"),
]


def check_reduction_from_a_start(name: str, n: int, graph: str, start: str | None, target: str, past: bool) -> None:
    """What can be reached is counted from all images of the start under the automorphisms of the graph."""
    run = planned(name, n, graph, start)
    member = brute_member(run, target)
    first = starting_states(run)
    group = [tuple(range(n))] if graph == "path" else automorphisms(run.topology)
    reached: set[Any] = set()
    for permutation in group:
        reached |= brute_reachable(run, tuple(first[i] for i in permutation), never if past else member)
    times = brute_times(run, reached, {config for config in reached if member(config)})
    for reduce in (True, False):
        found = library.exact(
            name, n, graph=graph, force=True, start=run.start, target=target, past_target=past, reduce=reduce
        )
        assert found.configurations == len(reached)
        assert found.target_size == sum(map(member, reached))
        assert found.mean == pytest.approx(times[tuple(first)], rel=1e-9)
        assert found.worst == pytest.approx(max(times.values()), rel=1e-9)
        assert found.reduced == len(reached) or reduce


@pytest.mark.medium
def test_the_reduction_from_a_start_changes_no_answer() -> None:
    check_all(FROM, lambda case: check_reduction_from_a_start(*case, past=False))
    check_all(FROM, lambda case: check_reduction_from_a_start(*case, past=True))
