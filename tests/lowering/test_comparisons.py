"""Comparisons of tuples, `in` and `match`: the straight code that is compiled does what Python does, also where it fails.

The code is executed by Python itself here, so that nothing need be compiled; test_compiled_expressions.py and the fuzzer
compile such rules.
"""

from __future__ import annotations

import ast
import operator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.errors import ProtocolError
from princeps.lowering.codegen import Writer, check_language
from princeps.lowering.layout import make_layout

FILE = """from princeps.model import *
from enum import IntEnum

Role = OneOf("LEADER", "ZOMBIE", "FOLLOWER")
LISTED, PAIRS, EMPTY, TEXTS = (0, 2), ((0, 1), (2, 2)), (), ("a", "b")
MANY, SPAN = [1, 2], range(1, 3)

class Colour(IntEnum):
    RED = 1

def warm(x):
    return x in (Colour.RED, 2)

class Mine(PopulationProtocol):
    role, x = Role, Range(4)
    leaders = "LEADER"
    k = Param(default=2)

    @staticmethod
    def interact(a, b, p):
        RULE
"""


def protocol_of(tmp_path: Path, rule: str) -> Any:
    file = tmp_path / "mine.py"
    file.write_text(FILE.replace("RULE", rule.replace("\n", "\n        ")))
    return princeps.protocol(f"{file}:Mine")


def straight(protocol: Any) -> Any:
    """The rule on local scalars, as a function of two states; None where it fails."""
    writer = Writer(protocol, make_layout(protocol))
    body, _ = writer.guarded_rule(writer.guards())
    code = compile(ast.unparse(ast.fix_missing_locations(ast.Module(body, []))), "<straight>", "exec")
    names = protocol.space.names

    def step(one: tuple[int, ...], other: tuple[int, ...]) -> Any:
        values = {
            f"{who}_{name}": value
            for who, state in (("l", one), ("r", other))
            for name, value in zip(names, state, strict=True)
        }
        scope: dict[str, Any] = {
            "int64": int,
            "uint64": lambda x: x % 2**64,
            "remainder": operator.mod,
            "bad": 0,
            "p_k": 2,
        }
        try:
            exec(code, scope, values)
        except ZeroDivisionError:
            return None
        return (
            None
            if values.get("bad", 0)
            else tuple(tuple(int(values[f"{who}_{name}"]) for name in names) for who in "lr")
        )

    return step


def by_python(protocol: Any, one: tuple[int, ...], other: tuple[int, ...]) -> Any:
    try:
        return protocol.step(one, other)
    except ProtocolError:
        return None


CONDITIONS = [
    "a.role in (LEADER, FOLLOWER)",
    "a.role not in (LEADER, FOLLOWER)",
    "a.role in LISTED",
    "a.x in {1, b.x}",
    "a.x in [3, p.k]",
    "a.x in MANY and b.x not in SPAN",
    "a.x in range(1, 3)",
    "a.x in range(b.x)",
    "1 <= a.x in (b.x, 2)",
    "(a.role, a.x) == (b.role, b.x)",
    "(a.role, a.x) != (b.role, b.x)",
    "(a.role, a.x) < (b.role, b.x)",
    "(a.role, a.x) <= (b.role, b.x)",
    "(a.role, a.x, b.x) > (b.role, b.x, 1)",
    "(a.role, a.x) >= (b.role, b.x)",
    "(a.role, b.role) in PAIRS",
    "(a.role, b.role) not in ((Role.LEADER, Role.ZOMBIE), (ZOMBIE, LEADER))",
    "(a.x, (a.role, 1)) == (b.x, (b.role, 1))",
    "a.x == Colour.RED or warm(b.x)",
    "a.x in (1, 6 // b.x)",
    "(a.x, 1) == (2, 3 // b.x)",
    "(a.x, 6 // b.x) < (2, 3 // b.role)",
    "not a.x in (1, 2)",
    "(a.x in (1, 2)) == (b.x in (1, 2))",
]


def test_comparisons_are_those_of_python(tmp_path: Path) -> None:
    """Each in a file of its own, on all pairs of states."""
    for k, condition in enumerate(CONDITIONS):
        folder = tmp_path / str(k)
        folder.mkdir()
        protocol = protocol_of(folder, f"b.x = int({condition})\na.x = 3 if {condition} else 0")
        compare(protocol, condition)


def compare(protocol: Any, what: str) -> None:
    step, seen = straight(protocol), set()
    states = list(product(range(3), range(4)))
    for one, other in product(states, states):
        expected = by_python(protocol, one, other)
        assert step(one, other) == expected, (what, one, other)
        seen.add(expected)
    assert len(seen) > 2, what


MATCHES = [
    """match a.role:
    case Role.LEADER:
        v = 1
    case 1 | Role.FOLLOWER if b.x > 1:
        v = 2
    case _:
        v = 3
b.x = v""",
    """match (a.role, b.role):
    case (Role.LEADER, Role.LEADER):
        b.role = Role.FOLLOWER
    case (Role.LEADER, _) | (Role.FOLLOWER, Role.ZOMBIE | 0):
        a.x = 3
    case (_, _) if a.x < b.x:
        a.x = b.x""",
    """match a.x // b.x:
    case p.k:
        a.role = ZOMBIE
    case 0:
        match b.role:
            case 2:
                return
        b.role = 2
a.x = 0""",
    """for l, r in ((a, b), (b, a)):
    match l.x, r.x:
        case 1, 2:
            l.x = r.x
            break
        case -1, _:
            l.x = 0
        case 3, 3:
            pass
    r.x = 1""",
    """match a.x in (1, 2):
    case 1:
        b.x = 0""",
]


@pytest.mark.parametrize("rule", MATCHES)
def test_match_is_that_of_python(rule: str, tmp_path: Path) -> None:
    compare(protocol_of(tmp_path, rule), rule)


REFUSED = {
    "b.x = a.x is b.x": "write == instead of `is` .docs/writing-protocols.md",
    "b.x = a.x in EMPTY": "is never true: nothing is listed",
    "b.x = (a.x, 1) == 1": "compares a tuple with a number",
    "b.x = (a.x, 1) == (1, 2, 3)": "compares 2 values with 3",
    "b.x = a.x in a": "list the values, as in `a.x in .1, 2.`",
    "b.x = a.x in range(0, 9, 2)": "list the values",
    "b.x = a.x in (coin(), 1)": "give what is drawn a name first",
    "b.x = a.x in TEXTS": "it holds other things than numbers",
    "pair = (a.x, b.x)": "2 values",
    "b.x = (a.x, b.x)[0]": "rules have no lists: use if and elif",
    "b.x = {0: 1}[a.x]": "docs/writing-protocols.md",
    "b.x = any(c > 1 for c in (a.x, b.x))": "cannot be compiled",
    "b.x = a.role == 'none'": "rules have no texts",
    "match a.x:\n    case y:\n        b.x = y": "`case y` binds 'y' and fits everything: write a name with a dot",
    "match a.x:\n    case (1, 2):\n        b.x = 0": "cannot be compiled: write numbers, names with a dot",
    "match a.x, b.x:\n    case 1:\n        b.x = 0": "never fits a tuple",
    "match a.x, b.x:\n    case 1, 2, 3:\n        b.x = 0": "has 3 parts where 2 are matched",
    "match a.x:\n    case True:\n        b.x = 0": "`case True` fits no number: write 1",
    "match a.x:\n    case 'one':\n        b.x = 0": "cannot be compiled: write numbers",
    "match a.x, b.x:\n    case [1, *_]:\n        b.x = 0": "cannot be compiled: write numbers",
    "with a: pass": "a rule only changes its two agents",
    "assert a.x": "declare what must hold in `invariants`",
}


def checked(protocol: Any) -> None:
    check_language(Writer(protocol, make_layout(protocol)))


@pytest.mark.parametrize(("rule", "says"), REFUSED.items())
def test_what_cannot_be_compiled_says_what_to_write(rule: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(ProtocolError, match=f"mine.py:[0-9]+: .*{says}"):
        checked(protocol_of(tmp_path, rule))


def test_lambdas_are_understood(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from princeps.model import *\nclass Mine(PopulationProtocol):\n    leader = Bit()\n"
        "    predicates = {'q': lambda a, p: a.leader == 0,\n                  'r': lambda a, p: a.lader}\n"
        "    def interact(a, b, p):\n        b.leader = 0\n"
    )
    protocol = princeps.protocol(f"{file}:Mine")
    with pytest.raises(ProtocolError, match=r"mine\.py:5: unknown field 'lader'"):
        check_language(Writer(protocol, make_layout(protocol)))
