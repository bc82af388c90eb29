"""princeps ring LABELS"""

from __future__ import annotations

from typing import Annotated

import typer

from princeps.cli.frame import emit, verb


@verb
def command(
    labels: Annotated[str | None, typer.Argument(help="Labels clockwise, 1,2,2 or ABAAB.")] = None,
    random: Annotated[str | None, typer.Option(help="Draw one: n=1000,labels=50,max=20, asymmetric.")] = None,
    ring: Annotated[str | None, typer.Option(help="A file of labels.")] = None,
    seed: Annotated[str, typer.Option(help="Of --random.")] = "0",
    as_json: Annotated[bool, typer.Option("--json", help="One object.")] = False,
) -> int:
    """What a labeled ring is: multiplicity, symmetry, classes, true leader."""
    from princeps.api.rings import ring as examine

    facts = examine(labels, random=random, ring=ring, seed=seed)
    if as_json:
        emit(facts.as_json())
        return 0
    from princeps.cli.ring_tables import print_ring_facts
    from princeps.model.rings.reading_rings import read_ring

    print_ring_facts(facts.as_json(), f"the ring {read_ring(facts.labels).short}")
    return 0
