"""Growth, compare, leaders: what each kind of figure shows of its data."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from princeps.campaign.fit import fit_series
from princeps.campaign.plan import grid
from princeps.campaign.results import Results
from princeps.campaign.sample import Sample
from princeps.campaign.series import series_of
from princeps.campaign.store import open_store
from princeps.campaign.tally import student
from princeps.figures.estimate import estimate_statistic
from princeps.figures.growth import in_short
from princeps.figures.style import line_style
from princeps.figures.text import raised
from tests.conftest import Command
from tests.figures.conftest import (
    LIMIT,
    SIZES,
    around,
    bars,
    drawn,
    fill,
    legend,
    line,
    names,
    quadratic,
    record,
    row,
    sample_of,
    spaced,
    title,
)

# -- growth ------------------------------------------------------------------------------------------------------------


def test_growth_shows_means_intervals_and_laws(two: str) -> None:
    figure = drawn(two, "growth")
    axes = figure.axes[0]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert names(figure) == ("population size n", "mean steps to the goal")
    everything = series_of(Results(two))
    for k, series in enumerate(everything):
        points, ends = bars(figure, series.protocol)
        assert points.get_xdata().tolist() == list(SIZES)
        assert points.get_ydata().tolist() == [sample.mean for sample in series.samples]
        half = student(11) * np.array([sample.sd for sample in series.samples]) / np.sqrt(12)
        assert [high[1] - low[1] for low, high in ends] == pytest.approx((2 * half).tolist())
        assert [(low[1] + high[1]) / 2 for low, high in ends] == pytest.approx(points.get_ydata().tolist())
        assert (points.get_marker(), points.get_color()) == line_style(k)[1::-1]
        assert points.get_markerfacecolor() == points.get_color()
        law = line(figure, f"_{series.protocol}, law")
        best = fit_series(series, beside=everything).best
        xs = law.get_xdata()
        assert (xs[0], xs[-1]) == pytest.approx((100, 800))
        assert np.asarray(law.get_ydata()) == pytest.approx(best.coefficient * xs**best.power * np.log(xs) ** best.logs)
    assert [text.split(":")[0] for text in legend(figure)] == ["fratricide", "p_ll"]
    for text, series, named in zip(legend(figure), everything, ("n$^{2}$", "n log n"), strict=True):
        assert text == spaced(f"{series.protocol}: {in_short(fit_series(series, beside=everything))}")
        assert f" of {named}" in text


def test_the_legend_of_growth_keeps_the_doubts(two: str) -> None:
    (fratricide, _) = series_of(Results(two))
    found = fit_series(fratricide)
    certain = replace(found, log_interval=(-0.1, 0.1), misfit=1.0)
    assert in_short(certain) == raised(found.verdict.split(";")[0])
    assert in_short(certain).endswith(" of n$^{2}$")
    assert spaced(in_short(replace(certain, log_interval=(-1.0, 1.0)))).endswith(" of n$^{2}$ (log factor open)")
    assert spaced(in_short(replace(certain, misfit=9.0))).endswith(" of n$^{2}$ (poor fit)")
    assert spaced(in_short(replace(certain, best=replace(found.best, free=True)))).endswith(" of n$^{2}$ (free power)")
    several = replace(certain, misfit=9.0, alternatives=["n log n"])
    assert spaced(in_short(several)).endswith(" of n$^{2}$ (poor fit; others fit, too)")
    log = replace(found.best, power=1, logs=1)
    assert not in_short(replace(certain, best=log, log_interval=(0.9, 1.1))).endswith("open)")
    assert in_short(replace(certain, best=log, log_interval=(0.4, 1.1))).endswith("open)")


def test_two_sizes_are_points_without_a_law(tmp_path: Path) -> None:
    figure = drawn(fill(tmp_path / "a.db", "fratricide", quadratic(sizes=(10, 20))), "growth")
    assert legend(figure) == ["fratricide"]
    assert bars(figure, "fratricide")[0].get_linestyle() == "None"
    assert not [one for one in figure.axes[0].get_lines() if str(one.get_label()).endswith("law")]
    assert [text.get_text() for text in figure.axes[0].get_xticklabels()] == ["10", "20"]


def test_a_point_with_one_trial_has_no_interval(tmp_path: Path) -> None:
    figure = drawn(fill(tmp_path / "a.db", "fratricide", {10: [100], 20: [400, 420]}), "growth")
    (first, second) = bars(figure, "fratricide")[1]
    assert first[0] == first[1]
    assert second[0] < second[1]


def test_with_trials_cut_off_a_line_is_of_medians_and_hollow(tmp_path: Path) -> None:
    trials = {10: [10, 20, 30, 40, 50, 60, 70], 20: [100, 200, 300, 400, LIMIT, LIMIT, LIMIT], 40: [500] + 6 * [LIMIT]}
    source = fill(tmp_path / "cut.db", "fratricide", trials, limit=LIMIT)
    fill(tmp_path / "cut.db", "p_ll", {10: [5, 6, 7]})
    figure = drawn(source, "growth")
    points, ends = bars(figure, "fratricide")
    assert points.get_markerfacecolor() == "white"
    assert bars(figure, "p_ll")[0].get_markerfacecolor() != "white"
    assert points.get_ydata().tolist() == [40, 400, LIMIT]  # the last is only a bound
    survival = sample_of(source, "fratricide", "steps", 10).survival
    low, high = (survival.times[np.flatnonzero(edge <= 0.5)[0]] for edge in (survival.low, survival.high))
    assert [end[1] for end in ends[0]] == [low, high]
    assert ends[1][1][1] == LIMIT  # the interval's upper end is not known
    assert ends[2][0] == ends[2][1]
    arrows = [vars(text)["xy"] for text in figure.axes[0].texts]
    assert arrows == [(20, LIMIT), (40, LIMIT)]
    assert figure.axes[0].get_ylim()[1] > 1.7 * LIMIT  # room for the arrows
    assert legend(figure)[2:] == ["hollow: median, as trials were cut off (filled: mean)", "unknown, but higher"]
    assert names(figure)[1] == "steps to the goal"


def test_trials_that_never_end_count_as_longer_than_all(tmp_path: Path) -> None:
    source = str(tmp_path / "a.db")
    with open_store(source) as store:
        (point,) = grid(["fratricide"], {}, n=10)
        (numbered,) = store.number([point])
        store.add([row(numbered, k, 10 * k, silent=k > 5) for k in range(1, 8)])
    figure = drawn(source, "growth")
    assert bars(figure, "fratricide")[0].get_ydata().tolist() == [40]
    assert legend(drawn(source, "distribution")) == ["n = 10 (2 of 7 never end)"]


@pytest.mark.parametrize("trials", [3, 12])
def test_a_median_has_an_interval_only_if_there_are_trials_enough(trials: int) -> None:
    values = np.arange(1.0, trials + 1)
    found = estimate_statistic(Sample(values, np.array([])), "median")
    assert found is not None
    assert found.value == np.median(values)
    if trials < 6:
        assert found.low is found.high is None
    else:
        assert found.low is not None
        assert found.high is not None
        assert found.low < found.value < found.high


def test_values_of_zero_are_left_out_and_said(tmp_path: Path) -> None:
    figure = drawn(fill(tmp_path / "a.db", "fratricide", {2: [0, 0], 10: [90, 100], 20: [390, 400]}), "growth")
    assert bars(figure, "fratricide")[0].get_xdata().tolist() == [10, 20]
    assert "1 point at 0 not shown" in legend(figure)


@pytest.mark.medium
def test_by_a_parameter_its_values_are_joined(tmp_path: Path) -> None:
    for t_max in (4, 5, 7):
        trials = {n: around(n * 10**t_max) for n in (20, 40)}
        source = fill(tmp_path / "t.db", "timer", trials, hold=True, params={"t_max": t_max})
    figure = drawn(source, "growth", by="t_max")
    assert names(figure) == ("t_max", "mean holding time (steps)")
    assert title(figure) == "timer"
    points, _ = bars(figure, "n=40")
    assert points.get_xdata().tolist() == [4, 5, 7]
    assert points.get_ydata() == pytest.approx(np.array([4e5, 4e6, 4e8]), rel=1e-3)
    figure = drawn(source, "growth", by="t_max * n")  # runs along the size as well: nothing is joined
    assert bars(figure, "t_max=5")[0].get_xdata().tolist() == [100, 200]
    figure = drawn(source, "growth", by="t_max * n", smallest=40)
    assert bars(figure, "t_max=5")[0].get_xdata().tolist() == [200]


def test_smaller_populations_can_be_left_out(two: str) -> None:
    figure = drawn(two, "growth", smallest=200)
    assert bars(figure, "p_ll")[0].get_xdata().tolist() == [200, 400, 800]
    assert line(figure, "_p_ll, law").get_xdata()[0] == pytest.approx(200)


def test_a_measure_and_a_protocol_can_be_chosen(two: str) -> None:
    figure = drawn(two, "growth", measure="parallel_time", protocol="p_ll")
    assert names(figure) == ("population size n", "mean parallel time (steps / n)")
    only: Any = figure.axes[0].containers[0]
    assert len(figure.axes[0].containers) == 1
    assert only.lines[0].get_ydata() == pytest.approx(20 * np.log(SIZES), rel=1e-2)


# -- compare -----------------------------------------------------------------------------------------------------------


def test_compare_is_in_parallel_time_and_ordered_by_the_right_end(two: str) -> None:
    fill(Path(two), "epidemic", {n: around(30 * n * np.log(n)) for n in SIZES[:3]})
    fill(Path(two), "majority", quadratic(2))
    figure = drawn(two, "compare")
    assert names(figure) == ("population size n", "mean parallel time (steps / n)")
    assert legend(figure) == ["majority", "fratricide", "epidemic", "p_ll"]
    points, _ = bars(figure, "p_ll")
    assert points.get_ydata().tolist() == [sample_of(two, "p_ll", "parallel_time", n).mean for n in SIZES]
    assert line(figure, "_p_ll, line").get_ydata().tolist() == points.get_ydata().tolist()
    containers: list[Any] = list(figure.axes[0].containers)
    markers = [container.lines[0].get_marker() for container in containers]
    assert len(set(markers)) == 4


def test_no_line_leads_to_a_mere_bound(tmp_path: Path) -> None:
    trials = {10: [10, 20, 30], 20: [100, 200, 300], 40: [900, LIMIT, LIMIT]}
    figure = drawn(fill(tmp_path / "a.db", "fratricide", trials, limit=LIMIT), "compare")
    assert np.isnan(line(figure, "_fratricide, line").get_ydata()).tolist() == [False, False, True]
    assert bars(figure, "fratricide")[0].get_ydata()[2] == LIMIT / 40


def test_compare_at_one_size_is_a_row_for_each(tmp_path: Path) -> None:
    for protocol, values in (("fratricide", around(1e4)), ("epidemic", around(500)), ("p_ll", [700, 800, LIMIT])):
        source = fill(tmp_path / "a.db", protocol, {100: values}, limit=LIMIT if protocol == "p_ll" else None)
    figure = drawn(source, "compare")
    axes = figure.axes[0]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["fratricide", "p_ll", "epidemic"]
    assert (axes.get_title(loc="left"), axes.get_xlabel().split()[0]) == ("n = 100", "parallel")
    assert axes.get_ylim()[0] > axes.get_ylim()[1]
    points, ends = bars(figure, "epidemic")
    mean = np.mean(around(500)) / 100
    assert points.get_xdata().tolist() == pytest.approx([mean])
    assert ends[0][0][0] < mean < ends[0][1][0]
    assert bars(figure, "p_ll")[0].get_markerfacecolor() == "white"


# -- leaders -----------------------------------------------------------------------------------------------------------


def test_leaders_over_time(tmp_path: Path) -> None:
    source = record(tmp_path / "run.jsonl", {"leaders": [8, 4, 2, 1]})
    figure = drawn(source, "leaders")
    curve = line(figure, "leaders")
    assert (curve.get_xdata().tolist(), curve.get_ydata().tolist()) == ([0, 1, 2, 3], [8, 4, 2, 1])
    assert names(figure) == ("parallel time (steps / n)", "leaders")
    assert (figure.axes[0].get_xscale(), figure.axes[0].get_yscale()) == ("linear", "log")
    assert title(figure) == "p_ll, n = 8"


def test_every_predicate_is_drawn_and_zero_has_its_place(tmp_path: Path) -> None:
    source = record(tmp_path / "run.jsonl", {"leaders": [8, 4, 2, 1], "epoch == 2": [0, 0, 3, 8]})
    figure = drawn(source, "leaders")
    assert line(figure, "epoch == 2").get_ydata().tolist() == [0, 0, 3, 8]
    assert legend(figure) == ["leaders", "epoch == 2"]
    assert names(figure)[1] == "agents"
    assert figure.axes[0].get_yscale() == "symlog"
    assert "0" in [text.get_text() for text in figure.axes[0].get_yticklabels()]
    assert line(figure, "leaders").get_linestyle() != line(figure, "epoch == 2").get_linestyle()


def test_many_runs_have_their_median(tmp_path: Path) -> None:
    runs = [{"leaders": [8, k + 2, 1][: 2 + k % 2]} for k in range(5)]
    source = record(tmp_path / "run.jsonl", *runs)
    figure = drawn(source, "leaders")
    assert line(figure, "leaders").get_ydata().tolist() == [8, 4, 2]  # those that ended keep 2, 4 and 6
    assert len([one for one in figure.axes[0].get_lines() if one.get_label() == "_leaders, run"]) == 5
    assert legend(figure)[1].startswith("bold: median of 5 runs, where one that ended keeps its last count")
    record(tmp_path / "run.jsonl", *runs * 4)
    figure = drawn(source, "leaders")
    assert [one.get_label() for one in figure.axes[0].get_lines()] == ["leaders"]
    assert len(figure.axes[0].collections) == 1
    assert legend(figure)[1].endswith("shaded: 5 % to 95 % of them")


def test_several_kinds_of_runs_are_told_apart(tmp_path: Path) -> None:
    source = record(tmp_path / "run.jsonl", {"leaders": [8, 2, 1]}, {"leaders": [8, 3, 1]})
    record(tmp_path / "run.jsonl", {"leaders": [9, 4, 2]}, protocol="fratricide", n=9)
    figure = drawn(source, "leaders")
    assert legend(figure) == ["p_ll, n = 8", "fratricide, n = 9"]
    lines = figure.axes[0].get_lines()
    assert [one.get_ydata().tolist() for one in lines] == [[8, 2, 1], [8, 3, 1], [9, 4, 2]]
    assert lines[0].get_marker() == lines[1].get_marker() != lines[2].get_marker()
    assert drawn(source, "leaders", protocol="fratricide").axes[0].get_lines()[0].get_ydata().tolist() == [9, 4, 2]


def test_an_early_fall_is_seen_on_a_logarithmic_time(tmp_path: Path) -> None:
    figure = drawn(record(tmp_path / "run.jsonl", {"leaders": [100, 50, 20, 5, 2] + [2] * 100 + [1]}, n=100), "leaders")
    axes = figure.axes[0]
    assert axes.get_xscale() == "symlog"
    assert line(figure, "leaders").get_xdata()[:3].tolist() == [0, 1, 2]  # the start has its place
    assert line(figure, "leaders").get_ydata()[0] == 100
    assert axes.get_xlim()[0] < 0 < 1 < axes.get_xlim()[1]
    assert axes.get_xticklabels()[0].get_text() == "0"
    place = axes.transData.transform([(0, 1), (1, 1), (10, 1)])[:, 0]
    assert place[1] - place[0] == pytest.approx(0.35 * (place[2] - place[1]), rel=0.15)


def test_a_trial_that_was_recorded_twice_counts_once(tmp_path: Path) -> None:
    """Where everything agrees; the first lines of a file may be the same run with other moments."""
    source, trial = tmp_path / "run.jsonl", {"seed": 1, "trial": 0, "engine": "agents", "steps": 24}
    for _ in range(2):
        record(source, {"leaders": [8, 4, 2, 1]}, **trial)
    figure = drawn(str(source), "leaders")
    assert len(figure.axes[0].get_lines()) == 1
    assert legend(figure) == ["leaders", "1 trial recorded more than once, counted once"]
    record(source, {"leaders": [8, 4, 3, 1]}, **trial)  # of a rule that was edited meanwhile
    record(source, {"leaders": [8, 4, 2, 1]}, **trial | {"trial": 1})
    record(source, {"epoch == 2": [8, 4, 2, 1]}, **trial)  # something else of the same trial
    assert len(drawn(str(source), "leaders").axes[0].get_lines()) == 4


def test_a_run_that_was_over_at_once_is_a_dot(tmp_path: Path) -> None:
    figure = drawn(record(tmp_path / "run.jsonl", {"leaders": [1]}), "leaders")
    assert line(figure, "leaders").get_marker() == "o"


def test_a_real_recording_is_read(tmp_path: Path, quick: Command) -> None:
    source, target = tmp_path / "run.jsonl", tmp_path / "run.svg"
    words = ("fratricide", "-n", 30, "--record", "leaders", "--seed", 1, "--engine", "reference", "-o", source)
    assert quick("run", *words).code == 0
    written = json.loads(source.read_text())["record"]
    found = quick("plot", source, "-o", target, "--json").object
    assert found == {
        "output": str(target),
        "kind": "leaders",
        "series": ["leaders"],
        "points": len(written["steps"]),
    }
    curve = line(drawn(str(source), "leaders"), "leaders")
    assert curve.get_ydata().tolist() == written["leaders"]
