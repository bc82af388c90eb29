"""A protocol with one of its lines changed, in a file of its own: a fault that a claim must notice."""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Iterable
from pathlib import Path

from princeps.errors import ProtocolError
from princeps.model import registry


def altered(name: str, edits: Iterable[tuple[str, str]], folder: Path) -> str:
    """The place of the altered protocol, as one would type it."""
    cls = registry.find_any(name)
    text = source_of(name)
    for old, new in edits:
        if text.count(old) != 1:
            raise ProtocolError(f"{old!r} stands {text.count(old)} times in {name}, and should stand there once.")
        text = text.replace(old, new)
    path = folder / f"{cls.name}_{hashlib.sha256(text.encode()).hexdigest()[:10]}.py"
    if not path.exists():
        path.write_text(text, encoding="utf-8")
    return f"{path}:{cls.__qualname__}"


def source_of(name: str) -> str:
    """The whole file in which a protocol stands."""
    return inspect.getsource(sys.modules[registry.find_any(name).__module__])
