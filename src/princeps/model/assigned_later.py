"""What is assigned to a class after it was defined, as a later cell of a notebook may do: `Mine.interact = other`.

Functions and tables of names (starts, predicates, goals) are read again, as if they had stood in the class. What was
made into something else when the class was defined (a transition table into a rule, declarations into fields) cannot be
followed, and is refused instead of being ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from princeps.model.class_checks import ClassCheck, declarable, make_static, misspelt_name
from princeps.model.sources import MISSING

AS_READ = "what it was when it was read"  # attributes of a class, by no names that a user's class could have
FUNCTIONS = "functions that were assigned later"
DECLARED = ("fields_", "params_", "derived_", "of_inputs_")  # tables of declarations
READ_ONCE = ("table", "symmetric", "leaders", "state_names_", *DECLARED)
AGAIN = "the class was read when it was defined: write it in the class, and run the cell of the class again"


def note_as_read(cls: type) -> None:
    setattr(cls, AS_READ, _names(cls))


def follow_assignments(cls: Any, base: type, kinds: Collection[type], read: Callable[[Any], None]) -> None:
    """Called whenever a class is used; `read` reads it again, and `kinds` are those of declarations."""
    before: dict[str, Any] | None = vars(cls).get(AS_READ)
    now = _names(cls)
    if before is None or (before.keys() == now.keys() and all(before[name] is value for name, value in now.items())):
        return
    changed = [name for name in {**before, **now} if before.get(name, MISSING) is not now.get(name, MISSING)]
    declared = {name for table in DECLARED for name in getattr(cls, table)}
    for name in changed:
        if name in READ_ONCE or name in declared or isinstance(now.get(name), tuple(kinds)):
            raise ClassCheck(cls).mistake(f"{cls.__name__}.{name} was assigned later, and {AGAIN}.", name)
    misspelt = misspelt_name(cls, base, declared)
    if misspelt is not None:
        raise ClassCheck(cls).mistake(
            f"{cls.__name__}.{misspelt[0]} means nothing here: did you mean {misspelt[1]}? Else rename it."
        )
    if "interact" in changed and cls.table is not None:
        raise ClassCheck(cls).mistake(
            f"{cls.__name__} has a table, and {cls.__name__}.interact was assigned later: {AGAIN}.", "table"
        )
    make_static(cls, base)
    read(cls)
    functions = {name for name, static in declarable(base).items() if static and name in changed}
    setattr(cls, FUNCTIONS, functions | vars(cls).get(FUNCTIONS, set()))
    note_as_read(cls)


def functions_assigned_later(cls: type) -> dict[str, Any]:
    """By name; whoever writes the class down writes them after it."""
    names: set[str] = vars(cls).get(FUNCTIONS, set())
    return {name: getattr(cls, name) for name in sorted(names) if name in vars(cls)}


def _names(cls: type) -> dict[str, Any]:
    return {name: value for name, value in vars(cls).items() if name.isidentifier() and not name.startswith("__")}
