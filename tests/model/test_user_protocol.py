"""A user's own file runs as it is, and what is wrong with it is told with file and line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import princeps as library
from princeps import errors
from tests.conftest import Command
from tests.tables import in_one_test

GOOD = '''\
from princeps.model import Agent, Bit, Counted, Counts, Param, Params, PopulationProtocol, Range


def initial(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone leads"""
    a.leader = 1
    a.x = 0  # start


def tired(a: Agent, p: Params) -> int:
    """has counted to k"""
    return a.x == p.k  # predicate


def rested(c: Counts, p: Params) -> int:
    """nobody is tired any more"""
    return c.leaders == 1 and c.tired >= 0  # goal


class Mine(PopulationProtocol):
    k = Param(min=1, default=3, doc="how far to count")
    leader = Bit()
    x = Range(lambda p: p.k + 1)

    starts = {"initial": initial}
    predicates = {"tired": tired}
    goals = {"rested": Counted(rested)}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        a.x = min(a.x + 1, p.k)  # rule
        if a.leader == 1 and b.leader == 1:
            b.leader = 0
'''
RULE = "a.x = min(a.x + 1, p.k)"


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(GOOD.splitlines(), 1) if text in line)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(GOOD)
    return path


# -- a good file --------------------------------------------------------------------------------------------------


@pytest.mark.medium
def test_a_file_runs_with_nothing_registered(princeps: Command, mine: Path) -> None:
    words = ("run", "./mine.py:Mine", "-n", "1e4", "--max-steps", "1e6", "--record", "tired", "--every", 50, "--json")
    outcome = princeps(*words, "--seed", 1, cwd=mine.parent)
    assert (outcome.code, outcome.stderr) == (1, "")
    result = outcome.object
    assert (result["protocol"], result["engine"], result["steps"]) == ("mine", "counts", 1_000_000)
    assert result["record"]["tired"] == [0, 10_000, 10_000]
    assert "run ./mine.py:Mine -n 10000 -p k=3" in result["command"]


def test_both_engines_run_it_alike(quick: Command, mine: Path) -> None:
    words = ("run", f"{mine}:Mine", "-n", 20, "--seed", 2, "-p", "k=5", "--until", "rested", "--json")
    fast, plain = quick(*words).object, quick(*words, "--engine", "reference").object
    assert (fast["engine"], plain["engine"]) == ("agents", "reference")
    for key in ("steps", "leader", "events", "params"):
        assert fast[key] == plain[key]


def test_the_class_may_be_left_out_if_it_is_the_only_one(quick: Command, mine: Path) -> None:
    assert quick("show", mine, "--json").object["file"] == str(mine)
    mine.write_text(GOOD + "\n\nclass Other(Mine):\n    name = 'other'\n")
    outcome = quick("show", mine)
    assert outcome.code == 2
    assert f"{mine}: name one of the protocol classes (Mine, Other)" in outcome.stderr
    assert quick("show", f"{mine}:Other", "--json").object["protocol"] == "other"


def test_a_home_directory_is_understood(quick: Command, mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(mine.parent))
    assert quick("show", "~/mine.py:Mine", "--json").object["protocol"] == "mine"


def test_a_class_can_be_run_from_python_and_its_command_repeats_it(quick: Command, mine: Path) -> None:
    cls = type(library.protocol(f"{mine}:Mine", n=4))
    result = library.run(cls, n=12, seed=3, engine="reference", k=2)
    assert result.command.startswith(f"princeps run {mine}:Mine -n 12 -p k=2")
    again = quick(*result.command.split()[1:], "--json").object
    assert (again["steps"], again["leader"]) == (result.steps, result.leader)


def test_a_file_without_a_start_needs_states(quick: Command, mine: Path) -> None:
    mine.write_text(GOOD.replace('starts = {"initial": initial}', ""))
    outcome = quick("run", f"{mine}:Mine", "-n", 3)
    assert outcome.code == 2
    assert "declares no start: add starts" in outcome.stderr
    states = mine.parent / "states.json"
    states.write_text('[{"leader": 1, "x": 0}, {"leader": 1, "x": 3}]')
    words = ("run", f"{mine}:Mine", "-n", 2, "--start", f"file:{states}", "--engine", "reference")
    assert quick(*words).code == 0


def test_an_arbitrary_start_is_unknown_to_a_self_stabilizing_file_that_has_none(quick: Command, mine: Path) -> None:
    mine.write_text(GOOD.replace("    leader = Bit()", '    guarantee = "self-stabilizing"\n    leader = Bit()'))
    outcome = quick("run", f"{mine}:Mine", "-n", 3, "--start", "random")
    assert (outcome.code, outcome.stderr) == (2, "princeps: unknown start 'random': known: file:PATH, initial.\n")


# -- mistakes -----------------------------------------------------------------------------------------------------

# what stands in the file instead, what stood there, and what each engine says
MISTAKES: dict[str, tuple[str, str, str, str | None]] = {
    "a field nobody declared": ("a.y = 1", RULE, "unknown field 'y'", "unknown field 'y'"),
    "a field read but not declared": ("a.x = b.y", RULE, "unknown field 'y'", "unknown field 'y'"),
    "a parameter nobody declared": ("a.x = p.q", RULE, "unknown parameter 'q'", "unknown parameter 'q'"),
    "a constant outside": ("a.leader = 2", RULE, "outside the domain 0..1 of leader", "leader = 2 is outside"),
    "a negative constant": ("a.leader = -1", RULE, "leader = -1 is outside", "leader = -1 is outside"),
    "a sum outside": ("a.x = a.x + 1", RULE, "x = 4 is outside its domain 0..3", "x = 4 is outside its domain 0..3"),
    "a difference outside": ("a.x = a.x - 1", RULE, "x = -1 is outside", "x = -1 is outside"),
    "a division": ("a.x = a.x / 2", RULE, "`a.x / 2` is a float, and", "`a.x / 2` is a float, and"),
    "a fraction": ("a.x = 0.5", RULE, "`0.5` is a float, and", "`0.5` is a float, and"),
    "a power": ("a.x = 1**a.x", RULE, "`1 ** a.x` cannot be compiled", None),
    "a word": ("a.x = 'one'", RULE, "`'one'` cannot be compiled", "x = 'one' is not an integer"),
    "a list": ("a.x = [0, 1][0]", RULE, "`[0, 1][0]` cannot be compiled", None),
    "a function nobody defined": ("a.x = foo(a.x)", RULE, "`foo(a.x)` cannot be compiled", "name 'foo' is not defined"),
    "a function of another file": ("print(a.x)", RULE, "`print(a.x)` cannot be compiled", None),
    "a name nobody defined": ("a.x = y", RULE, "unknown name 'y'", "name 'y' is not defined"),
    "a while loop": ("while a.x < 2: a.x += 1", RULE, "`while a.x < 2:` cannot be compiled", None),
    "a loop over numbers": ("for i in range(2): a.x = i", RULE, "only loops over a literal tuple of roles", None),
    "an import": ("import os", RULE, "`import os` cannot be compiled", None),
    "a changed parameter": ("p.k = 2", RULE, "`p.k` cannot be assigned", None),
    "a rule that answers": ("return a.x", RULE, "returns nothing", "returns nothing"),
    "a start with an unknown field": ("a.y = 0", "a.x = 0", "unknown field 'y'", "unknown field 'y'"),
    "a start outside": ("a.x = i", "a.x = 0", "x = 4 is outside its domain 0..3", "x = 4 is outside its domain 0..3"),
    "a predicate with an unknown field": (
        "return a.y == 0",
        "return a.x == p.k",
        "unknown field 'y'",
        "unknown field 'y'",
    ),
    "a predicate with an unknown name": (
        "return a.x == q",
        "return a.x == p.k",
        "unknown name 'q'",
        "name 'q' is not defined",
    ),
    "a goal with an unknown count": ("return c.awake == 0", "return c.leaders == 1", "unknown count 'awake'", None),
}
COMPILED = {name: (new, old, says) for name, (new, old, says, _) in MISTAKES.items()}
PLAIN = {name: (new, old, says) for name, (new, old, _, says) in MISTAKES.items() if says is not None}


def assert_blamed(quick: Command, mine: Path, engine: str, mistake: tuple[str, str, str]) -> None:
    new, old, says = mistake
    text = GOOD.replace(old, new)
    assert text != GOOD
    mine.write_text(text)
    outcome = quick("run", f"{mine}:Mine", "-n", 20, "--seed", 1, "--until", "rested", "--engine", engine)
    assert (outcome.code, outcome.stdout) == (2, "")
    (line,) = outcome.stderr.splitlines()
    assert line.startswith(f"princeps: {mine}:{line_of(old)}: ")
    assert says in line


@pytest.mark.medium
@in_one_test("mistake", COMPILED.values(), ids=COMPILED.keys())
def test_a_mistake_is_told_with_file_and_line(quick: Command, mine: Path, mistake: tuple[str, str, str]) -> None:
    assert_blamed(quick, mine, "auto", mistake)


@pytest.mark.medium
@in_one_test("mistake", PLAIN.values(), ids=PLAIN.keys())
def test_the_reference_engine_tells_it_too(quick: Command, mine: Path, mistake: tuple[str, str, str]) -> None:
    assert_blamed(quick, mine, "reference", mistake)


DECLARATIONS = {
    "a sentence of no language": ("x = = 1\nclass", "class", "invalid syntax"),
    "an import of nothing": ("import nothing_at_all\nfrom", "from", "ModuleNotFoundError"),
    "an exception in two lines": ("raise ValueError('a\\nb')\nclass", "class", "ValueError: a b."),
    "an exit": ("raise SystemExit(0)\nclass", "class", "sys.exit() is called here"),
    "a parameter called seed": ("seed = Param", "k = Param", "no parameter may be called 'seed'"),
    "a parameter called scheduler": ("scheduler = Param", "k = Param", "no parameter may be called 'scheduler'"),
    "a guarantee of nothing": ('guarantee = "hope"\n    leader = Bit', "leader = Bit", "guarantee 'hope'"),
    "no leader": ("boss = Bit()", "leader = Bit()", "no field 'leader'"),
}


@in_one_test(("new", "old", "says"), DECLARATIONS.values(), ids=DECLARATIONS.keys())
def test_a_mistake_outside_the_rule_is_told_too(quick: Command, mine: Path, new: str, old: str, says: str) -> None:
    mine.write_text(GOOD.replace(old, new, 1))
    outcome = quick("run", f"{mine}:Mine", "-n", 20)
    assert (outcome.code, outcome.stdout) == (2, "")
    (line,) = outcome.stderr.splitlines()
    assert line.startswith(f"princeps: {mine}:")
    assert says in line


def test_a_class_that_is_not_there_is_refused(quick: Command, mine: Path) -> None:
    outcome = quick("run", f"{mine}:Yours", "-n", 20)
    assert (outcome.code, outcome.stderr) == (2, f"princeps: {mine}: no protocol class 'Yours' here; found: Mine.\n")


def test_the_error_carries_file_and_line(mine: Path) -> None:
    mine.write_text(GOOD.replace(RULE, "a.y = 1"))
    with pytest.raises(errors.ProtocolError) as caught:
        library.run(f"{mine}:Mine", n=5, engine="reference")
    assert (caught.value.file, caught.value.line) == (os.fspath(mine), line_of(RULE))
