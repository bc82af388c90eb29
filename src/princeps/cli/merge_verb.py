"""princeps merge A.db B.db -o C.db"""

from __future__ import annotations

from typing import Annotated

import typer

from princeps.cli.frame import DONE, emit, verb


@verb
def command(
    stores: Annotated[list[str], typer.Argument(metavar="STORE...", help="Stores made by princeps sweep.")],
    output: Annotated[str, typer.Option("--output", "-o", help="The new store.")],
    as_json: Annotated[bool, typer.Option("--json", help="One object on stdout.")] = False,
) -> int:
    """All trials of several stores in a new one; a trial that several have counts once."""
    from princeps.api.sweep import merge

    found = merge(*stores, output=output)
    if as_json:
        emit(vars(found))
        return DONE
    print(f"{output}: {found.trials:,} trials of {found.points:,} points; {found.shared:,} were in several stores.")
    if found.differing:
        print(f"{found.differing:,} of them differ, by another engine or version: the first store's are kept.")
    return DONE
