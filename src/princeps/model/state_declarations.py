"""What a class may say by the names of states: `leaders = "L"`, and a start in which everybody is in one state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from princeps.model.class_checks import ClassCheck
from princeps.model.goals import Blocks
from princeps.model.values import shown
from princeps.model.written_functions import written_function


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
    states = [given] if isinstance(given, str) else given
    if not isinstance(states, Sequence | set | frozenset):
        raise check.mistake(f'leaders is {shown(given)}: name the states that lead, like "L".', "leaders")
    values: dict[str, set[int]] = {}
    for state in states:
        name, number = value_named(check, state, "leaders")
        values.setdefault(name, set()).add(number)
    tests = [f"a.{name} == {number}" for name, numbers in values.items() for number in sorted(numbers)]
    source = f"def is_leader(a, p):\n    return {' or '.join(tests) or '0'}\n"
    cls.is_leader = staticmethod(written_function(source, "is_leader", "leaders", {}))


def read_starts(check: ClassCheck) -> None:
    """`starts = {"initial": "L"}`: everybody is in this state."""
    cls = check.cls
    given = vars(cls).get("starts")
    if isinstance(given, Mapping) and any(isinstance(start, str) for start in given.values()):
        cls.starts = {
            name: Blocks(Everybody(*value_named(check, start, "starts"), start)) if isinstance(start, str) else start
            for name, start in given.items()
        }


def value_named(check: ClassCheck, state: Any, where: str) -> tuple[str, int]:
    """The field and the number of a value that is given by its name."""
    found = [(name, one.names.index(state)) for name, one in check.cls.fields_.items() if state in one.names]
    if found:
        return found[0]
    known = [name for one in check.cls.fields_.values() for name in one.names]
    remedy = f"the states are {', '.join(known)}" if known else "no field has named values, like OneOf(...)"
    raise check.mistake(f"{where} names the state {shown(state)}: {remedy}.", where)
