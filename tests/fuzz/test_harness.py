"""The attack notices what it is made to notice, and goes on behind it."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps import cli
from tests.fuzz import planted
from tests.fuzz.planted import PLANTED, attacked

workers: Any = __import__("fuzz.workers").workers
findings: Any = __import__("fuzz.findings").findings
calling: Any = __import__("fuzz.calling").calling
attack: Any = __import__("fuzz.attack").attack
progress: Any = __import__("fuzz.progress").progress
command_lines: Any = __import__("fuzz.command_lines").command_lines
python_calls: Any = __import__("fuzz.python_calls").python_calls
inputs = planted.inputs


@pytest.mark.medium
@pytest.mark.parametrize("bad", PLANTED, ids=lambda bad: str(bad.__name__))
def test_a_planted_trouble_is_noticed(bad: Callable[[], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "IDLE_SECONDS", 1.0 if bad is planted.wait else 60.0)
    monkeypatch.setattr(workers, "SAID_SECONDS", 1.0 if bad is planted.wait else 60.0)
    tally, reports = attacked([planted.nothing, bad, planted.nothing], tmp_path)
    assert tally.tried == 3
    assert not tally.is_clean
    assert {kind: count for kind, count in tally.troubles.items() if count} == {PLANTED[bad]: 1}
    assert [(report.number, report.text) for report in reports] == [(1, bad.__name__)]


def test_good_inputs_are_no_trouble(tmp_path: Path) -> None:
    tally, reports = attacked([planted.nothing] * 50, tmp_path, batch=7)
    assert tally.is_clean
    assert tally.tried == 50
    assert not reports


def test_an_attack_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    """Nothing is tried twice, nothing is left out, and what was wrong before counts."""
    kept = progress.Progress(tmp_path / "progress.json", {"seed": 1})
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
    first, _ = attacked([planted.nothing] * 20, tmp_path / "first", batch=5)
    first.done, first.tried = [(0, 5), (10, 13)], 8  # as if two workers had been ended
    first.troubles["wrong"] = 1
    kept.save([first], 1.0)
    again, _ = attacked([planted.nothing] * 20, tmp_path / "second", lambda tally: kept.resume([tally]), batch=5)
    assert again.tried == 20
    assert attack.joined(again.done) == [(0, 20)]
    assert sum(end - begin for begin, end in again.done) == 20
    assert again.troubles["wrong"] == 1
    with pytest.raises(SystemExit, match="another attack"):
        progress.Progress(tmp_path / "progress.json", {"seed": 2}).resume([again])


@pytest.mark.medium
@pytest.mark.parametrize("long", [planted.compute_and_say_so, planted.wait_and_say_so])
def test_long_work_that_says_so_is_no_hang(
    long: Callable[[], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "SAID_SECONDS", 1.0)
    tally, _ = attacked([long, planted.nothing], tmp_path)
    assert tally.is_clean
    assert (tally.tried, tally.announced) == (2, 1)


@pytest.mark.medium
def test_processes_that_an_input_has_started_end_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that are sessions of their own, as the workers of a sweep are."""
    monkeypatch.setattr(workers, "SAID_SECONDS", 1.0)
    kept = tmp_path / "pid"

    def leave_one() -> None:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], start_new_session=True)
        kept.write_text(str(child.pid))
        planted.wait_and_say_so()

    attacked([leave_one], tmp_path)
    state = Path(f"/proc/{kept.read_text()}/stat")
    for _ in range(100):
        if not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z":  # nobody has asked for it yet
            return
        time.sleep(0.05)
    raise AssertionError("it goes on")


def test_what_found_something_is_tried_again_on_a_repaired_tree(tmp_path: Path) -> None:
    bad = inputs.wrong("bad")
    for name in ("first", "second", "third"):
        (tmp_path / name).mkdir()
    first, _ = attacked([planted.nothing, lambda: bad, planted.nothing, lambda: bad], tmp_path / "first")
    assert (first.tried, first.found, first.is_clean) == (4, [1, 3], False)
    kept = first.as_json()

    def resume(tally: Any) -> None:
        tally.restore(kept)
        tally.try_again()
        assert (tally.tried, tally.left_out(), tally.is_clean) == (2, [(1, 2), (3, 4)], True)

    repaired, reports = attacked([planted.execute] + [planted.nothing] * 3, tmp_path / "second", resume)
    assert (repaired.tried, repaired.is_clean, reports) == (4, True, []), "input 0 is not tried again"
    broken, _ = attacked([planted.nothing] * 3 + [lambda: bad], tmp_path / "third", resume)
    assert (broken.tried, broken.found) == (4, [3])


def test_what_an_input_spoils_is_repaired_for_the_next(tmp_path: Path) -> None:
    def is_good() -> Any:
        text = Path("notes.txt").read_text()
        return [] if text == "theirs" and not Path("pwned").exists() else inputs.wrong(text)

    _, reports = attacked([planted.overwrite, is_good, planted.execute, is_good], tmp_path)
    assert [report.number for report in reports] == [0, 2]


@pytest.mark.parametrize(
    ("called", "kind"),
    [
        (calling.Called(1, "", "Traceback (most recent call last):\n"), "traceback"),
        (calling.Called(None, "", "", "Traceback\nKeyError: 5"), "traceback"),
        (calling.Called(None, "", "", "Traceback\nMemoryError"), "memory"),
        (calling.Called(70, "", "princeps: unexpected"), "traceback"),
        (calling.Called(0, "", "x.py:5: RuntimeWarning: invalid value"), "traceback"),
        (calling.Called(2, "", "princeps: the memory is full: lower -n."), "memory"),
        (calling.Called(2, "", ""), "wrong"),
        (calling.Called(2, "", "princeps: "), "wrong"),
        (calling.Called(2, "", "princeps: " + "x" * 3000), "wrong"),
        (calling.Called(130, "", "princeps: interrupted."), "wrong"),
        (calling.Called(3, "", ""), "wrong"),
        (calling.Called(0, '{"x": NaN}', ""), "wrong"),
        (calling.Called(0, "no object", ""), "wrong"),
    ],
)
def test_a_command_that_ends_badly_is_noticed(called: Any, kind: str) -> None:
    assert kind in [trouble.kind for trouble in calling.troubles(["list", "--json"], called)]


@pytest.mark.parametrize(
    "called",
    [
        calling.Called(0, '{"x": 5}', ""),
        calling.Called(1, "", "running: 5 steps\n"),
        calling.Called(2, "", "running: 5 steps\nprinceps: n = 1 is too small: give 2."),
        calling.Called(130, "", "princeps: interrupted.", interrupted=True),
    ],
)
def test_a_command_that_ends_well_is_none(called: Any) -> None:
    assert calling.troubles(["list", "--json"], called) == []


def test_an_interruption_waits_until_the_command_has_begun(tmp_path: Path) -> None:
    """On a busy machine the time of a Ctrl-C may come before that: the harness is not what is attacked."""

    def too_early() -> list[Any]:
        called = calling.call(["show", "p_ll"], interrupt_after=1e-6)
        found = list(calling.troubles(["show", "p_ll"], called))
        return found if called.interrupted and called.code == calling.INTERRUPTED else inputs.wrong(str(called))

    _, reports = attacked([too_early] * 3, tmp_path)
    assert not reports


def test_findings_of_one_cause_are_listed_a_few_times(tmp_path: Path) -> None:
    found = findings.Findings(tmp_path / "found.md", seed=3)
    category = inputs.Category("planted", "", lambda rng: None)
    news = []
    for number in range(9):
        trouble = inputs.Trouble("traceback", f'File "/a/b.py", line 7, in f\nKeyError: {number}')
        news.append(found.add(category, workers.Report(number, f"command {number}", (trouble,))))
    assert news == [True, *[False] * 8]
    text = found.path.read_text()
    assert text.count("## traceback") == findings.MOST_OF_A_KIND
    assert "command 0" in text
    assert "--seed 3 --only planted:0" in text


def test_an_input_depends_on_the_seed_and_its_number_alone() -> None:
    lines: Any = __import__("fuzz.command_lines").command_lines
    made = [[lines.CATEGORY.input(seed, number).text for number in range(30)] for seed in (1, 1, 2)]
    assert made[0] == made[1]
    assert made[0] != made[2]


@pytest.mark.parametrize("verb", ["run", "exact", "net", "net node", "hold", "sweep", "results"])
def test_options_are_written_as_the_command_line_knows_them(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Otherwise almost every command line is refused for the same reason, and nothing behind it is attacked."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "argv", ["princeps", *verb.split(), "--help"])
        patched.setenv("COLUMNS", "200")
        with pytest.raises(SystemExit):
            cli.main()
    said = set(re.findall(r"(?<![\w-])--?\w[\w-]*", capsys.readouterr().out))
    options = [one for one in command_lines._parameters(verb) if one.param_type_name == "option"]
    assert len(options) >= 3
    assert {flag for one in options for flag in one.opts} <= said


def test_every_option_and_argument_gets_values_of_its_kind() -> None:
    """One that is new gets no good value, so that nothing behind it would be attacked."""
    without = [
        f"{verb} {one.name}"
        for verb in command_lines._verbs()
        for one in command_lines._parameters(verb)
        if not (one.param_type_name == "option" and one.is_flag) and one.name not in ("name", "names", "help")
        if (verb, one.name) not in command_lines.ARGUMENTS and one.name not in command_lines.OPTIONS
    ]
    assert without == []


WRITTEN_IN_FILES = {"ceil_lg", "coin", "default_m", "draw", "on", "outside_class", "repeated_label", "start"}
GIVEN_TO_ALL = {"max_steps", "duration", "transport", "save"}  # by `expression`
SERVES = {("net", "watch")}  # which waits for somebody; commands try it


def test_every_function_of_python_is_called_with_every_keyword() -> None:
    tried: dict[str, set[str]] = {}
    for function, places, keywords in python_calls.CALLS:
        name = function.rpartition(".")[2]
        if "protocol(" not in function:
            names = list(inspect.signature(getattr(princeps, name)).parameters)
            tried.setdefault(name, set()).update(keywords, names[: len(places)])
    for name in set(princeps.__all__) - WRITTEN_IN_FILES:
        function = getattr(princeps, name)
        if not inspect.isfunction(function) or name[0].isupper():
            continue
        declared = inspect.signature(function).parameters.values()
        named = {one.name for one in declared if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)}
        left_out = {one for one in named - tried.get(name, set()) - GIVEN_TO_ALL if (name, one) not in SERVES}
        assert not left_out, f"princeps.{name}"
        if all(one.kind != one.VAR_KEYWORD for one in declared):
            assert tried[name] <= {one.name for one in declared}, f"princeps.{name}"


def test_what_a_function_of_the_script_raises_is_no_trouble_of_ours() -> None:
    raised = compile("raise TypeError('expected str, bytes or os.PathLike object, not Finding')", "<input>", "exec")
    assert python_calls.tried(raised, {"<text>": "princeps.check('p_rl', observer=open)"}) == []
    with pytest.raises(TypeError):
        python_calls.tried(raised, {"<text>": "princeps.check('p_rl', observer=print)"})
