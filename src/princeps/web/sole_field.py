"""Predicates that read one field alone, as "leads" mostly does: what they say of a million agents is looked up by its bits."""

from __future__ import annotations

from typing import Any

from princeps.model.fields import Agent
from princeps.model.protocol import PopulationProtocol, Predicate

MAX_VALUES = 4096  # of the field: the predicate is asked for each of them in Python, once


class _Missing(Exception):
    """The predicate has asked for a field that the probe does not have."""

    def __init__(self, name: str) -> None:
        self.name = name


class _Probe(Agent):
    """An agent that has some fields only."""

    def __init__(self, fields: dict[str, int]) -> None:
        self.__dict__.update(fields)

    def __getattr__(self, name: str) -> int:
        raise _Missing(name)


def sole_field(protocol: PopulationProtocol, predicate: Predicate) -> tuple[str, list[bool]] | None:
    """The field, and the answer for each of its values; None where other fields are read, or one with too many values."""
    name = _first_asked(protocol, predicate)
    size = None if name is None else protocol.fields.get(name)
    if name is None or size is None or size > MAX_VALUES:
        return None
    try:
        return name, [bool(predicate(_Probe({name: value}), protocol.constants)) for value in range(size)]
    except Exception:  # another field, or a value of which it cannot be asked
        return None


def _first_asked(protocol: PopulationProtocol, predicate: Any) -> str | None:
    try:
        predicate(_Probe({}), protocol.constants)
    except _Missing as missing:
        return missing.name
    except Exception:
        return None
    return None
