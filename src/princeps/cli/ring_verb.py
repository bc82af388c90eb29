"""princeps ring LABELS"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from princeps.cli.frame import emit, verb
from princeps.cli.options import takes
from princeps.model.options import RunOptions, options_of

SAID_HERE = {
    "random": "Draw one: n=1000,labels=50,max=20, asymmetric.",
    "ring": "A file of labels.",
    "seed": "Of --random; 0 if left out.",
}


@verb
@takes(RunOptions, without=tuple(set(options_of(RunOptions)) - set(SAID_HERE)), help=SAID_HERE)
def command(
    labels: Annotated[str | None, typer.Argument(help="Labels clockwise, 1,2,2 or ABAAB.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One object.")] = False,
    **given: Any,
) -> int:
    """What a labeled ring is: multiplicity, symmetry, classes, true leader."""
    from princeps.api.rings import ring as examine

    facts = examine(labels, **{name: value for name, value in given.items() if value is not None})
    if as_json:
        emit(facts.as_json())
        return 0
    from princeps.cli.ring_tables import print_ring_facts

    print_ring_facts(facts)
    return 0
