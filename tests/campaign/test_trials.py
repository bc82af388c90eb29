"""Many trials: each can be repeated alone, processes change nothing, and a worker that dies costs its own trial."""

from __future__ import annotations

import os
import shlex
import signal
from collections.abc import Callable
from pathlib import Path
from statistics import mean, median, stdev

import pytest

import princeps as library
from princeps.campaign.tasks import DescribedTrials
from princeps.campaign.trials import run_trials
from princeps.cli.tables import print_trials
from princeps.errors import ParameterError, PrincepsError, WorkerLost
from princeps.model.description import describe
from princeps.model.result_report import quantile
from tests.conftest import Command, Outcome, Start, wait_for, without_times

REFERENCE = ("--engine", "reference")
WORDS = ("run", "p_rl", "-n", 6, "--seed", 11, *REFERENCE)


def test_a_trial_alone_is_the_same_trial(quick: Command) -> None:
    results = quick(*WORDS, "--trials", 5, "--json").objects
    assert [result["trial"] for result in results] == [0, 1, 2, 3, 4]
    assert len({result["steps"] for result in results}) > 1
    for result in results:
        alone = quick(*WORDS, "--trial", result["trial"], "--json").object
        assert without_times(alone) == without_times(result)
    assert without_times(quick(*WORDS, "--json").object) == without_times(results[0])


@pytest.mark.medium
def test_processes_change_nothing_but_the_time(quick: Command) -> None:
    one, two = (quick(*WORDS, "--trials", 6, "--jobs", jobs, "--json") for jobs in (1, 2))
    assert (one.code, two.code) == (0, 0)
    assert list(map(without_times, one.objects)) == list(map(without_times, two.objects))


@pytest.mark.slow
def test_trials_of_the_compiled_engine_are_the_same_over_processes() -> None:
    arguments = {"name": "fratricide", "n": 50, "seed": 3, "engine": "agents"}
    found = {
        result.trial: result.steps for result in run_trials(DescribedTrials(describe(**arguments)), range(3), jobs=2)
    }
    assert found == {trial: library.run("fratricide", n=50, seed=3, trial=trial).steps for trial in range(3)}


def test_the_table_summarises_the_trials(quick: Command) -> None:
    steps = sorted(result["steps"] for result in quick(*WORDS, "--trials", 9, "--json").objects)
    lines = quick(*WORDS, "--trials", 9).stdout.splitlines()
    row = next(line.split() for line in lines if line.startswith("steps "))
    expected = [mean(steps), stdev(steps) / 3, median(steps), quantile(steps, 0.05), quantile(steps, 0.95)]
    assert [float(word.replace(",", "")) for word in row[1:]] == pytest.approx(expected, rel=1e-5)
    assert lines[0] == "p_rl, n = 6, until s_rl: 9 of 9 trials of seed 11"
    alone = shlex.split(lines[-1].removeprefix("trial i alone: ").replace("--trial i", "--trial 4"))
    assert quick(*alone[1:], "--json").object["trial"] == 4


def test_quantiles_interpolate_between_the_order_statistics() -> None:
    assert quantile([7.0], 0.95) == 7
    assert quantile([0.0, 10.0], 0.05) == pytest.approx(0.5)
    assert [quantile([1.0, 2.0, 4.0], q) for q in (0, 0.25, 0.5, 0.75, 1)] == [1, 1.5, 2, 3, 4]


def test_the_table_of_interrupted_trials_may_lack_the_first(capsys: pytest.CaptureFixture[str]) -> None:
    results = [library.run("p_rl", n=4, seed=1, trial=trial, engine="reference") for trial in (2, 3)]
    print_trials(results, wanted=4)
    out = capsys.readouterr().out
    assert "2 of 4 trials" in out
    assert out.endswith("--seed 1 --engine reference --trial i\n")


def test_trials_that_miss_the_goal_are_counted_apart(quick: Command) -> None:
    steps = sorted(result["steps"] for result in quick(*WORDS, "--trials", 9, "--json").objects)
    outcome = quick(*WORDS, "--trials", 9, "--max-steps", steps[6])
    assert outcome.code == 1
    assert "2 trials did not reach the goal" in outcome.stdout


@pytest.mark.medium
def test_a_mistake_in_a_worker_is_told_like_any_other(quick: Command, tmp_path: Path) -> None:
    outcome = quick(*WORDS, "--trials", 4, "--jobs", 2, "--start", f"file:{tmp_path}/nowhere.json")
    assert (outcome.code, outcome.stdout) == (2, "")
    assert len(outcome.stderr.splitlines()) == 1
    with pytest.raises(PrincepsError, match="nowhere"):
        list(run_trials(DescribedTrials(describe("p_rl", 6, start="file:nowhere")), range(4), jobs=2))


@pytest.mark.medium
def test_from_python_trials_come_in_order() -> None:
    results = library.trials("p_rl", n=6, trials=4, jobs=2, seed=11, engine="reference", N=7)
    assert [result.trial for result in results] == [0, 1, 2, 3]
    assert results[2].steps == library.run("p_rl", n=6, seed=11, engine="reference", N=7, trial=2).steps
    with pytest.raises(ParameterError, match="N = 2"):
        library.trials("p_rl", n=6, trials=4, seed=11, engine="reference", N=2)


# -- workers that die ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_killed_worker_costs_its_own_trial_which_is_run_again(
    quick: Command, start: Start, duel: Callable[[str], str], tmp_path: Path
) -> None:
    name = duel("WORKER and once('victim') and stay()")
    words = ("run", name, "-n", 5, "--seed", 4, "--trials", 6, "--json", *REFERENCE)
    process = start(*words, "--jobs", 2)
    victim = tmp_path / "victim"
    wait_for(lambda: victim.exists() and victim.read_text())
    os.kill(int(victim.read_text()), signal.SIGKILL)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert len((tmp_path / "begun").read_text().split()) == 7
    alone = quick(*words, "--jobs", 1).objects
    assert list(map(without_times, Outcome(0, out, err).objects)) == list(map(without_times, alone))


@pytest.mark.slow
def test_a_trial_that_kills_three_workers_is_given_up(duel: Callable[[str], str], tmp_path: Path) -> None:
    description = DescribedTrials(describe(duel("os._exit(9)"), 5, seed=4, engine="reference"))
    with pytest.raises(WorkerLost, match="killed 3 workers: run it alone with trial="):
        list(run_trials(description, range(2), jobs=2))
    assert 3 <= len((tmp_path / "begun").read_text().split()) <= 6


@pytest.mark.slow
def test_a_file_that_kills_every_worker_at_once_is_given_up_too(princeps: Command, tmp_path: Path) -> None:
    path = tmp_path / "deadly.py"
    path.write_text(
        "import os\n"
        "if 'PRINCEPS_WORKER' in os.environ: os._exit(9)\n"
        "from princeps.protocols.fratricide import Fratricide\n"
        "class Deadly(Fratricide): pass\n"
    )
    words = ("run", f"{path}:Deadly", "-n", 5, "--trials", 4, *REFERENCE)
    assert princeps(*words, "--jobs", 1).code == 0
    outcome = princeps(*words, "--jobs", 2)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert len(outcome.stderr.splitlines()) == 1
    assert "killed 3 workers" in outcome.stderr


@pytest.mark.slow
def test_what_was_finished_is_shown_when_a_trial_is_given_up(duel: Callable[[str], str], princeps: Command) -> None:
    name = duel("len((HERE / 'begun').read_text().split()) < 4 or os._exit(9)")
    outcome = princeps("run", name, "-n", 3, "--seed", 1, "--trials", 9, "--jobs", 2, "--json", *REFERENCE)
    assert outcome.code == 2
    assert "killed 3 workers" in outcome.stderr
    assert 2 <= len(outcome.objects) <= 4


@pytest.mark.medium
def test_what_a_file_prints_does_not_come_between_the_answers(duel: Callable[[str], str]) -> None:
    description = DescribedTrials(describe(duel("print('hello')"), 4, seed=4, engine="reference"))
    assert sorted(result.trial for result in run_trials(description, range(4), jobs=2)) == [0, 1, 2, 3]


@pytest.mark.medium
def test_leaving_early_ends_the_workers(duel: Callable[[str], str], tmp_path: Path) -> None:
    name = duel("len((HERE / 'begun').read_text().split()) < 3 or stay()")
    results = run_trials(DescribedTrials(describe(name, 3, seed=1, engine="reference")), range(9), jobs=2)
    next(results)
    wait_for(lambda: len((tmp_path / "begun").read_text().split()) >= 3)
    results.close()  # type: ignore[attr-defined]
    for pid in set((tmp_path / "begun").read_text().split()):
        wait_for(lambda pid=pid: not alive(int(pid)), 5)
        assert not alive(int(pid))


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
