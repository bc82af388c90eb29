"""Distribution and survival: what these kinds of figures show of their data."""

from __future__ import annotations

from math import exp
from pathlib import Path

import numpy as np
import pytest

from princeps.campaign.store import open_store
from princeps.figures.curves import MAX_STEPS_DRAWN, chosen, evenly, fine
from princeps.figures.style import line_style
from tests.figures.conftest import (
    LIMIT,
    SIZES,
    around,
    drawn,
    fill,
    legend,
    line,
    names,
    row,
    sample_of,
    title,
)


def test_distribution_is_the_share_of_trials(tmp_path: Path) -> None:
    values = {10: [30, 10, 20, 20], 20: [40, 50, 60, LIMIT]}
    figure = drawn(fill(tmp_path / "a.db", "fratricide", values, limit=LIMIT), "distribution")
    first, second = line(figure, "n = 10"), line(figure, "n = 20")
    assert (first.get_xdata().tolist(), first.get_ydata().tolist()) == ([10, 10, 20, 30], [0, 0.25, 0.75, 1])
    assert (second.get_xdata().tolist(), second.get_ydata().tolist()) == (
        [40, 40, 50, 60, LIMIT],
        [0, 0.25, 0.5, 0.75, 0.75],
    )
    assert first.get_drawstyle() == second.get_drawstyle() == "steps-post"
    assert names(figure) == ("steps to the goal", "share of trials")
    assert legend(figure) == ["n = 10", "n = 20 (1 of 4 cut off)"]
    assert title(figure) == "fratricide"
    assert figure.axes[0].get_xscale() == "linear"
    marks = line(figure, "_n = 10, marks")
    assert (marks.get_xdata().tolist(), marks.get_ydata().tolist()) == ([10, 20, 20], [0.25, 0.5, 0.75])
    assert first.get_color() != second.get_color()


def test_wide_values_have_a_logarithmic_axis(tmp_path: Path) -> None:
    figure = drawn(fill(tmp_path / "a.db", "fratricide", {10: around(100), 100: around(10_000)}), "distribution")
    assert figure.axes[0].get_xscale() == "log"
    low, high = figure.axes[0].get_xlim()
    assert 20 < low < 70
    assert 13_000 < high < 40_000


def test_many_points_are_chosen_evenly_and_it_is_said(tmp_path: Path) -> None:
    sizes = range(10, 30)
    figure = drawn(fill(tmp_path / "a.db", "fratricide", {n: around(n) for n in sizes}), "distribution")
    shown = [text for text in legend(figure) if text.startswith("n =")]
    assert len(shown) == 8
    assert (shown[0], shown[-1]) == ("n = 10", "n = 29")
    assert legend(figure)[-1] == "8 of 20 points shown"
    assert chosen([0] * 5 + [1] * 5 + [2] * 5) == [0, 4, 5, 9, 10, 14]
    assert chosen(list(range(20))) == evenly(20, 8)
    assert chosen([0, 0, 1]) == [0, 1, 2]
    assert evenly(5, 1) == [4]


def test_several_series_have_colours_and_their_sizes_shades(two: str) -> None:
    figure = drawn(two, "distribution")
    colours = [line(figure, f"fratricide, n = {n}").get_color() for n in SIZES]
    assert len(set(colours)) == 4
    assert colours[-1] == line_style(0).colour
    darkness = [sum(int(str(colour)[k : k + 2], 16) for k in (1, 3, 5)) for colour in colours]
    assert darkness == sorted(darkness, reverse=True)
    assert line(figure, "p_ll, n = 800").get_color() == line_style(1).colour


def test_survival_is_kaplan_and_meiers(holding: str) -> None:
    figure = drawn(holding, "survival")
    curve = line(figure, "n = 10")
    assert curve.get_xdata().tolist() == [0, 10, 20, 30, 100]
    assert curve.get_ydata() == pytest.approx(np.array([1, 5 / 6, 4 / 6, 2 / 6, 2 / 6]))
    assert names(figure) == ("holding time (steps / n)", "share still going on")
    assert figure.axes[0].get_yscale() == "log"
    assert figure.axes[0].get_xscale() == "linear"
    cut = line(figure, "_n = 10, cut off")
    assert (cut.get_xdata().tolist(), cut.get_marker()) == ([100], "|")
    assert cut.get_ydata() == pytest.approx(np.array([1 / 3]))
    law = line(figure, "_n = 10, law")
    mean = (100 + 200 + 300 + 300 + 2 * LIMIT) / 4 / 10
    assert law.get_ydata() == pytest.approx(np.array([exp(-time / mean) for time in law.get_xdata()]))
    assert legend(figure)[0] == f"n = 10 (2 of 6 cut off): mean {mean:g} if exponential"
    assert legend(figure)[-1] == "shaded: 95 % band; dotted: exponential of that mean; ticks: cut off"
    assert not [one for one in figure.axes[0].get_lines() if one.get_label() == "_n = 20, cut off"]


def test_a_trial_cut_off_when_another_ends_is_marked_after_the_step(holding: str) -> None:
    with open_store(holding) as store:
        store.add([row(1, 6, 300, cut=True, hold=True)])
    curve = line(drawn(holding, "survival"), "n = 10")
    cut = line(drawn(holding, "survival"), "_n = 10, cut off")
    assert cut.get_xdata().tolist() == [30, 100]
    assert cut.get_ydata() == pytest.approx(curve.get_ydata()[[3, 3]])


def test_survival_has_its_band(holding: str) -> None:
    figure = drawn(holding, "survival", measure="held_steps")
    assert names(figure)[0] == "holding time (steps)"
    found = sample_of(holding, "timer", "held_steps", 10).survival
    corners = figure.axes[0].collections[0].get_paths()[0].vertices
    for k, time in enumerate(found.times):
        at = corners[np.isclose(corners[:, 0], time), 1]
        assert np.isclose(at, found.low[k]).any()
        assert np.isclose(at, found.high[k]).any()


def test_survival_of_an_election_has_no_exponential_beside_it(two: str) -> None:
    figure = drawn(two, "survival", measure="steps", protocol="p_ll")
    assert legend(figure) == ["n = 100", "n = 200", "n = 400", "n = 800", "shaded: 95 % band"]


def test_a_hundred_thousand_steps_are_drawn_as_what_can_be_seen() -> None:
    xs, ys = np.sort(np.random.default_rng(1).random(100_000)), np.linspace(0, 1, 100_000)
    kept = fine(xs, ys)
    assert len(kept) < 3 * MAX_STEPS_DRAWN
    assert (kept[0], kept[-1]) == (0, 99_999)
    assert np.diff(xs[kept]).max() < 2 / MAX_STEPS_DRAWN
    assert fine(xs[:100], ys[:100]).tolist() == list(range(100))
