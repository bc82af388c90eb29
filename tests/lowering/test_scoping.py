"""A name in a rule means what it means to Python, or the rule is refused: locals, closures, names of the file, builtins."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.errors import ProtocolError
from princeps.lowering.codegen import Writer, check_language
from princeps.lowering.field_code import render
from princeps.lowering.layout import make_layout
from princeps.model.fields import constants_of
from princeps.model.protocol import Closed, PopulationProtocol
from tests.tables import in_one_test

FILE = """\
from princeps.model import *
K = 5
def initial(a, i, n, p):
    a.leader = 1
def make():
    # around
    class Mine(PopulationProtocol):
        leader, x, y, mark = Bit(), Range(100), Range(100), Scratch()
        starts = {"initial": initial}
        k = Param(default=7)
        @staticmethod
        def interact(ARGUMENTS):
            pass
            # rule
    return Mine
Mine = make()
# file
"""
RULE_LINE = FILE.splitlines().index("            # rule") + 1


def written(folder: Path, rule: str = "pass", around: str = "pass", file: str = "", arguments: str = "a, b, p") -> Path:
    path = folder / "mine.py"
    text = FILE.replace("# rule", rule).replace("# around", around).replace("ARGUMENTS", arguments)
    path.write_text(text.replace("# file", file))
    return path


def mine(path: Path) -> PopulationProtocol:
    from princeps.model.modules import module_of

    cls: type[PopulationProtocol] = module_of(path).Mine
    return cls(4)


def generated(protocol: PopulationProtocol, before: Any) -> Any:
    """What the generated code makes of two states, run as Python."""
    writer = Writer(protocol, make_layout(protocol))
    code, names = render(writer.guarded_rule(writer.guards())[0], 0), protocol.space.names
    scope: dict[str, Any] = {"remainder": int.__mod__, "int64": int, "uint64": int, "l_mark": 0, "r_mark": 0}
    scope |= {f"p_{name}": value for name, value in constants_of(protocol.constants).items()}
    scope |= {f"top_{name}": 99 for name in names}
    for side, state in zip("lr", before, strict=True):
        scope |= {f"{side}_{name}": value for name, value in zip(names, state, strict=True)}
    exec(code, scope)
    return tuple(tuple(scope[f"{side}_{name}"] for name in names) for side in "lr")


SAME: dict[str, dict[str, str]] = {
    "a constant of the file": {"rule": "a.x = K"},
    "a constant of the function around": {"rule": "a.x = K", "around": "K = 6"},
    "a constant that is defined later": {"rule": "a.x = LATE", "file": "LATE = 9"},
    "a min of the file": {"rule": "a.x = min(a.x, b.x)", "file": "def min(x, y):\n    return 3"},
    "a min of the function around": {"rule": "a.x = min(a.x, b.x)", "around": "def min(x, y):\n        return 3"},
    "another name of max": {"rule": "a.x = larger(a.x, b.x)", "file": "larger = max"},
    "a helper of the function around": {"rule": "a.x = help(b.x)", "around": "def help(x):\n        return x // 2"},
    "a helper's own constant": {
        "rule": "a.x = help(b)",
        "around": "K = 8\n    def help(a):\n        return K + a.y // 9",
    },
    "a local like a constant": {"rule": "K = b.x; a.x = K"},
    "locals of a helper": {
        "rule": "x = 3; help(a, b.x); a.y = x",
        "file": "def help(a, x):\n    x = x // 2\n    a.x = x",
    },
    "arguments called otherwise": {"rule": "l.x = p.x % K; p.y = r.k", "arguments": "l, p, r"},
    "arguments by position only": {"rule": "a.x = b.x", "arguments": "a, b, p, /"},
    "an argument called min": {"rule": "a.x = min.k", "arguments": "a, b, min"},
    "a flag of the interaction": {"rule": "a.mark = 1; a.x = a.mark + b.mark"},
}


@in_one_test("parts", SAME.values(), ids=SAME.keys())
def test_a_name_means_what_python_means_by_it(tmp_path: Path, parts: dict[str, str]) -> None:
    protocol, draw = mine(written(tmp_path, **parts)), random.Random(1)
    for _ in range(10):
        before = [(draw.randrange(2), draw.randrange(100), draw.randrange(100)) for _ in "lr"]
        assert generated(protocol, before) == protocol.step(before[0], before[1])


REFUSED: dict[str, tuple[dict[str, str], str]] = {
    "a local that may have no value, like a constant": (
        {"rule": "if a.x > 3:\n                K = 1\n            a.y = K"},
        "'K' is not assigned on every way",
    ),
    "a call of a local": ({"rule": "min = 3; a.x = min(a.x, b.x)"}, "'min' is no function here"),
    "a call of an argument": ({"rule": "a.x = p(b.x)"}, "'p' is no function here"),
    "any number of names": ({"rule": "a.x = K", "arguments": "a, b, p, **K"}, "other than plain arguments"),
    "an argument by name that nobody gives": (
        {"rule": "a.x = K", "arguments": "a, b, p, *, K"},
        "where (a, b, p) are given",
    ),
    "any number of arguments": ({"rule": "pass", "arguments": "*all"}, "other than plain arguments"),
    "identity": ({"rule": "a.x = 1 if a.x is b.x else 0"}, "write == instead of `is`"),
    "membership": ({"rule": "a.x = 1 if a.x in b else 0"}, "list the values"),
    "a range of one's own": ({"rule": "range = 3; a.x = 1 if a.x in range(4) else 0"}, "list the values"),
    "min of one": ({"rule": "a.x = min(a.x)"}, "give min two numbers"),
    "max of none": ({"rule": "a.x = max()"}, "give max two numbers"),
    "abs of two": ({"rule": "a.x = abs(a.x, b.x)"}, "give abs one number"),
    "int of none": ({"rule": "a.x = int()"}, "give int one number"),
    "an enormous sum": ({"rule": f"a.x = {' + '.join(['a.x'] * 1500)}"}, "nested too deeply"),
    "a function that is none": ({"rule": "a.x = len(b.x)"}, "`len(b.x)` cannot be compiled"),
}


def checked(protocol: Any) -> None:
    check_language(Writer(protocol, make_layout(protocol)))


@in_one_test(("parts", "says"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_mean_the_same_is_refused_with_its_line(tmp_path: Path, parts: dict[str, str], says: str) -> None:
    path = written(tmp_path, **parts)
    with pytest.raises(ProtocolError) as caught:
        checked(mine(path))
    assert says in str(caught.value)
    assert caught.value.file == str(path)
    assert caught.value.line is not None or "nested" in says


def alike(u: Any, n: int, p: Any) -> int:
    for i in range(n):
        if u[i].leader != u[0].leader or u[i].mark:
            return 0
    return 1


class OfTheClass:
    @staticmethod
    def alike(u: Any, n: int, p: Any) -> int:
        """Called like the function that it calls."""
        return alike(u, n, p)


def test_functions_on_configurations_may_be_called_alike(tmp_path: Path) -> None:
    protocol = mine(written(tmp_path))
    source = Writer(protocol, make_layout(protocol)).holds(Closed(OfTheClass.alike))
    assert source.count("def on_config_0(") == source.count("def on_config_1(") == 1
    scope: dict[str, Any] = {}
    plain = source.replace("@njit(boundscheck=True)", "").replace("@njit(cache=True)", "").replace("@njit", "")
    exec(plain.replace("from princeps.lowering.jit import njit", ""), scope)
    assert scope["goal_holds"]([0b1, 0b1, 0b1], 3, [7]) == 1
    assert scope["goal_holds"]([0b1, 0b0, 0b1], 3, [7]) == 0


@pytest.mark.slow
def test_a_constant_that_is_given_another_value_is_seen_by_the_next_run(tmp_path: Path) -> None:
    """In a notebook."""
    from princeps.model.modules import module_of

    path = written(tmp_path, rule="a.x = K")
    module = module_of(path)
    for value in (5, 6):
        module.K = value  # type: ignore[attr-defined]
        session = princeps.session(module.Mine, n=3, engine="agents", seed=1).step(20)
        assert {state[1] for state in session.counts} == {value}
