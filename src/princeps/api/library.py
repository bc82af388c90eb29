"""What is in the library, and a protocol with its parameters fixed."""

from __future__ import annotations

from typing import SupportsIndex

from princeps.model import registry
from princeps.model.description import describe
from princeps.model.numbers import Count, read_count
from princeps.model.options import EVERY_KIND, check_choice, explained
from princeps.model.protocol import PopulationProtocol
from princeps.model.reading import check_size
from princeps.model.registry import Named


@explained
def library(kind: str | None = None) -> list[str]:
    """The names in the library; only those of population protocols (`"population"`) or ring algorithms (`"ring"`)."""
    return registry.names(None if kind is None else check_choice(kind, "kind", EVERY_KIND))


@explained
def protocol(name: Named, n: Count | None = None, **params: SupportsIndex) -> PopulationProtocol:
    """A population protocol with its parameters fixed: fields, state_count, delta, output."""
    size = None if n is None else read_count(n, "n")
    if size is not None:
        check_size(size)
    return registry.require_population(describe(name).cls)(size, **params)
