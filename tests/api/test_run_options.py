"""What can be asked of a run: holding, faults, schedules, graphs, identifiers, records, estimates."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import princeps as library
from princeps.model.fields import Counts
from tests.conftest import Command

REFERENCE = ("--engine", "reference")
SMALL_P_PL = ("run", "p_pl", "-n", 4, "-p", "virus_factor=1", "-p", "emit_factor=1", "--json", *REFERENCE)
P_RL = ("run", "p_rl", "-n", 6, "--json", *REFERENCE)


# -- holding ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["reference", "agents"])
def test_hold_measures_how_long_the_leader_is_kept(quick: Command, engine: str) -> None:
    outcome = quick(*SMALL_P_PL[:-1], engine, "--seed", 1, "--hold")
    held = outcome.object
    assert outcome.code == 0
    assert (held["converged"], held["held"]) == (True, False)
    assert held["held_steps"] > 0
    for steps, leaders in ((-1, 1), (0, held["leaders"])):  # the leader is lost in the very last of them
        limit = held["steps"] + held["held_steps"] + steps
        cut = quick(*SMALL_P_PL[:-1], engine, "--seed", 1, "--hold", "--max-steps", limit).object
        assert cut["held"] is (steps == -1)
        assert cut["held_steps"] == held["held_steps"] + steps
        assert cut["leaders"] == leaders


@pytest.mark.medium
def test_hold_says_that_the_leader_still_holds(quick: Command) -> None:
    words = ("run", "p_pl", "-n", 4, "-p", "emit_factor=9", "--hold", "--max-steps", 20_000, "--seed", 1)
    result = quick(*words, "--json").object
    assert result["held"] is True
    assert result["steps"] + result["held_steps"] == 20_000
    assert "still holding" in quick(*words).stdout


def test_a_goal_that_was_never_reached_was_never_held(quick: Command) -> None:
    outcome = quick(*SMALL_P_PL, "--seed", 1, "--hold", "--max-steps", 1)
    assert outcome.code == 1
    assert outcome.object["held"] is None
    assert outcome.object["held_steps"] is None


# -- faults -------------------------------------------------------------------------------------------------------


def test_each_fault_has_its_recovery_and_steps_stays_the_first_hit(quick: Command) -> None:
    calm = quick(*P_RL, "--seed", 1).object
    struck = quick(*P_RL, "--seed", 1, "--fault", "900:6", "--fault", "500:3").object
    assert struck["steps"] == calm["steps"] < 500
    assert [(fault["step"], fault["agents"]) for fault in struck["faults"]] == [(500, 3), (900, 6)]
    assert all(fault["recovery_steps"] > 0 for fault in struck["faults"])


def test_a_fault_before_the_goal_recovers_at_the_goal(quick: Command) -> None:
    result = quick(*P_RL, "--seed", 1, "--fault", "2:1").object
    assert result["faults"] == [{"step": 2, "agents": 1, "recovery_steps": result["steps"] - 2}]


def test_a_steady_rate_of_faults_ends_with_the_limit_and_code_0(quick: Command) -> None:
    outcome = quick(*P_RL, "--seed", 1, "--fault", "every:300:2", "--max-steps", 1000)
    assert outcome.code == 0
    assert [fault["step"] for fault in outcome.object["faults"]] == [300, 600, 900]


def test_what_is_not_self_stabilizing_may_never_recover(quick: Command) -> None:
    trials = range(12)
    outcomes = [
        quick("run", "fratricide", "-n", 3, "--fault", "90:3", "--seed", s, "--json", *REFERENCE) for s in trials
    ]
    never = [outcome for outcome in outcomes if outcome.object["faults"][0]["recovery_steps"] is None]
    assert 0 < len(never) < len(trials)
    assert all((outcome.code, outcome.object["leaders"]) == (1, 0) for outcome in never)
    assert all(outcome.code == 0 for outcome in outcomes if outcome not in never)
    seed = never[0].object["seed"]
    assert (
        "never recovered" in quick("run", "fratricide", "-n", 3, "--fault", "90:3", "--seed", seed, *REFERENCE).stdout
    )


# -- schedules and graphs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["reference", "agents"])
def test_a_schedule_is_replayed(quick: Command, tmp_path: Path, engine: str) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text("# every leader but 3 falls\n3 1\n\n3,0  # with a comma\n2 1\n3 2\n0 1\n")
    words = ("run", "fratricide", "-n", 4, "--pairs", path, "--engine", engine, "--json")
    outcome = quick(*words)
    assert outcome.code == 0
    assert (outcome.object["steps"], outcome.object["leader"], outcome.object["events"]) == (4, 3, 3)
    path.write_text("3 1\n2 0\n")
    short = quick(*words)
    assert short.code == 1
    assert (short.object["steps"], short.object["leaders"]) == (2, 2)


def test_a_schedule_off_the_graph_can_be_forced(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text("0 1\n1 0\n0 2\n")
    outcome = quick("run", "p_rl", "-n", 3, "--until", "c_pb", "--pairs", path, "--force", "--json", *REFERENCE)
    assert outcome.object["steps"] <= 3


@pytest.mark.parametrize(
    "graph",
    [
        *("complete", "ring", "directed-ring", "undirected-ring", "path", "star"),
        *("grid:3x4", "torus:3x4", "regular:3", "er:0.6", "file"),
    ],
)
def test_an_infection_spreads_over_every_graph(quick: Command, tmp_path: Path, graph: str) -> None:
    if graph == "file":
        graph = str(tmp_path / "edges.txt")
        Path(graph).write_text("".join(f"{k} {k + 1}\n" for k in range(11)))
    result = quick("run", "infection", "--graph", graph, "-n", 12, "--seed", 1, "--json", *REFERENCE).object
    assert (result["n"], result["converged"]) == (12, True)
    assert result["graph"] == {"directed-ring": "ring"}.get(graph, graph)


def test_a_grid_and_a_file_say_how_many_agents_there_are(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "edges.txt"
    path.write_text("0 1\n1 > 2\n")
    assert quick("run", "infection", "--graph", "grid:2x5", "--json", *REFERENCE).object["n"] == 10
    assert quick("run", "infection", "--graph", path, "--json", *REFERENCE).object["n"] == 3


def test_force_runs_a_protocol_where_its_paper_does_not(quick: Command) -> None:
    outcome = quick("run", "p_ll", "-n", 5, "--graph", "star", "--force", "--max-steps", 50, "--json", *REFERENCE)
    assert outcome.code in (0, 1)
    assert outcome.object["graph"] == "star"


def test_two_leaders_at_the_ends_of_a_star_never_meet(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "states.json"
    path.write_text(json.dumps([{"leader": 0}, {"leader": 1}, {"leader": 1}]))
    words = ("run", "fratricide", "-n", 3, "--start", f"file:{path}", "--graph", "star", "--force", "--json")
    assert quick(*words, "--max-steps", 300, *REFERENCE).object["leaders"] == 2


# -- identifiers --------------------------------------------------------------------------------------------------


def test_the_largest_listed_id_leads(quick: Command) -> None:
    for ids, leader in (("5,90,7", 1), ("90,5,7", 0), ("0,1,2", 2)):
        assert quick("run", "infection", "-n", 3, "--ids", ids, "--json", *REFERENCE).object["leader"] == leader


def test_random_ids_are_sparse_and_differ_between_trials(quick: Command) -> None:
    words = ("run", "infection", "-n", 3, "--ids", "random:1e15", "--seed", 1, *REFERENCE)
    shown = [quick(*words, "--trial", trial).stdout.split("whose id is ")[1].split()[0] for trial in range(4)]
    assert len(set(shown)) == 4
    assert all(10**9 < int(text) <= 10**15 for text in shown)


def test_the_default_ids_are_one_to_n_in_an_order_of_the_seed(quick: Command) -> None:
    found = [quick("run", "infection", "-n", 9, "--seed", seed, *REFERENCE).stdout for seed in range(6)]
    assert all("whose id is 9\n" in text for text in found)
    assert len({text.split("leader         agent ")[1][0] for text in found}) > 1


@pytest.mark.parametrize("engine", ["reference", "agents"])
def test_a_state_file_and_the_ids_must_agree(quick: Command, tmp_path: Path, engine: str) -> None:
    path = tmp_path / "states.json"
    path.write_text(json.dumps([{"aid": aid, "leader": aid, "isLeader": 1} for aid in (10, 30, 20)]))
    words = ("run", "infection", "-n", 3, "--start", f"file:{path}", "--engine", engine, "--seed", 1, "--json")
    assert quick(*words, "--ids", "10,30,20").object["leader"] == 1
    outcome = quick(*words, "--max-steps", 100)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert "agent 0 has aid = 10, but its id is" in outcome.stderr
    assert "--ids" in outcome.stderr


# -- records ------------------------------------------------------------------------------------------------------


def test_a_record_has_a_row_at_every_multiple_of_the_spacing(quick: Command) -> None:
    words = ("run", "fratricide", "-n", 10, "--seed", 1, "--max-steps", 30, "--record", "leaders", "--json", *REFERENCE)
    record = quick(*words, "--record", "leader == 0", "--every", "0.3").object["record"]
    assert record["steps"] == [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30]
    assert record["parallel_time"] == [step / 10 for step in record["steps"]]
    assert record["leaders"][0] == 10
    assert record["leaders"] == sorted(record["leaders"], reverse=True)
    assert [a + b for a, b in zip(record["leaders"], record["leader == 0"], strict=True)] == [10] * 11
    assert quick(*words).object["record"]["steps"] == list(range(31))


def test_a_spacing_below_one_step_records_every_step(quick: Command) -> None:
    words = ("run", "fratricide", "-n", 10, "--max-steps", 5, "--record", "leaders", "--json", *REFERENCE)
    assert quick(*words, "--every", "1e-300").object["record"]["steps"] == [0, 1, 2, 3, 4, 5]
    assert quick(*words, "--every", "0.25").object["record"]["steps"] == [0, 3, 5]


def test_recording_does_not_change_the_run() -> None:
    plain = library.run("p_rl", n=8, seed=5, engine="reference")
    recorded = library.run("p_rl", n=8, seed=5, engine="reference", record={"far": "distL > 3"}, every=0.7)
    assert recorded.record is not None
    assert list(recorded.record) == ["steps", "parallel_time", "far"]
    assert (recorded.steps, recorded.leader, recorded.events) == (plain.steps, plain.leader, plain.events)


# -- estimates and checks -----------------------------------------------------------------------------------------


@pytest.mark.medium
def test_a_dry_run_estimates_and_runs_nothing(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "never.jsonl"
    words = ("run", "fratricide", "-n", 1000, "--trials", 4, "--jobs", 2, "--dry-run", "-o", path, "--engine", "agents")
    guess = quick(*words, "--json").object
    assert (guess["steps"], guess["trials"]) == (999**2, 4)
    assert 1 <= guess["bytes_per_agent"] <= 8
    assert guess["seconds"] == pytest.approx(2 * 999**2 / guess["steps_per_second"])
    assert guess["memory"] > 2 * 1000 * guess["bytes_per_agent"]
    text = quick(*words).stdout
    assert "an estimate, nothing was run" in text
    skipping = quick("run", "fratricide", "-n", "1e15", "--dry-run")
    assert "null interactions are skipped" in skipping.stdout
    assert quick("run", "p_rl", "-n", 500, "--dry-run", "--json").object["engine"] == "events"
    assert not path.exists()


def test_a_dry_run_takes_listed_agents_as_they_are(
    quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("princeps.engines.estimate.SLICE_AGENTS", 2)
    states, pairs = tmp_path / "states.json", tmp_path / "pairs.txt"
    states.write_text(json.dumps([{"leader": 1}] * 5))
    pairs.write_text("4 3\n")
    words = ("run", "fratricide", "-n", 5, "--dry-run", "--json", *REFERENCE)
    assert quick(*words, "--start", f"file:{states}").object["n"] == 5
    assert quick(*words, "--pairs", pairs).object["n"] == 5


def test_a_checked_run_names_the_broken_invariant(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    from princeps.protocols.p_ll import PLL

    def impossible(c: Counts, p: object) -> int:
        """more leaders than agents"""
        return c.leaders > c.n

    words = ("run", "p_ll", "-n", 5, "--check", "--seed", 1, "--json")
    assert quick(*words).object["engine"] == "reference"
    monkeypatch.setattr(PLL, "invariants", {"L0": impossible})
    outcome = quick(*words)
    assert outcome.code == 2
    assert "after 1 step invariant L0 (more leaders than agents) fails" in outcome.stderr


def test_snapshots_are_part_of_the_estimate() -> None:
    given = {"engine": "reference", "max_steps": 100}
    without = library.estimate("fratricide", 1000, **given).memory
    assert library.estimate("fratricide", 1000, snapshots=[0, 5, 100, 200], **given).memory == without + 3 * 1000


def test_python_estimates_too() -> None:
    guess = library.estimate("p_ll", 10**6, trials=10, jobs=2, m=20)
    assert (guess.bytes_per_agent, guess.trials, guess.params["m"]) == (2, 10, 20)
    assert guess.memory > 2 * 2 * 10**6
    assert guess.steps is not None
    assert guess.seconds is not None
    assert guess.seconds > 0
    assert library.estimate("p_rl", 30, until="safe").steps is None
    assert library.estimate("p_rl", 30, until="safe", max_steps=500).steps == 500
