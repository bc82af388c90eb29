"""A sweep that is given a precision runs as many trials as that takes, however they are run."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from princeps.campaign.point_queue import INITIAL_TRIALS
from princeps.campaign.tally import Tally
from tests.campaign.sweep_tools import rows_of, swept


def wanted(steps: list[int], precision: float, most: int) -> int:
    """How many trials it takes, from the rule in words: look at 32, then at up to twice as many as the error demands."""
    count = min(most, INITIAL_TRIALS)
    while count < most and (now := Tally.of(steps[:count]).precision) > precision:
        needed = count * (now / precision) ** 2
        count = min(most, max(-int(-1.1 * count // 1), -int(-min(2 * count, needed) // 1)))
    return count


@pytest.mark.slow
@pytest.mark.usefixtures("on_the_spot")
def test_a_sweep_goes_on_until_the_mean_is_that_precise(tmp_path: Path) -> None:
    sizes, everything = [4, 5, 6], str(tmp_path / "all.db")
    swept("fratricide", sizes, everything, trials=300)
    steps: dict[str, list[int]] = {}
    for (point, _, _), row in sorted(rows_of(everything).items()):
        steps.setdefault(point, []).append(row["steps"])
    counts = []
    for precision in (0.4, 0.15, 0.12, 0.1, 0.09, 0.08):
        store = str(tmp_path / f"{precision}.db")
        found, _ = swept("fratricide", sizes, store, trials=5000, precision=f"{100 * precision:g}%")
        for one in found:
            assert one.interval is not None
            assert one.mean is not None
            assert (one.interval[1] - one.interval[0]) / 2 <= precision * one.mean
            assert one.trials == wanted(steps[one.point], precision, 5000) < 300
            counts.append(one.trials)
        assert rows_of(store).items() <= rows_of(everything).items()
    assert min(counts) == INITIAL_TRIALS
    assert len(set(counts)) > 6


@pytest.mark.slow
def test_how_many_trials_a_precision_takes_is_the_same_however_they_are_run(store: str, tmp_path: Path) -> None:
    found, _ = swept("fratricide", [6, 8], store, trials=5000, precision=0.1)
    expected = rows_of(store)
    _, again = swept("fratricide", [6, 8], store, trials=5000, precision=0.1)
    assert again.trials == 0

    two = str(tmp_path / "two.db")
    swept("fratricide", [8, 6], two, trials=5000, precision=0.1, jobs=2)
    assert rows_of(two) == expected

    def stop(sweep: Any) -> None:
        if sweep.trials_run > 15:
            raise KeyboardInterrupt

    torn = str(tmp_path / "torn.db")
    with pytest.raises(KeyboardInterrupt):
        swept("fratricide", [6, 8], torn, trials=5000, precision=0.1, watch=stop)
    assert 0 < len(rows_of(torn)) < len(expected)
    with suppress(KeyboardInterrupt):
        swept("fratricide", [6, 8], torn, trials=5000, precision=0.1, watch=stop)
    swept("fratricide", [6, 8], torn, trials=5000, precision=0.1)
    assert rows_of(torn) == expected

    more = str(tmp_path / "more.db")  # trials beyond those that the precision takes do not count
    swept("fratricide", [6, 8], more, trials=3)
    swept("fratricide", [6, 8], more, trials=5000, precision=0.1)
    assert rows_of(more) == expected
    assert sum(one.trials for one in found) == len(expected)


@pytest.mark.usefixtures("on_the_spot")
def test_no_precision_takes_more_than_the_trials_allowed(store: str) -> None:
    found, _ = swept("fratricide", 6, store, trials=40, precision="0.1%")
    assert next(iter(found)).trials == 40
    found, more = swept("fratricide", 6, store, trials=50, precision="0.1%")
    assert more.trials == 10
    found, _ = swept("fratricide", 5, store, trials=3, precision="0.1%")
    assert next(iter(found)).trials == 3


@pytest.mark.usefixtures("on_the_spot")
def test_where_trials_are_cut_off_no_precision_is_reached(store: str) -> None:
    found, _ = swept("fratricide", 6, store, trials=70, precision="50%", max_steps=20)
    assert next(iter(found)).trials == 70


@pytest.mark.usefixtures("on_the_spot")
def test_what_never_varies_is_precise_at_once(store: str) -> None:
    found, _ = swept("fratricide", 2, store, trials=1000, precision="1%")
    (one,) = found
    assert (one.trials, one.mean, one.sd) == (INITIAL_TRIALS, 1.0, 0.0)
