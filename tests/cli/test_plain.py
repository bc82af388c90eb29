"""Plain command lines are read without typer, and as typer reads them."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from typing import Any

import pytest

from princeps.cli import VERBS
from princeps.cli.declared import for_typer
from princeps.cli.plain import read_plain

PLAIN = [
    "list",
    "list --json",
    "run p_rl -n 100 --seed 1",
    "run p_rl -n 1e6 -p N=5 -p c=2 --json",
    "run --seed=7 p_rl -n 4 --until s_rl --check",
    "run a_k --labels 1,2,2 -p k=2",
    "run p_rl -n 5 --graph= --record a --record b",
    "exact p_rl -n 3 --rational",
    "show p_ll -n 10 --json",
]
NOT_PLAIN = [
    "run --help",
    "run p_rl -h",
    "run p_rl -n100",
    "run p_rl -n",
    "run p_rl -n -5",
    "run p_rl --no-such-option",
    "run p_rl p_ll",
    "run p_rl -n 4 -n 5",
    "run -- p_rl",
    "run p_rl --check=1",
    "exact",
    "exact -n 3",
    "sweep",
]


def command_of(line: str) -> tuple[Any, list[str]]:
    verb, *words = line.split()
    return import_module(VERBS[verb]).command, words


def read_by_typer(command: Any, words: list[str]) -> dict[str, Any]:
    import typer

    found: dict[str, Any] = {}

    def note(**given: Any) -> None:
        found.update(given)

    reader = for_typer(command)
    note.__signature__ = reader.__signature__  # type: ignore[attr-defined]
    note.__annotations__ = reader.__annotations__
    app = typer.Typer()
    app.command("verb")(note)
    app.command("other")(lambda: None)
    app(["verb", *words], standalone_mode=False)
    return found


@pytest.mark.parametrize("line", PLAIN)
def test_plain_words_mean_what_typer_reads_in_them(line: str) -> None:
    command, words = command_of(line)
    found = read_plain(command, words)
    assert found is not None
    assert found == read_by_typer(command, words)


@pytest.mark.parametrize("line", NOT_PLAIN)
def test_everything_else_is_left_to_typer(line: str) -> None:
    command, words = command_of(line)
    assert read_plain(command, words) is None


@pytest.mark.medium
def test_a_plain_command_imports_neither_typer_nor_rich() -> None:
    code = (
        "import sys\nfrom princeps.cli import entry\ntry:\n    entry()\nexcept SystemExit as left:\n"
        "    print(left.code, [name for name in ('typer', 'rich', 'pydantic', 'numba', 'numpy') if name in sys.modules])"
    )
    for words in ("list", "run fratricide -n 9 --engine reference --seed 1", "run a_k --labels 1,2,2 -p k=2"):
        done = subprocess.run([sys.executable, "-c", code, *words.split()], capture_output=True, text=True, timeout=100)
        assert done.stdout.splitlines()[-1] == "0 []", done.stdout + done.stderr
