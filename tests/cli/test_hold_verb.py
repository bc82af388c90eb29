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
