"""Where functions and classes are written: in a file, a script or a cell of a notebook; and which names they read.

A class is noted when it is defined, because in a notebook nothing else leads from it to its cell. The text is that of
`linecache`, where IPython and Jupyter enter every cell.
"""

from __future__ import annotations

import ast
import builtins
import dis
import inspect
import linecache
import sys
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from types import CodeType, FrameType, FunctionType
from typing import Any

from princeps.errors import ProtocolError
from princeps.model.texts import (
    Text,
    line_of_code,
    note_loaded_again,
    text_now,
    text_of_code,
    text_of_file,
    text_on_disk,
)

ANNOTATIONS = annotations.compiler_flag  # which are then not evaluated, and read no names
READING = ("LOAD_NAME", "LOAD_GLOBAL", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_GLOBALS", "LOAD_FROM_DICT_OR_DEREF")
PLACE = "where it is written"  # an attribute of a class, by no name that a user's class could have
NOWHERE = ("<stdin>", "<console>")  # Python keeps no text of what was typed there
GATHERED = "princeps_gathered_"  # begins the name of a module that was written from a class and all that it reaches
MISSING = object()  # stands for a name that means nothing
AT_A_PROMPT = (
    'Python keeps no text of what is typed at its prompt: run, trials and session take the class with engine="reference"; '
    "for everything else put the class into a file, or work in IPython or Jupyter."
)


@dataclass(frozen=True, eq=False)
class Place:
    """File and line of a class, the names around it, and what those that its body reads stood for.

    `closed` are those of them that belong to the function in which the class is defined.
    """

    file: str
    line: int
    names: Mapping[str, Any]
    read: Mapping[str, Any]
    closed: Mapping[str, Any]
    text: Text


def _defining_frame() -> FrameType | None:
    """Called within `__init_subclass__`: the frame in which the class statement stands."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != "__init_subclass__":
        frame = frame.f_back
    while frame is not None and frame.f_code.co_name == "__init_subclass__":
        frame = frame.f_back
    return frame


def names_around_class() -> dict[str, Any] | None:
    """Called within `__init_subclass__`: the names of the file, script or notebook of the class."""
    frame = _defining_frame()
    return None if frame is None else frame.f_globals


def note_place(cls: type) -> None:
    """Called within `__init_subclass__`. Ours are found by name."""
    if cls.__module__.startswith("princeps."):
        return
    frame = _defining_frame()
    if frame is None:
        return
    code, inside = frame.f_code, frame.f_locals is not frame.f_globals
    bodies = [part for part in code.co_consts if isinstance(part, CodeType) and part.co_name == cls.__name__]
    body = max((one for one in bodies if one.co_firstlineno <= frame.f_lineno), key=_first_line, default=None)
    read, closed = {}, {}
    for name in () if body is None else names_read(body):
        if inside and name in frame.f_locals:
            closed[name] = frame.f_locals[name]
        elif name in frame.f_globals:
            read[name] = frame.f_globals[name]
    direct = () if body is None else _names_of_block(body)
    read = {name: value for name, value in read.items() if name in direct}
    setattr(
        cls, PLACE, Place(code.co_filename, frame.f_lineno, frame.f_globals, read, closed, text_now(code.co_filename))
    )


def _first_line(code: CodeType) -> int:
    return code.co_firstlineno


# -- texts ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def parsed(source: str) -> ast.Module:
    return ast.parse(source)


_CACHE = type(lru_cache(lambda: None))


def bare(function: Any) -> Any:
    """Without a static method or a cache around it: they change no value. Other decorators make another function."""
    while isinstance(function, staticmethod | _CACHE):
        function = function.__wrapped__
    return function


def node_of(function: Any) -> ast.FunctionDef | ast.Lambda:
    """Where the function is written. Of several lambdas in a line it is the one that contains most of its code."""
    code = function.__code__
    source = text_of_code(code)
    if not source:
        raise unreadable(function.__name__, code.co_filename)
    line = line_of_code(source, code) or code.co_firstlineno
    lambdas = []
    places = {(line, column) for line, _, column, _ in code.co_positions() if line and column}
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            if first_line(node) == line:
                return node
        elif isinstance(node, ast.Lambda) and code.co_name == "<lambda>":
            inside = sum((node.body.lineno, node.body.col_offset) <= place <= _end(node) for place in places)
            if inside:
                lambdas.append((inside, node.lineno, node.col_offset, node))
    if not lambdas:
        raise ProtocolError(
            f"the source of {function.__name__} cannot be found: it must be a plain function or a lambda.",
            *(code.co_filename, code.co_firstlineno),
        )
    return max(lambdas, key=lambda found: found[:3])[3]


def unreadable(name: str, file: str) -> ProtocolError:
    if file in NOWHERE or file.startswith("<python-input"):
        return ProtocolError(f"the source of {name} cannot be read. {AT_A_PROMPT}", file)
    return ProtocolError(f"the source of {name} cannot be read: keep the protocol in a file.", file)


def class_node(cls: type, names: Mapping[str, Any]) -> tuple[ast.ClassDef, str]:
    """Where a class is written, and in which file; `names` are those of whoever asks for it."""
    place: Place | None = vars(cls).get(PLACE)
    for function in _functions_of(cls):
        text_of_code(function.__code__)  # the file may have been loaded again
    if place is not None:
        places: list[tuple[str, int | None]] = [(place.file, place.line), (place.file, None)]
    else:
        codes = [function.__code__ for function in _functions_of(cls)]
        places = [(code.co_filename, code.co_firstlineno) for code in codes]
        places += [(one, None) for one in _files_of(cls, names)]
    found, file = None, places[0][0] if places else ""
    for one, line in places:
        found = _class_at(text_of_file(one), cls.__name__, line)
        if found is not None:
            file = one
            break
    if found is None:
        if not text_of_file(file):
            raise unreadable(cls.__name__, file)
        raise ProtocolError(
            f"the source of {cls.__name__} cannot be found: write it as `class {cls.__name__}`.", file or None
        )
    return found if place is not None else _loaded_again(cls, found, file), file


def _loaded_again(cls: type, known: ast.ClassDef, file: str) -> ast.ClassDef:
    """Its place in the text that its file has now, if the constants of the class are of that one and not of the known."""
    if _says(known, cls):
        return known
    now = text_on_disk(file)
    found = _class_at(now, cls.__name__)
    if found is None or not _says(found, cls):
        return known
    note_loaded_again(file, now)
    return found


def _says(node: ast.ClassDef, cls: type) -> bool:
    """Whether what the body of a class assigns as it stands is what the class has."""
    for one in node.body:
        targets = one.targets if isinstance(one, ast.Assign) else [one.target] if isinstance(one, ast.AnnAssign) else []
        value = one.value if isinstance(one, ast.Assign | ast.AnnAssign) else None
        if isinstance(value, ast.Constant):
            for target in targets:
                has = getattr(cls, target.id, MISSING) if isinstance(target, ast.Name) else value.value
                has = has.value if isinstance(has, Enum) else has
                if type(has) is not type(value.value) or has != value.value:
                    return False
    return True


def cell_of(cls: type) -> Place | None:
    """Where a class of a notebook is written; None for one of a file."""
    place: Place | None = vars(cls).get(PLACE)
    return place if place is not None and "__file__" not in place.names else None


def lines_of_class(cls: type) -> tuple[list[str], int] | None:
    """The text of a class and its first line."""
    cell = cell_of(cls)
    if cell is not None:  # of which `inspect` knows nothing
        text, node = cell.text.text, _class_at(cell.text.text, cls.__name__, cell.line)
        return (
            None if node is None else (text.splitlines(True)[first_line(node) - 1 : node.end_lineno], first_line(node))
        )
    try:
        lines, first = inspect.getsourcelines(cls)
    except (OSError, TypeError, SyntaxError):
        return None
    return lines, max(first, 1)


def _class_at(source: str, name: str, line: int | None = None) -> ast.ClassDef | None:
    """The innermost class of this name around a line; the last one in the text, if the line is not known."""
    try:
        nodes = [node for node in ast.walk(parsed(source)) if isinstance(node, ast.ClassDef) and node.name == name]
    except SyntaxError:
        return None
    if line is not None:
        nodes = [node for node in nodes if first_line(node) <= line <= (node.end_lineno or line)]
    return max(nodes, key=lambda node: node.lineno, default=None)


def _functions_of(cls: type) -> Iterator[FunctionType]:
    """Those that are written in the body of the class."""
    for value in vars(cls).values():
        found = getattr(value, "__func__", getattr(value, "fget", value))
        if isinstance(found, FunctionType) and found.__qualname__.startswith(f"{cls.__qualname__}."):
            yield found


def _files_of(cls: type, names: Mapping[str, Any]) -> Iterator[str]:
    """The file of its module; in a notebook all cells, the last one first."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None) or names.get("__file__")
    if isinstance(file, str):
        yield file
    # A copy is made in one go; while items are listed, a function that is let go may take its own lines out.
    for name, entry in reversed(linecache.cache.copy().items()):
        if len(entry) > 1 and entry[1] is None:  # a text that no file has
            yield name


def lines_of(node: ast.FunctionDef | ast.ClassDef, source: str, decorated: bool = True) -> str:
    """The text of a definition, at the left margin."""
    first = first_line(node, decorated)
    text = textwrap.dedent("".join(source.splitlines(True)[first - 1 : node.end_lineno])).rstrip() + "\n"
    try:
        ast.parse(text)
    except SyntaxError:  # a text within it reaches further to the left, or another statement stands in the same line
        twin = ast.parse(ast.unparse(node)).body[0]
        if not decorated and isinstance(twin, ast.FunctionDef | ast.ClassDef):
            twin.decorator_list = []
        return ast.unparse(twin) + "\n"
    return text


def first_line(node: ast.FunctionDef | ast.ClassDef, decorated: bool = True) -> int:
    """The line of the file with which the text of a definition begins."""
    return min([node.lineno, *(part.lineno for part in node.decorator_list if decorated)])


def _end(node: ast.expr) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or 0


# -- names ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def is_provided(module: str | None) -> bool:
    """Part of Python, of this package's model, or installed: not written by the user for this protocol."""
    top = (module or "").partition(".")[0]
    if top == "princeps":  # the library's own rules are identified by their content, however princeps is installed
        return (module or "").startswith("princeps.model")
    if top == "__main__":  # the file of which may be that of a program that executes notebooks
        return False
    if top in sys.stdlib_module_names:
        return True
    file = getattr(sys.modules.get(module or ""), "__file__", None) or ""
    return "site-packages" in file or "dist-packages" in file


def _names_of_block(code: CodeType) -> list[str]:
    """The names from outside that a block reads itself, not the functions within it."""
    return list(dict.fromkeys(one.argval for one in dis.get_instructions(code) if one.opname in READING))


@lru_cache(maxsize=4096)
def names_read(code: CodeType) -> tuple[str, ...]:
    """The names from outside that a piece of code reads, in the order in which it does; the functions within it, too."""
    found = dict.fromkeys(_names_of_block(code))
    for part in code.co_consts:
        if isinstance(part, CodeType):
            found.update(dict.fromkeys(names_read(part)))
    return tuple(found)


def names_in_text(text: str) -> tuple[str, ...]:
    return names_read(compile(text, "<gathered>", "exec", ANNOTATIONS, dont_inherit=True))


def names_of_functions(text: str) -> set[str]:
    """The names that the functions within a class read, not its body itself."""
    module = compile(text, "<gathered>", "exec", ANNOTATIONS, dont_inherit=True)
    bodies = [part for part in module.co_consts if isinstance(part, CodeType)]
    inner = [part for body in bodies for part in body.co_consts if isinstance(part, CodeType)]
    return {name for part in inner for name in names_read(part)}


def meaning_of(function: FunctionType, name: str) -> Any:
    """What a name that is not the function's own stands for: MISSING if nothing."""
    if name in function.__code__.co_freevars:
        cell = (function.__closure__ or ())[function.__code__.co_freevars.index(name)]
        try:
            return cell.cell_contents
        except ValueError:  # nothing was assigned to it yet
            return MISSING
    return function.__globals__.get(name, getattr(builtins, name, MISSING))
