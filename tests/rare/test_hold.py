"""princeps.hold: estimates beside exact rates, wrong level functions, what it keeps and what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.model import Agent, Bit, Largest, Loss, Params, PopulationProtocol, Range, Uniform
from princeps.model.class_content import class_identity
from princeps.model.reading import make_run
from princeps.protocols.p_pl import PPL
from princeps.protocols.timer import Timer
from princeps.rare import collecting
from princeps.rare.comparison import compare, exact_rates
from princeps.rare.losses import counting_down, losses_of
from princeps.rare.statistics import ESTIMATED, INCONSISTENT, NO_ESTIMATE


def full(a: Agent, p: Params) -> int:
    return a.timer if a.leader == 0 else 0


def leaders_own(a: Agent, p: Params) -> int:
    return a.timer if a.leader == 1 else 0


class LargestTimer(Timer):
    """A level function that is known to be wrong: small populations are lost by one pair that meets only itself."""

    name = "largest_timer"
    losses = {"timeout": Loss("created", -Largest(full))}


class Constant(Timer):
    """The only leader's own timer is always full: a level that never rises."""

    name = "constant"
    losses = {"timeout": Loss("created", -Largest(leaders_own))}


class Undeclared(Timer):
    name = "undeclared"
    losses: dict[str, Loss] = {}


class Nothing(PopulationProtocol):
    name = "nothing"
    leader, mark = Bit(), Range(3)
    starts = {"random": Uniform()}
    default_start = "random"

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 1 and b.leader == 1:
            b.leader = 0


def test_an_estimate_agrees_with_the_exact_rate() -> None:
    """timer, n = 4: the exact rate comes from the chain, by no simulation."""
    found = princeps.hold("timer", 4, t_max=10, seed=1, effort=500, jobs=1, precision="10%", compare=False)
    assert found.verdict == ESTIMATED
    rates = exact_rates(make_run("timer", 4, params={"t_max": 10}, seed=1), "timer")
    assert rates is not None
    for estimate in found.modes[0].estimates:
        assert abs(estimate.rate.mean - rates["created"]) <= 4 * estimate.rate.error
        assert len(estimate.rate.replicas) >= 20
    assert found.mean is not None
    assert found.relative_error is not None
    assert found.relative_error < 0.1
    again = princeps.hold("timer", 4, t_max=10, seed=1, effort=500, jobs=1, precision="10%", compare=False)
    assert again.modes == found.modes
    as_json = found.as_json()
    assert {"mean", "interval", "method", "levels", "modes", "cost", "verdict", "comparison"} <= set(as_json)
    assert as_json["interval"][0] < as_json["mean"] < as_json["interval"][1]
    assert "timer, n = 4" in found._repr_html_()


def test_exact_rates_are_those_of_the_closed_form() -> None:
    """n = 3: from full timers (3^(t+1) - 3) / 2 steps; the quasi-stationary mean differs by less and less."""
    rates = exact_rates(make_run("timer", 3, params={"t_max": 12}, seed=1), "timer")
    assert rates is not None
    assert 1 / rates["created"] == pytest.approx((3**13 - 3) / 2, rel=1e-3)
    assert rates["fallen"] == 0


@pytest.mark.slow
def test_both_ways_of_p_pl_agree_with_exact_rates() -> None:
    """At constants that its file names, since no population fits with the usual ones."""
    run = make_run("p_pl", 50, params={"t_virus": 10, "t_max": 20, "t_emit": 50}, seed=1)
    found = compare(run, "p_pl")
    assert (found.n, found.params["t_emit"]) == (3, 8)
    assert [(one.loss, one.level) for one in found.compared] == [
        ("timeout", 0),
        ("timeout", 1),
        ("virus", 0),
        ("virus", 1),
    ]
    assert found.agrees
    assert all(one.rate.relative_error < 0.2 for one in found.compared)


@pytest.mark.slow
def test_a_wrong_level_function_is_reported_by_default_settings() -> None:
    """The largest timer: its intervals miss by a factor of three or more, and look narrow."""
    found = princeps.hold(LargestTimer, 8, t_max=12, seed=1, jobs=1)
    assert found.verdict == INCONSISTENT
    assert (found.mean, found.interval, found.as_json()["mean"]) == (None, None, None)
    wrong, right = (estimate.rate for estimate in found.modes[0].estimates)
    assert wrong.mean < right.mean / 2
    assert "inconsistent" in repr(found)


@pytest.mark.medium
def test_a_level_that_never_rises_is_no_estimate() -> None:
    found = princeps.hold(Constant, 4, t_max=8, seed=1, jobs=1, effort=100, precision="30%", compare=False)
    assert (found.verdict, found.mean) == (NO_ESTIMATE, None)
    assert "did not rise" in repr(found)


def test_a_protocol_that_declares_nothing_gets_levels_from_fields_that_count_down() -> None:
    assert counting_down(Timer) == ["timer"]
    assert counting_down(PPL) == ["virus", "timerL", "timerI"]
    found = losses_of(make_run(Undeclared, 4, params={"t_max": 5}))
    assert [(name, loss.kind, len(loss.levels)) for name, loss in found.items()] == [
        ("created", "created", 2),
        ("fallen", "fallen", 2),
    ]


def test_losses_are_no_part_of_a_protocols_identity() -> None:
    class Plain(Timer):
        name = "undeclared"

    assert class_identity(Plain) == class_identity(Undeclared)


def test_replicas_are_kept_and_taken_from_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = str(tmp_path / "held.db")
    asked: dict[str, Any] = {"t_max": 8, "seed": 2, "effort": 100, "jobs": 1, "precision": "30%", "compare": False}
    counted: list[int] = []
    actual = vars(collecting)["replica"]

    def interrupted(number: int, **arguments: Any) -> Any:
        if number == 3:
            raise KeyboardInterrupt
        counted.append(number)
        return actual(number, **arguments)

    monkeypatch.setattr(collecting, "replica", interrupted)
    with pytest.raises(princeps.Interrupted) as error:
        princeps.hold("timer", 3, store=store, **asked)
    finished = [len(one.rate.replicas) for one in error.value.partial.modes[0].estimates]
    assert finished == [3, 3]
    assert error.value.partial.mean is None
    monkeypatch.setattr(collecting, "replica", actual)
    whole = princeps.hold("timer", 3, store=store, **asked)
    assert whole.modes == princeps.hold("timer", 3, **asked).modes
    monkeypatch.setattr(collecting, "replica", lambda number, **arguments: pytest.fail("it is stored"))
    assert princeps.hold("timer", 3, store=store, **asked).modes == whole.modes


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("p_rl", {"n": 4}, ("p_rl", "self-stabilizing")),
        ("a_k", {}, ("a_k", "ring algorithm")),
        (Nothing, {"n": 4}, ("nothing", "declare losses")),
        ("timer", {"n": 4, "precision": "90%"}, ("90%", "5%")),
        ("timer", {"n": 4, "effort": 3}, ("effort = 3", "2000")),
        ("timer", {"n": 10**9, "jobs": 1}, ("n = 1,000,000,000", "Lower")),
        ("timer", {"n": 10**6, "effort": 10**6, "jobs": 1}, ("2,000,000 configurations", "lower")),
        ("timer", {"n": 3, "t_max": 1, "jobs": 1}, ("no rare event", "run --hold")),
    ],
)
def test_refusals(name: Any, given: dict[str, Any], words: tuple[str, ...]) -> None:
    with pytest.raises(princeps.PrincepsError) as error:
        princeps.hold(name, **given)
    for word in words:
        assert word.replace("--", "") in str(error.value).replace("--", "")


@pytest.mark.parametrize(
    "loss",
    [
        "timeout",
        Loss("stolen", Largest(full)),
        Loss("created", Largest(lambda a: 0)),
    ],
)
def test_a_wrong_declaration_is_refused(loss: Any) -> None:
    with pytest.raises(princeps.PrincepsError, match="losses"):
        type("Wrong", (Timer,), {"name": "wrong", "losses": {"one": loss}})


def test_holding_times_are_a_measure_of_sweeps(tmp_path: Path) -> None:
    """Trials that see nothing, and beside them an estimate that the survival plot draws."""
    store = str(tmp_path / "held.db")
    about: dict[str, Any] = {"t_max": [8, 9], "trials": 3, "store": store, "seed": 4, "jobs": 1, "progress": False}
    found = princeps.sweep("timer", 3, hold=True, rare=True, max_steps=60, **about)
    estimates = [point.holding for point in found.points]
    for estimate, t_max in zip(estimates, (8, 9), strict=True):
        assert estimate is not None
        assert estimate["verdict"] == ESTIMATED
        assert estimate["mean"] == pytest.approx((3 ** (t_max + 1) - 3) / 2, rel=0.2)
    assert [point.holding for point in princeps.results(store).points] == estimates
    figure = tmp_path / "held.svg"
    princeps.plot(store, str(figure), kind="survival", measure="held_steps")
    assert figure.read_text().count("by splitting") == 2
    plain = princeps.sweep("timer", 3, hold=True, max_steps=60, **{**about, "store": str(tmp_path / "plain.db")})
    assert all(point.holding is None for point in plain.points)
    assert [summary.mean for summary in plain] == [summary.mean for summary in found]  # the same trials


def test_a_sweep_says_at_once_what_cannot_be_estimated(tmp_path: Path) -> None:
    store = str(tmp_path / "none.db")
    with pytest.raises(princeps.PrincepsError, match="give hold"):
        princeps.sweep("timer", 3, t_max=8, rare=True, store=store)
    with pytest.raises(princeps.PrincepsError, match="self-stabilizing"):
        princeps.sweep("p_rl", 3, hold=True, rare=True, max_steps=100, store=store)
    assert not Path(store).exists()
