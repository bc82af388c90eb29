"""The runs of a population protocol that are tried: its starts and graphs, at sizes that it takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from princeps.errors import PrincepsError
from princeps.model.description import describe, read
from princeps.model.protocol import PopulationProtocol
from princeps.model.run import Run

SIZES = (2, 3, 4, 5, 7, 20)
FOR_EVERY_START = (3, 5)  # the other sizes are tried from the default start only
GRAPHS = {"complete": ("complete",), "ring": ("ring",), "any": ("complete", "ring", "path")}
SEED = 1


@dataclass(frozen=True)
class Case:
    """A protocol on a graph from a start."""

    cls: type[PopulationProtocol]
    n: int
    graph: str
    start: str

    @property
    def options(self) -> dict[str, Any]:
        return {"start": self.start, "graph": self.graph, "seed": SEED}

    def run(self, **more: Any) -> Run:
        made = read(describe(self.cls, self.n, **self.options, **more))
        assert isinstance(made, Run)
        return made

    def __str__(self) -> str:
        return f"n = {self.n}, {self.graph}, from {self.start}"


def cases(cls: type[PopulationProtocol]) -> Iterator[Case]:
    """Those that the protocol takes; a size may be too small for it."""
    for n in SIZES:
        for graph in GRAPHS.get(cls.topology, ("complete",)):
            for start in cls.starts if n in FOR_EVERY_START else (cls.default_start,):
                case = Case(cls, n, graph, start)
                try:
                    case.run()
                except PrincepsError:
                    continue
                yield case


def refusal(cls: type[PopulationProtocol]) -> str | None:
    """Why none of them can be run."""
    if not cls.starts:
        return "it declares no start, so that no run can begin: add starts = {...}."
    try:
        Case(cls, max(SIZES), GRAPHS.get(cls.topology, ("complete",))[0], next(iter(cls.starts))).run()
    except PrincepsError as error:
        return str(error)
    return None


def columns(held: Any) -> dict[str, list[int]]:
    """The configuration of a session of numbered agents: for each field its values, agent by agent."""
    return {name: values.tolist() for name, values in held.configuration.items()}
