"""The claims on P_RL that share a table's evidence, and how soon leaders become fewer."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from princeps.campaign.store import open_store
from princeps.model.reading import make_run
from princeps.model.starts import starting_states
from princeps.papers.laboratory import FULL, QUICK, Lab
from princeps.papers.p_rl import falling, oracle, table
from princeps.papers.p_rl.falling import BOUND, CAP, cases_of, falls, halvings, held, states_of
from princeps.papers.p_rl.watchers import in_c_ni
from princeps.papers.pending import NotReady
from princeps.papers.tables.directed_rings import TABLE
from princeps.papers.tables.measuring import asked_of, measured_row, slowest
from princeps.papers.verdicts import INCONCLUSIVE, SUPPORTED, VIOLATED
from tests.papers.altering import verdict_of
from tests.tables import in_one_test

# -- Claim 3 -----------------------------------------------------------------------------------------------------------


@in_one_test(
    ("kind", "n", "leaders"), [("even", 40, 16), ("shielded", 32, 16), ("side by side", 64, 16), ("even", 20, 20)]
)
def test_every_start_is_in_c_ni(kind: str, n: int, leaders: int) -> None:
    run = make_run("p_rl", n, start=f"states:{states_of(kind, n, leaders)}")
    u: Any = [run.protocol.agent(state) for state in starting_states(run)]  # type: ignore[call-arg]
    assert sum(agent.leader for agent in u) == leaders
    assert all(agent.shield == (kind == "shielded") for agent in u if agent.leader)
    assert in_c_ni(u, n)


def test_leaders_are_halved_as_long_as_a_twelfth_of_them_is_one() -> None:
    assert halvings(128) == [128, 64, 32, 16]
    assert halvings(100) == [100, 50, 25]


def test_every_kind_grows_over_enough_sizes() -> None:
    for effort in (QUICK, FULL):
        lab: Any = SimpleNamespace(pick=lambda quick, full, sketch=None, e=effort: quick if e == QUICK else full)
        cases = cases_of(lab)
        for kind in ("even", "shielded"):
            assert sum(of == kind and counts == [falling.FEWEST] for of, _, counts in cases) >= 4
        assert sum(of == "even" and counts == [n // falling.GAP] for of, n, counts in cases) >= 4
        assert sum(len(counts) > 1 for _, _, counts in cases) >= 4


def test_steps_until_a_twelfth_has_fallen() -> None:
    times = falls(0, 1, protocol="p_rl", cases=[("even", 32, [32, 16])], trials=3)
    assert [len(values) for values in times] == [3, 3]
    assert all(0 < value < CAP * 32 for value in times[0])


def test_a_mean_is_held_to_the_bound_and_what_was_given_up_supports_nothing() -> None:
    n, s = 64, 16
    unit = n * n // s
    assert held("even", n, s, [unit] * 40).verdict == SUPPORTED
    assert held("even", n, s, [2 * BOUND * unit] * 40).verdict == VIOLATED
    part = held("even", n, s, [0] * 4000 + [CAP * unit])
    assert part.verdict == INCONCLUSIVE
    assert "1 trials were given up" in part.says


@pytest.mark.slow
def test_leaders_that_keep_their_shields_do_not_become_fewer(tmp_path: Path) -> None:
    """And another fault: dummies that are live let all of them be shielded for ever, too."""
    edit = ("p_rl", "r.bullet, r.shield, r.signal = DUMMY, 0, 0", "r.bullet, r.shield, r.signal = LIVE, 1, 0")
    assert verdict_of("000.claim3", tmp_path, edit) == VIOLATED


# -- Table 1 -----------------------------------------------------------------------------------------------------------


def test_the_claims_are_about_rows_of_the_table() -> None:
    assert [row.protocol for row in table.ROWS] == ["aafj", "fischer_jiang", "p_rl"]
    assert [row.claim.power for row in table.ROWS if row.claim] == [3, 3, 2]
    assert oracle.ROW in TABLE.rows


@pytest.mark.parametrize("effort", [QUICK, FULL])
def test_the_claims_ask_for_the_trials_of_the_table(effort: str, tmp_path: Path) -> None:
    with open_store(str(tmp_path / "papers.db")) as store:
        for row in (*table.ROWS, oracle.ROW):
            asked, shown = Lab(store, effort=effort), Lab(store, effort=effort)
            asked_of(asked, row)
            with pytest.raises(NotReady):  # nothing has been run
                measured_row(shown, TABLE, row)
            assert set(asked.missing.sweeps) == set(shown.missing.sweeps)
            assert asked.missing.sweeps


def test_the_slowest_start_is_that_of_the_largest_size() -> None:
    def runs(*means: float) -> Any:
        return [
            SimpleNamespace(n=n, sample=lambda _, mean=mean: SimpleNamespace(mean=mean, sd=1.0, trials=4))
            for n, mean in zip((8, 16), means, strict=True)
        ]

    start, _ = slowest({"early": runs(50, 60), "late": runs(1, 70)}, "steps")
    assert start == "late"


@pytest.mark.slow
def test_an_oracle_that_says_nothing_is_noticed(tmp_path: Path) -> None:
    edit = ("p_rl_oracle", "if p.nobody_leads == 1:", "if p.nobody_leads == 2:")
    assert verdict_of("000.oracle", tmp_path, edit) == VIOLATED
