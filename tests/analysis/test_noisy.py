"""Noisy adversaries, against value iteration over all configurations agent by agent, closed forms, and exported processes."""

from __future__ import annotations

import re
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import princeps
from princeps.analysis.chain import Bits
from princeps.model.reading import make_run
from tests.analysis.example_protocols import Anything
from tests.analysis.plain_population import PlainPopulation
from tests.analysis.test_fairness import Tossing
from tests.conftest import Command


def longest(plain: PlainPopulation, target: Bits, noise: float) -> NDArray[np.float64]:
    """Value iteration from below, until nothing changes: V = 1 + (1 - noise) max V(after) + noise mean V(after)."""
    values = np.zeros(plain.size)
    while True:
        after = np.stack([values[step] for step in plain.after])
        better = np.where(target, 0.0, 1 + (1 - noise) * after.max(axis=0) + noise * after.mean(axis=0))
        if np.abs(better - values).max() <= 1e-13 * better.max():
            return better
        values = better


def reached_from_everywhere(plain: PlainPopulation, target: Bits) -> bool:
    return bool(plain.leading_to(target, target).all())


def check(plain: PlainPopulation, target: Bits, noise: Fraction, found: Any) -> None:
    values = longest(plain, target, float(noise))
    assert found.worst == pytest.approx(values.max(), rel=1e-9)
    assert found.mean == pytest.approx(values.mean(), rel=1e-9)
    assert values[plain.number(found.worst_starts[0].states)] == pytest.approx(values.max(), rel=1e-9)
    for value, (low, high) in ((found.worst, found.worst_interval), (found.mean, found.mean_interval)):
        assert low <= value <= high
        assert high - low <= 1e-8 * value


@pytest.mark.parametrize("noise", ["1", "1/2", "0.1", "0.03"])
def test_p_rl_of_two(noise: str) -> None:
    plain = PlainPopulation(make_run("p_rl", 2, params={"N": 2}))
    found = princeps.exact("p_rl", 2, N=2, scheduler=f"noisy:{noise}")
    check(plain, plain.safe(), Fraction(noise), found)
    assert found.noise.uniform_worst == pytest.approx(6)


def test_all_noise_is_the_uniform_scheduler() -> None:
    noisy = princeps.exact("timer", 3, t_max=4, scheduler="noisy:1", rational=True)
    uniform = princeps.exact("timer", 3, t_max=4, rational=True)
    assert (noisy.worst_exact, noisy.mean_exact) == (uniform.worst_exact, uniform.mean_exact)


@pytest.mark.parametrize(("graph", "n"), [("ring", 3), ("complete", 3)])
def test_arbitrary_protocols(graph: str, n: int) -> None:
    compared = slower = 0
    for u in range(40):
        params = {"u": u, "busy": (40, 80)[u % 2]}
        plain = PlainPopulation(make_run(Anything, n, graph=graph, params=params))
        target = plain.leaders == 1
        said: dict[str, Any] = {"graph": graph, "target": "leader", "scheduler": "noisy:1/3", **params}
        found = princeps.exact(Anything, n, **said)
        if not reached_from_everywhere(plain, target):
            assert found.worst == inf
            assert found.trap is not None
            continue
        check(plain, target, Fraction(1, 3), found)
        exact = princeps.exact(Anything, n, rational=True, **said)
        assert exact.worst_exact is not None
        assert found.worst_interval[0] <= exact.worst_exact <= found.worst_interval[1]
        compared += 1
        slower += found.worst > found.noise.uniform_worst * 1.01
    assert compared >= 10
    assert slower >= 5


@pytest.mark.parametrize(("n", "noise"), [(3, Fraction(1, 10)), (5, Fraction(1, 7)), (40, Fraction(1, 3))])
def test_fratricide(n: int, noise: Fraction) -> None:
    """With k < n leaders two followers or a mixed pair meet whenever the adversary may choose; with n leaders it cannot."""
    found = princeps.exact("fratricide", n, scheduler=f"noisy:{noise}", rational=True)
    expected = 1 + sum(Fraction(n * (n - 1), k * (k - 1)) / noise for k in range(2, n))
    assert found.mean_exact == expected
    assert found.mean_interval[0] <= expected <= found.mean_interval[1]


def test_a_short_fraction() -> None:
    found = princeps.exact("p_rl", 2, N=2, scheduler="noisy:0.1", rational=True)
    assert (found.worst_exact, found.mean_exact) == (60, Fraction(80653, 4320))


def test_p_rl_of_three() -> None:
    """Worst starts change with the noise: leaders that are all shielded, then bullets everywhere."""
    much, little = (princeps.exact("p_rl", 3, N=3, scheduler=f"noisy:{noise}") for noise in ("0.2", "0.1"))
    assert all(agent["leader"] == agent["shield"] == 1 for agent in much.worst_start)
    assert all(agent["leader"] == 0 and agent["bullet"] > 0 for agent in little.worst_start)
    assert little.worst_interval[1] - little.worst_interval[0] < 1e-6


# -- exported ----------------------------------------------------------------------------------------------------------

Row = dict[int, Fraction]


def read_drn(path: Path) -> tuple[list[list[Row]], set[int], int]:
    """For every state its choices; the target; the initial state."""
    text = path.read_text()
    assert "@type: MDP" in text
    states: list[list[Row]] = []
    target, initial = set(), -1
    for line in text.partition("@model\n")[2].splitlines():
        if found := re.fullmatch(r"state (\d+) \[(\d)\](.*)", line):
            states.append([])
            if "target" in found[3].split():
                target.add(int(found[1]))
                assert found[2] == "0"
            initial = int(found[1]) if "init" in found[3].split() else initial
        elif line.startswith("\taction"):
            states[-1].append({})
        else:
            y, _, chance = line.strip().partition(" : ")
            states[-1][-1][int(y)] = Fraction(chance)
    assert int(re.search(r"@nr_choices\n(\d+)", text)[1]) == sum(map(len, states))
    return states, target, initial


def longest_of(states: list[list[Row]], target: set[int]) -> list[float]:
    values = [0.0] * len(states)
    while True:
        better = [
            0.0 if x in target else 1 + max(sum(float(chance) * values[y] for y, chance in row.items()) for row in rows)
            for x, rows in enumerate(states)
        ]
        if max(abs(a - b) for a, b in zip(better, values, strict=True)) <= 1e-12 * max(better):
            return better
        values = better


def test_the_exported_process(tmp_path: Path) -> None:
    """Read again, every choice is a distribution, and value iteration over the file gives the same worst time."""
    path = tmp_path / "game.drn"
    found = princeps.exact("p_rl", 2, N=2, scheduler="noisy:1/4", export=str(path))
    states, target, initial = read_drn(path)
    assert all(sum(row.values()) == 1 for rows in states for row in rows)
    assert max(map(len, states)) > 1
    assert longest_of(states, target)[initial] == pytest.approx(found.worst, rel=1e-9)


def test_the_same_in_the_prism_language(tmp_path: Path) -> None:
    drn, prism = tmp_path / "game.drn", tmp_path / "game.prism"
    for path in (drn, prism):
        princeps.exact("p_rl", 2, N=2, scheduler="noisy:1/4", export=str(path))
    text = prism.read_text()
    assert re.search(r"^mdp$", text, re.MULTILINE)
    commands: list[list[Row]] = []
    for x, updates in re.findall(r"\[\] s=(\d+) -> (.*);", text):
        if int(x) == len(commands):
            commands.append([])
        row = {int(y): Fraction(chance) for chance, y in re.findall(r"([\d/]+):\(s'=(\d+)\)", updates)}
        commands[int(x)].append(row)
    assert commands == read_drn(drn)[0]


def test_storm_agrees() -> None:
    pytest.importorskip("stormpy")
    exact = princeps.exact("p_rl", 2, N=2, scheduler="noisy:0.1", rational=True, check="storm")
    assert (exact.check.agrees, exact.check.value_exact) == (True, "60")
    assert princeps.exact("p_rl", 3, N=3, scheduler="noisy:0.1", check="storm").check.agrees


# -- what a user sees --------------------------------------------------------------------------------------------------


def test_the_command_line(quick: Command) -> None:
    outcome = quick("exact", "p_rl", "-n", "2", "--scheduler", "noisy:0.1", "--rational")
    assert outcome.code == 0
    assert "with probability 1/10 uniform" in outcome.stdout
    assert re.search(r"worst exactly +60\n", outcome.stdout)
    found = quick("exact", "p_rl", "-n", "2", "--scheduler", "noisy:1/10", "--json").object
    assert (found["noise"], found["scheduler"], found["uniform_worst"]) == ("1/10", "noisy:1/10", pytest.approx(6))
    assert found["worst"] == pytest.approx(60)


@pytest.mark.parametrize("text", ["noisy:0", "noisy:1.5", "noisy:-1", "noisy:", "noisy:x", "noisy:1/0", "noisy:nan"])
def test_no_noise_that_is_none(quick: Command, text: str) -> None:
    outcome = quick("exact", "p_rl", "-n", "2", "--scheduler", text)
    assert outcome.code == 2
    assert text in outcome.stderr
    assert "noisy:0.1" in outcome.stderr


def test_a_noise_that_is_too_fine_is_refused_before_anything_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("princeps.analysis.analysis.explore_from_start")
    monkeypatch.delattr("princeps.analysis.analysis.explore_all")
    for name, n in (("fratricide", 3), ("p_ll", 4), ("p_rl", 3)):
        with pytest.raises(
            princeps.PrincepsError, match=r"the denominator about 10\^30\d, above 2\^53: give a noise with fewer"
        ):
            princeps.exact(name, n, scheduler="noisy:1e-300")


def test_other_questions_are_refused(quick: Command) -> None:
    for option in ("--variance", "--hold", "--sets", "--lemmas", "--distribution", "--leaders"):
        outcome = quick("exact", "p_rl", "-n", "2", "--scheduler", "noisy:0.1", option)
        assert outcome.code == 2, option
        assert f"leave {option} out" in outcome.stderr
    with pytest.raises(princeps.PrincepsError, match=r"tosses coins.*weakly-fair"):
        princeps.exact(Tossing, 3, scheduler="noisy:0.1")
