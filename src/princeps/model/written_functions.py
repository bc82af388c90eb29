"""Functions that are generated as text: like those of a file they can be read, compiled and identified by content."""

from __future__ import annotations

import hashlib
import linecache
from collections.abc import Mapping
from types import FunctionType
from typing import Any
from weakref import WeakValueDictionary, finalize

MODULE = "princeps_written"  # of the functions; not one of ours, whose functions are identified by their names
_known: WeakValueDictionary[str, FunctionType] = WeakValueDictionary()  # by file


def written_function(source: str, name: str, what: str, names: Mapping[str, Any]) -> FunctionType:
    """The function `name` of this text, which may read `names`; its source can be read as long as it is in use.

    `what` says in tracebacks what it was made from. The same text gives the same function.
    """
    file = f"<{what} {hashlib.sha256(source.encode()).hexdigest()[:12]}>"
    known = _known.get(file)
    if known is not None:
        return known
    scope: dict[str, Any] = {**names, "__name__": MODULE}
    exec(compile(source, file, "exec", dont_inherit=True), scope)
    function: FunctionType = scope.pop(name)  # its scope would keep it alive
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    finalize(function, linecache.cache.pop, file, None).atexit = False
    _known[file] = function
    return function
