"""What is in the library, and a protocol with its parameters fixed."""

from __future__ import annotations

from princeps.errors import UnknownName
from princeps.model import registry
from princeps.model.description import describe
from princeps.model.numbers import read_count
from princeps.model.options import EVERY_KIND
from princeps.model.protocol import PopulationProtocol
from princeps.model.reading import check_size
from princeps.model.registry import Named


def library(kind: str | None = None) -> list[str]:
    """The names in the library; only those of population protocols (`"population"`) or ring algorithms (`"ring"`)."""
    if kind is not None and not (isinstance(kind, str) and kind in EVERY_KIND):
        raise UnknownName("kind", kind, EVERY_KIND)
    return registry.names(kind)


def protocol(name: Named, n: int | str | float | None = None, **params: int) -> PopulationProtocol:
    """A population protocol with its parameters fixed: fields, state_count, delta, output.

    name: a protocol's name, a file like './mine.py:Mine', or the class itself.
    """
    size = None if n is None else read_count(n, "n")
    if size is not None:
        check_size(size)
    return registry.require_population(describe(name).cls)(size, **params)
