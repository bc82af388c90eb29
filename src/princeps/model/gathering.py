"""A class with everything that it reaches, as the text of one module.

Whatever the class, its helpers and their helpers read from around them is written above them: functions and classes as
they stand in their file or cell, constants by their present values, what Python or an installed package provides as an
import. Where two files mean different things by one name, one of them is renamed. What has no text (an open file, say)
is refused by its name.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from types import FunctionType, ModuleType
from typing import Any

from princeps.errors import ProtocolError
from princeps.model import rewriting
from princeps.model.assigned_later import functions_assigned_later
from princeps.model.gathered_values import NotPlain, call_that_makes, importable, is_given, written
from princeps.model.rings.declarations import Action
from princeps.model.sources import (
    MISSING,
    PLACE,
    class_node,
    first_line,
    lines_of,
    meaning_of,
    names_in_text,
    names_of_functions,
    node_of,
)
from princeps.model.texts import text_of_file

HEAD = '''"""The protocol {name} with everything that it reaches, gathered by princeps."""

from __future__ import annotations
'''
Key = tuple[Any, ...]  # what a name stands for
Resolve = Callable[[str], Any]


@dataclass(frozen=True)
class Piece:
    """A definition of the module, and where it was written; a constant was written nowhere."""

    text: str
    file: str = ""
    line: int = 0


@dataclass
class Gathering:
    """Collects the definitions of one module, those that others need first."""

    cls: type
    bound: dict[str, Key] = field(default_factory=dict)  # the names of the module
    named: dict[Key, str] = field(default_factory=dict)
    imports: dict[str, None] = field(default_factory=dict)
    pieces: list[Piece] = field(default_factory=list)
    kept: list[Any] = field(default_factory=list)  # so that no id is used again
    path: list[str] = field(default_factory=list)  # the names that led to what is being written

    def text(self) -> tuple[str, list[tuple[int, str, int]]]:
        """The module; and of each definition its line there, its file, and its line in that."""
        self.define(self.cls.__name__, self.key(self.cls), self.cls, {})
        text, places = HEAD.format(name=self.cls.__name__), []
        if self.imports:
            text += "\n" + "\n".join(sorted(self.imports)) + "\n"
        for piece in self.pieces:
            text += "\n\n" if piece.file else "\n"
            if piece.file:
                places.append((text.count("\n") + 1, piece.file, piece.line))
            text += piece.text
        return text, places

    # -- names ------------------------------------------------------------------------------------------------------

    def bind(self, name: str, value: Any, names: Mapping[str, Any]) -> str:
        """The name in the module of what is called `name` where it is used; `names` are those around it."""
        name = name if name.isidentifier() else "function"
        self.path.append(name)
        try:
            if getattr(builtins, name, MISSING) is value:
                key: Key = ("import", "builtins", name)
                if self.bound.setdefault(name, key) == key:
                    return name
            else:
                key = self.key(value)
            if key not in self.named:
                self.define(self.free(_own_name(value) or name), key, value, names)
            return self.named[key]
        finally:
            self.path.pop()

    def key(self, value: Any) -> Key:
        """Equal for what one name may stand for."""
        if isinstance(value, ModuleType):
            return ("module", value.__name__)
        place = importable(value)
        if place is not None:
            return ("import", *place)
        try:
            return ("value", type(value).__name__, written(value, None))
        except NotPlain:
            self.kept.append(value)
            return ("object", id(value))

    def free(self, name: str) -> str:
        """The name itself, or one like it that is not taken; names that Python gives to every module are."""
        name = re.sub(r"^__(\w+)__$", r"\1_", name)
        number, found = 2, name
        while found in self.bound:
            found, number = f"{name}_{number}", number + 1
        return found

    # -- definitions ------------------------------------------------------------------------------------------------

    def define(self, name: str, key: Key, value: Any, names: Mapping[str, Any]) -> None:
        self.bound[name], self.named[key] = key, name  # at once, since functions may call each other
        if isinstance(value, ModuleType):
            self.imports[f"import {value.__name__}" + ("" if name == value.__name__ else f" as {name}")] = None
        elif key[0] == "import":
            self.imports[f"from {key[1]} import {key[2]}" + ("" if name == key[2] else f" as {name}")] = None
        elif isinstance(value, FunctionType) or isinstance(getattr(value, "__wrapped__", None), FunctionType):
            self.define_function(name, value)
        elif isinstance(value, type):
            self.define_class(name, value, names)
        elif isinstance(value, Action) and self.is_decorated(value, self.path[-1:]):
            self.define_function(name, value.body, decorated=True)
        else:
            self.pieces.append(Piece(f"{name} = {self.expression(value, names)}\n"))

    def is_decorated(self, action: Action, name: list[str]) -> bool:
        """The action is the function of this name under @on or @start."""
        body: Any = action.body
        return isinstance(body, FunctionType) and [body.__name__] == name and bool(node_of(body).decorator_list)  # type: ignore[union-attr]

    def expression(self, value: Any, names: Mapping[str, Any]) -> str:
        def reference(name: str, part: Any) -> str:
            return self.bind(name, part, names)

        try:
            return written(value, reference)
        except (NotPlain, RecursionError):
            raise self.refusal(value) from None

    def define_function(self, name: str, value: Any, decorated: bool = False) -> None:
        """One with something wrapped around it is written with its decorators."""
        function: Any = value
        while isinstance(getattr(function, "__wrapped__", None), FunctionType):
            function, decorated = function.__wrapped__, True
        node, file, around = node_of(function), function.__code__.co_filename, function.__globals__
        if isinstance(node, ast.FunctionDef):
            text, own, line = lines_of(node, text_of_file(file), decorated), node.name, first_line(node, decorated)
        else:
            text, own, line = f"{name} = {ast.unparse(node)}\n", name, function.__code__.co_firstlineno
        text = self.resolved(text, partial(meaning_of, function), around, own, name)
        if not all(isinstance(one, ast.Constant | None) for one in (*node.args.defaults, *node.args.kw_defaults)):
            given, named = function.__defaults__ or (), function.__kwdefaults__ or {}
            written_now = {key: self.expression(one, around) for key, one in named.items()}
            text = rewriting.with_defaults(text, [self.expression(one, around) for one in given], written_now)
        self.pieces.append(Piece(text, file, line))

    def define_class(self, name: str, cls: type, names: Mapping[str, Any]) -> None:
        try:
            node, file = class_node(cls, names)
        except ProtocolError:
            call = call_that_makes(cls, lambda name, part: self.bind(name, part, names))
            if call is None:
                raise
            self.pieces.append(Piece(f"{name} = {call}\n"))
            return
        place = vars(cls).get(PLACE)
        around = place.names if place is not None else getattr(sys.modules.get(cls.__module__), "__dict__", names)
        if names.get("__name__") == cls.__module__:
            around = names if place is None else around
        cells: dict[str, Any] = {} if place is None else dict(place.closed)
        for value in vars(cls).values():
            function = getattr(value, "__func__", value)
            if isinstance(function, FunctionType):
                cells |= {text: meaning_of(function, text) for text in function.__code__.co_freevars}

        if place is not None:  # what the body read, it read when it was executed; its functions read what there is now
            later = names_of_functions(lines_of(node, text_of_file(file)))
            cells |= {text: value for text, value in place.read.items() if text not in later}

        def resolve(text: str) -> Any:
            found = cells.get(text, MISSING)
            return around.get(text, getattr(builtins, text, MISSING)) if found is MISSING else found

        own = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        text = self.resolved(lines_of(node, text_of_file(file)), resolve, around, node.name, name, own)
        self.pieces.append(Piece(text, file, first_line(node)))
        for one, function in functions_assigned_later(cls).items():
            self.pieces.append(Piece(f"{name}.{one} = staticmethod({self.bind(one, function, around)})\n"))

    def resolved(
        self, text: str, resolve: Resolve, names: Mapping[str, Any], own: str, new: str, uncertain: Collection[str] = ()
    ) -> str:
        """The text of a definition, with all that it reads bound above it.

        `uncertain` are names that the body of a class assigns: what it reads may be its own.
        """
        renames: dict[str, str] = {own: new} if own != new else {}
        attributes: dict[tuple[str, str], str] = {}
        try:
            read = names_in_text(text)
        except SyntaxError as error:
            raise self.refusal_of_text(own, error) from None
        for name in read:
            value = resolve(name)
            if value is MISSING or (name.startswith("__") and name not in text):
                continue  # it fails there as it does here, the text binds it itself, or Python reads it for a class
            if name in uncertain:
                with suppress(ProtocolError):
                    self.bind(name, value, names)
                continue
            if isinstance(value, ModuleType) and not is_given(value.__name__):
                attributes |= self.attributes_of(name, value, text)
                continue
            found = self.bind(name, value, names)
            if found != name:
                renames[name] = found
            if isinstance(value, ModuleType):
                self.import_parts(value, text, name)
        if renames or attributes:
            return rewriting.renamed(text, renames, attributes, new)
        return text

    def attributes_of(self, name: str, module: ModuleType, text: str) -> dict[tuple[str, str], str]:
        """What is read of a module of the user's own is written like everything else."""
        read, bare = rewriting.attributes_read(text, name)
        if bare or any(isinstance(getattr(module, one, None), ModuleType) for one in read):
            self.path.append(name)
            raise self.refusal(module)
        return {(name, one): self.bind(one, getattr(module, one), vars(module)) for one in read if hasattr(module, one)}

    def import_parts(self, module: ModuleType, text: str, name: str) -> None:
        """`import scipy` alone does not give scipy.special."""
        for part in re.findall(rf"\b{re.escape(name)}\.(\w+)", text):
            if f"{module.__name__}.{part}" in sys.modules:
                self.imports[f"import {module.__name__}.{part}"] = None

    # -- refusals ---------------------------------------------------------------------------------------------------

    def refusal(self, value: Any) -> ProtocolError:
        name = self.path[-1] if self.path else self.cls.__name__
        what = "a module of yours" if isinstance(value, ModuleType) else f"of type {type(value).__name__}"
        remedy = (
            f"write `from {getattr(value, '__name__', '')} import ...` instead"
            if isinstance(value, ModuleType)
            else "use numbers, texts, tuples, lists, dictionaries or functions, or make it within the function that needs it"
        )
        return ProtocolError(
            f"{self.cls.__name__} reaches {name!r}, {what}, which has no text that another process could read: {remedy}."
        )

    def refusal_of_text(self, name: str, error: SyntaxError) -> ProtocolError:
        return ProtocolError(
            f"{name} cannot stand outside the function in which it is defined ({error.msg}): define it at the top level."
        )


def _own_name(value: Any) -> str | None:
    """Functions and classes bring their names with them."""
    if isinstance(value, type):
        return value.__name__
    function = value
    while isinstance(getattr(function, "__wrapped__", None), FunctionType):
        function = function.__wrapped__
    if isinstance(function, FunctionType) and function.__code__.co_name.isidentifier():
        return function.__code__.co_name
    return None
