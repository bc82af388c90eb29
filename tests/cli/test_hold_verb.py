"""princeps hold on the command line."""

from __future__ import annotations

import pytest

from tests.conftest import Command

QUICK = ("hold", "timer", "-n", 3, "-p", "t_max=8", "--effort", 100, "--precision", "30%", "--seed", 1, "--jobs", 1)


def test_an_estimate_and_its_object(quick: Command) -> None:
    outcome = quick(*QUICK, "--no-compare", "--json")
    assert outcome.code == 0, outcome.stderr
    found = outcome.object
    assert {"mean", "interval", "method", "levels", "modes", "cost"} <= set(found)
    assert found["interval"][0] < found["mean"] < found["interval"][1]
    assert found["interval"][0] < (3**9 - 3) / 2 * 1.3  # about the mean from full timers
    assert found["interval"][1] > (3**9 - 3) / 2 * 0.7
    assert found["command"].startswith("princeps hold timer -n 3 -p t_max=8 --seed 1")


def test_the_comparison_is_printed(quick: Command) -> None:
    outcome = quick(*QUICK)
    assert outcome.code == 0, outcome.stderr
    assert "the same estimator at n = 3, t_max = 8" in outcome.stdout
    assert "standard errors" in outcome.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("hold", "p_rl", "-n", 4), "self-stabilizing"),
        (("hold", "timer", "-n", 4, "--precision", "lots"), "'lots'"),
        (("hold", "timer", "-n", 4, "--effort", 1), "effort = 1"),
        (("hold", "a_k"), "ring algorithm"),
    ],
)
def test_bad_input_is_one_sentence(quick: Command, words: tuple[object, ...], said: str) -> None:
    outcome = quick(*words)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert said in outcome.stderr
    assert "Traceback" not in outcome.stderr


RARE = ("run", "timer", "-n", 3, "-p", "t_max=8", "--seed", 1, "--rare")


def test_a_run_and_then_what_it_cannot_see(quick: Command) -> None:
    """The trial is the one without --hold, the estimate that of princeps hold with its defaults."""
    outcome = quick(*RARE, "--hold", "--json")
    assert outcome.code == 0, outcome.stderr
    run, held = outcome.objects
    assert run["converged"]
    assert run["steps"] == quick("run", "timer", "-n", 3, "-p", "t_max=8", "--seed", 1, "--json").object["steps"]
    assert held["verdict"] == "estimated"
    assert held["command"] == "princeps hold timer -n 3 -p t_max=8 --seed 1 --effort 2000 --precision 5%"
    assert abs(held["mean"] / 9833.496 - 1) < 0.2  # exactly, for t_max = 8


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (RARE, "give --hold, too"),
        (("run", "p_rl", "-n", 4, "--hold", "--rare"), "self-stabilizing"),
        (("run", "a_k", "--labels", "1,2,2", "-p", "k=2", "--hold", "--rare"), "hold"),
        ((*RARE, "--hold", "--fault", "5:1"), "--fault"),
    ],
)
def test_rare_is_refused_in_one_sentence(quick: Command, words: tuple[object, ...], said: str) -> None:
    outcome = quick(*words)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert said in outcome.stderr
    assert "Traceback" not in outcome.stderr
