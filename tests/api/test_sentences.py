"""What Python's functions say and show, to the word, where it once misled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps import PopulationProtocol
from princeps.errors import PrincepsError
from princeps.model.numbers import simple_fraction
from tests.conftest import Command
from tests.tables import in_one_test

PLAIN: dict[str, Any] = {"engine": "reference", "seed": 1}


class Tab(PopulationProtocol):
    table = {("L", "L"): ("L", "F")}
    leaders = "L"
    starts = {"initial": "L"}


REFUSALS: dict[str, tuple[Callable[[], Any], str]] = {
    "no parameters": (lambda: princeps.run("fratricide", 5, N=3), "has no parameter 'N', nor any other: leave N out."),
    "an option that is a number": (
        lambda: princeps.run("fratricide", 5, fault=5),
        "has no parameter 'fault': it is an option, fault=[\"STEP:K\"]. It has no parameters.",
    ),
    "an option as it is written": (
        lambda: princeps.run("fratricide", 5, fault={5: 3}),
        "fault {5: 3} is not understood: give a list of texts.",
    ),
    "past the target": (
        lambda: princeps.exact("fratricide", 3, hold=True),
        "hold=True asks what follows the target, where nothing is explored from start 'initial' alone: add "
        'past_target=True, or give start="all".',
    ),
    "no store": (
        lambda: princeps.results("nowhere.db"),
        "there is no store 'nowhere.db': make one with princeps.sweep(..., store=\"nowhere.db\").",
    ),
    "no recording": (
        lambda: princeps.plot(__file__),
        'record a run with princeps.run(..., record=["leaders"]), or give a store made by sweep.',
    ),
}


@in_one_test("name", REFUSALS)
def test_a_refusal_in_words_of_python(name: str) -> None:
    call, says = REFUSALS[name]
    with pytest.raises(PrincepsError) as refused:
        call()
    assert str(refused.value).endswith(says) or says in str(refused.value)


@pytest.mark.medium
def test_a_store_has_no_counts_over_time(tmp_path: Path) -> None:
    princeps.sweep("fratricide", n=4, trials=2, jobs=1, store=tmp_path / "s.db", engine="reference")
    says = (
        r'keeps no counts over time: record a run with princeps\.run\(\.\.\., record=\["leaders"\]\) and plot that\.$'
    )
    with pytest.raises(PrincepsError, match=says):
        princeps.plot(tmp_path / "s.db", kind="leaders")


def test_one_trial_has_no_standard_error(quick: Command) -> None:
    shown = repr(princeps.trials("fratricide", 5, trials=1, **PLAIN))
    assert shown.startswith("fratricide, n = 5, until leader: 1 of 1 trial of seed 1\n")
    assert "nan" not in shown
    assert [line.split()[2] for line in shown.splitlines() if line.startswith("steps")] == ["-"]
    assert "std. error" in repr(princeps.trials("fratricide", 5, trials=2, **PLAIN))


def test_a_protocol_at_a_prompt() -> None:
    assert repr(princeps.protocol(Tab)) == "<tab: 2 states of state (F, L); starts: initial; goals: leader>"
    assert repr(princeps.protocol("p_rl", N=8)).startswith(
        "<p_rl, N=8: 216 states of leader, bullet, shield, signal, distL; starts: random"
    )
    assert repr(princeps.protocol("numbered", n=4)).startswith(
        "<numbered, m=4, min_interactions=0, printed=0: infinitely many"
    )


def test_one_of_something_is_singular() -> None:
    with pytest.raises(PrincepsError, match=r"start has 1 state for n = 5"):
        princeps.run("fratricide", 5, start=[1], **PLAIN)
    with pytest.raises(PrincepsError, match=r"^1 id for n = 3 agents"):
        princeps.run("numbered", 3, ids=[1], **PLAIN)
    run = princeps.run("fratricide", 2, record="states", snapshots=[1], start=[1, 0], **PLAIN)
    assert repr(run.states).startswith("1 moment, 2 states;")


@pytest.mark.parametrize(
    ("value", "fraction"),
    [
        (0.5, "1/2"),
        (0.3333, "1/3"),
        (0.05, "1/20"),
        (0.999, "999/1000"),
        (0.001, "1/1000"),
        (1.0, "1"),
        (1e-9, "1/1000000000"),
    ],
)
def test_what_somebody_means_by_a_float(value: float, fraction: str) -> None:
    assert str(simple_fraction(value)) == fraction
