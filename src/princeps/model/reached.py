"""What functions and classes reach, as it was at one moment: the constants and helpers that they read by name.

In a notebook any of them may be given another value in a later cell. Whatever was worked out from a rule (compiled code,
the identity of its results) holds as long as everything that the rule reaches is what it was.
"""

from __future__ import annotations

import builtins
import dataclasses
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from functools import partial
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from princeps.model.sources import MISSING, is_provided, names_read

ATOMS = (int, float, str, bytes, complex, type(None), range)


class Reach:
    """Everything that was reached from these functions or classes; it is kept, so that no id is used again."""

    def __init__(self, values: Iterable[Any]) -> None:
        self.names: list[tuple[Callable[[str, Any], Any], str, Any]] = []  # how to ask for a name, and what it was
        self.cells: list[tuple[CellType, Any]] = []
        self.codes: list[tuple[FunctionType, CodeType, Any, Any]] = []
        self.contents: list[tuple[Any, Any]] = []  # lists, tables and sets, which may be changed in place, and copies
        self.arrays: list[tuple[Any, bytes]] = []
        self._seen: dict[int, Any] = {}
        for value in values:
            self._visit(value)

    def is_current(self) -> bool:
        missing = MISSING
        for ask, name, value in self.names:
            if ask(name, missing) is not value:
                return False
        for cell, value in self.cells:
            if _content(cell) is not value:
                return False
        for function, code, defaults, keywords in self.codes:
            if (
                function.__code__ is not code
                or function.__defaults__ is not defaults
                or function.__kwdefaults__ is not keywords
            ):
                return False
        try:
            for value, content in self.contents:
                if value != content:
                    return False
            for array, content in self.arrays:
                if array.tobytes() != content:
                    return False
        except Exception:  # arrays within a list, say, which cannot be compared
            return False
        return True

    def _visit(self, value: Any) -> None:
        if isinstance(value, ATOMS) or value is MISSING or id(value) in self._seen:
            return
        self._seen[id(value)] = value
        if isinstance(value, FunctionType):
            if not is_provided(value.__module__):
                self._visit_function(value)
        elif isinstance(value, type):
            for one in value.__mro__:
                if not is_provided(one.__module__) and not one.__module__.startswith("princeps."):
                    self._visit_names(vars(one))
        elif isinstance(value, (staticmethod, classmethod)):
            self._visit(value.__func__)
        elif isinstance(value, partial):
            for part in (value.func, *value.args, *value.keywords.values()):
                self._visit(part)
        elif isinstance(value, (list, tuple, set, frozenset, dict)):
            if not isinstance(value, (tuple, frozenset)):
                self.contents.append((value, copy(value)))
            for part in list(value.values()) if isinstance(value, dict) else list(value):
                self._visit(part)
        elif hasattr(value, "tobytes"):
            self.arrays.append((value, value.tobytes()))
        elif isinstance(getattr(value, "__wrapped__", None), FunctionType):
            self._visit(value.__wrapped__)
        elif dataclasses.is_dataclass(value) or not is_provided(type(value).__module__):
            self._visit_names(getattr(value, "__dict__", {}))

    def _visit_names(self, names: Mapping[str, Any]) -> None:
        for name, value in list(names.items()):
            if name.isidentifier() and not name.startswith("__"):  # others are ours, or Python's
                self.names.append((names.get, name, value))
                self._visit(value)

    def _visit_function(self, function: FunctionType) -> None:
        code, around = function.__code__, function.__globals__
        self.codes.append((function, code, function.__defaults__, function.__kwdefaults__))
        for cell in function.__closure__ or ():
            content = _content(cell)
            self.cells.append((cell, content))
            if isinstance(content, ModuleType):
                self._visit_module(content, code)
            else:
                self._visit(content)
        for default in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            self._visit(default)
        for name in names_read(code):
            value = around.get(name, MISSING)
            self.names.append((around.get, name, value))
            if isinstance(value, ModuleType):
                self._visit_module(value, code)
            elif value is not MISSING and value is not getattr(builtins, name, MISSING):
                self._visit(value)
        self._visit(getattr(function, "__wrapped__", MISSING))

    def _visit_module(self, module: ModuleType, code: CodeType) -> None:
        if is_provided(module.__name__) or module.__name__.partition(".")[0] == "princeps":
            return
        for name in _attributes(code):
            if name in vars(module):
                self.names.append((vars(module).get, name, vars(module)[name]))
                self._visit(vars(module)[name])


def _attributes(code: CodeType) -> set[str]:
    inner = (part for part in code.co_consts if isinstance(part, CodeType))
    return set(code.co_names).union(*map(_attributes, inner))


def _content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # nothing was assigned yet
        return MISSING
