"""What a labeled ring is, as rows: on the command line, at a prompt and in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from princeps.model.report import Report
from princeps.model.rings.reading_rings import read_ring

if TYPE_CHECKING:
    from princeps.model.rings.facts import RingFacts

LONGEST_WORD = 40  # labels


def facts_report(facts: RingFacts) -> Report:
    bits = f"{facts.label_bits:,} bit" if facts.label_bits == 1 else f"{facts.label_bits:,} bits"
    rows = [
        ("processes", f"{facts.n:,}; different labels: {facts.distinct:,}, told apart by {bits}"),
        ("multiplicity", f"{facts.multiplicity:,}: the ring is in K_k for k >= {facts.multiplicity:,}"),
    ]
    if facts.symmetric:
        rows.append(("symmetric", f"yes, a rotation by {facts.rotation:,} changes nothing"))
    else:
        rows.append(("symmetric", "no rotation but the whole turn maps it to itself: it is in A"))
    count = facts.unique_labels
    unique = f"yes, {count:,} label{'s are' if count > 1 else ' is'} unique" if count else "no, no label is unique"
    rows.append(("in U*", unique))
    if facts.leader is not None and facts.lyndon_word is not None:
        rows.append(("true leader", f"process {facts.leader}, whose label is {facts.leader_label}"))
        rows.append(("Lyndon word", _shortened(facts.lyndon_word)))
    for name, k in facts.smallest_k.items():
        rows.append((name, "cannot elect one leader, whatever k" if k is None else f"needs k >= {k}"))
    return Report(f"the ring {read_ring(facts.labels).short}", rows)


def _shortened(word: Sequence[Any]) -> str:
    return " ".join(map(str, word[:LONGEST_WORD])) + (" ..." if len(word) > LONGEST_WORD else "")
