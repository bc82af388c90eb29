"""A result names a command that repeats it, or says why there is none."""

from __future__ import annotations

import shlex
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.model.safe_files import effect_of_loading
from tests.conftest import Command
from tests.notebook_tools import CONSTANT, HELPER, MINE, START, with_mine

FILE = f"from princeps import *\n\n{CONSTANT}\n\n{HELPER}\n\n{START}\n{MINE}"
HARMLESS = """
'''A docstring.'''
import math
from enum import Enum
from functools import lru_cache
from princeps.model import Message, on

WORDS = "a b".split()
TOKEN = Message("<x>")
class Color(Enum):
    RED = 1
@lru_cache(maxsize=4)
def f(x, y=max(1, 2)):
    print(x)
if math.ceil(1.5) > 1:
    K = [x + 1 for x in range(3)]
else:
    K = sorted({2, 1})
try:
    import numpy
except ImportError:
    numpy = None
lazy = lambda: open("x")
if __name__ == "__main__":
    print(f(1))
"""
EFFECTS = {
    "print('x')": "print('x')",
    "x = open('y')": "open('y')",
    "f(1)": "f(1)",
    "import princeps\nr = princeps.run('p_rl', n=4)": "princeps.run('p_rl', n=4)",
    "class A:\n    x = input()": "input()",
    "with open('x') as file:\n    pass": "with open('x') as file:",
    "while True:\n    break": "while True:",
    "import os\nos.remove('x')": "os.remove('x')",
}


def names_of(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {"f": lambda x: x}
    exec(
        "import math, os, princeps\nfrom functools import lru_cache\nfrom enum import Enum\nfrom princeps.model import Message, on\nWORDS = []",
        names,
    )
    return names


def test_definitions_are_harmless() -> None:
    assert effect_of_loading(HARMLESS, names_of(HARMLESS)) is None


@pytest.mark.parametrize(("text", "effect"), EFFECTS.items())
def test_whatever_else_a_file_does_is_found(text: str, effect: str) -> None:
    found = effect_of_loading(text, names_of(text))
    assert found is not None
    assert found[1] == effect


def imported(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> Any:
    (folder / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(folder)
    return import_module(name).Mine


def test_an_imported_class_is_named_by_its_file(
    quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = imported(tmp_path, monkeypatch, "imported_by_a_test", FILE)
    result = princeps.run(mine, n=5, seed=3, engine="reference")
    assert shlex.split(result.command)[2] == f"{tmp_path}/imported_by_a_test.py:Mine"
    again = quick(*shlex.split(result.command)[1:], "--json").object
    assert (again["steps"], again["leader"]) == (result.steps, result.leader)


def test_a_constant_that_was_changed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = imported(tmp_path, monkeypatch, "changed_by_a_test", FILE)
    assert princeps.run(mine, n=5, seed=3, engine="reference").command.startswith("princeps run ")
    mine.interact.__globals__["L"] = 2
    command = princeps.run(mine, n=5, seed=3, engine="reference").command
    assert command.startswith("# no command repeats this: Mine is not what ")
    mine.interact.__globals__["L"] = 1
    assert princeps.run(mine, n=5, seed=3, engine="reference").command.startswith("princeps run ")


def test_a_file_that_does_something_is_not_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"{FILE}\nwith open({str(tmp_path / 'log')!r}, 'a') as file:\n    file.write('x')\n"
    mine = imported(tmp_path, monkeypatch, "doing_by_a_test", text)
    command = princeps.run(mine, n=5, seed=3, engine="reference").command
    assert command.startswith("# no command repeats this: loading ")
    assert "would run line" in command
    assert "STORE:Mine" in command
    assert (tmp_path / "log").read_text() == "x"


def test_a_class_of_a_cell_or_of_a_function_is_not_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    command = princeps.run(with_mine(monkeypatch)["Mine"], n=5, seed=3, engine="reference").command
    assert command.startswith("# no command repeats this: Mine is not defined in a file; a sweep keeps it in its store")
    inner = "".join(f"    {line}\n" for line in MINE.splitlines())
    text = f"from princeps import *\n\n{CONSTANT}\n\n{HELPER}\n\n{START}\ndef make():\n{inner}    return Mine\n\nMine = make()\n"
    mine = imported(tmp_path, monkeypatch, "inner_of_a_test", text)
    command = princeps.run(mine, n=5, seed=3, engine="reference").command
    assert "Mine is not defined at the top level of" in command


def test_counterexamples_say_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    from princeps.analysis.replaying import Move, replay_command
    from princeps.model.reading import make_run

    run = make_run(with_mine(monkeypatch)["Mine"], 3)
    assert replay_command(run, [(1, 1)] * 3, [Move((0, 1))]).startswith("# no command repeats this: ")
