"""The x axis is named after what is on it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from princeps.figures.x_axis import x_name


@pytest.mark.parametrize(
    ("rings", "name"), [((True, True), "ring size n"), ((False,), "population size n"), ((True, False), "size n")]
)
def test_sizes_are_those_of_rings_or_of_populations(rings: tuple[bool, ...], name: str) -> None:
    series: Any = [SimpleNamespace(points=[SimpleNamespace(is_ring=is_ring)]) for is_ring in rings]
    assert x_name("n", series) == name
    assert x_name("2 N", series) == "2 N"
