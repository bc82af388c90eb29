"""A sweep into a store that holds trials of other seeds says so below its table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import princeps


def test_trials_of_other_seeds_are_named(tmp_path: Path) -> None:
    store = tmp_path / "s.db"

    def sweep(seed: int, trials: int) -> Any:
        return princeps.sweep("fratricide", n=[5], trials=trials, seed=seed, jobs=1, engine="reference", store=store)

    assert "other seeds" not in repr(sweep(1, 5))
    both = sweep(2, 2)
    assert repr(both).endswith("7 trials, 5 of them of other seeds than 2, which the store holds of the same points.")
    assert "5 of them of other seeds than 2" in both._repr_html_()
    assert "other seeds" not in repr(princeps.results(store))
    assert (both[0].trials, [one.trials for one in both[:1]]) == (7, [7])
