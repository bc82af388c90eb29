"""The compiled rule of a protocol beside the states that it should give."""

from __future__ import annotations

import numpy as np

from princeps.lowering.kernels import Kernels, kernels_of
from princeps.lowering.outcomes import outcomes_of
from princeps.model.protocol import Counted, PopulationProtocol
from princeps.model.states import State


def with_inputs(protocol: PopulationProtocol, pair: tuple[State, State], turn: int) -> tuple[State, State]:
    """Two different identifiers where the protocol has them (random states leave inputs at 0)."""
    field = protocol.input_field
    if field is None:
        return pair
    place = protocol.space.names.index(field)
    ids = (1 + turn % 6, 1 + (turn + 1 + turn // 6 % 5) % 6)
    first, second = ((*state[:place], own, *state[place + 1 :]) for state, own in zip(pair, ids, strict=True))
    return first, second


def assert_kernel_agrees(protocol: PopulationProtocol, before: list[State], after: list[State], told: int = 0) -> None:
    """Agents 2k and 2k+1 hold the k-th pair and meet once, in the kernel that a run of this protocol compiles."""
    if protocol.oracle is not None:
        _assert_rule_agrees(protocol, before, after, told)
        return
    kernels = Kernels(protocol)
    cls = type(protocol)
    goal = cls.all_goals()[cls.default_goal]
    agents, wanted = kernels.pack(before), kernels.pack(after)
    advance, tracked = kernels.advance(goal if isinstance(goal, Counted) else None)
    left = np.arange(0, len(before), 2, dtype=np.uint32)
    cursor = np.array([0, len(left), 0, 0], dtype=np.int64)
    counts = np.zeros(len(tracked) + 1, dtype=np.int64)
    counts[0] = sum(protocol.leads(state) for state in before)
    none, rng = np.zeros(0, np.uint32), np.zeros(4, np.uint64)
    done, status = advance(
        agents, kernels.constants, kernels.tops, 4, len(before), none, none, rng, left, left + np.uint32(1), cursor,
        counts, 0, len(left), False,
    )  # fmt: skip
    assert (done, status, tracked[0]) == (len(left), 0, "leaders")
    assert cursor[3] == done
    assert np.array_equal(agents, wanted)
    assert counts[0] == sum(protocol.leads(state) for state in after)
    changed = (kernels.pack(before) != wanted).reshape(len(left), -1).any(axis=1)
    assert cursor[2] == changed.sum()


def _assert_rule_agrees(protocol: PopulationProtocol, before: list[State], after: list[State], told: int) -> None:
    """The same of the compiled rule alone: what an oracle says, a kernel would find out from the counts."""
    kernels = kernels_of(protocol)
    agents, wanted = (kernels.pack(states).reshape(len(states), -1) for states in (before, after))
    found = outcomes_of(kernels, agents[0::2], agents[1::2], told)
    assert not len(found.failed)
    assert np.array_equal(found.pairs, np.arange(len(before) // 2))
    assert np.array_equal(found.after, np.column_stack([wanted[0::2], wanted[1::2]]))
