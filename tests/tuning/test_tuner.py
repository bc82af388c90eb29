"""princeps.tune: what it chooses and claims beside exact rates, what it keeps, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.errors import PrincepsError
from princeps.model import Loss, Tuning
from princeps.model.class_content import class_content
from princeps.model.reading import make_run
from princeps.protocols.timer import Timer
from princeps.rare.comparison import exact_rates
from princeps.rare.report import HoldResult, LevelEstimate, ModeEstimate
from princeps.rare.statistics import Rate
from princeps.tuning import tuner
from princeps.tuning.certifying import lower_bound
from princeps.tuning.convergence import Convergence, Settling, settled
from princeps.tuning.report import CERTIFIED, Point

QUICK: dict[str, Any] = {"seed": 1, "effort": 200, "jobs": 1, "progress": False}


def exact_holding(n: int, t_max: int) -> float:
    rates = exact_rates(make_run("timer", n, params={"t_max": t_max}, seed=1), "timer")
    assert rates is not None
    return 1 / rates["created"]


def test_the_constants_are_the_smallest_that_hold_by_the_exact_rate(tmp_path: Path) -> None:
    store = str(tmp_path / "tuned.db")
    found: Any = princeps.tune("timer", 4, hold=5e3, store=store, **QUICK)
    assert found.verdict == CERTIFIED
    t_max = found.constants["t_max"]
    assert exact_holding(4, t_max - 2) < 5e3 <= exact_holding(4, t_max)  # by its upper end a value may just fail
    assert found.holds_at_least is not None
    assert 5e3 <= found.holds_at_least <= exact_holding(4, t_max) * 1.15
    assert "(95 %, by simulation)" in repr(found)
    assert "proved" not in repr(found)
    assert f"-p t_max={t_max}" in repr(found)
    assert found.printed.constants == {"t_max": 32}
    assert found.times_faster == found.printed.convergence.mean / found.chosen.convergence.mean
    as_json = found.as_json()
    assert as_json["params"] == {"t_max": t_max}
    assert any(one["pareto"] and one["fits"] for one in as_json["points"])
    # the same command goes on from its store, and says the same
    counted = []
    again: Any = None
    original = Settling.measured
    try:
        Settling.measured = lambda self, *a, **k: counted.append(self) or original(self, *a, **k)  # type: ignore[method-assign]
        again = princeps.tune("timer", 4, hold=5e3, store=store, **QUICK)
    finally:
        Settling.measured = original  # type: ignore[method-assign]
    assert again.points == found.points
    assert again.constants == found.constants
    assert counted[0].steps == 0  # no trial was made anew


def test_two_ways_of_losing_the_leader_have_a_parameter_each() -> None:
    """P_PL at n = 3, without certification: each parameter is the smallest, as far as the search can see."""
    wanted = tuner.Wanted(
        princeps.model.description.describe("p_pl", 3, params={"t_virus": 4}, seed=1),
        3e3,
        200,
        1,
        "all_leaders_shielded",
    )
    found = tuner.Tuner(wanted, None, lambda what, done, all: None)
    found._search({}, {}, first=True)
    fitting = [point for point in found.points if point.fits]
    assert fitting
    assert {*fitting[0].constants} == {"t_max", "t_emit"}
    rates = exact_rates(make_run("p_pl", 3, params={"t_virus": 4, **fitting[0].constants}, seed=1), "p_pl")
    if rates is not None:  # the population fits
        assert 1 / (rates["created"] + rates["fallen"]) >= 2e3


def test_elected_means_elected_for_good() -> None:
    """timer, nobody leads: the first leader is one of several that time out; the one that stays comes later."""
    run = make_run("timer", 30, params={"t_max": 12}, seed=3, start="no_leader")
    first = [princeps.run("timer", 30, t_max=12, start="no_leader", seed=3, trial=k).steps for k in range(20)]
    stay = [settled(run, k, 3000, 10**8) for k in range(20)]
    assert all(done for _, done in stay)
    assert sum(steps for steps, _ in stay) > 1.2 * sum(int(steps or 0) for steps in first)


def test_a_trial_that_never_settles_is_given_up() -> None:
    run = make_run("timer", 30, params={"t_max": 1}, seed=1, start="no_leader")
    steps, done = settled(run, 0, 10**6, 10**5)
    assert (done, steps >= 10**5) == (False, True)


def estimate(rates: tuple[float, ...], more: tuple[float, ...]) -> HoldResult:
    def mode(name: str, rates: tuple[float, ...]) -> ModeEstimate:
        return ModeEstimate(name, "created", (LevelEstimate("a", 3, Rate(rates)), LevelEstimate("b", 3, Rate(rates))))

    return HoldResult("p", {}, 3, 1, 100, (mode("x", rates), mode("y", more)), None, 0, 1, 1.0, "")


def test_the_claim_is_about_all_losses_together_and_one_sided() -> None:
    sure = estimate((1e-6,) * 20, (3e-6,) * 20)
    assert lower_bound(sure) == pytest.approx(1 / 4e-6)
    spread = estimate((0.9e-6, 1.1e-6) * 10, (3e-6,) * 20)
    bound = lower_bound(spread)
    assert bound is not None
    error = 0.1e-6 * (20 / 19) ** 0.5 / 20**0.5
    assert 1 / bound == pytest.approx(4e-6 + 2.297 * error, rel=1e-3)  # t at 1 - 0.05 / 3, 19 degrees of freedom
    assert lower_bound(estimate((0.0,) * 20, (3e-6,) * 20)) is None  # no estimate of one way: no claim


def test_what_beats_what() -> None:
    def point(holding: float, mean: int) -> Point:
        return Point({}, holding, holding, Convergence("random", (mean,), 0), (), 1.0)

    assert point(10, 5).beats(point(9, 6))
    assert point(10, 5).beats(point(10, 6))
    assert not point(10, 5).beats(point(10, 5))
    assert not point(10, 7).beats(point(9, 6))


def test_ctrl_c_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    original = tuner.Tuner._certify

    def interrupted(self: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tuner.Tuner, "_certify", interrupted)
    monkeypatch.setattr("princeps.api.tune.require_interruption", lambda error: None)  # nobody pressed it here
    with pytest.raises(princeps.Interrupted) as caught:
        princeps.tune("timer", 4, hold=2e3, **QUICK)
    partial = caught.value.partial
    assert (partial.verdict, partial.holds_at_least, partial.as_json()["mean"]) == ("unfinished", None, None)
    assert partial.points
    assert "unfinished" in repr(partial)
    assert original is not interrupted


class Untuned(Timer):
    name = "untuned"
    tuning = None  # type: ignore[assignment]


class Inherited(Timer):
    name = "inherited"
    losses: dict[str, Loss] = {}


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("timer", {}, "either hold"),
        ("timer", {"hold": 1e6, "failure": 0.1}, "either hold"),
        ("timer", {"hold": "long"}, "hold 'long' is no number between"),
        ("timer", {"hold": 1e40}, "1e\\+40"),
        ("timer", {"failure": 0.01}, "no clock to tune"),
        ("p_ll", {"failure": 2}, "failure 2 is no number"),
        ("p_ll", {"failure": 0.1, "c_max": 40}, "c_max is given"),
        ("p_ll", {"hold": 1e6}, "--failure 0.001"),
        ("p_rl", {"hold": 1e6}, "no constants that hold"),
        ("a_k", {"hold": 1e6}, "ring algorithm"),
        (Untuned, {"hold": 1e6}, "docs/tune.md"),
        (Inherited, {"hold": 1e6}, "names 'timeout', which is none of its losses"),
        ("timer", {"hold": 1e6, "effort": 1}, "effort = 1"),
        ("timer", {"hold": 1e6, "output": "a.txt"}, "no picture file"),
        ("timer", {"hold": 1e6, "start": "nowhere"}, "nowhere"),
    ],
)
def test_bad_input_is_one_sentence(name: Any, given: dict[str, Any], said: str) -> None:
    with pytest.raises(PrincepsError, match=said):
        princeps.tune(name, 4, progress=False, **given)


def test_tuning_is_no_part_of_what_a_protocol_is() -> None:
    usual, other = class_content(Timer), class_content(Untuned)
    assert {name for name in usual if usual[name] != other[name]} == {"name"}


@pytest.mark.parametrize(
    ("tuning", "said"),
    [
        (3, "tuning is 3"),
        (Tuning(raises={"virus": "t_max"}), "names 'virus'"),
        (Tuning(raises={"timeout": "t_mx"}), "names 't_mx'"),
        (Tuning(tries={"t_max": lambda: [3]}), "takes"),  # type: ignore[dict-item]
        (Tuning(synchronises={"t_max": {"noon": "leaders"}}), "names 'noon'"),
    ],
)
def test_a_wrong_tuning_is_refused_when_the_class_is_made(tuning: Any, said: str) -> None:
    with pytest.raises(PrincepsError, match=said):
        type("Wrong", (Timer,), {"name": "wrong", "tuning": tuning, "__module__": __name__})


def test_the_figure_has_everything_that_was_tried(tmp_path: Path) -> None:
    path = tmp_path / "tuned.svg"
    princeps.tune("timer", 3, hold=1e3, output=path, **QUICK)
    text = path.read_text()
    assert text.startswith("<?xml")
    assert "steps to elect it" in text
