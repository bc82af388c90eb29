"""The alterations of `make mutants`, each as a class out of a file of its own."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from mutations import Mutant, mutants

from princeps.model import registry
from princeps.model.protocol import PopulationProtocol
from princeps.papers.altered import source_of

# P_LL's clock takes 41 m interactions, too many to enumerate: for both judges it may be anything from 2 on.
CLOCK = (
    """c_max = Derived(lambda p: 41 * p.m, Param(min=2, doc="the steps of a timer's clock; else 41 m"))""",
    "c_max = Derived(lambda p: 2, or_given=Param(min=2))",
)
EDITS = {"p_rl": (), "p_ll": (CLOCK,)}


@dataclass(frozen=True)
class Alteration:
    """Number `number` of the alterations of `protocol`."""

    protocol: str
    number: int
    mutant: Mutant

    @property
    def says(self) -> str:
        return f"{self.protocol}:{self.mutant.line}: {self.mutant.key}"

    @property
    def key(self) -> str:
        return hashlib.sha256(f"{self.protocol} {self.mutant.source}".encode()).hexdigest()[:20]

    def load(self, folder: Path) -> type[PopulationProtocol]:
        return loaded(self.protocol, self.mutant.source, folder / f"{self.protocol}_{self.key}.py")


def loaded(protocol: str, source: str, path: Path) -> type[PopulationProtocol]:
    path.write_text(source, encoding="utf-8")
    return registry.find(f"{path}:{registry.find(protocol).__qualname__}")


def original(protocol: str) -> str:
    """The file before it is altered."""
    text = source_of(protocol)
    for old, new in EDITS[protocol]:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def alterations(protocol: str) -> list[Alteration]:
    return [Alteration(protocol, k, mutant) for k, mutant in enumerate(mutants(original(protocol)))]
