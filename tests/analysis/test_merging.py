"""Classes of agent states that no execution distinguishes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from princeps.analysis import merging
from princeps.analysis.agent_states import (
    legal_agent_states,
    pack_pair,
)
from princeps.analysis.codes import FAILS
from princeps.analysis.merging import StateClasses, merge
from princeps.model.run import Run
from tests.analysis.brute_force import brute_classes, moore, planned
from tests.analysis.state_examples import SMALL, entry, name_of


def check_classes(agent_states: Any, colour: Sequence[Any], classes: StateClasses, expected: dict[int, int]) -> None:
    """The same partition; its classes are described correctly; and transitions respect it, pair by pair."""
    size = len(colour)
    of = classes.class_of.tolist()
    assert len(set(zip(of, expected.values(), strict=True))) == len(set(of)) == len(set(expected.values()))
    assert classes.count == len(set(of))
    assert sorted(set(of)) == list(range(classes.count))
    assert classes.representative.tolist() == [of.index(k) for k in range(classes.count)]
    assert classes.sizes.tolist() == [of.count(k) for k in range(classes.count)]
    for a, b in product(range(size), repeat=2):
        after = entry(agent_states, a, b)
        found = entry(classes, of[a], of[b])
        assert found == (after if after is None else (of[after[0]], of[after[1]]))
    assert all(colour[a] == colour[classes.representative[of[a]]] for a in range(size))


@pytest.mark.parametrize("run", SMALL, ids=name_of)
def test_states_are_merged_as_far_as_possible(run: Run) -> None:
    agent_states = legal_agent_states(run.protocol)
    by_state = brute_classes(run)
    expected = {k: by_state[state] for k, state in enumerate(agent_states.states)}
    check_classes(agent_states, agent_states.leader_mask(), merge(agent_states, agent_states.leader_mask()), expected)


@pytest.mark.parametrize(("N", "count"), [(2, 23), (3, 29), (4, 35), (5, 41)])
def test_classes_of_p_rl(N: int, count: int) -> None:
    run = planned("p_rl", 2, N=N)
    agent_states = legal_agent_states(run.protocol)
    assert merge(agent_states, agent_states.leader_mask()).count == count == len(set(brute_classes(run).values()))


def random_table(draw: random.Random) -> tuple[Any, list[tuple[int, int]]]:
    """Some classes with random meetings, some of which fail; each blown up to several states that behave alike."""
    kinds = draw.randrange(1, 7)
    size = kinds + draw.randrange(0, 9)
    of = [*range(kinds), *(draw.randrange(kinds) for _ in range(size - kinds))]
    members = [[s for s in range(size) if of[s] == k] for k in range(kinds)]
    meets = [[(draw.randrange(kinds), draw.randrange(kinds)) for _ in range(kinds)] for _ in range(kinds)]
    table = np.full((size, size), FAILS, np.int64)
    for a, b in product(range(size), repeat=2):
        u, v = meets[of[a]][of[b]]
        if (u, v) != (0, 0) or kinds < 3:
            table[a, b] = pack_pair(draw.choice(members[u]), draw.choice(members[v]))
    for _ in range(draw.choice([0, 0, 0, 1, 3])):  # some that differ in one meeting only
        other = draw.choice([FAILS, pack_pair(draw.randrange(size), draw.randrange(size))])
        table[draw.randrange(size), draw.randrange(size)] = other
    colours = [(draw.randrange(2), 0) if draw.random() < 0.1 else (of[s] % 2, 0) for s in range(size)]
    return SimpleNamespace(size=size, table=table), colours


@pytest.mark.medium
def test_random_tables_are_merged_as_far_as_possible() -> None:
    draw, merged = random.Random(2), Counter[tuple[bool, bool]]()
    for _ in range(400):
        agent_states, colours = random_table(draw)
        states = range(agent_states.size)
        expected = moore(
            states,
            lambda a, b, agent_states=agent_states: entry(agent_states, a, b),
            dict(zip(states, colours, strict=True)),
        )
        classes = merge(agent_states, colours)
        check_classes(agent_states, colours, classes, expected)
        merged[classes.count == agent_states.size, classes.count == len(set(colours))] += 1
    assert min(merged[False, False], merged[True, False], merged[False, True]) > 10  # neither trivially fine nor coarse


def test_signatures_that_collide_merge_nothing_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    real = vars(merging)["kernel"]()
    fake = SimpleNamespace(signatures=lambda table, colour, out: out.fill(7), is_congruence=real.is_congruence)
    monkeypatch.setattr(merging, "kernel", lambda: fake)
    draw, fine_count = random.Random(3), Counter[Any]()
    for _ in range(400):
        agent_states, colours = random_table(draw)
        states = range(agent_states.size)
        right = moore(
            states, lambda a, b, agent_states=agent_states: entry(agent_states, a, b), dict(enumerate(colours))
        )
        fine = len(set(right.values())) == len(set(colours))  # the colours are already what meetings respect
        check_classes(agent_states, colours, merge(agent_states, colours), right if fine else dict(enumerate(states)))
        fine_count[fine] += 1
    assert min(fine_count.values()) > 50
