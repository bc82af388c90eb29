"""Every message that a page may send, with its arguments and what they must be; whatever else comes is refused in a sentence.

A message is JSON text of at most 64 KiB: {"id": number, "do": WORD, ...}. Steps are decimal texts, since they may
exceed what JavaScript's numbers hold.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from princeps.errors import PrincepsError
from princeps.web.pace import LARGEST_SPEED

MAX_BYTES = 64 * 1024
MAX_CODE = MAX_BYTES - 256  # characters of a code that one message can bring
MAX_DIGITS = 40
MAX_ID = 1 << 53
MAX_WORD = 200  # characters of a name

Reader = Callable[[Any], Any]  # the value that JSON has -> what it means; ValueError where it means nothing


class MessageError(PrincepsError):
    """What is wrong with a message; `id` is the one to answer, if it could be read."""

    def __init__(self, sentence: str, id: int | None = None) -> None:
        super().__init__(sentence)
        self.id = id


@dataclass(frozen=True)
class Message:
    id: int
    word: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Argument:
    read: Reader
    meaning: str  # after "must be"
    default: Any = None
    is_required: bool = False


def _natural(value: Any) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= MAX_DIGITS:
        return int(value)
    if type(value) is int and 0 <= value < 10**MAX_DIGITS:
        return value
    raise ValueError


def _whole(value: Any) -> int:
    if type(value) is int and abs(value) <= MAX_ID:
        return value
    raise ValueError


def _speed(value: Any) -> float | None:
    if value is None:
        return None
    if type(value) in (int, float) and isfinite(value) and 0.01 <= value <= LARGEST_SPEED:
        return float(value)
    raise ValueError


def _seconds(value: Any) -> float:
    if type(value) in (int, float) and isfinite(value) and 0.01 <= value <= 3600:
        return float(value)
    raise ValueError


def _text(most: int) -> Reader:
    def read(value: Any) -> str:
        if isinstance(value, str) and len(value) <= most:
            return value
        raise ValueError

    return read


def _one_of(*words: str) -> Reader:
    def read(value: Any) -> str:
        if isinstance(value, str) and value in words:
            return value
        raise ValueError

    return read


def _number_or_text(value: Any) -> str:
    if type(value) in (int, float) and isfinite(value):
        return str(value)
    return str(_text(MAX_WORD)(value))


def _mapping(read: Reader) -> Reader:
    def read_all(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict) or len(value) > 64:
            raise ValueError
        return {_text(MAX_WORD)(name): read(one) for name, one in value.items()}

    return read_all


def _field_value(value: Any) -> int | str:
    """A number, also as a text, since it may exceed what JavaScript's numbers hold; or the name of a value."""
    if type(value) is int and abs(value) <= MAX_ID:
        return value
    text = str(_text(MAX_WORD)(value))
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else text


def _agents(value: Any) -> list[int]:
    if not isinstance(value, list) or not value:
        raise ValueError
    return [_natural(one) for one in value]


def _optional(read: Reader, meaning: str, default: Any = None) -> Argument:
    return Argument(lambda value: default if value is None else read(value), meaning, default)


def _required(read: Reader, meaning: str) -> Argument:
    return Argument(read, meaning, is_required=True)


NATURAL = 'a number of 0 or more, like 12 or "12"'
COUNT = _optional(_natural, NATURAL, 1)
STEP = _required(_natural, NATURAL)
AGENT = _required(_natural, "the number of an agent")
NAME = _required(_text(MAX_WORD), "a name")
TEXT = _optional(_number_or_text, "a text or a number")
PAIR = {"i": AGENT, "j": AGENT}
ONE = {"agent": AGENT}
SIDE_OF_PAIR = _required(_one_of("initiator", "responder"), '"initiator" or "responder"')
SIDE = _optional(_one_of("left", "right"), '"left" or "right"', "left")
PROCESS = _required(_natural, "the number of a process")

WORDS: dict[str, dict[str, Argument]] = {
    "hello": {"known": _optional(_natural, NATURAL, 0), "table": _optional(_whole, "a number", -1)},
    "frame": {
        "known": _optional(_natural, NATURAL, 0),
        "table": _optional(_whole, "a number", -1),
        "v": _optional(_whole, "a number", -1),
        "choice": _optional(_text(MAX_WORD), "the name of a field or predicate"),
    },
    "play": {},
    "pause": {},
    "speed": {"value": _required(_speed, "steps a second, from 0.01 to 1e18, or null for all")},
    "step": {"count": COUNT},
    "back": {"count": COUNT},
    "goto": {"step": STEP},
    "next": {"what": _required(_one_of("change", "leaders", "goal"), '"change", "leaders" or "goal"')},
    "attack": {},  # the arguments depend on its kind: ATTACKS
    "branch": {"number": STEP},
    "compare": {"number": STEP},
    "card": ONE,
    "lines": {},
    "before": {"count": COUNT},
    "series": {},
    "link": {},
    "open": {"code": _required(_text(MAX_CODE), f"the code of a script, of at most {MAX_CODE:,} characters")},
    "choose": {
        "protocol": NAME,
        **dict.fromkeys(("n", "graph", "start", "seed", "until", "labels", "random", "schedule", "engine"), TEXT),
        "params": _optional(_mapping(_number_or_text), "a mapping of parameters", None),
    },
    "library": {},
    "live": {},
    "order": {
        "kind": _required(_one_of("kill", "pause"), '"kill" or "pause"'),
        "agent": AGENT,
        "seconds": _optional(_seconds, "seconds, from 0.01 to 3600", 2.0),
    },
}

ATTACKS: dict[str, dict[str, Argument]] = {
    "corrupt": {"count": COUNT, "agents": _optional(_agents, "a list of numbers of agents, like [3, 5]")},
    "corrupt_leaders": {},
    "start": {"name": NAME},
    "set": {**ONE, "fields": _required(_mapping(_field_value), "a mapping of fields to values")},
    "dead": ONE,
    "alive": ONE,
    "cut": PAIR,
    "heal": PAIR,
    "meet": PAIR,
    "torn": {**PAIR, "side": SIDE_OF_PAIR},
    "deliver": {"process": PROCESS, "side": SIDE},
    "drop": {"process": PROCESS, "side": SIDE},
    "reset": {"process": PROCESS},
}


def read_message(text: str | bytes) -> Message:
    """The message, or a MessageError with one sentence."""
    if isinstance(text, bytes):
        raise MessageError("a message is text, not bytes: send JSON.")
    if len(text) > MAX_BYTES:
        raise MessageError(f"the message has more than {MAX_BYTES:,} bytes: send less at once.")
    try:
        given = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise MessageError(f'{text[:40]!r} is not JSON: send an object with "id" and "do".') from None
    if not isinstance(given, dict):
        raise MessageError('the message is no object: send {"id": 1, "do": "play"}.')
    number = given.pop("id", None)
    if type(number) is not int or not 0 <= number <= MAX_ID:
        raise MessageError('"id" must be a number of 0 or more, which the answer repeats.')
    word = given.pop("do", None)
    if not isinstance(word, str) or word not in WORDS:
        raise MessageError(f"{_shown(word)} is no word: the words are {', '.join(WORDS)}.", number)
    expected: Mapping[str, Argument] = WORDS[word]
    if word == "attack":
        kind = given.pop("kind", None)
        if not isinstance(kind, str) or kind not in ATTACKS:
            raise MessageError(f"{_shown(kind)} is no kind of attack: they are {', '.join(ATTACKS)}.", number)
        return Message(number, word, {"kind": kind, **_arguments(f"attack {kind}", given, ATTACKS[kind], number)})
    return Message(number, word, _arguments(word, given, expected, number))


def _arguments(word: str, given: dict[str, Any], expected: Mapping[str, Argument], id: int) -> dict[str, Any]:
    unknown = next((name for name in given if name not in expected), None)
    if unknown is not None:
        takes = ", ".join(expected) if expected else "nothing"
        raise MessageError(f"{word} knows no {_shown(unknown)}: it takes {takes}.", id)
    out: dict[str, Any] = {}
    for name, argument in expected.items():
        if name not in given and not argument.is_required:
            out[name] = argument.default
            continue
        try:
            if name not in given:
                raise ValueError
            out[name] = argument.read(given[name])
        except ValueError:
            raise MessageError(f'"{name}" of {word} must be {argument.meaning}.', id) from None
    return out


def _no_constant(text: str) -> Any:
    raise ValueError(text)


def _shown(value: Any) -> str:
    return repr(value if isinstance(value, str | int | float | None) else type(value).__name__)[:60]
