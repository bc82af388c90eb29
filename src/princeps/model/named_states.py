"""Named values of a field: `role = OneOf("LEADER", "ZOMBIE")`, and in rules `a.role == LEADER`.

A name is a number, 0 for the first. The rule runs as it stands, so that the names must mean these numbers where it is
written: each that a function of the class reads is bound in its file, script or notebook, as if that said
`LEADER, ZOMBIE = range(2)`. A file that says so itself is left as it is. Where a function of the class reads a name that means something else there, because
another class numbers it otherwise, say, the class is refused; `Role = OneOf(...)` outside of the class and `Role.LEADER`
in its rules keep two such classes apart. A class that is no longer there, deleted in a notebook say, keeps no names.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from keyword import iskeyword
from operator import index
from types import CodeType, FunctionType
from typing import Any, SupportsIndex

from princeps.errors import ProtocolError, place_in_words
from princeps.model.class_checks import ClassCheck
from princeps.model.reached import Reach
from princeps.model.sources import (
    GATHERED,
    MISSING,
    PLACE,
    cell_of,
    meaning_of,
    names_around_class,
    names_read,
    node_of,
)
from princeps.model.values import shown

PAGE = "docs/writing-protocols.md"
BOUND = "__state_names__"  # in the names of a file: those that were bound here, with the class they are for
CHECKED = "which names were checked"  # an attribute of a class, by no name that a user's class could have


@dataclass(frozen=True, init=False)
class OneOf:
    """A field, or a variable of a ring's process, with named values: the first is the number 0, the next 1, ...

    The names may also be those of an enumeration whose values are 0, 1, ... An attribute is the number of a name.
    """

    names: tuple[str, ...]

    def __init__(self, *names: str | Sequence[str] | type[Enum]) -> None:
        found: Any = names
        if len(names) == 1 and isinstance(names[0], list | tuple):  # a list of them
            found = names = tuple(names[0])
        if len(names) == 1 and isinstance(names[0], type) and issubclass(names[0], Enum):
            members = list(names[0])
            in_order = [member.value for member in members] == list(range(len(members)))
            found = [member.name for member in members] if in_order else names
        object.__setattr__(self, "names", tuple(found))

    def __getattr__(self, name: str) -> int:
        names: tuple[str, ...] = self.__dict__.get("names", ())
        if name in names:
            return names.index(name)
        raise AttributeError(f"{name!r} is none of the states {', '.join(map(str, names))}")

    def __repr__(self) -> str:
        return f"OneOf({', '.join(map(repr, self.names))})"


class NamedValue(int):
    """The value of a field that shows its name; otherwise it is its number, in JSON too."""

    name: str

    def __new__(cls, number: int, name: str) -> NamedValue:
        found = super().__new__(cls, number)
        found.name = name
        return found

    def __repr__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return format(self.name, spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return NamedValue, (int(self), self.name)


def names_complaint(names: tuple[Any, ...]) -> str | None:
    """What is wrong with the names of a field, if anything is."""
    others = [name for name in names if not isinstance(name, str)]
    if others and isinstance(others[0], type):
        return f"is one of {others[0].__name__}: the values of an enumeration must be 0, 1, 2, ... in this order"
    if others:
        return f"is one of {shown(names)}: its values are named by texts"
    twice = next((name for k, name in enumerate(names) if name in names[:k]), None)
    if twice is not None:
        return f"has the value {twice!r} twice: name each value once"
    misleading = next((name for k, name in enumerate(names) if name.isdigit() and name != str(k)), None)
    if misleading is not None:
        return f"has a value called {misleading!r} whose number is {names.index(misleading)}: call it by its number, or s{misleading}"
    wrong = next((name for name in names if not name.strip() or name in vars(OneOf)), None)
    if wrong is not None:
        return f"has a value called {shown(wrong)}: choose another name"
    return None


def named(number: int, names: tuple[str, ...]) -> int:
    """For people: the value with its name, if it has one."""
    return NamedValue(number, names[number]) if 0 <= number < len(names) else number


def number_of(value: Any, names: tuple[str, ...]) -> Any:
    """A value that somebody gave by its name or by its number."""
    return names.index(value) if isinstance(value, str) and value in names else value


# -- where names are read -------------------------------------------------------------------------------------------


def declare(cls: type, make: Callable[[tuple[str, ...]], Any]) -> None:
    """Every OneOf of the class becomes what its kind of protocol declares."""
    for name, value in list(vars(cls).items()):
        if isinstance(value, OneOf):
            complaint = names_complaint(value.names)
            if complaint is not None:
                raise ClassCheck(cls).mistake(f"the field {name!r} {complaint}.", name)
            setattr(cls, name, make(value.names))


def bind_names(check: ClassCheck, declared: Mapping[str, Any]) -> None:
    """Called when a class is defined, after its declarations were found sound: its rules may read the names."""
    cls, numbers = check.cls, dict[str, int]()
    fields: dict[str, str] = {}
    for field, one in declared.items():
        for number, name in enumerate(one.names):
            if numbers.setdefault(name, number) != number:
                raise check.mistake(
                    f"the value {name!r} is number {number} of {field!r} and number {numbers[name]} of "
                    f"{fields[name]!r}: list them in the same order, or rename one.",
                    field,
                )
            fields.setdefault(name, field)
    cls.state_names_ = {name: (field, numbers[name]) for name, field in fields.items()}
    around = names_around_class()
    if not numbers or around is None:
        return
    owner, bound = cls.__qualname__, around.get(BOUND, {})
    for name, (whose, number) in list(bound.items()):
        if whose == owner and around.get(name) is number:  # the class is defined anew, in a notebook
            del bound[name], around[name]
    check_names(cls)


def _can_be_read(name: str) -> bool:
    return name.isidentifier() and not iskeyword(name) and not hasattr(builtins, name)


def check_names(cls: Any) -> None:
    """Do the functions of a class read its names as what they are? In a notebook a later cell may bind them anew."""
    names: Mapping[str, tuple[str, int]] = cls.state_names_
    if not names or cls.__module__.startswith(GATHERED):  # what was gathered from elsewhere was checked there
        return
    known: Reach | None = vars(cls).get(CHECKED)
    if known is not None and known.is_current():
        return
    found = Reach([cls])
    rules = {id(function) for function, *_ in Reach(_rules(cls)).codes}
    for function, code, *_ in found.codes:
        if function.__module__ != cls.__module__:
            continue  # it has names of its own
        for name, (field, number) in names.items():
            said = _complaint(cls.__qualname__, function, code, name, number, field, id(function) in rules)
            if said is not None:
                raise ClassCheck(cls).mistake(said, field, function)
        said = _dotted_complaint(cls, function)
        if said is not None:
            raise ClassCheck(cls).mistake(said, None, function)
    setattr(cls, CHECKED, found)


def _rules(cls: Any) -> list[Any]:
    """What calculates with values of fields. A start by numbers, say, may give them as texts."""
    starts = [one for one in getattr(cls, "starts", {}).values() if isinstance(one, FunctionType)]
    goals = [getattr(goal, "rule", None) for goal in getattr(cls, "goals", {}).values()]
    bodies = [action.body for action in getattr(cls, "actions", ())]
    rules = [getattr(cls, "interact", None), getattr(cls, "is_leader", None)]
    return [*rules, *getattr(cls, "predicates", {}).values(), *starts, *goals, *bodies]


def _complaint(
    owner: str, function: Any, code: CodeType, name: str, number: int, field: str, is_rule: bool
) -> str | None:
    """What is wrong with how a function uses a name; one that means nothing yet is bound to its number."""
    dotted = f"{field.capitalize()}.{name} with {field.capitalize()} = OneOf(...) outside of the class"
    if _is_attribute_of_class(owner, function, code, name):
        return (
            f"{function.__name__} reads {owner}.{name}, which a class does not have: write {name} alone, or, as `case` needs "
            f"a dot, {dotted} and {field} = {field.capitalize()} in it (see {PAGE})."
        )
    if _captures(function, code, name):
        return (
            f"{function.__name__} binds {name!r}, a value of {field!r}, to something else, as `case {name}` does, which "
            f"fits everything: write `case` with {dotted}, or `if` (see {PAGE})."
        )
    if is_rule and any(name in _texts(one.co_consts) for one in _codes(code)) and function.__doc__ != name:
        return (
            f"{function.__name__} has the text {name!r} where a value of {field!r} is a number: write {name} without quotes, "
            f"or, after `case`, {dotted}."
        )
    if name not in names_read(code):
        return None
    value = meaning_of(function, name)
    if isinstance(value, SupportsIndex) and index(value) == number:
        return None
    around = function.__globals__
    whose, there = around.get(BOUND, {}).get(name, ("", None))
    bound = bool(whose) and there is value and around.get(name) is value  # by us, for a class
    if (value is MISSING and _can_be_read(name)) or (bound and not _declares(around, whose, name, value)):
        around[name] = number
        around.setdefault(BOUND, {})[name] = (owner, number)
        return None
    if value is getattr(builtins, name, MISSING) and value is not MISSING:
        return f"{function.__name__} reads {name!r}, a value of {field!r} and a word of Python's own: rename the value."
    if value is MISSING or not isinstance(value, SupportsIndex | str):
        return None  # a message of a ring, say: whoever compares it with a number is told
    why = f", since {_with_place(around, whose)} declares it so" if bound else ""
    where = "in this file" if "__file__" in around else "in this notebook"
    gone = f"`del {whose}` if it is no longer needed, " if bound and whose.isidentifier() and whose != owner else ""
    return (
        f"{function.__name__} reads {name!r}, which is {number} of {field!r} and {shown(value)} {where}{why}: {gone}"
        f"rename one of them, list the values in the same order, or write {dotted}."
    )


def _dotted_complaint(cls: Any, function: Any) -> str | None:
    """`Role.LEADER`, where a later cell has given the name Role to other values, or to the same in another order."""
    try:
        parts = list(ast.walk(node_of(function)))
    except (ProtocolError, SyntaxError):
        return None
    own = (*function.__code__.co_varnames, *function.__code__.co_cellvars)
    read = {name for one in cls.__mro__ for name in getattr(vars(one).get(PLACE), "read", ())}
    for part in parts:
        if not isinstance(part, ast.Attribute) or not isinstance(part.value, ast.Name) or part.value.id in own:
            continue
        role, name = part.value.id, part.attr
        names = _names_of(meaning_of(function, role))
        if name not in names or name not in cls.state_names_:
            continue
        field, number = cls.state_names_[name]
        is_ours = role in read or set(names) == {one for one, (of, _) in cls.state_names_.items() if of == field}
        if is_ours and names[name] != number:
            return (
                f"{function.__name__} reads {role}.{name}, which is {names[name]} of {role} now and was {number} when "
                f"{cls.__name__} was defined: run the cell of the class again."
            )
    return None


def _names_of(value: Any) -> dict[str, Any]:
    """The numbers of a OneOf, or of an enumeration, by their names."""
    if isinstance(value, OneOf):
        return {name: number for number, name in enumerate(value.names)}
    return {one.name: one.value for one in value} if isinstance(value, type) and issubclass(value, Enum) else {}


def _with_place(around: Mapping[str, Any], whose: str) -> str:
    """In a notebook with the cell: there are many."""
    cls = around.get(whose)
    cell = cell_of(cls) if isinstance(cls, type) else None
    return whose if cell is None else f"{whose} ({place_in_words(cell.file, cell.line)})"


def _is_attribute_of_class(owner: str, function: Any, code: CodeType, name: str) -> bool:
    """`Mine.KING` in the class Mine."""
    if owner not in names_read(code) or not any(name in one.co_names for one in _codes(code)):
        return False
    try:
        parts = list(ast.walk(node_of(function)))
    except (ProtocolError, SyntaxError):
        return False
    return any(
        isinstance(part, ast.Attribute)
        and part.attr == name
        and isinstance(part.value, ast.Name)
        and part.value.id == owner
        for part in parts
    )


def _declares(around: Mapping[str, Any], whose: str, name: str, number: int) -> bool:
    """The class of this name still says so. In a notebook it may be gone; one within a function is not looked for."""
    if not whose.isidentifier():
        return True
    declared: Mapping[str, tuple[str, int]] = getattr(around.get(whose), "state_names_", {})
    return name in declared and declared[name][1] == number


def _captures(function: Any, code: CodeType, name: str) -> bool:
    """`case NAME` in the function, which binds the name; an argument or a variable of this name is its own affair."""
    if not any(name in one.co_varnames or name in one.co_cellvars for one in _codes(code)):
        return False
    try:
        node = node_of(function)
    except (ProtocolError, SyntaxError):
        return False
    return any(isinstance(part, ast.MatchAs) and part.name == name for part in ast.walk(node))


def _codes(code: CodeType) -> Iterable[CodeType]:
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _codes(part)


def _texts(constants: Iterable[Any]) -> set[str]:
    found: set[str] = set()
    for one in constants:
        found |= {one} if isinstance(one, str) else _texts(one) if isinstance(one, tuple | frozenset) else set()
    return found
