"""A real Dask cluster does what local workers do: the same rows, whoever dies on the way."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any

import pytest

from princeps.campaign import cluster as clusters
from princeps.campaign.tasks import DescribedTrials
from princeps.errors import RunError
from princeps.model.description import describe
from tests.campaign.campaign_tools import (
    MAIN,
    REFERENCE,
    assert_sound,
    begun,
    count,
    duel_protocol,
    patiently,
    running,
    slow_protocol,
    table,
)
from tests.conftest import Command, wait_for

distributed = pytest.importorskip("distributed")

SLOWLY = 0.01  # seconds a meeting
FIRST_KILLS = """if once('first'):
            while not there('go'):
                time.sleep(0.01)
            os._exit(9)"""
LOCAL: dict[str, Any] = {"processes": True, "dashboard_address": ":0", "silence_logs": "CRITICAL"}


@pytest.fixture(scope="module")
def local() -> Iterator[Any]:
    """Two processes of one thread, replaced when they die; a task that kills two of them is given up."""
    import dask

    with pytest.MonkeyPatch.context() as patch, dask.config.set({"distributed.scheduler.allowed-failures": 1}):
        patch.setenv("NAP", str(SLOWLY))
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, **LOCAL) as found:
            yield found


def pids(local: Any) -> list[int]:
    """Of the processes that do the work."""
    return [nanny.pid for nanny in local.workers.values() if nanny.pid]


@pytest.fixture
def calm(princeps: Command, tmp_path: Path) -> Callable[..., Path]:
    """The store of the same sweep by local processes."""

    def run(*words: object) -> Path:
        path = tmp_path / "calm.db"
        assert princeps("sweep", *words, "--store", path).code == 0
        return path

    return run


@pytest.mark.slow
@pytest.mark.parametrize("name", ["p_rl", "lelann"])
def test_the_rows_are_those_of_local_workers(name: str, local: Any, quick: Command, calm: Callable[..., Path]) -> None:
    words = (name, "-n", "4,5,6", "--trials", 60, "--seed", 3, *REFERENCE)
    expected = calm(*words)
    store = expected.with_name("store.db")
    outcome = quick("sweep", *words, "--store", store, "--json", "--cluster", local.scheduler_address)
    assert outcome.code == 0, outcome.stderr
    assert {(summary["n"], summary["trials"]) for summary in outcome.objects} == {(4, 60), (5, 60), (6, 60)}
    assert table(store) == table(expected)
    assert len(table(store)) == 180
    assert_sound(store)


@pytest.mark.slow
def test_the_rows_of_compiled_engines_are_the_same_too(local: Any, quick: Command, calm: Callable[..., Path]) -> None:
    words = ("fratricide", "-n", 50, "--trials", 20, "--engine", "agents", "--jobs", 1)
    expected = calm(*words)
    store = expected.with_name("store.db")
    assert quick("sweep", *words, "--store", store, "--cluster", local.scheduler_address).code == 0
    assert table(store) == table(expected)


@pytest.mark.slow
def test_a_worker_killed_half_way_changes_nothing(local: Any, calm: Callable[..., Path], tmp_path: Path) -> None:
    words = (slow_protocol(tmp_path), "-n", 3, "--trials", 120, *REFERENCE)
    store = tmp_path / "store.db"
    with running("sweep", *words, "--store", store, "--cluster", local.scheduler_address) as process:
        patiently(lambda: count(store) >= 5 or process.poll() is not None)
        before = table(store)
        assert len(before) < 120
        os.kill(pids(local)[0], signal.SIGKILL)
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
    assert set(before) <= set(table(store))
    assert table(store) == table(calm(*words))
    assert len(table(store)) == 120


@pytest.mark.slow
def test_what_kills_the_workers_is_given_up_and_everything_else_is_done(
    local: Any, quick: Command, tmp_path: Path
) -> None:
    store = tmp_path / "store.db"
    words = ("p_rl", duel_protocol(tmp_path, "os._exit(9)"), "-n", 4, "--trials", 1, *REFERENCE)
    outcome = quick("sweep", *words, "--store", store, "--cluster", local.scheduler_address)
    assert outcome.code == 2
    sentence = outcome.stderr.splitlines()[-1]
    assert re.match(r"princeps: duel, n = 4: trials? 0.* killed .* run .* alone with --trial", sentence)
    assert "p_rl" in outcome.stdout
    assert count(store) == 1
    assert begun(tmp_path) >= 2
    patiently(lambda: len(pids(local)) == 2)


@pytest.mark.slow
def test_what_waits_behind_a_batch_that_kills_is_not_given_up(tmp_path: Path) -> None:
    """The only worker is at the first trial, which will kill it, and holds the second, which would not."""
    import dask

    store = tmp_path / "store.db"
    name = duel_protocol(tmp_path, FIRST_KILLS)
    words = ("sweep", name, "-n", 4, "--trials", 2, *REFERENCE)
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, **LOCAL) as local,
        running(*words, "--store", store, "--cluster", local.scheduler_address) as process,
    ):
        wait_for(lambda: begun(tmp_path))
        patiently(lambda: [len(worker.processing) for worker in local.scheduler.workers.values()] == [2])
        (tmp_path / "go").touch()
        _, err = process.communicate(timeout=60)
    assert process.returncode == 0 or "killed" in err
    assert count(store) >= 1


@pytest.mark.medium
def test_a_mistake_in_a_rule_is_told_as_by_local_workers(local: Any, quick: Command, tmp_path: Path) -> None:
    words = ("p_rl", duel_protocol(tmp_path, "1 // 0"), "-n", 4, "--trials", 20, *REFERENCE)
    outcome = quick("sweep", *words, "--store", tmp_path / "store.db", "--cluster", local.scheduler_address)
    assert outcome.code == 2
    assert f"princeps: duel, n = 4: {tmp_path}/duel.py:" in outcome.stderr
    assert "division" in outcome.stderr
    assert count(tmp_path / "store.db") == 20


@pytest.mark.medium
def test_what_is_in_the_store_is_not_run_again(local: Any, quick: Command, tmp_path: Path) -> None:
    words = ("sweep", duel_protocol(tmp_path, "pass"), "-n", 4, *REFERENCE, "--store", tmp_path / "store.db")
    assert quick(*words, "--trials", 5, "--jobs", 1).code == 0
    assert quick(*words, "--trials", 12, "--cluster", local.scheduler_address).code == 0
    assert begun(tmp_path) == 12
    assert count(tmp_path / "store.db") == 12


# -- no cluster ---------------------------------------------------------------------------------------------------


def refusal(princeps: Command, store: Path, address: str, before: str = "") -> str:
    """The one sentence."""
    words = ("sweep", "p_rl", "-n", 4, "--trials", 2, "--store", store, "--cluster", address)
    code = f"{before}; import princeps.campaign.cluster as cluster; cluster.WAIT = '300ms'; {MAIN}"
    with running(*words, *REFERENCE, code=code.lstrip("; ")) as process:
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (2, "")
    (sentence,) = err.splitlines()
    return sentence


@pytest.mark.slow
def test_an_address_where_nobody_answers_is_told(princeps: Command, tmp_path: Path) -> None:
    sentence = refusal(princeps, tmp_path / "store.db", "tcp://127.0.0.1:1")
    assert sentence.startswith("princeps: no Dask cluster answers at 'tcp://127.0.0.1:1' (")
    assert sentence.endswith(": start one with `dask scheduler` and `dask worker tcp://127.0.0.1:1`.")


@pytest.mark.slow
def test_an_address_that_is_none_is_told(princeps: Command, tmp_path: Path) -> None:
    sentence = refusal(princeps, tmp_path / "store.db", "nonsense")
    assert sentence.startswith("princeps: no Dask cluster answers at 'nonsense' (")


@pytest.mark.slow
def test_without_dask_the_extra_to_install_is_named(princeps: Command, tmp_path: Path) -> None:
    without = "import sys; sys.modules['dask'] = sys.modules['distributed'] = None"
    sentence = refusal(princeps, tmp_path / "store.db", "tcp://127.0.0.1:1", without)
    assert sentence == "princeps: --cluster needs Dask: pip install 'princeps[cluster]'."


@pytest.mark.slow
def test_a_worker_of_another_version_is_refused() -> None:
    answers = clusters.run_batch(DescribedTrials(describe("p_rl", n=4, seed=0)), [3, 4], version="0.0")
    assert [answer[0] for answer in answers] == [3, 4]
    assert all("install the same" in str(answer[1]) for answer in answers)


# -- a batch that was answered before the scheduler went -----------------------------------------------------------


class Done:
    """A future of Dask, at its end."""

    def __init__(self, outcome: Any) -> None:
        self.outcome = outcome

    def add_done_callback(self, tell: Callable[[Any], None]) -> None:
        tell(self)

    def result(self) -> Any:
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome

    def cancel(self) -> None:
        pass


class Client:
    """In the place of Dask's: what is submitted has ended, one way or the other."""

    status = "running"

    def __init__(self, *_: Any, **__: Any) -> None:
        self.endings: list[Any] = [[(0, "a result", 0.1)], CancelledError("scheduler-connection-lost")]

    def wait_for_workers(self, *_: Any, **__: Any) -> None:
        pass

    def nthreads(self) -> dict[str, int]:
        return {"worker": 2}

    def submit(self, *_: Any, **__: Any) -> Done:
        return Done(self.endings.pop(0))

    def close(self) -> None:
        pass


@pytest.mark.slow
def test_what_came_together_with_the_bad_news_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dask.distributed.Client", Client)
    cluster = clusters.Cluster("tcp://127.0.0.1:1")
    nothing = DescribedTrials(describe("p_rl", n=4))
    for trial in (0, 1):
        cluster.assign("key", nothing, [trial])
    found, told = [], ""
    try:
        for _ in range(3):
            found += cluster.answers(timeout=0)
    except RunError as error:
        told = str(error)
        found += cluster.stop()
    assert "scheduler has gone" in told
    assert [(answer.trial, answer.outcome) for answer in found] == [(0, "a result")]


# -- the scheduler dies -------------------------------------------------------------------------------------------


Remote = tuple[str, subprocess.Popen[bytes], subprocess.Popen[bytes]]


@pytest.fixture
def remote(tmp_path: Path) -> Iterator[Remote]:
    """Scheduler and worker as processes of their own: the address, and both."""
    log = tmp_path / "scheduler.log"
    processes = []

    def begin(*words: str) -> subprocess.Popen[bytes]:
        with open(log, "ab") as file:
            processes.append(
                subprocess.Popen(
                    [sys.executable, "-m", *words, "--no-dashboard", "--dashboard-address", ":0"],
                    stdout=file,
                    stderr=file,
                    env={**os.environ, "NAP": str(SLOWLY)},
                    cwd=tmp_path,
                )
            )
        return processes[-1]

    scheduler = begin("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0")
    patiently(lambda: re.search(r"Scheduler at: +(tcp://\S+)", log.read_text()))
    found = re.search(r"Scheduler at: +(tcp://\S+)", log.read_text())
    assert found is not None
    worker = begin("distributed.cli.dask_worker", found[1], "--nthreads", "2", "--no-nanny")
    yield found[1], scheduler, worker
    for process in processes:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_a_scheduler_that_dies_is_told_and_what_arrived_is_kept(
    remote: Remote, princeps: Command, calm: Callable[..., Path], tmp_path: Path
) -> None:
    address, scheduler, _ = remote
    store = tmp_path / "store.db"
    words = (slow_protocol(tmp_path), "-n", 3, "--trials", 100, *REFERENCE)
    code = f"import princeps.campaign.cluster as cluster; cluster.WAIT = '1s'; {MAIN}"
    with running("sweep", *words, "--store", store, "--cluster", address, code=code) as process:
        patiently(lambda: count(store) >= 10 or process.poll() is not None)
        before = table(store)
        scheduler.kill()
        _, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert_sound(store)
    kept = table(store)
    assert set(before) <= set(kept)
    whole = table(calm(*words))
    assert set(kept) < set(whole)
    assert princeps("sweep", *words, "--store", store).code == 0
    assert table(store) == whole
    assert "scheduler has gone" in err.splitlines()[-1]
    assert "Traceback" not in err


@pytest.mark.slow
def test_a_cluster_whose_last_worker_is_gone_is_not_waited_for_for_ever(remote: Remote, tmp_path: Path) -> None:
    address, _, worker = remote
    store = tmp_path / "store.db"
    words = (slow_protocol(tmp_path), "-n", 3, "--trials", 100, *REFERENCE)
    code = f"import princeps.campaign.cluster as cluster; cluster.NOBODY_SECONDS = 1; {MAIN}"
    with running("sweep", *words, "--store", store, "--cluster", address, code=code) as process:
        patiently(lambda: count(store) >= 5 or process.poll() is not None)
        worker.kill()
        _, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert "no workers" in err.splitlines()[-1]
    assert "Traceback" not in err
    assert 5 <= count(store) < 100
    assert_sound(store)
