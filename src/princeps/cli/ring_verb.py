"""princeps ring LABELS"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from princeps.cli.frame import emit, verb
from princeps.cli.options import takes
from princeps.model.options import RunOptions, options_of, said_of

SAID_HERE = {name: said_of("ring", name) for name in ("random", "ring", "seed")}

EXAMPLES = (
    "princeps ring 1,2,2",
    "princeps ring --random n=100,labels=20,max=8 --seed 1",
    "princeps ring ABAAB --json",
)


@verb
@takes(RunOptions, without=tuple(set(options_of(RunOptions)) - set(SAID_HERE)), help=SAID_HERE)
def command(
    labels: Annotated[str | None, typer.Argument(help=said_of("ring", "labels"))] = None,
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
