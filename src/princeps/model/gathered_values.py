"""A value as the expression that makes it, where there is one; and where what Python or a package provides is found."""

from __future__ import annotations

import builtins
import dataclasses
import sys
from collections import namedtuple
from collections.abc import Callable, Sequence
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import partial
from math import isfinite
from pathlib import PurePath
from types import FunctionType, ModuleType
from typing import Any

from princeps.model.named_states import OneOf
from princeps.model.rings.declarations import Message
from princeps.model.sources import is_provided

Reference = Callable[[str, Any], str]  # a name and what it stands for -> its name in the module
BRACKETS: dict[type, tuple[str, str]] = {list: ("[", "]"), tuple: ("(", ")"), set: ("{", "}")}


class NotPlain(Exception):
    """The value has no expression, or one only with references to other definitions."""


def written(value: Any, reference: Reference | None) -> str:
    """The expression; without `reference` only numbers, texts and containers of them have one."""
    if isinstance(value, Enum):
        return f"{_named(type(value).__name__, type(value), reference)}.{value.name}"
    if type(value) in (type(None), bool, int, str, bytes, complex, type(...), range):
        return repr(value)
    if type(value) is float:
        return repr(value) if isfinite(value) else f"float({str(value)!r})"
    if type(value) in (list, tuple, set, frozenset):
        return _container(value, reference)
    if type(value) is dict:
        return "{" + ", ".join(f"{written(k, reference)}: {written(v, reference)}" for k, v in value.items()) + "}"
    if type(value).__module__.partition(".")[0] == "numpy":
        return _of_numpy(value, reference)
    if reference is None:
        raise NotPlain
    return _made(value, reference)


def _container(value: Any, reference: Reference | None) -> str:
    parts = [written(part, reference) for part in value]
    if isinstance(value, frozenset):
        return f"frozenset([{', '.join(sorted(parts))}])"
    if isinstance(value, set):
        return f"{{{', '.join(sorted(parts))}}}" if parts else "set()"
    first, last = BRACKETS[type(value)]
    return f"{first}{', '.join(parts)}{',' if isinstance(value, tuple) and len(parts) == 1 else ''}{last}"


def _of_numpy(value: Any, reference: Reference | None) -> str:
    """A scalar is the number it holds."""
    shape: tuple[int, ...] | None = getattr(value, "shape", None)
    if shape == () and hasattr(value, "item"):
        return written(value.item(), reference)
    if reference is None or shape is None or getattr(value, "dtype", None) is None or value.dtype.kind not in "biufSU":
        if reference is not None and importable(value) is not None:
            return reference(value.__name__, value)
        raise NotPlain
    numpy = reference("numpy", sys.modules["numpy"])
    return f"{numpy}.array({value.tolist()!r}, dtype={value.dtype.str!r}).reshape({shape!r})"


def _made(value: Any, reference: Reference) -> str:
    kind = type(value)
    if isinstance(value, FunctionType | type) or isinstance(getattr(value, "__wrapped__", None), FunctionType):
        return reference(getattr(value, "__name__", "function"), value)
    if importable(value) is not None or isinstance(value, ModuleType):
        return reference(value.__name__.rpartition(".")[2], value)
    if isinstance(value, Message):
        return _call(kind, [value.notation], {}, reference)
    if isinstance(value, OneOf):
        return _call(kind, value.names, {}, reference)
    if isinstance(value, Fraction):
        return _call(kind, [value.numerator, value.denominator], {}, reference)
    if isinstance(value, Decimal):
        return _call(kind, [str(value)], {}, reference)
    if isinstance(value, PurePath):
        return _call(kind, [str(value)], {}, reference)
    if isinstance(value, partial):
        return _call(kind, [value.func, *value.args], value.keywords, reference)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return _call(kind, list(value), {}, reference)
    if isinstance(value, staticmethod):
        return f"{reference('staticmethod', staticmethod)}({_part(value.__func__, reference)})"
    if dataclasses.is_dataclass(value):
        given = {one.name: getattr(value, one.name) for one in dataclasses.fields(value) if one.init}
        return _call(kind, [], given, reference)
    raise NotPlain


def _call(kind: type, values: Sequence[Any], named: dict[str, Any], reference: Reference) -> str:
    made = reference(kind.__name__, kind)
    given = [_part(value, reference) for value in values]
    return f"{made}({', '.join([*given, *(f'{key}={_part(value, reference)}' for key, value in named.items())])})"


def _part(value: Any, reference: Reference) -> str:
    """Objects that are compared by identity, messages say, are one definition wherever they are used."""
    return reference(value.name, value) if isinstance(value, Message) else written(value, reference)


def _named(name: str, value: Any, reference: Reference | None) -> str:
    if reference is None:
        raise NotPlain
    return reference(name, value)


def importable(value: Any) -> tuple[str, str] | None:
    """Module and name of what Python, an installed package or princeps provides."""
    if isinstance(value, ModuleType | bool | int | float | str | bytes | list | tuple | dict | set):
        return None
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    if not isinstance(name, str):
        return _in_library(value) if type(value).__module__.startswith("princeps.model.") else None
    module = getattr(value, "__module__", None) or type(value).__module__
    if module == "builtins":
        return ("builtins", name) if getattr(builtins, name, None) is value else None
    if not isinstance(module, str) or not is_given(module):
        return None
    places = ["princeps.model"] if module.startswith("princeps.model") else []
    for place in (*places, module, module.partition(".")[0]):
        if getattr(sys.modules.get(place), name, None) is value:
            return place, name
    return None


def _in_library(value: Any) -> tuple[str, str] | None:
    """Messages and actions of a library's algorithm are compared by identity."""
    for place, module in list(sys.modules.items()):
        if place.startswith("princeps."):
            found = next((name for name, one in vars(module).items() if one is value), None)
            if found is not None:
                return place, found
    return None


def is_given(module: str) -> bool:
    """Every process of princeps can import it."""
    return is_provided(module) or module.partition(".")[0] == "princeps"


def call_that_makes(cls: Any, reference: Reference) -> str | None:
    """Of a class that no `class` statement has made: `namedtuple("Place", ["row"])`, `IntEnum("Role", {"A": 0})`."""
    if issubclass(cls, tuple) and cls.__bases__ == (tuple,) and hasattr(cls, "_fields"):
        defaults = tuple(cls._field_defaults.values())
        rest = f", defaults={written(defaults, reference)}" if defaults else ""
        return f"{reference('namedtuple', namedtuple)}({cls.__name__!r}, {list(cls._fields)!r}{rest})"
    if issubclass(cls, Enum):
        base = cls.__bases__[-1]
        members = written({one.name: one.value for one in cls}, reference)
        return f"{reference(base.__name__, base)}({cls.__name__!r}, {members})"
    return None
