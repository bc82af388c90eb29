"""princeps new mine.py"""

from __future__ import annotations

from typing import Annotated

import typer

from princeps.cli.frame import DONE, emit, verb

EXAMPLES = (
    "princeps new mine.py",
    "princeps new walk.py --ring",
    "princeps new mine.py --force",
)


@verb
def command(
    file: Annotated[str, typer.Argument(metavar="FILE.py", help="The file to write; its class is named after it.")],
    ring: Annotated[bool, typer.Option("--ring", help="A ring algorithm instead of a population protocol.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
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
