"""princeps list"""

from __future__ import annotations

from typing import Annotated, Any

from princeps.cli.declared import Declared
from princeps.cli.frame import emit, verb

ANYWHERE = "population protocols that elect from every configuration"
OWN_START = "population protocols that elect from a start of their own"
BLOCKS = "building blocks, which elect nobody"
RINGS = "ring algorithms, by messages"
GROUPS = (ANYWHERE, OWN_START, BLOCKS, RINGS)


@verb
def command(as_json: Annotated[bool, Declared("One object a line.", ("--json",))] = False) -> int:
    """What is in the library."""
    from princeps.model import registry

    protocols = [registry.find_any(name) for name in registry.names()]
    if as_json:
        for cls in protocols:
            emit(listed_protocol(cls))
        return 0
    rows = {cls.name: (cls.name, cls.network_in_words(), cls.guarantee, cls.title) for cls in protocols}
    heading = ("protocol", "graph", "guarantee", "what it is")
    widths = [max(len(row[k]) for row in (heading, *rows.values())) for k in range(3)]

    def show(
        row: tuple[str, ...],
    ) -> None:  # plain print: importing a table library would take as long as all else here
        print(*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3], sep="  ")

    show(heading)
    for title in GROUPS:
        print(f"\n{title}:")
        for cls in protocols:
            if group_of(cls) == title:
                show(rows[cls.name])
    return 0


def group_of(cls: Any) -> str:
    """Under which title it is listed."""
    from princeps.model import registry
    from princeps.model.options import RING

    if registry.kind_of(cls) == RING:
        return RINGS
    if cls.is_leader.__doc__:  # it says what is counted instead of leaders
        return BLOCKS
    if cls.guarantee in ("self-stabilizing", "loosely-stabilizing"):
        return ANYWHERE
    return OWN_START


def listed_protocol(cls: Any) -> dict[str, Any]:
    """What scripts want to know of a protocol before they run it."""
    from princeps.model import registry
    from princeps.model.options import POPULATION

    out = {"protocol": cls.name, "title": cls.title, "paper": cls.paper, "topology": cls.network_in_words()}
    out |= {"guarantee": cls.guarantee, "params": list(cls.params_)}
    if registry.kind_of(cls) == POPULATION:
        return {**out, "starts": list(cls.starts), "goals": list(cls.all_goals())}
    return {**out, "actions": [action.name for action in cls.actions]}
