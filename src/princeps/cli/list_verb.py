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
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("protocol", "graph", "guarantee", "what it is"):
        table.add_column(heading, no_wrap=heading == "protocol")
    for cls in protocols:
        table.add_row(cls.name, cls.topology, cls.guarantee, cls.title)
    Console().print(table)
    return 0
