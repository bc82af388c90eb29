"""What is said of a lemma, and how a lemma is named.

A failed check of a pair of states is no counterexample: the verdict is then NOT_PROVED, and nothing more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from princeps.model.protocol import PopulationProtocol
from princeps.model.states import State
from princeps.proofs.certificate import Certificate

PROVED = "proved for every n"
REFUTED = "refuted"
NOT_PROVED = "not proved"


def proved_at(n: int) -> str:
    """Of sets that cannot be unrolled for every n."""
    return f"proved at n = {n} for every N"


@dataclass(frozen=True)
class Statement:
    """One lemma of a protocol's file: `what` is the declaration (a Stays, an invariant's function, ...)."""

    cls: type[PopulationProtocol]
    id: str
    says: str
    kind: str  # groups, invariant, lemma, fact
    what: Any


@dataclass(frozen=True)
class Counterexample:
    """Agents in these states, and the meetings that break the lemma; executed with the plain rule before it is told."""

    protocol: PopulationProtocol
    states: tuple[State, ...]
    pairs: tuple[tuple[int, int], ...]
    draws: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class Verdict:
    """`why` says how it was proved, or where the proof ended."""

    statement: Statement
    verdict: str
    why: str = ""
    assumptions: tuple[str, ...] = ()
    certificate: Certificate | None = None
    counterexample: Counterexample | None = None
    seconds: float = field(default=0.0, compare=False)
