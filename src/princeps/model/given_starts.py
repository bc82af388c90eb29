"""Starts that a user gives beside those of the protocol: one state for everybody, or numbers of agents by state.

`--start L` puts all agents into the state L, and `--start counts:L=2,F=1`, in Python {"L": 2, "F": 1}, two agents into L
and one into F. Both are what a protocol's file would declare as `Blocks`, so that engines know nothing of them. A start
that lists agents or their numbers says how many there are.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from princeps.errors import RunError
from princeps.model.goals import LISTING_STARTS, Blocks
from princeps.model.input_files import opened_text
from princeps.model.numbers import natural
from princeps.model.state_declarations import Everybody, by_number
from princeps.model.values import shown
from princeps.wording import either

COUNTS = "counts:"
MAX_STATES_IN_SENTENCE = 12


@dataclass(frozen=True)
class GivenCounts:
    """Numbers of agents, each with one field and its value; other fields are 0."""

    blocks: tuple[tuple[int, str, int], ...]

    def __call__(self, n: int, p: Any) -> list[tuple[int, dict[str, int]]]:
        return [(size, {field: value}) for size, field, value in self.blocks]


def given_start(cls: Any, text: str) -> Blocks | None:
    """The start that a text means beyond those that the protocol declares; None if it means none."""
    if text.startswith(COUNTS):
        return Blocks(GivenCounts(tuple(_block(cls, word, text) for word in _words(text))))
    state = _state(cls, text)
    return None if state is None else Blocks(Everybody(*state, text))


def agents_in(start: str | None) -> int | None:
    """How many agents a start lists, where that can be said without the protocol."""
    if start is None or not start.startswith((COUNTS, *LISTING_STARTS)):
        return None
    kind, _, text = start.partition(":")
    if kind == "states":
        return len(text.split(";")) if text.strip() else None
    if f"{kind}:" == COUNTS:
        return sum(_size(word.rpartition("=")[2], start) for word in _words(start))
    try:
        if kind == "json":
            listed = json.loads(text)
        else:
            with opened_text(text) as file:
                listed = json.load(file)
    except (OSError, ValueError, RecursionError):
        return None  # which is told when the states are read
    return len(listed) if isinstance(listed, list) and listed else None


def state_names(cls: Any) -> list[str]:
    """For a sentence: few, or none."""
    names = list(cls.state_names_)
    return names if len(names) <= MAX_STATES_IN_SENTENCE else []


def start_in_sentence(text: str) -> str:
    """Numbers of agents as whoever reads it writes them."""
    blocks = dict(word.rpartition("=")[::2] for word in _words(text))
    as_mapping = text.startswith(COUNTS) and all(natural(number.strip()) is not None for number in blocks.values())
    if not as_mapping:
        return shown(text)
    return either(shown(text), shown({name.strip(): int(number) for name, number in blocks.items()}))


def _words(text: str) -> list[str]:
    return text.removeprefix(COUNTS).split(",")


def _block(cls: Any, word: str, text: str) -> tuple[int, str, int]:
    name, _, number = word.rpartition("=")
    size, state = _size(number, text), _state(cls, name.strip())
    if state is None:
        raise RunError(
            f"start {start_in_sentence(text)} names {shown(name.strip())}, {_not_a_state(cls, name.strip())}."
        )
    return (size, *state)


def _not_a_state(cls: Any, name: str) -> str:
    if name in cls.fields_:
        return (
            f"which is a field and no state: give one mapping for each agent, like [{{{name!r}: 1}}] * n, or a list of "
            f"values for each field"
        )
    known = state_names(cls)
    if known:
        return f"which is no state: the states are {', '.join(known)}"
    return (
        "which is no state with a name: give a list with a state for each agent, or the snapshot that has them, like "
        "start=result.snapshots[100]"
    )


def _size(number: str, text: str) -> int:
    found = natural(number.strip())
    if found is None:
        raise RunError(f"start {shown(text)} is not understood: write numbers of agents by state, like counts:L=2,F=1.")
    return found


def _state(cls: Any, name: str) -> tuple[str, int] | None:
    """The field and its value: by the value's name, or by its number where there is no other field."""
    found: tuple[str, int] | None = cls.state_names_.get(name)
    return found if found is not None else by_number(cls, natural(name))
