"""princeps merge A.db B.db -o C.db"""

from __future__ import annotations

from typing import Annotated

import typer

from princeps.cli.frame import DONE, emit, verb
from princeps.model.options import said_of

EXAMPLES = (
    "princeps merge a.db b.db -o all.db",
    "princeps merge damaged.db -o repaired.db --sound",
    "princeps merge *.db -o all.db --json",
)


@verb
def command(
    stores: Annotated[list[str], typer.Argument(metavar="STORE...", help=said_of("merge", "stores"))],
    output: Annotated[str, typer.Option("--output", "-o", help=said_of("merge", "output"), metavar="FILE")],
    sound: Annotated[bool, typer.Option("--sound", help=said_of("merge", "sound"))] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One object on stdout.")] = False,
) -> int:
    """All trials of several stores in a new one; a trial that several have counts once."""
    from princeps.api.sweep import merge
    from princeps.model.formatting import counted

    found = merge(*stores, output=output, sound=sound)
    if as_json:
        emit(vars(found))
        return DONE
    print(
        f"{output}: {counted(found.trials, 'trials')} of {counted(found.points, 'points')}; {found.shared:,} were in several stores."
    )
    if found.differing:
        print(
            f"{found.differing:,} of them differ, by another engine or version or as network runs do: the first store's are kept."
        )
    if sound:
        print(
            f"damaged rows left out: {found.damaged:,}, beside what cannot be read; sweeps into {output} run them again."
        )
    return DONE
