"""princeps new mine.py"""

from __future__ import annotations

from typing import Annotated

import typer

from princeps.cli.frame import DONE, emit, verb
from princeps.model.options import said_of

EXAMPLES = (
    "princeps new mine.py",
    "princeps new walk.py --ring",
    "princeps new mine.py --force",
)


@verb
def command(
    file: Annotated[str, typer.Argument(metavar="FILE.py", help=said_of("new", "path"))],
    ring: Annotated[bool, typer.Option("--ring", help=said_of("new", "ring"))] = False,
    force: Annotated[bool, typer.Option("--force", help=said_of("new", "force"))] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One object.")] = False,
) -> int:
    """Write a commented protocol file that runs as it stands, to start from."""
    from princeps.api.new import new

    made = new(file, ring=ring, force=force)
    if as_json:
        emit({"file": made.file, "protocol": made.protocol, "spec": made.spec})
        return DONE
    print(f"{made.file}: a {'ring algorithm' if ring else 'population protocol'} called {made.protocol}. Now:")
    print(f"  princeps check {made.file}\n  princeps run {made.file} {'--labels 3,1,2' if ring else '-n 1000'}")
    return DONE
