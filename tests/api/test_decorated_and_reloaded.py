"""What a rule means is what Python executes: decorators that change it, and files that were loaded again."""

from __future__ import annotations

import functools
import importlib
import os
import sys
from collections import namedtuple
from collections.abc import Callable, Iterator
from enum import IntEnum
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps import Bit, Blocks, PopulationProtocol, PrincepsError, Range
from princeps.model.carried import carry
from princeps.model.texts import text_of_file

Place = namedtuple("Place", "top bottom", defaults=(0,))
TOP = Place(3)
Kind = IntEnum("Kind", ["LOW", "HIGH"], start=0)


def plus(f: Callable[[int], int]) -> Callable[[int], int]:
    @functools.wraps(f)
    def more(x: int) -> int:
        return (f(x) + 1) % 4

    return more


@plus
def up(x: int) -> int:
    return x


@functools.cache
def up_remembered(x: int) -> int:
    return (x + 1) % 4


def swapped(f: Any) -> Any:
    @functools.wraps(f)
    def rule(a: Any, b: Any, p: Any) -> None:
        f(b, a, p)

    return rule


class Counter(PopulationProtocol):
    leader, x = Bit(), Range(4)
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

    @staticmethod
    def interact(a: Any, b: Any, p: Any) -> None:
        a.x = up(a.x)


class Remembering(Counter):
    @staticmethod
    def interact(a: Any, b: Any, p: Any) -> None:
        a.x = up_remembered(a.x)


class Duel(PopulationProtocol):
    leader = Bit()
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

    @swapped
    def interact(a: Any, b: Any, p: Any) -> None:  # noqa: N805
        if a.leader == 1 and b.leader == 1:
            b.leader = 0


class Carried(PopulationProtocol):
    leader, x = Bit(), Range(TOP.top + 1)
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

    @staticmethod
    def interact(a: Any, b: Any, p: Any) -> None:
        b.leader, a.x = 0, Kind.HIGH


@pytest.mark.parametrize("cls", [Counter, Remembering, Duel])
def test_a_decorator_is_part_of_the_rule(cls: type[PopulationProtocol]) -> None:
    until = "leaders == 1" if cls is Duel else "count(x == 3) == 4"
    found = {}
    for engine in ("reference", "agents"):
        one = princeps.run(cls, 4, seed=3, engine=engine, until=until)
        found[engine] = (one.steps, one.leader)
    assert found["reference"] == found["agents"]


def test_exact_knows_the_decorator() -> None:
    found = princeps.exact(Counter, 2, until="count(x == 3) == 2")
    assert 0 < found.worst < 100  # without the decorator nothing would ever change


def test_named_tuples_and_enumerations_made_by_calls_are_carried(tmp_path: Path) -> None:
    (one,) = princeps.sweep(Carried, n=[4], trials=2, seed=1, store=tmp_path / "a.db", jobs=1)
    assert one.trials == 2


def test_a_class_method_is_refused_with_its_line() -> None:
    with pytest.raises(PrincepsError, match=r"test_decorated_and_reloaded\.py:\d+: Wrong\.interact is a class method"):

        class Wrong(PopulationProtocol):
            leader = Bit()

            @classmethod
            def interact(cls, a: Any, b: Any, p: Any) -> None: ...


# -- files that are loaded again -------------------------------------------------------------------------------------

HELPERS = "{head}class K:\n    TOP = {top}\n\n\ndef inc(x):\n    return (x + {by}) % 7\n"


@pytest.fixture
def helpers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    path, moments = tmp_path / "helpers_that_change.py", iter(range(10, 100, 10))

    def put(by: int, head: str = "", load: bool = True, top: int = 2) -> Any:
        path.write_text(HELPERS.format(by=by, head=head, top=top))
        moment = path.stat().st_mtime + next(moments)  # an edit of the same second is one, too
        os.utime(path, (moment, moment))
        module = sys.modules.get(path.stem)
        if not load:
            return module
        return importlib.import_module(path.stem) if module is None else importlib.reload(module)

    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield put
    sys.modules.pop(path.stem, None)


def _steps(cls: type[PopulationProtocol], engine: str) -> int:
    return princeps.run(cls, 2, seed=1, engine=engine, until="count(x == 6) == 2").steps


def test_a_helper_that_was_loaded_again_is_compiled_again(helpers: Callable[..., Any], tmp_path: Path) -> None:
    module = helpers(1)

    class Walk(PopulationProtocol):
        leader, x = Bit(), Range(7)
        starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

        @staticmethod
        def interact(a: Any, b: Any, p: Any) -> None:
            a.x = module.inc(a.x) if a.x != module.K.TOP else module.inc(module.K.TOP)

    def mean() -> float | None:
        found = princeps.sweep(
            Walk,
            n=[2],
            trials=3,
            seed=1,
            store=tmp_path / "a.db",
            jobs=1,
            engine="reference",
            until="count(x == 6) == 2",
        )
        return found[0].mean

    first, stored = _steps(Walk, "reference"), mean()
    assert _steps(Walk, "agents") == first
    helpers(3, load=False)  # edited, and not loaded: nothing has changed
    assert (_steps(Walk, "reference"), _steps(Walk, "agents")) == (first, first)
    helpers(3)
    second = _steps(Walk, "reference")
    assert (_steps(Walk, "agents"), second != first, mean() != stored) == (second, True, True)
    helpers(5, head="# a line more\n\n")
    third = _steps(Walk, "reference")
    assert (_steps(Walk, "agents"), third != second) == (third, True)


def test_a_class_of_constants_that_was_loaded_again_is_carried_as_it_is(helpers: Callable[..., Any]) -> None:
    """No function of its file has changed."""
    module = helpers(1)

    class Walk(PopulationProtocol):
        leader, x = Bit(), Range(7)
        starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

        @staticmethod
        def interact(a: Any, b: Any, p: Any) -> None:
            a.x = module.inc(a.x) if a.x != module.K.TOP else module.K.TOP

    assert "TOP = 2" in carry(Walk).text
    helpers(1, top=4, load=False)  # edited, and not loaded
    assert "TOP = 2" in carry(Walk).text
    helpers(1, top=4)
    assert "TOP = 4" in carry(Walk).text


def test_a_text_that_is_not_that_of_the_function_is_refused(helpers: Callable[..., Any]) -> None:
    """The file was edited before anybody read it, and the function is the old one."""
    inc = helpers(1).inc
    helpers(2, load=False)

    class Stale(PopulationProtocol):
        leader, x = Bit(), Range(7)
        starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

        @staticmethod
        def interact(a: Any, b: Any, p: Any) -> None:
            a.x = inc(a.x)

    assert "x + 2" in text_of_file(inc.__code__.co_filename)
    with pytest.raises(PrincepsError, match="inc is not what its file says"):
        _steps(Stale, "agents")


def test_a_meeting_after_the_rule_has_changed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    session = princeps.session(Counter, 4, seed=1, engine="reference").meet(0, 1)
    monkeypatch.setattr(sys.modules[__name__], "up", up_remembered)
    with pytest.raises(PrincepsError, match="since this session began"):
        session.meet(0, 1)


@pytest.mark.parametrize("scheduler", ["forwards", "backwards"])
def test_neighbours_in_order_are_all_that_may_change(scheduler: str) -> None:
    found = princeps.run(
        "fratricide", 6, start="states:1;0;0;1;0;0", seed=1, scheduler=scheduler, engine="reference", max_steps=10**6
    )
    assert (found.stuck, found.leaders, found.steps) == (True, 2, 0)


AUTORELOAD = """
import os
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
file, text = Path("mine_in_a_file.py"), '''from princeps import Bit, Blocks, PopulationProtocol, Range
{head}
class Mine(PopulationProtocol):
    leader, x = Bit(), Range(7)
    starts = {{"initial": Blocks(lambda n, p: [(n, {{"leader": 1}})])}}

    def interact(a, b, p):
        a.x = (a.x + {by}) % 7
'''
cell = '''
def steps(engine):
    return princeps.run(Mine, 2, seed=1, engine=engine, until="count(x == 6) == 2").steps
print("found", steps("reference"), steps("agents"))
princeps.sweep(Mine, n=[2], trials=1, store="a.db", jobs=1, until="count(x == 6) == 2")
'''
for k, (by, head) in enumerate([(1, ""), (3, ""), (5, "# a line more")]):
    file.write_text(text.format(by=by, head=head))
    os.utime(file, (file.stat().st_mtime + 10 * k,) * 2)
    if k == 0:
        shell.run_cell("%load_ext autoreload\\n%autoreload 2\\nimport sys\\nsys.path.insert(0, '.')\\nimport princeps\\nfrom mine_in_a_file import Mine")
    assert shell.run_cell(cell).success
"""


@pytest.mark.slow
def test_autoreload_of_a_notebook(tmp_path: Path) -> None:
    import subprocess

    done = subprocess.run([sys.executable, "-c", AUTORELOAD], cwd=tmp_path, capture_output=True, text=True, check=False)
    rows = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("found ")]
    assert done.returncode == 0, done.stderr
    assert len({one for one, _ in rows}) == 3, rows
    assert all(one == other for one, other in rows)
    assert "Failed" not in done.stdout + done.stderr
