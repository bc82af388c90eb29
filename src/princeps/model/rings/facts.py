"""What kind of ring it is, and what each algorithm of the library needs to know about it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from princeps.model import registry
from princeps.model.report import Report
from princeps.model.rings.ring import Ring


@dataclass(frozen=True, repr=False)
class RingFacts:
    """`rotation` is the smallest that changes nothing (n: asymmetric); the Lyndon word is LLabels(leader)^n."""

    labels: list[int] | list[str]
    n: int
    distinct: int
    label_bits: int
    multiplicity: int
    symmetric: bool
    rotation: int
    in_u_star: bool
    unique_labels: int
    leader: int | None
    leader_label: int | str | None
    lyndon_word: list[int | str] | None
    smallest_k: dict[str, int | None]

    def report(self) -> Report:
        """What the command line prints."""
        from princeps.model.rings.facts_report import facts_report

        return facts_report(self)

    def __repr__(self) -> str:
        return self.report().text()

    def _repr_html_(self) -> str:
        return self.report().html()

    def as_json(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


def ring_facts(ring: Ring) -> RingFacts:
    leader = ring.true_leader
    algorithms = [registry.find_ring(name) for name in registry.names("ring")]
    return RingFacts(
        labels=list(ring.labels),  # type: ignore[arg-type]
        n=ring.n,
        distinct=len(set(ring.labels)),
        label_bits=ring.label_bits,
        multiplicity=ring.multiplicity,
        symmetric=ring.symmetric,
        rotation=ring.period,
        in_u_star=ring.in_u_star,
        unique_labels=ring.unique_labels,
        leader=leader,
        leader_label=None if leader is None else ring.labels[leader],
        lyndon_word=None if leader is None else list(ring.llabels(leader)),
        smallest_k={
            cls.name: None if ring.symmetric else cls.smallest_k(ring) for cls in algorithms if "k" in cls.params_
        },
    )
