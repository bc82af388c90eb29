"""Components against scipy's, and what is decided by going through them against a plain search of the graph."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from princeps.analysis import components as module
from princeps.analysis.chain import Bits, Chain
from princeps.analysis.components import Components, find_components
from tests.analysis.cases import check_all
from tests.analysis.chain_tools import bits, heads, make_chain, random_graph, random_steps, reached_from


def strong(chain: Chain, absorbing: Bits | None = None) -> NDArray[np.int32]:
    """scipy's labels; absorbing states have no arcs out."""
    begins = np.repeat(np.arange(chain.size), np.diff(chain.offsets))
    kept = np.ones(len(begins), np.bool_) if absorbing is None else ~absorbing[begins]
    arcs = (np.ones(int(kept.sum())), (begins[kept], chain.successors[kept]))
    found: NDArray[np.int32] = connected_components(
        csr_matrix(arcs, shape=(chain.size, chain.size)), connection="strong"
    )[1]
    return found


def check(components: Components, chain: Chain, absorbing: Bits | None = None) -> None:
    size = chain.size
    wanted = strong(chain, absorbing)
    assert components.count == wanted.max() + 1 == components.component_of.max() + 1
    assert len({*zip(components.component_of.tolist(), wanted.tolist(), strict=True)}) == components.count  # one to one
    begins = np.repeat(np.arange(size), np.diff(chain.offsets))
    left = np.zeros(size, np.bool_) if absorbing is None else absorbing
    kept = ~left[begins]
    assert (
        components.component_of[chain.successors[kept]] <= components.component_of[begins[kept]]
    ).all()  # sinks first
    assert sorted(components.order.tolist()) == list(range(size))
    assert components.begins.tolist() == [0, *np.cumsum(np.bincount(components.component_of)).tolist()]
    assert (
        components.component_of[components.order] == np.repeat(np.arange(components.count), np.diff(components.begins))
    ).all()
    assert components.largest == np.bincount(wanted).max()


def test_the_partition_is_scipys_and_its_numbers_are_topological(monkeypatch: pytest.MonkeyPatch) -> None:
    def check_case(seed: int) -> None:
        with monkeypatch.context() as patch:
            rng = np.random.default_rng(seed)
            size = int(rng.integers(1, 120))
            chain = random_graph(rng, size, float(rng.choice([0.5, 1.0, 1.5, 4.0])))
            absorbing = rng.random(size) < rng.choice([0.0, 0.1, 0.5])
            check(find_components(chain), chain)
            whole = find_components(chain, absorbing)
            check(whole, chain, absorbing)
            patch.setattr(module, "SEARCH_PORTION", 3)  # interrupted after every third move
            reports: list[tuple[str, int, int]] = []
            resumed = find_components(chain, absorbing, lambda *report: reports.append(report))
            for name in ("component_of", "begins", "order"):
                assert (getattr(resumed, name) == getattr(whole, name)).all()
            assert len(reports) >= size // 3
            assert all(what == "components" and 0 <= done <= of == size for what, done, of in reports)
            assert [done for _, done, _ in reports] == sorted(done for _, done, _ in reports)

    check_all(range(60), check_case)


def test_components_inside_components() -> None:
    """Many large ones, with steps from each to those before."""

    def check_case(seed: int) -> None:
        rng = np.random.default_rng(seed)
        steps = random_steps(rng, rng.integers(1, 40, 30).tolist(), traps=3)
        chain = make_chain(steps)
        check(find_components(chain), chain)
        absorbing = rng.random(chain.size) < 0.05
        check(find_components(chain, absorbing), chain, absorbing)

    check_all(range(10), check_case)


def test_what_can_be_reached_is_what_a_search_finds() -> None:
    def check_case(seed: int) -> None:
        rng = np.random.default_rng(1000 + seed)
        size = int(rng.integers(1, 70))
        chain = random_graph(rng, size, float(rng.choice([0.7, 1.2, 2.0])))
        absorbing = None if seed % 3 == 0 else rng.random(size) < 0.2
        marked = rng.random(size) < rng.choice([0.1, 0.5, 0.9])
        components = find_components(chain, absorbing)
        after = [reached_from(chain, x, absorbing) for x in range(size)]
        assert components.can_reach(marked).tolist() == [any(marked[y] for y in seen) for seen in after]
        assert components.reaches_only(marked).tolist() == [all(marked[y] for y in seen) for seen in after]
        for answer in (
            components.can_reach(marked),
            components.reaches_only(marked),
            components.closed_without_output_change(marked),
        ):
            assert answer.dtype == np.bool_

    check_all(range(30), check_case)


def largest_closed_without_output_change(chain: Chain, marked: Bits, absorbing: Bits | None) -> list[bool]:
    """Take out what must not stay, one state after the other, until nothing changes."""
    inside = marked.copy()
    changed = True
    while changed:
        changed = False
        for x in np.flatnonzero(inside):
            if absorbing is not None and absorbing[x]:
                continue
            steps = range(chain.offsets[x], chain.offsets[x + 1])
            if any(chain.changes_output[k] or not inside[chain.successors[k]] for k in steps):
                inside[x] = False
                changed = True
    found: list[bool] = inside.tolist()
    return found


def test_closed_without_output_change_is_the_largest_such_set() -> None:
    def check_case(seed: int) -> None:
        rng = np.random.default_rng(2000 + seed)
        size = int(rng.integers(1, 70))
        chain = random_graph(rng, size, float(rng.choice([0.5, 1.0, 1.5])), float(rng.choice([0.0, 0.02, 0.2])))
        marked = rng.random(size) < rng.choice([0.7, 0.9, 0.98])
        absorbing = None if seed % 2 else rng.random(size) < 0.3
        found_set = find_components(chain, absorbing).closed_without_output_change(marked)
        assert found_set.tolist() == largest_closed_without_output_change(chain, marked, absorbing)

    check_all(range(60), check_case)


def test_a_step_to_itself_may_change_an_output() -> None:
    """On a ring all rotations are one state: a leader that moves on leads from it to itself."""
    steps = [[(0, 1)], [(1, 1)], [(1, 1), (2, 1)], [(0, 1)]]
    chain = make_chain(steps, 3, changes_output=[(0, 0)])
    everything = np.ones(4, np.bool_)
    assert find_components(chain).closed_without_output_change(everything).tolist() == [False, True, True, False]
    assert find_components(chain).can_reach(bits(4, [0])).tolist() == [True, False, False, True]
    assert (
        find_components(chain, bits(4, [0])).closed_without_output_change(everything).tolist() == [True] * 4
    )  # its steps are cut


def test_one_change_of_an_output_excludes_its_whole_component_and_what_leads_there() -> None:
    ring = [[((x + 1) % 50, 1)] for x in range(50)]
    chain = make_chain([*ring, [(7, 1)], [(51, 1)]], 1, changes_output=[(20, 21)])
    assert np.flatnonzero(find_components(chain).closed_without_output_change(np.ones(52, np.bool_))).tolist() == [51]
    unchanging = make_chain([*ring, [(7, 1)], [(51, 1)]], 1)
    assert find_components(unchanging).closed_without_output_change(np.ones(52, np.bool_)).all()
    assert np.flatnonzero(find_components(unchanging).closed_without_output_change(~bits(52, [33]))).tolist() == [51]


# -- large ones -----------------------------------------------------------------------------------------------------

LONG = 100_000


def line(successor: NDArray[np.int64]) -> Chain:
    """One step from each state, none from where it would lead to -1."""
    kept = successor >= 0
    offsets = np.concatenate([[0], np.cumsum(kept)])
    return Chain(offsets, successor[kept].astype(np.int32), np.zeros(0, np.int64), np.zeros(kept.sum(), np.uint8), 1)


@pytest.mark.parametrize("way", [1, -1])
def test_a_long_path_is_no_recursion(way: int) -> None:
    path = np.arange(LONG) + way
    path[(path < 0) | (path == LONG)] = -1
    chain = line(path)
    components = find_components(chain)
    assert (components.count, components.largest) == (LONG, 1)
    last = LONG - 1 if way == 1 else 0
    distance = abs(np.arange(LONG) - last)
    assert (components.component_of == distance).all()
    assert components.can_reach(bits(LONG, [last])).all()
    assert (components.can_reach(bits(LONG, [5000])) == (distance >= abs(5000 - last))).all()
    assert (components.reaches_only(~bits(LONG, [5000])) == (distance < abs(5000 - last))).all()
    cut = find_components(chain, bits(LONG, [5000]))
    assert (np.flatnonzero(cut.can_reach(bits(LONG, [last]))) == np.flatnonzero(distance < abs(5000 - last))).all()


def test_a_long_cycle_is_one_component() -> None:
    chain = line((np.arange(LONG) + 7) % LONG)  # 7 and 100,000 have no common divisor
    components = find_components(chain)
    assert (components.count, components.largest) == (1, LONG)
    assert components.can_reach(bits(LONG, [3])).all()
    assert not components.reaches_only(~bits(LONG, [3])).any()
    assert find_components(chain, bits(LONG, [3])).count == LONG


def test_a_complete_graph_is_one_component() -> None:
    size = 300
    chain = make_chain([[(y, 1) for y in range(size)] for _ in range(size)], weighted=False)
    components = find_components(chain)
    assert (components.count, components.largest) == (1, size)
    assert (components.component_of == 0).all()
    assert heads(chain, 17) == list(range(size))


def test_no_steps_at_all() -> None:
    components = find_components(make_chain([[], [], []], 1))
    assert (components.count, components.largest) == (3, 1)
    assert components.closed_without_output_change(bits(3, [1])).tolist() == [False, True, False]
