"""The answer of another program beside ours; here verification/exported.py answers in Storm's place, from the same file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.analysis import external_tools
from princeps.analysis.export import Exported, export
from princeps.errors import RunError
from princeps.model.files import CHAIN, Output
from tests.conftest import Command

sys.path.append(str(Path(__file__).parents[2] / "verification"))
exported: Any = __import__("exported")

Answered = Callable[[Any], None]


@pytest.fixture
def answered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Answered:
    """`answered(error)`: what Storm is asked is solved by the other program, and `error` is added."""

    def install(error: Any) -> None:
        def expected_steps(item: Exported, exact: bool) -> Any:
            path = tmp_path / "asked.drn"
            export(item, Output(str(path), CHAIN, (), force=True))
            return exported.solve(exported.read(path), "target", exact=exact)[item.initial] + error

        monkeypatch.setattr(external_tools, "expected_steps", expected_steps)
        monkeypatch.setattr(external_tools, "stormpy_or_refuse", lambda: None)

    return install


@pytest.mark.parametrize("start", [None, "all_leaders"])
def test_fractions_must_be_equal(answered: Answered, start: str | None) -> None:
    """The worst configuration is asked for, or the one from which the analysis starts."""
    answered(0)
    found = princeps.exact("p_rl", n=2, N=2, start=start, rational=True, check="storm")
    exact = found.worst_exact if start is None else found.mean_exact
    assert (found.check.by, found.check.exact, found.check.agrees) == ("storm", True, True)
    assert Fraction(found.check.value_exact) == exact
    answered(Fraction(1, 10**12))
    assert not princeps.exact("p_rl", n=2, N=2, start=start, rational=True, check="storm").check.agrees


def test_a_fraction_must_lie_in_our_interval(answered: Answered) -> None:
    answered(0)
    assert princeps.exact("p_rl", n=2, N=2, check="storm").check.agrees
    answered(Fraction(1, 10**6))
    assert not princeps.exact("p_rl", n=2, N=2, check="storm").check.agrees


@pytest.mark.parametrize("limit", ["MAX_STORM_EXACT", "MAX_STORM_EXACT_COMPONENT"])
def test_large_chains_are_compared_with_the_precision_of_an_iteration(
    answered: Answered, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(external_tools, limit, 1)
    answered(0.0)
    exactly = princeps.exact("p_rl", n=2, N=2, check="storm").check
    assert (exactly.exact, exactly.value_exact, exactly.agrees) == (False, None, True)
    for error, agrees in ((0.5e-6, True), (2e-6, False), (-2e-6, False)):
        answered(error * exactly.ours)
        assert princeps.exact("p_rl", n=2, N=2, check="storm").check.agrees == agrees


def test_a_disagreement_is_told_and_ends_with_1(answered: Answered, quick: Command) -> None:
    answered(0)
    line = ("exact", "fratricide", "-n", 4, "--check", "storm")
    agreed = quick(*line)
    assert agreed.code == 0
    assert "9: agrees" in agreed.stdout
    answered(1)
    other = quick(*line)
    assert other.code == 1
    assert "10: DISAGREES" in other.stdout


def test_what_no_program_can_be_asked(answered: Answered) -> None:
    answered(0)
    with pytest.raises(RunError, match=r"the expected steps to leader are infinite: there is nothing to compare"):
        princeps.exact("fratricide", n=3, start="all", target="leader", check="storm")


@pytest.mark.medium
def test_storm_itself() -> None:
    pytest.importorskip("stormpy")
    for target in ("safe", "s_rl"):
        check = princeps.exact("p_rl", n=3, N=3, target=target, check="storm", rational=True).check
        assert (check.exact, check.agrees) == (True, True)
