"""princeps warm"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from princeps.cli import completing
from princeps.cli.frame import DONE, emit, verb
from princeps.model.options import said_of

EXAMPLES = (
    "princeps warm",
    "princeps warm p_ll epidemic",
    "princeps warm p_rl --json",
)


@verb
def command(
    what: Annotated[
        list[str] | None, typer.Argument(help=said_of("warm", "what"), autocompletion=completing.protocols)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One object a run on stdout.")] = False,
) -> int:
    """Compile ahead what runs need: once for each image of a container, or before a sweep on many machines."""
    from dataclasses import asdict

    from princeps.api.warm import warm
    from princeps.model.announcing import said

    def show(one: Any) -> None:
        said()
        if as_json:
            emit(asdict(one))
        elif one.refused is None:
            print(f"{one.protocol:24} {one.what:8} n = {one.n:<9,} {one.seconds:6.2f} s", flush=True)

    warm(what or (), observer=show)
    return DONE
