"""What the class of a protocol declares, read and checked when the class is defined; mistakes are told with their line.

Declarations (fields, parameters, ...) are taken out of the class and put into tables by name. A field may therefore
have any name, also that of a method of the base class: nothing looks it up as an attribute.
"""

from __future__ import annotations

import ast
import difflib
import inspect
import sys
import textwrap
from collections.abc import Callable, Collection, Mapping
from functools import cache
from types import FunctionType
from typing import Any

from princeps.errors import ProtocolError
from princeps.model.sources import cell_of, lines_of_class
from princeps.model.values import ABOUT_THE_FUNCTION, function_complaint, shown

CONSTRUCTORS = ("__init__", "__new__")
SHORTEST_MISSPELT = 5  # letters: any word is near to a shorter one
MAKERS = ("princeps.model.fields", "princeps.model.rings.declarations")  # modules whose functions declare something


# -- taking declarations out of the class ---------------------------------------------------------------------------


def take_out(cls: type, *spaces: Mapping[str, type]) -> None:
    """Move the attributes of each kind into a table of their own, inherited ones first.

    Kinds are given in spaces of names: an agent's field and a parameter may be called alike, two parameters may not, so
    that of those the last one counts.
    """
    found: dict[str, dict[str, Any]] = {}
    for kinds in spaces:
        tables: dict[str, dict[str, Any]] = {table: {} for table in kinds}
        for base in reversed(cls.__mro__):
            for table, kind in kinds.items():
                new = vars(base).get(table) if base is not cls else None
                _enter(tables, table, new or _of_kind(base, kind))
        found |= tables
    for kind in (kind for kinds in spaces for kind in kinds.values()):
        for name in _of_kind(cls, kind):
            delattr(cls, name)
    for table, declared in found.items():
        setattr(cls, table, declared)


def _of_kind(cls: type, kind: type) -> dict[str, Any]:
    return {name: value for name, value in vars(cls).items() if isinstance(value, kind)}


def _enter(tables: dict[str, dict[str, Any]], table: str, found: Mapping[str, Any]) -> None:
    for name in found:
        for other in tables.values():
            if other is not tables[table]:
                other.pop(name, None)
    tables[table].update(found)


# -- names ----------------------------------------------------------------------------------------------------------


@cache
def declarable(base: type) -> dict[str, bool]:
    """The names that a protocol's class may define: those of class variables, and (True) of static functions."""
    found: dict[str, bool] = {}
    for one in reversed(base.__mro__):
        annotated = inspect.get_annotations(one)
        found |= {name: False for name, text in annotated.items() if str(text).startswith("ClassVar")}
        found |= {name: True for name, value in vars(one).items() if isinstance(value, staticmethod)}
    return {name: static for name, static in found.items() if not name.endswith("_")}


def hidden_name(cls: type, base: type, tables: Collection[str]) -> str | None:
    """An attribute of the class that takes the place of something of ours, which would no longer work."""
    allowed = {*declarable(base), *tables}
    for name in vars(cls):
        ours = name in CONSTRUCTORS or (not name.startswith("__") and hasattr(base, name))
        if ours and name not in allowed:
            return name
    return None


def misspelt_name(cls: type, base: type, declared: Collection[str]) -> tuple[str, str] | None:
    """An attribute that nobody reads, with the name of ours that it nearly has: `toplogy`. Of functions, of functions."""
    known = declarable(base)
    for name, value in vars(cls).items():
        if name.startswith("_") or name in known or name in declared or hasattr(base, name):
            continue
        is_function = callable(value) or isinstance(value, staticmethod)
        alike = [other for other, static in known.items() if static == is_function and len(other) >= SHORTEST_MISSPELT]
        near = difflib.get_close_matches(name, alike, n=1, cutoff=0.8)
        if near:
            return name, near[0]
    return None


def make_static(cls: type, base: type) -> None:
    """`def interact(a, b, p)` needs no @staticmethod."""
    for name, static in declarable(base).items():
        if static:
            found = inspect.getattr_static(cls, name)
            if isinstance(found, FunctionType):
                setattr(cls, name, staticmethod(found))
            elif isinstance(found, classmethod):
                sentence = f"{cls.__name__}.{name} is a class method, and there is no object: remove @classmethod and its first argument."
                raise ClassCheck(cls).mistake(sentence, name, found.__func__)


def declared_twice(cls: type, names: Collection[str]) -> tuple[str, int] | None:
    """A name that the body of the class declares twice, with the second line: Python forgets the first."""
    seen: set[str] = set()
    for name, line, value in bindings(cls):
        if name in names and isinstance(value, ast.Call):
            if name in seen:
                return name, line
            seen.add(name)
    return None


# -- checking -------------------------------------------------------------------------------------------------------


class ClassCheck:
    """Asks one class for what it declares. Not by methods of the class, which a careless one may have replaced."""

    def __init__(self, cls: Any) -> None:
        self.cls = cls

    def mistake(self, sentence: str, name: str | None = None, function: Any = None) -> ProtocolError:
        """With file and line: of this function, of what is bound to this name in the class, or of the class."""
        return ProtocolError(sentence, written_in(self.cls), line_of(self.cls, name, function))

    def require(self, complaint: str | None, name: str) -> None:
        if complaint is not None:
            raise self.mistake(complaint, name)

    def texts(self, *names: str) -> None:
        for name in names:
            value = getattr(self.cls, name)
            if not isinstance(value, str):
                raise self.mistake(f"{name} is {shown(value)}: it must be a text.", name)

    def function(self, value: Any, what: str, arguments: str, name: str) -> None:
        complaint = function_complaint(value, arguments)
        if complaint is not None:
            raise self.mistake(f"{what} {complaint}.", name, value)

    def functions(self, signatures: Mapping[str, str]) -> None:
        for name, arguments in signatures.items():
            self.function(getattr(self.cls, name), name, arguments, name)

    def table(self, name: str, complaint: Callable[[Any], str | None]) -> None:
        """Names with something that `complaint` finds nothing wrong with."""
        table = getattr(self.cls, name)
        if not isinstance(table, Mapping):
            raise self.mistake(f"{name} is {shown(table)}, where a table {{name: ...}} is needed.", name)
        for key, value in table.items():
            if not isinstance(key, str) or not key.strip():
                raise self.mistake(f"{name} has the key {shown(key)}: a name is a text that is not empty.", name)
            said = complaint(value)
            if said is not None:
                of_function = said.startswith(ABOUT_THE_FUNCTION)
                raise self.mistake(
                    f"{key!r} of {name} {said}.", name, getattr(value, "rule", value) if of_function else None
                )

    def no_makers(self, kinds: Collection[type]) -> None:
        """`leader = Bit` without its brackets is no field."""
        for name, value in vars(self.cls).items():
            makes = isinstance(value, FunctionType) and value.__module__ in MAKERS
            if makes or (isinstance(value, type) and value in kinds):
                written = f"{value.__name__}({'...' if _needs_arguments(value) else ''})"
                raise self.mistake(f"{name} = {value.__name__} is no declaration: write {written}.", name)

    def names(self, base: type, tables: Collection[str]) -> None:
        """No name may mean two things, or something else to Python."""
        cls = self.cls
        declared = [name for table in tables for name in getattr(cls, table)]
        for name in declared:
            plain = name.removeprefix(f"_{cls.__name__.lstrip('_')}")  # Python has changed __x into _Mine__x
            if name.startswith("__") or plain.startswith("__"):
                raise self.mistake(
                    f"{plain!r} begins with two underscores, which Python reads as something else: rename it.", plain
                )
        hidden = hidden_name(cls, base, tables)
        if hidden is not None:
            raise self.mistake(
                f"{hidden!r} of {cls.__name__} takes the place of something that every protocol has: rename it.", hidden
            )
        misspelt = misspelt_name(cls, base, declared)
        if misspelt is not None:
            name, near = misspelt
            raise self.mistake(
                f"{name!r} of {cls.__name__} means nothing here: did you mean {near}? Else rename it.", name
            )
        lost = next((name for name in vars(cls) if name in declared and name not in tables), None)
        if lost is not None:
            raise self.mistake(
                f"{lost} = {shown(vars(cls)[lost])} takes the place of a field or parameter that {cls.__name__} inherits: "
                f"declare it anew, or rename it.",
                lost,
            )
        if not cls.__module__.startswith("princeps."):  # those of the package are read often
            twice = declared_twice(cls, declared)
            if twice is not None:
                raise ProtocolError(f"{twice[0]!r} is declared twice: rename one of them.", written_in(cls), twice[1])


def _needs_arguments(maker: Any) -> bool:
    try:
        inspect.signature(maker).bind()
    except TypeError:
        return True
    return bool(maker.__name__ == "OneOf")


# -- lines ----------------------------------------------------------------------------------------------------------


def file_of(cls: type) -> str | None:
    return getattr(sys.modules.get(cls.__module__), "__file__", None)


def written_in(cls: type) -> str | None:
    """The file of a class, or the cell of a notebook."""
    cell = cell_of(cls)
    return file_of(cls) if cell is None else cell.file


def line_of(cls: type, name: str | None = None, function: Any = None) -> int | None:
    """The line of a class, of what its body last binds to a name, or of a function of the same file."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is not None and code.co_filename == written_in(cls):
        return int(code.co_firstlineno)
    found = lines_of_class(cls)
    if found is None:
        return None
    return next((line for bound, line, _ in reversed(bindings(cls)) if bound == name), found[1]) if name else found[1]


def bindings(cls: type) -> list[tuple[str, int, ast.AST]]:
    """Every name that the body of the class binds, with its line and what it is bound to."""
    written = lines_of_class(cls)
    if written is None:
        return []
    try:
        tree = ast.parse(textwrap.dedent("".join(written[0]))).body[0]
    except (SyntaxError, IndexError, RecursionError):
        return []
    found: list[tuple[str, int, ast.AST]] = []
    for statement in tree.body if isinstance(tree, ast.ClassDef) else []:
        line = statement.lineno + written[1] - 1
        match statement:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.append((name, line, statement))
            case ast.Assign(targets=targets, value=value):
                found += [(name, line, part) for target in targets for name, part in _bound(target, value)]
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                found += [(name, line, part) for name, part in _bound(target, value)]
    return found


def _bound(target: ast.expr, value: ast.expr) -> list[tuple[str, ast.AST]]:
    if isinstance(target, ast.Name):
        return [(target.id, value)]
    if not isinstance(target, ast.Tuple):
        return []
    matching = isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts)
    values = value.elts if matching and isinstance(value, ast.Tuple) else [value] * len(target.elts)
    return [pair for one, part in zip(target.elts, values, strict=True) for pair in _bound(one, part)]
