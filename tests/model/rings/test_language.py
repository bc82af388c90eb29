"""A user's own ring algorithm runs as it is, and what is wrong with it is told with file and line."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.errors import ProtocolError
from princeps.model.rings.result import RingResult
from tests.conftest import Command
from tests.ring_tools import ABOUT_THE_RUN
from tests.tables import in_one_test

GOOD = '''\
from princeps.model.fields import Param, Params
from princeps.model.rings.ring import Label, Ring, repeated_label
from princeps.model.rings.algorithm import (
    Flag, Guarded, LabelVariable, Message, Number, Process, RIGHT, RingAlgorithm, WordVariable, on, start,
)

TOKEN, FINISH, LOST = Message("<x, #luck>"), Message("<FINISH>"), Message("<LOST>")


def Toss(p: Process, c: Params) -> int:
    """with a coin of one's own"""
    return p.toss(c.sides)


def Tell(p: Process, x: Label, luck: int) -> None:
    if luck < 0:
        return
    p.send(TOKEN, x, luck)


@start
def M1(p: Process, c: Params) -> Guarded:
    yield not p.awake and c.room > 0
    p.awake = 1
    p.string = p.string + p.id
    p.luck = Toss(p, c)
    Tell(p, p.id, p.luck)


@on(TOKEN)
def M2(p: Process, x: Label, luck: int, c: Params) -> Guarded:
    """another's token"""
    yield x != p.id  # guard
    if c.twisted:
        p.string = p.string + p.id
    else:
        p.string = p.string + x  # append
    p.luck = max(p.luck, luck)
    p.passed += 1  # rule
    Tell(p, x, luck)


@on(TOKEN)
def M3(p: Process, x: Label, luck: int, c: Params) -> Guarded:
    yield x == p.id and p.string.srp_is_lyndon() and p.string.mlty() <= c.k
    p.isLeader, p.leader, p.done = 1, p.id, 1
    p.send(FINISH)


@on(TOKEN)
def M4(p: Process, x: Label, luck: int, c: Params) -> Guarded:
    yield x == p.id and not (p.string.srp_is_lyndon() and p.string.mlty() <= c.k)
    p.home = x


@on(FINISH)
def M5(p: Process, c: Params) -> Guarded:
    yield True
    if not p.isLeader:
        p.leader = p.string.first_of_LW_srp()
        p.done = 1
        p.send(FINISH)
    p.halt()


class Mine(RingAlgorithm):
    sides = Param(min=1, default=6, doc="of the coin")
    twisted = Param(min=0, max=1, default=0, doc="1: remembers something else than the labels on the left")
    room = Param(min=0, default=100, doc="the largest number of tokens passed on")
    k = Param(min=1, default="n", doc="nothing")
    elects_true_leader = True
    awake, home = Flag(), LabelVariable()
    luck, passed, string = Number(), Number(0, lambda c: c.room), WordVariable()
    actions = (M1, M2, M3, M4, M5)

    @staticmethod
    def demands(ring: Ring, c: Params) -> str | None:
        return repeated_label(ring, "Mine")
'''
RULE, GUARD, APPEND = "p.passed += 1", "yield x != p.id", "p.string = p.string + x"


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(GOOD.splitlines(), 1) if text in line)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(GOOD)
    return path


def run(mine: Path, engine: str, labels: Any = "2,5,3,1", **more: Any) -> RingResult:
    found = princeps.run(f"{mine}:Mine", labels=labels, engine=engine, **{"seed": 1, **more})
    assert isinstance(found, RingResult)
    return found


def about(result: RingResult) -> dict[str, Any]:
    return {key: value for key, value in result.as_json().items() if key not in ABOUT_THE_RUN}


# -- a good file --------------------------------------------------------------------------------------------------


@pytest.mark.medium
def test_a_file_runs_with_nothing_registered(princeps: Command, mine: Path) -> None:
    words = ("run", "./mine.py:Mine", "--labels", "2,5,3,1", "--schedule", "random", "--seed", 1, "--json")
    outcome = princeps(*words, cwd=mine.parent)
    assert (outcome.code, outcome.stderr) == (0, "")
    assert (outcome.object["protocol"], outcome.object["leader"]) == ("mine", 3)


@pytest.mark.slow
def test_both_engines_run_it_alike(mine: Path) -> None:
    """Words, coins tossed in a helper, helpers that send and return early, numbers without bound."""
    draw = random.Random(1)
    lucky = set()
    for n in (2, 3, 5, 9):
        for schedule in ("synchronous", "random", "adversarial", f"slow:{n - 1}"):
            labels = draw.sample(range(n), n)
            first, second = (
                run(mine, engine, labels, schedule=schedule, seed=n) for engine in ("reference", "compiled")
            )
            assert (first.engine, second.engine) == ("reference", "compiled")
            assert about(first) == about(second)
            assert first.converged
            lucky.add(first.max_bits)
    assert len(lucky) > 1


@pytest.mark.slow
def test_coins_of_a_helper_are_every_process_s_own(mine: Path) -> None:
    """The largest luck of all needs this many bits."""
    draws = {seed: run(mine, "compiled", seed=seed, sides=2**40) for seed in range(5)}
    assert all(about(result) == about(run(mine, "reference", seed=seed, sides=2**40)) for seed, result in draws.items())
    assert {result.converged for result in draws.values()} == {True}


@pytest.mark.slow
def test_a_class_can_be_run_from_python_and_its_command_repeats_it(quick: Command, mine: Path) -> None:
    result = run(mine, "compiled", schedule="random")
    again = quick(*result.command.split()[1:], "--json").object
    assert {key: value for key, value in again.items() if key not in ABOUT_THE_RUN} == about(result)


def test_a_word_that_departs_from_the_labels_on_the_left_is_left_to_plain_python(mine: Path) -> None:
    for schedule in ("synchronous", "random", "adversarial"):
        asked = run(mine, "reference", schedule=schedule, twisted=1)
        found = run(mine, "compiled", schedule=schedule, twisted=1)
        assert about(found) == about(asked)
        assert (found.engine, found.why) == (
            "reference",
            "a string departs from the labels on the left of its process",
        )
        assert not found.converged


def test_leaving_a_domain_is_told_by_both_engines(mine: Path) -> None:
    with pytest.raises(ProtocolError, match=r"passed = 2 is outside its domain \(0\.\.1\)") as plain:
        run(mine, "reference", room=1)
    assert (plain.value.file, plain.value.line) == (os.fspath(mine), line_of(RULE))
    with pytest.raises(ProtocolError) as fast:  # which repeats the run in plain Python to learn the line
        run(mine, "compiled", room=1)
    assert (str(fast.value), fast.value.line) == (str(plain.value), plain.value.line)
    assert run(mine, "compiled", room=3).converged


def test_a_start_that_is_not_enabled_is_told_by_both_engines(mine: Path) -> None:
    for engine, says in (("reference", "M1 is not enabled"), ("compiled", "M1 is not enabled")):
        with pytest.raises(ProtocolError, match=f"^{mine}:[0-9]+: {says}"):
            run(mine, engine, room=0)


# -- mistakes -----------------------------------------------------------------------------------------------------

# what stands in the file instead, what stood there, and what each engine says (None: it does not mind)
MISTAKES: dict[str, tuple[str, str, str | None, str | None]] = {
    "arithmetic on a label": ("p.passed = x + 1", RULE, "`x` is a label where a number is needed", "unsupported operand"),
    "a sum of labels": ("p.leader = x + p.id", RULE, "Labels may only be compared", "unsupported operand"),
    "a label counted": ("p.passed += x", RULE, "`x` is a label where a number is needed", "unsupported operand"),
    "a label beside a number": ("yield x != 3", GUARD, "`3` is a number where a label", "a label is compared with 3"),
    "a label beside a word": ("yield x != p.string", GUARD, "`p.string` is a word where a label", "is no label"),
    "an ordered label and number": ("yield p.luck < x", GUARD, "`x` is a label where a number", "is compared with"),
    "a label as truth": ("yield x and p.luck", GUARD, "`x` is a label where", "a label is neither true nor false"),
    "a label for a number": ("p.passed = x", RULE, "`x` is a label where a number", "passed = the label 2 is outside"),
    "a number for a label": ("p.home = 3", RULE, "`3` is a number where a label", "home = 3 is outside its domain (a label)"),
    "a number for a local label": ("y = x; y = 3", RULE, "'y' is a label and is assigned a number", None),
    "a larger label or number": ("p.luck = max(luck, x)", RULE, "`x` is a label where a number", "is compared with"),
    "a label in a helper": ("Tell(p, luck, x)", RULE, "`0` is a number where a label", None),
    "too few values": ("p.send(TOKEN, x)", RULE, "<x, #luck> carries 2 values, not 1", "wrong values (2,)"),
    "too many values": ("p.send(FINISH, x)", RULE, "<FINISH> carries 0 values, not 1", "wrong values (2,)"),
    "values of the wrong kind": ("p.send(TOKEN, luck, x)", RULE, "`luck` is a number where a label", "wrong values"),
    "a value that is no message": ("p.send(x)", RULE, "must name a Message of the file first", "but no action receives it"),
    "a message nobody receives": ("p.send(LOST)", RULE, "<LOST> is sent, but no action", "<LOST> is sent, but no action"),
    "a message to the left": ("p.send_left(FINISH)", RULE, "nothing can be sent to the left", "nothing can be sent to the left"),
    "a variable nobody declared": ("p.tired = 1", RULE, "unknown variable 'tired'", "'tired' cannot be assigned"),
    "a variable read but not declared": ("p.passed = p.tired", RULE, "unknown variable 'tired'", "unknown variable 'tired'"),
    "a parameter nobody declared": ("p.passed = c.q", RULE, "unknown parameter 'q'", "unknown parameter 'q'"),
    "a new label": ("p.id = x", RULE, "'id' is an input", "'id' cannot be assigned"),
    "a variable without a value": ("p.leader = p.home", RULE, None, "'home' is read before it has a value"),
    "something else to do": ("p.shout(x)", RULE, "`p.shout(x)` is nothing that a process can do", "unknown variable 'shout'"),
    "a word that stays": ("p.string = p.string", APPEND, "a word only grows: write `p.string = p.string + x`", None),
    "a word that is replaced": ("p.string = x", APPEND, "`x` is a label where a word", "string = the label 2 is outside"),
    "two letters at once": ("p.string = p.string + x + x", APPEND, "append one label at a time", None),
    "a number as letter": ("p.string = p.string + luck", APPEND, "`luck` is a number where a label", None),
    "a word as a number": ("p.passed = p.string", RULE, "`p.string` is a word where a number", "is outside its domain"),
    "words compared": ("yield x != p.id and p.string == p.string", GUARD, "`p.string` is a word", None),
    "a loop over numbers": ("for i in range(2): p.passed = i", RULE, "`for i in range(2):` cannot be compiled", None),
    "a loop over labels": ("for y in (x, x): p.passed = y", RULE, "an action has no loops", "passed = the label 2"),
    "a while loop": ("while p.passed < 1: p.passed += 1", RULE, "`while p.passed < 1:` cannot be compiled", None),
    "a function of another file": ("print(luck)", RULE, "only functions of yours are", None),
    "a name nobody defined": ("p.passed = y", RULE, "unknown name 'y'", "name 'y' is not defined"),
    "a coin in the guard": ("yield x != p.id and p.toss(2) < 2", GUARD, "the guard of M2 tosses a coin", "in a guard"),
    "a division": ("p.passed = luck / 2", RULE, "`luck / 2` cannot be compiled", "is outside its domain"),
}  # fmt: skip


def blamed(mine: Path, engine: str, mistake: tuple[str, str, str | None, str | None]) -> ProtocolError:
    new, old, _, _ = mistake
    assert old in GOOD
    mine.write_text(GOOD.replace(old, new))
    with pytest.raises(ProtocolError) as caught:
        run(mine, engine)
    assert str(caught.value).count("\n") == 0
    assert caught.value.file == os.fspath(mine)
    return caught.value


@pytest.mark.medium
@in_one_test("name", [name for name, mistake in MISTAKES.items() if mistake[2]])
def test_a_mistake_is_told_with_file_and_line(mine: Path, name: str) -> None:
    mistake = MISTAKES[name]
    error = blamed(mine, "compiled", mistake)
    assert str(mistake[2]) in str(error)
    assert error.line == line_of("if luck < 0" if name == "a label in a helper" else mistake[1])


@in_one_test("name", [name for name, mistake in MISTAKES.items() if mistake[3]])
def test_the_plain_engine_tells_it_too(mine: Path, name: str) -> None:
    mistake = MISTAKES[name]
    error = blamed(mine, "reference", mistake)
    assert str(mistake[3]) in str(error)
    assert error.line == line_of(mistake[1])


# a declaration, or the shape of an action: what stands there instead, what stood there, and what is said
SHAPES: dict[str, tuple[str, str, str, str | None]] = {
    "no yield": ("pass", GUARD, "M2 must begin with `yield GUARD`", "M2 yields no guard"),
    "a yield of nothing": ("yield", GUARD, "M2 must begin with `yield GUARD`", "M2 yields no guard"),
    "a yield on some ways": (f"if luck > 9: {GUARD}", GUARD, "M2 must begin with `yield GUARD`", "M2 yields no guard"),
    "a label as guard": ("yield x", GUARD, "`x` is a label where a number is needed", "a label is neither true nor false"),
    "two yields": (f"{RULE}; yield 1", RULE, "and yield nothing else", "M2 yields twice"),
    "a yield that is not first": (f"{RULE}; {GUARD}", GUARD, "M2 must begin with `yield GUARD`", None),
    "a value too few": ("def M2(p: Process, x: Label, c", "def M2(p: Process, x: Label, luck: int, c", "M2 takes (p, x, c) where (p, x, luck, c)", ""),
    "no start": ("@on(FINISH)\ndef M1", "@start\ndef M1", "exactly one spontaneous action; here: none", ""),
    "two starts": ("@start\ndef M5", "@on(FINISH)\ndef M5", "here: M1, M5", ""),
    "a message from the right": ("@on(TOKEN, RIGHT)\ndef M4", "@on(TOKEN)\ndef M4", "M4 receives from the right", ""),
    "no decoration": ("def M5", "@on(FINISH)\ndef M5", "decorate all of them", ""),
    "a parameter called labels": ("labels = Param", "room = Param", "no parameter may be called 'labels'", ""),
    "a parameter called schedule": ("schedule = Param", "room = Param", "no parameter may be called 'schedule'", ""),
}  # fmt: skip


@in_one_test(("new", "old", "compiled", "plain"), SHAPES.values(), ids=SHAPES.keys())
def test_an_action_or_a_declaration_of_the_wrong_shape_is_told(
    mine: Path, new: str, old: str, compiled: str, plain: str | None
) -> None:
    """Declarations are read before there is an engine."""
    engines = {"compiled": compiled, "reference": plain if plain != "" else compiled}
    for engine, says in engines.items():
        if says is not None:
            error = blamed(mine, engine, (new, old, None, None))
            assert says in str(error)
            assert error.line is not None or new == "yield x"


def test_the_error_carries_the_line_of_the_declaration_that_is_wrong(mine: Path) -> None:
    error = blamed(mine, "reference", ("@start\ndef M5", "@on(FINISH)\ndef M5", None, None))
    assert error.line == line_of("actions = ")


def test_the_command_line_says_it_in_one_sentence(quick: Command, mine: Path) -> None:
    mine.write_text(GOOD.replace(RULE, "p.passed = x"))
    outcome = quick("run", f"{mine}:Mine", "--labels", "2,5,3,1", "--engine", "compiled")
    assert (outcome.code, outcome.stdout) == (2, "")
    assert outcome.stderr == (
        f"princeps: {mine}:{line_of(RULE)}: `x` is a label where a number is needed. Labels may only be compared.\n"
    )
