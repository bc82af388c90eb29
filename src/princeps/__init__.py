"""princeps: a laboratory for leader election.

>>> import princeps
>>> princeps.run("p_rl", n=100, seed=7).leaders
1

Everything is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

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
    "replay",
    "results",
    "ring",
    "rings",
    "run",
    "session",
    "sweep",
    "trials",
]

if TYPE_CHECKING:
    from princeps.api.exact import exact
    from princeps.api.library import library, protocol
    from princeps.api.paper import paper
    from princeps.api.plot import plot
    from princeps.api.rings import impossible, ring, rings
    from princeps.api.run import estimate, run, trials
    from princeps.api.session import replay, session
    from princeps.api.sweep import fit, merge, results, sweep
    from princeps.model.protocol import PopulationProtocol
    from princeps.model.result import Result
    from princeps.model.rings.algorithm import RingAlgorithm

_WHERE = {
    "PopulationProtocol": "princeps.model.protocol",
    "Result": "princeps.model.result",
    "RingAlgorithm": "princeps.model.rings.algorithm",
    "estimate": "princeps.api.run",
    "exact": "princeps.api.exact",
    "fit": "princeps.api.sweep",
    "impossible": "princeps.api.rings",
    "library": "princeps.api.library",
    "merge": "princeps.api.sweep",
    "paper": "princeps.api.paper",
    "plot": "princeps.api.plot",
    "protocol": "princeps.api.library",
    "replay": "princeps.api.session",
    "results": "princeps.api.sweep",
    "ring": "princeps.api.rings",
    "rings": "princeps.api.rings",
    "run": "princeps.api.run",
    "session": "princeps.api.session",
    "sweep": "princeps.api.sweep",
    "trials": "princeps.api.run",
}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'princeps' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
