"""A link never makes a file be read or executed, whatever it names and wherever it names it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from princeps.errors import PrincepsError
from princeps.model.description import Description, describe
from princeps.model.options import RunOptions, options_of
from princeps.model.script import Script, Steps
from princeps.model.script_codes import code_of, refuse_files
from princeps.web.actions import Actions
from princeps.web.messages import WORDS
from princeps.web.watch import Watch

EVIL = """
import pathlib
pathlib.Path(__file__).with_suffix(".ran").write_text("x")
from princeps import PopulationProtocol, Bit
class Evil(PopulationProtocol):
    leader = Bit()
"""
opened: list[str] = []
_listens: list[bool] = []


def _hear(event: str, given: tuple[Any, ...]) -> None:
    """Everything that Python opens or imports, while somebody listens; a hook cannot be taken away again."""
    if (
        _listens
        and event in ("open", "import")
        and any(mark in str(given[0]) for mark in ("trapped/", "evil", "data.txt"))
    ):
        opened.append(str(given[0]))


sys.addaudithook(_hear)


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that is the current one, with files that a link would like to be read."""
    folder = tmp_path / "trapped"
    folder.mkdir()
    for name in ("evil.py", "fratricide", "p_rl", "data.txt"):
        (folder / name).write_text(EVIL)
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    opened.clear()
    _listens.append(True)
    try:
        yield folder
    finally:
        _listens.clear()


def tried(actions: Actions, word: str, given: dict[str, Any]) -> None:
    """It may be refused in a sentence, or mean something else; anything but a PrincepsError fails the test."""
    with suppress(PrincepsError):
        actions.perform(word, given)


def evil_names(folder: Path) -> list[str]:
    plain = [f"{folder}/evil.py", f"{folder}/data.txt"]
    return [
        *("./evil.py", "./evil.py:Evil", "evil.py", "evil:Evil", "evil", "fratricide/../evil.py", "./fratricide"),
        *plain,
        *(f"file:{name}" for name in plain),
        *(f"weighted:{name}" for name in plain),
        *(f"@{name}" for name in plain),
        f"file://{plain[0]}",
        f"~/../{plain[0]}",
        f"list:{plain[1]}",
        f"states:{plain[1]}",
    ]


def test_no_option_of_a_link_reads_a_file(trap: Path) -> None:
    watch = Watch()
    watch.open(describe("fratricide", 6, seed=1, engine="reference"))
    actions, before = Actions(watch), watch.run_number
    flags = ["--" + name.replace("_", "-") for name in options_of(RunOptions)]
    for name in evil_names(trap):
        lines = [
            f"princeps run {name} -n 6 --seed 1",
            f"princeps ring {name} -n 6",
            f"princeps run fratricide -n 6 -p N={name}",
        ]
        lines += [f"princeps run fratricide -n 6 --seed 1 {flag} {name}" for flag in flags]
        lines += [f"princeps run peterson --seed 1 {flag} {name}" for flag in ("--ring", "--labels", "--schedule")]
        for line in lines:
            tried(actions, "open", {"code": code_of(Script(line, None, (Steps(1),)))})
        words = [argument for argument in WORDS["choose"] if argument not in ("protocol", "n", "params")]
        base = {"n": "6", "params": None, **dict.fromkeys(words)}
        tried(actions, "choose", {**base, "protocol": name})
        tried(actions, "choose", {**base, "protocol": "fratricide", "params": {"N": name}})
        for word in words:
            for protocol in ("fratricide", "peterson"):
                tried(actions, "choose", {**base, "protocol": protocol, word: name})
    assert opened == []
    assert not (trap / "evil.ran").exists()
    assert watch.run_number >= before
    actions.perform("step", {"count": 1})  # a run is still there
    (trap / "data.txt").read_text()
    assert opened  # it would have been seen


def test_a_file_of_the_command_line_may_be_named_and_no_other(trap: Path) -> None:
    given = describe("./evil.py:Evil", 6)
    actions = Actions(Watch(), given)
    for name in ("./evil.py", f"{trap}/evil.py:Evil", "evil.py:Evil", "./data.txt:Evil"):
        with pytest.raises(PrincepsError, match="is not in the library"):
            actions.perform("open", {"code": code_of(Script(f"princeps run {name} -n 6", None, ()))})
    assert not (trap / "evil.ran").exists()


def test_arrays_of_the_command_line_are_not_compared() -> None:
    given = Description("fratricide", 3, {}, RunOptions(start=np.array([1, 0, 0])))
    refuse_files(given, given)
    other = Description("fratricide", 3, {}, RunOptions(start=np.array([1, 0, 0])))
    with pytest.raises(PrincepsError, match="would read a file"):
        refuse_files(other, given)
