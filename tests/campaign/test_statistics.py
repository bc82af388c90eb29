"""What is known of a point: exact sums, order statistics, Kaplan and Meier's estimate, and every trial in every format."""

from __future__ import annotations

import json
import random
import statistics
from collections.abc import Sequence
from fractions import Fraction
from math import exp, inf, log, sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import princeps as library
from princeps.campaign.rows import Row, row_of
from princeps.campaign.sample import Sample
from princeps.campaign.store import open_store
from princeps.campaign.survival import Survival, kaplan_meier
from princeps.campaign.tally import Tally
from princeps.errors import StoreError
from tests.campaign.stored_rows import a_cut, a_point, a_row, stored, summary
from tests.tables import in_one_test

# -- stores written by hand -------------------------------------------------------------------------------------------


# -- tallies ----------------------------------------------------------------------------------------------------------


def numbers(count: int, most: int = 10**6, seed: int = 1) -> list[int]:
    source = random.Random(seed)
    return [source.randrange(most) for _ in range(count)]


@in_one_test("most", [2, 1000, 10**9, 10**30])
def test_a_tally_knows_mean_and_deviation_exactly(most: int) -> None:
    values = numbers(50, most)
    tally = Tally.of(values)
    exact = [Fraction(value) for value in values]
    mean = sum(exact) / 50
    variance = sum((value - mean) ** 2 for value in exact) / 49
    assert (tally.trials, tally.total, tally.squares) == (50, sum(values), sum(value**2 for value in values))
    assert tally.mean == float(mean)
    assert tally.sd is not None
    assert tally.sd**2 == pytest.approx(float(variance), rel=1e-14)
    assert tally.sd == pytest.approx(statistics.stdev(values), rel=1e-14)


def test_a_tally_of_huge_numbers_close_together_loses_nothing() -> None:
    """The mean of the squares less the square of the mean would be nothing but rounding, in floating point."""
    tally = Tally.of([10**30, 10**30 + 1, 10**30 + 2])
    assert tally.sd == 1.0
    assert Tally.of([10**30] * 5).sd == 0.0


def test_tallies_add_up_in_any_order() -> None:
    values = numbers(60)
    a, b, c = (Tally.of(values[k::3]) for k in range(3))
    whole = Tally.of(values)
    assert (a + b) + c == a + (b + c) == c + a + b == whole
    assert sum([a, b, c], Tally()) == whole
    assert whole + Tally() == Tally() + whole == whole
    mixed = Tally(3, 1, 1, 10, 50, 0.5) + Tally(2, 0, 1, 5, 13, 0.25)
    assert mixed == Tally(5, 1, 2, 15, 63, 0.75)


def test_the_interval_of_a_tally_is_student_s() -> None:
    values = numbers(20)
    tally = Tally.of(values)
    assert tally.mean is not None
    low, high = stats.t.interval(0.95, 19, np.mean(values), stats.sem(values))
    assert tally.interval == pytest.approx((low, high), rel=1e-9)
    assert tally.precision == pytest.approx((high - low) / 2 / tally.mean, rel=1e-9)


def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    source = np.random.default_rng(1)
    values = source.integers(0, 1001, (2000, 12))
    hits = 0
    for row in values.tolist():
        interval = Tally.of(row).interval
        assert interval is not None
        hits += interval[0] <= 500 <= interval[1]
    assert 0.93 < hits / 2000 < 0.97


def test_a_tally_says_where_it_knows_nothing() -> None:
    nothing, one = Tally(), Tally.of([5])
    assert (nothing.mean, nothing.sd, nothing.interval, nothing.precision) == (None, None, None, inf)
    assert (one.mean, one.sd, one.interval, one.precision) == (5.0, None, None, inf)
    cut = Tally.of([5, 6]) + Tally(trials=1, censored=1, total=9, squares=81)
    assert cut.mean == pytest.approx(20 / 3)  # a lower bound
    assert (cut.sd, cut.interval, cut.precision, cut.is_complete) == (None, None, inf, False)
    never = Tally.of([5, 6]) + Tally(trials=1, never=1)
    assert (never.mean, never.sd, never.precision, never.is_complete) == (inf, None, inf, False)
    assert Tally.of([0, 0]).precision == 0.0
    assert Tally.of([-1, 1]).precision == inf


# -- Kaplan and Meier -------------------------------------------------------------------------------------------------

# Freireich and others (1963): weeks of remission under 6-mercaptopurine; the estimate and its standard errors are in
# many textbooks (Kalbfleisch and Prentice; Klein and Moeschberger, table 4.1).
ENDED = [6, 6, 6, 7, 10, 13, 16, 22, 23]
CUT = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
TIMES = [6, 7, 10, 13, 16, 22, 23]
SHARES = [0.8571, 0.8067, 0.7529, 0.6902, 0.6275, 0.5378, 0.4482]
ERRORS = [0.0764, 0.0869, 0.0963, 0.1068, 0.1141, 0.1282, 0.1346]


def test_the_textbook_s_example_comes_out() -> None:
    found = kaplan_meier(ENDED, CUT)
    assert found.times.tolist() == TIMES
    assert found.share == pytest.approx(SHARES, abs=5e-5)
    for share, error, low, high in zip(SHARES, ERRORS, found.low, found.high, strict=True):
        width = 1.96 * error / (share * abs(log(share)))  # of log(-log S), by Greenwood's formula
        assert low == pytest.approx(share ** exp(width), abs=2e-3)
        assert high == pytest.approx(share ** exp(-width), abs=2e-3)
    assert [found.quantile(q) for q in (0.05, 0.1, 0.25, 0.5)] == [6, 6, 13, 23]
    assert found.quantile(0.75) is None
    assert found.last == 35
    # the area below the steps up to 35 weeks
    exact = [
        1,
        *(Fraction(*pair) for pair in ((6, 7), (96, 119), (64, 85), (176, 255), (32, 51), (64, 119), (160, 357))),
    ]
    area = sum(height * (end - begin) for height, begin, end in zip(exact, [0, *TIMES], [*TIMES, 35], strict=True))
    assert found.restricted_mean == pytest.approx(float(area), rel=1e-12)


def by_hand(ended: Sequence[float], cut: Sequence[float]) -> dict[float, Fraction]:
    """The product of (1 - deaths / at risk), in fractions, each number counted from the definition."""
    share, found = Fraction(1), {}
    for time in sorted(set(ended)):
        at_risk = sum(value >= time for value in [*ended, *cut])
        share *= 1 - Fraction(sum(value == time for value in ended), at_risk)
        found[time] = share
    return found


@in_one_test("seed", range(8))
def test_the_estimate_is_the_product_of_the_definition(seed: int) -> None:
    source = random.Random(seed)
    ended = [source.randrange(1, 15) for _ in range(source.randrange(1, 30))]
    cut = [source.randrange(1, 15) for _ in range(source.randrange(30))]
    found, expected = kaplan_meier(ended, cut), by_hand(ended, cut)
    assert found.times.tolist() == list(expected)
    assert found.share == pytest.approx([float(value) for value in expected.values()], abs=1e-12)
    assert np.all((found.low <= found.share) & (found.share <= found.high))
    assert np.all((found.low >= 0) & (found.high <= 1))
    mean = sum(
        float(height) * (end - begin)
        for height, begin, end in zip(
            [1, *expected.values()], [0, *expected], [*expected, max(ended + cut)], strict=True
        )
    )
    assert found.restricted_mean == pytest.approx(mean, rel=1e-12)
    for q in (0.05, 0.3, 0.5, 0.9):
        reached = [time for time, share in expected.items() if share <= 1 - Fraction(str(q))]
        assert found.quantile(q) == (reached[0] if reached else None)


def test_the_variance_is_greenwood_s() -> None:
    """Against the sum itself; and without censoring it is that of a binomial share."""
    found = kaplan_meier(ENDED, CUT)
    total = 0.0
    for time, share, low, high in zip(found.times, found.share, found.low, found.high, strict=True):
        deaths, at_risk = ENDED.count(time), sum(value >= time for value in ENDED + CUT)
        total += deaths / (at_risk * (at_risk - deaths))
        width = 1.959963984540054 * sqrt(total) / abs(log(share))
        assert (low, high) == pytest.approx((share ** exp(width), share ** exp(-width)), rel=1e-12)
    plain = kaplan_meier(list(range(1, 11)), [])
    for share, low in zip(plain.share[:-1], plain.low[:-1], strict=True):
        error = sqrt(share * (1 - share) / 10) / (share * abs(log(share)))
        assert low == pytest.approx(share ** exp(1.959963984540054 * error), rel=1e-12)


def test_without_censoring_it_is_the_share_of_larger_values() -> None:
    values = numbers(40, 20)
    found = kaplan_meier(values, [])
    assert found.share == pytest.approx([sum(value > time for value in values) / 40 for time in found.times], abs=1e-12)
    assert found.restricted_mean == pytest.approx(statistics.mean(values), rel=1e-12)
    assert found.share[-1] == pytest.approx(0, abs=1e-12)


def test_it_knows_where_it_ends() -> None:
    everything_cut = kaplan_meier([], [5, 9])
    assert (everything_cut.quantile(0.01), everything_cut.restricted_mean, everything_cut.last) == (None, 9.0, 9.0)
    never = kaplan_meier([2, 4], [inf, inf])
    assert never.share.tolist() == [0.75, 0.5]
    assert (never.quantile(0.5), never.quantile(0.51), never.last) == (4.0, None, 4.0)
    assert never.restricted_mean == 2 + 0.75 * 2
    assert isinstance(kaplan_meier([], []), Survival)


def test_the_band_covers_the_truth_as_often_as_it_says() -> None:
    """Exponential times, of which a third are cut off; at one time, over many samples."""
    source = np.random.default_rng(3)
    hits = 0
    for _ in range(600):
        times, limits = source.exponential(1.0, 60), source.exponential(2.0, 60)
        found = kaplan_meier(times[times <= limits], limits[times > limits])
        k = int(np.searchsorted(found.times, 0.7, side="right")) - 1
        hits += bool(found.low[k] <= exp(-0.7) <= found.high[k])
    assert 0.925 < hits / 600 < 0.975


# -- samples and summaries --------------------------------------------------------------------------------------------


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
