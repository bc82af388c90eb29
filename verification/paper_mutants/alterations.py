"""The alterations of a protocol's file: those of `make mutants`."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import ring_mutants
from mutations import Mutant, mutants

from princeps.model import registry
from princeps.papers.claims import Planted


@dataclass(frozen=True)
class Alteration:
    """Number `number` of the alterations of `protocol`."""

    protocol: str
    number: int
    mutant: Mutant

    @property
    def says(self) -> str:
        return f"{self.protocol}:{self.mutant.line}: {self.mutant.key}"

    def planted(self) -> Planted:
        return Planted(self.says, (self.protocol, _text(self.protocol), self.mutant.source))


@cache
def _text(protocol: str) -> str:
    module = importlib.import_module(registry.find_any(protocol).__module__)
    return Path(str(module.__file__)).read_text(encoding="utf-8")


@cache
def alterations(protocol: str) -> tuple[Alteration, ...]:
    text = _text(protocol)
    found = (
        ring_mutants.ring_mutants(text) if registry.kind_of(registry.find_any(protocol)) == "ring" else mutants(text)
    )
    return tuple(Alteration(protocol, k, mutant) for k, mutant in enumerate(found))
