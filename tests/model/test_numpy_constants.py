"""Constants that numpy has computed: a rule, a parameter and a domain take them as the integers that they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import princeps
from princeps import Bit, Blocks, Param, PopulationProtocol, Range
from princeps.errors import PrincepsError

MOST = np.int64(2)


class Numbers(PopulationProtocol):
    leader, x = Bit(), Range(MOST + 2)
    k = Param(min=np.int64(1), max=np.int64(9), default=np.int64(2))
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

    @staticmethod
    def interact(a: Any, b: Any, p: Any) -> None:
        a.x = MOST
        if a.leader == 1 and b.leader == 1 and a.x == p.k:
            b.leader = 0

    @staticmethod
    def groups(p: Any) -> Any:
        return [{"leader": range(2), "x": np.int64(0)}, {"leader": range(2), "x": range(1, MOST + 2)}]


def test_integers_of_numpy_are_integers() -> None:
    result = princeps.run(Numbers, 6, seed=1, engine="reference")
    assert (result.converged, result.params) == (True, {"k": 2})
    made = princeps.protocol(Numbers, 6)
    assert made.fields == {"leader": 2, "x": 4}
    after, _ = made.delta({"leader": 1, "x": 0}, {"leader": 0, "x": 0})
    assert [type(value) for value in after.values()] == [int, int]


@pytest.mark.parametrize("wrong", [np.float64(1.5), np.array([1, 2])])
def test_others_are_refused(wrong: object) -> None:
    made: Any = princeps.protocol(Numbers, 6)
    agent = made.agent((0, 0))
    with pytest.raises(PrincepsError, match=r"^x = .* is not an integer\.$"):
        agent.x = wrong
