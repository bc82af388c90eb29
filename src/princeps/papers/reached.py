"""The text of everything in which a measuring function can look something up: helpers in other files, and constants.

It is followed by name, as Python does: from a function to the functions, classes and values whose names it reads, also
by a dot after a module and by an import within it. What the papers, the exact analysis and the proofs compute is followed;
engines and the model are not: a run with the same seed gives the same result in every version, which recorded results test.
"""

from __future__ import annotations

import dis
import inspect
import sys
from collections.abc import Container, Iterable, Iterator
from functools import lru_cache
from importlib import import_module
from types import CodeType, FunctionType, ModuleType
from typing import Any

from princeps.model.sources import is_provided
from princeps.proofs import FORMULAS

FOLLOWED = ("princeps.papers", "princeps.analysis", "princeps.proofs", *FORMULAS)
PLAIN = (bool, int, float, complex, str, bytes, range, type(None))
READING = ("LOAD_GLOBAL", "LOAD_NAME")
DOTTED = ("LOAD_ATTR", "LOAD_METHOD")


def reached_from(values: Iterable[Any], apart_from: Container[str] = ()) -> list[str]:
    """One text for each function, class and constant that is reached, in an order that depends on nothing else.

    `apart_from`: modules whose whole text is known already. They are followed, and their own functions and classes left out.
    A table that is filled while something runs is no constant: of lists and tables those count that are named like one.
    """
    found: dict[str, str] = {}
    waiting = [("", value) for value in values]
    seen: dict[int, Any] = {}
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, (FunctionType, type)) or hasattr(value, "__wrapped__"):
            value = inspect.unwrap(value)
            if id(value) in seen or not is_followed(getattr(value, "__module__", None)):
                continue
            seen[id(value)] = value
            if value.__module__ not in apart_from:
                found[f"{value.__module__}:{value.__qualname__}"] = _text_of(value)
            waiting += names_in(value)
        elif not isinstance(value, ModuleType):
            plain = _value_text(value)
            if plain is not None and name.isupper():
                found.setdefault(f"{name} = {plain}", "")
            waiting += [(name, part) for part in _parts(value)]
    return [f"{key}\n{found[key]}" for key in sorted(found)]


def is_followed(module: str | None) -> bool:
    if module is None:
        return False
    if module.partition(".")[0] == "princeps":
        return any(module == one or module.startswith(f"{one}.") for one in FOLLOWED)
    return not is_provided(module)


def names_in(value: Any) -> Iterator[tuple[str, Any]]:
    """What a function or a class looks up outside itself."""
    if isinstance(value, type):
        for base in value.__mro__[1:]:
            yield base.__name__, base
        for name, part in vars(value).items():
            function = part.fget if isinstance(part, property) else getattr(part, "__func__", part)
            if isinstance(function, FunctionType):
                function = inspect.unwrap(function)
                if function.__code__.co_filename != "<string>":  # of a dataclass, made from its fields
                    yield from names_in(function)
            elif not name.startswith("__"):
                yield name, part
        return
    for default in (*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()):
        yield "", default  # its text is that of the function; this is for functions that it may name
    for cell in value.__closure__ or ():
        yield "", cell.cell_contents
    yield from _names_of(value.__code__, value.__globals__)


def _names_of(code: CodeType, around: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    module: ModuleType | None = None  # whose attribute the next instruction reads
    for one in dis.get_instructions(code):
        if one.opname == "IMPORT_NAME":
            ours = one.argval.startswith(FOLLOWED)  # others may not even be installed
            module = (
                import_module(one.argval) if ours else sys.modules.get(one.argval) if is_followed(one.argval) else None
            )
            continue
        if module is not None and one.opname in (*DOTTED, "IMPORT_FROM") and one.argval in vars(module):
            yield one.argval, vars(module)[one.argval]
        if one.opname != "IMPORT_FROM" and one.opname not in ("STORE_FAST", "STORE_NAME"):
            module = None
        if one.opname in READING and one.argval in around:
            value = around[one.argval]
            if isinstance(value, ModuleType):
                module = value if is_followed(value.__name__) else None
            yield one.argval, value
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _names_of(part, around)


def _parts(value: Any) -> Iterator[Any]:
    """Functions and classes that a table or a list holds."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, (list, tuple, set, frozenset)):
        for part in value:
            if isinstance(part, (FunctionType, type, list, tuple, dict)):
                yield part


def _value_text(value: Any) -> str | None:
    """A constant as Python writes it; None for what has no such text: its type is reached by its own name."""
    if isinstance(value, PLAIN):
        return repr(value)
    if isinstance(value, (set, frozenset)):
        texts = [_value_text(part) for part in value]
        return f"{{{', '.join(sorted(text or '' for text in texts))}}}"
    if isinstance(value, (list, tuple)):
        return f"({', '.join(_value_text(part) or '' for part in value)})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_value_text(key)}: {_value_text(part)}' for key, part in value.items())}}}"
    if hasattr(type(value), "__dataclass_fields__"):
        return repr(value)
    return None


@lru_cache(maxsize=4096)
def _text_of(value: Any) -> str:
    try:
        return inspect.getsource(value)
    except (OSError, TypeError):  # made by a call, like a named tuple: its parts are its values
        return repr(value)
