"""What a class may say by the names of states: `leaders = "L"`, and a start in which everybody is in one state.

Where a state is the value of one field, its number says the same: `leaders = 0`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from princeps.model.class_checks import ClassCheck
from princeps.model.conditions import as_lambda
from princeps.model.goals import Blocks
from princeps.model.values import shown, whole_number
from princeps.model.written_functions import written_function

SEVERAL = (list, tuple, set, frozenset)  # what may name several states


@dataclass(frozen=True)
class Everybody:
    """The numbers of a start in which all agents are in one state."""

    of: str  # the field
    value: int
    name: str = field(compare=False)

    def __call__(self, n: int, p: Any) -> list[tuple[int, dict[str, int]]]:
        return [(n, {self.of: self.value})]

    @property
    def doc(self) -> str:
        return f"everybody is {self.name}"


def read_leaders(check: ClassCheck) -> None:
    """`leaders = "L"`, or several states, in the place of `is_leader`."""
    cls, given = check.cls, vars(check.cls).get("leaders")
    if given is None:
        return
    if "is_leader" in vars(cls):
        raise check.mistake(f"{cls.__name__} has leaders and is_leader: leave out one of them.", "leaders")
    cls.is_leader = staticmethod(_in_states(check, given, "leaders"))


def read_predicates(check: ClassCheck) -> None:
    """`predicates = {"b": "B"}`: the agents in this state, or in one of several."""
    cls = check.cls
    given = vars(cls).get("predicates")
    if isinstance(given, Mapping) and any(_names_states(cls, one) for one in given.values()):
        cls.predicates = {
            name: _in_states(check, one, "predicates") if _names_states(cls, one) else one
            for name, one in given.items()
        }


def is_state(cls: Any, given: Any) -> bool:
    """A name, or a number where there is one field, whose value it can be."""
    return isinstance(given, str) or (len(cls.fields_) == 1 and whole_number(given) is not None)


def _names_states(cls: Any, given: Any) -> bool:
    return isinstance(given, SEVERAL) or is_state(cls, given)


def _in_states(check: ClassCheck, given: Any, where: str) -> FunctionType:
    """A condition on one agent: it is in one of these states."""
    if not _names_states(check.cls, given):
        raise check.mistake(f'{where} is {shown(given)}: name states, like "L" or ("L", "F").', where)
    values = sorted({value_named(check, state, where) for state in ([given] if is_state(check.cls, given) else given)})
    tests = " or ".join(f"a.{name} == {number}" for name, number in values)
    return written_function(f"def in_states(a, p):\n    return {tests or 0}\n", "in_states", "states", {})


def read_starts(check: ClassCheck) -> None:
    """`starts = {"initial": "L"}`: everybody is in this state."""
    cls = check.cls
    given = vars(cls).get("starts")
    if isinstance(given, Mapping) and any(is_state(cls, start) for start in given.values()):
        cls.starts = {
            name: Blocks(Everybody(*value_named(check, start, "starts"), str(start))) if is_state(cls, start) else start
            for name, start in given.items()
        }


def by_number(cls: Any, state: Any) -> tuple[str, int] | None:
    """The only field of a class, with this value of it; None where the field has no such value or is not the only one."""
    number, fields = whole_number(state), list(cls.fields_.items())
    if number is None or len(fields) != 1:
        return None
    name, only = fields[0]
    return (name, number) if isinstance(only.size, int) and 0 <= number < only.size else None


def value_named(check: ClassCheck, state: Any, where: str) -> tuple[str, int]:
    """The field and the number of a value that is given by its name; that of the only field also by its number."""
    found = by_number(check.cls, state)
    if found is not None:
        return found
    named = [(name, one.names.index(state)) for name, one in check.cls.fields_.items() if state in one.names]
    if named:
        return named[0]
    known = [name for one in check.cls.fields_.values() for name in one.names]
    written = as_lambda(state, "a, p", check.cls.params_) if where == "predicates" and isinstance(state, str) else None
    if written is not None:
        raise check.mistake(f"{where} has the text {shown(state)}, where a function is needed: write {written}.", where)
    remedy = f"the states are {', '.join(known)}" if known else "no field has named values, like OneOf(...)"
    raise check.mistake(f"{where} names the state {shown(state)}: {remedy}.", where)
