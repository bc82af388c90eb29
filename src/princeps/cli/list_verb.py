"""princeps list"""

from __future__ import annotations

from typing import Annotated

import typer

from princeps.cli.frame import emit, verb


@verb
def command(as_json: Annotated[bool, typer.Option("--json", help="One object a line.")] = False) -> int:
    """What is in the library."""
    from princeps.model import registry

    protocols = [registry.find(name) for name in registry.names()]
    if as_json:
        for cls in protocols:
            emit(
                {
                    "protocol": cls.name,
                    "title": cls.title,
                    "paper": cls.paper,
                    "topology": cls.topology,
                    "guarantee": cls.guarantee,
                    "params": list(cls.params_),
                    "starts": list(cls.starts),
                    "goals": list(cls.all_goals()),
                }
            )
        return 0
    rows = [("protocol", "graph", "guarantee", "what it is")]
    rows += [(cls.name, cls.topology, cls.guarantee, cls.title) for cls in protocols]
    widths = [max(len(row[k]) for row in rows) for k in range(3)]
    for row in rows:  # plain print: importing a table library would take as long as everything else here
        print(*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3], sep="  ")
    return 0
