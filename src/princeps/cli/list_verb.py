"""princeps list"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from princeps.cli.frame import emit, verb


@verb
def command(as_json: Annotated[bool, typer.Option("--json", help="One object a line.")] = False) -> int:
    """What is in the library."""
    from princeps.model import registry

    protocols = [registry.find_any(name) for name in registry.names()]
    if as_json:
        for cls in protocols:
            emit(listed_protocol(cls))
        return 0
    rows = [("protocol", "graph", "guarantee", "what it is")]
    rows += [(cls.name, cls.network_in_words(), cls.guarantee, cls.title) for cls in protocols]
    widths = [max(len(row[k]) for row in rows) for k in range(3)]
    for row in rows:  # plain print: importing a table library would take as long as everything else here
        print(*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3], sep="  ")
    return 0


def listed_protocol(cls: Any) -> dict[str, Any]:
    """What scripts want to know of a protocol before they run it."""
    from princeps.model import registry
    from princeps.model.options import POPULATION

    out = {"protocol": cls.name, "title": cls.title, "paper": cls.paper, "topology": cls.network_in_words()}
    out |= {"guarantee": cls.guarantee, "params": list(cls.params_)}
    if registry.kind_of(cls) == POPULATION:
        return {**out, "starts": list(cls.starts), "goals": list(cls.all_goals())}
    return {**out, "actions": [action.name for action in cls.actions]}
