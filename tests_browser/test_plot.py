"""The plot over time: leaders and other counts, marks, the slider below it."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.web.recording import record
from princeps.web.saved_page import SavedPage
from tests_browser.conftest import Desk, Tab, watching

LAST_HEIGHT = "Number(document.querySelector('.curve.present').getAttribute('d').match(/V([\\d.]+)H[\\d.]+$/)?.[1])"
MANY_MARKS = """(() => {
  const changes = Array.from({ length: 2000 }, (_, k) => [String(k), 'leaders', `${9 - (k % 2)} leaders`]);
  const others = [['1999', 'goal', 'leader holds'], ['2000', 'lost', 'leader no longer holds'], ['2000', 'fault', 'corrupt 1']];
  const marks = [...changes, ...others];
  const branch = { number: 0, parent: null, at: '0', end: '2000', what: '', points: [['0', '9', ['9']]], marks, complete: COMPLETE };
  princeps.source.do = async (word) => (word === 'series' ? { branches: [branch] } : {});
  return princeps.plot.load();
})()"""


def plots_counts(tab: Tab, predicate: str, count: int) -> None:
    """One predicate, and all of them at once."""
    chooser = tab.page.get_by_label("Plot", exact=True)
    chooser.select_option(label=predicate)
    tab.page.locator(".axis-title", has_text=predicate).wait_for()
    tab.wait(f"Math.abs({LAST_HEIGHT} - princeps.plot.y({count})) < 0.11")
    chooser.select_option(label="all counts")
    known = tab.evaluate("princeps.about.predicates")
    tab.wait(f"document.querySelectorAll('.curve.count').length === {len(known)}")
    assert tab.page.locator(".plot-legend li").all_inner_texts() == known
    colours = "new Set([...document.querySelectorAll('.curve.count')].slice(0, 9).map((one) => getComputedStyle(one).stroke)).size"
    assert tab.evaluate(colours) == min(9, len(known))
    chooser.select_option(label="leaders")
    tab.wait("document.querySelectorAll('.curve.present').length === 1 && !document.querySelector('.curve.count')")


def test_counts_of_predicates_are_plotted_over_time(desk: Desk) -> None:
    with watching(desk, "p_ll", 30, seed=1) as (tab, _):
        tab.go_to(200)
        place = tab.evaluate("princeps.about.predicates.indexOf('timers')")
        count = tab.evaluate(f"princeps.frame.ids.reduce((sum, k) => sum + princeps.frame.states[k].p[{place}], 0)")
        assert count > 0
        plots_counts(tab, "timers", count)


@pytest.mark.parametrize(("n", "steps"), [(30, 200), (10_001, 60_000)], ids=["meetings", "frames"])
def test_a_saved_page_plots_counts(desk: Desk, tmp_path: Path, n: int, steps: int) -> None:
    session: Any = princeps.session("p_ll", n, seed=1, engine="agents").step(steps)
    file = tmp_path / "run.html"
    file.write_text(SavedPage(record(session)).text, encoding="utf-8")
    plots_counts(desk.tab(file.as_uri()), "timers", session.census["timers"])


def test_a_protocol_without_other_predicates_has_no_choice_of_plots(desk: Desk) -> None:
    with watching(desk, "fratricide", 8, seed=1) as (tab, _):
        assert tab.page.get_by_label("Plot", exact=True).count() == 1
        assert tab.page.get_by_label("Plot", exact=True).is_hidden()


@pytest.mark.parametrize(("end", "begun", "notch"), [(100, 50, 1), (200_000, 100_000, 20)])
def test_arrow_keys_move_the_slider_notch_by_notch(desk: Desk, end: int, begun: int, notch: int) -> None:
    with watching(desk, "p_rl", 12, seed=3) as (tab, _):  # something always happens
        tab.go_to(end)
        tab.go_to(begun)
        tab.page.locator(".whole-run").focus()
        tab.press(*["ArrowRight"] * 5)
        tab.at_step(begun + 5 * notch)
        tab.page.wait_for_timeout(300)
        tab.press(*["ArrowLeft"] * 2)
        tab.at_step(begun + 3 * notch)


@pytest.mark.parametrize("complete", [True, False])
def test_goals_and_attacks_are_marked_however_many_changes_there_are(desk: Desk, complete: bool) -> None:
    with watching(desk, "fratricide", 9, seed=1) as (tab, _):
        tab.go_to(2000)
        tab.evaluate(MANY_MARKS.replace("COMPLETE", str(complete).lower()))
        tab.wait("document.querySelectorAll('.tick-mark.goal').length === 1")
        assert tab.page.locator(".tick-mark.fault").count() == tab.page.locator(".tick-mark.lost").count() == 1
        places = tab.evaluate(
            "[...document.querySelectorAll('.tick-mark.leaders')].map((one) => Number(/^M([\\d.]+)/.exec(one.getAttribute('d'))[1]))"
        )
        assert 100 < len(places) <= 600
        width = tab.evaluate("princeps.plot.width()")
        assert max(places) > 0.95 * width
        assert max(b - a for a, b in pairwise(places)) < 0.02 * width
        tab.page.get_by_text("Some changes are not marked").wait_for()


def test_a_plot_with_all_marks_says_nothing(desk: Desk) -> None:
    with watching(desk, "fratricide", 8, seed=1) as (tab, _):
        tab.go_to(1000)
        tab.wait("document.querySelectorAll('.tick-mark.leaders').length === 7")
        assert tab.page.get_by_text("Some changes are not marked").is_hidden()


def heights(tab: Tab) -> list[float]:
    """Of the curve, from left to right, as parts of the largest count."""
    path = str(tab.page.locator(".plot .curve").first.get_attribute("d"))
    drawn = [float(part) for part in re.findall(r"V([\d.]+)", path)]
    return [(78 - y) / 68 for y in drawn]  # PLOT_HEIGHT, PLOT_TOP and PLOT_BOTTOM


def test_an_epidemic_of_a_thousand_million_is_an_s_curve_at_full_speed(desk: Desk) -> None:
    with watching(desk, "epidemic", 10**9, seed=1) as (tab, _):
        tab.evaluate("princeps.act('speed', {value: null}).then(() => princeps.act('play'))")
        tab.wait("princeps.status.note === 'the goal is met' && princeps.plot.series[0]?.points.length > 60")
        assert not tab.page.get_by_label("logarithmic").last.is_checked()
        slow, steep, full = [
            sum(low <= height < high for height in heights(tab)) for low, high in [(-1, 0.05), (0.05, 0.95), (0.95, 2)]
        ]
        assert slow > 20
        assert steep >= 6
        assert full > 10
        tab.page.get_by_label("logarithmic").last.check()
        assert sum(0.05 <= height < 0.95 for height in heights(tab)) > 30  # grows evenly


def test_an_election_is_plotted_logarithmically_until_somebody_wants_it_otherwise(desk: Desk) -> None:
    with watching(desk, "fratricide", 100, seed=1, engine="agents") as (tab, _):
        tab.go_to(2000)
        tick = tab.page.get_by_label("logarithmic").last
        tab.wait("princeps.plot.series[0]?.points.length > 5")
        assert tick.is_checked()
        before = heights(tab)
        tick.focus()
        tab.press(" ")
        assert not tick.is_checked()
        assert sum(heights(tab)) < sum(before)
        assert tab.page.locator(".plot .axis").first.text_content() == "0"
