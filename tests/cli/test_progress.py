"""Progress says what the kind of run measures, in lines or on a terminal; and every protocol names its network."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from princeps.campaign.tally import Tally
from princeps.campaign.worker_pool import BatchSizes
from princeps.cli import paper_progress, progress
from princeps.engines.conduct import Progress
from princeps.engines.rings.reference import Network
from princeps.model import progress_text, registry
from princeps.model.reading import make_run
from princeps.model.rings.reading import make_ring_run
from tests.conftest import Command
from tests.tables import in_one_test
from tests.terminal import as_stderr


def test_a_line_says_what_is_measured() -> None:
    network = Network(make_ring_run("peterson", labels="3,1,2"))
    for _ in range(5):
        network.next_event()
    population = progress_text.run_text(Progress(make_run("fratricide", 20), 5000, 3, "electing"), 10)
    assert population == "5,000 steps, parallel time 250, 3 leaders, 500 steps/s"
    one = progress_text.run_text(Progress(make_run("fratricide", 20), 1, 1, "electing"), 1)
    assert one == "1 step, parallel time 0, 1 leader, 1 steps/s"
    ring = progress_text.run_text(network, 1)
    assert ring.startswith(f"{network.messages} messages, time {network.now}, ")
    assert ring.endswith(" actions/s")


def test_where_stderr_is_no_terminal_nothing_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.watching(False, None) as observe:
        assert observe is None
    with progress.phases(False) as tell:
        tell("12,345 configurations", 0, 0)  # how large the work is, which a log should have
        tell("expanding", 1, 9)
    with paper_progress.watching_papers(False) as watch:
        watch(1, 3000, "walk")
    assert capsys.readouterr().err == "12,345 configurations\n"


def test_networks_are_named() -> None:
    found = {
        name: registry.find_any(name).network_in_words() for name in ("p_rl", "p_ll", "a_k", "franklin", "itai_rodeh")
    }
    assert found == {
        "p_rl": "ring",
        "p_ll": "complete",
        "a_k": "labeled ring",
        "franklin": "labeled ring, both ways",
        "itai_rodeh": "anonymous ring",
    }


def test_a_bar_on_a_terminal_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = as_stderr(monkeypatch)
    with progress.watching(False, 10_000) as observe:
        assert observe is not None
        observe(Progress(make_run("fratricide", 20), 5000, 3, "recovering"))
    bars = [line for line in terminal.lines if line.startswith("recovering")]
    assert bars
    assert all(" 5,000 steps, parallel time 250, 3 leaders, " in line and " steps/s" in line for line in bars)
    assert {sum(line.count(part) for part in "━╸╺") for line in bars} == {20}
    assert "\x1b[?25h" in terminal.getvalue()  # the cursor is shown again


def test_nobody_is_told_anything_who_does_not_look(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = as_stderr(monkeypatch)
    with progress.watching(True, None) as observe:
        assert observe is None
    with progress.phases(True) as tell:
        tell("solving", 1, 2)
    assert terminal.getvalue() == ""


def test_phases_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = as_stderr(monkeypatch)
    with progress.phases(False) as tell:
        tell("12,345 configurations", 0, 0)
        tell("expanding", 1000, 2000)
    assert terminal.lines.count("12,345 configurations") == 1  # is printed once, and stays
    assert [line for line in terminal.lines if line.startswith("expanding") and " 1,000 of 2,000 " in line]
    with progress.phases(False) as tell:
        tell("exploring", 7000, 0)
    assert [line for line in terminal.lines if line.startswith("exploring") and " 7,000 " in line]
    assert not [line for line in terminal.lines if line.startswith("exploring") and " of " in line]


# -- papers ------------------------------------------------------------------------------------------------------------


def test_evidence_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = as_stderr(monkeypatch)
    with paper_progress.watching_papers(False) as watch:
        watch(1200, 3000, "trials of [mine]")  # brackets are not markup
    bars = [line for line in terminal.lines if line.startswith("trials of [mine] ")]
    assert bars
    assert all(" 1,200 of 3,000 " in line for line in bars)


# -- sweeps ------------------------------------------------------------------------------------------------------------

REFERENCE = ("--engine", "reference", "--jobs", 1)


def test_a_sweep_on_a_terminal(quick: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    terminal = as_stderr(monkeypatch)
    assert quick("sweep", "fratricide", "-n", "4,5", "--trials", 12, "--store", tmp_path / "s.db", *REFERENCE).code == 0
    finished = [line for line in terminal.lines if " 12 of 12 " in line]
    assert list(dict.fromkeys(line.split("  ")[0] for line in finished)) == ["fratricide, n = 4", "fratricide, n = 5"]
    assert all(" +- " in line and line.endswith(" steps") for line in finished)
    assert [line for line in terminal.lines if line.startswith("2 of 2 points") and line.endswith("24 trials run")]


def test_the_mean_of_a_point_in_words() -> None:
    assert progress_text.mean_in_words(Tally(), "steps") == ""
    assert progress_text.mean_in_words(Tally.of([7]), "parallel_time") == "7 parallel time"
    assert progress_text.mean_in_words(Tally.of([90, 110]), "steps") == "100 +- 127 steps"
    cut_off = Tally(trials=4, censored=1, total=400)
    assert progress_text.mean_in_words(cut_off, "steps") == "at least 100 steps (1 cut off)"
    assert progress_text.mean_in_words(cut_off + Tally(trials=2, never=2), "steps") == "2 trials never end"


def test_how_long_a_point_will_take(monkeypatch: pytest.MonkeyPatch) -> None:
    point = SimpleNamespace(label="it", measure="steps")
    queue = SimpleNamespace(
        point=point,
        tally=Tally.of([1] * 10),
        wanted=50,
        max_trials=1000,
        precision=None,
        batch_sizes=BatchSizes(10, 25.0),
    )
    assert progress_text.progress_row(queue, 2)[1::2] == ("10 of 50", "50 s left")  # 40 trials of 2.5 s, two at a time
    queue.precision = 0.1
    assert progress_text.progress_row(queue, 2)[1] == "10 of 50 (at most 1,000)"
    queue.wanted = 10
    assert progress_text.progress_row(queue, 2)[3] == ""


@in_one_test(
    ("seconds", "words"),
    [
        (0, "0 s"),
        (99.4, "99 s"),
        (100, "1 min 40 s"),
        (599, "9 min 59 s"),
        (601, "10 min"),
        (5999, "100 min"),
        (6000, "1.7 h"),
    ],
)
def test_durations(seconds: float, words: str) -> None:
    assert progress_text.duration(seconds) == words
