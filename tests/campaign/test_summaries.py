"""Samples and summaries are what numpy says; trials that were cut off are neither lost nor taken for ended."""

from __future__ import annotations

import json
from fractions import Fraction
from math import inf, sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import princeps as library
from princeps.campaign.rows import Row, row_of
from princeps.campaign.sample import Sample
from princeps.campaign.store import open_store
from princeps.campaign.survival import kaplan_meier
from princeps.campaign.tally import Tally
from princeps.errors import StoreError
from tests.campaign.statistics_tools import CUT, ENDED, by_hand, numbers
from tests.campaign.stored_rows import a_cut, a_point, a_row, stored, summary


def test_a_sample_is_what_numpy_says() -> None:
    values = np.array(numbers(30), float)
    sample = Sample(values, np.array([]))
    assert (sample.trials, sample.is_complete) == (30, True)
    assert sample.mean == pytest.approx(values.mean(), rel=1e-14)
    assert sample.sd == pytest.approx(values.std(ddof=1), rel=1e-14)
    assert sample.interval == pytest.approx(stats.t.interval(0.95, 29, values.mean(), stats.sem(values)), rel=1e-9)
    assert sample.quantile(0.3) == pytest.approx(np.quantile(values, 0.3))
    halved = sample.over(2)
    assert (halved.mean, halved.sd) == (pytest.approx(values.mean() / 2), pytest.approx(values.std(ddof=1) / 2))


def test_a_sample_with_trials_cut_off_has_no_mean_but_quantiles() -> None:
    sample = Sample(np.array(ENDED, float), np.array(CUT, float), never=2)
    assert (sample.trials, sample.is_complete) == (23, False)
    assert (sample.mean, sample.sd, sample.interval) == (None, None, None)
    expected = by_hand(ENDED, [*CUT, inf, inf])
    assert sample.survival.share == pytest.approx([float(value) for value in expected.values()])
    assert sample.quantile(0.25) == next(time for time, share in expected.items() if share <= Fraction(3, 4))
    assert sample.quantile(0.9) is None


def test_a_summary_is_what_numpy_says(tmp_path: Path) -> None:
    values = numbers(25)
    one = summary(stored(tmp_path / "x.db", [a_row(k, value) for k, value in enumerate(values)]))
    assert (one.trials, one.censored, one.never, one.measure, one.n) == (25, 0, 0, "steps", 6)
    assert one.mean == pytest.approx(np.mean(values), rel=1e-14)
    assert one.sd == pytest.approx(np.std(values, ddof=1), rel=1e-14)
    assert one.interval == pytest.approx(Tally.of(values).interval, rel=1e-12)
    assert (one.minimum, one.maximum, one.restricted_mean) == (min(values), max(values), None)
    found = (one.q05, one.q25, one.median, one.q75, one.q95)
    assert found == pytest.approx(np.quantile(values, [0.05, 0.25, 0.5, 0.75, 0.95]))
    assert one.seconds == 12.5
    assert one.point == a_point().id


def test_all_seeds_of_a_point_are_one_sample(tmp_path: Path) -> None:
    rows = [a_row(k, value, seed=seed) for seed in (7, 9) for k, value in enumerate(numbers(10, seed=seed))]
    one = summary(stored(tmp_path / "x.db", rows))
    assert one.trials == 20
    assert one.mean == pytest.approx(np.mean(numbers(10, seed=7) + numbers(10, seed=9)))


def test_trials_that_were_cut_off_are_counted_and_bound_the_mean(tmp_path: Path) -> None:
    rows = [a_row(k, value) for k, value in enumerate(ENDED)]
    rows += [a_cut(k, value) for k, value in enumerate(CUT, len(ENDED))]
    one = summary(stored(tmp_path / "x.db", rows))
    expected = kaplan_meier(ENDED, CUT)
    assert (one.trials, one.censored, one.never) == (21, 12, 0)
    assert (one.mean, one.interval, one.sd, one.maximum) == (None, None, None, None)
    assert one.restricted_mean == pytest.approx(expected.restricted_mean)
    assert (one.q05, one.q25, one.median, one.q75, one.q95) == (6, 13, 23, None, None)
    assert one.minimum == 6


def test_trials_that_never_end_are_counted_apart(tmp_path: Path) -> None:
    rows = [a_row(k, 10 + k) for k in range(3)]
    rows += [a_row(3 + k, 40, converged=0, silent=1, leaders=0) for k in range(2)]
    one = summary(stored(tmp_path / "x.db", rows))
    assert (one.trials, one.censored, one.never) == (5, 0, 2)
    assert (one.mean, one.restricted_mean) == (None, None)  # infinite, and no bound is of use
    assert (one.q25, one.median, one.q75) == (11, 12, None)


@pytest.mark.parametrize(
    ("engine", "graph"),
    [
        ("events", "ring"),
        ("counts", "complete"),
    ],
)
def test_a_silent_trial_is_stored_as_one_that_never_ends(engine: str, graph: str) -> None:
    result = library.run("fratricide", 4, engine=engine, graph=graph, force=True, seed=1, start="states:0;0;0;0")
    assert result.silent
    row = row_of(1, result, None)
    assert (row.silent, row.censored, row.converged) == (1, 0, 0)


def test_nothing_but_cut_off_trials_is_a_summary_too(tmp_path: Path) -> None:
    one = summary(stored(tmp_path / "x.db", [a_cut(k, 50) for k in range(3)]))
    assert (one.trials, one.censored, one.mean, one.median, one.minimum, one.restricted_mean) == (
        3,
        3,
        None,
        None,
        None,
        50,
    )
    json.dumps(one.as_json(), allow_nan=False)


def test_parallel_time_is_steps_by_agents(tmp_path: Path) -> None:
    path = stored(tmp_path / "x.db", [a_row(0, 12), a_row(1, 18), a_cut(2, 30)])
    steps, parallel = summary(path, "steps"), summary(path, "parallel_time")
    assert (parallel.trials, parallel.censored) == (3, 1)
    assert steps.restricted_mean is not None
    assert (parallel.median, parallel.restricted_mean) == (3.0, pytest.approx(steps.restricted_mean / 6))


def test_holding_times_are_censored_where_the_leader_was_still_held(tmp_path: Path) -> None:
    point = a_point(name="timer", hold=True)
    held = {"held": 0, "total_steps": "100"}
    rows = [a_row(k, 5, **{**held, "held_steps": str(value)}) for k, value in enumerate(ENDED)]
    rows += [
        a_row(k, 5, held=1, held_steps=str(value), censored=1, max_steps="99")
        for k, value in enumerate(CUT, len(ENDED))
    ]
    rows += [a_cut(30, 99)]  # never elected: it held nothing
    found = {one.measure: one for one in library.results(stored(tmp_path / "x.db", rows, point))}
    assert set(found) == {"steps", "held_steps"}
    held_steps = found["held_steps"]
    assert (held_steps.trials, held_steps.censored, held_steps.without) == (21, 12, 1)
    assert held_steps.restricted_mean == pytest.approx(kaplan_meier(ENDED, CUT).restricted_mean)
    assert held_steps.median == 23
    assert (found["steps"].trials, found["steps"].censored) == (22, 1)


def test_recoveries_that_never_came_are_censored(tmp_path: Path) -> None:
    point = a_point(name="p_rl", faults=["50:2"], max_steps=200)
    rows = [
        a_row(k, 5, recovery_steps=str(value), more=json.dumps({"faults": [[50, 2, value]]}), max_steps="200")
        for k, value in enumerate([10, 30])
    ]
    rows += [
        a_row(
            2,
            5,
            censored=1,
            total_steps="200",
            max_steps="200",
            more=json.dumps({"faults": [[9, 1, 3], [50, 2, None]]}),
        )
    ]
    found = {one.measure: one for one in library.results(stored(tmp_path / "x.db", rows, point))}
    assert set(found) == {"steps", "recovery_steps"}
    recovery = found["recovery_steps"]
    assert (recovery.trials, recovery.censored, recovery.median) == (3, 1, 30)
    assert recovery.restricted_mean == pytest.approx(kaplan_meier([10, 30], [150]).restricted_mean)
    assert (found["steps"].trials, found["steps"].censored) == (3, 0)


def test_events_of_trials_that_were_cut_off_are_not_dropped(tmp_path: Path) -> None:
    rows = [a_row(0, 10, events="4"), a_row(1, 12, events="6"), a_cut(2, 50, events="20")]
    one = summary(stored(tmp_path / "x.db", rows), "events")
    assert (one.trials, one.censored, one.mean) == (3, 1, None)


def test_recoveries_that_will_never_come_are_counted_apart(tmp_path: Path) -> None:
    point = a_point(name="fratricide", faults=["50:2"])
    rows = [
        a_row(0, 5, recovery_steps="7", more=json.dumps({"faults": [[50, 2, 7]]})),
        a_row(1, 5, silent=1, leaders=0, total_steps="50", more=json.dumps({"faults": [[50, 2, None]]})),
    ]
    found = {one.measure: one for one in library.results(stored(tmp_path / "x.db", rows, point))}
    assert (found["recovery_steps"].censored, found["recovery_steps"].never) == (0, 1)


@pytest.mark.slow
def test_many_rows_are_summarised_rightly(tmp_path: Path) -> None:
    count = 200_000
    path, rest = str(tmp_path / "x.db"), a_row(0, 1)[4:]
    with open_store(path) as store:
        (number,) = store.number([a_point()])
        store.add([Row(number, 7, k, str(k + 1), *rest) for k in range(count)])
    one = summary(path)
    assert one.trials == count
    assert one.mean == (count + 1) / 2
    assert one.sd == pytest.approx(sqrt(count * (count + 1) / 12), rel=1e-12)
    assert one.median == (count + 1) / 2
    assert (one.minimum, one.maximum) == (1, count)


def test_a_store_with_nonsense_in_it_is_refused(tmp_path: Path) -> None:
    path = stored(tmp_path / "x.db", [a_row(0, 5), a_row(1, 6)._replace(steps="12x"), a_row(2, 7)])
    with pytest.raises(StoreError, match="no number"):
        summary(path)
