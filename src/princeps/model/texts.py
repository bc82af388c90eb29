"""The texts of files, scripts and cells, as they were when what is in use was loaded from them."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Mapping
from functools import lru_cache
from types import CodeType
from typing import Any
from weakref import WeakValueDictionary

from princeps.errors import ProtocolError


class Text:
    """The text of a file as it was when a class of it was defined: the file may be edited while the class is in use."""

    def __init__(self, text: str) -> None:
        self.text = text


_texts: WeakValueDictionary[str, Text] = WeakValueDictionary()  # by file, as long as a class of it is in use


def text_now(file: str) -> Text:
    now, known = text_on_disk(file), _texts.get(file)
    if known is None or known.text != now:
        known = _texts[file] = Text(now)
    return known


def text_of_file(file: str) -> str:
    known = _texts.get(file)
    if known is not None:
        return known.text
    return "".join(linecache.getlines(file))


def text_of_code(code: CodeType) -> str:
    """The text from which a function was compiled: its file may have been loaded again since it was read last."""
    file = code.co_filename
    source = text_of_file(file)
    if not source or line_of_code(source, code) is not None:
        return source
    now = text_on_disk(file)
    if line_of_code(now, code) is None:
        if _is_rewritten(source):
            return source
        raise ProtocolError(
            f"{code.co_name} is not what its file says: load the file again, which was edited since.",
            *(file, code.co_firstlineno),
        )
    note_loaded_again(file, now)
    return now


def text_on_disk(file: str) -> str:
    """It may be another than that from which anything was loaded."""
    linecache.checkcache(file)
    return "".join(linecache.getlines(file))


def note_loaded_again(file: str, now: str) -> None:
    if file in _texts:
        _texts[file].text = now


def _is_rewritten(source: str) -> bool:
    """pytest compiles the assertions of test files to something else, so that their code is not that of their text."""
    return "pytest" in sys.modules and "assert" in source


def line_of_code(source: str, code: CodeType) -> int | None:
    """The first line of the function in this text. `%autoreload` gives functions a code that has lost its own line."""
    lines = [line for line, content in _codes(source).get(code.co_name, ()) if content == _content(code)]
    return code.co_firstlineno if code.co_firstlineno in lines else next(iter(lines), None)


@lru_cache(maxsize=16)
def _codes(source: str) -> Mapping[str, list[tuple[int, Any]]]:
    """What the functions of a text are compiled to, by name, with their first lines."""
    found: dict[str, list[tuple[int, Any]]] = {}
    try:
        waiting = [compile(source, "<text>", "exec", dont_inherit=True)]
    except (SyntaxError, ValueError):
        return found
    while waiting:
        code = waiting.pop()
        waiting += [part for part in code.co_consts if isinstance(part, CodeType)]
        found.setdefault(code.co_name, []).append((code.co_firstlineno, _content(code)))
    return found


def _content(code: CodeType) -> Any:
    """What a function does, whatever its file and its flags are."""
    consts = [_content(part) if isinstance(part, CodeType) else (type(part), repr(part)) for part in code.co_consts]
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, consts
