"""princeps: a laboratory for leader election.

>>> import princeps
>>> princeps.run("p_rl", n=100, seed=7).leaders
1

Everything is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

__all__ = [
    "PopulationProtocol",
    "Result",
    "RingAlgorithm",
    "estimate",
    "exact",
    "fit",
    "impossible",
    "library",
    "merge",
    "paper",
    "plot",
    "protocol",
    "results",
    "ring",
    "rings",
    "run",
    "sweep",
    "trials",
]

if TYPE_CHECKING:
    from princeps.api import estimate, exact, impossible, library, protocol, ring, rings, run, trials
    from princeps.campaign.verbs import fit, merge, results, sweep
    from princeps.figures import plot
    from princeps.model.protocol import PopulationProtocol
    from princeps.model.result import Result
    from princeps.model.ring_algorithm import RingAlgorithm
    from princeps.papers.verbs import paper

_WHERE = {
    "PopulationProtocol": "princeps.model.protocol",
    "Result": "princeps.model.result",
    "RingAlgorithm": "princeps.model.ring_algorithm",
    "protocol": "princeps.api",
    "estimate": "princeps.api",
    "exact": "princeps.exact",
    "fit": "princeps.campaign.verbs",
    "impossible": "princeps.api",
    "library": "princeps.api",
    "merge": "princeps.campaign.verbs",
    "paper": "princeps.papers.verbs",
    "plot": "princeps.figures",
    "results": "princeps.campaign.verbs",
    "ring": "princeps.api",
    "rings": "princeps.api",
    "run": "princeps.api",
    "sweep": "princeps.campaign.verbs",
    "trials": "princeps.api",
}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'princeps' has no attribute {name!r}")
    from importlib import import_module

    if name == "exact":  # the room itself, which can be called: importing any of its files puts it here anyway
        return import_module("princeps.exact")
    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
