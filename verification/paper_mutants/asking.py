"""Which protocols a claim runs, and which lines of them it is about: those that its planted fault alters."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from paper_mutants.alterations import Alteration
from princeps.campaign.store import open_store
from princeps.model import registry
from princeps.model.registry import Named
from princeps.papers.catalogue import find_papers
from princeps.papers.claims import Claim
from princeps.papers.laboratory import SKETCH, Lab
from princeps.papers.pending import EvidenceFailed, NotReady


class AskedLab(Lab):
    """Notes for which protocols a check asks; nothing is run."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.names: set[str] = set()

    def protocol(self, name: Named) -> Named:
        if isinstance(name, str):
            self.names.add(name)
        return super().protocol(name)


@cache
def protocols_of(id: str) -> tuple[str, ...]:
    """Of a claim, in alphabetical order: all that it asks for before it reads an answer, and those of its lemmas.

    A claim about numbers alone asks for none: it cannot notice an altered rule, whatever its file names.
    """
    ((claim,),) = find_papers([id])
    with TemporaryDirectory(prefix="princeps-") as folder, open_store(str(Path(folder) / "asked.db")) as store:
        lab = AskedLab(store, effort=SKETCH)
        with suppress(NotReady, EvidenceFailed):
            claim.check(lab)
    return tuple(sorted((lab.names | _named(claim)) & set(registry.names())))


def _named(claim: Claim) -> set[str]:
    edited = {protocol for protocol, _, _ in claim.planted.edits} if claim.planted is not None else set()
    return edited | ({claim.proved_by.protocol} if claim.proved_by is not None else set())


def is_about(alteration: Alteration, claim: Claim) -> bool:
    """Its line is one of those that the claim's planted fault alters."""
    edits: tuple[tuple[str, str, str], ...] = claim.planted.edits if claim.planted is not None else ()
    code = alteration.mutant.code.strip()
    return any(
        protocol == alteration.protocol and any(line.strip() and line.strip() in code for line in old.splitlines())
        for protocol, old, _ in edits
    )


def in_order(pairs: list[tuple[Alteration, str]], claims: Mapping[str, Claim]) -> list[tuple[Alteration, str]]:
    """First the alterations of lines that a claim is about: they are the most likely to change it."""
    return sorted(pairs, key=lambda pair: not is_about(pair[0], claims[pair[1]]))
