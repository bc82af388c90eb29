"""An engine that refuses a run names one that takes it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from princeps.engines.registry import refusal
from princeps.model.reading import make_run


class Pairs:
    def next_pair(self, configuration: object, step: int, draw: object) -> tuple[int, int]:
        return 0, 1


@pytest.mark.parametrize(
    ("name", "n", "options", "engine", "able"),
    [
        ("fratricide", 10, {}, "events", "counts"),
        ("infection", 10, {}, "events", "agents"),
        ("fratricide", 10, {"scheduler": "self-meeting"}, "events", "agents"),
        ("fratricide", 10, {"scheduler": Pairs}, "events", "reference"),
        ("fratricide", 10, {"pairs": [(0, 1)]}, "events", "agents"),
        ("infection", 10, {}, "counts", "agents"),
        ("p_rl", 10, {}, "counts", "events"),
        ("p_rl", 10, {"scheduler": "bursts"}, "counts", "agents"),
        ("p_rl", 10, {"scheduler": Pairs}, "counts", "reference"),
        ("p_rl", 10, {"scheduler": Pairs}, "agents", "reference"),
    ],
)
def test_the_engine_that_is_advised_takes_the_run(
    name: str, n: int, options: dict[str, Any], engine: str, able: str
) -> None:
    run = make_run(name, n, **options)
    sentence = refusal(engine, run)
    assert sentence is not None
    assert re.findall(r"use --engine (\w+)", sentence) == [able]
    assert refusal(able, run) is None
