"""Formulas and predicates: those that mean something are compared with their value, the others must be refused."""

from __future__ import annotations

import ast
import math
import shlex
from collections.abc import Callable
from random import Random
from typing import Any

from fuzz import values
from fuzz.calling import carried_out
from fuzz.inputs import Category, Input, Trouble, wrong

Value = Callable[[int], Any]  # of n
BROKEN = (
    *(
        "(((((n^100)^100)^100)^100)^100)",
        "n^n^n",
        "2^2^2^2^2^2",
        "n//0",
        "n/0",
        "ln 0",
        "sqrt(-1)",
        "min()",
        "ceil()",
        "nn",
    ),
    *(
        "n.real",
        "n()",
        "n[0]",
        "'n'",
        "[n]",
        "n if n else n",
        "lambda: n",
        "n := 5",
        "n;n",
        "n,n",
        "n n",
        "()",
        "((((",
        "1e400n",
    ),
    *(
        "-" * 4000 + "n",
        "(" * 90 + "n" + ")" * 90,
        "(" * 3000 + "n" + ")" * 3000,
        "+".join(["n"] * 3000),
        "n" + "^1" * 2000,
    ),
    *(
        "ceil(" * 95 + "n" + ")" * 95,
        "True",
        "None",
        "1j",
        "0x10",
        "10**400",
        "9" * 400,
        "9" * 5000,
        "n**-1000",
        "1/3",
        "n%2",
    ),
    *(
        "inf",
        "nan",
        "ceil(1e308*n*n)",
        "floor(10^308*10)",
        "log(n, 0)",
        "log(n, 1)",
        "max(n)",
        "max(*[n])",
        "sqrt(n=2)",
        "\uff4e",
        "٣n",
    ),
)


def formula(rng: Random, depth: int) -> tuple[str, Value]:
    """A text in n, and the function that it means."""
    kind = rng.randrange(8) if depth else rng.randrange(2)
    if kind == 0:
        number = rng.choice((0, 1, 2, 3, 10, 60, 1000))
        return str(number), lambda n: number
    if kind == 1:
        return "n", lambda n: n
    left, one = formula(rng, depth - 1)
    if kind == 2:
        name = rng.choice(("ceil", "floor", "ln", "log", "lg", "sqrt"))
        means = {
            "ceil": math.ceil,
            "floor": math.floor,
            "ln": math.log,
            "log": math.log,
            "lg": math.log2,
            "sqrt": math.sqrt,
        }[name]
        return f"{name}({left})", lambda n: means(one(n))  # type: ignore[operator]
    if kind == 3:
        factor = rng.choice((2, 7))
        return f"{factor}({left})", lambda n: factor * one(n)
    right, other = formula(rng, depth - 1)
    if kind == 4:
        name = rng.choice(("min", "max"))
        extreme: Any = min if name == "min" else max
        return f"{name}({left}, {right})", lambda n: extreme(one(n), other(n))
    sign = rng.choice("+-*/^")
    if sign == "^":
        power = rng.choice((0, 1, 2, 3))
        return f"({left})^{power}", lambda n: one(n) ** power
    meant: dict[str, Callable[[Any, Any], Any]] = {
        "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    }  # fmt: skip
    return f"({left}){sign}({right})", lambda n: meant[sign](one(n), other(n))


def _compared(text: str, means: Value, n: int) -> list[Trouble]:
    from princeps.campaign.formula import evaluate
    from princeps.errors import ParameterError

    expected: Any
    try:
        expected = means(n)
        defined = not isinstance(expected, complex) and abs(expected) < 10**1000
    except (ArithmeticError, ValueError):
        defined = False
    try:
        found = evaluate(text, {"n": n})
    except ParameterError:
        return wrong(f"{text!r} is refused, but at n = {n} it is {expected}") if defined else []
    return (
        []
        if defined and found == expected
        else wrong(f"{text!r} is {found} at n = {n}, not {expected if defined else 'defined'}")
    )


def _of_formulas(rng: Random) -> Input:
    text, means = formula(rng, rng.randrange(1, 5))
    n = rng.choice((2, 3, 5, 100, 10**6, 10**15))
    return Input(
        f"from princeps.campaign.formula import evaluate\nevaluate({text!r}, {{'n': {n}}})",
        lambda: _compared(text, means, n),
    )


# -- predicates -----------------------------------------------------------------------------------------------------


def condition(rng: Random, depth: int) -> tuple[str, Callable[[dict[str, int]], int]]:
    """A text on the fields of one agent, and the function that it means."""
    kind = rng.randrange(9) if depth else rng.randrange(2)
    if kind == 0:
        name = rng.choice(("leader", "wins", "most"))
        return name, lambda a: a[name]
    if kind == 1:
        number = rng.choice((0, 1, 2, 3, 7, 100))
        return str(number), lambda a: number
    left, one = condition(rng, depth - 1)
    if kind == 2:
        return f"(not {left})", lambda a: not one(a)
    if kind == 3:
        return f"(-{left})", lambda a: -one(a)
    if kind == 4:
        sign, divisor = rng.choice(("//", "%")), rng.choice((1, 2, 3, 10))
        return f"({left} {sign} {divisor})", lambda a: one(a) // divisor if sign == "//" else one(a) % divisor
    right, other = condition(rng, depth - 1)
    if kind == 5:
        sign = rng.choice("+-*")
        return f"({left} {sign} {right})", lambda a: {
            "+": one(a) + other(a),
            "-": one(a) - other(a),
            "*": one(a) * other(a),
        }[sign]
    if kind == 6:
        sign = rng.choice(("==", "!=", "<", "<=", ">", ">="))
        return f"({left} {sign} {right})", lambda a: {
            "==": one(a) == other(a), "!=": one(a) != other(a), "<": one(a) < other(a),
            "<=": one(a) <= other(a), ">": one(a) > other(a), ">=": one(a) >= other(a),
        }[sign]  # fmt: skip
    if kind == 7:
        sign = rng.choice(("and", "or"))
        return f"({left} {sign} {right})", lambda a: (one(a) and other(a)) if sign == "and" else (one(a) or other(a))
    third, last = condition(rng, depth - 1)
    return f"({left} if {right} else {third})", lambda a: one(a) if other(a) else last(a)


def _of_predicates(rng: Random) -> Input:
    """In Python, and sometimes as machine code."""
    text, means = condition(rng, rng.randrange(1, 5))
    while isinstance(ast.parse(text, mode="eval").body, ast.Constant):  # a number alone is refused
        text, means = condition(rng, rng.randrange(1, 5))
    compiled = rng.random() < 0.02

    def run() -> list[Trouble]:
        from princeps.model import registry
        from princeps.model.predicates import read_predicates

        protocol = registry.find("duel.py")(5, most=3)
        (predicate,) = read_predicates(protocol, [text]).values()
        states = [(leader, wins) for leader in range(2) for wins in range(4)]
        expected = [bool(means({"leader": leader, "wins": wins, "most": 3})) for leader, wins in states]
        found = [bool(protocol.ask(predicate, protocol.agent(state), protocol.constants)) for state in states]  # type: ignore[call-arg]
        if found != expected:
            return wrong(f"{text!r} holds in {found} of {states}, not in {expected}")
        if compiled:
            from princeps.lowering.kernels import Kernels

            kernels = Kernels(protocol)
            number = kernels.census(kernels.pack(states), [predicate])[0]
            return (
                []
                if number == sum(expected)
                else wrong(f"compiled, {text!r} holds {number} times, not {sum(expected)}")
            )
        return []

    return Input(f"from princeps.model.predicates import read_predicates  # {text!r} on duel.py", run)


# -- anything in the place of either ---------------------------------------------------------------------------------


def _of_texts(rng: Random) -> Input:
    if rng.random() < 0.6:
        text = rng.choice(rng.choice((BROKEN, values.HOSTILE_TEXTS, values.HOSTILE_NUMBERS)))
    else:
        text = rng.choice((formula, condition))(rng, 4)[0]
        for _ in range(rng.randrange(4)):
            text = values.nearly(rng, text)
    lines = (
        ["fit", "results.db", "--by", text],
        [
            "sweep",
            "p_rl",
            "-n",
            "4,5",
            "-p",
            f"N={text}",
            "--trials",
            "1",
            "--jobs",
            "1",
            "--store",
            "new.db",
            "--max-steps",
            "50",
        ],
        ["run", "duel.py", "-n", "4", "--record", text, "--engine", "reference", "--seed", "1", "--max-steps", "100"],
        ["exact", "duel.py", "-n", "2", "--target", f"{rng.choice(('some', 'all', 'none'))}:{text}"],
        ["run", "duel.py", "-n", "4", "--engine", "reference", "--until", text, "--max-steps", "100"],
        ["run", "duel.py", "-n", text, "--engine", "reference", "--max-steps", "100"],
        ["exact", "fratricide", "-n", "3", "--automorphisms", text],
        ["run", "duel.py", "-n", "4", "--engine", "reference", "--fault", text, "--max-steps", "100"],
        ["run", "peterson", "--labels", text, "--engine", "reference", "--max-steps", "1000"],
    )
    line = [word.replace("\0", "") for word in rng.choice(lines)]
    return Input(shlex.join(["princeps", *line]), lambda: carried_out(line))


def make(rng: Random) -> Input:
    return rng.choice((_of_formulas, _of_predicates, _of_texts, _of_texts))(rng)


CATEGORY = Category("formulas", "formulas, predicates and conditions", make, share=0.12)
