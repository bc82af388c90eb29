"""`princeps paper` as users and scripts meet it."""

from __future__ import annotations

import json
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from textwrap import dedent

import pytest

import princeps as package
from princeps.cli.paper_progress import Lines
from tests.conftest import Command, Start, wait_for
from tests.tables import in_one_test

QUICK_CLAIMS = ("000.T1c", "000.fig3")
KEYS = {"id", "verdict", "measured", "bound", "sample", "command"}

OPINIONS = """
    import time
    from pathlib import Path

    from princeps.papers import {names}, Paper, Part, together

    paper = Paper(id="mine", title="opinions")


    @paper.claim("mine.1", "this is so", recorded={recorded})
    def opinion(lab):
        return together([Part({verdict}, "so it is", 1, 2, "1 look")])
"""


def opinions(folder: Path, verdict: str = "SUPPORTED", recorded: str = "None") -> Path:
    path = folder / "opinions.py"
    names = ", ".join(sorted({verdict, recorded} - {"None"}))
    path.write_text(dedent(OPINIONS).format(verdict=verdict, recorded=recorded, names=names))
    return path


@pytest.mark.slow
def test_claims_by_their_ids(quick: Command, tmp_path: Path) -> None:
    done = quick("paper", *QUICK_CLAIMS, "--store", tmp_path / "p.db", "--json")
    assert done.code == 0
    assert [one["id"] for one in done.objects] == list(QUICK_CLAIMS)
    for one in done.objects:
        assert set(one) >= KEYS
        assert one["verdict"] == "proved"
        assert one["command"] == f"princeps paper {one['id']}"


@pytest.mark.medium
def test_a_table_for_people(quick: Command, tmp_path: Path) -> None:
    done = quick("paper", "000.T1c", "--store", tmp_path / "p.db")
    assert done.code == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "000.T1c  O(N) states  proved"
    assert lines[-1] == "1 claim: 1 proved; 1 as recorded"


@pytest.mark.medium
def test_from_python(tmp_path: Path) -> None:
    (finding,) = package.paper("000.T1c", store=str(tmp_path / "p.db"))
    assert (finding.id, finding.verdict, finding.measured, finding.bound) == ("000.T1c", "proved", 0, 0)
    assert json.loads(json.dumps(finding.as_json()))["as_recorded"] is True


@pytest.mark.medium
def test_the_same_again_runs_nothing(quick: Command, tmp_path: Path) -> None:
    store = tmp_path / "p.db"

    def evidence() -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(store)) as connection:
            return connection.execute("SELECT id, part, seconds FROM evidence ORDER BY id, part").fetchall()

    first = quick("paper", "000.T1c", "--store", store, "--json")
    before = evidence()
    second = quick("paper", "000.T1c", "--store", store, "--json")
    assert first.stdout == second.stdout
    assert evidence() == before != []


@pytest.mark.parametrize(
    ("verdict", "recorded", "code"),
    [
        ("SUPPORTED", "SUPPORTED", 0),
        ("VIOLATED", "VIOLATED", 0),  # the exit code is about the record
        ("VIOLATED", "SUPPORTED", 1),
        ("SUPPORTED", "PROVED", 1),
        ("SUPPORTED", "None", 0),  # without a record a claim should hold
        ("INCONCLUSIVE", "None", 1),
    ],
)
def test_the_exit_code_says_whether_all_is_as_recorded(
    quick: Command, tmp_path: Path, verdict: str, recorded: str, code: int
) -> None:
    path = opinions(tmp_path, verdict, recorded)
    assert quick("paper", path, "--store", tmp_path / "p.db").code == code


@pytest.mark.slow
def test_planted_faults_from_the_command_line(quick: Command, tmp_path: Path) -> None:
    done = quick("paper", "000.T1c", "000.fig3", "--planted", "--store", tmp_path / "p.db", "--json")
    assert done.code == 0
    assert [one["verdict"] for one in done.objects] == ["violated", "violated"]


@in_one_test(
    ("words", "sentence"),
    [
        (("005",), "unknown paper '005': did you mean"),
        (("000.L99",), "unknown claim '000.L99': did you mean"),
        (("--quick", "--full"), "--quick and --full are given together: choose one of them."),
        (("000", "--all"), "--all is given beside '000': leave one of them out."),
        (("000", "--planted", "--html", "x.html"), "leave --planted out"),
        (("000.T1c", "--jobs", "0"), "jobs = 0 is too small: give at least 1."),
        (("000.T1c", "--jobs", "many"), "jobs = 'many'"),
        (("000.T1c", "--seed", "x"), "seed = 'x'"),
        (("./none.py",), "there is no file './none.py'"),
        (("000.T1c", "--store", "/nowhere/p.db"), "its folder does not exist"),
    ],
)
def test_bad_input_is_one_sentence(
    quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = quick("paper", *words)
    assert done.code == 2
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())


SLOW = """
    import time
    from pathlib import Path

    from princeps.papers import SUPPORTED, Paper, Part, together

    HERE = Path(__file__).parent
    paper = Paper(id="slow", title="slow")


    def wait(part, seed, *, long):
        (HERE / f"begun {long}").touch()
        time.sleep(60 if long else 0)
        return part


    @paper.claim("slow.1", "soon")
    def soon(lab):
        return together([Part(SUPPORTED, "soon", lab.measure(wait, long=0).only)])


    @paper.claim("slow.2", "late")
    def late(lab):
        return together([Part(SUPPORTED, "late", lab.measure(wait, long=1).only)])
"""


@pytest.mark.slow
def test_ctrl_c_tells_what_was_finished_and_keeps_it(start: Start, tmp_path: Path) -> None:
    path, store = tmp_path / "slow.py", tmp_path / "p.db"
    path.write_text(dedent(SLOW))

    def kept() -> int:
        try:
            with closing(sqlite3.connect(store)) as connection:
                (count,) = connection.execute("SELECT count(*) FROM evidence").fetchone()
                return int(count)
        except sqlite3.OperationalError:
            return 0

    process = start("paper", path, "--store", store, "--json", "--jobs", "1")
    wait_for(lambda: kept() == 1 and (tmp_path / "begun 1").exists())
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert [json.loads(line)["id"] for line in out.splitlines()] == ["slow.1"]
    assert "holds what was finished" in err
    assert kept() == 1


def test_a_log_gets_a_line_in_a_minute(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    tell = Lines(lambda: now[0])
    for second in range(0, 181, 20):
        now[0] = float(second)
        tell(second, 4000, "p_rl, n = 64")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert lines[0].endswith("60 of 4,000 trials and parts are done; now p_rl, n = 64.")
