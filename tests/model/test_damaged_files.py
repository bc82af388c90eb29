"""Whatever is wrong with a file, or raised by a function of it, is told in one sentence with file and line: exit code 2."""

from __future__ import annotations

from pathlib import Path

import pytest

import princeps
from princeps.errors import PrincepsError, ProtocolError
from tests.conftest import Command
from tests.tables import in_one_test

GOOD = """\
import sys
from princeps.model import *

def initial(a, i, n, p):
    a.leader = 1
    a.x = i % 4

def tired(a, p):
    return a.x == p.k

def rested(c, p):
    return c.leaders == 1 and c.tired >= 0

def one(u, n, p):
    return u[0].leader == 1

def fine(c, p):
    return c.leaders >= 1

class Mine(PopulationProtocol):
    k = Param(min=1, default=3)
    d = Derived(lambda p: p.k + 1)
    leader = Bit()
    x = Range(lambda p: p.d)
    starts = {"initial": initial}
    predicates = {"tired": tired}
    goals = {"rested": Counted(rested), "one": Closed(one)}
    invariants = {"fine": fine}
    default_goal = "rested"

    @staticmethod
    def interact(a, b, p):
        a.x = min(a.x + 1, p.k)
        if a.leader == 1 and b.leader == 1:
            b.leader = 0

    @staticmethod
    def demands(n, p):
        return None

    @staticmethod
    def expected_steps(n, p):
        return 5 * n

    @staticmethod
    def groups(p):
        return None  # all
"""
K, D, X = "k = Param(min=1, default=3)", "d = Derived(lambda p: p.k + 1)", "x = Range(lambda p: p.d)"
START, RULE, MORE = 'starts = {"initial": initial}', "a.x = min(a.x + 1, p.k)", 'invariants = {"fine": fine}'
DEMAND, GROUPS = "return None\n\n    @staticmethod\n    def exp", "return None  # all"

DAMAGES: dict[str, tuple[str, str, str]] = {
    "a default below": (K, "k = Param(min=5, default=2)", "k has the default 2, but it is an integer >= 5"),
    "no range": (K, "k = Param(min=5, max=2, default=3)", "no value is left"),
    "a bound that is a text": (K, 'k = Param(min="a")', "k has min = 'a'"),
    "a default that is a list": (K, "k = Param(default=[])", "k has the default []"),
    "a default that is true": (K, "k = Param(default=True)", "k has the default True"),
    "an unknown default": (K, 'k = Param(default="m")', "k has the default 'm'"),
    "a default of nothing": (K, "k = Param(default=lambda: 3)", "the default of k takes () where (n) are given"),
    "a default of None": (K, "k = Param(default=lambda n: None)", "the default of 'k' is None"),
    "a default that fails": (K, "k = Param(default=lambda n: 1 // 0)", "ZeroDivisionError"),
    "no brackets": (K, "k = Param", "write Param()."),
    "a derived number": (D, "d = Derived(3)", "where a function (p) is needed"),
    "a derived fraction": (D, "d = Derived(lambda p: 2.5)", "'d' is 2.5: it must be an integer"),
    "nothing derived": (D, "d = Derived(lambda p: None)", "'d' is None"),
    "enormous": (D, "d = Derived(lambda p: 10**5000)", "more than 1000 digits"),
    "no memory": (D, "d = Derived(lambda p: [0] * 10**15)", "MemoryError"),
    "an exit": (D, "d = Derived(lambda p: sys.exit())", "sys.exit() is called"),
    "a negative size": (X, "x = Range(-1)", "has size -1"),
    "a size that is a text": (X, 'x = Range("x")', "has the size 'x'"),
    "a size that becomes a text": (X, 'x = Range(lambda p: "x")', "the size of 'x' is 'x'"),
    "a size that becomes negative": (X, "x = Range(lambda p: -3)", "has size -3"),
    "no size": (X, "x = Range(None)", "has no size"),
    "no size given": (X, "x = Range()", "TypeError: Range() missing"),
    "a field without brackets": (X, "x = Bit", "write Bit()."),
    "two inputs": (X, "x, y = Input(), Input()", "x and y are inputs"),
    "a bound nobody declared": (X, "x = Natural(lambda p: p.nope)", "unknown parameter 'nope'"),
    "a list of starts": (START, "starts = [initial]", "starts is [<function"),
    "a start that is a number": (START, 'starts = {"initial": 3}', "'initial' of starts is 3"),
    "a start without a name": (START, "starts = {3: initial}", "starts has the key 3"),
    "a start without brackets": (START, 'starts = {"initial": Uniform}', "write Uniform(...)"),
    "a start of one argument": (START, 'starts = {"initial": lambda a: 3}', "takes (a) where (a, i, n, p)"),
    "blocks of nothing": (START, 'starts = {"initial": Blocks(lambda n, p: 3)}', "must give a list of"),
    "half an agent": (START, 'starts = {"initial": Blocks(lambda n, p: [(1.5, {})])}', "a block of 1.5 agents"),
    "a block outside": (START, 'starts = {"initial": Blocks(lambda n, p: [(n, {"x": 9})])}', "has x = 9, outside"),
    "a predicate that is a number": ('{"tired": tired}', '{"tired": 3}', "'tired' of predicates is 3"),
    "a goal that is a text": ("Counted(rested)", "'rested'", "wrap the condition in Counted(...)"),
    "a goal that counts a number": ("Counted(rested)", "Counted(3)", "where a function (c, p) is needed"),
    "an unknown goal": ('default_goal = "rested"', 'default_goal = "nope"', "'nope' is none of its goals"),
    "a goal that is a list": ('default_goal = "rested"', "default_goal = []", "default_goal is []"),
    "an unknown start": (MORE, 'default_start = "nope"', "'nope' is none of its starts"),
    "an invariant that is a number": (MORE, 'invariants = {"fine": 3}', "'fine' of invariants is 3"),
    "a verdict that is a number": (MORE, 'verdicts = {"v": 3}', "'v' of verdicts is 3"),
    "a verdict at nothing": (MORE, 'verdicts = {"v": Verdict("nope", lambda c, p: 1)}', "none of the goals"),
    "a lemma that is a number": (MORE, 'lemmas = {"v": 3}', "'v' of lemmas is 3"),
    "a topology that is a number": (MORE, "topology = 3", "topology is 3: it must be a text"),
    "an unknown topology": (MORE, 'topology = "nope"', "'nope' is no graph"),
    "a name that is a number": (MORE, "name = 3", "name is 3"),
    "no title": (MORE, "title = None", "title is None"),
    "a rule of two": ("def interact(a, b, p):", "def interact(a, b):", "takes (a, b) where (a, b, p)"),
    "a rule with self": ("def interact(a, b, p):", "def interact(self, a, b, p):", "takes (self, a, b, p)"),
    "a rule that waits": ("def interact(a, b, p):", "async def interact(a, b, p):", "plain function of (a, b, p)"),
    "a rule that yields": (RULE, "yield 3", "plain function of (a, b, p)"),
    "a demand that is a number": (DEMAND, DEMAND.replace("None", "3"), "demands returns 3"),
    "a demand that fails": (DEMAND, DEMAND.replace("None", "1 // 0"), "ZeroDivisionError"),
    "groups of a number": (GROUPS, "return 3", "groups returns 3"),
    "no group": (GROUPS, "return []", "groups returns []"),
    "a group of a number": (GROUPS, "return [3]", "a group of states is 3"),
    "a group outside": (GROUPS, 'return [{"x": range(99)}]', "not in its domain 0..3"),
    "an empty group": (GROUPS, 'return [{"x": range(0)}]', "not in its domain 0..3"),
    "a rule that fails": (RULE, "a.x = 1 // 0", "ZeroDivisionError: integer division"),
    "a rule that raises": (RULE, 'raise RuntimeError("bad\\nluck" * 500)', "RuntimeError: bad luck"),
    "a rule that exits": (RULE, "sys.exit(0)", "sys.exit() is called"),
    "a rule that calls itself": (RULE, "Mine.interact(a, b, p)", "RecursionError"),
    "a rule that asserts": (RULE, "assert a.x == 77", "AssertionError"),
    "a rule that fills the memory": (RULE, "a.x = len([0] * 10**15)", "MemoryError"),
    "a rule that deletes": (RULE, "del a.x", "cannot be deleted"),
    "a rule that changes parameters": (RULE, "p.k = 7", "the parameter 'k' cannot be assigned"),
    "a rule that stores an agent": (RULE, "a.x = b", "x = an agent (leader="),
    "a rule that stores a huge number": (RULE, "a.x = 10**5000", "outside its domain"),
    "a predicate that fails": ("return a.x == p.k", 'raise OSError("x")', "OSError: x."),
    "a goal that fails": ("return c.leaders == 1 and c.tired >= 0", "return c.leaders // 0", "ZeroDivisionError"),
    "a start that fails": ("a.x = i % 4", "a.x = i % (i - 2)", "ZeroDivisionError"),
    "a start outside": ("a.x = i % 4", "a.x = 77", "x = 77 is outside its domain"),
}
NOT_THE_LINE = ("takes", "plain function", "demands returns", "a group", "groups returns", "not in its domain")


@pytest.mark.medium
@in_one_test(("old", "new", "says"), DAMAGES.values(), ids=DAMAGES.keys())
def test_one_sentence_tells_what_is_wrong_and_in_which_line(
    tmp_path: Path, quick: Command, old: str, new: str, says: str
) -> None:
    text = GOOD.replace(old, new, 1)
    assert text != GOOD
    path = tmp_path / "mine.py"
    path.write_text(text)
    outcome = quick("run", path, "-n", 5, "--seed", 1, "--engine", "reference", "--max-steps", 50)
    assert (outcome.code, outcome.stdout) == (2, "")
    (line,) = outcome.stderr.splitlines()
    assert says in line
    assert len(line) < 700
    where = GOOD[: GOOD.index(old)].count("\n") + 1
    tolerance = 3 if any(words in says for words in NOT_THE_LINE) else 0  # the function, or its decorator
    number = int(line.removeprefix(f"princeps: {path}:").split(":")[0])
    assert 0 <= where - number <= tolerance, line


CHECKED = {
    "an invariant that fails": ("return c.leaders >= 1", "return c.leaders // 0", "--check"),
    "a closed goal that fails": ("return u[0].leader == 1", "return u[n].leader", "--until=one"),
    "an expectation that fails": ("return 5 * n", "return 1 // 0", "--dry-run"),
    "an endless expectation": ("return 5 * n", 'return float("inf")', "--dry-run"),
}


@in_one_test(("old", "new", "option"), CHECKED.values(), ids=CHECKED.keys())
def test_what_only_an_option_asks_for_is_told_too(
    tmp_path: Path, quick: Command, old: str, new: str, option: str
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(GOOD.replace(old, new, 1))
    outcome = quick("run", path, "-n", 5, "--seed", 1, "--engine", "reference", "--max-steps", 50, option)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert outcome.stderr.startswith(f"princeps: {path}:")
    assert len(outcome.stderr.splitlines()) == 1


def test_in_python_the_error_is_chained_from_the_original(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(GOOD.replace(RULE, 'raise RuntimeError("bad luck")'))
    session = princeps.session(f"{path}:Mine", n=4, seed=1, engine="reference")
    with pytest.raises(ProtocolError, match="RuntimeError: bad luck") as caught:
        session.step(3)
    assert isinstance(caught.value.__cause__, RuntimeError)
    assert session.steps == 0
    (trial,) = [error for error in [trials_error(f"{path}:Mine")] if error is not None]
    assert "RuntimeError: bad luck" in str(trial)


def trials_error(path: str) -> PrincepsError | None:
    try:
        princeps.trials(path, n=4, seed=1, trials=2, engine="reference")
    except PrincepsError as error:
        return error
    return None


def test_a_parameter_without_a_default_must_be_given(tmp_path: Path, quick: Command) -> None:
    path = tmp_path / "mine.py"
    for declared in ("Param(min=1, default=None)", "Param(min=1)"):
        path.write_text(GOOD.replace(K, f"k = {declared}"))
        outcome = quick("run", path, "-n", 5, "--engine", "reference")
        assert (outcome.code, outcome.stderr) == (
            2,
            "princeps: mine needs k, an integer >= 1, which has no default: give k=...\n",
        )
        assert quick("run", path, "-n", 5, "--engine", "reference", "-p", "k=3").code == 0


def test_a_rule_needs_no_staticmethod(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(GOOD.replace("    @staticmethod\n    def interact", "    def interact"))
    assert princeps.run(f"{path}:Mine", n=5, seed=1, engine="reference").converged


def test_a_file_without_a_protocol_says_so(tmp_path: Path, quick: Command) -> None:
    path = tmp_path / "mine.py"
    path.write_text(GOOD.replace("class Mine(PopulationProtocol):", "class Mine:"))
    assert "there is no protocol in this file: derive a class" in quick("show", path).stderr
