"""princeps exact NAME"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from princeps.cli.frame import DONE, NOT_REACHED, emit, parameters, verb
from princeps.cli.options import given_to, takes
from princeps.model.options import OF_RUNS_ONLY, RING, ExactOptions, RunOptions

# What is said otherwise here than in `run`.
SAID_HERE = {
    "start": "all (every configuration), or a start of the protocol as in run.",
    "until": "The same as --target.",
    "graph": "As in run.",
    "ids": "Identifiers, as in run.",
    "force": "A graph or ring the protocol is not made for; replace a file that princeps did not write.",
    "seed": "Of the simulation, or of a random ring.",
    "labels": "Ring: labels clockwise; all interleavings are explored.",
    "random": "Ring: n=5,labels=3,max=2, asymmetric.",
}


@verb
@takes(RunOptions, without=OF_RUNS_ONLY, help=SAID_HERE)
@takes(ExactOptions)
def command(
    name: Annotated[str, typer.Argument(help="A protocol's name, or ./mine.py:Mine.")],
    n: Annotated[str | None, typer.Option("-n", metavar="N", help="How many agents.")] = None,
    p: Annotated[list[str] | None, typer.Option("-p", metavar="NAME=VALUE", help="A parameter; repeatable.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One object on stdout.")] = False,
    **given: Any,
) -> int:
    """Know everything about a small population: what is safe, what is reachable, exact expected times."""
    from princeps.api.exact import exact_described
    from princeps.cli.exact_tables import print_exact, print_report
    from princeps.cli.progress import phases
    from princeps.model.description import Description

    description = Description(name, n, parameters(p or []), given_to(RunOptions, given))
    is_ring, asks_one_question = description.kind == RING, given["probability"] is not None
    with phases(as_json) as observer:
        found = exact_described(description, given_to(ExactOptions, given), observer)
    if as_json:
        emit(found.as_json())
    else:
        (print_report if is_ring or asks_one_question else print_exact)(found)
    if asks_one_question:
        return DONE
    if is_ring:
        return DONE if found.agreed else NOT_REACHED
    refuted = any(finding.verdict == "refuted" for finding in found.lemmas or ())
    disagrees = found.is_contradicted or (found.check is not None and not found.check.agrees)
    return DONE if found.reachable and not refuted and not disagrees else NOT_REACHED
