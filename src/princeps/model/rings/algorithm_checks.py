"""What the class of a ring algorithm declares, checked when it is defined."""

from __future__ import annotations

from collections.abc import Sequence

from princeps.model.class_checks import ClassCheck
from princeps.model.rings.declarations import LEFT, Action, Flag, LabelVariable
from princeps.model.values import shown

OF_EVERY_PROCESS = ("id", "send", "send_left", "send_right", "halt", "toss")  # what an action may ask of `p`
OF_EVERY_ALGORITHM = {"isLeader": Flag(), "leader": LabelVariable(), "done": Flag()}


def check_variables(check: ClassCheck) -> None:
    cls = check.cls
    for name, variable in cls.variables_.items():
        if name in OF_EVERY_PROCESS:
            raise check.mistake(f"no variable may be called {name!r}, which every process has: rename it.", name)
        if name in OF_EVERY_ALGORITHM and variable.kind != OF_EVERY_ALGORITHM[name].kind:
            kind = OF_EVERY_ALGORITHM[name].kind
            raise check.mistake(f"{name!r} of a ring algorithm is a {kind}, not a {variable.kind}: rename it.", name)
        complaint = variable.complaint()
        check.require(None if complaint is None else f"the variable {name!r} {complaint}.", name)


def check_actions(check: ClassCheck) -> None:
    cls = check.cls
    for name in ("actions", "phase_ends"):
        listed = getattr(cls, name)
        if not isinstance(listed, Sequence) or not all(isinstance(action, Action) for action in listed):
            raise check.mistake(f"{name} are functions under @start or @on(MESSAGE): decorate all of them.", name)
    for name in ("bidirectional", "anonymous", "elects_true_leader"):
        if not isinstance(getattr(cls, name), int):
            raise check.mistake(f"{name} is {shown(getattr(cls, name))}: it must be True or False.", name)
    for action in cls.actions:
        complaint = action.complaint()
        if complaint is not None:
            raise check.mistake(f"{action.name} {complaint}.", "actions", action.body)
    starts = [action.name for action in cls.actions if action.message is None]
    if len(starts) != 1:
        found = ", ".join(starts) or "none"
        raise check.mistake(
            f"a ring algorithm has exactly one spontaneous action; here: {found}. Use @start once.", "actions"
        )
    wrong = next((action for action in cls.actions if action.side != LEFT and not cls.bidirectional), None)
    if wrong is not None:
        raise check.mistake(f"{wrong.name} receives from the right: set bidirectional = True.", "actions", wrong.body)
