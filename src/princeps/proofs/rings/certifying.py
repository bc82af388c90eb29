"""python -m princeps.proofs.rings.certifying [--anew] NAME ...: searches the invariants of ring lemmas and keeps them.

What is kept already and still a proof is not searched again, unless with --anew.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from time import process_time

from princeps.model import registry
from princeps.model.lemmas import Never, Stays, StaysElected
from princeps.model.protocol import PopulationProtocol
from princeps.model.step_facts import Marked, WithGhosts
from princeps.proofs.rings.kept import Invariants, keep, kept_invariants
from princeps.proofs.rings.proving import Limits, prove
from princeps.proofs.verdicts import Statement


def statements(cls: type[PopulationProtocol]) -> Iterator[Statement]:
    """The lemmas and facts of a ring protocol that are about single interactions in its sets."""
    for kind, table in (("lemma", cls.lemmas), ("fact", cls.facts)):
        for key, what in table.items():
            if isinstance(what, Stays | StaysElected | Never | WithGhosts | Marked):
                yield Statement(cls, key, what.says, kind, what)


def main(names: list[str]) -> None:
    for name in [name for name in names if name != "--anew"]:
        known = {} if "--anew" in names else dict(kept_invariants(name))
        found: dict[str, list[str]] = {}
        proved: list[tuple[Statement, Invariants]] = []
        for statement in statements(registry.find(name)):
            begun = process_time()
            verdict = prove(statement, known | found, Limits(search=5_000_000_000))
            print(
                f"{name} {statement.id}: {verdict.verdict}, {process_time() - begun:.1f} s; {verdict.why}", flush=True
            )
            if verdict.certificate is not None:
                own = json.loads(verdict.certificate.extra)
                proved.append((statement, own))
                found |= own
        keep(name, proved)


if __name__ == "__main__":
    main(sys.argv[1:])
