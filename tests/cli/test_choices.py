"""What `princeps show` says of coins and oracles."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import Command

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_show_tells_of_coins_and_oracles(quick: Command) -> None:
    shown = quick("show", str(EXAMPLES / "phoenix.py")).stdout
    assert "the rule tosses coins" in shown
    assert "p.nobody_leads: no agent leads" in shown
    facts = quick("show", str(EXAMPLES / "phoenix.py"), "--json").object
    assert facts["coins"] is True
    assert facts["oracle"] == {"nobody_leads": "no agent leads"}
    plain = quick("show", "fratricide", "--json").object
    assert not {"coins", "oracle"} & set(plain)


def test_trials_and_sweeps_of_rules_with_choices(quick: Command, tmp_path: Path) -> None:
    dice, store = str(EXAMPLES / "dice.py"), str(tmp_path / "dice.db")
    several = quick("run", dice, "-n", "6", "--trials", "4", "--seed", "2", "--engine", "reference", "--json").objects
    assert len({trial["steps"] for trial in several}) > 1
    swept = quick("sweep", dice, "-n", "4,6", "--trials", "2", "--store", store, "--engine", "reference", "--jobs", "1")
    assert swept.code == 0
    rows = quick("results", store, "--json").objects
    assert [row["n"] for row in rows] == [4, 6]
