"""princeps.worst finds the starts that are known to be slow."""

from __future__ import annotations

import pytest

import princeps
from tests.conftest import Command


@pytest.mark.slow
def test_p_rl_all_live_bullets() -> None:
    found = princeps.worst("p_rl", 64, seed=1, trials=200)
    best = [found.worst.label, *found.worst.alike, *found.worst.not_distinguishable_from]
    assert "no_leader_bullets" in best
    assert found.worst.mean == pytest.approx(5.17 * 64 * 64, rel=0.08)


@pytest.mark.slow
def test_p_pl_all_leaders_shielded() -> None:
    found = princeps.worst("p_pl", 64, t_virus=20, t_max=200, t_emit=200, seed=1, trials=200)
    best = [found.worst.label, *found.worst.alike, *found.worst.not_distinguishable_from]
    assert "all_leaders_shielded" in best


def test_beside_the_exact_worst_start() -> None:
    """At a size where all configurations can be tried: the winner's mean is near the exact maximum, and not above it."""
    exact = princeps.exact("timer", 4, t_max=5, target="leader")
    found = princeps.worst("timer", 4, t_max=5, until="leader", seed=3, trials=600)
    low, high = found.worst.interval
    half = (high - low) / 2
    assert found.worst.mean <= exact.worst + 3 * half
    assert found.worst.mean >= 0.9 * exact.worst
    assert found.worst.trials == 600


def test_the_same_seed_gives_the_same_race() -> None:
    one, other = (princeps.worst("timer", 6, t_max=4, seed=5, trials=20).as_json() for _ in range(2))
    del one["seconds"], other["seconds"]
    assert one == other
    assert len(one["starts"]) <= 5


def test_what_a_user_sees(quick: Command) -> None:
    outcome = quick("worst", "timer", "-n", "6", "-p", "t_max=4", "--seed", "5", "--trials", "20")
    assert outcome.code == 0
    assert "timer, n = 6, complete, until leader: the worst starts found" in outcome.stdout
    found = quick("worst", "timer", "-n", "6", "-p", "t_max=4", "--seed", "5", "--trials", "20", "--json").object
    assert set(found["starts"][0]) >= {
        "label",
        "start",
        "mean",
        "interval",
        "trials",
        "not_distinguishable_from",
        "command",
    }
    assert found["starts"][0]["command"].startswith("princeps run timer -n 6 -p t_max=4 --start")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("p_ll -n 8", "not self-stabilizing"),
        ("a_k -n 5", "ring algorithm"),
        ("p_rl", "-n"),
        ("p_rl -n 8 --trials 1", "at least 2"),
        ("p_rl -n 8 --trials x", "'x'"),
        ("p_rl -n 8 --limit 100", "--limit"),
        ("p_rl -n 6 -p N=6 --until leaders==5 --limit 1e4 --seed 1", "--limit"),  # no trial ever ends by itself
        ("p_rl -n 1000000", "too large"),
        ("p_rl -n 8 --until nowhere", "'nowhere'"),
    ],
)
def test_what_is_refused(quick: Command, words: str, said: str) -> None:
    outcome = quick("worst", *words.split())
    assert outcome.code == 2
    assert said in outcome.stderr
    assert len(outcome.stderr.strip().splitlines()) == 1


def test_other_options_are_refused() -> None:
    with pytest.raises(princeps.PrincepsError, match="it looks for one"):
        princeps.worst("p_rl", 8, start="random")
