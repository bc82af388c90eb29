"""What the rules of a protocol use that no engine can execute alike: a word of ours that is not imported, chance
from elsewhere, floats, memory outside of the agents.

Plain Python would run `random.random()` without a complaint, and no seed would repeat it, where a compiled engine refuses
it in words of its own. All are refused here, before any engine is chosen, in the line where they stand.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

from princeps.errors import ProtocolError
from princeps.model.coins import coin, draw
from princeps.model.only_python import OnlyPython, given_agents
from princeps.model.reached import Reach
from princeps.model.sources import GATHERED, MISSING, meaning_of, names_read, node_of
from princeps.model.values import shown
from princeps.model.whole_numbers import float_in

COINS = ("coin", "draw")
CHANCE = ("random", "numpy.random", "secrets")  # modules that draw numbers
CHECKED = "which calls were checked"  # an attribute of a class, by no name that a user's class could have
OF_RULES = "draw with coin(), which is 0 or 1, or draw(k), one of 0..k-1 (from princeps import coin, draw)"
OF_RINGS = "draw with p.toss(k), one of 0..k-1"
ELSEWHERE = "only the rule `interact` may draw, with coin() or draw(k); a start may be Uniform()"


def check_calls(cls: Any) -> None:
    """Of every function that engines execute; in a notebook a later cell may change what they call."""
    if cls.__module__.startswith(("princeps.", GATHERED)):  # what was gathered from elsewhere was checked there
        return
    known: Reach | None = vars(cls).get(CHECKED)
    if known is not None and known.is_current():
        return
    rules, others = _functions_of(cls)
    if not hasattr(cls, "actions"):
        _refuse_answers(cls.interact)
    plain = None if hasattr(cls, "actions") else OnlyPython(given_agents(cls), cls.fields_)
    remedy = OF_RINGS if hasattr(cls, "actions") else OF_RULES
    for functions, said in ((rules, remedy), (others, ELSEWHERE)):
        for function, *_ in Reach(functions).codes:
            for name in () if hasattr(cls, "actions") else _parameters_in(cls, function):
                raise ProtocolError(
                    f"{name.id!r} is a parameter: write p.{name.id}.", function.__code__.co_filename, name.lineno
                )
            for node in _calls_in(function):
                complaint = _complaint(function, node, said)
                if complaint is not None:
                    raise ProtocolError(complaint, function.__code__.co_filename, node.lineno)
            wrong = None if plain is None else float_in(function) or plain.mistake(function)
            if wrong is not None:
                raise wrong
    setattr(cls, CHECKED, Reach([cls]))


def _refuse_answers(rule: Any) -> None:
    """Plain Python would take no notice of what a rule returns, nor say that a coin was not tossed."""
    try:
        node = node_of(rule)
    except (ProtocolError, SyntaxError):
        return
    called = {id(part.func) for part in ast.walk(node) if isinstance(part, ast.Call)}
    words = set(COINS) - set(rule.__code__.co_varnames)
    for part in ast.walk(node):
        if not isinstance(part, ast.Return | ast.Name):
            continue
        complaint = ""
        if isinstance(part, ast.Return) and part.value is not None and not _is_none(part.value):
            complaint = "a rule changes its two agents and returns nothing: assign to their fields."
        elif isinstance(part, ast.Name) and part.id in words and id(part) not in called:
            if any(meaning_of(rule, part.id) is one for one in (coin, draw)):
                complaint = f"`{part.id}` is a function: write {part.id}({'' if part.id == 'coin' else 'k'}) to draw."
        if complaint:
            raise ProtocolError(complaint, rule.__code__.co_filename, part.lineno)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _functions_of(cls: Any) -> tuple[list[Any], list[Any]]:
    """The rule, or the actions of a ring; and what is evaluated beside it. A start by numbers is called once a run."""
    if hasattr(cls, "actions"):
        return [action.body for action in cls.actions], []
    starts = [start for start in cls.starts.values() if isinstance(start, FunctionType)]
    goals = [goal.rule for goal in cls.goals.values()]
    return [cls.interact], [cls.is_leader, *cls.predicates.values(), *starts, *goals]


def _parameters_in(cls: Any, function: FunctionType) -> Iterator[ast.Name]:
    """Names without `p.` in front, that mean nothing but a parameter."""
    names = {*cls.params_, *cls.derived_} & set(names_read(function.__code__))
    wanted = {name for name in names if meaning_of(function, name) is MISSING}
    if not wanted:
        return
    yield from (part for part in _parts_of(function) if isinstance(part, ast.Name) and part.id in wanted)


def _parts_of(function: FunctionType) -> Iterator[ast.AST]:
    try:
        yield from ast.walk(node_of(function))
    except (ProtocolError, SyntaxError):  # it has no text, and is refused where one is needed
        return


def _calls_in(function: FunctionType) -> Iterator[ast.Call]:
    yield from (part for part in _parts_of(function) if isinstance(part, ast.Call))


def _complaint(function: FunctionType, call: ast.Call, remedy: str) -> str | None:
    words = _dotted(call.func)
    if not words or words[0] in function.__code__.co_varnames:
        return None
    meaning = meaning_of(function, words[0])
    text = ast.unparse(call)
    if meaning is MISSING:
        if words[0] in COINS and len(words) == 1:
            return f"`{text}` is called, but {words[0]} is not imported: write `from princeps import {words[0]}` at the top."
        return _foreign(text, remedy) if words[0] in CHANCE else None
    if words[0] in COINS and len(words) == 1 and not callable(meaning):
        return (
            f"`{text}` is called, but {words[0]} is {shown(meaning)} here: rename that, and write `from princeps import "
            f"{words[0]}`."
        )
    return _foreign(text, remedy) if _draws(meaning, words[1:]) else None


def _foreign(text: str, remedy: str) -> str:
    return f"`{text}` draws from a generator that no seed of a run sets: {remedy}."


def _dotted(node: ast.expr) -> list[str]:
    """The names of `np.random.rand`; none, if it is anything else."""
    words: list[str] = []
    while isinstance(node, ast.Attribute):
        words.insert(0, node.attr)
        node = node.value
    return [node.id, *words] if isinstance(node, ast.Name) else []


def _draws(value: Any, words: list[str]) -> bool:
    """Whether this, or one of the things on the way of these attributes, belongs to a module that draws numbers."""
    for word in ["", *words]:
        value = getattr(value, word, None) if word else value
        if isinstance(value, ModuleType):
            if value.__name__ in CHANCE:
                return True
        elif any(_module_of(one) in CHANCE for one in (value, getattr(value, "__self__", None), type(value))):
            return True
    return False


def _module_of(value: Any) -> str:
    """`numpy.random` of what numpy defines in a part of it."""
    module = getattr(value, "__module__", None)
    named = module if isinstance(module, str) else ""
    return next((one for one in CHANCE if named == one or named.startswith(f"{one}.")), "")
