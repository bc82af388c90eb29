"""What plain Python would execute in silence: every engine refuses it in the same words, with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

import princeps
from princeps.errors import ProtocolError
from tests.tables import in_one_test

FILE = """
import os
from pathlib import Path

from princeps import Bit, Blocks, PopulationProtocol, Range, coin, draw

COUNTS, CALLS, HERE = [0], 0, Path("here")


class Box:
    calls = 0


def helper(u, v):
    HELPER


class Mine(PopulationProtocol):
    leader, x = Bit(), Range(4)
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

    def interact(a, b, p):
        RULE
        if a.leader == 1 and b.leader == 1:
            b.leader = 0
"""
REFUSED = {
    "b.leader == 0": "`b.leader == 0` compares and changes nothing: write = to assign, `b.leader = 0`.",
    "a.x < 3": "`a.x < 3` compares and changes nothing: write it after `if`, or leave it out.",
    'b.leader = a.leader == "1"': "`a.leader == '1'` is decided by '1', and rules have no texts: write 1 (",
    'b.leader = a.x in ("one", 1)': "rules have no texts: use numbers, or OneOf(...) for values with names (",
    "b.leader = a.x == None": "is decided by None, and rules have no other values than numbers: use numbers",
    "b.leader = a.x is 1": "`a.x is 1` compares no numbers: write == instead of `is` (",
    "b.leader = a == b": "compares an agent itself, which equals nothing else: compare fields, like a.leader == b.leader.",
    "b.leader = a is not b": "compare fields, like a.leader == b.leader.",
    "b.leader = a in (1, 2)": "compare fields, like a.leader == 1.",
    "for a, b in ((b, a),): a.x = 1": "'a' has a meaning already: choose another name for the loop.",
    "b.leader = b == 1": "compare fields, like b.leader == 1.",
    "a, b = b, a": "`a` is an agent and cannot be assigned: to exchange the roles write `for x, y in ((b, a),):`",
    "COUNTS[0] += 1": "`COUNTS[0]` is assigned, which is outside of the agents, and a rule remembers nothing but the fields",
    "global CALLS; CALLS += 1": "`CALLS` is assigned, which is outside of the agents",
    "Box.calls += 1": "`Box.calls` is assigned, which is outside of the agents",
    "os.calls = 1": "`os.calls` is assigned, which is outside of the agents",
    "a.x = draw(1, 3)": "`draw(1, 3)`: draw(k) takes one number and is one of 0..k-1: for one of 1..3 write 1 + draw(3).",
    "a.x = draw()": "draw(k) takes one number and is one of 0..k-1: write draw(k).",
    "a.x = coin(2)": "`coin(2)`: coin() takes nothing and is 0 or 1: write coin(), or draw(k)",
    "super().interact(a, b, p)": "super() finds nothing: write what both classes share as a function outside of them, and call that.",
}


def run(folder: Path, rule: str, helper: str = "return 0", engine: str = "reference") -> princeps.Result:
    file = folder / "mine.py"
    file.write_text(FILE.replace("RULE", rule).replace("HELPER", helper))
    result = princeps.run(file, 5, seed=1, engine=engine)
    assert isinstance(result, princeps.Result)
    return result


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@in_one_test("rule", REFUSED)
def test_every_engine_says_the_same(rule: str, tmp_path: Path) -> None:
    for engine in ("reference", "agents", "counts"):
        with pytest.raises(ProtocolError) as refused:
            run(tmp_path, rule, engine=engine)
        assert f"mine.py:{FILE[: FILE.index('RULE')].count(chr(10)) + 1}: " in str(refused.value)
        assert REFUSED[rule] in str(refused.value)


def test_agents_are_followed_into_helpers(tmp_path: Path) -> None:
    for rule in ("a.x = helper(b, a)", "for l, r in ((a, b), (b, a)): helper(l, r)"):
        with pytest.raises(ProtocolError, match=r"mine.py:15: `u == v` compares an agent itself"):
            run(tmp_path, rule, "return u == v")


HARMLESS = {
    "a call": "os.getpid(); str(HERE / 'x')",
    "a call after a condition": "os.getpid() == 0 and helper(a, b)",
    "a list of its own": "seen = [0]; seen[0] += 1",
    "names for the agents": "for u, v in ((a, b), (b, a)): u.x = v.x",
    "texts of something else": "'here' == HERE.name and print()",
}


@in_one_test("name", HARMLESS)
def test_a_rule_may_do_other_things_in_plain_python(name: str, tmp_path: Path) -> None:
    assert run(tmp_path, HARMLESS[name]).converged


DECLARED = {
    "leader = Bit(1)": "Bit(1) is not understood, a field is 0 or 1: write Bit(); a start says with which value",
    "x = Range(0, 3)": "Range(0, 3) is not understood, and Range(k) has the values 0..k-1: for the values 0..3 write Range(4).",
    "x = Range(0, 4, 2)": "Range(0, 4, 2) is not understood, and Range(k) has the values 0..k-1: give one size.",
    "oracle = Oracle(lambda c, p: 1)": "the oracle has no name that a rule can read: write Oracle('nobody_leads', lambda c, p:",
    "oracle = Oracle('seen')": "the oracle is None, where a function (c, p) is needed",
}


@in_one_test("line", DECLARED)
def test_a_declaration_with_other_arguments_is_told_with_its_line(line: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        FILE.replace("HELPER", "pass")
        .replace("RULE", "pass")
        .replace("    leader, x =", f"    {line}\n    leader, x =")
        .replace("import Bit", "import Oracle, Bit")
    )
    with pytest.raises(ProtocolError) as refused:
        princeps.run(file, 5, seed=1, engine="reference")
    assert f"mine.py:{file.read_text().splitlines().index(f'    {line}') + 1}: {DECLARED[line]}" in str(refused.value)
