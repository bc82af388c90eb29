"""No rule has two meanings: what a compiled rule computes is what Python computes, or an error."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.errors import ProtocolError
from princeps.lowering import guards
from princeps.lowering.guards import ANY, LARGEST, SMALLEST, Guards
from tests.conftest import Sized, with_slow

EDGES = [SMALLEST, SMALLEST + 1, -(1 << 32), -64, -1, 0, 1, 2, 62, 63, 64, 1 << 31, 3037000500, LARGEST - 1, LARGEST]


def fitting(value: int) -> int:
    if not SMALLEST <= value <= LARGEST:
        raise OverflowError
    return value


PYTHON: dict[str, Callable[..., int]] = {
    "plus": lambda x, y: fitting(x + y),
    "minus": lambda x, y: fitting(x - y),
    "times": lambda x, y: fitting(x * y),
    "divided": lambda x, y: fitting(x // y),
    "shifted_left": lambda x, y: fitting(x << y) if y < 200 or x == 0 else fitting(1 << 200),
    "shifted_right": lambda x, y: fitting(x >> y),
    "negated": lambda x: fitting(-x),
    "magnitude": lambda x: fitting(abs(x)),
    "remainder": lambda x, q: x % q,
}


def outcome(function: Callable[..., int], *arguments: int) -> int | str:
    try:
        return function(*arguments)
    except (OverflowError, ZeroDivisionError, ValueError) as error:
        return type(error).__name__


@pytest.mark.parametrize("name", sorted(set(PYTHON) - {"remainder"}))
def test_checked_operations_are_those_of_python_or_an_error(name: str) -> None:
    from princeps.lowering import checked

    compiled = getattr(checked, name)
    pairs = [(x, y) for x in EDGES for y in EDGES] if name not in ("negated", "magnitude") else [(x,) for x in EDGES]
    seen = set()
    for arguments in pairs:
        found = outcome(compiled, *arguments)
        assert found == outcome(PYTHON[name], *arguments), arguments
        seen.add(type(found))
    assert seen == ({int} if name == "shifted_right" and str not in seen else {int, str})


FIELDS = {"x": (0, 1_000_002), "y": (0, 1), "z": (0, LARGEST)}
OPERATORS = ["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>"]


def random_expression(draw: random.Random, depth: int) -> str:
    if depth == 0 or draw.random() < 0.15:
        return draw.choice(["l_x", "r_x", "l_y", "r_z", "p_N", "3", "12345", "1000003", "62"])
    kind = draw.random()
    inner = [random_expression(draw, depth - 1) for _ in range(3)]
    if kind < 0.15:
        return draw.choice([f"({inner[0]} < {inner[1]} <= {inner[2]})", f"({inner[0]} == {inner[1]})", f"(not {inner[0]})",
                            f"({inner[0]} and {inner[1]})", f"({inner[0]} or {inner[1]})", f"bool({inner[0]})"])  # fmt: skip
    if kind < 0.7:
        return f"({inner[0]} {draw.choice(OPERATORS)} {inner[1]})"
    if kind < 0.8:
        return f"({inner[0]} if {inner[1]} < {inner[2]} else {inner[1]})"
    if kind < 0.9:
        return f"{draw.choice(['min', 'max'])}({inner[0]}, {inner[1]})"
    return draw.choice([f"abs({inner[0]})", f"(-{inner[0]})"])


def wrapped(value: int) -> int:
    """What a machine word makes of it."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


class Word(ast.NodeTransformer):
    """Plain operations as a processor does them."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return ast.Call(ast.Name("wrapped", ast.Load()), [node], [])

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return ast.Call(ast.Name("wrapped", ast.Load()), [node], [])


@pytest.mark.medium
def test_whatever_is_left_unchecked_never_leaves_a_word(sized: Sized) -> None:
    """Guarded expressions, evaluated as machine words, against Python's integers."""
    draw = random.Random(1)
    equal = failed = checked = 0
    for _ in range(sized(600, 6000)):
        text = random_expression(draw, 4)
        watch = Guards(FIELDS, (-5, 1 << 31))
        tree, (low, high) = watch.value(ast.parse(text, mode="eval").body, {})
        checked += watch.places > 0
        words = ast.fix_missing_locations(ast.Expression(Word().visit(tree)))
        code = compile(words, "guarded", "eval")
        for _ in range(4):
            near = draw.random() < 0.5
            values: dict[str, int] = {
                "l_x": draw.choice([0, 1, 1_000_002]) if near else draw.randrange(1_000_003),
                "r_x": draw.choice([0, 7, 1_000_002]) if near else draw.randrange(1_000_003),
                "l_y": draw.randrange(2),
                "r_z": draw.choice([0, 1, 63, LARGEST]) if near else draw.randrange(LARGEST),
                "p_N": draw.choice([-5, -1, 0, 1, 1 << 31]),
            }
            space: dict[str, Any] = {**PYTHON, "wrapped": wrapped, **values}
            wanted = python_value(text, values)
            try:
                found = eval(code, space)
            except (OverflowError, ZeroDivisionError, ValueError):
                failed += 1
                continue
            if wanted is None:
                continue
            assert found == wanted, (text, values)
            assert low <= found <= high, (text, values)
            equal += 1
    assert equal > sized(600, 6000)
    assert failed > sized(60, 600)
    assert checked > sized(60, 600)


class SmallShifts(ast.NodeTransformer):
    """Python would build numbers of 2^63 bits."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.LShift):
            return ast.Call(ast.Name("small_shift", ast.Load()), [node.left, node.right], [])
        return node


def small_shift(x: int, y: int) -> int:
    if y > 150:
        raise OverflowError
    return x << y


def python_value(text: str, values: dict[str, int]) -> int | None:
    """What Python makes of it; None where that is an error, or beyond all bounds."""
    tree = ast.fix_missing_locations(SmallShifts().visit(ast.parse(text, mode="eval")))
    try:
        value: int = eval(compile(tree, "plain", "eval"), {"small_shift": small_shift}, dict(values))
    except (ZeroDivisionError, ValueError, OverflowError):
        return None
    return value


def test_code_after_branches_and_loops_knows_no_more_than_is_true() -> None:
    text = """
v = 1
if l_y == 1:
    v = l_x
w = v * v
while True:
    if l_y == 0:
        v = r_z
        break
    v = 2
    break
u = v + 1
for i in range(n):
    w = w + i
"""
    watch = Guards(FIELDS, ANY)
    done = ast.unparse(ast.fix_missing_locations(ast.Module(watch.statements(ast.parse(text).body), [])))
    assert "w = v * v" in done  # at most 10^12
    assert "u = plus(v, 1)" in done  # v may be r_z
    assert "w = plus(w, i)" in done
    assert watch.places == 2


def test_the_library_needs_no_checks_where_numbers_are_small() -> None:
    """Nothing becomes slower: only unbounded counters are checked."""
    from princeps.lowering.codegen import Writer
    from princeps.lowering.layout import make_layout

    checked = {}
    for name in princeps.library("population"):
        protocol = princeps.protocol(name, n=1000)
        writer = Writer(protocol, make_layout(protocol))
        watch = writer.guards()
        writer.guarded_rule(watch)
        checked[name] = watch.places
    assert checked.pop("numbered") > 0
    assert set(checked.values()) == {0}


FILE = """
from princeps.model import Bit, Counted, Natural, PopulationProtocol, Range


def initial(a, i, n, p):
    a.leader = 1
    a.x = START


def inverse(a, p):
    return DIVIDED == 4


def all_inverse(c, p):
    return c.inverse == c.n


class Mine(PopulationProtocol):
    x = FIELD
    leader = Bit()
    starts = {"initial": initial}
    predicates = {"inverse": inverse}
    goals = {"all_inverse": Counted(all_inverse)}

    @staticmethod
    def interact(a, b, p):
        RULE
        if a.leader == 1 and b.leader == 1:
            b.leader = 0
"""
CASES = {
    "a product of four": ("Range(1000003)", "900000 + i", "a.x = (a.x * a.x * a.x * a.x + b.x + 12345) % 1000003", 27),
    "twice and one": ("Natural(10)", "4 + i", "a.x = 2 * a.x + 1", 27),
    "four times": ("Natural(10)", "4 + i", "a.x = 4 * a.x", 27),
    "a negative shift": ("Natural(10)", "4", "a.x = a.x + (1 >> (3 - a.x))", 27),
    "a predicate divides by zero": ("Range(10)", "9", "a.x = a.x - 1 if a.x > 0 else 9", 27),
}

FAILING = ("a negative shift", "a predicate divides by zero")  # in Python as well


@pytest.mark.parametrize("engine", with_slow(["agents", "counts"], lambda engine: engine == "counts"))
@pytest.mark.parametrize("case", CASES)
def test_an_engine_gives_what_the_reference_gives_or_says_where_it_cannot(
    case: str, engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from princeps.engines import numbered_agents

    monkeypatch.setattr(numbered_agents, "in_python", lambda *_: False)  # compiled, however few agents there are
    field, start, rule, line = CASES[case]
    path = tmp_path / "mine.py"
    divided = "12 // (a.x - 3)" if "predicate" in case else "0"
    text = FILE.replace("FIELD", field).replace("START", start).replace("RULE", rule).replace("DIVIDED", divided)
    path.write_text(text)
    given: dict[str, Any] = {"n": 40, "seed": 5, "max_steps": 3000, "until": "all_inverse"}
    if case in FAILING:
        with pytest.raises(ProtocolError) as told:
            princeps.run(f"{path}:Mine", engine="reference", **given)
        with pytest.raises(ProtocolError) as said:
            princeps.run(f"{path}:Mine", engine=engine, **given)
        assert str(said.value).split(": ")[0] == str(told.value).split(": ")[0]  # the same file and line
        return
    assert princeps.run(f"{path}:Mine", engine="reference", **given).steps > 0
    with pytest.raises(ProtocolError, match=rf"mine.py: a value exceeds 2\^63 - 1 \(line {line}\)"):
        princeps.run(f"{path}:Mine", engine=engine, **given)


@pytest.mark.parametrize("engine", with_slow(["reference", "agents"], lambda engine: engine == "agents"))
def test_a_predicate_that_nothing_asks_for_is_evaluated_by_no_engine(engine: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    text = FILE.replace("FIELD", "Range(10)").replace("START", "3").replace("RULE", "pass")
    path.write_text(text.replace("DIVIDED", "12 // (a.x - 3)"))
    given: dict[str, Any] = {"n": 40, "seed": 5, "engine": engine}
    assert princeps.run(f"{path}:Mine", until="leader", **given).converged
    with pytest.raises(ProtocolError, match=r"mine.py:11: ZeroDivisionError"):
        princeps.run(f"{path}:Mine", until="all_inverse", **given)
    session = princeps.session(f"{path}:Mine", until="leader", **given)
    with pytest.raises(ProtocolError, match=r"mine.py:11: ZeroDivisionError"):
        session.run_until("all_inverse")


def test_bounds_are_names_of_numpy_words() -> None:
    import numpy as np

    assert (np.iinfo(np.int64).min, np.iinfo(np.int64).max) == (guards.SMALLEST, guards.LARGEST)


def test_a_constant_that_no_word_holds_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    rule = f"a.x = (a.x + {10**30}) % 7"
    text = FILE.replace("FIELD", "Range(10)").replace("START", "1").replace("RULE", rule).replace("DIVIDED", "0")
    path.write_text(text)
    assert princeps.run(f"{path}:Mine", n=5, seed=1, engine="reference").converged
    with pytest.raises(ProtocolError, match=r"mine.py:27: the number 1000.* exceeds 2\^63 - 1.*engine=.reference"):
        princeps.run(f"{path}:Mine", n=5, seed=1, engine="agents")
