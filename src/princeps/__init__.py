"""princeps: a laboratory for leader election.

>>> import princeps
>>> princeps.run("p_rl", n=100, seed=7).leaders
1

Everything is loaded when it is first used; type checkers read __init__.pyi. A protocol's file imports from here, or from `princeps.model`, what it needs.
"""

from __future__ import annotations

from typing import Any

__version__ = "0.2.0"

__all__ = [
    "LEFT",
    "RIGHT",
    "Agent",
    "Bit",
    "Blocks",
    "Closed",
    "Config",
    "Counted",
    "Counts",
    "Derived",
    "EveryAgent",
    "EveryMeeting",
    "Field",
    "Flag",
    "GroupSpec",
    "Guarded",
    "Input",
    "Interrupted",
    "Label",
    "LabelVariable",
    "Largest",
    "Level",
    "Look",
    "Loss",
    "Mark",
    "Marked",
    "Mean",
    "Message",
    "Natural",
    "Never",
    "NobodyLeads",
    "Number",
    "OfInputs",
    "OneOf",
    "Oracle",
    "Param",
    "Params",
    "PopulationProtocol",
    "PrincepsError",
    "Process",
    "Range",
    "Reaches",
    "Result",
    "Ring",
    "RingAlgorithm",
    "RingResult",
    "Scratch",
    "SoftMin",
    "Spent",
    "Stays",
    "StaysElected",
    "Symmetric",
    "Top",
    "Total",
    "Tuning",
    "Uniform",
    "Verdict",
    "WithGhosts",
    "Within",
    "Word",
    "WordVariable",
    "ceil_lg",
    "check",
    "coin",
    "default_m",
    "draw",
    "estimate",
    "exact",
    "fit",
    "hold",
    "impossible",
    "library",
    "member",
    "merge",
    "net",
    "new",
    "on",
    "outside_class",
    "paper",
    "plot",
    "protocol",
    "prove",
    "repeated_label",
    "replay",
    "results",
    "ring",
    "rings",
    "run",
    "session",
    "slider",
    "start",
    "sweep",
    "table",
    "trials",
    "tune",
    "warm",
    "watch",
    "worst",
]

# The classes of answers that load numpy: for annotations and isinstance, and no part of `from princeps import *`.
_ANSWERS = ("Exact", "ExactProbability", "ExactRing", "FairAdversary", "Results", "WorstStarts")
_WHERE = {
    **dict.fromkeys(("Interrupted", "PrincepsError"), "princeps.errors"),
    "Result": "princeps.model.result",
    "RingResult": "princeps.model.rings.result",
    "check": "princeps.api.check",
    "estimate": "princeps.api.run",
    "exact": "princeps.api.exact",
    "fit": "princeps.api.sweep",
    "hold": "princeps.api.hold",
    "impossible": "princeps.api.rings",
    "library": "princeps.api.library",
    "member": "princeps.api.member",
    "merge": "princeps.api.sweep",
    "net": "princeps.api.net",
    "new": "princeps.api.new",
    "paper": "princeps.api.paper",
    "plot": "princeps.api.plot",
    "protocol": "princeps.api.library",
    "prove": "princeps.api.prove",
    "replay": "princeps.api.session",
    "results": "princeps.api.sweep",
    "ring": "princeps.api.rings",
    "rings": "princeps.api.rings",
    "run": "princeps.api.run",
    "session": "princeps.api.session",
    "slider": "princeps.api.slider",
    "sweep": "princeps.api.sweep",
    "table": "princeps.api.table",
    "trials": "princeps.api.run",
    "tune": "princeps.api.tune",
    "warm": "princeps.api.warm",
    "watch": "princeps.api.watch",
    "worst": "princeps.api.worst",
}
_WHERE |= dict.fromkeys(_ANSWERS, "princeps.api.answers")
_WHERE |= {name: "princeps.model" for name in __all__ if name not in _WHERE}  # what a protocol's file needs


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'princeps' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted([*_WHERE, *(name for name in globals() if name.startswith("__"))])
