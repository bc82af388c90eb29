"""What a store keeps of a protocol that is not in the library, so that its trials can be repeated when its file is edited.

The class is kept as the text of one module (carried.py). Of a file that a sweep named there are also the digests of its
text and of the user's own modules that it imports: whether a command may still name the file is told by comparing them.
Nothing is executed for that.
"""

from __future__ import annotations

import ast
import hashlib
import os
import sys
import tokenize
from collections.abc import Iterator, Mapping
from typing import Any

from princeps.errors import PrincepsError
from princeps.model.carried import Carried, carry
from princeps.model.parameters import Parametrised
from princeps.model.registry import find_any, is_in_library, path_and_class
from princeps.model.sources import GATHERED, is_provided, parsed
from princeps.model.texts import text_of_file

DIGITS = 16  # of a digest


def kept_of(named: str | Carried) -> dict[str, Any]:
    """What a point's description holds of its protocol, beside the name."""
    if isinstance(named, Carried):
        return {"gathered": named.as_json}
    cls = find_any(named)
    if is_in_library(cls):
        return {}
    if cls.__module__.startswith(GATHERED):  # it was taken from a store, where it need not stay
        return {"gathered": carry(cls).as_json}
    files = {"files": digests_of(cls)}
    try:
        return {"gathered": carry(cls).as_json, **files}
    except PrincepsError as error:  # the sweep runs all the same: its workers load the file
        return {"not_gathered": str(error), **files}


# -- files that may be edited ---------------------------------------------------------------------------------------


def digests_of(cls: type[Parametrised]) -> dict[str, str]:
    """Of the file of a class, and of the user's own modules that it imports; by their paths beside the first."""
    first = os.path.realpath(str(cls.file()))
    found: dict[str, str] = {}
    waiting = [first]
    while waiting:
        path = waiting.pop()
        text = text_of_file(path) or _text(path)
        name = os.path.relpath(path, os.path.dirname(first))
        if text is None or name in found:
            continue
        found[name] = _digest(text)
        waiting += _imported(text)
    return found


def _imported(text: str) -> Iterator[str]:
    """The files of the modules that a text imports, where they are the user's own."""
    for node in ast.walk(parsed(text)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            file = getattr(sys.modules.get(name), "__file__", None)
            if isinstance(file, str) and file.endswith(".py") and name.partition(".")[0] != "princeps":
                if not is_provided(name):
                    yield os.path.realpath(file)


def edited_since(named: str, digests: Mapping[str, str]) -> str:
    """Why a command that names this file does not repeat what was run; empty where it does."""
    folder = path_and_class(named)[0].parent
    for name, digest in digests.items():
        text = _text(str(folder / name))
        if text is None:
            return f"{name} is not there any more"
        if _digest(text) != digest:
            return f"{name} has been changed since"
    return ""


def _text(path: str) -> str | None:
    try:
        with tokenize.open(path) as file:
            return file.read()
    except (OSError, SyntaxError, ValueError):  # or it is no text any more
        return None


def _digest(text: str) -> str:
    lines = "\n".join(text.splitlines())  # the last line may have an end or not
    return hashlib.sha256(lines.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]
