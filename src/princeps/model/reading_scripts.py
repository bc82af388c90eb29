"""Scripts as files give them: every line is read and checked, and the first thing wrong is refused with its line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from princeps.errors import RunError
from princeps.model.carried import read_carried
from princeps.model.input_files import opened_text
from princeps.model.script import (
    FORMAT,
    SIDES_OF_A_PAIR,
    SIDES_OF_A_PROCESS,
    Alive,
    Cut,
    Dead,
    Deliver,
    Drop,
    ForcedPair,
    Heal,
    Reset,
    Script,
    ScriptEvent,
    SetStates,
    Steps,
    Torn,
    checked_path,
)

# The arguments that the lines of each event take: numbers (int), or one of a few words.
SHAPES: dict[str, tuple[type[Any], tuple[Any, ...]]] = {
    "pair": (ForcedPair, (int, int)),
    "torn": (Torn, (int, int, SIDES_OF_A_PAIR)),
    "dead": (Dead, (int,)),
    "alive": (Alive, (int,)),
    "cut": (Cut, (int, int)),
    "heal": (Heal, (int, int)),
    "deliver": (Deliver, (int, SIDES_OF_A_PROCESS)),
    "drop": (Drop, (int, SIDES_OF_A_PROCESS)),
    "reset": (Reset, (int,)),
}

WITH_DRAWS = ("pair", "torn")  # what the coins of a rule show may follow, as a list

# How the lines of each event are written, for whoever wrote them otherwise.
WRITTEN = {
    "steps": '["steps", k] with a number of 0 or more',
    "set": '["set", i, {"FIELD": VALUE, ...}] with the number of an agent and all its fields',
    "pair": '["pair", i, j] with the numbers of two agents, or ["pair", i, j, [1, 0]] with draws',
    "torn": '["torn", i, j, "initiator"] or ["torn", i, j, "responder"]',
    "dead": '["dead", i] with the number of an agent',
    "alive": '["alive", i] with the number of an agent',
    "cut": '["cut", i, j] with the numbers of two agents',
    "heal": '["heal", i, j] with the numbers of two agents',
    "deliver": '["deliver", p, "left"] or ["deliver", p, "right"]',
    "drop": '["drop", p, "left"] or ["drop", p, "right"]',
    "reset": '["reset", p] with the number of a process',
}


def load_script(given: str) -> Script:
    path = checked_path(given)
    try:
        with opened_text(path) as file:
            rows = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RunError(f"script {path!r} cannot be read ({error}): give a file that a session saved.") from None
    return read_script(rows, path)


def read_script(rows: Sequence[str], path: str = "script") -> Script:
    """A script from its lines, or a sentence about the first thing wrong with them."""
    numbered = [(number, row) for number, row in enumerate(rows, 1) if row.strip()]
    if not numbered:
        raise RunError(f"{path} is empty: its first line must be the head of a script.")
    head = _json(path, *numbered[0])
    if not isinstance(head, dict) or not isinstance(head.get("command"), str) or type(head.get("script")) is not int:
        raise RunError(f'{path}:{numbered[0][0]}: this is not the head of a script: it needs "script" and "command".')
    if head["script"] > FORMAT:
        raise RunError(
            f"{path}:{numbered[0][0]}: this is a script of version {head['script']}, and this princeps reads up to {FORMAT}: install a newer one."
        )
    identity = head.get("identity")
    if identity is not None and not isinstance(identity, str):
        raise RunError(f'{path}:{numbered[0][0]}: "identity" is not a text: leave it out, or write null.')
    try:
        gathered = None if head.get("gathered") is None else read_carried(head["gathered"])
    except ValueError as error:
        raise RunError(f"{path}:{numbered[0][0]}: {error}: save the session again.") from None
    found = list(_events(path, numbered[1:]))
    return Script(
        head["command"],
        identity,
        tuple(event for event, _ in found),
        head["script"],
        gathered,
        str(head.get("no_text", "")),
        place=f"{path}:{numbered[0][0]}",
        places=tuple(places for _, places in found),
    )


def _events(path: str, rows: Iterable[tuple[int, str]]) -> Iterator[tuple[ScriptEvent, tuple[str, ...]]]:
    """The events, each with the lines that say it."""
    pending: list[tuple[SetStates, str]] = []  # lines of `set` that make one change
    for number, row in rows:
        place = f"{path}:{number}"
        event = _event(place, row, _json(path, number, row))
        if isinstance(event, SetStates):
            pending.append((event, place))
            continue
        if pending:
            yield _one_change(pending)
            pending = []
        if not (isinstance(event, Steps) and event.count == 0 and not event.is_one_call):
            yield event, (place,)
    if pending:
        yield _one_change(pending)


def event_of(line: Any) -> ScriptEvent:
    """One line of a script, read already."""
    return _event("script", "what was given", line)


def _one_change(lines: Sequence[tuple[SetStates, str]]) -> tuple[SetStates, tuple[str, ...]]:
    changes = tuple(change for line, _ in lines for change in line.changes)
    return SetStates(changes, sum(line.draws for line, _ in lines)), tuple(place for _, place in lines)


def _json(path: str, number: int, row: str) -> Any:
    try:
        return json.loads(row)
    except (ValueError, RecursionError):  # also a row of ten thousand brackets
        raise RunError(f"{path}:{number}: {row.strip()[:60]!r} is not JSON: write one event a line.") from None


def _event(where: str, row: str, given: Any) -> ScriptEvent:
    kind, arguments = (given[0], given[1:]) if isinstance(given, list) and given else (None, [])
    if kind == "steps" and len(arguments) in (1, 2) and _is_natural(arguments[0]):
        if len(arguments) == 1:
            return Steps(arguments[0])
        how = arguments[1]
        if isinstance(how, dict) and isinstance(how.get("until"), str | None):
            if how.get("limit") is None or _is_natural(how["limit"]):
                return Steps(arguments[0], how.get("until"), how.get("limit"), is_one_call=True)
    if kind == "set" and len(arguments) in (2, 3) and _is_natural(arguments[0]) and isinstance(arguments[1], dict):
        how = arguments[2] if len(arguments) == 3 else {"draws": 0}
        if isinstance(how, dict) and list(how) == ["draws"] and _is_natural(how["draws"]):
            return SetStates(((arguments[0], arguments[1]),), how["draws"])
    if isinstance(kind, str) and kind in SHAPES:
        make, shape = SHAPES[kind]
        draws: list[Any] = []
        if kind in WITH_DRAWS and len(arguments) == len(shape) + 1 and _are_draws(arguments[-1]):
            draws, arguments = [tuple(arguments[-1])], arguments[:-1]
        if len(arguments) == len(shape) and all(_fits(*both) for both in zip(arguments, shape, strict=True)):
            event: ScriptEvent = make(*arguments, *draws)
            return event
    remedy = f"the events are {', '.join(WRITTEN)}."
    if isinstance(kind, str) and kind in WRITTEN:
        remedy = f"write {WRITTEN[kind]}."
    raise RunError(f"{where}: {row.strip()[:60]!r} is no event of a script: {remedy}")


def _are_draws(value: Any) -> bool:
    return isinstance(value, list) and all(_is_natural(one) for one in value)


def _is_natural(value: Any) -> bool:
    return type(value) is int and value >= 0


def _fits(value: Any, shape: Any) -> bool:
    return _is_natural(value) if shape is int else isinstance(value, str) and value in shape
