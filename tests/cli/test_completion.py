"""Completion: the shell calls princeps with environment variables, and gets what may follow."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import which

import pytest

from princeps.cli import VERBS
from tests.cli.refusals import assert_refused
from tests.conftest import PATIENCE, Command
from tests.tables import in_one_test

Offered = Callable[..., set[str]]
SHELLS = ("bash", "zsh", "fish")
VARIABLES = ("COMP_WORDS", "COMP_CWORD", "_TYPER_COMPLETE_ARGS", "_TYPER_COMPLETE_FISH_ACTION")


def environment(shell: str, line: str) -> dict[str, str]:
    """What the script of the shell sets when Tab is pressed at the end of the line."""
    if shell == "bash":
        words = line.split(" ")
        found = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
    else:
        found = {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    return {"_PRINCEPS_COMPLETE": f"complete_{shell}", **found}


@pytest.fixture
def offered(quick: Command, monkeypatch: pytest.MonkeyPatch) -> Offered:
    def call(line: str, shell: str = "bash") -> set[str]:
        for name in VARIABLES:
            monkeypatch.delenv(name, raising=False)
        for name, value in environment(shell, line).items():
            monkeypatch.setenv(name, value)
        outcome = quick()
        assert outcome.stderr == ""
        text = outcome.stdout.removeprefix("_arguments '*: :((").removesuffix("))'\n")
        return {row.partition("\t")[0].partition('":')[0].strip('"') for row in text.splitlines()}

    return call


CASES: dict[str, tuple[set[str], set[str]]] = {  # the line: what must be offered, what must not
    "princeps ": (set(VERBS), {"p_ll"}),
    "princeps s": ({"show", "sweep"}, {"run"}),
    "princeps run p_": ({"p_ll", "p_ll_symmetric", "p_pl", "p_rl"}, {"fratricide"}),
    "princeps sweep fratricide a": ({"a_k"}, {"p_ll"}),
    "princeps paper ": ({"000", "003", "004"}, {"p_ll"}),
    "princeps run p_rl --record s": ({"states"}, set()),
    "princeps rings ": ({"a_k", "b_k"}, {"p_ll"}),
    "princeps run p_rl --s": ({"--start", "--seed", "--scheduler", "--script", "--schedule"}, {"--until"}),
    "princeps exact p_rl --ta": ({"--target"}, set()),
    "princeps run p_rl --start ": ({"random", "file:"}, set()),
    "princeps run fratricide --until ": ({"leader"}, {"s_rl"}),
    "princeps run p_rl -n 5 --until s": ({"s_rl", "safe"}, {"leader"}),
    "princeps sweep p_rl --until s_rl,s": ({"s_rl,safe"}, {"safe"}),
    "princeps run p_rl --engine ": ({"auto", "agents", "events", "counts", "reference"}, {"compiled"}),
    "princeps run a_k --engine ": ({"auto", "compiled", "reference"}, {"counts"}),
    "princeps run p_rl --graph ": ({"ring", "grid:"}, {"grid:RxC"}),
    "princeps run a_k --scheduler s": ({"synchronous", "slow:"}, {"self-meeting"}),
    "princeps run p_rl --record ": ({"leaders", "bullet"}, set()),
    "princeps run a_k -p ": ({"k="}, {"N="}),
    "princeps exact p_rl --target sa": ({"safe"}, set()),
    "princeps fit results.db --measure s": ({"steps"}, {"events"}),
    "princeps plot results.db --kind g": ({"growth"}, {"leaders"}),
}


@in_one_test("line", CASES)
def test_what_may_follow_is_offered(line: str, offered: Offered) -> None:
    wanted, unwanted = CASES[line]
    found = offered(line)
    assert wanted <= found, (wanted, found)
    assert not unwanted & found


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_is_served(shell: str, offered: Offered) -> None:
    assert {"p_ll", "p_pl"} <= offered("princeps run p_", shell)
    assert "s_rl" in offered("princeps run p_rl --until s", shell)
    assert set(VERBS) <= offered("princeps ", shell)


def test_a_file_that_does_things_is_not_loaded(offered: Offered, tmp_path: Path) -> None:
    rule = "from princeps.model import Bit, PopulationProtocol\nclass Mine(PopulationProtocol):\n    leader = Bit()\n    mark = Bit()\n"
    rule += (
        "    goals = {'marked': lambda c, p: 1}\n    @staticmethod\n    def interact(a, b, p):\n        a.mark = 1\n"
    )
    safe, unsafe, trace = tmp_path / "safe.py", tmp_path / "unsafe.py", tmp_path / "trace"
    safe.write_text(rule)
    unsafe.write_text(f"{rule}open({str(trace)!r}, 'w')\n")
    assert "marked" in offered(f"princeps run {safe} --until ")
    assert "marked" not in offered(f"princeps run {unsafe} --until ")
    assert not trace.exists()


def test_completion_loads_neither_numpy_nor_numba() -> None:
    probe = (
        "import sys; from princeps.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted({'numpy', 'scipy', 'numba', 'rich'} & set(sys.modules)), file=sys.stderr)"
    )
    given = {**os.environ, **environment("bash", "princeps run p_rl --until s")}
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=PATIENCE, env=given)
    assert "s_rl" in done.stdout
    assert done.stderr == "[]\n"


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_of_a_shell_is_shown_and_installed(
    shell: str, quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    shown = quick("--show-completion", shell)
    assert shown.code == 0
    assert f"_PRINCEPS_COMPLETE=complete_{shell}" in shown.stdout
    done = quick("--install-completion", shell)
    assert done.code == 0
    written = [path for path in tmp_path.rglob("*princeps*") if path.is_file()]
    assert [path.read_text().strip() for path in written] == [shown.stdout.strip()]
    if shell == "zsh":  # which executes the file as the function _princeps when Tab is first pressed
        assert '== _princeps ]]; then\n  _princeps_completion "$@"\nelse\n  compdef' in shown.stdout


def test_zsh_completes_on_the_first_tab(quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if which("zsh") is None:
        pytest.skip("zsh is not installed")
    monkeypatch.setenv("HOME", str(tmp_path))
    quick("--install-completion", "zsh")
    program = tmp_path / "princeps"  # answers as ours would, at once
    program.write_text('#!/bin/sh\necho "print completed with $_TYPER_COMPLETE_ARGS"\n')
    program.chmod(0o755)
    script = "fpath+=~/.zfunc; autoload -Uz _princeps; path=(~ $path); words=(princeps run fra); CURRENT=3; _princeps"
    done = subprocess.run(["zsh", "-f", "-c", script], capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout == "completed with princeps run fra\n"


def test_an_unknown_shell_is_refused(quick: Command) -> None:
    outcome = quick("--show-completion", "bsh")
    assert (outcome.code, outcome.stderr) == (2, "princeps: unknown shell 'bsh': did you mean bash or zsh?\n")


def test_the_users_shell_need_not_be_named(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/bin/zsh")
    assert quick("--show-completion").stdout == quick("--show-completion", "zsh").stdout
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    assert_refused(quick("--show-completion"), "'tcsh'", "--show-completion bash")
    assert_refused(quick("--install-completion", "bash", "zsh"), "2 words", "--install-completion bash")
