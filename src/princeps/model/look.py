"""How an agent is drawn on the page of `princeps watch`: a crown, marks around it, a bar, and a colour.

A protocol's file declares it as data, `look = Look(...)`. It says nothing about what the protocol does and is no part of
its identity. Conditions are written as predicates are: a function of an agent, `lambda a: a.bullet == LIVE` (or of an
agent and the parameters), or a text, "bullet == 2".
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from princeps.errors import ProtocolError, hint
from princeps.model.class_checks import ClassCheck
from princeps.model.sources import node_of
from princeps.model.values import function_complaint, shown

Condition = Callable[..., Any] | str

SHAPES = ("bullet", "dummy", "shield", "signal", "dot", "flag", "spark", "square", "triangle", "cross", "ring")
HUES = 10  # colours that the page tells apart; 0 is grey
MAX_MARKS = 12  # more of them around one agent cannot be told apart


@dataclass(frozen=True)
class Mark:
    """A small shape beside every agent for which a condition holds."""

    shape: str
    label: str
    when: Condition
    hue: int | None = None  # one of ten colours; by default marks take one after the other


@dataclass(frozen=True)
class Look:
    """What is not given is chosen from the fields.

    `crown` says who wears one (by default who leads), `bar` names a field that is shown as a bar, `color` the field or
    predicate by which agents are coloured at first, `names` what the values 0, 1, 2, ... of a field are called.
    """

    crown: Condition | None = None
    marks: Sequence[Mark] = ()
    bar: str | None = None
    color: str | None = None
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)


# -- checking -------------------------------------------------------------------------------------------------------


def check_look(
    check: ClassCheck,
    fields: Collection[str],
    constants: Collection[str],
    predicates: Collection[str],
    is_ring: bool = False,
) -> None:
    """When the class is defined: one sentence about the first thing wrong with its look."""
    look = check.cls.look
    if look is None:
        return
    complaint = _complaint(look, fields, {*constants, *check.cls.state_names_}, predicates)
    if complaint is None and is_ring and any(isinstance(when, str) for when in _conditions(look)):
        complaint = "the look has a condition that is a text: for processes of a ring write a function, lambda p: ..."
    if complaint is None and not check.cls.__module__.startswith("princeps."):  # those of the package are tested
        complaint = _field_complaint(look, fields)
    check.require(complaint, "look")


def _conditions(look: Look) -> list[Condition | None]:
    return [look.crown, *(mark.when for mark in look.marks)]


def _complaint(
    look: Any, fields: Collection[str], constants: Collection[str], predicates: Collection[str]
) -> str | None:
    if not isinstance(look, Look):
        return f"look is {shown(look)}: write look = Look(...)."
    marks: Any = look.marks  # as somebody gave them
    if not isinstance(marks, Sequence) or isinstance(marks, str):
        return f"marks of the look is {shown(marks)}: give a list of Mark(...)."
    if len(marks) > MAX_MARKS:
        return f"the look has {len(marks)} marks: give at most {MAX_MARKS}, which can be told apart."
    for mark in marks:
        if not isinstance(mark, Mark):
            return f"marks of the look has {shown(mark)}: write Mark(shape, label, when=...)."
        if mark.shape not in SHAPES:
            return f"the look has a mark of shape {shown(mark.shape)}: {hint(str(mark.shape), SHAPES)}"
        if not isinstance(mark.label, str) or not mark.label.strip():
            return f"a mark of the look has the label {shown(mark.label)}: give a text that says what it shows."
        if mark.hue is not None and (type(mark.hue) is not int or not 0 <= mark.hue < HUES):
            return (
                f"the mark {mark.label!r} of the look has hue {shown(mark.hue)}: give 0..{HUES - 1}, or leave it out."
            )
        said = _condition_complaint(mark.when, {*fields, *constants}, predicates)
        if said is not None:
            return f"the mark {mark.label!r} of the look {said}"
    if look.crown is not None:
        said = _condition_complaint(look.crown, {*fields, *constants}, predicates)
        if said is not None:
            return f"the crown of the look {said}"
    if look.bar is not None and look.bar not in fields:
        return f"the look has bar = {shown(look.bar)}, which is no field: {hint(str(look.bar), list(fields))}"
    if look.color is not None and look.color not in {*fields, *predicates}:
        known = list(dict.fromkeys([*fields, *predicates]))
        return (
            f"the look has color = {shown(look.color)}, neither a field nor a predicate: {hint(str(look.color), known)}"
        )
    return _names_complaint(look.names, fields)


def _names_complaint(names: Any, fields: Collection[str]) -> str | None:
    if not isinstance(names, Mapping):
        return f"names of the look is {shown(names)}: give a table {{field: names of its values}}."
    for name, values in names.items():
        if name not in fields:
            return f"names of the look has {shown(name)}, which is no field: {hint(str(name), list(fields))}"
        plain = isinstance(values, Sequence) and not isinstance(values, str)
        if not plain or not values or not all(isinstance(one, str) and one.strip() for one in values):
            return f"names of the look gives {name!r} {shown(values)}: list a text for each of its values 0, 1, 2, ..."
    return None


def _condition_complaint(when: Any, words: Collection[str], predicates: Collection[str]) -> str | None:
    if isinstance(when, str):
        if when in predicates:
            return None
        try:
            tree = ast.parse(when.strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return f"has the condition {shown(when)}, which is not an expression: write it like 'bullet == 2'."
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id not in words:
                known = list(dict.fromkeys([*words, *predicates]))
                return f"has the condition {shown(when)}: {node.id!r} is unknown, {hint(node.id, known)}"
        return None
    said = function_complaint(when, "a" if takes_agent_only(when) else "a, p")
    return None if said is None else f"has a condition that {said}."


def takes_agent_only(when: Any) -> bool:
    """A function of (a), not of (a, p)."""
    try:
        return len(inspect.signature(when).parameters) == 1
    except (TypeError, ValueError):
        return False


def _field_complaint(look: Look, fields: Collection[str]) -> str | None:
    """A function that reads a field which there is not."""
    for when, what in [(look.crown, "the crown"), *((mark.when, f"the mark {mark.label!r}") for mark in look.marks)]:
        if when is None or isinstance(when, str):
            continue
        try:
            node = node_of(inspect.unwrap(when))
        except (ProtocolError, SyntaxError, AttributeError):
            continue  # no text to look into: it fails when it is called
        if not node.args.args:
            continue
        agent = node.args.args[0].arg
        for part in ast.walk(node):
            if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == agent:
                if part.attr not in fields:
                    return f"{what} of the look reads the field {part.attr!r}: {hint(part.attr, list(fields))}"
    return None
